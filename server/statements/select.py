"""SELECT, VALUES, TABLE, SHOW of system relations; COPY (query) TO STDOUT."""

from __future__ import annotations

from planner.plans.queries import CopyToPlan, SelectPlan
from server.ledgers.pieces import Pieces
from server.pgwire.backend import CopyOut, Rows
from server.planning.statement_plans import Planned
from server.reads.reading import Reader
from server.statements.copying.copy_options import wire_options
from server.statements.results import counted_rows, whole_rows
from server.transactions.execution import Execution


async def sequence_select(plan: SelectPlan, planned: Planned, execution: Execution) -> Rows:
    """Returns rows at one timestamp, as they come."""
    reader = Reader(execution.environment, execution)
    found = await reader.answer(plan.query, planned.reads, plan.as_of, planned.access, planned.arranged)
    if isinstance(found, list):
        return whole_rows(plan.query.desc, found, "SELECT")
    return counted_rows(plan.query.desc, found, "SELECT")


async def sequence_copy_to(
    plan: CopyToPlan, planned: Planned, execution: Execution, pieces: Pieces | None = None
) -> CopyOut:
    """Returns rows for COPY TO, or writes them to `pieces`."""
    reader = Reader(execution.environment, execution)
    batches = reader.rows(plan.query, planned.reads, plan.as_of, planned.access, planned.arranged, pieces)
    rows = counted_rows(plan.query.desc, batches, "COPY")
    return CopyOut(rows.desc, wire_options(plan.options, rows.desc, reading=False), rows.batches, rows.tag)
