"""Volatile read holds: what a statement holds while it reads.

They are children of the environment's one durable read capability of each collection, so a SELECT writes nothing. A
hold keeps the since from passing its frontier, and parts from being deleted that a state since its beginning named, or
since the one that its reader says it reads from by now. That a frontier moves says nothing of what is being read: a
hydration goes on reading an old state's parts. Taking, downgrading and releasing one are synchronous.

A transaction that may yet read anything at its time holds everything by one hold, however many collections there are.
It keeps sinces only: whoever then reads a collection takes a hold on that one as well.
"""

from __future__ import annotations

from types import TracebackType

from model.antichain import EMPTY, Antichain
from model.global_id import GlobalId


class StorageReadHold:
    """`collection` is None for everything. `seqno` is the shard's version from which on its reader reads: the one at
    which the hold began, until the reader tells of another; holds on everything are numbered. Usable as a context
    manager."""

    __slots__ = ("_holds", "collection", "frontier", "seqno")

    def __init__(self, collection: GlobalId | None, frontier: Antichain, seqno: int, holds: ReadHolds) -> None:
        self.collection = collection
        self.frontier = frontier
        self.seqno = seqno
        self._holds: ReadHolds | None = holds

    def downgrade(self, frontier: Antichain) -> None:
        """Moves to a later frontier."""
        assert self.frontier.precedes(frontier), f"a hold at {self.frontier} can't go back to {frontier}"
        self.frontier = frontier

    def reads_from(self, seqno: int) -> None:
        """The reader reads no state before this version any more, and never will."""
        self.seqno = max(self.seqno, seqno)

    def release(self) -> None:
        """Idempotent."""
        if self._holds is not None:
            self._holds.forget(self)
            self._holds = None

    def __enter__(self) -> StorageReadHold:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class ReadHolds:
    """The holds on one collection, or on everything."""

    def __init__(self) -> None:
        self._active: set[StorageReadHold] = set()

    def take(self, collection: GlobalId | None, frontier: Antichain, seqno: int) -> StorageReadHold:
        hold = StorageReadHold(collection, frontier, seqno, self)
        self._active.add(hold)
        return hold

    def forget(self, hold: StorageReadHold) -> None:
        self._active.discard(hold)

    def meet(self) -> Antichain:
        """The earliest frontier held; empty when none is."""
        meet = EMPTY
        for hold in self._active:
            meet = meet.meet(hold.frontier)
        return meet

    def oldest_seqno(self) -> int | None:
        """The earliest version that a holder may have read."""
        return min((hold.seqno for hold in self._active), default=None)

    def __len__(self) -> int:
        return len(self._active)
