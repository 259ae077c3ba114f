"""INSERT: rows from VALUES, DEFAULT VALUES or a query, into one table; INSERT … AS OF a time to come."""

from __future__ import annotations

from catalog.temporary import is_temporary_item
from model.datum import Row
from model.errors import NotSupported
from planner.plans import InsertPlan
from server.coordinator.execution import Execution
from server.coordinator.planning import ReadSet
from server.coordinator.reading import Reader
from server.coordinator.scheduled import Waiting, encode_rows
from server.coordinator.sequence.results import rows_result
from server.coordinator.sequence.returning import returned_rows
from server.coordinator.writing import TableWriter, item_of, lock_for_write, require_writable
from server.pgwire.backend import Command, Rows
from storage.persist.state import Part


async def sequence_insert(plan: InsertPlan, reads: ReadSet, execution: Execution) -> Command | Rows:
    """Buffers the rows in the transaction."""
    require_writable(execution, plan.target, "INSERT")
    item = item_of(execution.catalog, plan.target)
    if reads.user and not is_temporary_item(execution.catalog, plan.target):
        await lock_for_write(
            execution.environment, execution.transaction, execution.catalog.tables_under(reads.user) | {plan.target}
        )
    reader = Reader(execution.environment, execution)
    writer = TableWriter(execution.environment, item, execution.asker.text_context)
    inserted: list[Row] = []
    try:
        async for batch in reader.rows(plan.source, reads):
            await writer.add_rows(batch)
            if plan.returning is not None:
                inserted.extend(batch)
        write = await writer.finish()
    except BaseException:
        await writer.abandon()
        raise
    if plan.as_of is None:
        execution.transaction.writes.append(write)
    else:
        time = reader.time_of(plan.as_of.time, await execution.environment.oracle.read_ts())
        if any(isinstance(update, Part) for update in write.updates):
            raise NotSupported("INSERT AS OF of more than 32 MiB")
        token = execution.environment.randomness.token
        execution.transaction.scheduled.extend(
            Waiting(token(), plan.target, time, encode_rows(update)) for update in write.updates
        )
    tag = f"INSERT 0 {writer.rows}"
    if plan.returning is None:
        return Command(tag)
    rows = returned_rows(plan.returning, plan.returning_local, item.desc, inserted, execution)
    return rows_result(plan.returning.desc, rows, tag)
