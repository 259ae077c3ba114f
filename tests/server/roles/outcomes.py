"""What a statement comes to for a role, on Headwater and on PostgreSQL: rows and tag, or the error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from tests.judge import Judge
from tests.server.memory_server import memory_server

Connection = psycopg.Connection[tuple[Any, ...]]


@contextmanager
def on_both(judge: Judge, setup: str, roles: Iterable[str]) -> Iterator[tuple[Connection, Connection]]:
    """Yields connections to a new Headwater and to PostgreSQL, in both of which `setup` was executed; the roles that it
    makes are dropped afterwards."""
    with memory_server() as server, server.connect() as ours, judge.connect() as theirs:
        for connection in (ours, theirs):
            # Statements that the client prepares by itself would be gone with those that roles prepare.
            connection.prepare_threshold = None
            for statement in filter(None, map(str.strip, setup.split(";\n"))):
                connection.execute(statement)
        try:
            yield ours, theirs
        finally:
            judge.empty()
            with judge.connect("postgres") as cleaning:
                cleaning.execute("; ".join(f"DROP ROLE IF EXISTS {role}" for role in roles))


def outcome(connection: Connection, role: str, *statements: str, seen: str | None = None) -> list[Any]:
    """Executes statements as a role in a transaction that is rolled back. Returns what each comes to, up to the first
    that fails; then, with `seen`, the rows of that query for the superuser."""
    found: list[Any] = []
    try:
        connection.execute("BEGIN")
        connection.execute(f"SET LOCAL SESSION AUTHORIZATION {role}")
        for statement in statements:
            found.append(_result(connection, statement))
        if seen is not None:
            connection.execute("SET LOCAL SESSION AUTHORIZATION DEFAULT")
            found.append(_result(connection, seen))
    except psycopg.Error as error:
        found.append((error.sqlstate, error.diag.message_primary, error.diag.message_detail))
    finally:
        connection.execute("ROLLBACK")
        connection.execute("DEALLOCATE ALL")
    return found


def _result(connection: Connection, statement: str) -> Any:
    cursor = connection.cursor()
    if statement.startswith("COPY") and "STDOUT" in statement:
        with cursor.copy(statement) as copying:
            return sorted(b"".join(bytes(piece) for piece in copying).splitlines())
    if statement.startswith("COPY"):
        command, _, data = statement.partition("\n")
        with cursor.copy(command) as copying:
            copying.write(data)
        return cursor.statusmessage
    cursor.execute(statement)
    return cursor.statusmessage, sorted(map(repr, cursor.fetchall())) if cursor.description else None
