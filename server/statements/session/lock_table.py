"""LOCK TABLE: until the transaction ends, or goes back to a savepoint before."""

from __future__ import annotations

from catalog.facts.roles.decide import require_item
from catalog.facts.roles.row_security import reader_beneath
from catalog.nouns.items import Table, View
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.locks import LockTablePlan, TableMode, WaitPolicy
from planner.privileges import DELETE, INSERT, SELECT, TRUNCATE, UPDATE
from server.ledgers.locks import Resource
from server.pgwire.backend import Command
from server.transactions.execution import Execution
from server.writes.locking.waiting import take_lock


def _rights(mode: TableMode) -> str:
    """Returns rights, any of which is enough, like PostgreSQL: a stronger right on rows allows a stronger lock."""
    weak = (INSERT if mode <= TableMode.ROW_EXCLUSIVE else "") + (SELECT if mode <= TableMode.ACCESS_SHARE else "")
    return UPDATE + DELETE + TRUNCATE + weak


def _require_rights(state: CatalogState, invoker: int, relation: GlobalId, rights: str) -> None:
    """Raises SqlError 42501 for a relation on which the role has none of the rights, and beneath a view where its owner
    has none; with security_invoker it is the role again."""
    asked: set[tuple[int, GlobalId]] = set()
    waiting = [(invoker, relation)]
    while waiting:
        role, id_ = waiting.pop()
        if (role, id_) in asked:
            continue
        asked.add((role, id_))
        require_item(state, role, id_, rights)
        item = state.items.get(id_)
        if item is None or not isinstance(item.definition, View):
            continue
        beneath = reader_beneath(item, invoker)
        for reference in reversed(item.definition.references):
            named = state.items.get(reference.id)
            if named is not None and isinstance(named.definition, Table | View):
                waiting.append((beneath, named.id))


async def sequence_lock_table(plan: LockTablePlan, execution: Execution) -> Command:
    """Locks tables; for a view, the tables beneath it."""
    transaction = execution.transaction
    if not transaction.lasts:
        raise SqlError(Sqlstate.NO_ACTIVE_SQL_TRANSACTION, "LOCK TABLE can only be used in transaction blocks")
    waiting = WaitPolicy.NOWAIT if plan.nowait else WaitPolicy.WAIT
    for relation, _ in plan.relations:
        _require_rights(execution.newest_catalog, execution.role, relation, _rights(plan.mode))
    for relation, name in plan.relations:
        for id_ in sorted(execution.catalog.tables_under([relation]) - transaction.changes.created):
            await take_lock(execution, Resource(id_), plan.mode, waiting, name)
    return Command("LOCK TABLE")
