"""PostgreSQL, as a connection, as a source and as a destination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from connectors.gauge import NUMBERED, Gauge
from connectors.option_values import port, require_all, secret, ssl_mode, text, text_or_secret
from connectors.postgres.publication import PostgresPublication
from connectors.postgres.settings import postgres_login, postgres_settings
from connectors.postgres.stored_publications import publication_of, publication_value
from connectors.postgres.table import PostgresTable
from connectors.sinks.clauses import named_table
from connectors.sinks.description import SinkDescription
from connectors.sinks.destination_probe import examine
from connectors.sinks.driver import Driver
from connectors.sources.description import PostgresTables
from connectors.system import (
    InstalledSource,
    Options,
    Reached,
    SystemConnection,
    SystemDestination,
    SystemSource,
    values_of,
)
from connectors.upstream import Arrived, UpstreamReader
from model.external.sinks import ConnectedTable, SinkTarget
from model.ids.global_id import GlobalId
from model.time.clock import Clock
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import INT8

_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")


def _check(options: Options) -> None:
    require_all(options, "a POSTGRES", "HOST", "DATABASE", "USER")


def _ask(options: Options, secrets: Mapping[GlobalId, str], by_password: bool) -> None:
    from connectors.postgres.probe import ask_postgres

    ask_postgres(postgres_settings(options, secrets, only_by_password=by_password))


def _place(target: SinkTarget, reached: Reached) -> PostgresTable:
    assert isinstance(target, ConnectedTable), "it is a table"
    settings = postgres_login(reached.options, only_by_password=reached.by_password)
    return PostgresTable(*settings, target.table)


def _driver(place: PostgresTable, _token: str, _directory: Path) -> Driver:
    from connectors.postgres.driver import PostgresDriver

    return PostgresDriver(place)


def _examine(sink: SinkDescription, place: PostgresTable, secrets: Mapping[GlobalId, str], timeout_s: int) -> None:
    from connectors.postgres.driver import PostgresDriver
    from connectors.postgres.probe import reason_of

    examine(PostgresDriver(place), sink, values_of(place.secrets, secrets), timeout_s, reason_of)


def _stored(followed: PostgresPublication) -> dict[str, Any]:
    return {"connection": str(followed.connection), **publication_value(followed.publication)}


def _restored(stored: Mapping[str, Any]) -> PostgresPublication:
    return PostgresPublication(GlobalId.parse(stored["connection"]), publication_of(stored))


def _elsewhere(followed: PostgresPublication, lineage: str) -> PostgresPublication:
    """Returns the publication with another slot, which is not created yet: see docs/backup.md."""
    publication = followed.publication
    slot = f"headwater_{lineage}_{publication.slot[-16:]}"
    return replace(followed, publication=replace(publication, slot=slot))


def _source_place(followed: PostgresPublication, installed: InstalledSource) -> PostgresTables:
    """Returns the tables that still exist: dropped tables are no longer followed."""
    publication = followed.publication
    return PostgresTables(
        *postgres_login(installed.options, only_by_password=installed.by_password),
        publication.name,
        publication.slot,
        publication.system,
        installed.tables,
    )


def _open(
    place: PostgresTables, settings: Mapping[str, str], clock: Clock, arrived: Arrived, copies: Path
) -> UpstreamReader:
    from connectors.postgres.source.reader import PostgresReader

    return PostgresReader(place, settings, clock, arrived, copies)


CONNECTION = SystemConnection(
    name="POSTGRES",
    checks={
        "HOST": text,
        "PORT": port,
        "DATABASE": text,
        "USER": text_or_secret,
        "PASSWORD": secret,
        "SSL MODE": ssl_mode(*_SSL_MODES),
    },
    check_together=_check,
    ask=_ask,
)
SOURCE = SystemSource(
    name="POSTGRES",
    kind="postgres",
    gauge=Gauge(NUMBERED, ColumnDesc("lsn", INT8, nullable=False), alone=True),
    places=(PostgresPublication, PostgresTables),
    stored=_stored,
    restored=_restored,
    stored_as="postgres",
    place=_source_place,
    connection="POSTGRES",
    elsewhere=_elsewhere,
    open=_open,
    options=("PUBLICATION", "TEXT COLUMNS", "WIDE COLUMNS"),
)
DESTINATION = SystemDestination(
    name="POSTGRES",
    options=("TABLE",),
    connection="POSTGRES",
    connected=named_table,
    places=(PostgresTable,),
    place=_place,
    open_driver=_driver,
    examine=_examine,
)
