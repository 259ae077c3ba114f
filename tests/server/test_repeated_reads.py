"""Reads that COMMIT repeats: of system relations, where another answer is a conflict and another catalog is none, and
under conditions on mz_now(), which may come to another answer although no row has changed."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.world import World, fails, now_of, simulated, value

CATALOG_READS = (
    "SELECT relname FROM pg_class WHERE relname = 'x'",
    "SELECT count(*) FROM information_schema.columns WHERE table_name = 'x'",
    "SELECT t.a, c.oid IS NULL FROM t LEFT JOIN pg_class c ON c.relname = 'x'",
    "SELECT EXISTS (SELECT FROM pg_tables WHERE tablename = 'x')",
    "SELECT 1 / (count(*) - 1) FROM pg_class WHERE relname = 'x'",
    "SELECT attname FROM pg_attribute a JOIN pg_class c ON a.attrelid = c.oid WHERE c.relname = 'x'",
    "SELECT oid FROM pg_class WHERE relname IN ('x', 'nowhere')",
    "SELECT oid FROM pg_class WHERE relname = ANY (ARRAY['x'])",
    "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public' AND table_name = 'x'",
)


LISTING_READS = (
    "SELECT count(*) FROM pg_class",
    "SELECT relname, random() FROM pg_class",
    "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public'",
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    "SELECT tablename FROM pg_tables WHERE tablename LIKE '%' ORDER BY 1",
    "SELECT max(oid) FROM pg_class",
    "SELECT count(*) FROM pg_attribute a JOIN pg_class c ON a.attrelid = c.oid WHERE c.relkind = 'r'",
    "SELECT to_regclass('x')",
)


@pytest.mark.parametrize("read", LISTING_READS)
def test_who_lists_what_there_is_never_fails_for_what_others_make(read: str) -> None:
    @simulated
    async def law(world: World) -> None:
        one, other = world.client(), world.client()
        await one.query(f"BEGIN; {read}; INSERT INTO u VALUES (1, 'x')")
        await other.query("CREATE TABLE y (a int)")
        await one.query(f"COMMIT; BEGIN; {read}; SELECT a FROM u; UPDATE u SET a = a + 1")
        await other.query("DROP TABLE y")
        await one.query("COMMIT")
        assert await other.query("SELECT a FROM u") == [(2,)]

    law()


@pytest.mark.parametrize("read", CATALOG_READS)
def test_only_another_answer_of_the_catalog_is_a_conflict(read: str) -> None:
    @simulated
    async def law(world: World) -> None:
        one, other = world.client(), world.client()
        await other.query("INSERT INTO t VALUES (1, 'x')")
        for sql, conflict in (("CREATE TABLE y (a int)", False), ("CREATE TABLE x (a int)", True)):
            await one.query(f"BEGIN; {read}; INSERT INTO u VALUES (1, 'x')")
            await other.query(sql)
            if conflict:
                assert await fails(one, "COMMIT") == "40001"
            else:
                await one.query("COMMIT")
        assert await other.query("SELECT a FROM u") == [(1,)]

    law()


@simulated
async def test_an_answer_that_the_transactions_own_changes_gave_is_repeated_with_them(world: World) -> None:
    one, other = world.client(), world.client()
    exists = "SELECT count(*) FROM pg_class WHERE relname IN ('x', 'y')"
    await one.query(f"BEGIN; {exists}; CREATE TABLE x (a int); {exists}; SAVEPOINT p; CREATE TABLE y (a int); {exists}")
    await one.query(f"ROLLBACK TO p; {exists}")
    await other.query("CREATE TABLE z (a int)")
    await one.query("COMMIT")
    await one.query(f"BEGIN; CREATE TABLE w (a int); {exists}")
    await other.query("DROP TABLE x")
    assert await fails(one, "COMMIT") == "40001"


@simulated
async def test_what_is_read_by_name_and_can_not_be_repeated_conflicts_with_every_change(
    world: World,
) -> None:
    one, other = world.client(), world.client()
    await one.query("BEGIN; SELECT relname, random() FROM pg_class WHERE relname = 'x'; INSERT INTO u VALUES (1, 'x')")
    await other.query("CREATE TABLE y (a int)")
    assert await fails(one, "COMMIT") == "40001"


TIMED_READS = (
    "SELECT count(*) FROM t WHERE mz_now() < a::text::numeric",
    "SELECT a FROM t WHERE a::text::numeric > mz_now()::text::numeric",
    "SELECT x FROM (SELECT b, mz_now() < a::text::numeric AS x FROM t) q WHERE x",
    "SELECT * FROM temporal",
    "SELECT count(*) FROM kept",
    "SELECT * FROM t LEFT JOIN u ON mz_now() < t.a::text::numeric",
    "SELECT 1 WHERE mz_now() < {bound}",
    "SELECT b FROM t ORDER BY abs(a::text::numeric - mz_now()::text::numeric) LIMIT 1",
)


@pytest.mark.parametrize("read", TIMED_READS)
def test_a_condition_on_mz_now_that_comes_to_another_answer_by_commit_is_a_conflict(read: str) -> None:
    @simulated
    async def law(world: World) -> None:
        client, other = world.client(), world.client()
        await other.query("DROP TABLE t; CREATE TABLE t (a int8, b text)")
        await other.query("CREATE VIEW temporal AS SELECT a FROM t WHERE mz_now() < a::text::numeric")
        await other.query("CREATE MATERIALIZED VIEW kept AS SELECT a FROM t WHERE mz_now() < a")
        bound = await now_of(other) + 5_000
        await other.query(f"INSERT INTO t VALUES ({bound}, 'x'), ({bound + 8_000}, 'y')")
        sql = f"BEGIN; {read.format(bound=bound)}; INSERT INTO u VALUES (1, 'x'); SAVEPOINT p"
        await client.query(sql)
        await client.query("COMMIT")
        await client.query(sql)
        await asyncio.sleep(10)
        assert await fails(client, "COMMIT") == "40001"
        await client.query(sql)
        await client.query("COMMIT")
        assert await value(client, "SELECT count(*) FROM u") == 2

    law()


@simulated
async def test_mz_now_as_a_value_is_the_read_timestamp_and_no_conflict(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE log (at text)")
    await client.query("BEGIN; INSERT INTO log SELECT mz_now()::text")
    first = await now_of(client)
    await client.query("INSERT INTO log SELECT mz_now()::text FROM t RIGHT JOIN (VALUES (1)) v ON true")
    await client.query("UPDATE log SET at = mz_now()::text; INSERT INTO log VALUES (mz_now()::text)")
    await asyncio.sleep(10)
    await client.query("COMMIT")
    assert await client.query("SELECT DISTINCT at FROM log") == [(str(first),)]


SLOW = "FROM (SELECT pg_sleep(6)) q WHERE mz_now() < {bound}"
STATEMENTS_ALONE = (
    f"INSERT INTO u SELECT 1, 'x' {SLOW}",
    f"WITH w AS (INSERT INTO u SELECT 1, 'x' {SLOW} RETURNING *) SELECT a FROM w",
    f"CREATE TABLE c AS SELECT 1 {SLOW}",
    f"SELECT 1 INTO c {SLOW}",
    "EXECUTE p",
)


@pytest.mark.parametrize("sql", STATEMENTS_ALONE)
def test_one_statement_whose_condition_on_mz_now_passes_by_its_commit_is_run_again(sql: str) -> None:
    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE c (a int)" if "INTO c" not in sql and "TABLE c" not in sql else "SELECT 1")
        bound = await now_of(client) + 4_000
        await client.query(f"PREPARE p AS {STATEMENTS_ALONE[0].format(bound=bound)}")
        assert await client.query(sql.format(bound=bound)) == []
        assert await client.query("SELECT a FROM u UNION ALL SELECT 1 FROM c") == []

    law()


@simulated
async def test_one_statement_under_a_condition_on_mz_now_commits_while_that_stands(world: World) -> None:
    client = world.client()
    bound = await now_of(client) + 10_000
    for _ in range(5):
        await client.query(f"INSERT INTO u SELECT 1, 'x' WHERE mz_now() < {bound}")
        await asyncio.sleep(0.5)
    await asyncio.sleep(20)
    await client.query(f"INSERT INTO u SELECT 1, 'x' WHERE mz_now() < {bound}")
    assert await value(client, "SELECT count(*) FROM u") == 5
