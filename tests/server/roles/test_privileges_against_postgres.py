"""Every role tries every statement on Headwater and on PostgreSQL: both allow it, or both refuse it by one SQLSTATE."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import memory_server
from tests.server.roles.cells import CLEANUP, ROLES, SETUP, cells

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def both(judge: Judge) -> Iterator[tuple[Connection, Connection]]:
    """Ours and theirs, with the same roles and objects."""
    with memory_server() as server, server.connect() as ours, judge.connect() as theirs:
        for connection in (ours, theirs):
            # Statements that the client prepares by itself would be gone with those that roles prepare.
            connection.prepare_threshold = None
            for statement in filter(None, map(str.strip, SETUP.split(";\n"))):
                connection.execute(statement)
        try:
            yield ours, theirs
        finally:
            judge.empty()
            theirs = judge.connect("postgres")
            theirs.execute(CLEANUP)
            theirs.close()


def _outcome(connection: Connection, role: str, statement: str) -> str:
    """The SQLSTATE with which a role's attempt ends; nothing of it stays."""
    try:
        connection.execute("BEGIN")
        connection.execute(f"SET LOCAL SESSION AUTHORIZATION {role}")
        if statement.startswith("COPY"):
            with connection.cursor().copy(statement) as copy:
                for _ in copy:
                    pass
        else:
            connection.execute(statement)
        return "00000"
    except psycopg.Error as error:
        return error.sqlstate or type(error).__name__
    finally:
        connection.execute("ROLLBACK")
        connection.execute("DEALLOCATE ALL")


@pytest.mark.time_by("--privilege-cells", 0.05)
def test_each_role_may_do_what_postgres_lets_it_do(
    both: tuple[Connection, Connection], request: pytest.FixtureRequest
) -> None:
    ours, theirs = both
    drawn = cells()
    count = int(request.config.getoption("--privilege-cells"))
    if count < len(drawn):
        drawn = random.Random(0).sample(drawn, count)
    differing = []
    for role, statement in drawn:
        found, wanted = _outcome(ours, role, statement), _outcome(theirs, role, statement)
        if found != wanted:
            differing.append(f"{role}: {statement}: {found}, and PostgreSQL says {wanted}")
    assert not differing, "\n".join([f"{len(differing)} of {len(drawn)}", *differing])


def test_there_are_cells_enough() -> None:
    assert len(set(cells())) == len(cells()) >= 3000
    assert len(ROLES) == len(set(ROLES))
