"""Checks that the current role may execute a statement: once planned, before any lock, and at each execution, since
rights may have changed.

A view is read as its owner: a reader needs a right on the view alone, and the owner rights on the relations in it.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.facts.roles.decide import require_need
from catalog.nouns.items import View
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from planner.plans.session import PreparePlan
from planner.plans.views import CreateIndexPlan, CreateViewPlan
from planner.privileges import Need
from server.coordinator.execution import Execution
from server.coordinator.planning import Planned, Planning


def require_permitted(planned: Planned, execution: Execution) -> None:
    """Raises SqlError 42501 where the role lacks a right that the statement needs."""
    if isinstance(planned.plan, CreateViewPlan | CreateIndexPlan | PreparePlan):
        # What is prepared is asked about when it is executed, a view when it is read; indexes are for a table's owner.
        return
    planning = execution.environment.planning
    newest = execution.newest_catalog
    past = planned.seen or planned.base or newest
    require_needs(planned.statement.needs, execution.role, newest, past, planning)


def require_needs(
    needs: Iterable[Need], role: int, newest: CatalogState, past: CatalogState, planning: Planning
) -> None:
    """Raises SqlError 42501 where a role lacks a need. Dropped relations are judged by the `past`."""
    asked: set[tuple[int, Need]] = set()
    waiting = [(role, need) for need in needs]
    while waiting:
        by, need = waiting.pop(0)
        if (by, need) in asked:
            continue
        asked.add((by, need))
        state = newest if _there(newest, need.item) else past
        require_need(state, by, need)
        item = state.items.get(need.item)
        if item is not None and isinstance(item.definition, View):
            inner = planning.needs(state, item.definition)
            waiting += [(item.owner, each) for each in inner]


def _there(state: CatalogState, id_: GlobalId) -> bool:
    return id_ in state.items
