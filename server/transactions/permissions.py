"""Checks that the current role may execute a statement: once planned, before any lock, and at each execution, since
rights may have changed.

A view is read as its owner: a reader needs a right on the view alone, and the owner rights on the relations in it. With
security_invoker it is the reader who needs those rights, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.changes.change import Change, ReplaceView
from catalog.facts.roles.decide import held, require_need
from catalog.facts.roles.securables import item_securable
from catalog.nouns.items import Index, Item, View
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from planner.catalog_view import QualifiedName
from planner.plans.session import PreparePlan
from planner.plans.views import CreateIndexPlan, CreateViewPlan
from planner.privileges import SELECT, Need
from server.planning.statement_plans import Planned, Planning
from server.transactions.execution import Execution

_CONSTRAINTS = "23"
"""The class of SQLSTATEs of constraints that rows violate."""


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
    needs: Iterable[Need],
    role: int,
    newest: CatalogState,
    past: CatalogState,
    planning: Planning,
    *,
    within: int | None = None,
) -> None:
    """Raises SqlError 42501 where a role lacks a need. Dropped relations are judged by the `past`. `within`: the needs
    are those of a view that is read as this role."""
    asked: set[tuple[int, Need]] = set()
    waiting = [(role if within is None else within, need) for need in needs]
    while waiting:
        by, need = waiting.pop(0)
        if (by, need) in asked:
            continue
        asked.add((by, need))
        state = newest if _there(newest, need.item) else past
        require_need(state, by, need)
        item = state.items.get(need.item)
        if item is None or not isinstance(item.definition, View):
            continue
        beneath = reader_beneath(item, role)
        waiting += [(beneath, each) for each in planning.needs(state, item.definition)]
        was = past.items.get(need.item, item).definition
        if isinstance(was, View) and was != item.definition:
            # A transaction that began before the view was replaced reads the view as it was, by today's rights.
            waiting += [(beneath, each) for each in planning.needs(past, was)]


def require_maintained_permitted(changes: Iterable[Change], after: CatalogState, planning: Planning) -> None:
    """Raises SqlError 42501 for a replaced view that its owner may not read, where a materialized view or a sink reads
    it: what these keep is read without asking again. `after` is the catalog with the changes.

    Beneath views with security_invoker it is the owner of what is maintained who reads, and who is asked, too."""
    for change in changes:
        if not isinstance(change, ReplaceView) or not isinstance(change.definition, View):
            continue
        over = [each for each in after.maintained_dependents(change.id) if not isinstance(each.definition, Index)]
        if not over:
            continue
        view = after.items[change.id]
        for reader in dict.fromkeys((view.owner, *(each.owner for each in over))):
            needs, within = planning.needs(after, change.definition), reader_beneath(view, reader)
            require_needs(needs, reader, after, after, planning, within=within)


def withhold_rows(error: SqlError, role: int, state: CatalogState, database: str) -> None:
    """Takes out of an error about a constraint what it tells of a row, unless the role may read the whole table."""
    subject = error.subject
    if error.detail is None or subject is None or not error.sqlstate.value.startswith(_CONSTRAINTS):
        return
    item = state.find(QualifiedName(database, subject.schema or "", subject.table or ""))
    if item is None or SELECT not in held(state, role, item_securable(state, item)):
        error.detail = None


def reader_beneath(view: Item, invoker: int) -> int:
    """Returns the role by whose rights the relations in a view are read. With security_invoker it is the role that
    executes the statement, as in PostgreSQL, whatever other views are in between."""
    assert isinstance(view.definition, View)
    return invoker if view.definition.as_invoker else view.owner


def _there(state: CatalogState, id_: GlobalId) -> bool:
    return id_ in state.items
