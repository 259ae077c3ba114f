"""When a transaction reads that goes on to write: later than before, as long as that makes no difference.

What it has read by keys and nobody has changed since is the same at the later time: all that it reads might as well be
read then. So a statement that writes finds its rows as they are now, rather than as they were when the transaction
began, and conflicts with nobody who changed them between.

    10  BEGIN; UPDATE account WHERE id = 7    reads account 7 at 10
    12  another transaction changes branch 3
    13  UPDATE branch WHERE id = 3            account 7 has not changed since: reads branch 3, and account 7, at 12

Where others are about to change the rows it waits for their commits, for a moment.
"""

from __future__ import annotations

from model.time.timestamp import Timestamp
from server.coordinator.environment import Environment
from server.session.transaction import Transaction
from timeline.footprint import Identities, KeyColumns, ReadKeys


async def read_later(environment: Environment, transaction: Transaction, keys: ReadKeys) -> None:
    """Before an explicit transaction reads rows with the keys, which it is about to write: moves its time to that of
    the last commit, if that makes no difference to what it has read."""
    if not _may_move(environment, transaction):
        return
    await environment.committer.changed_soon(keys)
    until, time = environment.committer.recent.complete_until, transaction.read_ts
    if time is None or until is None or until <= time or not _may_move(environment, transaction):
        return
    if not any(changed_by_key(environment, key, found, time) for key, found in transaction.read_keys.items()):
        transaction.read_ts = until


def _may_move(environment: Environment, transaction: Transaction) -> bool:
    """Whether it has read nothing but rows by their keys, in the catalog of now."""
    if not transaction.explicit or transaction.dated or transaction.catalog is not None:
        return False
    if transaction.read_ids or transaction.read_sources or transaction.noted or transaction.unrepeatable:
        return False
    return transaction.read_ts is None or environment.catalog.changed_at <= transaction.read_ts


def changed_by_key(environment: Environment, key: KeyColumns, identities: Identities, since: Timestamp) -> bool:
    """Whether a row that has one of the keys was changed after `since`, or may have been."""
    storage, recent = environment.storage, environment.committer.recent
    if not storage.exists(key.table):
        return True
    if not storage.changed_after(key.table, since):
        return False
    known = recent.last_change(key.table)
    if known is None or known <= since or storage.changed_after(key.table, known):
        # Rows have changed that no commit of this process has told of.
        return True
    return recent.meets(key, identities, since)
