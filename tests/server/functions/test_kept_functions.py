"""Users' functions in the catalog, in what is maintained, and at past times."""

from __future__ import annotations

from tests.server.world import World, fails, now_of, simulated

_FUNCTIONS = (
    "CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n * 2'",
    """CREATE FUNCTION worth(of text, floor int DEFAULT 0) RETURNS bigint LANGUAGE sql STABLE
        AS 'SELECT sum(t.a) FROM t WHERE t.b = worth.of AND t.a > floor'""",
    "CREATE FUNCTION joint(of text) RETURNS bigint LANGUAGE sql STRICT RETURN worth(of) + twice(1)",
)


async def _made(world: World) -> None:
    client = world.client()
    for sql in _FUNCTIONS:
        await client.query(sql)
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, 'y')")
    await client.query("INSERT INTO u VALUES (1, 'x'), (2, 'y'), (3, 'z')")


@simulated
async def test_functions_survive_a_restart_and_are_called_at_a_past_time(world: World) -> None:
    await _made(world)
    sql = "SELECT b, worth(b, floor => 1), joint(b) FROM u"
    rows = sorted(await world.client().query(sql), key=repr)
    assert rows == [("x", 2, 5), ("y", 3, 5), ("z", None, None)]
    time = await now_of(world.client())
    await world.client().query("DELETE FROM t WHERE a = 1")
    await world.client().query("CREATE OR REPLACE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 20'")
    await world.restart()
    assert sorted(await world.client().query(sql), key=repr)[:2] == [("x", 2, 22), ("y", 3, 23)]
    # Past rows, by the functions of today.
    past = sorted(await world.client().query(f"{sql} AS OF {time}"), key=repr)
    assert past[:2] == [("x", 2, 23), ("y", 3, 23)]


@simulated
async def test_maintained_views_keep_what_functions_compute(world: World) -> None:
    await _made(world)
    client = world.client()
    await client.query("CREATE MATERIALIZED VIEW kept AS SELECT b, joint(b) AS n, twice(a) AS m FROM u")
    await client.query("CREATE VIEW shown AS SELECT twice(a) AS m FROM t")
    await client.query("INSERT INTO t VALUES (10, 'z')")
    wanted = [("x", 5, 2), ("y", 5, 4), ("z", 12, 6)]
    assert sorted(await client.query("SELECT * FROM kept")) == wanted
    await world.restart()
    client = world.client()
    assert sorted(await client.query("SELECT * FROM kept")) == wanted
    # What is kept was computed with the function as it is; a view asks it anew.
    replaced = "CREATE OR REPLACE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 3'"
    assert await fails(client, replaced) == "2BP01"
    assert await fails(client, "DROP FUNCTION worth") == "2BP01"
    assert await fails(client, "DROP TABLE t") == "2BP01"
    assert await fails(client, "ALTER TABLE t DROP COLUMN a") == "2BP01"
    assert await fails(client, "ALTER FUNCTION twice RENAME TO other") == "0A000"
    await client.query("DROP MATERIALIZED VIEW kept")
    await client.query(replaced)
    assert sorted(await client.query("SELECT m FROM shown")) == [(3,), (6,), (9,), (30,)]
    await client.query("DROP FUNCTION twice CASCADE")
    assert await fails(client, "SELECT * FROM shown") == "42P01"
    assert await fails(client, "SELECT joint('x')") == "42883"


