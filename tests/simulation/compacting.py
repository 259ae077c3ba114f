"""Compaction that never rests, beside whatever else a simulation does, and bugs in what relies on how batches lie.

On a real server hours pass in which compaction takes runs of batches here and there, while some transactions wait. Here
rounds follow each other within milliseconds, and each takes some batches of a shard, whichever: any choice is sound.
The since follows closely, in half of the lives.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from msgspec.structs import replace

from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from storage import maintenance
from storage.maintenance import StorageMaintenance
from storage.persist import transition
from storage.persist.compact import choose_batches
from storage.persist.state import Batch, ShardState
from storage.reads import CollectionReads


@contextmanager
def compaction_that_never_rests(seed: int, every_s: float = 0.01) -> Iterator[None]:
    source = random.Random(seed)

    def some(state: ShardState) -> tuple[Batch, ...]:
        batches = state.batches
        if state.since.time is None or len(batches) < 2 or source.random() < 0.4:
            return choose_batches(state)
        first, last = sorted(source.sample(range(len(batches) + 1), 2))
        run = batches[first:last]
        return run if source.random() < 0.7 else tuple(batch for batch in run if source.random() < 0.5)

    with ExitStack() as stack:
        stack.enter_context(patch.object(StorageMaintenance.run, "__defaults__", (every_s,)))
        stack.enter_context(patch.object(maintenance, "choose_batches", some))
        if source.random() < 0.5:
            stack.enter_context(patch.object(maintenance, "RETENTION_STEP_MS", 0))
        yield


@contextmanager
def compacted_batches_lie_in_front() -> Iterator[None]:
    """Whichever they have replaced; and nobody minds."""
    compact = transition._compact

    def careless(state: ShardState, compacted: transition.Compacted, seqno: int) -> ShardState:
        changed = compact(state, compacted, seqno)
        front = sorted(changed.batches, key=lambda batch: batch.id != state.next_batch)
        return replace(changed, batches=tuple(front))

    with patch.object(transition, "_compact", careless), patch.object(ShardState, "in_order", True):
        yield


@contextmanager
def validation_stops_early() -> Iterator[None]:
    """It takes what began before the read for what ended before it: a compacted batch may do the one and not the
    other."""

    def hasty(self: CollectionReads, id_: GlobalId, time: Timestamp) -> bool:
        for batch in reversed(self._storage.collection(id_).state.batches):
            if batch.lower.less_equal(time):
                return False
            if any(piece.time_max is not None and piece.time_max > time for piece in batch.pieces):
                return True
        return False

    with patch.object(CollectionReads, "changed_after", hasty):
        yield
