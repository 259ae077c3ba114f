"""DECLARE, FETCH, MOVE, CLOSE."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Sequence
from dataclasses import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.plans.locks import LockRowsPlan
from planner.plans.queries import SelectPlan, TableScan
from planner.plans.session import CloseCursorPlan, DeclareCursorPlan, FetchPlan
from planner.plans.subscribing import SubscribePlan
from server.cursors.cursor import Cursor, ScannedTable
from server.cursors.kept_rows import KeptRows
from server.cursors.portals import RowSource
from server.pgwire.backend import Command, Rows
from server.planning.statement_plans import Planned
from server.statements.results import counted_rows, started
from server.statements.statement_session import StatementSession
from server.statements.subscribe import open_subscription
from server.transactions.execution import Execution


async def sequence_declare(plan: DeclareCursorPlan, execution: Execution, session: StatementSession) -> Command:
    if not (execution.transaction.lasts or plan.hold):
        raise SqlError(Sqlstate.NO_ACTIVE_SQL_TRANSACTION, "DECLARE CURSOR can only be used in transaction blocks")
    if plan.name in session.holdings.cursors or plan.name in session.holdings.portals:
        raise SqlError(Sqlstate.DUPLICATE_CURSOR, f'cursor "{plan.name}" already exists')
    planned = await session.planner.plan_cursor(plan.query_sql, plan.parameter_types)
    await open_cursor(plan, planned, execution, session)
    return Command("DECLARE CURSOR")


async def open_cursor(
    plan: DeclareCursorPlan, planned: Planned, execution: Execution, session: StatementSession
) -> None:
    """Adds a cursor over a planned query to the session's, with the execution's values for the query's parameters."""
    before = len(execution.transaction.writes.buffered)
    result, scanned = await _result(planned, execution, session)
    locking = isinstance(planned.plan, LockRowsPlan)
    cursor = Cursor(
        name=plan.name,
        sql=plan.sql,
        hold=plan.hold,
        scroll=plan.scroll is not False and not locking,
        binary=plan.binary,
        declared_at=execution.transaction.started,
        result=replace(result, binary=plan.binary),
        source=RowSource(result.batches),
        kept=KeptRows(execution.environment.storage.runner),
        reads=frozenset(planned.reads.user),
        scanned=scanned,
        locking=locking,
        writes_before=before,
    )
    # Its rows are those of now, whenever they are asked for.
    execution.transaction.reads.dated = True
    session.holdings.cursors[plan.name] = cursor


async def _result(
    planned: Planned, execution: Execution, session: StatementSession
) -> tuple[Rows, tuple[ScannedTable, ...]]:
    """Returns the cursor's rows, and the tables with rows behind the described columns."""
    if isinstance(planned.plan, SubscribePlan):
        # A reader that is too slow gets its error at the next FETCH, and keeps its connection.
        subscription = await open_subscription(planned.plan, planned.reads, execution, lambda error: None)
        return Rows(planned.plan.desc, subscription, lambda: "SUBSCRIBE", live=subscription), ()
    plan, scanned = planned.plan, tuple[ScannedTable, ...]()
    arity: int | None = None
    match plan:
        case LockRowsPlan():
            scanned = tuple(ScannedTable(each.table, each.stored) for each in plan.rows)
            arity, whole = plan.arity, replace(plan, arity=plan.query.desc.arity)
            planned = replace(planned, statement=replace(planned.statement, plan=whole))
        case SelectPlan(scan=TableScan() as scan):
            arity = scan.arity
            scanned = (ScannedTable(scan.table, tuple(range(arity, plan.query.desc.arity))),)
        case _:
            pass
    result = await session.execute_plan(planned, execution.parameters, later=True)
    assert isinstance(result, Rows)
    if arity is None:
        return result, ()
    return replace(result, desc=RelationDesc(result.desc.columns[:arity])), scanned


async def sequence_fetch(plan: FetchPlan, execution: Execution, session: StatementSession) -> Rows | Command:
    cursor = await session.cursor_named(plan.cursor)
    if cursor.source.failed:
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f'portal "{plan.cursor}" cannot be run')
    # What can't be fetched is told before there is a result.
    fetched = counted_rows(cursor.result.desc, await started(_fetched(plan, cursor, execution)), "FETCH")
    if plan.move:
        count = 0
        async for rows in fetched.batches:
            count += len(rows)
        return Command(f"MOVE {count}")
    shown = _shown(cursor, fetched.batches) if cursor.scanned else fetched.batches
    return replace(fetched, batches=shown, origins=cursor.result.origins, binary=cursor.result.binary)


async def _shown(cursor: Cursor, batches: AsyncIterator[Sequence[Row]]) -> AsyncIterator[Sequence[Row]]:
    async for rows in batches:
        yield cursor.shown(rows)


def _fetched(plan: FetchPlan, cursor: Cursor, execution: Execution) -> AsyncGenerator[Sequence[Row]]:
    """Returns the rows of a FETCH; the cursor moves as they are taken."""
    count = plan.count
    timeout_s = None if plan.timeout_ms is None else plan.timeout_ms / 1000
    match plan.direction:
        case "forward" if plan.count is None and timeout_s is None and cursor.result.live is not None:
            return _up_to_now(cursor, execution)
        case "forward" | "backward" if count == 0:
            return _one(cursor.current(backward=plan.direction == "backward", moved=plan.move))
        case "backward" if count is None and plan.move and cursor.position == 0:
            return _one(cursor.absolute(0))
        case "forward":
            return cursor.backward(-count) if count is not None and count < 0 else cursor.forward(count, timeout_s)
        case "backward":
            return cursor.forward(-count) if count is not None and count < 0 else cursor.backward(count)
        case "absolute":
            return _one(cursor.absolute(count or 0))
        case "relative":
            return _one(cursor.relative(count) if count else cursor.current(moved=plan.move))


async def _up_to_now(cursor: Cursor, execution: Execution) -> AsyncGenerator[Sequence[Row]]:
    async for rows in cursor.forward_to_now(await execution.environment.oracle.read_ts()):
        yield rows


async def _one(found: Awaitable[list[Row]]) -> AsyncGenerator[Sequence[Row]]:
    yield await found


async def sequence_close(plan: CloseCursorPlan, session: StatementSession) -> Command:
    if plan.name is None:
        await session.holdings.close_cursors()
        return Command("CLOSE CURSOR ALL")
    cursor = await session.cursor_named(plan.name)
    session.holdings.cursors.pop(plan.name, None)
    await cursor.close()
    await session.holdings.close_portal(plan.name)
    return Command("CLOSE CURSOR")
