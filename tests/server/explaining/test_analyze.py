"""EXPLAIN ANALYZE runs its statement and tells what ran; FORMAT JSON is the envelope that PostgreSQL's tools read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server

Connection = psycopg.Connection[tuple[Any, ...]]
_MEASURED = re.compile(r"\(actual time=\d+\.\d{3}\.\.\d+\.\d{3} rows=(\d+) loops=1\)$")


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (id int PRIMARY KEY, n int)")
        connection.execute("INSERT INTO t SELECT i, i % 3 FROM generate_series(1, 10) AS s (i)")
        connection.execute("CREATE TABLE written (id int)")
        connection.execute("CREATE VIEW unkept AS SELECT 1 AS a")
        yield server


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[Connection]:
    with server.connect() as connection:
        yield connection


def _lines(connection: Connection, sql: str, parameters: tuple[Any, ...] = ()) -> list[str]:
    return [line for (line,) in connection.execute(sql.encode(), parameters or None).fetchall()]


def _plan(connection: Connection, sql: str) -> dict[str, Any]:
    """The one plan of an EXPLAIN (FORMAT JSON)."""
    ((plans,),) = connection.execute(sql.encode()).fetchall()
    (plan,) = plans
    assert isinstance(plan, dict)
    return plan


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for each in plan.get("Plans", ()):
        yield from _nodes(each)


def test_a_query_is_run_and_its_steps_are_told_with_rows_and_times(connection: Connection) -> None:
    lines = _lines(connection, "EXPLAIN ANALYZE SELECT n, count(*) FROM t GROUP BY n")
    assert lines[0].startswith("Select (actual ") and lines[1].startswith("  Spark (actual ")
    assert [found[1] for line in lines[:2] if (found := _MEASURED.search(line))] == ["3", "3"]
    assert any(line.startswith("    Spark Time: ") for line in lines)
    assert any(line.lstrip().startswith("Reduce by ") for line in lines)
    assert lines[-2].startswith("Planning Time: ") and lines[-1].startswith("Execution Time: ")


def test_what_the_operators_of_a_read_did_is_told_beneath_its_plan(connection: Connection) -> None:
    query = "SELECT n, count(*) FROM t GROUP BY n"
    lines = _lines(connection, f"EXPLAIN (ANALYZE, BUFFERS) {query}")
    at = lines.index("    Spark operators")
    operator = "      Reference of all rows (actual rows=3 loops=1)"
    assert lines[at + 1 : at + 4] == [operator, "        Operator Time: 0.500 ms", "        Bytes: 16"]
    assert lines[at - 1].lstrip().startswith("Read public.t"), "our plan stands above"
    lines = _lines(connection, f"EXPLAIN (ANALYZE, TIMING OFF) {query}")
    assert lines[lines.index(operator) + 1].startswith("Planning Time: ")
    spark = _plan(connection, f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}")["Plan"]["Plans"][0]
    (operators,) = (node for node in spark["Plans"] if node["Node Type"] == "Spark operators")
    figures = {"Actual Rows": 3, "Actual Loops": 1, "Operator Time": 0.5, "Bytes": 16}
    assert operators["Plans"] == [{"Node Type": "Reference", "Detail": "of all rows", **figures}]


def test_an_index_a_system_relation_and_constants_are_steps_of_their_own(connection: Connection) -> None:
    connection.execute("CREATE INDEX IF NOT EXISTS by_n ON t (n)")
    for _ in range(200):
        lines = _lines(connection, "EXPLAIN ANALYZE SELECT id FROM t WHERE n = 1 ORDER BY id")
        if lines[1].startswith("  Index lookup of "):
            break
    found = _MEASURED.search(lines[1])
    assert found is not None and found[1] == "4" and lines[2] == "    key 1: = 1"
    lines = _lines(connection, "EXPLAIN ANALYZE SELECT nspname FROM pg_namespace WHERE nspname = 'pg_catalog'")
    assert lines[1].startswith("  Interpreter (actual ")
    lines = _lines(connection, "EXPLAIN ANALYZE SELECT 1")
    assert lines[0].endswith("rows=1 loops=1)")
    lines = _lines(connection, "EXPLAIN ANALYZE SELECT count(*) FROM generate_series(1, %s)", (5,))
    assert lines[0].endswith("rows=1 loops=1)")


def test_writes_are_made_and_are_undone_with_their_transaction(server: MemoryServer, connection: Connection) -> None:
    with connection.transaction(force_rollback=True):
        inserted = _lines(connection, "EXPLAIN ANALYZE INSERT INTO written SELECT id FROM t RETURNING id")
        assert inserted[0].startswith("Insert into ") and inserted[0].endswith("rows=10 loops=1)")
        assert "  Rows Written: 10" in inserted
        updated = _lines(connection, "EXPLAIN (ANALYZE, TIMING OFF) UPDATE written SET id = 0 WHERE id > 4")
        assert updated[0].endswith(" (actual rows=0 loops=1)") and updated[1] == "  Rows Written: 6"
        assert connection.execute("SELECT count(*) FROM written WHERE id = 0").fetchall() == [(6,)]
        _lines(connection, "EXPLAIN ANALYZE DELETE FROM written WHERE id = 0")
        assert connection.execute("SELECT count(*) FROM written").fetchall() == [(4,)]
    assert connection.execute("SELECT count(*) FROM written").fetchall() == [(0,)]
    _lines(connection, "EXPLAIN ANALYZE INSERT INTO written VALUES (1)")
    with server.connect() as other:
        assert other.execute("SELECT * FROM written").fetchall() == [(1,)]
    lines = _lines(connection, "EXPLAIN ANALYZE WITH w AS (DELETE FROM written RETURNING id) SELECT * FROM w")
    assert lines[0].endswith("rows=1 loops=1)") and lines[1].startswith("  Delete ")
    assert connection.execute("SELECT * FROM written").fetchall() == []


def test_plain_explain_writes_nothing(connection: Connection) -> None:
    for option in ("", "(ANALYZE OFF)", "(ANALYZE, ANALYZE FALSE)", "(ANALYZE 0)"):
        _lines(connection, f"EXPLAIN {option} INSERT INTO written VALUES (1)")
    assert connection.execute("SELECT * FROM written").fetchall() == []


def test_what_fails_or_may_not_be_written_fails(connection: Connection) -> None:
    with pytest.raises(psycopg.errors.DivisionByZero):
        _lines(connection, "EXPLAIN ANALYZE SELECT 1 / n FROM t")
    connection.execute("SET default_transaction_read_only = on")
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        _lines(connection, "EXPLAIN ANALYZE INSERT INTO written VALUES (1)")
    connection.execute("RESET default_transaction_read_only")
    connection.execute("CREATE ROLE reader")
    try:
        connection.execute("SET ROLE reader")
        for sql in ("SELECT * FROM t", "INSERT INTO written VALUES (1)"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                _lines(connection, f"EXPLAIN ANALYZE {sql}")
    finally:
        connection.execute("RESET ROLE")
        connection.execute("DROP ROLE reader")


def test_json_is_one_plan_with_its_inputs_beneath_it(connection: Connection) -> None:
    sql = "SELECT a.n, b.n FROM t AS a JOIN t AS b ON a.id = b.n WHERE a.n > 0"
    plain = _plan(connection, f"EXPLAIN (FORMAT JSON) {sql}")
    assert list(plain) == ["Plan"]
    kinds = [node["Node Type"] for node in _nodes(plain["Plan"])]
    assert kinds.count("Read") == 2 and "Inner join" in kinds and "Filter" in kinds
    text = _lines(connection, f"EXPLAIN {sql}")
    assert len(text) == len(kinds), "each line is a node"
    run = _plan(connection, f"EXPLAIN (ANALYZE, FORMAT JSON, BUFFERS) {sql}")
    assert list(run) == ["Plan", "Planning Time", "Execution Time"]
    top, step = run["Plan"], run["Plan"]["Plans"][0]
    rows = len(connection.execute(sql.encode()).fetchall())
    assert (top["Node Type"], step["Node Type"]) == ("Select", "Spark")
    assert top["Actual Rows"] == step["Actual Rows"] == rows
    assert 0 <= step["Actual Startup Time"] <= step["Actual Total Time"] <= top["Actual Total Time"]
    assert step["Bytes"] > 0 and run["Execution Time"] >= top["Actual Total Time"]
    bare = _plan(connection, f"EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF, SUMMARY OFF) {sql}")
    assert list(bare) == ["Plan"] and not any(name.endswith("Time") for name in bare["Plan"])


def test_several_plans_side_by_side_and_odd_letters_are_json_all_the_same(connection: Connection) -> None:
    sql = """WITH RECURSIVE r AS (SELECT 'a "quoted"\n\\ line' AS x UNION SELECT x || '!' FROM r WHERE length(x) < 30)
        SELECT * FROM r WHERE x IN (SELECT n::text FROM t) AND x <> '\u2028\x01'"""
    plan = _plan(connection, f"EXPLAIN (FORMAT JSON) {sql}")["Plan"]
    assert any("quoted" in node.get("Detail", "") for node in _nodes(plan))
    view = _plan(
        connection, "EXPLAIN (FORMAT JSON) CREATE MATERIALIZED VIEW seen AS SELECT n, count(*) FROM t GROUP BY n"
    )
    assert any("Reduce" in node["Node Type"] for node in _nodes(view["Plan"]))


def test_plans_of_materializes_words_are_json_too(connection: Connection) -> None:
    for words in ("PLAN AS JSON FOR", "PHYSICAL PLAN AS JSON FOR", "TIMESTAMP AS JSON FOR"):
        assert _plan(connection, f"EXPLAIN {words} SELECT n FROM t WHERE n > 0")["Plan"]["Node Type"]


def test_a_maintained_view_tells_its_ticks_and_what_its_steps_keep(connection: Connection) -> None:
    connection.execute("CREATE MATERIALIZED VIEW kept AS SELECT n, count(*) AS c FROM t GROUP BY n")
    try:
        for of, shown in (("", {"Status"}), ("CPU ", {"Status"}), ("MEMORY ", {"Status"})):
            plan = _plan(connection, f"EXPLAIN ANALYZE {of}AS JSON FOR MATERIALIZED VIEW kept")["Plan"]
            assert plan["Node Type"] == "Materialized view" and "public.kept" in plan["Detail"]
            assert shown <= plan.keys()
            assert any("Reduce" in node["Node Type"] for node in _nodes(plan))
        lines = _lines(connection, "EXPLAIN ANALYZE MATERIALIZED VIEW kept")
        assert lines[0].startswith("Materialized view ") and lines[1].startswith("  Status: ")
        with pytest.raises(psycopg.errors.WrongObjectType):
            _lines(connection, "EXPLAIN ANALYZE VIEW unkept")
    finally:
        connection.execute("DROP MATERIALIZED VIEW kept")


def test_a_plan_deeper_than_pythons_stack_is_told(connection: Connection) -> None:
    sql = "SELECT 1 AS a"
    for _ in range(60):
        sql = f"SELECT a FROM ({sql} LIMIT 5) AS s"
    plan = _plan(connection, f"EXPLAIN (FORMAT JSON) {sql}")
    assert plan["Plan"]["Node Type"]


def test_a_description_names_the_column_as_postgres_does(connection: Connection) -> None:
    for options, type_ in (("ANALYZE", 25), ("ANALYZE, FORMAT JSON", 114), ("FORMAT JSON", 114), ("FORMAT TEXT", 25)):
        described = connection.execute(f"EXPLAIN ({options}) SELECT 1".encode()).description
        assert described is not None
        assert [(each.name, each.type_code) for each in described] == [("QUERY PLAN", type_)]


@pytest.mark.parametrize(
    "options",
    [
        "ANALYZE maybe",
        "ANALYZE 2",
        "nonsense",
        "FORMAT",
        "FORMAT nonsense",
        "TIMING",
        "TIMING OFF",
        "WAL",
        "ANALYZE, GENERIC_PLAN",
        "ANALYZE, VERBOSE, COSTS OFF, BUFFERS, TIMING, SUMMARY, SETTINGS, WAL",
        "ANALYZE, TIMING OFF, TIMING ON",
    ],
)
def test_options_are_taken_and_refused_as_by_postgres(connection: Connection, judge: Judge, options: str) -> None:
    def outcome(by: Connection) -> tuple[str | None, str | None]:
        try:
            by.execute(f"EXPLAIN ({options}) SELECT 1".encode())
        except psycopg.Error as error:
            return error.diag.sqlstate, error.diag.message_primary
        return None, None

    with judge.connect() as postgres:
        assert outcome(connection) == outcome(postgres)


def test_a_prepared_statement_is_explained_and_run_with_the_values_of_execute(connection: Connection) -> None:
    connection.execute("PREPARE few (int) AS SELECT id FROM t WHERE n = $1")
    connection.execute("PREPARE writing (int) AS INSERT INTO written VALUES ($1), ($1 + 1) RETURNING id")
    assert _lines(connection, "EXPLAIN EXECUTE few (1)")[-1].lstrip().startswith("Read ")
    told = _lines(connection, "EXPLAIN (ANALYZE, TIMING off, SUMMARY off) EXECUTE few (1)")
    assert told[0] == "Select (actual rows=4 loops=1)"
    assert "Rows Written" in str(_plan(connection, "EXPLAIN (ANALYZE, FORMAT json) EXECUTE writing (70)"))
    assert connection.execute("SELECT id FROM written WHERE id >= 70 ORDER BY id").fetchall() == [(70,), (71,)]
    connection.commit()
    for wrong, sqlstate in (("EXECUTE none", "26000"), ("EXECUTE few", "42601"), ("EXECUTE few ('x')", "22P02")):
        with pytest.raises(psycopg.Error) as raised:
            connection.execute(f"EXPLAIN {wrong}".encode())
        assert raised.value.sqlstate == sqlstate
        connection.rollback()
