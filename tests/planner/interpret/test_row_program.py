"""What is compiled once gives what evaluating the query each time gives; what could keep others waiting is refused."""

from __future__ import annotations

import decimal
import functools
from collections.abc import Sequence

import pytest

from model.errors.sql_error import SqlError
from model.types.datum import Datum, Row
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query
from planner.interpret.parameters import bind_query
from planner.interpret.row_program import CompiledRows, RowProgram, constant_rows_below
from planner.ir.query import Query
from planner.plans.queries import SelectPlan
from tests.planner.small_catalog import SESSION, SmallCatalog

_ROWS: list[Row] = [
    (1, "x", decimal.Decimal("1.5")),
    (2, None, None),
    (0, "yy", decimal.Decimal(-3)),
    (0, "yy", decimal.Decimal(-3)),
]


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    catalog.run("CREATE TABLE t (k int, s text, n numeric)")
    (id_,) = catalog.rows
    catalog.rows[id_] = list(_ROWS)
    return catalog


def _query(catalog: SmallCatalog, sql: str) -> Query:
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    return plan.query


def _compiled(query: Query) -> CompiledRows:
    compiled = RowProgram(query).compiled()
    assert compiled is not None
    return compiled


def _by_definition(catalog: SmallCatalog, query: Query, parameters: tuple[Datum, ...]) -> object:
    bound = bind_query(query, parameters, SESSION)
    try:
        return sorted(
            evaluate_query(bound, EvaluationContext(session=SESSION, collections=catalog.rows.__getitem__)), key=repr
        )
    except SqlError as error:
        return error.sqlstate


def _by_program(
    compiled: CompiledRows, parameters: tuple[Datum, ...], rows: Sequence[tuple[Datum, ...]] = _ROWS
) -> object:
    try:
        return sorted(compiled.run(rows, parameters, SESSION), key=repr)
    except SqlError as error:
        return error.sqlstate


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM t",
        "SELECT n, k FROM t WHERE k = $1",
        "SELECT k + $1, s || $2, n FROM t WHERE k >= $1 - 1 AND s IS NOT NULL",
        "SELECT 10 / k FROM t WHERE k < $1 + 1",
        "SELECT 10 / k FROM t WHERE k <> 0 AND 10 / k > $1",
        "SELECT now(), CURRENT_USER, $2::text FROM t WHERE k = ANY (ARRAY[$1, 2])",
        "SELECT CASE WHEN k = $1 THEN coalesce(s, $2) ELSE n::text END FROM t",
        "SELECT x + $1 FROM (SELECT k * 2 AS x, s FROM t WHERE n IS NOT NULL) q WHERE s <> $2 OR x > 1",
        "SELECT k, s, n, k, s, n + $1 FROM t WHERE k = $1",
    ],
)
@pytest.mark.parametrize("parameters", [(1, "z"), (0, "yy"), (None, None)])
def test_a_program_gives_what_the_query_means(catalog: SmallCatalog, sql: str, parameters: tuple[Datum, ...]) -> None:
    query = _query(catalog, sql)
    compiled = _compiled(query)
    # Twice: nothing of one run is left for the next.
    _by_program(compiled, (7, "seven"))
    assert _by_program(compiled, parameters) == _by_definition(catalog, query, parameters)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT $1 + 1, now()",
        "SELECT 10 / $1 WHERE $1 < 2",
        "SELECT x + $1 FROM (VALUES (1, 'a'), (2, 'b'), (1, 'a')) v (x, s) WHERE s <> $2",
        "SELECT $1::int, $2 || CURRENT_USER",
    ],
)
@pytest.mark.parametrize("parameters", [(1, "b"), (0, "c"), (None, None)])
def test_a_program_of_constant_rows_gives_what_the_query_means(
    catalog: SmallCatalog, sql: str, parameters: tuple[Datum, ...]
) -> None:
    query = _query(catalog, sql)
    constant = constant_rows_below(query.relation)
    assert constant is not None
    assert _by_program(_compiled(query), parameters, constant) == _by_definition(catalog, query, parameters)


def test_what_reads_a_table_or_many_rows_is_over_no_constant(catalog: SmallCatalog) -> None:
    many = ", ".join(f"({number})" for number in range(17))
    for sql in ("SELECT k FROM t", "SELECT count(*)", f"SELECT x + $1 FROM (VALUES {many}) v (x)"):
        assert constant_rows_below(_query(catalog, sql).relation) is None


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM t",
        "SELECT k FROM t ORDER BY k",
        "SELECT k FROM t LIMIT 1",
        "SELECT k, (SELECT max(k) FROM t u) FROM t",
        "SELECT a.k FROM t a, t b",
        "SELECT random(), k FROM t",
        "SELECT pg_sleep(1) IS NULL, k FROM t",
        "SELECT current_setting('timezone'), k FROM t",
        "SELECT repeat(s, k) FROM t",
        "SELECT s ~ $1 FROM t",
        # Twice as long at every step.
        functools.reduce(lambda sql, _: f"SELECT x || x AS x FROM ({sql}) q", range(10), "SELECT s AS x FROM t"),
        "VALUES (1), ((SELECT 2))",
    ],
)
def test_what_could_keep_others_waiting_is_not_compiled(catalog: SmallCatalog, sql: str) -> None:
    assert RowProgram(_query(catalog, sql)).compiled() is None


def test_many_rows_and_large_values_are_not_taken(catalog: SmallCatalog) -> None:
    compiled = _compiled(_query(catalog, "SELECT k, s || $1 FROM t"))
    assert compiled.takes(_ROWS, ("x",))
    assert not compiled.takes(_ROWS * 5, ("x",))
    assert not compiled.takes([(1, "x" * 2_000, None)], ("x",))
    assert not compiled.takes(_ROWS, ("x" * 2_000,))
