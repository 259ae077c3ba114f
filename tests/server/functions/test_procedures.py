"""Procedures: kept, called by both protocols, by the caller's rights, all or nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import memory_server
from tests.server.roles.outcomes import Connection, on_both, outcome
from tests.server.world import World, fails, simulated

_ROLES = ("p_owner", "p_caller", "p_none")
_SETUP = """
CREATE ROLE p_owner;
CREATE ROLE p_caller;
CREATE ROLE p_none;
CREATE SCHEMA p;
GRANT ALL ON SCHEMA p TO PUBLIC;
SET ROLE p_owner;
CREATE TABLE p.t (a int);
GRANT INSERT ON p.t TO p_caller;
CREATE PROCEDURE p.add(n int) LANGUAGE sql AS 'INSERT INTO p.t VALUES (n)';
CREATE PROCEDURE p.clear() LANGUAGE sql AS 'DELETE FROM p.t';
CREATE PROCEDURE p.hidden() LANGUAGE sql AS 'SELECT 1';
CREATE PROCEDURE p.through() LANGUAGE sql AS 'CALL p.hidden(); SELECT 1';
REVOKE EXECUTE ON PROCEDURE p.hidden() FROM PUBLIC;
RESET ROLE;
"""
_STATEMENTS = (
    "CALL p.add(1)",
    "CALL p.clear()",
    "CALL p.hidden()",
    "CALL p.through()",
    "ALTER PROCEDURE p.add(int) OWNER TO p_none",
    "CREATE OR REPLACE PROCEDURE p.hidden() LANGUAGE sql AS 'SELECT 2'",
    "GRANT EXECUTE ON ROUTINE p.hidden() TO p_none",
    "SELECT has_function_privilege('p.hidden()', 'EXECUTE')",
)


@pytest.fixture(scope="module")
def both(judge: Judge) -> Iterator[tuple[Connection, Connection]]:
    with on_both(judge, _SETUP, _ROLES) as connections:
        yield connections


@pytest.mark.parametrize("sql", _STATEMENTS)
@pytest.mark.parametrize("role", _ROLES)
def test_a_procedure_asks_for_the_rights_that_postgres_asks_for(
    role: str, sql: str, both: tuple[Connection, Connection]
) -> None:
    ours, theirs = (outcome(connection, role, sql) for connection in both)
    assert ours == theirs


@simulated
async def test_procedures_survive_a_restart_and_do_all_or_nothing(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY)")
    await client.query(
        "CREATE PROCEDURE put(n int, m int) LANGUAGE sql AS $$INSERT INTO k VALUES (n); INSERT INTO k VALUES (m)$$"
    )
    await client.query("CREATE PROCEDURE atomic(n int) BEGIN ATOMIC INSERT INTO k VALUES (n); END")
    await client.query("CREATE PROCEDURE counted(OUT n bigint) LANGUAGE sql AS 'SELECT count(*) FROM k'")
    await world.restart()
    client = world.client()
    await client.query("CALL put(1, 2)")
    assert await fails(client, "CALL put(3, 3)") == "23505"
    await client.query("CALL atomic(5)")
    assert await client.query("SELECT a FROM k ORDER BY a") == [(1,), (2,), (5,)]
    assert await client.query("CALL counted(NULL)") == [(3,)]
    await client.query("BEGIN")
    await client.query("CALL put(6, 7)")
    assert await client.query("CALL counted(NULL)") == [(5,)]
    await client.query("ROLLBACK")
    assert await client.query("CALL counted(NULL)") == [(3,)]


@simulated
async def test_begin_atomic_holds_what_it_names(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int, b int)")
    await client.query("CREATE PROCEDURE held() BEGIN ATOMIC INSERT INTO k (a) VALUES (1); END")
    await client.query("CREATE PROCEDURE late() LANGUAGE sql AS 'INSERT INTO k (a) VALUES (2)'")
    assert await fails(client, "DROP TABLE k") == "2BP01"
    assert await fails(client, "ALTER TABLE k RENAME TO l") == "0A000"
    assert await fails(client, "ALTER TABLE k RENAME a TO c") == "0A000"
    assert await fails(client, "ALTER TABLE k DROP COLUMN a") == "2BP01"
    await client.query("ALTER TABLE k ADD COLUMN c int DEFAULT 7")
    await client.query("CALL held()")
    await client.query("CALL late()")
    assert await client.query("SELECT * FROM k ORDER BY a") == [(1, None, 7), (2, None, 7)]
    await client.query("DROP PROCEDURE held")
    await client.query("ALTER TABLE k RENAME TO l")
    assert await fails(client, "CALL late()") == "42P01"


def test_the_extended_protocol_describes_and_answers_calls(judge: Judge) -> None:
    setup = "CREATE PROCEDURE sum_of(a int, b int, OUT c int) LANGUAGE sql AS 'SELECT a + b'"

    def asked(connection: psycopg.Connection[tuple[object, ...]]) -> list[object]:
        connection.execute(setup)
        found: list[object] = []
        for prepare in (False, True, True):
            cursor = connection.execute("CALL sum_of(%s, %s, NULL)", (3, 4), prepare=prepare, binary=True)
            found.append((cursor.fetchall(), [(each.name, each.type_code) for each in cursor.description or ()]))
            found.append(cursor.statusmessage)
        with connection.transaction():
            cursor = connection.execute("CALL sum_of(%s, %s, NULL)", (5, 6))
            found.append(cursor.fetchone())
        connection.execute("DROP PROCEDURE sum_of")
        return found

    with memory_server() as running, running.connect() as ours, judge.connect() as theirs:
        assert asked(ours) == asked(theirs)


@simulated
async def test_functions_of_statements_run_once_and_for_all(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY)")
    await client.query(
        "CREATE FUNCTION put(n int) RETURNS int LANGUAGE sql AS 'INSERT INTO k VALUES (n) RETURNING a * 2'"
    )
    await client.query(
        "CREATE FUNCTION two(n int) RETURNS SETOF int LANGUAGE sql AS 'SELECT put(n); SELECT put(n+1); SELECT a FROM k'"
    )
    await client.query("CREATE VIEW seen AS SELECT count(*) AS n FROM k")
    await world.restart()
    client = world.client()
    assert await client.query("SELECT put(1)") == [(2,)]
    assert sorted(await client.query("SELECT * FROM two(2)")) == [(1,), (2,), (3,)]
    assert await fails(client, "SELECT * FROM two(3)") == "23505"
    assert await client.query("SELECT n FROM seen") == [(3,)]
    for sql in (
        "CREATE VIEW v AS SELECT put(4)",
        "CREATE MATERIALIZED VIEW v AS SELECT * FROM two(4)",
        "SELECT put(a) FROM k",
    ):
        assert await fails(client, sql) == "0A000"
    await client.query("CREATE FUNCTION plain() RETURNS int LANGUAGE sql AS 'SELECT 1'")
    await client.query("CREATE VIEW named AS SELECT plain()")
    assert (
        await fails(client, "CREATE OR REPLACE FUNCTION plain() RETURNS int LANGUAGE sql AS 'SELECT put(4); SELECT 1'")
        == "0A000"
    )
    await client.query("BEGIN READ ONLY")
    assert await fails(client, "SELECT put(4)") == "25006"
    await client.query("ROLLBACK")
    assert await client.query("SELECT n FROM seen") == [(3,)]


@simulated
async def test_routines_that_lose_to_another_commit_begin_again(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE n (a int)")
    await client.query("INSERT INTO n VALUES (0)")
    await client.query("CREATE PROCEDURE more() LANGUAGE sql AS 'SELECT a FROM n; UPDATE n SET a = a + 1'")
    await client.query(
        "CREATE FUNCTION yet_more() RETURNS int LANGUAGE sql AS 'SELECT a FROM n; UPDATE n SET a = a + 1 RETURNING a'"
    )
    clients = [world.client() for _ in range(4)]

    async def work(number: int) -> None:
        for _ in range(3):
            await clients[number].query("CALL more()" if number % 2 else "SELECT yet_more()")

    await asyncio.gather(*(work(number) for number in range(4)))
    assert await client.query("SELECT a FROM n") == [(12,)]


@simulated
async def test_what_a_run_that_lost_has_told_nobody_hears(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE n (a int)")
    await client.query("INSERT INTO n VALUES (0)")
    await client.query(
        "CREATE PROCEDURE more() LANGUAGE sql AS "
        "'SELECT pg_advisory_unlock(99); SELECT a FROM n; UPDATE n SET a = a + 1'"
    )
    clients, told = [world.client() for _ in range(4)], list[Any]()
    for each in clients:
        each.session.client.notify = told.append  # type: ignore[method-assign, assignment]

    async def work(number: int) -> None:
        for _ in range(3):
            await clients[number].query("CALL more()")

    await asyncio.gather(*(work(number) for number in range(4)))
    assert await client.query("SELECT a FROM n") == [(12,)]
    assert [notice.message for notice in told] == ["you don't own a lock of type ExclusiveLock"] * 12
    await client.query(
        "CREATE PROCEDURE fail() LANGUAGE sql AS 'SELECT pg_advisory_unlock(99); SELECT 1 / (a - a) FROM n'"
    )
    del told[:]
    assert await fails(clients[0], "CALL fail()") == "22012"
    assert len(told) == 1
