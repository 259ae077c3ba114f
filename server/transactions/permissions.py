"""Checks that the current role may execute a statement: once planned, before any lock, and at each execution, since
rights may have changed.

A view is read as its owner: a reader needs a right on the view alone, and the owner rights on the relations in it. With
security_invoker it is the reader who needs those rights, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.changes.change import Change, ReplaceView
from catalog.facts.roles.decide import has_privileges_of, held, require_cluster, require_need
from catalog.facts.roles.row_security import binding_policies, is_secured, reader_beneath
from catalog.facts.roles.securables import item_securable
from catalog.nouns.items import FunctionDefinition, Index, Item, View
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.catalog_view import ItemKind, QualifiedName
from planner.plans.copying import CopyFromPlan
from planner.plans.session import PreparePlan
from planner.plans.views import CheckPlan, CreateIndexPlan, CreateViewPlan
from planner.privileges import INSERT, SELECT, UPDATE, Need
from server.planning.statement_plans import Planned, Planning
from server.transactions.execution import Execution

_CONSTRAINTS = "23"
"""The class of SQLSTATEs of constraints that rows violate."""


def require_permitted(planned: Planned, execution: Execution) -> None:
    """Raises SqlError 42501 where the role lacks a right that the statement needs."""
    if isinstance(planned.plan, CreateViewPlan | CreateIndexPlan | PreparePlan):
        # What is prepared is asked about when it is executed, a view when it is read; indexes are for a table's owner.
        return
    if not planned.statement.needs:
        # COMMIT and ROLLBACK are among these, and end transactions whose changes don't fit any more, too.
        return
    planning = execution.environment.planning
    newest = execution.newest_catalog
    # With changes of the transaction's own, it is planned with them, and its base is the catalog without them.
    past = planned.seen or execution.transaction.changes.catalog or planned.base or newest
    off = execution.setting("row_security") == "off"
    if planned.reads.user:
        _require_cluster(execution, newest)
    bound = require_needs(planned.statement.needs, execution.role, newest, past, planning, row_security_off=off)
    if not bound:
        return
    if isinstance(planned.plan, CopyFromPlan):
        hint = "Use INSERT statements instead."
        message = "COPY FROM not supported with row-level security"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint=hint)
    if isinstance(planned.plan, CheckPlan):
        raise NotSupported("CHECK VIEW of what row-level security binds its reader in")


def _require_cluster(execution: Execution, state: CatalogState) -> None:
    """Raises SqlError 42704 where the session's cluster does not exist, 42501 where the role may not use it, 0A000
    where it has no replicas."""
    cluster = execution.cluster
    require_cluster(state, execution.role, cluster.oid, "U")
    if not cluster.replicas:
        message = f'CLUSTER "{cluster.name}" has no replicas available to service request'
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint="CREATE CLUSTER REPLICA gives it one.")


def require_needs(
    needs: Iterable[Need],
    role: int,
    newest: CatalogState,
    past: CatalogState,
    planning: Planning,
    *,
    within: int | None = None,
    row_security_off: bool = False,
) -> frozenset[GlobalId]:
    """Raises SqlError 42501 where a role lacks a need. Dropped relations are judged by the `past`, in which the
    statement was planned. `within`: the needs are those of a view that is read as this role.

    Returns the tables whose policies bind the reading or writing role. Raises 42501 for such tables in a session
    without row security, 40001 for policies that have changed since the `past`."""
    bound: set[GlobalId] = set()
    asked: set[tuple[int, int, Need]] = set()
    waiting = [(role, role if within is None else within, need) for need in needs]
    while waiting:
        invoker, by, need = waiting.pop(0)
        if (invoker, by, need) in asked:
            continue
        asked.add((invoker, by, need))
        state = newest if _there(newest, need.item) else past
        item = state.items.get(need.item)
        require_need(state, invoker if item is not None and item.kind is ItemKind.FUNCTION else by, need)
        if item is None:
            continue
        if isinstance(item.definition, FunctionDefinition):
            waiting += _beneath_function(item, invoker, by, state, past, planning)
            continue
        if _bound(item, by, state, past, off=row_security_off):
            bound.add(item.id)
            waiting += [(invoker, by, each) for each in _of_policies(need, item, by, state, planning)]
        if not isinstance(item.definition, View):
            continue
        beneath = reader_beneath(item, invoker)
        if need.beneath is not None:
            waiting.append((invoker, beneath, need.beneath))
        waiting += [(invoker, beneath, each) for each in _of_query(need, planning.needs(state, item.definition))]
        was = past.items.get(need.item, item)
        if not isinstance(was.definition, View):
            continue
        if reader_beneath(was, invoker) != beneath and (_secured_beneath(item, state) or _secured_beneath(was, past)):
            raise _changed_meanwhile(item)
        if was.definition != item.definition:
            # A transaction that began before the view was replaced reads the view as it was, by today's rights.
            waiting += [(invoker, beneath, each) for each in _of_query(need, planning.needs(past, was.definition))]
    return frozenset(bound)


def _beneath_function(
    item: Item, invoker: int, by: int, state: CatalogState, past: CatalogState, planning: Planning
) -> list[tuple[int, int, Need]]:
    """Returns what the query of a function needs, with who is asked: the owner of a SECURITY DEFINER function, else the
    caller, who is the reader of a view with the function in it."""
    assert isinstance(item.definition, FunctionDefinition)
    called, waiting = [(item, item.definition, state)], list[tuple[int, int, Need]]()
    was = past.items.get(item.id, item)
    if isinstance(was.definition, FunctionDefinition) and was != item:
        # A transaction that began before it was replaced calls it as it was, by today's rights.
        called.append((was, was.definition, past))
    readers = {each.owner if definition.rules.definer else None for each, definition, _ in called}
    for each, definition, when in called:
        needs = planning.needs(when, definition)
        if len(readers) > 1 and any(_secured_under(need.item, when) for need in needs):
            raise _changed_meanwhile(item)
        caller = each.owner if definition.rules.definer else invoker
        for need in needs:
            if by != invoker and not definition.rules.definer and _secured_under(need.item, when):
                raise NotSupported("a function in a view that reads a table with row-level security")
            waiting.append((caller, caller, need))
    return waiting


def require_told(planned: Planned, execution: Execution) -> None:
    """Raises SqlError 42501 where counts of what a statement has read would tell of rows that a SECURITY DEFINER
    function of another role keeps to itself."""
    state, planning, seen = execution.catalog, execution.environment.planning, set[GlobalId]()
    waiting = [need.item for need in planned.statement.needs]
    while waiting:
        item = state.items.get(waiting.pop())
        if item is None or item.id in seen or not isinstance(item.definition, View | FunctionDefinition):
            continue
        seen.add(item.id)
        if isinstance(item.definition, FunctionDefinition) and item.definition.rules.definer:
            if not has_privileges_of(state, execution.role, item.owner):
                message = f"permission denied to measure function {item.name}"
                detail = "What it reads is counted, which is for roles with the privileges of its owner."
                raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail=detail)
            continue
        waiting += [need.item for need in planning.needs(state, item.definition)]


def _of_policies(need: Need, table: Item, role: int, state: CatalogState, planning: Planning) -> list[Need]:
    """Returns the needs of the policies that bind a role in a table: subqueries of policies are read by the rights of
    the table's reader or writer."""
    found = list[Need]()
    for policy in binding_policies(state, table, role) or ():
        conditions = [policy.of_rows(right) for right in need.rights if right != INSERT]
        conditions += [policy.of_new_rows(right) for right in need.rights if right in (INSERT, UPDATE)]
        for condition in dict.fromkeys(conditions):
            if condition is not None and condition.names is not None:
                found += planning.needs(state, condition)
    return found


