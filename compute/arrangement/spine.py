"""The batches of an arrangement, oldest first, and the merges that keep them few.

Rule: a batch outweighs all younger batches together; otherwise they are merged. So about log2(n) batches exist, and an
update is merged again only when its batch's size doubles: inserting d updates costs d·log n.

A large merge is done a step at a time, in proportion to inserts, while lookups still use its inputs: no tick waits for
a merge of everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import structlog

from compute.arrangement.batch import ArrangementBatch
from compute.arrangement.layout import Layout
from compute.arrangement.merge import BLOCK_BYTES, Merge
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
        self._items: list[ArrangementBatch | Merge] = list(batches)
        self._patience = 0

    @property
    def spill_bytes(self) -> int:
        """A batch of more is written to a file."""
        return SPILL_BYTES if self._spill_bytes is None else self._spill_bytes

    def append(self, batches: Sequence[ArrangementBatch], since: int | None, dropped_below: int | None) -> None:
        """Appends the youngest batches; due merges begin, with the given bounds, and go on a step."""
        inserted = sum(batch.rows for batch in batches)
        self._items += [batch for batch in batches if batch.rows]
        self._patience = max(self._patience - inserted, 0)
        work = _WORK_PER_ROW * inserted + _WORK_PER_INSERT
        for item in list(self._items):
            if isinstance(item, Merge):
                self._advance(item, work)
        while (merge := self._due(since, dropped_below, work)) is not None:
            self._advance(merge, work)
        self._publish()

    def move_to_files(self, store: BatchStore, filed: Mapping[int, ArrangementBatch]) -> None:
        """Replaces batches, by identity, with equal batches in files of the store."""
        self.store = store
        for i, item in enumerate(self._items):
            if isinstance(item, Merge):
                item.move_to_files(filed)
            else:
                self._items[i] = filed.get(id(item), item)
        self._publish()

    def _due(self, since: int | None, dropped_below: int | None, work: int) -> Merge | None:
        """Replaces batches that need merging by a Merge. Batches older than a merge under way wait."""
        first = max((i + 1 for i, item in enumerate(self._items) if isinstance(item, Merge)), default=0)
        due = len(self._items)
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
        inputs = tuple(item for item in self._items[due:] if isinstance(item, ArrangementBatch))
        if not inputs:
            return None
        store = self.store if sum(batch.bytes for batch in inputs) > self.spill_bytes else None
        block_bytes = min(BLOCK_BYTES, self.spill_bytes)
        merge = Merge(inputs, self._layout, since, dropped_below, store, work, block_bytes)
        self._items[due:] = [merge]
        return merge

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
            batch for item in self._items for batch in (item.inputs if isinstance(item, Merge) else (item,))
        )
