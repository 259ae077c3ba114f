"""WITH MUTUALLY RECURSIVE: what it means, and what is refused at which place."""

from __future__ import annotations

import random

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Row
from planner.explain import explain
from planner.interpret.evaluate import evaluate_query
from planner.ir.query import Query
from planner.plans.queries import SelectPlan
from planner.plans.views import CreateViewPlan
from planner.rules.pipeline import optimize
from planner.statements.plan_statement import plan_statement
from planner.syntax.parse import parse
from tests.planner.query.judged_queries import Judge, answer, judged
from tests.planner.rules.typecheck import check_query
from tests.planner.small_catalog import SmallCatalog


def _query(catalog: SmallCatalog, sql: str) -> Query:
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    check_query(plan.query)
    return plan.query


def _rows(sql: str, catalog: SmallCatalog | None = None) -> list[Row]:
    """As planned, by definition, and as optimized: the same rows."""
    catalog = catalog or SmallCatalog()
    query = _query(catalog, sql)
    optimized = Query(optimize(query.relation), query.finishing, query.desc)
    check_query(optimized)
    rows = evaluate_query(query, catalog.evaluation())
    assert sorted(evaluate_query(query, catalog.evaluation(), obvious=True), key=repr) == sorted(rows, key=repr)
    assert sorted(evaluate_query(optimized, catalog.evaluation()), key=repr) == sorted(rows, key=repr)
    return rows


def _fails(sql: str, catalog: SmallCatalog | None = None) -> tuple[str, str, int | None]:
    with pytest.raises(SqlError) as caught:
        _rows(sql, catalog)
    return caught.value.sqlstate.value, caught.value.message, caught.value.position


# What it means


def _graph(postgres: Judge, seed: int) -> SmallCatalog:
    """A table `edge` (a, b, w), here and with the judge."""
    dice = random.Random(seed)
    nodes = dice.randint(2, 7)
    edges = [(dice.randrange(nodes), dice.randrange(nodes), dice.randint(1, 9)) for _ in range(dice.randint(1, 12))]
    catalog = SmallCatalog()
    rows = ", ".join(map(str, edges))
    postgres.execute(b"drop table if exists edge")
    for statement in ("create table edge (a int, b int, w int)", f"insert into edge values {rows}"):
        catalog.run(statement)
        postgres.execute(statement.replace("create table", "create temp table").encode())
    return catalog


@pytest.mark.parametrize("seed", range(12))
def test_reachable_nodes_and_shortest_paths_are_those_of_with_recursive(postgres: Judge, seed: int) -> None:
    catalog = _graph(postgres, seed)
    closure = "r AS (SELECT a, b FROM edge UNION SELECT r.a, e.b FROM r JOIN edge e ON r.b = e.a) SELECT * FROM r"
    expected = judged(postgres, f"WITH RECURSIVE {closure}")
    assert answer(catalog, f"WITH MUTUALLY RECURSIVE {closure.replace('r AS', 'r (a int, b int) AS', 1)}") == expected
    squared = "SELECT x.a, y.b FROM r x JOIN r y ON x.b = y.a"
    whole = f"WITH MUTUALLY RECURSIVE r (a int, b int) AS (SELECT a, b FROM edge UNION {squared}) SELECT * FROM r"
    assert answer(catalog, whole) == expected
    paths = """WITH RECURSIVE p AS (SELECT 0 AS node, 0 AS cost, 0 AS steps
        UNION ALL SELECT e.b, p.cost + e.w, p.steps + 1 FROM p JOIN edge e ON p.node = e.a WHERE p.steps < 7)
        SELECT node, min(cost) FROM p GROUP BY node"""
    shortest = """WITH MUTUALLY RECURSIVE d (node int, cost int) AS (SELECT node, min(cost) FROM (
        SELECT 0 AS node, 0 AS cost UNION ALL SELECT e.b, d.cost + e.w FROM d JOIN edge e ON d.node = e.a) AS s
        GROUP BY node) SELECT * FROM d"""
    assert answer(catalog, shortest) == judged(postgres, paths)


