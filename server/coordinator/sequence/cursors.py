"""DECLARE, FETCH, MOVE, CLOSE."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from model.datum import Row
from model.errors import SqlError
from model.sqlstate import Sqlstate
from planner.plans import SubscribePlan
from planner.session_plans import CloseCursorPlan, DeclareCursorPlan, FetchPlan
from server.coordinator.execution import Execution
from server.coordinator.planning import Planned
from server.coordinator.sequence.results import rows_result
from server.coordinator.sequence.statement_session import StatementSession
from server.coordinator.sequence.subscribe import open_subscription
from server.pgwire.backend import Command, Rows
from server.session.portals import Cursor, RowSource


async def sequence_declare(plan: DeclareCursorPlan, execution: Execution, session: StatementSession) -> Command:
    if not (execution.transaction.explicit or execution.transaction.several or plan.hold):
        raise SqlError(Sqlstate.NO_ACTIVE_SQL_TRANSACTION, "DECLARE CURSOR can only be used in transaction blocks")
    if plan.name in session.open_cursors or plan.name in session.portals:
        raise SqlError(Sqlstate.DUPLICATE_CURSOR, f'cursor "{plan.name}" already exists')
    result = await _result(session.plan_text(plan.query_sql), execution, session)
    source = RowSource(result.batches)
    if plan.hold:
        # A held cursor outlives the transaction at whose time it reads, so its rows are read now.
        source = RowSource(_held(await source.take(None)))
    session.open_cursors[plan.name] = Cursor(
        name=plan.name,
        sql=plan.sql,
        hold=plan.hold,
        scroll=plan.scroll is not False,
        binary=plan.binary,
        declared_at=execution.transaction.started,
        result=replace(result, binary=plan.binary),
        source=source,
    )
    return Command("DECLARE CURSOR")


async def _result(planned: Planned, execution: Execution, session: StatementSession) -> Rows:
    if isinstance(planned.plan, SubscribePlan):
        # A reader that is too slow gets its error at the next FETCH, and keeps its connection.
        subscription = await open_subscription(planned.plan, planned.reads, execution, lambda error: None)
        return Rows(planned.plan.desc, subscription, lambda: "SUBSCRIBE", live=subscription)
    result = await session.execute_plan(planned, execution.parameters)
    assert isinstance(result, Rows)
    return result


async def _held(rows: Sequence[Row]) -> AsyncIterator[Sequence[Row]]:
    yield rows


async def sequence_fetch(plan: FetchPlan, execution: Execution, session: StatementSession) -> Rows | Command:
    cursor = await session.cursor_named(plan.cursor)
    timeout_s = None if plan.timeout_ms is None else plan.timeout_ms / 1000
    match plan.direction:
        case "forward" if plan.count is None and timeout_s is None and cursor.result.live is not None:
            rows = await cursor.forward_to_now(await execution.environment.oracle.read_ts())
        case "forward":
            count = plan.count
            backward = count is not None and count < 0
            rows = await (cursor.backward(-(count or 0)) if backward else cursor.forward(count, timeout_s))
        case "backward":
            count = plan.count
            rows = await (cursor.forward(-count) if count is not None and count < 0 else cursor.backward(count))
        case "absolute":
            rows = await cursor.absolute(plan.count or 0)
        case "relative":
            rows = await cursor.relative(plan.count or 0)
    if plan.move:
        return Command(f"MOVE {len(rows)}")
    fetched = rows_result(cursor.result.desc, rows, f"FETCH {len(rows)}")
    return replace(fetched, origins=cursor.result.origins, binary=cursor.result.binary)


async def sequence_close(plan: CloseCursorPlan, session: StatementSession) -> Command:
    if plan.name is None:
        for cursor in session.open_cursors.values():
            await cursor.source.close()
        session.open_cursors.clear()
        return Command("CLOSE CURSOR ALL")
    cursor = await session.cursor_named(plan.name)
    session.open_cursors.pop(plan.name, None)
    await cursor.source.close()
    await session.close_portal(plan.name)
    return Command("CLOSE CURSOR")
