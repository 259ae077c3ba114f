"""Reads by index in a whole environment: many at once, by the beginning of a key, and inside larger queries."""

from __future__ import annotations

import asyncio

from tests.server.test_maintained import explained, indexed, refreshed
from tests.server.world import World, fails, now_of, simulated, value
from tests.simulation.incarnation import SimClient

GROUPS = "SELECT b, count(*) AS n, sum(a) AS s FROM t GROUP BY b"


async def _arranged(client: SimClient, query: str) -> str:
    """The physical plan, once indexes of views are read in the query."""
    for _ in range(100):
        plan = await explained(client, query)
        if "ReadIndex" in plan:
            return plan
        await asyncio.sleep(0.1)
    raise AssertionError(plan)


# Many at once


@simulated
async def test_lookups_of_many_clients_share_messages_and_each_gets_its_own_rows(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t SELECT g, 'x' || g FROM generate_series(1, 60) AS g; CREATE INDEX ON t (a)")
    await indexed(world, client, "SELECT b FROM t WHERE a = 1")
    before = world.life.environment.compute.leading()[0].peeks
    clients = [world.client() for _ in range(60)]
    answers = await asyncio.gather(
        *(each.query(f"SELECT b FROM t WHERE a = {n}") for n, each in enumerate(clients, start=1))
    )
    assert answers == [[(f"x{n}",)] for n in range(1, 61)]
    assert world.life.environment.compute.leading()[0].peeks - before < 20


@simulated
async def test_a_lookup_sees_what_was_acknowledged_before_it_however_many_there_are(world: World) -> None:
    client = world.client()
    await client.query("CREATE INDEX ON t (a)")
    await indexed(world, client, "SELECT b FROM t WHERE a = 1")

    async def work(key: int) -> None:
        own = world.client()
        for n in range(5):
            await own.query(f"INSERT INTO t VALUES ({key}, '{n}')")
            assert len(await own.query(f"SELECT b FROM t WHERE a = {key}")) == n + 1

    await asyncio.gather(*map(work, range(8)))


@simulated
async def test_an_index_on_a_materialized_view_does_not_wait_for_the_next_round_of_uppers(world: World) -> None:
    client = world.client()
    await client.query(f"CREATE MATERIALIZED VIEW m AS {GROUPS}; CREATE INDEX ON m (b)")
    await refreshed(client, "m")
    await indexed(world, client, "SELECT n FROM m WHERE b = 'x'")
    await asyncio.sleep(5)
    began = world.clock.now_ms()
    for n in range(10):
        # The view's answer stays the same: nothing but an upper moves.
        await client.query(f"INSERT INTO u VALUES ({n}, 'x')")
        assert await client.query("SELECT n FROM m WHERE b = 'x'") == []
    assert world.clock.now_ms() - began < 2_000


# By the beginning of a key


@simulated
async def test_how_a_key_begins_is_enough(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (1, 'y'), (1, 'y'), (1, NULL), (2, 'x'), (NULL, 'x')")
    await client.query("CREATE INDEX i ON t (a, b)")
    plan = await indexed(world, client, "SELECT b FROM t WHERE a = 1")
    assert plan.startswith("Index prefix lookup") and "key 2" not in plan
    assert "Index lookup" in await explained(client, "SELECT b FROM t WHERE a = 1 AND b = 'x'")
    for condition in (
        "a = 1",
        "a IN (1, 2)",
        "a IS NULL",
        "a = 7",
        "a = 1 AND b > 'x'",
        "a = 1 AND b = 'y'",
        "a IN (2, 2)",
    ):
        query = f"SELECT a, b FROM t WHERE {condition} ORDER BY a, b"
        assert (await explained(client, query)).startswith("Index")
        assert await client.query(query) == await client.query(query.replace("FROM t", "FROM (TABLE t LIMIT 100) t"))
    await client.query("DELETE FROM t WHERE b = 'y'")
    assert await client.query("SELECT b FROM t WHERE a = 1 ORDER BY b") == [("x",), (None,)]


# Inside larger queries


@simulated
async def test_a_view_inside_a_query_is_read_from_its_index(world: World) -> None:
    client = world.client()
    await client.query(f"INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, 'y'); CREATE VIEW v AS {GROUPS}")
    await client.query("INSERT INTO u VALUES (1, 'x'), (2, 'y'), (3, 'z')")
    query = "SELECT u.a, v.n FROM u LEFT JOIN v ON u.b = v.b WHERE u.a < 4 ORDER BY 1"
    expected = await client.query(query)
    await client.query("CREATE INDEX v_b ON v (b)")
    plan = await _arranged(client, query)
    assert "ReadIndex public.v" in plan and "by public.v_b" in plan and "public.t" not in plan
    assert await client.query(query) == expected == [(1, 2), (2, 1), (3, None)]
    before = await now_of(client)
    await client.query("INSERT INTO t VALUES (4, 'z')")
    assert await client.query(query) == [(1, 2), (2, 1), (3, 1)]
    assert await client.query(f"{query} AS OF {before}") == expected
    assert await value(client, "SELECT sum(n) FROM v WHERE s > 2") == 4


@simulated
async def test_the_index_gives_way_to_a_transactions_own_writes_and_to_errors(world: World) -> None:
    client = world.client()
    await client.query("CREATE VIEW v AS SELECT a, 10 / a AS q FROM t; CREATE INDEX ON v (a)")
    await client.query("INSERT INTO t VALUES (1, 'x')")
    query = "SELECT count(*), sum(a) FROM v"
    await _arranged(client, query)
    await client.query("BEGIN; INSERT INTO t VALUES (2, 'x')")
    assert await client.query(query) == [(2, 3)]
    await client.query("ROLLBACK")
    await client.query("INSERT INTO t VALUES (0, 'x')")
    assert await client.query(query) == [(2, 1)]
    assert await fails(client, "SELECT sum(q) FROM v") == "22012"
    await client.query("DELETE FROM t WHERE a = 0")
    assert await client.query("SELECT sum(q) FROM v") == [(10,)]


@simulated
async def test_a_transaction_reads_an_index_at_its_one_timestamp(world: World) -> None:
    reader, writer = world.client(), world.client()
    await writer.query(f"INSERT INTO t VALUES (1, 'x'); CREATE VIEW v AS {GROUPS}; CREATE INDEX ON v (b)")
    query = "SELECT sum(n), (SELECT count(*) FROM t) FROM v"
    await _arranged(writer, query)
    await reader.query("BEGIN READ ONLY")
    assert await reader.query(query) == [(1, 1)]
    await writer.query("INSERT INTO t VALUES (2, 'y')")
    assert await writer.query(query) == [(2, 2)]
    assert await reader.query(query) == [(1, 1)]
    await reader.query("COMMIT")


@simulated
async def test_bounded_staleness_reads_an_index_without_waiting(world: World) -> None:
    client = world.client()
    await client.query(f"INSERT INTO t VALUES (1, 'x'); CREATE VIEW v AS {GROUPS}; CREATE INDEX ON v (b)")
    query = "SELECT sum(n) FROM v WHERE s > 0"
    await _arranged(client, query)
    await client.query("SET max_staleness TO '10 s'")
    for n in range(3):
        await client.query(f"INSERT INTO t VALUES ({n}, 'x')")
        found = (await client.query(query), await client.query("SELECT n FROM v WHERE b = 'x'"))
        assert found[0][0][0] in range(1, n + 3) and found[1][0][0] in range(1, n + 3)


@simulated
async def test_views_over_an_indexed_view_read_its_index(world: World) -> None:
    client = world.client()
    await client.query(f"INSERT INTO t VALUES (1, 'x'), (2, 'y'); CREATE VIEW v AS {GROUPS}; CREATE INDEX ON v (b)")
    await client.query("CREATE VIEW w AS SELECT max(n) AS most, count(*) AS groups FROM v")
    plan = await _arranged(client, "SELECT * FROM w")
    assert "ReadIndex public.v" in plan
    assert await client.query("SELECT * FROM w") == [(1, 2)]
    await client.query("INSERT INTO t VALUES (3, 'y')")
    assert await client.query("SELECT * FROM w, v WHERE v.n = w.most") == [(2, 2, "y", 2, 5)]


# Giving way


@simulated
async def test_what_befalls_an_index_while_it_is_read_never_shows(world: World) -> None:
    client = world.client()
    await client.query(f"INSERT INTO t VALUES (0, 'x'); CREATE VIEW v AS {GROUPS}; CREATE INDEX v_b ON v (b)")
    query = "SELECT sum(n), (SELECT count(*) FROM t) FROM v"
    await _arranged(client, query)
    acknowledged, writing = 1, True

    async def write() -> None:
        nonlocal acknowledged, writing
        own = world.client()
        for n in range(60):
            await own.query(f"INSERT INTO t VALUES ({n}, 'x')")
            acknowledged += 1
            assert await own.query("SELECT n FROM v WHERE b = 'x'") == [(acknowledged,)]
            await asyncio.sleep(0.1)
        writing = False

    async def read() -> None:
        own, seen = world.client(), 0
        while writing:
            seen = max(seen, acknowledged)
            ((by_index, by_table),) = await own.query(query)
            assert by_index == by_table
            assert isinstance(by_table, int) and by_table >= seen
            seen = by_table
            await asyncio.sleep(0.03)

    async def disturb() -> None:
        own = world.client()
        while writing:
            await asyncio.sleep(0.7)
            world.life.host.crash()
            await asyncio.sleep(0.7)
            await own.query("DROP INDEX v_b")
            await asyncio.sleep(0.2)
            await own.query("CREATE INDEX v_b ON v (b)")
            assert await own.query(query)

    await asyncio.gather(write(), read(), read(), disturb())
    await _arranged(client, query)
    assert await client.query(query) == [(61, 61)]


@simulated
async def test_times_before_an_index_has_any_are_read_without_it(world: World) -> None:
    client = world.client()
    await client.query(f"INSERT INTO t VALUES (1, 'x'); CREATE VIEW v AS {GROUPS}")
    query = "SELECT sum(n) FROM v WHERE n > 0"
    before = await now_of(client)
    await client.query("INSERT INTO t VALUES (2, 'x'); CREATE INDEX ON v (b)")
    assert await client.query(query) == [(2,)]
    await _arranged(client, query)
    assert await client.query(f"{query} AS OF {before}") == [(1,)]
    assert await client.query(query) == [(2,)]


@simulated
async def test_a_transaction_keeps_its_time_when_the_index_goes(world: World) -> None:
    reader, writer = world.client(), world.client()
    await writer.query(f"INSERT INTO t VALUES (1, 'x'), (2, 'y'); CREATE VIEW v AS {GROUPS}; CREATE INDEX v_b ON v (b)")
    query = "SELECT b, n FROM v WHERE n > 0 ORDER BY b"
    await _arranged(writer, query)
    await reader.query(f"BEGIN READ ONLY; DECLARE c CURSOR FOR {query}; FETCH 1 FROM c")
    await writer.query("INSERT INTO t VALUES (3, 'z'); DROP INDEX v_b")
    assert await reader.query("FETCH ALL FROM c") == [("y", 1)]
    assert await reader.query(query) == [("x", 1), ("y", 1)]
    await writer.query("CREATE INDEX v_b ON v (b)")
    await _arranged(writer, query)
    assert await reader.query(query) == [("x", 1), ("y", 1)]
    await reader.query("COMMIT")
    assert await reader.query(query) == [("x", 1), ("y", 1), ("z", 1)]