def test_bindings_read_each_other_whichever_comes_first() -> None:
    even, odd = "SELECT 0 UNION SELECT n + 1 FROM odd", "SELECT n + 1 FROM even WHERE n < 9"
    bindings = [f"even (n int) AS ({even})", f"odd (n int) AS ({odd})"]
    both = "SELECT 'even', n FROM even UNION ALL SELECT 'odd', n FROM odd"
    for order in (bindings, bindings[::-1]):
        rows = _rows(f"WITH MUTUALLY RECURSIVE {', '.join(order)} {both}")
        assert sorted(rows) == [("even", n) for n in range(0, 11, 2)] + [("odd", n) for n in range(1, 10, 2)]


@pytest.mark.parametrize(("order", "rounds", "expected"), [("ab", 1, [(1,)]), ("ba", 1, []), ("ba", 2, [(1,)])])
def test_a_round_shows_later_bindings_what_earlier_ones_have_become(
    order: str, rounds: int, expected: list[Row]
) -> None:
    bindings = {"a": "a (n int) AS (SELECT 1)", "b": "b (n int) AS (SELECT n FROM a)"}
    listed = ", ".join(bindings[name] for name in order)
    assert _rows(f"WITH MUTUALLY RECURSIVE (RETURN AT RECURSION LIMIT {rounds}) {listed} TABLE b") == expected


@pytest.mark.parametrize(("rounds", "expected"), [(1, [(1,)]), (2, []), (3, [(1,)]), (1000, [])])
def test_what_never_settles_is_what_it_is_at_the_limit(rounds: int, expected: list[Row]) -> None:
    flips = "x (n int) AS (SELECT 1 WHERE NOT EXISTS (SELECT FROM x))"
    assert _rows(f"WITH MUTUALLY RECURSIVE (RETURN AT RECURSION LIMIT = {rounds}) {flips} TABLE x") == expected


def test_rows_have_multiplicities_and_may_be_taken_away() -> None:
    counted = """WITH MUTUALLY RECURSIVE (RETURN AT RECURSION LIMIT 4) c (n int) AS (SELECT 1 UNION ALL SELECT n FROM c)
        SELECT count(*) FROM c"""
    assert _rows(counted) == [(4,)]
    doubled = "c (n int) AS ((SELECT 1 UNION ALL SELECT n FROM c) EXCEPT ALL SELECT 1 FROM c)"
    assert _rows(f"WITH MUTUALLY RECURSIVE {doubled} TABLE c") == [(1,)]
    sieve = """WITH MUTUALLY RECURSIVE
        composite (n int) AS (SELECT p.n * k FROM prime p, generate_series(2, 15) k WHERE p.n * k <= 30),
        prime (n int) AS (SELECT generate_series(2, 30) EXCEPT TABLE composite)
        SELECT * FROM prime ORDER BY n"""
    assert _rows(sieve) == [(n,) for n in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)]


@pytest.mark.parametrize("limit", ["ERROR AT RECURSION LIMIT", "RECURSION LIMIT"])
def test_the_limit_is_an_error_when_its_last_round_changed_something(limit: str) -> None:
    sql = "WITH MUTUALLY RECURSIVE ({} {}) c (n int) AS (SELECT 1 UNION SELECT n + 1 FROM c WHERE n < 3) TABLE c"
    assert sorted(_rows(sql.format(limit, 4))) == [(1,), (2,), (3,)]
    message = "a recursive query exceeded the recursion limit 3"
    assert _fails(sql.format(limit, 3)) == (Sqlstate.PROGRAM_LIMIT_EXCEEDED, message, None)


