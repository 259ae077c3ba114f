"""Locks the rows that a transaction writes, before its commit, and waits for rows that other transactions have locked.

A single statement locks its rows as soon as they are known. If the statement had to wait, the rows may have changed:
the statement runs again, and keeps the locks. Statements of longer transactions lock nothing; COMMIT locks all written
rows, and validates the reads afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence

import pyarrow as pa

from catalog.facts.temporary_items import is_temporary_item
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN
from model.updates.update import signed_rows
from planner.plans.locks import RowMode, TableMode, WaitPolicy
from server.ledgers.conflicts import Mode
from server.ledgers.locks import Resource
from server.ledgers.row_keys import RowKeys
from server.pgwire.backend import StatementResult
from server.transactions.execution import Execution
from server.transactions.transaction_writes import BufferedWrite
from server.writes.committing import commit_transaction
from server.writes.locking.waiting import take_lock
from server.writes.temporary import settle_tables
from server.writes.writing import discard
from storage.persist.state import Part

LOCKED_MAX = 10_000
"""Of more rows than these of one table, all are locked together."""
_AT_ONCE = 500


async def with_written_rows(run: Callable[[], Awaitable[StatementResult]], execution: Execution) -> StatementResult:
    """Runs a statement that writes, until its rows are locked without a wait since they were read."""
    transaction = execution.transaction
    first = not transaction.explicit and transaction.reads.at is None and not transaction.writes.buffered
    while True:
        result = await run()
        # Without write locks it has read nothing, or the client waits for COMMIT's answer anyway.
        if not first or not transaction.locks.locked or not await lock_written_rows(execution):
            return result
        await transaction.locks.release_write_locks()
        discard(execution.environment, transaction)
        transaction.writes.buffered.clear()
        transaction.writes.own_keys.clear()
        transaction.deferred.waiting.clear()
        transaction.reads.forget()


async def commit_with_locks(execution: Execution) -> None:
    """Commits the transaction after locking the rows it changes. A commit that has begun ends in spite of an
    interruption, and reports its outcome: see GroupCommitter.submit."""
    settle_tables(execution.environment, execution.transaction)
    await lock_written_rows(execution)
    await commit_transaction(execution.environment, execution.transaction)


async def lock_written_rows(execution: Execution) -> bool:
    """Locks the rows that the transaction changes or deletes; returns whether it had to wait."""
    waited = False
    transaction, catalog = execution.transaction, execution.catalog
    locks = execution.environment.locks.rows
    for id_ in sorted(
        {write.id for write in transaction.writes.buffered if write.retracts} - transaction.changes.created
    ):
        item = catalog.items.get(id_)
        if item is None or is_temporary_item(catalog, id_):
            continue
        wanted = await _wanted(id_, [write for write in transaction.writes.buffered if write.id == id_], execution)
        for number, (resource, mode) in enumerate(wanted):
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
            if not locks.take_now(transaction.locks.holder, resource, mode):
                waited = True
                await take_lock(execution, resource, mode, WaitPolicy.WAIT, item.name)
    return waited


async def _wanted(id_: GlobalId, writes: Sequence[BufferedWrite], execution: Execution) -> list[tuple[Resource, Mode]]:
    """Returns the locks in an order common to all, so that transactions that only write don't wait for each other in
    circles."""
    item = execution.catalog.items[id_]
    updates = [update for write in writes for update in write.updates]
    tables = [update for update in updates if isinstance(update, pa.Table) and DIFF_COLUMN in update.column_names]
    many = sum(table.num_rows for table in tables) > 2 * LOCKED_MAX
    if many or any(isinstance(update, Part) for write in writes if write.retracts for update in write.updates):
        return [(Resource(id_), TableMode.ALL_ROWS)]
    keys = RowKeys(item, execution.catalog)
    going: set[Hashable] = set()
    staying: set[Hashable] = set()
    for table in tables:
        for start in range(0, table.num_rows, _AT_ONCE):
            if start:
                await asyncio.sleep(0)
            piece = table if table.num_rows <= _AT_ONCE else table.slice(start, _AT_ONCE)
            for row, diff in signed_rows(piece, item.desc):
                (going if diff < 0 else staying).add(keys.of(row))
    modes = {key: RowMode.NO_KEY_UPDATE if keys.keyed and key in staying else RowMode.UPDATE for key in going}
    return [(Resource(id_, key), modes[key]) for key in sorted(going, key=repr)]
