"""How typical views are maintained, as recorded, and with the rows of their queries.

`golden/maintenance.txt` holds `-- query` lines, each followed by its plan; HEADWATER_RECORD=1 writes the plans anew.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from compute.maintain.description import describe, recomputed
from compute.maintain.plan import MaintenancePlan
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.steps.parts import Texts
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.order.datum_order import identity_key
from planner.explain import explain, explain_scalar
from planner.interpret.evaluate import evaluate_relation
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation
from planner.ir.scalar import SessionName
from planner.plans.queries import SelectPlan
from planner.rules.pipeline import optimize_maintained
from server.planning.definitions import relation_of_query
from tests.compute.maintain.planning.reference import Contents
from tests.planner.small_catalog import SESSION, SmallCatalog

_FILE = Path(__file__).parent / "golden" / "maintenance.txt"
TABLES = (
    "create table orders (id int not null, customer int, total numeric(10,2), placed timestamptz, tags text[])",
    "create table customers (id int not null, name text, credit numeric)",
    "create table events (id int, at interval, body jsonb, level float8)",
    """insert into orders values (1, 1, 9.50, '2023-11-14 22:00Z', '{a,b}'), (2, 1, 1.25, '2023-11-14 23:00Z', '{}'),
        (3, 2, null, null, null), (4, null, 7, '2023-11-14 21:00Z', '{a}'), (4, null, 7, '2023-11-14 21:00Z', '{a}')""",
    "insert into customers values (1, 'Ann', 9.5), (2, 'Bob', 7), (3, null, null), (3, null, null)",
    """insert into events values (1, '1 month', '{"a": 1}', 0), (2, '30 days', '{"a": 1.0}', '-0'),
        (2, null, null, 1)""",
)
VIEW = GlobalId.user(99)


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


def relation_of(catalog: SmallCatalog, sql: str) -> Relation:
    """The relation as planned, before any rewrite."""
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    return relation_of_query(plan.query)


def planned(relation: Relation) -> MaintenancePlan:
    return plan_maintenance(((VIEW, optimize_maintained(relation)),), (VIEW,))


def _shown(catalog: SmallCatalog, sql: str) -> str:
    def name(id_: GlobalId) -> str:
        item = catalog.item(id_)
        assert item is not None
        return item.name.name

    try:
        plan = planned(relation_of(catalog, sql))
    except SqlError as error:
        return f"{error.sqlstate.value} {error.message}"
    notes = [f"Recomputes {what}" for what in recomputed(plan)]
    return "\n".join((*describe(plan, Texts(lambda relation: explain(relation, name), explain_scalar)), *notes))


@pytest.mark.parametrize("sql", GOLDEN)
def test_a_view_has_its_recorded_plan(sql: str, catalog: SmallCatalog) -> None:
    if "HEADWATER_RECORD" in os.environ:
        GOLDEN[sql] = _shown(catalog, sql)
        _FILE.write_text("\n".join(f"-- {query}\n{plan}\n" for query, plan in GOLDEN.items()))
    assert _shown(catalog, sql) == GOLDEN[sql]


@pytest.mark.parametrize("sql", [sql for sql, plan in GOLDEN.items() if not plan.startswith("0A000")])
def test_the_recorded_plan_has_the_rows_of_the_query(sql: str, catalog: SmallCatalog) -> None:
    relation = relation_of(catalog, sql)
    identity = identity_key(relation_desc_of(relation).types)
    before = Counter(map(identity, evaluate_relation(relation, catalog.evaluation(), obvious=True)))
    now = SESSION[SessionName.MZ_NOW]
    assert isinstance(now, int)
    after = Contents(catalog.rows, now).of_plan(planned(relation))[VIEW]
    assert Counter(identity(row) for row in after.elements()) == before
