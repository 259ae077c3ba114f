"""The locks of a transaction: on rows and tables, and the write locks of whole collections."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

from server.ledgers.locks import LockHolder, Locks
from timeline.footprint import Footprint
from timeline.waiting import LockOwner


@dataclass(slots=True)
class TransactionLocks:
    """The locks of one transaction.

    `owner`: the owner of all its locks, whom deadlocks are told about
    `holder`: the locks on rows and tables
    `write_locks`: the locks on the collections in `locked`, which nobody else writes meanwhile
    """

    holder: LockHolder = field(default_factory=lambda: Locks().of_session(0).transaction())
    owner: LockOwner = field(default_factory=LockOwner)
    write_locks: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    locked: Footprint = field(default_factory=Footprint)

    async def release_write_locks(self) -> None:
        """Releases the write locks. Collections read under the locks may change from now on: COMMIT tests them."""
        self.locked = Footprint()
        await self.write_locks.aclose()

    async def release(self) -> None:
        """Releases all locks."""
        self.holder.release_from(0)
        await self.release_write_locks()
