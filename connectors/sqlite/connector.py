"""SQLite, as a destination on the server."""

from __future__ import annotations

from pathlib import Path

from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.system import SystemDestination, as_planned
from model.external.sinks import SinkTarget, SqliteTable


def _target(clauses: SinkClauses) -> SinkTarget:
    clauses.refuse_messages()
    return SqliteTable(clauses.path(), clauses.text("TABLE") or clauses.relation)


def _driver(place: SqliteTable, _token: str, _directory: Path) -> Driver:
    from connectors.sqlite.driver import SqliteDriver

    return SqliteDriver(place)


DESTINATION = SystemDestination(
    name="SQLITE",
    options=("PATH", "TABLE"),
    on_server=_target,
    places=(SqliteTable,),
    place=as_planned,
    open_driver=_driver,
    undivided="SQLite has one writer at a time.",
)
