"""TRUNCATE: every row that the tables hold at the read timestamp is retracted."""

from __future__ import annotations

from catalog.translate_sequence import restarted
from planner.ir.relation import Get
from planner.plans import TruncatePlan
from server.coordinator.evaluating import whole_query
from server.coordinator.execution import Execution
from server.coordinator.planning import ReadSet
from server.coordinator.reading import Reader
from server.coordinator.writing import TableWriter, item_of, lock_for_write
from server.pgwire.backend import Command


async def sequence_truncate(plan: TruncatePlan, execution: Execution) -> Command:
    transaction = execution.transaction
    transaction.require_writable("TRUNCATE TABLE")
    ids = frozenset(plan.targets)
    await lock_for_write(execution.environment, transaction, ids)
    for id_ in plan.targets:
        item = item_of(execution.catalog, id_)
        writer = TableWriter(execution, item)
        try:
            reads = ReadSet(frozenset({id_}), frozenset(), timed=False)
            query = whole_query(Get(id_, item.desc))
            async for table in Reader(execution.environment, execution).tables(query, reads):
                await writer.add_signed(table, -1)
            transaction.writes.append(await writer.finish())
        except BaseException:
            await writer.abandon()
            raise
    if plan.restart:
        owned = [item for id_ in plan.targets for item in execution.catalog.owned_sequences(id_)]
        allocator = execution.environment.catalog.allocator
        execution.change_catalog(*(restarted(item, allocator) for item in owned))
    return Command("TRUNCATE TABLE")
