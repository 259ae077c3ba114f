"""Finds the origins of a statement's result columns, which clients are told: drivers find a column's table by them."""

from __future__ import annotations

from collections.abc import Mapping

from planner.catalog_view import CatalogView
from planner.ir.origins import Sources, columns_of, sources_of
from planner.ir.properties import remembering_columns
from planner.ir.query import Query
from planner.plans.changes import DeletePlan, InsertPlan, ModifyingPlan, UpdatePlan
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan


def origins_of(plan: Plan, catalog: CatalogView) -> tuple[tuple[int, int] | None, ...]:
    """Returns the table's oid and the column's number for each column of the result that is a table's or a view's."""
    sources = _sources_of(plan, catalog)
    items = {id_: catalog.item(id_) for id_ in dict.fromkeys(source[0] for source in sources if source is not None)}
    origins: list[tuple[int, int] | None] = []
    for source in sources:
        item = None if source is None else items[source[0]]
        origins.append(None if source is None or item is None else (item.oid, item.column_number(source[1])))
    return tuple(origins)


def _sources_of(plan: Plan, catalog: CatalogView) -> Sources:
    match plan:
        case SelectPlan(query=query):
            return _query_sources(query, {})
        case ModifyingPlan(main=main):
            return _sources_of(main, catalog)
        case InsertPlan() | UpdatePlan() | DeletePlan() if plan.returning is not None:
            item = catalog.item(plan.target)
            assert item is not None, "the target is in the catalog"
            rows = columns_of(plan.target, item.desc.arity)
            if isinstance(plan, UpdatePlan):
                rows += rows
            if not isinstance(plan, InsertPlan):
                rows += sources_of(plan.selection, {})[len(rows) :]
            return _query_sources(plan.returning, {plan.returning_local: rows})
        case _:
            return ()


def _query_sources(query: Query, bound: Mapping[int, Sources]) -> Sources:
    with remembering_columns():
        sources = sources_of(query.relation, bound)
    return tuple(sources[at] for at in query.finishing.project)
