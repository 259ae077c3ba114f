"""The row that a CHECK refuses is shown as PostgreSQL shows it: each value up to 64 bytes."""

from __future__ import annotations

from typing import Any

import psycopg

from tests.judge import Judge
from tests.server.memory_server import memory_server

_TABLE = "CREATE TABLE refusing (a text CHECK (a = ''), b bytea, n numeric)"
_ROWS = (
    "(repeat('x', 64), '\\x00', 1)",
    "(repeat('x', 65), decode(repeat('00', 31), 'hex'), 1.50)",
    "(repeat('é', 32), decode(repeat('00', 32), 'hex'), NULL)",
    "('x' || repeat('é', 32), NULL, repeat('1', 65)::numeric)",
    "(repeat('€', 22), NULL, 1)",
)


def _details(connection: psycopg.Connection[Any]) -> list[str | None]:
    connection.autocommit = True
    connection.execute(_TABLE)
    details = []
    for row in _ROWS:
        try:
            connection.execute(f"INSERT INTO refusing VALUES {row}".encode())
        except psycopg.errors.CheckViolation as error:
            details.append(error.diag.message_detail)
    return details


def test_long_values_are_cut_between_letters(judge: Judge) -> None:
    with memory_server() as server, server.connect() as ours, judge.connect() as theirs:
        found = _details(ours)
        assert found == _details(theirs) and len(found) == len(_ROWS)
