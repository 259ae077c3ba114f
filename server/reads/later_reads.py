"""Moves the read time of a transaction that goes on to write, as long as that makes no difference.

Rows read by key and unchanged since are the same at the later time: all reads might as well happen then. A writing
statement therefore finds present rows, rather than those of the transaction's beginning, and does not conflict with
changes in between.

    10  BEGIN; UPDATE account WHERE id = 7    reads account 7 at 10
    12  another transaction changes branch 3
    13  UPDATE branch WHERE id = 3            account 7 has not changed since: reads branch 3, and account 7, at 12

While others are about to change the rows, it waits for their commits, for a moment.
"""

from __future__ import annotations

from model.time.timestamp import Timestamp
from server.environment.environment import Environment
from server.transactions.transaction import Transaction
from timeline.footprint import Identities, KeyColumns, ReadKeys


async def read_later(environment: Environment, transaction: Transaction, keys: ReadKeys) -> None:
    """Moves an explicit transaction's time to the last commit, before it reads rows by key in order to write them,
    if that makes no difference to its reads."""
    if not _may_move(environment, transaction):
        return
    await environment.committer.changed_soon(keys)
    until, time = environment.committer.recent.complete_until, transaction.reads.at
    if time is None or until is None or until <= time or not _may_move(environment, transaction):
        return
    if not any(changed_by_key(environment, key, found, time) for key, found in transaction.reads.keys.items()):
        transaction.reads.at = until


def _may_move(environment: Environment, transaction: Transaction) -> bool:
    """Returns whether the transaction has read only rows by key, in the present catalog."""
    if not transaction.explicit or transaction.reads.dated or transaction.changes.catalog is not None:
        return False
    if transaction.reads.ids or transaction.reads.sources or transaction.reads.noted or transaction.reads.unrepeatable:
        return False
    return transaction.reads.at is None or environment.catalog.changed_at <= transaction.reads.at


def changed_by_key(environment: Environment, key: KeyColumns, identities: Identities, since: Timestamp) -> bool:
    """Returns whether a row with one of the keys was, or may have been, changed after `since`."""
    storage, recent = environment.storage, environment.committer.recent
    if not storage.exists(key.table):
        return True
    if not storage.reads.changed_after(key.table, since):
        return False
    known = recent.last_change(key.table)
    if known is None or known <= since or storage.reads.changed_after(key.table, known):
        # Rows have changed that no commit of this process has told of.
        return True
    return recent.meets(key, identities, since)
