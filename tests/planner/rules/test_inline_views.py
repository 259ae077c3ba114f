"""Views are unfolded wherever they are read."""

from __future__ import annotations

import pytest

from planner.ir.relation import Filter, Get
from planner.ir.visit import walk_relation
from planner.plans.queries import SelectPlan
from planner.rules.inline_views import inline_views
from tests.planner.small_catalog import SmallCatalog


@pytest.mark.parametrize(
    "sql",
    [
        "select * from w",
        "select * from t where exists (select 1 from w where w.k = t.k)",
        "select (select max(k) from w) in (select k from t)",
        "select * from t, lateral (select * from w where w.k = t.k) s",
    ],
)
def test_no_view_is_left_anywhere(sql: str) -> None:
    catalog = SmallCatalog()
    for name in ("t", "w"):
        catalog.run(f"create table {name} (k int)")
    table, view = (item.id for item in catalog.items)
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    relation = plan.query.relation
    get = next(node for node in walk_relation(relation) if isinstance(node, Get) and node.id == view)
    unfolded = inline_views(relation, lambda id_: Filter(Get(table, get.desc), ()) if id_ == view else None)
    assert {node.id for node in walk_relation(unfolded) if isinstance(node, Get)} == {table}