def test_recursions_stand_in_subqueries_and_in_each_other() -> None:
    catalog = SmallCatalog()
    catalog.run("create table t (k int)")
    catalog.run("insert into t values (0), (2), (2), (5), (null)")
    down = "WITH MUTUALLY RECURSIVE c (n int) AS (SELECT t.k UNION SELECT n - 1 FROM c WHERE n > 0)"
    counted = _rows(f"SELECT k, ({down} SELECT count(*) FROM c) FROM t ORDER BY k", catalog)
    assert counted == [(0, 1), (2, 3), (2, 3), (5, 6), (None, 1)]
    limited = down.replace("RECURSIVE c", "RECURSIVE (RETURN AT RECURSION LIMIT 4) c")
    lateral = f"SELECT k, s.n FROM t, LATERAL ({limited} SELECT min(n) FROM c) AS s (n) WHERE k > 0 ORDER BY k"
    assert _rows(lateral, catalog) == [(2, 0), (2, 0), (5, 2)]
    nested = """WITH MUTUALLY RECURSIVE o (n int) AS (
        SELECT 1 UNION (WITH MUTUALLY RECURSIVE i (m int) AS (SELECT n + 3 FROM o UNION SELECT m + 3 FROM i WHERE m < 8)
        SELECT m FROM i WHERE m < 12)) SELECT * FROM o ORDER BY n"""
    assert _rows(nested) == [(1,), (4,), (7,), (10,)]
    aside = "WITH MUTUALLY RECURSIVE never (n int) AS (SELECT n + 1 FROM never UNION ALL SELECT 1) SELECT 7"
    assert _rows(aside) == [(7,)]


def test_a_statement_that_changes_data_may_recur() -> None:
    catalog = SmallCatalog()
    catalog.run("create table t (k int)")
    counting = "with mutually recursive c (n int) as (select {} union select n + 1 from c where n < 4)"
    catalog.run(f"{counting.format(1)} insert into t table c")
    catalog.run(f"{counting.format(3)} delete from t using c where k = n")
    assert sorted(catalog.run("table t")) == [(1,), (2,)]


# Types


def test_values_are_cast_to_the_declared_types_as_insert_does() -> None:
    sql = """WITH MUTUALLY RECURSIVE r (a int, b numeric(4, 1), c text, d "char"[], e double precision) AS (
        SELECT 1.6, 2.25, NULL, '{x}', 3 UNION SELECT a, b, c, d, e FROM r) TABLE r"""
    query = _query(SmallCatalog(), sql)
    assert [str(column.type) for column in query.desc.columns] == [
        "integer",
        "numeric(4,1)",
        "text",
        '"char"[]',
        "double precision",
    ]
    assert [str(cell) for cell in _rows(sql)[0]] == ["2", "2.3", "None", "('x',)", "3.0"]
    assert [column.name for column in query.desc.columns] == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("sql", "state", "message", "place"),
    [
        (
            "WITH MUTUALLY RECURSIVE r (a int) AS (SELECT DATE '2024-01-01') TABLE r",
            Sqlstate.DATATYPE_MISMATCH,
            'WITH MUTUALLY RECURSIVE query "r" declared types (integer), but query returns types (date)',
            "DATE",
        ),
        (
            "SELECT 'é'; WITH MUTUALLY RECURSIVE r (a int) AS (SELECT 1, 2) TABLE r",
            Sqlstate.DATATYPE_MISMATCH,
            'WITH MUTUALLY RECURSIVE query "r" declared types (integer), but query returns types (integer, integer)',
            "r (a",
        ),
        (
            "WITH MUTUALLY RECURSIVE r (a größe) AS (SELECT 1) TABLE r",
            Sqlstate.UNDEFINED_OBJECT,
            'type "größe" does not exist',
            "größe",
        ),
        (
            "WITH MUTUALLY RECURSIVE r (a int, a int) AS (SELECT 1, 2) TABLE r",
            Sqlstate.DUPLICATE_COLUMN,
            'column "a" specified more than once',
            "r (a",
        ),
        (
            "WITH MUTUALLY RECURSIVE r (a int) AS (SELECT 1), r (b int) AS (SELECT 1) TABLE r",
            Sqlstate.DUPLICATE_ALIAS,
            'WITH query name "r" specified more than once',
            "r (b",
        ),
        (
            'WITH MUTUALLY RECURSIVE r (a "größe", b int) AS (SELECT 1,) TABLE r',
            Sqlstate.SYNTAX_ERROR,
            'syntax error at or near ")"',
            ") TABLE",
        ),
        (
            'WITH MUTUALLY RECURSIVE r (a "größe") AS (SELECT 1) SELECT x FROM r AS OF (5',
            Sqlstate.SYNTAX_ERROR,
            "syntax error at end of input",
            "",
        ),
        ("WITH MUTUALLY RECURSIVE r (a) AS (SELECT 1) TABLE r", Sqlstate.SYNTAX_ERROR, 'at or near ")"', ") AS"),
        ("WITH MUTUALLY RECURSIVE r AS (SELECT 1) TABLE r", Sqlstate.SYNTAX_ERROR, 'at or near "AS"', "AS"),
        ("WITH MUTUALLY RECURSIVE r (a int int) AS (SELECT 1) TABLE r", Sqlstate.SYNTAX_ERROR, 'near "int"', "int)"),
        ("WITH MUTUALLY RECURSIVE (LIMIT 5) r (a int) AS (SELECT 1) TABLE r", Sqlstate.SYNTAX_ERROR, "LIMIT", "LIMIT"),
        (
            "WITH MUTUALLY RECURSIVE (RECURSION LIMIT 0) r (a int) AS (SELECT 1) TABLE r",
            Sqlstate.INVALID_PARAMETER_VALUE,
            "the recursion limit must be between 1 and 9223372036854775807",
            "0)",
        ),
    ],
)
def test_what_is_wrong_is_said_at_its_place(sql: str, state: Sqlstate, message: str, place: str) -> None:
    with pytest.raises(SqlError) as caught:
        plan_statement(parse(sql)[-1], SmallCatalog().context())
    assert caught.value.sqlstate is state
    assert message in caught.value.message
    assert caught.value.position == (sql.index(place) if place else len(sql)) + 1


