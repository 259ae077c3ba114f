"""An immutable batch: blocks of updates, sorted by (h, o, r, time) within and across blocks, consolidated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from compute.arrangement.equality import Indices, ints
from compute.arrangement.layout import HASH_COLUMN

if TYPE_CHECKING:
    from compute.arrangement.batch_file import BatchFile


_WINDOW_ROWS = 32
_SPARSE = 32
"""From how many rows for each probe a search by windows beats one of the whole column."""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of at least one row, in the layout's stored schema.

    `hashes`: the column h, from `first` to `last`.
    `sample`: every _WINDOW_ROWS-th hash: small enough for a processor's cache, unlike the whole column.
    `view`: the hashes as Python's numbers.
    """

    rows: pa.RecordBatch
    hashes: Indices
    sample: Indices
    bytes: int
    first: int
    last: int
    view: memoryview

    @classmethod
    def of(cls, rows: pa.RecordBatch) -> Block:
        hashes = ints(rows.column(HASH_COLUMN))
        sample, view = hashes[::_WINDOW_ROWS].copy(), hashes.data
        return cls(rows, hashes, sample, rows.nbytes, view[0], view[-1], view)

    def rows_in(self, size: int) -> int:
        """Returns about how many of the block's rows take up `size` bytes; at least 1."""
        return max(1, size * len(self.hashes) // max(self.bytes, 1))

    def numbers(self, name: str) -> Indices:
        """An int64 column."""
        return ints(self.rows.column(name))

    def first_from(self, wanted: Indices) -> Indices:
        """Returns, for each of the sorted hashes, the first row with an equal or greater h; the number of rows
        without such a row."""
        if len(wanted) * _SPARSE > len(self.hashes):
            return np.searchsorted(self.hashes, wanted)
        before = np.maximum(np.searchsorted(self.sample, wanted) - 1, 0) * _WINDOW_ROWS
        window = before[:, None] + np.arange(_WINDOW_ROWS)
        less = self.hashes.take(window, mode="clip") < wanted[:, None]
        first: Indices = np.minimum(before + np.count_nonzero(less, axis=1), len(self.hashes))
        return first

    def first_after(self, wanted: Indices, first: Indices) -> Indices:
        """Returns the first row with a greater h; `first` is the result of `first_from` for hashes that the block
        has."""
        last = np.minimum(first + 1, len(self.hashes) - 1)
        after = first + 1
        several = np.flatnonzero((self.hashes[last] == wanted) & (last > first))
        if len(several):
            after[several] = np.searchsorted(self.hashes, wanted[several], "right")
        return after


@dataclass(frozen=True, slots=True)
class ArrangementBatch:
    """`file` is where the blocks lie; None: in memory."""

    blocks: tuple[Block, ...]
    rows: int
    bytes: int
    file: BatchFile | None = None

    @classmethod
    def of(cls, blocks: tuple[Block, ...], file: BatchFile | None = None) -> ArrangementBatch:
        rows = sum(block.rows.num_rows for block in blocks)
        return cls(blocks, rows, sum(block.bytes for block in blocks), file)
