"""A bulk load and what follows it in one transaction: its rows are read from parts that wait for COMMIT."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.server_process import ServerProcess

pytestmark = [pytest.mark.spark, pytest.mark.timeout(300)]

Connection = psycopg.Connection[tuple[Any, ...]]
_ROWS = 200_000
_WIDE = "x" * 200
"""Together more than the 32 MiB that stay in memory."""


@pytest.fixture
def connection(headwater_server: ServerProcess) -> Iterator[Connection]:
    with headwater_server.connect() as connection:
        yield connection
        connection.execute("DROP TABLE IF EXISTS loads")


@pytest.mark.parametrize("created", ["before", "within"])
def test_loaded_rows_are_read_changed_and_kept_apart_by_key(connection: Connection, created: str) -> None:
    create = "CREATE TABLE loads (k int PRIMARY KEY, x text)"
    if created == "before":
        connection.execute(f"{create}; INSERT INTO loads VALUES (-1, 'old')".encode())
        connection.execute("BEGIN")
    else:
        connection.execute("BEGIN")
        connection.execute(f"{create}; INSERT INTO loads VALUES (-1, 'old')".encode())
    with connection.cursor().copy("COPY loads FROM STDIN") as copy:
        for start in range(0, _ROWS, 1000):
            copy.write("".join(f"{k}\t{_WIDE}\n" for k in range(start, start + 1000)))
    totals = "SELECT count(*), sum(k), max(length(x)) FROM loads"
    assert connection.execute(totals).fetchone() == (_ROWS + 1, _ROWS * (_ROWS - 1) // 2 - 1, 200)
    connection.execute("SAVEPOINT s")
    with pytest.raises(psycopg.errors.UniqueViolation):
        connection.execute("INSERT INTO loads VALUES (7, 'again')")
    connection.execute("ROLLBACK TO s")
    connection.execute("INSERT INTO loads VALUES (7, 'new') ON CONFLICT (k) DO UPDATE SET x = excluded.x")
    assert connection.execute("DELETE FROM loads WHERE k > 10").rowcount == _ROWS - 11
    rows = [(k, {-1: "old", 7: "new"}.get(k, _WIDE)) for k in range(-1, 11)]
    assert connection.execute("SELECT * FROM loads ORDER BY k").fetchall() == rows
    connection.execute("COMMIT")
    assert connection.execute("SELECT * FROM loads ORDER BY k").fetchall() == rows
