"""The batches of an arrangement, oldest first, and the merges that keep them few.

Rule: a batch outweighs all younger batches together; otherwise they are merged. So about log2(n) batches exist, and an
update is merged again only when its batch's size doubles: inserting d updates costs d·log n.

A large merge is done a step at a time, in proportion to inserts, while lookups still use its inputs: no tick waits for
a merge of everything. Or others do it (AwaitedMerge), beside the ticks, and its inputs are used until they are done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import structlog

from compute.arrangement.batch import ArrangementBatch
from compute.arrangement.layout import Layout
from compute.arrangement.merge import BLOCK_BYTES, AwaitedMerge, Merge
from compute.arrangement.stores import BatchStore

SPILL_BYTES = 64 * 1024 * 1024
"""A batch of more bytes is written to a file when there is a store, before any checkpoint."""
_WORK_PER_ROW = 8
"""Updates that each merge under way passes over for each one inserted: it ends long before its like is due again."""
_WORK_PER_INSERT = 4096

_log = structlog.get_logger("arrangements")


class Spine:
    """A list of batches. One thread appends; any thread may read `batches`."""

    def __init__(
        self,
        layout: Layout,
        store: BatchStore | None,
        batches: tuple[ArrangementBatch, ...],
        spill_bytes: int | None = None,
    ) -> None:
        self.store = store
        self._spill_bytes = spill_bytes
        self.batches = batches
        self._layout = layout
        self._items: list[ArrangementBatch | Merge | AwaitedMerge] = list(batches)
        self._patience = 0

    @property
    def spill_bytes(self) -> int:
        """A batch of more is written to a file."""
        return SPILL_BYTES if self._spill_bytes is None else self._spill_bytes

    @property
    def awaited(self) -> tuple[AwaitedMerge, ...]:
        """Returns the merges that others are to do, and have not begun."""
        return tuple(item for item in self._items if isinstance(item, AwaitedMerge) and not item.begun)

    def append(
        self,
        batches: Sequence[ArrangementBatch],
        since: int | None,
        dropped_below: int | None,
        awaited_rows: int | None = None,
    ) -> None:
        """Appends the youngest batches; due merges begin, with the given bounds, and go on a step. Those of
        `awaited_rows` or more are for others to do."""
        inserted = sum(batch.rows for batch in batches)
        if awaited_rows is not None and self.awaited:
            items = [(item,) if item not in self.awaited else item.inputs for item in self._items]
            self._items = [each for parts in items for each in parts]
        self._items += [batch for batch in batches if batch.rows]
        self._patience = max(self._patience - inserted, 0)
        work = _WORK_PER_ROW * inserted + _WORK_PER_INSERT
        for item in list(self._items):
            if isinstance(item, Merge):
                self._advance(item, work)
        while (due := self._due()) is not None:
            inputs = tuple(item for item in self._items[due:] if isinstance(item, ArrangementBatch))
            if awaited_rows is not None and sum(batch.rows for batch in inputs) >= awaited_rows:
                self._items[due:] = [AwaitedMerge(inputs, since, dropped_below)]
                continue
            self._items[due:] = [merge := self._merge(inputs, since, dropped_below, work)]
            self._advance(merge, work)
        self._publish()

    def end_awaited(self, awaited: AwaitedMerge, result: ArrangementBatch | None) -> None:
        """Puts the result of a merge in the place of its batches; without one, the merge is done here, from the next
        batches on."""
        place = self._items.index(awaited)
        if result is None:
            merge = self._merge(awaited.inputs, awaited.since, awaited.dropped_below, _WORK_PER_INSERT)
            self._items[place] = merge
        else:
            self._items[place : place + 1] = [result] if result.rows else []
        self._publish()

    def move_to_files(self, store: BatchStore, filed: Mapping[int, ArrangementBatch]) -> None:
        """Replaces batches, by identity, with equal batches in files of the store."""
        self.store = store
        for i, item in enumerate(self._items):
            if isinstance(item, ArrangementBatch):
                self._items[i] = filed.get(id(item), item)
            else:
                item.move_to_files(filed)
        self._publish()

    def _due(self) -> int | None:
        """Returns the place from which on all batches need merging into one, None while none does. Batches older than
        a merge under way wait."""
        merges = (i + 1 for i, item in enumerate(self._items) if not isinstance(item, ArrangementBatch))
        first = max(merges, default=0)
        due = None
        rows = size = 0
        for i in range(len(self._items) - 1, first - 1, -1):
            batch = self._items[i]
            assert isinstance(batch, ArrangementBatch)
            if self._patience and size + batch.bytes > self.spill_bytes:
                break
            if batch.rows <= rows:
                due = i
            rows += batch.rows
            size += batch.bytes
        return due

    def _merge(
        self, inputs: tuple[ArrangementBatch, ...], since: int | None, dropped_below: int | None, work: int
    ) -> Merge:
        store = self.store if sum(batch.bytes for batch in inputs) > self.spill_bytes else None
        block_bytes = min(BLOCK_BYTES, self.spill_bytes)
        return Merge(inputs, self._layout, since, dropped_below, store, work, block_bytes)

    def _advance(self, merge: Merge, work: int) -> None:
        place = self._items.index(merge)
        try:
            result = merge.advance(work)
        except OSError as error:
            # Nothing is lost; the next attempt waits until as much again has come in.
            _log.warning("could not merge batches", rows=merge.rows, reason=str(error))
            self._patience = merge.rows
            self._items[place : place + 1] = merge.inputs
            return
        if result is not None:
            self._items[place : place + 1] = [result] if result.rows else []

    def _publish(self) -> None:
        self.batches = tuple(
            batch for item in self._items for batch in ((item,) if isinstance(item, ArrangementBatch) else item.inputs)
        )
