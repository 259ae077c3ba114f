"""Asks a destination, before a sink is made, whether the table that stands there fits it.

Nothing is made or changed: the sink itself does that when it opens, and looks once more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from connectors.sinks.description import MysqlTable, PostgresTable, SinkDescription
from connectors.unreachable import Unreachable
from model.ids.global_id import GlobalId


def asks(sink: SinkDescription) -> bool:
    """Tells whether there is a server to ask."""
    return isinstance(sink.place, PostgresTable | MysqlTable)


def require_fit(sink: SinkDescription, secrets: Mapping[GlobalId, str], timeout_s: int) -> None:
    """Raises SqlError, as opening the sink would, where the table is there and would change what is written, or can't
    tell keys apart; Unreachable when the server does not answer. Blocks, for a bounded time."""
    # Clients take long to import, which no start should wait for.
    match sink.place:
        case PostgresTable(secrets=named):
            from connectors.postgres.driver import PostgresDriver
            from connectors.postgres.probe import reason_of

            _examine(PostgresDriver(sink.place), sink, _values(named, secrets), timeout_s, reason_of)
        case MysqlTable(secrets=named):
            from connectors.mysql.connections import reason_of as reason_of_mysql
            from connectors.mysql.driver import MysqlDriver

            _examine(MysqlDriver(sink.place), sink, _values(named, secrets), timeout_s, reason_of_mysql)
        case _:
            return


class _Examining(Protocol):
    """A driver that can look without changing anything."""

    @property
    def failures(self) -> Any: ...

    def examine(self, sink: SinkDescription, secrets: Mapping[str, str], timeout_s: int) -> None: ...

    def close(self) -> None: ...


def _values(named: tuple[tuple[str, GlobalId], ...], secrets: Mapping[GlobalId, str]) -> dict[str, str]:
    return {name: secrets[id_] for name, id_ in named}


def _examine(
    driver: _Examining, sink: SinkDescription, secrets: Mapping[str, str], timeout_s: int, told: Callable[[Any], str]
) -> None:
    with contextlib.closing(driver):
        try:
            driver.examine(sink, secrets, timeout_s)
        except driver.failures as failure:
            raise Unreachable(told(failure)) from None
