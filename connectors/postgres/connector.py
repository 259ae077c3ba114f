"""PostgreSQL, as a connection, as a source and as a destination."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from connectors.gauge import NUMBERED, Gauge
from connectors.option_values import port, require_all, secret, ssl_mode, text, text_or_secret
from connectors.postgres.settings import postgres_login, postgres_settings
from connectors.postgres.table import PostgresTable
from connectors.sinks.clauses import named_table
from connectors.sinks.description import SinkDescription
from connectors.sinks.destination_probe import examine
from connectors.sinks.driver import Driver
from connectors.sources.description import PostgresTables
from connectors.system import Options, Reached, SystemConnection, SystemDestination, SystemSource, values_of
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
    places=(PostgresTables,),
    open=_open,
    options=("PUBLICATION", "TEXT COLUMNS"),
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