# Text


def test_a_view_keeps_its_text_with_schemas_written_out() -> None:
    catalog = SmallCatalog()
    catalog.run("create table t (k int)")
    text = """WITH MUTUALLY RECURSIVE (ERROR AT RECURSION LIMIT 100) r (größe int) AS (
        SELECT k FROM {}t UNION SELECT größe + 1 FROM r WHERE größe < 3) SELECT * FROM r"""
    plan = catalog.plan(f"CREATE VIEW v AS {text.format('')}")
    assert isinstance(plan, CreateViewPlan)
    assert plan.create_sql == f"CREATE VIEW public.v AS {text.format('public.')}"
    again = catalog.plan(plan.create_sql)
    assert isinstance(again, CreateViewPlan)
    assert (again.query.relation, again.create_sql) == (plan.query.relation, plan.create_sql)


def test_its_words_are_taken_for_it_only_where_they_are() -> None:
    with_names = "WITH mutually AS (SELECT 1), recursive AS (SELECT 2) SELECT * FROM mutually, recursive"
    assert _rows(with_names) == [(1, 2)]
    assert _rows("SELECT 'WITH MUTUALLY RECURSIVE r (a int)' -- WITH MUTUALLY RECURSIVE") == [
        ("WITH MUTUALLY RECURSIVE r (a int)",)
    ]


def test_explain_shows_the_bindings_and_the_limit() -> None:
    sql = "WITH MUTUALLY RECURSIVE (RETURN AT RECURSION LIMIT 5) a (n int) AS (TABLE b), b (n int) AS (TABLE a) TABLE b"
    query = _query(SmallCatalog(), sql)
    assert explain(query, str).splitlines() == [
        "With mutually recursive (return at recursion limit 5)",
        "  l1 =",
        "    Get l2",
        "  l2 =",
        "    Get l1",
        "Return",
        "  Get l2",
    ]
