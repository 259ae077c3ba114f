"""Indexes and materialized views in a whole environment, with the interpreter in Spark's place."""

from __future__ import annotations

import asyncio

from model.types.datum import Row
from tests.server.world import World, fails, now_of, simulated, value
from tests.simulation.incarnation import SimClient

TOTALS = "SELECT b, count(*) AS n, sum(a) AS s FROM t GROUP BY b"


async def explained(client: SimClient, query: str) -> str:
    """The physical plan, in one text."""
    return "\n".join(str(line) for (line,) in await client.query(f"EXPLAIN PHYSICAL PLAN FOR {query}"))


async def refreshed(client: SimClient, view: str) -> None:
    """Waits until it shows all that was committed, and so has hydrated."""
    await client.query(f"REFRESH MATERIALIZED VIEW {view}")


async def indexed(world: World, client: SimClient, query: str) -> str:
    """The physical plan, once an index answers the query."""
    for _ in range(100):
        plan = await explained(client, query)
        if plan.startswith("Index"):
            return plan
        await asyncio.sleep(0.1)
    raise AssertionError(plan)


async def differences(client: SimClient, name: str, kind: str = "VIEW") -> list[Row]:
    return await client.query(f"CHECK {kind} {name}")


# Materialized views


@simulated
async def test_a_materialized_view_shows_what_its_query_gives_at_every_time(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, 'y')")
    await client.query(f"CREATE MATERIALIZED VIEW m AS {TOTALS}")
    assert await client.query("SELECT * FROM m ORDER BY b") == [("x", 2, 3), ("y", 1, 3)]
    await refreshed(client, "m")
    times = []
    for statement in ("INSERT INTO t VALUES (4, 'y')", "DELETE FROM t WHERE a = 1", "UPDATE t SET b = 'z' WHERE a = 2"):
        await client.query(statement)
        times.append(await now_of(client))
    assert "shard" in await explained(client, "SELECT * FROM m")
    for time in times:
        assert await client.query(f"SELECT * FROM m ORDER BY b AS OF {time}") == await client.query(
            f"{TOTALS} ORDER BY b AS OF {time}"
        )
    assert await differences(client, "m") == []


@simulated
async def test_a_client_sees_its_own_writes_in_every_view(world: World) -> None:
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t")
    await client.query("CREATE MATERIALIZED VIEW on_m AS SELECT n + 1 AS n FROM m")
    await refreshed(client, "on_m")
    for n in range(1, 6):
        await client.query(f"INSERT INTO t VALUES ({n}, 'x')")
        assert await client.query("SELECT m.n, o.n, (SELECT count(*) FROM t) FROM m, on_m o") == [(n, n + 1, n)]


