"""LOCK TABLE: until the transaction ends, or goes back to a savepoint before."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.locks import LockTablePlan, WaitPolicy
from server.coordinator.execution import Execution
from server.coordinator.locking.locks import Resource
from server.coordinator.locking.waiting import take_lock
from server.pgwire.backend import Command


async def sequence_lock_table(plan: LockTablePlan, execution: Execution) -> Command:
    """Locks tables; for a view, the tables beneath it."""
    transaction = execution.transaction
    if not transaction.lasts:
        raise SqlError(Sqlstate.NO_ACTIVE_SQL_TRANSACTION, "LOCK TABLE can only be used in transaction blocks")
    waiting = WaitPolicy.NOWAIT if plan.nowait else WaitPolicy.WAIT
    for relation, name in plan.relations:
        for id_ in sorted(execution.catalog.tables_under([relation]) - transaction.created):
            await take_lock(execution, Resource(id_), plan.mode, waiting, name)
    return Command("LOCK TABLE")
