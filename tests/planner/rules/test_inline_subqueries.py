"""Subqueries without rows of their own become expressions, of a bounded size."""

from __future__ import annotations

from planner.ir.relation import Relation
from planner.ir.visit import operands_of, scalars_of, walk_relation
from planner.plans.queries import SelectPlan
from planner.rules.inline_subqueries import inline_subqueries
from tests.planner.small_catalog import SmallCatalog

_DEPTH = 18


def _size(relation: Relation) -> int:
    def count(scalar: object) -> int:
        return 1 + sum(map(count, operands_of(scalar)))  # type: ignore[arg-type]

    return sum(count(scalar) for node in walk_relation(relation) for scalar in scalars_of(node))


def test_columns_that_are_used_twice_do_not_double_at_every_level() -> None:
    query = "SELECT t.v AS x"
    for _ in range(_DEPTH):
        query = f"SELECT i.x + i.x AS x FROM ({query}) i"
    plan = SmallCatalog().plan(f"SELECT ({query}) FROM (VALUES (1)) t (v)")
    assert isinstance(plan, SelectPlan)
    assert _size(inline_subqueries(plan.query.relation)) < 1_000


def test_subqueries_in_columns_that_are_used_twice_do_not_double_at_every_level() -> None:
    value = "t.v"
    for _ in range(_DEPTH):
        value = f"(SELECT i.x + i.x FROM (SELECT {value} AS x) i)"
    plan = SmallCatalog().plan(f"SELECT {value} FROM (VALUES (1)) t (v)")
    assert isinstance(plan, SelectPlan)
    assert _size(inline_subqueries(plan.query.relation)) < 1_000
