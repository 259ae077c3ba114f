"""Reads several batches as one stream of sorted, consolidated chunks; the batches need not fit in memory.

Each step takes the rows at or before one bound (h, o, r) from every batch, so that equal rows meet in one step. A step
holds about `chunk_rows` rows, and at worst all updates of the bound as well: of one row at many times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.batch import ArrangementBatch, Block
from compute.arrangement.layout import Layout
from compute.arrangement.search import CHUNK_BYTES
from compute.arrangement.sorting import consolidated
from model.physical.columns import TIME_COLUMN

_Bound = tuple[int, ...]
"""Of the columns by which batches are sorted; one of fewer numbers comes after all that begin with them."""


@dataclass(slots=True)
class _Cursor:
    """The rest of one batch: `left` rows, from row `row` of `blocks[0]`."""

    sort_names: tuple[str, ...]
    blocks: tuple[Block, ...]
    left: int
    row: int = 0

    def bound_after(self, count: int) -> _Bound:
        """Returns the place of the last of the next `count` rows; of the block's last, where it has fewer."""
        block = self.blocks[0]
        last = min(self.row + count, block.count) - 1
        return tuple(int(block.numbers(name)[last]) for name in self.sort_names)

    def take_until(self, bound: _Bound) -> Iterator[pa.RecordBatch]:
        """Yields the rows at or before the bound, and moves behind them."""
        while self.blocks:
            block = self.blocks[0]
            end = self._end(block, bound)
            self.left -= end - self.row
            if end > self.row:
                yield block.rows.slice(self.row, end - self.row)
            if end < block.count:
                self.row = end
                return
            self.blocks, self.row = self.blocks[1:], 0

    def _end(self, block: Block, bound: _Bound) -> int:
        low, high = self.row, block.count
        for name, number in zip(self.sort_names, bound):
            among = block.numbers(name)[low:high]
            low, high = (low + int(np.searchsorted(among, number, side)) for side in ("left", "right"))
        return high


def merged(
    batches: Sequence[ArrangementBatch],
    layout: Layout,
    since: int | None,
    chunk_rows: int,
    *,
    until: int | None = None,
    between: tuple[int, int] | None = None,
    whole_hashes: bool = False,
) -> Iterator[pa.RecordBatch]:
    """Yields chunks of `layout.stored`, none empty; times below `since` are advanced, and times from `until` on left
    out.

    `between` restricts hashes to the first number up to, but without, the second. With `whole_hashes` all updates of
    one h come in one chunk.
    """
    for _, chunk in merge_steps(
        batches, layout, since, chunk_rows, until=until, between=between, whole_hashes=whole_hashes
    ):
        if chunk.num_rows:
            yield chunk


def merge_steps(
    batches: Sequence[ArrangementBatch],
    layout: Layout,
    since: int | None,
    chunk_rows: int,
    *,
    until: int | None = None,
    between: tuple[int, int] | None = None,
    whole_hashes: bool = False,
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yields the chunks of `merged`, some of them empty, with the number of updates that went into each."""
    rows, size = sum(batch.rows for batch in batches), sum(batch.bytes for batch in batches)
    chunk_rows = max(1, min(chunk_rows, CHUNK_BYTES * rows // max(size, 1)))
    blocks = [_restricted(batch.blocks, between) for batch in batches]
    names = layout.sort_names
    cursors = [_Cursor(names, each, sum(block.count for block in each)) for each in blocks if each]
    while cursors:
        left = sum(cursor.left for cursor in cursors)
        bound = min(cursor.bound_after(max(1, chunk_rows * cursor.left // left)) for cursor in cursors)
        if whole_hashes:
            bound = bound[:1]
        pieces = [piece for cursor in cursors for piece in cursor.take_until(bound)]
        if until is not None:
            pieces = [piece.filter(pc.less(piece.column(TIME_COLUMN), until)) for piece in pieces]
        yield left - sum(cursor.left for cursor in cursors), consolidated(pieces, layout, since, sorted_pieces=True)
        cursors = [cursor for cursor in cursors if cursor.blocks]


def _restricted(blocks: tuple[Block, ...], between: tuple[int, int] | None) -> tuple[Block, ...]:
    if between is None:
        return blocks
    kept = []
    for block in blocks:
        if block.last < between[0] or block.first >= between[1]:
            continue
        if between[0] <= block.first and block.last < between[1]:
            kept.append(block)
            continue
        # The end of a range of all hashes is beyond the column's numbers.
        low = 0 if between[0] <= block.first else int(np.searchsorted(block.hashes, between[0]))
        high = block.count if block.last < between[1] else int(np.searchsorted(block.hashes, between[1]))
        if low < high:
            kept.append(Block.of(block.rows.slice(low, high - low)))
    return tuple(kept)