@simulated
async def test_functions_of_rows_are_maintained_kept_and_replaced_as_they_are(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, 'y')")
    table = "CREATE OR REPLACE FUNCTION rows_of(of text) RETURNS TABLE(n int, doubled bigint) LANGUAGE sql STABLE AS "
    await client.query(table + "'SELECT a, a * 2 FROM t WHERE b = of'")
    await client.query("CREATE FUNCTION all_of() RETURNS SETOF int LANGUAGE sql BEGIN ATOMIC SELECT a FROM t; END")
    await client.query("CREATE MATERIALIZED VIEW kept AS SELECT u.b, r.doubled FROM u, rows_of(u.b) AS r")
    await client.query("CREATE MATERIALIZED VIEW listed AS SELECT b, (rows_of(b)).n FROM u")
    await client.query("CREATE VIEW shown AS SELECT n FROM rows_of('x')")
    await client.query("INSERT INTO u VALUES (1, 'x'), (2, 'z')")
    assert sorted(await client.query("SELECT * FROM kept")) == [("x", 2), ("x", 4)]
    await client.query("INSERT INTO t VALUES (10, 'z')")
    await client.query("DELETE FROM t WHERE a = 1")
    await world.restart()
    client = world.client()
    assert sorted(await client.query("SELECT * FROM kept")) == [("x", 4), ("z", 20)]
    assert sorted(await client.query("SELECT * FROM listed")) == [("x", 2), ("z", 10)]
    assert sorted(await client.query("SELECT all_of FROM all_of()")) == [(2,), (3,), (10,)]
    assert await fails(client, table + "'SELECT 1, 2'") == "2BP01"
    assert await fails(client, table.replace("doubled", "other") + "'SELECT a, a FROM t'") == "42P13"
    assert await fails(client, table.replace("TABLE(n int, doubled bigint)", "int") + "'SELECT 1'") == "42P13"
    await client.query("DROP MATERIALIZED VIEW kept")
    await client.query("DROP MATERIALIZED VIEW listed")
    await client.query(table + "'SELECT a + 1, 0 FROM t WHERE b = of'")
    assert sorted(await client.query("SELECT n FROM shown")) == [(3,)]


@simulated
async def test_functions_of_rows_are_refused_where_they_do_not_run(world: World) -> None:
    client = world.client()
    await client.query("CREATE FUNCTION several(n int) RETURNS SETOF int LANGUAGE sql AS 'SELECT a FROM t WHERE a > n'")
    for sql in (
        "SELECT a FROM t WHERE several(a) > 1",
        "SELECT several(a) FROM t HAVING several(1) > 1",
        "SELECT * FROM several((random() * 10)::int)",
        "CREATE TABLE d (a int DEFAULT several(1))",
    ):
        assert await fails(client, sql) == "0A000", sql