@simulated
async def test_what_a_transaction_writes_it_reads_in_the_views_too(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t; CREATE DEFAULT INDEX ON m")
    await refreshed(client, "m")
    await client.query("BEGIN; INSERT INTO t VALUES (1, 'x')")
    assert await value(client, "SELECT n FROM m") == 1
    assert await value(other, "SELECT n FROM m") == 0
    await client.query("CREATE MATERIALIZED VIEW young AS SELECT n * 10 AS n FROM m")
    assert await value(client, "SELECT n FROM young") == 10
    await client.query("COMMIT")
    assert await value(other, "SELECT n FROM m") == 1 and await value(other, "SELECT n FROM young") == 10


@simulated
async def test_a_transaction_reads_views_and_tables_at_one_timestamp(world: World) -> None:
    reader, writer = world.client(), world.client()
    await writer.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t")
    await refreshed(writer, "m")
    await reader.query("BEGIN READ ONLY")
    assert await value(reader, "SELECT count(*) FROM t") == 0
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    await refreshed(writer, "m")
    assert await value(reader, "SELECT n FROM m") == 0
    await reader.query("COMMIT")
    assert await value(reader, "SELECT n FROM m") == 1


@simulated
async def test_a_write_after_reading_a_view_conflicts_with_writes_beneath_it(world: World) -> None:
    one, two = world.client(), world.client()
    await one.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t")
    await refreshed(one, "m")
    await one.query("BEGIN")
    assert await value(one, "SELECT n FROM m") == 0
    await two.query("INSERT INTO t VALUES (1, 'x')")
    await one.query("INSERT INTO u VALUES (0, 'counted')")
    assert await fails(one, "COMMIT") == "40001"
    await two.query("INSERT INTO u SELECT n, 'counted' FROM m")
    assert await two.query("SELECT * FROM u") == [(1, "counted")]


@simulated
async def test_an_error_is_the_views_answer_until_its_cause_is_gone(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT 10 / a AS q FROM t")
    await refreshed(client, "m")
    assert await value(client, "SELECT q FROM m") == 10
    await client.query("INSERT INTO t VALUES (0, 'x')")
    assert await fails(client, "SELECT count(*) FROM m") == "22012"
    await client.query("DELETE FROM t WHERE a = 0")
    assert await value(client, "SELECT q FROM m") == 10


@simulated
async def test_a_view_is_there_again_after_a_crash(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query(f"CREATE MATERIALIZED VIEW m AS {TOTALS}; CREATE DEFAULT INDEX ON m; CREATE INDEX i ON t (b)")
    await refreshed(client, "m")
    before = await now_of(client)
    for n in range(3):
        await world.restart()
        client = world.client()
        await client.query(f"INSERT INTO t VALUES ({n}, 'x')")
        assert await client.query("SELECT n FROM m WHERE b = 'x'") == [(n + 2,)]
        assert await client.query(f"SELECT n FROM m AS OF {before}") == [(1,)]
        assert await differences(client, "m") == []
        await indexed(world, client, "SELECT * FROM t WHERE b = 'x'")
        assert await differences(client, "i", "INDEX") == []


@simulated
async def test_a_lost_replica_leaves_no_difference(world: World) -> None:
    client = world.client()
    await client.query(f"CREATE MATERIALIZED VIEW m AS {TOTALS}; CREATE INDEX i ON m (b)")
    await refreshed(client, "m")
    for n in range(4):
        await client.query(f"INSERT INTO t VALUES ({n}, 'x')")
        world.life.host.crash()
        await client.query(f"INSERT INTO t VALUES ({n}, 'y')")
        assert await client.query("SELECT b, n FROM m ORDER BY b") == [("x", n + 1), ("y", n + 1)]
    assert await differences(client, "m") == []


@simulated
async def test_a_dropped_view_is_gone_with_all_that_it_held(world: World) -> None:
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT a FROM t; CREATE VIEW v AS SELECT a FROM m")
    assert await fails(client, "DROP MATERIALIZED VIEW m") == "2BP01"
    await client.query("DROP MATERIALIZED VIEW m CASCADE")
    assert await fails(client, "SELECT * FROM m") == await fails(client, "SELECT * FROM v") == "42P01"
    environment = world.life.environment
    assert list(environment.dataflows) == []
    (table,) = (id_ for id_ in environment.stored_ids() if environment.catalog.state.items[id_].name == "t")
    assert len(environment.storage.collection(table).holds) == 0
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT a + 1 AS b FROM t; INSERT INTO t VALUES (1, 'x')")
    assert await value(client, "SELECT b FROM m") == 2


@simulated
async def test_what_a_rolled_back_transaction_created_was_never_there(world: World) -> None:
    client = world.client()
    await client.query("BEGIN; CREATE MATERIALIZED VIEW m AS SELECT a FROM t; CREATE INDEX i ON t (a); ROLLBACK")
    assert await fails(client, "SELECT * FROM m") == "42P01"
    assert list(world.life.environment.dataflows) == []
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT a FROM t")
    assert await client.query("SELECT * FROM m") == []


@simulated
async def test_what_cannot_be_maintained_is_refused_by_name(world: World) -> None:
    client = world.client()
    for query in (
        "SELECT now() FROM t",
        "SELECT random() FROM t",
        "SELECT current_user FROM t",
        "SELECT relname FROM pg_class",
        "SELECT mz_now() FROM t",
    ):
        assert await fails(client, f"CREATE MATERIALIZED VIEW m AS {query}") == "0A000"
        await client.query(f"CREATE VIEW v AS {query}")
        assert await fails(client, "CREATE DEFAULT INDEX ON v") == "0A000"
        await client.query("DROP VIEW v")
    recursive = "WITH RECURSIVE r AS (SELECT a FROM t UNION SELECT a + 1 FROM r WHERE a < 3) SELECT * FROM r"
    assert await fails(client, f"CREATE MATERIALIZED VIEW m WITH (INCREMENTAL = STRICT) AS {recursive}") == "0A000"
    await client.query(f"INSERT INTO t VALUES (1, 'x'); CREATE MATERIALIZED VIEW m AS {recursive}")
    assert await client.query("SELECT * FROM m ORDER BY a") == [(1,), (2,), (3,)]


@simulated
async def test_rows_leave_a_temporal_filter_by_themselves(world: World) -> None:
    client = world.client()
    now = await now_of(client)
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT a FROM t WHERE mz_now() < a::int8 * 1000")
    await client.query(f"INSERT INTO t VALUES ({now // 1000 + 5}, 'x')")
    assert await value(client, "SELECT count(*) FROM m") == 1
    await asyncio.sleep(6)
    assert await value(client, "SELECT count(*) FROM m") == 0


@simulated
async def test_how_long_the_past_stays_readable_can_be_said(world: World) -> None:
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW m WITH (RETAIN HISTORY FOR '1 s') AS SELECT count(*) AS n FROM t")
    await client.query("CREATE INDEX i ON t (a) WITH (RETAIN HISTORY FOR '1 s')")
    await refreshed(client, "m")
    old = await now_of(client)
    for n in range(60):
        await client.query(f"INSERT INTO t VALUES ({n}, 'x')")
        await asyncio.sleep(1)
    rows = await client.query("SELECT read_frontier FROM mz_internal.mz_frontiers ORDER BY object_id")
    frontiers = [since for (since,) in rows if isinstance(since, int) and since > old]
    assert len(frontiers) == 2, rows
    # The tables still have that past, so it can be computed.
    assert await value(client, f"SELECT n FROM m AS OF {old}") == 0
    assert await client.query(f"SELECT * FROM t WHERE a = 1 AS OF {old}") == []
    await client.query(
        "ALTER MATERIALIZED VIEW m SET (RETAIN HISTORY = FOR '1h'); ALTER INDEX i RESET (RETAIN HISTORY)"
    )
    definitions = [sql for (sql,) in await client.query("SELECT create_sql FROM mz_catalog.mz_materialized_views")]
    assert "RETAIN HISTORY FOR '3600000 milliseconds'" in str(definitions)


# Replacement


@simulated
async def test_a_replacement_shows_the_new_query_from_its_commit_on(world: World) -> None:
    client, reader = world.client(), world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT a FROM t; CREATE DEFAULT INDEX ON m")
    await client.query(
        "CREATE MATERIALIZED VIEW on_m AS SELECT sum(a) AS s FROM m; CREATE VIEW v AS SELECT s FROM on_m"
    )
    await refreshed(client, "on_m")
    await reader.query("BEGIN READ ONLY")
    assert await value(reader, "SELECT s FROM v") == 3
    await client.query("CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT a * 10 AS a FROM t")
    assert await value(client, "SELECT s FROM v") == 30
    assert await client.query("SELECT a FROM m ORDER BY a") == [(10,), (20,)]
    assert "computed" not in await explained(client, "SELECT * FROM on_m")
    await client.query("INSERT INTO t VALUES (3, 'z')")
    assert await value(client, "SELECT s FROM v") == 60
    assert await differences(client, "on_m") == await differences(client, "m") == []
    await reader.query("COMMIT")
    await world.restart()
    assert await value(world.client(), "SELECT s FROM v") == 60


@simulated
async def test_a_replaced_plain_view_takes_along_what_is_maintained_over_it(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'); CREATE VIEW v AS SELECT a FROM t; CREATE DEFAULT INDEX ON v")
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT a FROM v")
    await refreshed(client, "m")
    await client.query("CREATE OR REPLACE VIEW v AS SELECT a + 100 AS a FROM t")
    await indexed(world, client, "SELECT * FROM v")
    assert await value(client, "SELECT a FROM v") == await value(client, "SELECT a FROM m") == 101
    assert await differences(client, "v") == await differences(client, "m") == []


@simulated
async def test_a_replacement_that_fails_leaves_the_old_one_and_no_trace(world: World) -> None:
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT a FROM t; CREATE VIEW v AS SELECT a FROM m")
    await refreshed(client, "m")
    before = set(world.life.environment.dataflows)
    assert await fails(client, "CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT b FROM t") == "42P16"
    await client.query("BEGIN; SELECT * FROM u; CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT a + 1 AS a FROM t")
    await world.client().query("INSERT INTO u VALUES (1, 'x')")
    assert await fails(client, "COMMIT") == "40001"
    assert set(world.life.environment.dataflows) == before
    await client.query("INSERT INTO t VALUES (1, 'x')")
    assert await value(client, "SELECT a FROM m") == 1


@simulated
async def test_swapped_views_have_each_others_names_at_once(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("CREATE MATERIALIZED VIEW blue AS SELECT a FROM t")
    await client.query("CREATE MATERIALIZED VIEW green AS SELECT a + 100 AS a FROM t")
    await client.query("CREATE VIEW v AS SELECT a FROM blue")
    await client.query("ALTER MATERIALIZED VIEW blue SWAP WITH green")
    assert await value(client, "SELECT a FROM blue") == 101 and await value(client, "SELECT a FROM green") == 1
    assert await value(client, "SELECT a FROM v") == 1, "what reads a view goes on reading that view"
    assert await fails(client, "ALTER MATERIALIZED VIEW blue SWAP WITH v") == "42809"


# Indexes


@simulated
async def test_an_index_answers_lookups_and_scans_as_the_table_would(world: World) -> None:
    client = world.client()
    await client.query(
        "INSERT INTO t VALUES (1, 'x'), (1, 'x'), (2, 'y'), (3, NULL), (NULL, 'x'); CREATE INDEX i ON t (a)"
    )
    await client.query("CREATE INDEX pair ON t (a, lower(b)); CREATE TABLE plain (a int, b text)")
    await client.query("INSERT INTO plain SELECT * FROM t")
    await indexed(world, client, "SELECT * FROM t WHERE a = 1")
    for query in (
        "SELECT * FROM {} WHERE a = 1 ORDER BY b",
        "SELECT b FROM {} WHERE 1 = a",
        "SELECT a + 1, upper(b) FROM {} WHERE a = 1 AND b LIKE 'x%' ORDER BY 2",
        "SELECT * FROM {} WHERE a IN (1, 3, 1, NULL) ORDER BY a, b LIMIT 2",
        "SELECT * FROM {} WHERE a = 2 OR a = 3 ORDER BY b NULLS FIRST",
        "SELECT * FROM {} WHERE a IS NULL",
        "SELECT * FROM {} WHERE a = NULL",
        "SELECT * FROM {} WHERE a = ANY (ARRAY[2, 9])",
        "SELECT * FROM {} WHERE a = 1 AND lower(b) = 'x'",
        "SELECT * FROM {} WHERE a = 1 AND a = 2",
        "SELECT b, a FROM {} ORDER BY b DESC, a LIMIT 3 OFFSET 1",
        "SELECT * FROM {} ORDER BY a, b",
        "SELECT x FROM (SELECT a AS k, b AS x FROM {}) q WHERE k = 1",
    ):
        plan = await explained(client, query.format("t"))
        assert plan.startswith("Index"), plan
        assert await client.query(query.format("t")) == await client.query(query.format("plain")), query


@simulated
async def test_an_index_on_a_view_keeps_the_view(world: World) -> None:
    client = world.client()
    await client.query(f"CREATE VIEW v AS {TOTALS}; CREATE INDEX ON v (b)")
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, 'y')")
    plan = await indexed(world, client, "SELECT n FROM v WHERE b = 'x'")
    assert plan.startswith("Index lookup of public.v") and "v_b_idx" in plan
    assert await value(client, "SELECT n FROM v WHERE b = 'x'") == 2
    await client.query("DELETE FROM t WHERE a = 1")
    assert await value(client, "SELECT n FROM v WHERE b = 'x'") == 1
    assert await differences(client, "v") == []
    await client.query("DROP INDEX v_b_idx")
    assert not (await explained(client, "SELECT n FROM v WHERE b = 'x'")).startswith("Index")
    assert await fails(client, "CHECK VIEW v") == "55000"


@simulated
async def test_an_error_elsewhere_does_not_fail_a_lookup(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    await client.query("CREATE VIEW v AS SELECT a, 10 / (a - 2) AS q FROM t WHERE b <> 'y'; CREATE INDEX ON v (a)")
    await indexed(world, client, "SELECT q FROM v WHERE a = 1")
    await client.query("INSERT INTO t VALUES (2, 'z')")
    assert await value(client, "SELECT q FROM v WHERE a = 1") == -10
    assert await fails(client, "SELECT q FROM v WHERE a = 2") == "22012"
    assert await fails(client, "SELECT * FROM v") == "22012"


@simulated
async def test_an_index_whose_past_is_gone_gives_way_to_its_inputs(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    before = await now_of(client)
    await client.query("INSERT INTO t VALUES (1, 'y')")
    await client.query("CREATE INDEX i ON t (a)")
    await indexed(world, client, "SELECT * FROM t WHERE a = 1")
    assert await client.query(f"SELECT * FROM t WHERE a = 1 AS OF {before}") == [(1, "x")]


@simulated
async def test_an_index_is_not_asked_what_depends_on_the_session(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE z (k int, at timestamptz); INSERT INTO z VALUES (1, '2024-01-01 23:30+00')")
    await client.query("CREATE VIEW v AS SELECT k, at::date AS day FROM z; CREATE INDEX ON v (k)")
    query = "SELECT day::text FROM v WHERE k = 1"
    await indexed(world, client, query)
    assert await value(client, query) == "2024-01-01"
    await client.query("SET timezone TO 'Asia/Tokyo'")
    assert not (await explained(client, query)).startswith("Index")
    assert await value(client, query) == "2024-01-02"
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT k, at::date AS day FROM z")
    assert await value(client, "SELECT day::text FROM m") == "2024-01-01"
    await refreshed(client, "m")
    assert await value(client, "SELECT day::text FROM m") == "2024-01-01"


@simulated
async def test_parameters_of_prepared_statements_are_looked_up(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'y'); CREATE INDEX i ON t (a)")
    await indexed(world, client, "SELECT * FROM t WHERE a = 1")
    await client.query("PREPARE q (int) AS SELECT b FROM t WHERE a = $1")
    assert [await value(client, f"EXECUTE q ({n})") for n in (1, 2)] == ["x", "y"]
    await client.query("PREPARE several (int[]) AS SELECT b FROM t WHERE a = ANY ($1) ORDER BY b")
    assert await client.query("EXECUTE several ('{2, 1, 7}')") == [("x",), ("y",)]


# What is kept, and for how long


@simulated
async def test_inputs_are_compacted_behind_what_is_maintained_over_them(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE r (a int) WITH (RETAIN HISTORY FOR '1 s')")
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM r")
    await client.query("CREATE INDEX i ON r (a) WITH (RETAIN HISTORY FOR '1 s')")
    await refreshed(client, "m")
    old = await now_of(client)
    for n in range(60):
        await client.query(f"INSERT INTO r VALUES ({n})")
        await asyncio.sleep(1)
    sql = "SELECT f.read_frontier FROM mz_internal.mz_frontiers f JOIN mz_catalog.mz_tables t ON t.id = f.object_id"
    since = await value(client, f"{sql} WHERE t.name = 'r'")
    assert isinstance(since, int) and since > old
    assert await differences(client, "m") == await differences(client, "i", "INDEX") == []


@simulated
async def test_reads_with_bounded_staleness_do_not_wait_for_views(world: World) -> None:
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t; CREATE INDEX i ON t (a)")
    await refreshed(client, "m")
    await indexed(world, client, "SELECT * FROM t WHERE a = 1")
    await client.query("SET max_staleness TO '10 s'")
    for n in range(3):
        await client.query(f"INSERT INTO t VALUES ({n}, 'x')")
        assert await value(client, "SELECT n FROM m") in range(n + 2)
        assert await client.query(f"SELECT b FROM t WHERE a = {n}") in ([], [("x",)])


@simulated
async def test_a_view_to_which_nothing_comes_is_not_stale(world: World) -> None:
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t")
    await client.query("CREATE MATERIALIZED VIEW on_m AS SELECT n + 1 AS n FROM m; CREATE INDEX i ON t (a)")
    await refreshed(client, "on_m")
    await indexed(world, client, "SELECT * FROM t WHERE a = 1")
    for n in range(40):
        await client.query(f"INSERT INTO u VALUES ({n}, 'x')")
        await asyncio.sleep(1)
    lags = "SELECT o.name FROM mz_internal.mz_wallclock_global_lag l JOIN mz_catalog.mz_objects o ON o.id = l.object_id"
    assert await client.query(f"{lags} WHERE l.lag > '3 s'") == []
    await client.query("SET max_staleness TO '2 s'")
    assert await client.query("SELECT m.n, on_m.n FROM m, on_m") == [(0, 1)]
    assert await client.query("SELECT b FROM t WHERE a = 1") == []
    assert await value(client, "SELECT count(*) FROM u, on_m") in range(39, 41)


@simulated
async def test_a_subscription_and_a_named_hold_take_a_materialized_view(world: World) -> None:
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t")
    await refreshed(client, "m")
    await client.query("CREATE READ HOLD h ON m")
    start = await now_of(client)
    await client.query("INSERT INTO t VALUES (1, 'x')")
    end = await now_of(client)
    rows = await client.query(f"SUBSCRIBE m AS OF {start} UP TO {end + 1}")
    assert [(row[1], row[2]) for row in rows[:1]] == [(1, 0)]
    assert sorted((row[1], row[2]) for row in rows[1:]) == [(-1, 0), (1, 1)]
    await client.query("DROP READ HOLD h")


@simulated
async def test_relations_tell_how_views_are(world: World) -> None:
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t; CREATE INDEX i ON m (n)")
    await refreshed(client, "m")
    await indexed(world, client, "SELECT * FROM m WHERE n = 0")
    joined = "mz_catalog.mz_objects o JOIN mz_internal.{} r ON r.object_id = o.id WHERE o.name IN ('i', 'm') ORDER BY 1"
    assert await client.query(f"SELECT o.name, r.hydrated FROM {joined.format('mz_hydration_statuses')}") == [
        ("i", True),
        ("m", True),
    ]
    assert await client.query(f"SELECT o.name, r.status FROM {joined.format('mz_dataflow_statuses')}") == [
        ("i", "running"),
        ("m", "running"),
    ]
    lags = await client.query(
        "SELECT o.name, r.global_lag < '1 min', t.name FROM mz_internal.mz_materialization_lag r"
        " JOIN mz_catalog.mz_objects o ON o.id = r.object_id"
        " JOIN mz_catalog.mz_objects t ON t.id = r.slowest_global_input_id ORDER BY 1"
    )
    assert lags == [("i", True, "t"), ("m", True, "t")]
    behind = await client.query(f"SELECT o.name, r.lag < '1 min' FROM {joined.format('mz_wallclock_global_lag')}")
    assert behind == [("i", True), ("m", True)]


@simulated
async def test_show_and_explain_tell_what_there_is(world: World) -> None:
    client = world.client()
    await client.query(f"CREATE VIEW v AS {TOTALS}; CREATE DEFAULT INDEX ON v; CREATE INDEX ON t (a, lower(b))")
    await client.query(f"CREATE MATERIALIZED VIEW m WITH (INCREMENTAL = STRICT) AS {TOTALS}")
    assert await client.query("SHOW INDEXES") == [
        ("t_a_lower_idx", "t", "default", ("a", "lower(b)")),
        ("v_primary_idx", "v", "default", ("b",)),
    ]
    assert await client.query("SHOW INDEXES ON t") == [("t_a_lower_idx", "t", "default", ("a", "lower(b)"))]
    assert await client.query("SHOW MATERIALIZED VIEWS") == [("m",)]
    ((_, sql),) = await client.query("SHOW CREATE MATERIALIZED VIEW m")
    assert str(sql).startswith("CREATE MATERIALIZED VIEW public.m WITH (INCREMENTAL = STRICT) AS SELECT b, count(*)")
    ((_, sql),) = await client.query("SHOW CREATE INDEX t_a_lower_idx")
    assert sql == "CREATE INDEX t_a_lower_idx ON public.t USING btree (a, lower(b));"
    for query in ("MATERIALIZED VIEW m", "VIEW v", f"CREATE MATERIALIZED VIEW other AS {TOTALS}"):
        plan = await explained(client, query)
        assert "[accumulable]" in plan and "Arranged by" in plan, plan
    plan = await explained(client, "INDEX v_primary_idx")
    assert plan.startswith("Index public.v_primary_idx") and "[accumulable]" in plan
    assert await fails(client, "SELECT * FROM other") == "42P01"
    lines = await client.query("EXPLAIN TIMESTAMP FOR SELECT * FROM m")
    assert any("source public.m" in str(line) for (line,) in lines)


@simulated
async def test_a_transaction_creates_tables_and_what_is_maintained_over_them_at_once(world: World) -> None:
    client = world.client()
    await client.query(
        "BEGIN; CREATE TABLE n (a int); INSERT INTO n VALUES (1), (2);"
        "CREATE MATERIALIZED VIEW m AS SELECT sum(a) AS s FROM n; CREATE INDEX ON n (a);"
        "CREATE MATERIALIZED VIEW on_m AS SELECT s * 2 AS s FROM m; CREATE DEFAULT INDEX ON on_m;"
        "SAVEPOINT p; CREATE INDEX gone ON n (a); ROLLBACK TO p; INSERT INTO n VALUES (3)"
    )
    assert await value(client, "SELECT s FROM on_m") == 12
    await client.query("COMMIT")
    assert await value(client, "SELECT s FROM on_m") == 12
    await refreshed(client, "on_m")
    await indexed(world, client, "SELECT * FROM n WHERE a = 3")
    assert await client.query("SELECT * FROM n WHERE a = 3") == [(3,)]
    assert await differences(client, "on_m") == await differences(client, "n_a_idx", "INDEX") == []
    assert await client.query("SHOW INDEXES") == [
        ("n_a_idx", "n", "default", ("a",)),
        ("on_m_primary_idx", "on_m", "default", ("s",)),
    ]


@simulated
async def test_a_crash_amid_a_replacement_leaves_the_old_view_and_gives_its_shard_up(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'); CREATE MATERIALIZED VIEW m AS SELECT a FROM t")
    await refreshed(client, "m")
    world.life.host.available = False
    world.life.host.crash()
    replacing = asyncio.create_task(client.query("CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT a + 1 AS a FROM t"))
    await asyncio.sleep(1)
    assert not replacing.done()
    shards = {str(collection.id) for collection in world.life.environment.storage.collections()}
    await world.restart()
    client = world.client()
    assert await value(client, "SELECT a FROM m") == 1
    storage = world.life.environment.storage
    assert {str(collection.id) for collection in storage.collections()} == shards
    assert [collection.state.dropped for collection in storage.collections()].count(True) == 1
    await client.query("CREATE MATERIALIZED VIEW other AS SELECT a * 5 AS a FROM t")
    assert await value(client, "SELECT a FROM other") == 5
    await client.query("CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT a + 1 AS a FROM t")
    assert await value(client, "SELECT a FROM m") == 2
    replacing.cancel()


@simulated
async def test_a_replacement_that_is_cancelled_leaves_nothing(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'); CREATE MATERIALIZED VIEW m AS SELECT a FROM t")
    await refreshed(client, "m")
    before = set(world.life.environment.dataflows)
    world.life.host.available = False
    world.life.host.crash()
    replacing = asyncio.create_task(client.query("CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT a + 1 AS a FROM t"))
    await asyncio.sleep(1)
    client.session.cancel()
    await asyncio.wait([replacing])
    assert "canceling statement" in str(replacing.exception())
    assert set(world.life.environment.dataflows) == before
    world.life.host.available = True
    assert await value(client, "SELECT a FROM m") == 1
