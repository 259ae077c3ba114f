"""Reads of collections at times that are held: snapshots, changes, what is known without reading.

    with storage.reads.hold(id_, as_of):
        await storage.wait_for_upper(id_, as_of)
        pieces = storage.reads.snapshot(id_, as_of)

Holds are volatile: they end with the process. A hold on everything keeps collections readable that are dropped later.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

import pyarrow as pa

from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MAX, Timestamp
from storage.collection import Collection
from storage.holds import ReadHolds, StorageReadHold
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.snapshot import Changes, Snapshot, read_changes, read_snapshot, snapshot, updates_between
from storage.subscription import SubscribedShape, SubscriptionEvent, follow


class ReadableStorage(Protocol):
    """The collections that there are, and how far they are complete: the part of the controller that reads need."""

    @property
    def blob(self) -> Blob: ...

    @property
    def runner(self) -> Runner: ...

    def collection(self, id_: GlobalId) -> Collection:
        """Returns a collection; raises SqlError (undefined_object) for an unbound id."""
        ...

    def exists(self, id_: GlobalId) -> bool: ...

    def upper_of(self, collection: Collection) -> Antichain: ...

    async def wait_for_upper(self, id_: GlobalId, time: Timestamp) -> None: ...

    async def wait_for_upper_of(self, collection: Collection, time: Timestamp) -> None: ...


class CollectionReads:
    """Holds on the collections of one storage, and reads of them."""

    def __init__(self, storage: ReadableStorage) -> None:
        self._storage = storage
        self.on_everything = ReadHolds()
        self._holds_on_everything = 0

    def hold(self, id_: GlobalId, at: Timestamp | None = None) -> StorageReadHold:
        """Returns a volatile read hold at `at`, by default at the since; raises SqlError naming the since when it has
        passed `at`."""
        return self._storage.collection(id_).take_hold(None if at is None else Antichain(at))

    def hold_everything(self, at: Timestamp) -> StorageReadHold:
        """Takes a hold at `at` on all collections, including collections dropped later. Takes constant time."""
        self._holds_on_everything += 1
        return self.on_everything.take(None, Antichain(at), self._holds_on_everything)

    def is_wanted(self, collection: Collection) -> bool:
        """Returns whether a statement holds the dropped collection, or an older transaction may still read it."""
        if collection.dropped_after is None:
            collection.dropped_after = self._holds_on_everything
        oldest = self.on_everything.oldest_seqno()
        return bool(len(collection.holds)) or (oldest is not None and oldest <= collection.dropped_after)

    def snapshot(self, id_: GlobalId, as_of: Timestamp) -> Snapshot:
        """Returns the pieces of the collection at `as_of`; take a hold first, and wait for the upper.

        Raises SqlError naming the collection and its since when `as_of` is before it.
        """
        collection = self._storage.collection(id_)
        upper = self._storage.upper_of(collection)
        assert not upper.less_equal(as_of), f"{id_} is complete up to {upper}, not yet at {as_of}"
        return snapshot(collection.state, as_of)

    def updates_between(self, id_: GlobalId, lower: Timestamp, upper: Timestamp) -> Changes:
        """Returns the pieces with updates at times in [lower, upper); take a hold at lower - 1 first."""
        return updates_between(self._storage.collection(id_).state, lower, upper)

    def stored_bytes(self, id_: GlobalId) -> int:
        """Returns the bytes of the pieces in the newest state."""
        return sum(piece.bytes for batch in self._storage.collection(id_).state.batches for piece in batch.pieces)

    def version(self, id_: GlobalId) -> int:
        """Returns the seqno of the newest known state."""
        return self._storage.collection(id_).state.seqno

    def empty(self, id_: GlobalId) -> bool:
        """Returns whether the newest state has no updates: the collection is then empty at every held time."""
        return not any(batch.pieces for batch in self._storage.collection(id_).state.batches)

    def changed_after(self, id_: GlobalId, time: Timestamp) -> bool:
        """Returns whether the collection has an update after `time`, which is held."""
        for batch in reversed(self._storage.collection(id_).state.batches):
            # In the order of their uppers. What compaction has advanced, to since, is not later than what is held.
            if batch.upper.less_equal(Timestamp(time + 1)):
                return False
            if any(piece.time_max is not None and piece.time_max > time for piece in batch.pieces):
                return True
        return False

    def still_until(self, id_: GlobalId, begin: Timestamp) -> Antichain | None:
        """Returns the time up to which a table has had no update since `begin`.

        None when the table has had an update, or others write the collection.
        """
        if not self._storage.exists(id_):
            return None
        collection = self._storage.collection(id_)
        if not collection.state.timeline:
            return None
        return None if self.changed_after(id_, Timestamp(begin - 1)) else self._storage.upper_of(collection)

    async def changes_after(self, id_: GlobalId, time: Timestamp) -> pa.Table:
        """Returns the updates at times after `time`, which is held (c0, c1, …, time, diff)."""
        changes = self.updates_between(id_, Timestamp(time + 1), TIMESTAMP_MAX)
        return await read_changes(changes, self._storage.blob, self._storage.runner)

    async def read(self, id_: GlobalId, as_of: Timestamp) -> pa.Table:
        """Returns the contents at `as_of` (c0, c1, …, diff), as soon as they are known."""
        with self.hold(id_, as_of):
            await self._storage.wait_for_upper(id_, as_of)
            return await read_snapshot(self.snapshot(id_, as_of), self._storage.blob, self._storage.runner)

    def follow(
        self, id_: GlobalId, as_of: Timestamp, *, projection: Sequence[int] | None = None, snapshot: bool = True
    ) -> AsyncGenerator[SubscriptionEvent]:
        """Subscribes like `subscribe_at`, with a volatile read hold at `as_of` instead of a capability."""
        return follow(self._storage, self._storage.collection(id_), as_of, SubscribedShape(None, projection), snapshot)