@simulated
async def test_what_functions_may_not_be_is_refused(world: World) -> None:
    await _made(world)
    client = world.client()
    for sql in (
        "CREATE FUNCTION f(n int) RETURNS int LANGUAGE sql AS 'SELECT f(n - 1)'",
        "CREATE OR REPLACE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT joint(n::text)::int'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET role = 'none' AS 'SELECT 1'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'f'",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE FUNCTION f(\"any\") RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION f(anycompatiblenonarray) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN COMMIT; RETURN 1; END'",
        "CREATE FUNCTION f(n int) RETURNS SETOF int LANGUAGE sql AS 'SELECT * FROM f(n - 1)'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql WINDOW AS 'SELECT 1'",
        "SELECT (SELECT n FROM (SELECT twice(1) AS n) AS q WHERE worth('x', (random() * n)::int) > 0)",
    ):
        assert await fails(client, sql) == "0A000", sql


@simulated
async def test_functions_that_double_their_calls_are_stopped(world: World) -> None:
    client = world.client()
    await client.query("CREATE FUNCTION f0(n int) RETURNS int LANGUAGE sql AS 'SELECT n + 1'")
    for number in range(1, 9):
        body = f"SELECT f{number - 1}(n) + f{number - 1}(n)"
        await client.query(f"CREATE FUNCTION f{number}(n int) RETURNS int LANGUAGE sql AS '{body}'")
    assert await client.query("SELECT f8(1)") == [(512,)]
    assert await fails(client, "SELECT f8(1) + f8(2)") == "54001"


@simulated
async def test_a_function_by_the_name_of_one_of_the_systems_changes_no_text_that_is_kept(world: World) -> None:
    client = world.client()
    await client.query(
        "CREATE TABLE kept (v varchar CHECK (lower(v) = v), d text DEFAULT lower('D'::varchar),"
        " g text GENERATED ALWAYS AS (lower(v)) STORED); CREATE UNIQUE INDEX ON kept (lower(v));"
        "CREATE DOMAIN low AS varchar CHECK (lower(VALUE) = VALUE);"
        "CREATE FUNCTION lower(x varchar) RETURNS text LANGUAGE sql RETURN 'taken'"
    )
    await client.query("INSERT INTO kept VALUES ('a'); UPDATE kept SET v = 'b'")
    assert await fails(client, "INSERT INTO kept VALUES ('B')") == "23514"
    assert await fails(client, "INSERT INTO kept VALUES ('b')") == "23505"
    assert await fails(client, "SELECT 'B'::varchar::low") == "23514"
    assert await client.query("SELECT v, d, g, lower(v), v::low FROM kept") == [("b", "d", "b", "taken", "b")]


@simulated
async def test_tables_beneath_functions_comments_on_them_and_the_ends_of_bodies(world: World) -> None:
    await _made(world)
    client = world.client()
    assert await fails(client, "ALTER TABLE t ALTER COLUMN a TYPE bigint") == "0A000"
    assert await fails(client, "ALTER TABLE t ALTER COLUMN b TYPE varchar") == "0A000"
    await client.query("COMMENT ON FUNCTION twice(int) IS 'two'; COMMENT ON FUNCTION joint IS 'all'")
    shown = "SELECT obj_description(oid, 'pg_proc') FROM pg_proc WHERE proname IN ('twice', 'joint') ORDER BY 1"
    assert await client.query(shown) == [("all",), ("two",)]
    for body in (
        "SELECT 'İİ end'; END",
        "SELECT 'İİ end'; END /* the end */",
        "SELECT 'İİ end' AS \"end\"; END -- end\n",
    ):
        await client.query(f"CREATE OR REPLACE FUNCTION ended() RETURNS text LANGUAGE sql BEGIN ATOMIC {body}")
        assert await client.query("SELECT ended()") == [("İİ end",)]


@simulated
async def test_functions_that_read_rows_are_refused_where_no_query_runs(world: World) -> None:
    await _made(world)
    client = world.client()
    await client.query("PREPARE p(bigint) AS SELECT $1 + 1")
    assert await client.query("EXECUTE p(twice(twice(1) + 1))") == [(7,)]
    assert await fails(client, "EXECUTE p(worth('x'))") == "0A000"


@simulated
async def test_defaults_name_relations_for_ever_and_arguments_by_place_come_first(world: World) -> None:
    client = world.client()
    await client.query(
        "CREATE SEQUENCE s; CREATE SCHEMA other; CREATE SEQUENCE other.s START 100;"
        "CREATE FUNCTION next_of(n bigint DEFAULT nextval('s')) RETURNS bigint LANGUAGE sql AS 'SELECT n';"
        "CREATE FUNCTION less(a int, b int DEFAULT 2) RETURNS int LANGUAGE sql RETURN a - b;"
        "CREATE FUNCTION date(n int) RETURNS date LANGUAGE sql RETURN '2000-01-01'::date + n"
    )
    assert await client.query("SELECT next_of(), next_of(7)") == [(1, 7)]
    await client.query("SET search_path = other, public")
    assert await client.query("SELECT next_of()") == [(2,)]
    assert await fails(client, "DROP SEQUENCE public.s") == "2BP01"
    await client.query("ALTER SEQUENCE public.s RENAME TO renamed")
    await world.restart()
    client = world.client()
    assert len(await client.query("SELECT next_of()")) == 1
    assert await client.query("SELECT less(1, b => 5), less(b => 1, a => 9)") == [(-4, 8)]
    assert await fails(client, "SELECT less(a => 1, 5)") == "42601"
    shown = await client.query("SELECT date(5)::text, date('2020-01-01')::text, date('2020-01-02'::text)::text")
    assert shown == [("2000-01-06", "2020-01-01", "2020-01-02")]


@simulated
async def test_a_schema_keeps_its_name_while_others_name_its_functions(world: World) -> None:
    client = world.client()
    await client.query("CREATE SCHEMA s; CREATE SCHEMA r; CREATE FUNCTION s.one() RETURNS int LANGUAGE sql RETURN 1")
    await client.query("CREATE VIEW named AS SELECT s.one() AS x")
    for sql in ("ALTER SCHEMA s RENAME TO q", "ALTER SCHEMA s SWAP WITH r", "ALTER SCHEMA r SWAP WITH s"):
        assert await fails(client, sql) == "0A000"
    await client.query("DROP VIEW named; ALTER SCHEMA s RENAME TO q")
    assert await client.query("SELECT q.one()") == [(1,)]


@simulated
async def test_comments_on_functions_are_listed(world: World) -> None:
    client = world.client()
    await client.query(
        "CREATE FUNCTION one() RETURNS int LANGUAGE sql RETURN 1; COMMENT ON FUNCTION one() IS 'the first'"
    )
    listed = "SELECT description FROM pg_description WHERE classoid = 'pg_proc'::regclass AND objoid = 'one'::regproc"
    assert await client.query(listed) == [("the first",)]
    await client.query("DROP FUNCTION one")
    assert await client.query("SELECT * FROM pg_description") == []
