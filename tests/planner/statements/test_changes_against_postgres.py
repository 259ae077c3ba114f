"""INSERT, UPDATE and DELETE leave in a table what PostgreSQL leaves there, or fail as it does."""

from __future__ import annotations

import copy

import pytest

from model.errors.sql_error import SqlError
from planner.plans.changes import DeletePlan, InsertPlan, UpdatePlan
from tests.planner.query.recorded_queries import CHANGES, changes, failure_of, load, tables
from tests.planner.query.test_queries_against_postgres import texts
from tests.planner.rules.typecheck import check_query, check_relation
from tests.planner.small_catalog import SmallCatalog

ANSWERS = load(CHANGES)


@pytest.fixture
def catalog() -> SmallCatalog:
    return copy.deepcopy(_prepared())


_PREPARED: list[SmallCatalog] = []


def _prepared() -> SmallCatalog:
    if not _PREPARED:
        catalog = SmallCatalog()
        for statement in tables():
            catalog.run(statement)
        _PREPARED.append(catalog)
    return _PREPARED[0]


@pytest.mark.parametrize(("table", "sql"), changes())
def test_a_change_leaves_what_postgresql_leaves(table: str, sql: str, catalog: SmallCatalog) -> None:
    expected = ANSWERS[[line for _, line in changes()].index(sql)]
    if expected.error is not None:
        with pytest.raises(SqlError) as caught:
            catalog.run(sql)
        assert failure_of(caught.value) == expected.error
        return
    plan = catalog.plan(sql)
    match plan:
        case InsertPlan():
            check_query(plan.source)
        case UpdatePlan() | DeletePlan():
            check_relation(plan.selection)
    catalog.run(sql)
    item = catalog.resolve_item((table,), ("public",), "headwater")
    assert item is not None
    found = texts(catalog.rows[item.id], item.desc)
    assert sorted(found, key=str) == sorted(expected.rows, key=str)