def _of_query(need: Need, needs: tuple[Need, ...]) -> tuple[Need, ...]:
    """Returns what the query of a view needs where its rows are read or changed. What is inserted meets none of the
    query; rows that are changed unread meet all of it but the right to read the relation that they lie in."""
    if need.beneath is None or SELECT in need.rights:
        return needs
    return () if INSERT in need.rights else tuple(each for each in needs if each.item != need.beneath.item)


def _secured_under(id_: GlobalId, state: CatalogState) -> bool:
    return any(is_secured(state.items.get(table)) for table in state.tables_under((id_,)))


def _secured_beneath(view: Item, state: CatalogState) -> bool:
    """Tells whether a view reads a table with row security, through any number of views."""
    return _secured_under(view.id, state)


def _bound(item: Item, role: int, state: CatalogState, past: CatalogState, *, off: bool) -> bool:
    """Tells whether policies bind a role in a table. Statements that were planned under other policies are refused."""
    policies = binding_policies(state, item, role)
    if policies != binding_policies(past, past.items.get(item.id, item), role):
        raise _changed_meanwhile(item)
    if policies is not None and off:
        message = f'query would be affected by row-level security policy for table "{item.name}"'
        own = has_privileges_of(state, role, item.owner)
        hint = "To disable the policy for the table's owner, use ALTER TABLE NO FORCE ROW LEVEL SECURITY."
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message, hint=hint if own else None)
    return policies is not None


def _changed_meanwhile(item: Item) -> SqlError:
    message = f'row-level security of {item.kind.value} "{item.name}" was changed by a concurrent statement'
    return SqlError(Sqlstate.SERIALIZATION_FAILURE, message)


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
    """Takes out of an error about a constraint what it tells of a row, unless the role may read all columns of all
    rows of the table."""
    subject = error.subject
    if error.detail is None or subject is None or not error.sqlstate.value.startswith(_CONSTRAINTS):
        return
    item = state.find(QualifiedName(database, subject.schema or "", subject.table or ""))
    if item is None or not may_read_rows(state, role, item):
        error.detail = None


def may_read_rows(state: CatalogState, role: int, item: Item) -> bool:
    """Tells whether a role may read all columns of all rows of a relation."""
    return SELECT in held(state, role, item_securable(state, item)) and binding_policies(state, item, role) is None


def _there(state: CatalogState, id_: GlobalId) -> bool:
    return id_ in state.items
