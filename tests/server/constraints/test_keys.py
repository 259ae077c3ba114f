"""Keys and checks through conflicts, restarts and DDL: no history of the server leaves two rows of one key."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from model.errors.sql_error import SqlError
from server.pgwire.backend import CopyIn
from tests.server.locking.sessions import error_of, waiting
from tests.server.world import World, fails, simulated, value
from tests.simulation.incarnation import SimClient


async def outcome(client: SimClient, sql: str) -> str:
    """The SQLSTATE that `sql` ends with."""
    try:
        await client.query(sql)
    except SqlError as error:
        return error.sqlstate.value
    return "00000"


async def copied(client: SimClient, table: str, rows: list[tuple[object, ...]]) -> str:
    """The SQLSTATE that COPY of the rows ends with."""
    try:
        async for result in client.session.simple_query(f"COPY {table} FROM STDIN"):
            assert isinstance(result, CopyIn)
            await result.receiver.feed(rows)
            await result.receiver.finish()
    except SqlError as error:
        await client.session.fail(error)
        return error.sqlstate.value
    return "00000"


# Several sessions


@simulated
async def test_of_sessions_that_insert_one_key_exactly_one_wins(world: World) -> None:
    await world.client().query("CREATE TABLE k (a int PRIMARY KEY, b int)")
    clients = [world.client() for _ in range(10)]
    found = await asyncio.gather(
        *(outcome(client, f"INSERT INTO k VALUES ({number % 2}, {number})") for number, client in enumerate(clients))
    )
    assert Counter(found) == {"00000": 2, "23505": 8}
    assert await value(world.client(), "SELECT count(*) FROM k") == 2


@simulated
async def test_every_one_of_many_upserts_counts(world: World) -> None:
    await world.client().query("CREATE TABLE k (a int PRIMARY KEY, n int)")
    sql = "INSERT INTO k VALUES (1, 1) ON CONFLICT (a) DO UPDATE SET n = k.n + excluded.n"
    await asyncio.gather(*(world.client().query(sql) for _ in range(20)))
    assert await world.client().query("SELECT * FROM k") == [(1, 20)]


@simulated
async def test_of_transactions_that_insert_one_key_the_second_fails_at_commit(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("CREATE TABLE k (a int PRIMARY KEY)")
    for client in (one, other):
        await client.query("BEGIN; INSERT INTO k VALUES (1)")
    await other.query("COMMIT")
    assert await fails(one, "COMMIT") == "40001"
    assert await fails(one, "INSERT INTO k VALUES (1)") == "23505"


@simulated
async def test_a_statement_and_a_transaction_never_both_insert_a_key(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("CREATE TABLE k (a int PRIMARY KEY)")
    await one.query("BEGIN; INSERT INTO k VALUES (1)")
    await other.query("INSERT INTO k VALUES (1)")
    assert await fails(one, "COMMIT") == "40001"
    assert await value(other, "SELECT count(*) FROM k") == 1


@simulated
async def test_a_transaction_that_writes_a_temporary_key_meets_nobody(world: World) -> None:
    one, other = world.client(), world.client()
    for client in (one, other):
        await client.query("CREATE TEMP TABLE k (a int PRIMARY KEY)")
    for client in (one, other):
        await client.query("BEGIN; INSERT INTO k VALUES (1)")
    await one.query("COMMIT")
    await other.query("COMMIT")
    assert await fails(one, "INSERT INTO k VALUES (1)") == "23505"


# Constraints that come later


@pytest.mark.parametrize(
    ("change", "error"), [("ADD PRIMARY KEY (a)", "23505"), ("ADD CHECK (a < 1)", "23514"), ("ADD UNIQUE (b)", "23505")]
)
def test_a_constraint_waits_for_rows_that_are_not_committed_yet(change: str, error: str) -> None:
    @simulated
    async def law(world: World) -> None:
        one, other = world.client(), world.client()
        await one.query("BEGIN; INSERT INTO t VALUES (1, 'x'), (1, 'x')")
        added = await waiting(world, other, f"ALTER TABLE t {change}")
        await one.query("COMMIT")
        assert await error_of(added) == error

    law()


@simulated
async def test_a_constraint_is_dropped_once_those_have_ended_who_write_under_it(world: World) -> None:
    one, other = world.client(), world.client()
    await other.query("ALTER TABLE t ADD CHECK (a > 0)")
    await one.query("BEGIN; INSERT INTO t VALUES (1, 'x')")
    dropped = await waiting(world, other, "ALTER TABLE t DROP CONSTRAINT t_a_check")
    await one.query("COMMIT")
    await dropped
    assert await value(other, "SELECT count(*) FROM t") == 1


@simulated
async def test_rows_wait_for_a_constraint_that_is_not_committed_yet(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("BEGIN; ALTER TABLE t ADD UNIQUE (a)")
    inserted = await waiting(world, other, "INSERT INTO t VALUES (1, 'x'), (1, 'y')")
    await one.query("COMMIT")
    assert await error_of(inserted) == "23505"


@simulated
async def test_rows_that_wait_for_their_time_keep_constraints_away(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("BEGIN; ALTER TABLE t ADD CHECK (a > 0)")
    late = await waiting(world, other, "INSERT INTO t VALUES (-1, 'x') AS OF now() + interval '1 hour'")
    await one.query("ROLLBACK")
    await late
    assert await fails(one, "ALTER TABLE t ADD CHECK (a > 0)") == "0A000"
    assert await fails(one, "CREATE UNIQUE INDEX ON t (a)") == "0A000"
    await other.query("CREATE INDEX ON t (a); ALTER TABLE u ADD CHECK (a > 0)")


# Restarts


@simulated
async def test_constraints_are_kept_through_a_restart(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY, b int CHECK (b > 0), c text, UNIQUE NULLS NOT DISTINCT (c))")
    await client.query("CREATE UNIQUE INDEX ON k (abs(a)); INSERT INTO k VALUES (1, 1, NULL)")
    await world.restart()
    client = world.client()
    assert await fails(client, "INSERT INTO k VALUES (1, 2, 'x')") == "23505"
    assert await fails(client, "INSERT INTO k VALUES (-1, 2, 'x')") == "23505"
    assert await fails(client, "INSERT INTO k VALUES (2, 2, NULL)") == "23505"
    assert await fails(client, "INSERT INTO k VALUES (2, 0, 'x')") == "23514"
    assert await fails(client, "INSERT INTO k VALUES (NULL, 1, 'x')") == "23502"
    await client.query("INSERT INTO k VALUES (2, 2, 'x')")


# Ways to write


@simulated
async def test_copy_keeps_to_constraints(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY, b int CHECK (b > 0)); INSERT INTO k VALUES (1, 1)")
    assert await copied(client, "k", [(2, 1), (1, 1)]) == "23505"
    assert await copied(client, "k", [(2, 1), (2, 1)]) == "23505"
    assert await copied(client, "k", [(2, 1), (3, 0)]) == "23514"
    assert await copied(client, "k", [(2, 1), (3, None)]) == "00000"
    assert await value(client, "SELECT count(*) FROM k") == 3


@simulated
async def test_many_keys_are_looked_up_as_few_are(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int, b int, UNIQUE (b, a)); INSERT INTO k VALUES (20000, 0)")
    assert await copied(client, "k", [(number, 0) for number in range(10_001, 20_001)]) == "23505"
    assert await copied(client, "k", [(number, 0) for number in range(9_000, 20_001)]) == "23505"
    assert await copied(client, "k", [(number, 0) for number in range(9_000, 20_000)]) == "00000"
    await client.query("BEGIN; DELETE FROM k WHERE a = 9000; INSERT INTO k VALUES (30000, 0)")
    await client.query("INSERT INTO k SELECT a + 40000, b FROM k UNION ALL SELECT 9000, 0")
    assert await fails(client, "INSERT INTO k SELECT a + 30000, b FROM k") == "23505"


@simulated
async def test_rows_of_a_time_to_come_are_not_promised_to_a_keyed_table(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int UNIQUE)")
    assert await fails(client, "INSERT INTO k VALUES (1) AS OF now() + interval '1 hour'") == "0A000"


@simulated
async def test_on_conflict_knows_what_its_transaction_has_written(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY, b int); INSERT INTO k VALUES (1, 1), (2, 2)")
    await client.query("BEGIN; DELETE FROM k WHERE a = 1; INSERT INTO k VALUES (3, 3)")
    await client.query(
        "INSERT INTO k VALUES (1, 10), (2, 10), (3, 10) ON CONFLICT (a) DO UPDATE SET b = k.b + excluded.b"
    )
    await client.query("COMMIT")
    assert await client.query("SELECT * FROM k ORDER BY a") == [(1, 10), (2, 12), (3, 13)]
    assert (
        await fails(client, "WITH d AS (DELETE FROM k) INSERT INTO k VALUES (1, 1) ON CONFLICT DO NOTHING") == "0A000"
    )


@simulated
async def test_a_prepared_upsert_takes_its_parameters_everywhere(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY, b text)")
    await client.query(
        "PREPARE p AS INSERT INTO k VALUES ($1, $2) ON CONFLICT (a)"
        " DO UPDATE SET b = k.b || $3 || excluded.b WHERE k.a < $4 RETURNING b"
    )
    assert await client.query("EXECUTE p (1, 'x', '-', 5)") == [("x",)]
    assert await client.query("EXECUTE p (1, 'y', '-', 5)") == [("x-y",)]
    assert await client.query("EXECUTE p (1, 'z', '-', 1)") == []


# What depends on a key


@simulated
async def test_views_that_group_by_a_primary_key_hold_it(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY, b text); INSERT INTO k VALUES (1, 'x')")
    await client.query("CREATE VIEW v AS SELECT b, count(*) FROM k GROUP BY a")
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT b, count(*) FROM k GROUP BY a")
    assert await fails(client, "ALTER TABLE k DROP CONSTRAINT k_pkey") == "2BP01"
    await client.query("ALTER TABLE k RENAME CONSTRAINT k_pkey TO other; ALTER TABLE k RENAME COLUMN a TO c")
    await world.restart()
    client = world.client()
    await client.query("INSERT INTO k VALUES (2, 'y')")
    for view in ("v", "m"):
        assert await client.query(f"SELECT * FROM {view} ORDER BY b") == [("x", 1), ("y", 1)]
    await client.query("DROP VIEW v; DROP MATERIALIZED VIEW m; ALTER TABLE k DROP CONSTRAINT other")
    await client.query("INSERT INTO k VALUES (2, 'y')")


@simulated
async def test_a_table_goes_with_its_keys(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY, b text UNIQUE)")
    await client.query("DROP TABLE k")
    assert await value(client, "SELECT count(*) FROM pg_class WHERE relname LIKE 'k\\_%'") == 0
    await client.query("CREATE TABLE k (a int PRIMARY KEY); INSERT INTO k VALUES (1)")
    await client.query("BEGIN; DROP TABLE k; CREATE TABLE k (a int PRIMARY KEY); INSERT INTO k VALUES (1); COMMIT")
    assert await fails(client, "INSERT INTO k VALUES (1)") == "23505"


@simulated
async def test_tables_that_exchange_their_names_keep_their_constraints(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY CHECK (a < 5)); INSERT INTO k VALUES (1)")
    await client.query("CREATE TABLE l (a int); ALTER TABLE k SWAP WITH l")
    await client.query("INSERT INTO k VALUES (1), (1), (9)")
    assert await fails(client, "INSERT INTO l VALUES (1)") == "23505"
    assert await fails(client, "INSERT INTO l VALUES (9)") == "23514"


# Thousands of rows


@simulated
async def test_a_transaction_finds_each_of_its_own_rows_through_savepoints(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int PRIMARY KEY); INSERT INTO k VALUES (50); BEGIN")
    for number in range(40):
        await client.query(f"SAVEPOINT s{number}; INSERT INTO k VALUES ({number})")
    await client.query("ROLLBACK TO s20; INSERT INTO k VALUES (30)")
    await client.query("SAVEPOINT last")
    assert await fails(client, "INSERT INTO k VALUES (19)") == "23505"
    await client.query("ROLLBACK TO last; INSERT INTO k VALUES (20), (21)")
    await client.query("UPDATE k SET a = a + 1; COMMIT")
    assert await value(client, "SELECT string_agg(a::text, ',' ORDER BY a) FROM k WHERE a > 18") == "19,20,21,22,31,51"
