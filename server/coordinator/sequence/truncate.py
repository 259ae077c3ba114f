"""TRUNCATE: every row that the tables hold at the read timestamp is retracted."""

from __future__ import annotations

from planner.ir.relation import Get
from planner.plans import TruncatePlan
from server.coordinator.execution import Execution
from server.coordinator.planning import ReadSet
from server.coordinator.reading import Reader, whole_query
from server.coordinator.writing import TableWriter, item_of, lock_for_write
from server.pgwire.backend import Command


async def sequence_truncate(plan: TruncatePlan, execution: Execution) -> Command:
    transaction = execution.transaction
    transaction.require_writable("TRUNCATE TABLE")
    ids = frozenset(plan.targets)
    await lock_for_write(execution.environment, transaction, ids)
    for id_ in plan.targets:
        item = item_of(execution.catalog, id_)
        writer = TableWriter(execution.environment, item, execution.asker.text_context)
        try:
            reads = ReadSet(frozenset({id_}), frozenset(), timed=False)
            query = whole_query(Get(id_, item.desc))
            async for table in Reader(execution.environment, execution).tables(query, reads):
                await writer.add_signed(table, -1)
            transaction.writes.append(await writer.finish())
        except BaseException:
            await writer.abandon()
            raise
    return Command("TRUNCATE TABLE")
