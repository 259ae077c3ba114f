"""Plans that tell decimals by columns have the decimals that the interpreter's numbers carry."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from model.types.decimals_columns import with_decimals_columns
from planner.functions.numbers.shown_scales import with_stored_decimals
from planner.interpret.evaluate import evaluate_relation
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Project
from planner.ir.visit import walk_relation
from planner.plans.queries import SelectPlan
from planner.rules.pipeline import optimize_maintained
from tests.planner.rules.told_queries import DESC, QUERIES, catalog_of, forgotten, stored_query

_TRIALS = 12


@pytest.mark.parametrize("sql", QUERIES)
def test_told_decimals_are_those_that_numbers_carry(sql: str) -> None:
    for seed in range(_TRIALS):
        catalog = catalog_of(random.Random(seed))
        relation = stored_query(catalog, sql)
        told, types = optimize_maintained(relation), relation_desc_of(relation).types
        wanted = Counter(forgotten(row, types) for row in evaluate_relation(relation, catalog.evaluation()))
        stored = {id_: [forgotten(row, DESC.types) for row in rows] for id_, rows in catalog.rows.items()}
        found = Counter(
            forgotten(row, types)
            for row in evaluate_relation(told, replace(catalog.evaluation(), collections=stored.__getitem__))
        )
        assert found == wanted, f"seed {seed}: extra {found - wanted}, missing {wanted - found}"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a.k, count(*) FROM a JOIN b ON a.n = b.m WHERE a.n + 1 > 2 GROUP BY a.k",
        "SELECT k, count(*), sum(p) AS s, max(p) AS most FROM a GROUP BY k",
        "SELECT k, n > 1 AS more, round(n, 2) AS r FROM a WHERE n IN (SELECT m FROM b)",
    ],
)
def test_a_plan_in_which_nobody_reads_decimals_has_none(sql: str) -> None:
    """Money costs nothing, and no view hydrates anew."""
    plan = catalog_of(random.Random(0)).plan(sql)
    assert isinstance(plan, SelectPlan)
    query = plan.query
    relation = Project(query.relation, query.finishing.project)
    shown = repr(optimize_maintained(with_stored_decimals(relation, with_decimals_columns(query.desc))))
    assert not any(word in shown for word in ("shown_as_numeric_int4", "scale_numeric", "most_decimals_int4"))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT k, avg(p) AS mean, sum(p * 2.5) AS s FROM a GROUP BY k",
        "SELECT avg(p) OVER (PARTITION BY k) AS mean, sum(p * 2.5) OVER (PARTITION BY k) AS s FROM a",
    ],
)
def test_sums_of_values_whose_type_tells_their_decimals_ask_for_none(sql: str) -> None:
    """The mean of money is kept by sums and counts."""
    told = optimize_maintained(stored_query(catalog_of(random.Random(0)), sql))
    assert "shown_as_numeric_int4" in repr(told) and "most_decimals_int4" not in repr(told)


@pytest.mark.parametrize("operation", ["EXCEPT ALL", "INTERSECT ALL", "EXCEPT"])
def test_what_set_operations_keep_is_computed_once(operation: str) -> None:
    sql = f"SELECT a.n FROM a JOIN b USING (k) {operation} SELECT 1.50"
    told = optimize_maintained(stored_query(catalog_of(random.Random(0)), sql))
    assert Counter(type(node).__name__ for node in walk_relation(told))["Get"] == 2
