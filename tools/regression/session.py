"""A connection of libpq, and all that a statement gives, as text."""

from __future__ import annotations

from dataclasses import dataclass, field

import psycopg
from psycopg import pq
from psycopg.generators import copy_end, copy_from, copy_to, execute, fetch_many
from psycopg.waiting import wait

from tools.regression.scripts import Statement

_SETTINGS = (
    "SET DateStyle = 'Postgres, MDY'",
    "SET IntervalStyle = 'postgres_verbose'",
    "SET TimeZone = 'PST8PDT'",
    "SET extra_float_digits = 1",
)
"""As the scripts' own runner has them."""

Text = str | None


@dataclass(frozen=True, slots=True)
class Result:
    """Of one statement: rows with their columns' names and types, a tag, what COPY gives, or an error."""

    kind: str
    sqlstate: str = ""
    text: str = ""
    """The tag, or the error's message."""
    names: tuple[str, ...] = ()
    types: tuple[int, ...] = ()
    rows: list[tuple[Text, ...]] = field(default_factory=list)


class Session:
    """`limit_s` is how long a statement may take. It waits as psycopg does: a server may run in this process."""

    def __init__(self, dsn: str, limit_s: int) -> None:
        self._dsn = dsn
        self._limit_s = limit_s
        self._connection = self._opened()

    def close(self) -> None:
        self._connection.close()

    def results(self, statement: Statement) -> list[Result]:
        """A connection that was lost is an error without a SQLSTATE, and the next statement has another one."""
        if self._connection.closed:
            self._connection = self._opened()
        wire, found = self._connection.pgconn, list[Result]()
        wire.send_query(statement.sql.encode())
        try:
            results = wait(execute(wire), wire.socket)
            while results:
                for result in results:
                    match result.status:
                        case pq.ExecStatus.COPY_IN:
                            wait(copy_to(wire, statement.data.encode()), wire.socket)
                            found.append(self._result(wait(copy_end(wire, None), wire.socket)))
                        case pq.ExecStatus.COPY_OUT:
                            found += self._copied()
                        case _:
                            found.append(self._result(result))
                results = wait(fetch_many(wire), wire.socket)
        except psycopg.Error as error:
            # What COPY fails with, or a connection that was lost.
            found.append(Result("error", error.sqlstate or "lost", str(error)))
            if wire.status != pq.ConnStatus.OK:
                self._connection.close()
        return found

    def _opened(self) -> psycopg.Connection[tuple[object, ...]]:
        connection = psycopg.connect(self._dsn, autocommit=True)
        for setting in (f"SET statement_timeout = '{self._limit_s}s'", *_SETTINGS):
            connection.execute(setting.encode())
        return connection

    def _copied(self) -> list[Result]:
        lines: list[tuple[Text, ...]] = []
        wire = self._connection.pgconn
        while isinstance(line := wait(copy_from(wire), wire.socket), memoryview):
            lines.append((bytes(line).decode(),))
        return [Result("copy", rows=lines), self._result(line)]

    def _result(self, result: pq.abc.PGresult) -> Result:
        match pq.ExecStatus(result.status):
            case pq.ExecStatus.TUPLES_OK:
                columns = range(result.nfields)
                names = tuple((result.fname(column) or b"").decode() for column in columns)
                rows = [tuple(_text(result.get_value(row, c)) for c in columns) for row in range(result.ntuples)]
                return Result("rows", names=names, types=tuple(map(result.ftype, columns)), rows=rows)
            case pq.ExecStatus.FATAL_ERROR:
                state = result.error_field(pq.DiagnosticField.SQLSTATE)
                message = result.error_field(pq.DiagnosticField.MESSAGE_PRIMARY)
                return Result("error", _text(state) or "lost", _text(message) or "")
            case _:
                return Result("tag", text=_text(result.command_status) or "")


def _text(value: bytes | None) -> Text:
    return None if value is None else value.decode(errors="replace")
