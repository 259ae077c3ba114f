"""COPY of tables in which other columns are stored than there are: dropped ones, those of decimals, and later ones."""

from __future__ import annotations

import psycopg

from tests.judge import Judge
from tests.server.memory_server import memory_server

_ALTERED = (
    "CREATE TABLE altered (a int, n numeric, gone text, m numeric)",
    "INSERT INTO altered VALUES (1, 1.50, 'nobody reads it', 2.0)",
    "ALTER TABLE altered DROP COLUMN gone",
    "ALTER TABLE altered ADD COLUMN c text DEFAULT 'later'",
    "ALTER TABLE altered ADD COLUMN k numeric DEFAULT 3.00",
)
_COPIES = ("altered", "altered (m, a)", "(SELECT * FROM altered)")


def _copied(connection: psycopg.Connection[tuple[object, ...]]) -> list[bytes]:
    found = []
    for statement in _ALTERED:
        connection.execute(statement.encode())
        for what in _COPIES:
            with connection.cursor().copy(f"COPY {what} TO STDOUT".encode()) as copy:
                found.append(b"".join(map(bytes, copy)))
    return found


def test_copy_writes_the_columns_that_there_are(judge: Judge) -> None:
    with memory_server() as server, server.connect() as ours, judge.connect() as theirs:
        try:
            assert _copied(ours) == _copied(theirs)
        finally:
            theirs.execute("DROP TABLE IF EXISTS altered")
