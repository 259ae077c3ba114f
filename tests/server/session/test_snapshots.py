"""Transactions read at the time of another, which has exported its snapshot; PostgreSQL says what they see."""

from __future__ import annotations

from collections.abc import Callable

import psycopg

from tests.judge import Judge
from tests.server.memory_server import memory_server

Connect = Callable[[], psycopg.Connection]


def _told(connection: psycopg.Connection, sql: str) -> object:
    """Returns the rows of a statement, its tag, or its error."""
    try:
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else cursor.statusmessage
    except psycopg.Error as error:
        return error.sqlstate, error.diag.message_primary


def _exported(connection: psycopg.Connection) -> str:
    row = connection.execute("SELECT pg_export_snapshot()").fetchone()
    assert row is not None
    return str(row[0])


def _of_two_sessions(connect: Connect) -> list[object]:
    """Returns the answers of two sessions, one of which exports snapshots; words of identifiers are left out."""
    with connect() as a, connect() as b:
        a.autocommit = b.autocommit = True
        told: list[object] = [_told(a, "CREATE TABLE shared (n int)"), _told(a, "INSERT INTO shared VALUES (1)")]
        a.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        first, second = _exported(a), _exported(a)
        told += [first != second, _told(b, "INSERT INTO shared VALUES (2)"), _told(a, "INSERT INTO shared VALUES (7)")]
        for isolation in ("REPEATABLE READ", "REPEATABLE READ READ ONLY", "SERIALIZABLE"):
            b.execute(f"BEGIN ISOLATION LEVEL {isolation}".encode())
            told.append(_told(b, f"SET TRANSACTION SNAPSHOT '{first}'"))
            told += [_told(b, "SELECT * FROM shared"), _told(b, f"SET TRANSACTION SNAPSHOT '{second}'")]
            b.execute("ROLLBACK")
        told += [_told(a, "SAVEPOINT s"), _told(a, "SELECT pg_export_snapshot()"), _told(a, "ROLLBACK")]
        b.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        told.append(
            _told(b, f"SET TRANSACTION SNAPSHOT '{first}'") == ("22023", f'invalid snapshot identifier: "{first}"')
        )
        b.execute("ROLLBACK")
        a.execute("BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY")
        third = _exported(a)
        for isolation in ("READ COMMITTED", "SERIALIZABLE", "SERIALIZABLE READ ONLY", "REPEATABLE READ"):
            b.execute(f"BEGIN ISOLATION LEVEL {isolation}".encode())
            told.append(_told(b, f"SET TRANSACTION SNAPSHOT '{third}'"))
            b.execute("ROLLBACK")
        for wrong in ("x", "00000003-0000001B-1"):
            b.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            told.append(_told(b, f"SET TRANSACTION SNAPSHOT '{wrong}'"))
            b.execute("ROLLBACK")
        told += [_told(a, "ROLLBACK"), _told(a, "DROP TABLE shared")]
        return told


def test_a_snapshot_is_shared_as_in_postgres(judge: Judge) -> None:
    with memory_server() as server:
        assert _of_two_sessions(server.connect) == _of_two_sessions(judge.connect)
