"""Takes locks for a statement: at once, by waiting, or not at all, with PostgreSQL's messages.

A transaction that has to wait releases its write locks first: the holder of the rows may have to commit behind them.
"""

from __future__ import annotations

from collections.abc import Iterable

from catalog.state.catalog_state import CatalogState, foreign_keys_of
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.changes import DeletePlan, InsertPlan, MergePlan, ModifyingPlan, RowChange, UpdatePlan
from planner.plans.copying import CopyFromPlan
from planner.plans.locks import LockRowsPlan, TableMode, WaitPolicy
from planner.plans.plan import Plan
from planner.plans.queries import CopyToPlan, SelectPlan
from server.ledgers.conflicts import Mode
from server.ledgers.locks import Resource
from server.planning.statement_plans import Planned
from server.transactions.advisory import wait_for_lock
from server.transactions.execution import Execution
from server.writes.locking.altered import altered_tables


async def take_lock(execution: Execution, resource: Resource, mode: Mode, waiting: WaitPolicy, name: str) -> bool:
    """Takes a lock; returns False only when skipping. `name` is the table's. Raises SqlError 55P03 for a lock that is
    not waited for, or for too long; raises 40P01 for a wait in a circle."""
    locks, holder = execution.environment.locks.rows, execution.transaction.locks.holder
    if locks.take_now(holder, resource, mode):
        return True
    match waiting:
        case WaitPolicy.SKIP:
            return False
        case WaitPolicy.NOWAIT:
            row = "row in " if resource.key is not None else ""
            message = f'could not obtain lock on {row}relation "{name}"'
            raise SqlError(Sqlstate.LOCK_NOT_AVAILABLE, message)
        case WaitPolicy.WAIT:
            await wait_for_lock(execution, holder, resource, mode)
            return True


async def lock_tables(planned: Planned, execution: Execution) -> bool:
    """Takes a statement's locks on tables, as PostgreSQL does, against LOCK TABLE and DDL; returns whether it had to
    wait."""
    waited = False
    catalog, transaction = execution.catalog, execution.transaction
    for id_, mode in _modes(planned, execution, catalog).items():
        item = catalog.items.get(id_)
        if item is not None and id_ not in transaction.changes.created:
            resource = Resource(id_)
            if not execution.environment.locks.rows.take_now(transaction.locks.holder, resource, mode):
                waited = await take_lock(execution, resource, mode, WaitPolicy.WAIT, item.name)
    return waited


def _modes(planned: Planned, execution: Execution, catalog: CatalogState) -> dict[GlobalId, TableMode]:
    """Returns the tables that the statement locks, and the modes."""
    plan, reads = planned.plan, planned.reads.user
    if isinstance(plan, SelectPlan | CopyToPlan) and plan.as_of is not None:
        read: list[GlobalId] = []
    else:
        read = sorted(catalog.tables_under(reads)) if reads else []
    if isinstance(plan, SelectPlan):
        return dict.fromkeys(read, TableMode.ACCESS_SHARE)
    locking = isinstance(plan, LockRowsPlan) or (isinstance(plan, ModifyingPlan) and bool(plan.locks))
    modes = dict.fromkeys(read, TableMode.ROW_SHARE if locking else TableMode.ACCESS_SHARE)
    changes = _changes(plan)
    modes |= dict.fromkeys(sorted(_held_against(changes, catalog)), TableMode.ROW_SHARE)
    modes |= dict.fromkeys((change.target for change in changes), TableMode.ROW_EXCLUSIVE)
    return modes | altered_tables(plan, execution)


def _changes(plan: Plan) -> tuple[RowChange | MergePlan | CopyFromPlan, ...]:
    match plan:
        case InsertPlan() | UpdatePlan() | DeletePlan() | MergePlan() | CopyFromPlan():
            return (plan,)
        case ModifyingPlan(changes=changes):
            return changes
        case _:
            return ()


def _held_against(changes: Iterable[RowChange | MergePlan | CopyFromPlan], state: CatalogState) -> set[GlobalId]:
    """Returns the tables whose rows foreign keys check against the changed rows. An UPDATE is taken to leave
    referenced keys alone; if it does not, COMMIT validates its reads."""
    found: set[GlobalId] = set()
    for change in changes:
        if isinstance(change, DeletePlan) or (isinstance(change, MergePlan) and change.changes):
            found |= {child.id for child, _ in state.referencing(change.target)}
        if not isinstance(change, DeletePlan):
            found |= {key.parent for key in foreign_keys_of(state.items.get(change.target))}
    return found
