"""Temporary relations are their session's: others don't see them, nothing of them outlives it, nor a crash."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import time
from collections.abc import Iterator

import psycopg
import pytest

from catalog.durable.rows import diff
from model.errors.sql_error import SqlError
from planner.temporary_schema import is_temporary
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.world import World, fails, simulated, value
from tests.simulation.incarnation import SimClient

_FOUND_S = 10


def temporary_schemas(world: World) -> list[str]:
    schemas = world.life.environment.catalog.state.schemas.values()
    return [schema.name for schema in schemas if is_temporary(schema.name)]


async def schema_of(client: SimClient) -> str:
    found = await value(client, "SELECT pg_my_temp_schema()::regnamespace::text")
    assert isinstance(found, str)
    return found


# Whose they are


@simulated
async def test_sessions_have_tables_of_one_name_each_for_itself(world: World) -> None:
    one, other, third = world.client(), world.client(), world.client()
    await third.query("CREATE TABLE x (a int); INSERT INTO x VALUES (0)")
    for number, client in enumerate((one, other), 1):
        await client.query("CREATE TEMP TABLE x (a int)")
        await client.query(f"INSERT INTO x VALUES ({number})")
    assert [await value(client, "SELECT a FROM x") for client in (one, other, third)] == [1, 2, 0]
    assert [await value(client, "SELECT a FROM public.x") for client in (one, other, third)] == [0, 0, 0]
    assert await fails(third, "SELECT * FROM pg_temp.x") == "42P01"


@simulated
async def test_no_session_reads_or_writes_anothers_tables_by_their_full_names(world: World) -> None:
    owner, other = world.client(), world.client()
    await owner.query("CREATE TEMP TABLE x (a int)")
    schema = await schema_of(owner)
    assert await fails(other, f"SELECT * FROM {schema}.x") == "0A000"
    assert await fails(other, f"INSERT INTO {schema}.x VALUES (1)") == "0A000"
    assert await fails(other, f"CREATE TABLE {schema}.y (a int)") == "42P16"
    assert await fails(other, f"CREATE TEMP TABLE {schema}.y (a int)") == "42P16"
    await other.query(f"SET search_path = {schema}, public")
    assert await fails(other, "SELECT * FROM x") == "42P01"
    assert await value(other, f"SELECT pg_is_other_temp_schema('{schema}'::regnamespace)") is True
    assert await value(owner, f"SELECT pg_is_other_temp_schema('{schema}'::regnamespace)") is False
    assert await value(other, "SELECT count(*) FROM information_schema.tables WHERE table_name = 'x'") == 0
    await owner.query(f"CREATE TABLE {schema}.y (a int)")
    assert await value(owner, "SELECT count(*) FROM pg_temp.y") == 0


@simulated
async def test_a_temporary_table_that_comes_or_goes_changes_what_a_prepared_query_means(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'permanent')")
    assert await value(client, "SELECT b FROM t") == "permanent"
    await client.query("CREATE TEMP TABLE t (b text); INSERT INTO t VALUES ('temporary')")
    assert await value(client, "SELECT b FROM t") == "temporary"
    await client.query("DROP TABLE t")
    assert await value(client, "SELECT b FROM t") == "permanent"


@simulated
async def test_what_is_said_of_anothers_temporary_tables_is_so_now(world: World) -> None:
    owner, other = world.client(), world.client()
    await owner.query("CREATE TEMP TABLE x (a int)")
    schema = await value(owner, "SELECT pg_my_temp_schema()::regnamespace::text")
    oid = f"SELECT '{schema}.x'::regclass::oid"
    first = await value(other, oid)
    assert await value(other, oid) == first
    await owner.query("DROP TABLE x")
    assert await fails(other, oid) == "42P01"
    await owner.query("CREATE TEMP TABLE x (a int)")
    assert await value(other, oid) != first
    assert await value(other, f"SELECT '{schema}'::regnamespace::oid") is not None


@simulated
async def test_plans_of_other_sessions_stay(world: World) -> None:
    client, other = world.client(), world.client()
    before = world.life.environment.catalog.state
    await client.query("CREATE TEMP TABLE x (a int); CREATE INDEX ON x (a); CREATE TEMP VIEW v AS SELECT a FROM x")
    await client.query("ALTER TABLE x RENAME TO y; ALTER TABLE y RENAME COLUMN a TO b; DROP TABLE y CASCADE")
    await client.session.close()
    after = world.life.environment.catalog.state
    assert before.version < after.version and before.shared_version == after.shared_version
    await other.query("CREATE TABLE x (a int)")
    assert world.life.environment.catalog.state.shared_version > after.version


def test_plans_of_views_that_are_gone_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.planning.definitions._GONE_MAX", 5)

    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE VIEW v AS SELECT 5 AS a")
        for number in range(20):
            await client.query(f"CREATE TEMP VIEW w AS SELECT a + {number} AS b FROM v")
            assert await value(client, "SELECT b FROM w") == 5 + number
            await client.query("DROP VIEW w")
        assert len(world.life.environment.planning._definitions) <= 10

    law()


@simulated
async def test_refusals_are_in_postgresqls_words(world: World) -> None:
    owner, other = world.client(), world.client()
    await owner.query("CREATE TEMP TABLE x (a int)")
    schema = await schema_of(owner)
    said = {
        f"SELECT * FROM {schema}.x": "cannot access temporary tables of other sessions",
        f"CREATE TABLE {schema}.y (a int)": "cannot create relations in temporary schemas of other sessions",
    }
    for sql, message in said.items():
        with pytest.raises(SqlError, match=message):
            await other.query(sql)
    with pytest.raises(SqlError, match="materialized views must not use temporary tables or views"):
        await owner.query("CREATE MATERIALIZED VIEW m AS SELECT a FROM x")


# Writes that nobody else can see conflict with nobody


@simulated
async def test_a_transaction_that_keeps_what_it_read_in_temporary_tables_does_not_conflict(world: World) -> None:
    client, writer = world.client(), world.client()
    await client.query("CREATE TEMP TABLE x (a int)")
    await client.query("BEGIN")
    await client.query("INSERT INTO x SELECT a FROM t")
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("INSERT INTO x SELECT a FROM t")
    await client.query("COMMIT")
    assert await value(client, "SELECT count(*) FROM x") == 0
    await client.query("INSERT INTO x SELECT a FROM t")
    assert await value(client, "SELECT a FROM x") == 1


@simulated
async def test_a_transaction_that_creates_one_does_conflict_for_all_can_see_it_in_the_catalog(world: World) -> None:
    one, other = world.client(), world.client()
    for client in (one, other):
        await client.query("BEGIN")
        assert await value(client, "SELECT count(*) FROM pg_class WHERE relname = 'first'") == 0
        await client.query("CREATE TEMP TABLE first (a int)")
    await one.query("COMMIT")
    assert await fails(other, "COMMIT") == "40001"


@simulated
async def test_a_temporary_schema_keeps_its_name(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("CREATE TEMP TABLE x (a int)")
    assert await fails(other, f"ALTER SCHEMA {await schema_of(client)} RENAME TO kept") == "0A000"
    await client.session.close()
    assert temporary_schemas(world) == []


@simulated
async def test_a_transaction_that_writes_another_table_too_does_conflict(world: World) -> None:
    client, writer = world.client(), world.client()
    await client.query("CREATE TEMP TABLE x (a int)")
    await client.query("BEGIN")
    await client.query("INSERT INTO x SELECT a FROM t; INSERT INTO u VALUES (1, 'x')")
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    assert await fails(client, "COMMIT") == "40001"
    assert await value(client, "SELECT count(*) FROM x") == 0


@simulated
async def test_what_a_transaction_wrote_to_a_table_that_it_drops_is_forgotten(world: World) -> None:
    client = world.client()
    await client.query("BEGIN; INSERT INTO t VALUES (1, 'x'); DROP TABLE t; INSERT INTO u VALUES (1, 'x'); COMMIT")
    assert await value(client, "SELECT count(*) FROM u") == 1


# Their end


@simulated
async def test_they_end_with_their_session_and_no_others_do(world: World) -> None:
    one, other = world.client(), world.client()
    for client in (one, other):
        await client.query("CREATE TEMP TABLE x (a int); CREATE VIEW v AS SELECT a FROM x; CREATE INDEX ON x (a)")
    assert len(temporary_schemas(world)) == 2
    await one.query("BEGIN; INSERT INTO x VALUES (1)")
    await one.session.close()
    assert temporary_schemas(world) == [await schema_of(other)]
    assert await value(other, "SELECT count(*) FROM v") == 0
    await other.session.close()
    state = world.life.environment.catalog.state
    assert [item.name for item in state.items.values()] == ["t", "u"]


@simulated
async def test_a_session_without_them_comes_and_goes_without_a_catalog_write(world: World) -> None:
    before = world.life.environment.catalog.state
    client = world.client()
    await client.query("SELECT * FROM t; DISCARD TEMP; BEGIN; CREATE TEMP TABLE x (a int); ROLLBACK")
    await client.session.close()
    assert diff(before, world.life.environment.catalog.state) == []


@simulated
async def test_what_a_crash_leaves_is_gone_after_the_start(world: World) -> None:
    client = world.client()
    await client.query("CREATE TEMP TABLE x (a int) ON COMMIT DELETE ROWS; CREATE TEMP TABLE y (a int)")
    await client.query("CREATE INDEX ON y (a); CREATE VIEW v AS SELECT a FROM y; INSERT INTO y VALUES (1)")
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await world.restart()
    assert temporary_schemas(world) == []
    later = world.client()
    assert [item.name for item in world.life.environment.catalog.state.items.values()] == ["t", "u"]
    assert await value(later, "SELECT a FROM t") == 1
    assert await fails(later, "SELECT * FROM y") == "42P01"
    await later.query("CREATE TEMP TABLE y (b int); INSERT INTO y VALUES (2)")
    assert await value(later, "SELECT b FROM y") == 2


@simulated
async def test_a_start_without_leftovers_writes_nothing_to_the_catalog(world: World) -> None:
    before = world.life.environment.catalog.state
    await world.restart()
    assert diff(before, world.life.environment.catalog.state) == []


@pytest.fixture(name="server", scope="module")
def fixture_server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


def left(server: MemoryServer) -> list[str]:
    """The temporary schemas that there still are, after some time to drop them."""
    found: list[str] = []
    deadline = time.monotonic() + _FOUND_S
    while time.monotonic() < deadline:
        state = server.environment.catalog.state
        found = [schema.name for schema in state.schemas.values() if is_temporary(schema.name)]
        if not found:
            break
        time.sleep(0.02)
    return found


def test_a_client_that_says_goodbye_leaves_nothing(server: MemoryServer) -> None:
    with server.connect() as connection:
        connection.execute("CREATE TEMP TABLE x (a int)")
        connection.execute("INSERT INTO x VALUES (1)")
    assert left(server) == []


def test_a_client_whose_connection_breaks_leaves_nothing(server: MemoryServer) -> None:
    connection = server.connect()
    connection.execute("CREATE TEMP TABLE x (a int)")
    connection.execute("BEGIN")
    connection.execute("INSERT INTO x VALUES (1)")
    with contextlib.closing(socket.socket(fileno=os.dup(connection.fileno()))) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.shutdown(socket.SHUT_RDWR)
    assert left(server) == []
    with contextlib.suppress(psycopg.Error):
        connection.close()


def test_one_that_commit_drops_has_its_name_until_then(server: MemoryServer) -> None:
    """Rows that are all there at once are told before the commit, too, where other statements came before."""
    with server.connect() as connection:
        cursor = connection.execute("CREATE TEMP TABLE x (a int) ON COMMIT DROP; SELECT 'x'::regclass")
        assert cursor.nextset()
        assert cursor.pgresult is not None
        assert cursor.pgresult.get_value(0, 0) == b"x"


def test_copy_goes_in_and_out(server: MemoryServer) -> None:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE x (a int, b text)")
        cursor.execute("BEGIN READ ONLY")
        with cursor.copy("COPY x FROM STDIN") as copy:
            copy.write("1\tone\n2\ttwo\n")
        cursor.execute("COMMIT")
        with cursor.copy("COPY pg_temp.x TO STDOUT") as copy:
            assert b"".join(bytes(piece) for piece in copy) == b"1\tone\n2\ttwo\n"


def test_a_server_that_stops_takes_them_along() -> None:
    with memory_server() as server:
        connection = server.connect()
        connection.execute("CREATE TEMP TABLE x (a int)")
        environment = server.environment
    assert [schema.name for schema in environment.catalog.state.schemas.values()] == ["public"]
    connection.close()
