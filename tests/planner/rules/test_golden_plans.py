"""The plans of a corpus of queries, as recorded, and with the rows of the plans they were made of.

`golden/plans.txt` holds `-- query` lines, each followed by its plan; HEADWATER_RECORD=1 writes the plans anew.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from planner.explain import explain
from planner.interpret.evaluate import evaluate_relation
from planner.ir.relation import Relation
from planner.plans.queries import SelectPlan
from planner.rules.pipeline import optimize
from tests.planner.small_catalog import SmallCatalog

_FILE = Path(__file__).parent / "golden" / "plans.txt"
TABLES = (
    "create table t (k int, x int, a int[])",
    "create table u (k int, x int, y text)",
    "create table v (k int not null, x int not null)",
    "insert into t values (1, 1, '{1,2}'), (2, 0, '{}'), (3, null, null), (null, 5, '{7}'), (1, 1, '{1,2}')",
    "insert into u values (1, 1, 'a'), (1, 2, 'b'), (2, 0, null), (null, null, 'c')",
    "insert into v values (1, 1), (2, 5)",
)


def _load() -> dict[str, str]:
    blocks = [block for block in _FILE.read_text().split("-- ") if block.strip()]
    return {sql: plan.rstrip("\n") for sql, _, plan in (block.partition("\n") for block in blocks)}


GOLDEN = _load()


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    for statement in TABLES:
        catalog.run(statement)
    return catalog


def planned(catalog: SmallCatalog, sql: str) -> Relation:
    """The relation as planned, before any rewrite."""
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    return plan.query.relation


def _shown(catalog: SmallCatalog, sql: str) -> str:
    def name(id_: GlobalId) -> str:
        item = catalog.item(id_)
        assert item is not None
        return item.name.name

    try:
        return explain(optimize(planned(catalog, sql)), name)
    except SqlError as error:
        return f"{error.sqlstate.value} {error.message}"


@pytest.mark.parametrize("sql", GOLDEN)
def test_a_query_has_its_recorded_plan(sql: str, catalog: SmallCatalog) -> None:
    if "HEADWATER_RECORD" in os.environ:
        GOLDEN[sql] = _shown(catalog, sql)
        _FILE.write_text("\n".join(f"-- {query}\n{plan}\n" for query, plan in GOLDEN.items()))
    assert _shown(catalog, sql) == GOLDEN[sql]


@pytest.mark.parametrize("sql", [sql for sql, plan in GOLDEN.items() if not plan.startswith("0A000")])
def test_the_recorded_plan_has_the_rows_of_the_query(sql: str, catalog: SmallCatalog) -> None:
    relation = planned(catalog, sql)
    before = evaluate_relation(relation, catalog.evaluation(), obvious=True)
    after = evaluate_relation(optimize(relation), catalog.evaluation())
    assert sorted(map(str, after)) == sorted(map(str, before))


def test_rewrites_take_a_few_milliseconds_at_most(catalog: SmallCatalog) -> None:
    for sql, plan in GOLDEN.items():
        if plan.startswith("0A000"):
            continue
        relation = planned(catalog, sql)
        spent = []
        for _ in range(3):
            start = time.process_time()
            optimize(relation)
            spent.append(time.process_time() - start)
        assert min(spent) < 0.02, sql
