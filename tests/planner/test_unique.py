"""Columns that are said to tell rows apart do, whatever the rows."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from planner.interpret.evaluate import evaluate_relation
from planner.ir.unique import unique_key
from planner.plans.queries import SelectPlan
from planner.rules.pipeline import optimize
from tests.planner.small_catalog import SmallCatalog

_KEYED = {
    "select b, count(*), a from t group by a, b": (0, 2),
    "select sum(c), a + 1, a from t group by a": (2,),
    "select distinct a, b from t": (0, 1),
    "select distinct on (a) a, b from t order by a, b": (0,),
    "select a, n from (select a, count(*) n from t group by a) q where n > 1": (0,),
    "select q.a, r.b from (select distinct a from t) q, (select distinct b from t) r": (0, 1),
    "select a, n from (select a, count(*) n from t group by a) q where a in (select c from t)": (0,),
    "with q as (select a, max(c) m from t group by a) select m, a from q": (1,),
    "select count(*) from t": (),
}


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    catalog.run("create table t (a int, b int, c int)")
    rng = random.Random(5)
    for _ in range(60):
        values = ", ".join(rng.choice(("null", "1", "2", "3")) for _ in range(3))
        catalog.run(f"insert into t values ({values})")
    return catalog


@pytest.mark.parametrize("sql", _KEYED)
def test_no_two_rows_agree_on_a_key(catalog: SmallCatalog, sql: str) -> None:
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    relation = optimize(plan.query.relation)
    key = unique_key(relation)
    assert key is not None and {plan.query.finishing.project.index(at) for at in key} == set(_KEYED[sql])
    counts = Counter(tuple(row[at] for at in key) for row in evaluate_relation(relation, catalog.evaluation()))
    assert counts and max(counts.values()) == 1


@pytest.mark.parametrize(
    "sql", ["select a, b from t", "select count(*) from t group by a", "select 1 from t union all select 2"]
)
def test_without_proof_there_is_no_key(catalog: SmallCatalog, sql: str) -> None:
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    assert unique_key(optimize(plan.query.relation)) is None
