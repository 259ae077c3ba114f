"""Subqueries and lateral inputs see the decimals of their own outer row, also where other rows have equal numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest

from model.types.datum import Row
from planner.interpret.evaluate import evaluate_relation
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Reduce, Relation
from planner.ir.visit import walk_relation
from planner.rules.pipeline import optimize, optimize_maintained
from tests.planner.rules.told_queries import DESC, catalog_of_rows, forgotten, stored_query

_ROWS: dict[str, list[Row]] = {
    "a": [(1, Decimal(text), Decimal("2.50"), Decimal("0.10")) for text in ("1", "1.0", "1.00")]
    + [(2, Decimal("1.0"), None, None), (2, None, Decimal(3), None)],
    "b": [(1, Decimal("1.00"), Decimal("1.0"), None), (2, Decimal(1), Decimal("1.0"), Decimal("7.00"))],
}

_READING = (
    "SELECT n, EXISTS (SELECT FROM b WHERE b.m::text > a.n::text) AS x FROM a",
    "SELECT n FROM a WHERE EXISTS (SELECT FROM b WHERE b.m::text > a.n::text) OR k = 7",
    "SELECT n, scale(n) > ANY (SELECT scale(m) FROM b) AS x FROM a",
    "SELECT n, (n::text, k) IN (SELECT m::text, k FROM b) AS x FROM a",
    "SELECT n, (SELECT a.n::text FROM b WHERE b.k = a.k LIMIT 1) AS t FROM a",
    "SELECT n, (SELECT count(*) FROM b WHERE b.m::text >= a.n::text) AS x FROM a",
    "SELECT n, (SELECT max(a.n + b.m) FROM b WHERE b.k <= a.k) AS t FROM a",
    "SELECT k, ARRAY(SELECT a.n FROM b WHERE b.k = a.k)::text AS t FROM a",
    "SELECT a.k, l.* FROM a, LATERAL (SELECT b.n, a.n AS other FROM b WHERE b.k >= a.k ORDER BY b.n DESC LIMIT 1) l",
    "SELECT a.k, x.v FROM a, LATERAL (VALUES (a.n), (a.m)) x(v)",
    "SELECT a.k, l.x FROM a LEFT JOIN LATERAL (SELECT DISTINCT a.n AS x FROM b) l ON true",
    "SELECT a.k, l.x FROM a, LATERAL (SELECT sum(y) AS x FROM unnest(ARRAY[a.n, a.m]) y) l",
    "SELECT a.n, b.k FROM a LEFT JOIN b ON EXISTS (SELECT FROM b c WHERE c.m::text > a.n::text AND c.k = b.k)",
    "SELECT (SELECT (SELECT c.k || a.n::text FROM b c WHERE c.k = b.k LIMIT 1) FROM b WHERE b.k = a.k) AS t FROM a",
    "SELECT l.t FROM a, LATERAL (SELECT (SELECT max(c.m) + a.n FROM b c WHERE c.k >= b.k) AS t FROM b) l",
)


def _shown(relation: Relation) -> Counter[str]:
    return Counter(map(repr, evaluate_relation(relation, catalog_of_rows(_ROWS).evaluation())))


@pytest.mark.parametrize("sql", _READING)
def test_a_query_without_subqueries_reads_decimals_of_its_own_rows(sql: str) -> None:
    relation = stored_query(catalog_of_rows(_ROWS), sql)
    assert _shown(optimize(relation)) == _shown(relation)


@pytest.mark.parametrize("sql", _READING)
def test_a_maintained_plan_reads_decimals_of_its_own_rows(sql: str) -> None:
    catalog = catalog_of_rows(_ROWS)
    relation = stored_query(catalog, sql)
    types = relation_desc_of(relation).types
    stored = {id_: [forgotten(row, DESC.types) for row in rows] for id_, rows in catalog.rows.items()}
    evaluation = replace(catalog.evaluation(), collections=stored.__getitem__)
    found = Counter(forgotten(row, types) for row in evaluate_relation(optimize_maintained(relation), evaluation))
    assert found == Counter(forgotten(row, types) for row in evaluate_relation(relation, catalog.evaluation()))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT k, EXISTS (SELECT FROM b WHERE b.m > a.n) AS x FROM a",
        "SELECT k, (SELECT count(*) FROM b WHERE b.m < a.n + 1) AS x FROM a",
        "SELECT k, n > ANY (SELECT m FROM b) AS x FROM a",
        "SELECT k, (SELECT max(a.p + b.k) FROM b) AS x FROM a",
    ],
)
def test_outer_rows_are_told_apart_by_values_where_nobody_reads_decimals(sql: str) -> None:
    plan = optimize(stored_query(catalog_of_rows(_ROWS), sql))
    keys = [key for node in walk_relation(plan) if isinstance(node, Reduce) for key in node.key]
    assert keys and "scale_numeric" not in repr(keys)
