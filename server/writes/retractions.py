"""Checks that a transaction retracts only existing rows, before its COMMIT is handed on.

A statement retracts rows that it has read, and its reads are unchanged when the transaction commits. Only a change of
bytes between storage and the write is in doubt. Rows found by an index come as they were stored; rows that passed
through Spark's operators are looked up in storage again. Nobody else waits meanwhile.
"""

from __future__ import annotations

from dataclasses import replace

import structlog

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow
from model.text.context import DEFAULT_CONTEXT
from model.time.timestamp import Timestamp
from server.environment.environment import Environment
from server.ledgers.row_text import row_text
from server.transactions.transaction import Transaction
from storage.persist.held import rows_not_held

_log = structlog.get_logger()


async def require_held(environment: Environment, transaction: Transaction) -> None:
    """Raises SqlError XX000 where the transaction's writes take rows from a table that the table does not have."""
    for id_ in {write.id for write in transaction.writes.buffered if write.retracts and not write.as_stored}:
        if id_ in transaction.reads.computed and environment.storage.exists(id_):
            await _require_held_by(environment, transaction, id_)


async def _require_held_by(environment: Environment, transaction: Transaction, id_: GlobalId) -> None:
    storage, item = environment.storage, (transaction.changes.catalog or environment.catalog.state).items.get(id_)
    if item is None or transaction.reads.at is None:
        return
    with storage.reads.hold(id_) as hold:
        # What was read has not changed since, or else the transaction is not going to commit.
        as_of = max(transaction.reads.at, Timestamp(hold.frontier.time or 0))
        await storage.wait_for_upper(id_, as_of)
        source = replace(storage.reads.snapshot(id_, as_of), desc=item.desc)
        lacking = await rows_not_held(source, transaction.writes.of(id_), storage.blob, storage.runner)
    if lacking is None:
        return
    rows = rows_from_arrow(lacking, item.desc)
    _log.error("a transaction would take rows that are not there", table=str(id_), rows=len(rows))
    raise SqlError(
        Sqlstate.INTERNAL_ERROR,
        f'internal error: rows would be taken from "{item.name}" that it does not hold',
        detail=f"One is {row_text(rows[0], item, DEFAULT_CONTEXT)}. Nothing was written.",
    )
