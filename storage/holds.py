"""Volatile read holds: a statement holds collections while reading.

Holds are children of the environment's durable read capability on each collection, so a SELECT writes nothing. A hold
keeps the since from passing the hold's frontier. A hold also keeps parts from being deleted that some state since the
hold's beginning has named, or since a later version from which the reader says it reads by now. A moved frontier does
not release parts: a hydration goes on reading the parts of an old state. Taking, downgrading and releasing a hold are
synchronous.

A transaction that may yet read anything at its time takes a single hold on everything, however many collections exist.
A hold on everything keeps sinces only: a reader of a collection takes a hold on the collection as well.
"""

from __future__ import annotations

from types import TracebackType

from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain


class StorageReadHold:
    """A hold on one collection, or on everything (`collection` is None). Usable as a context manager.

    `seqno` is the earliest version of the shard that the reader may read: the version at which the hold began, until
    the reader reports a later version. Holds on everything are numbered instead.
    """

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
        """Notes that the reader reads no state before this version any more, and never will."""
        self.seqno = max(self.seqno, seqno)

    def release(self) -> None:
        """Releases the hold; idempotent."""
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
        """Returns the earliest frontier held; empty when none is."""
        meet = EMPTY
        for hold in self._active:
            meet = meet.meet(hold.frontier)
        return meet

    def oldest_seqno(self) -> int | None:
        """Returns the earliest version that a holder may have read."""
        return min((hold.seqno for hold in self._active), default=None)

    def __len__(self) -> int:
        return len(self._active)
