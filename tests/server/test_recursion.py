"""WITH MUTUALLY RECURSIVE in a whole environment: views that are kept, their text, and statements without an end."""

from __future__ import annotations

from tests.server.test_maintained import differences, explained, refreshed
from tests.server.world import World, fails, now_of, simulated

_COMPONENTS = """WITH MUTUALLY RECURSIVE (ERROR AT RECURSION LIMIT {limit})
    linked (a int, b int) AS (SELECT a, b::int FROM t UNION SELECT b::int, a FROM t),
    least (node int, root int) AS (
        SELECT node, min(root) FROM (SELECT a, a FROM linked
            UNION ALL SELECT l.b, n.root FROM least n JOIN linked l ON n.node = l.a) AS found (node, root)
        GROUP BY node)
    SELECT root, count(*) AS nodes FROM least GROUP BY root"""


@simulated
async def test_a_view_over_a_mutual_recursion_is_right_at_every_time_and_after_a_restart(world: World) -> None:
    client = world.client()
    query = _COMPONENTS.format(limit=20)
    await client.query("INSERT INTO t VALUES (1, '2'), (2, '3'), (5, '6')")
    strict = await fails(client, f"CREATE MATERIALIZED VIEW m WITH (INCREMENTAL = STRICT) AS {query}")
    await client.query(f"CREATE MATERIALIZED VIEW m AS {query}; CREATE VIEW v AS {query}")
    await client.query("CREATE INDEX i ON v (root)")
    await refreshed(client, "m")
    assert strict == "0A000"
    plan = await explained(client, "MATERIALIZED VIEW m")
    assert "With mutually recursive (error at recursion limit 20)" in plan
    assert "WITH MUTUALLY RECURSIVE" in plan and "recompute" in plan
    expected = {
        "INSERT INTO t VALUES (3, '5')": [(1, 5)],
        "DELETE FROM t WHERE a = 2": [(1, 2), (3, 3)],
        "UPDATE t SET a = 2 WHERE a = 3": [(1, 4)],
    }
    times = {}
    for statement, rows in expected.items():
        await client.query(statement)
        times[await now_of(client)] = rows
        assert await client.query("SELECT * FROM m ORDER BY root") == rows
    await world.restart()
    client = world.client()
    for time, rows in times.items():
        for name in ("m", "v"):
            assert await client.query(f"SELECT * FROM {name} ORDER BY root AS OF {time}") == rows
    await refreshed(client, "m")
    assert await differences(client, "m") == await differences(client, "i", "INDEX") == []


@simulated
async def test_a_recursion_beyond_its_limit_is_an_error_until_its_cause_is_gone(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, '2')")
    await client.query(f"CREATE MATERIALIZED VIEW m AS {_COMPONENTS.format(limit=4)}")
    await refreshed(client, "m")
    assert await client.query("SELECT * FROM m") == [(1, 2)]
    await client.query("INSERT INTO t VALUES (2, '3'), (3, '4'), (4, '5'), (5, '6')")
    assert await fails(client, "SELECT * FROM m") == "54000"
    await client.query("DELETE FROM t WHERE a > 1")
    assert await client.query("SELECT * FROM m") == [(1, 2)]


@simulated
async def test_statements_that_hold_a_query_may_hold_a_recursion(world: World) -> None:
    client = world.client()
    counting = "WITH MUTUALLY RECURSIVE c (n int) AS (SELECT 1 UNION SELECT n + 1 FROM c WHERE n < {}) SELECT n FROM c"
    await client.query(f"INSERT INTO t {counting.format(3)}")
    assert await client.query("SELECT a FROM t ORDER BY a") == [(1,), (2,), (3,)]
    await client.query(f"CREATE TABLE made AS {counting.format(4)}")
    assert await client.query("SELECT count(*) FROM made") == [(4,)]
    await client.query(f"PREPARE p (int) AS {counting.format('$1')} ORDER BY n DESC LIMIT 1")
    assert await client.query("EXECUTE p (7)") == [(7,)]
    await client.query(f"BEGIN; DECLARE d CURSOR FOR {counting.format(5)} ORDER BY n")
    assert await client.query("FETCH 2 FROM d") == [(1,), (2,)]
    await client.query("COMMIT")
    await client.query(f"BEGIN; DECLARE s CURSOR FOR SUBSCRIBE (SELECT a FROM t WHERE a IN ({counting.format(2)}))")
    assert sorted(row[2:] for row in await client.query("FETCH 2 FROM s")) == [(1,), (2,)]
    await client.query("ROLLBACK")


@simulated
async def test_a_table_that_is_made_of_a_query_is_explained(world: World) -> None:
    client = world.client()
    plan = [line for (line,) in await client.query("EXPLAIN CREATE TABLE made AS SELECT a FROM t WHERE a > 1")]
    assert plan[0] == "Create table public.made" and any("Filter gt_int4_int4" in str(line) for line in plan)
    assert await fails(client, "SELECT * FROM made") == "42P01"


@simulated
async def test_parts_of_a_statement_change_rows_of_one_table_each_its_own(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (1, 'x'), (2, 'y'), (3, 'z')")
    deletions = "d AS (DELETE FROM t WHERE a = 1), e AS (DELETE FROM t WHERE a = 3)"
    await client.query(f"WITH {deletions} UPDATE t SET a = 9 WHERE a = 2")
    assert await client.query("SELECT * FROM t") == [(9, "y")]
    both = "WITH d AS (DELETE FROM t WHERE a = 9) UPDATE t SET a = 8 WHERE b = 'y'"
    assert await fails(client, both) == "0A000"
    assert await client.query("SELECT * FROM t") == [(9, "y")]
