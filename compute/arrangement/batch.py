"""An immutable batch: blocks of updates, sorted by (h, o, r, time) within and across blocks, consolidated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from compute.arrangement.equality import Indices, ints
from compute.arrangement.layout import HASH_COLUMN
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

WINDOW_ROWS = 32
"""A block's sample has every so many-th hash."""
_SPARSE = 32
"""From how many rows for each probe a search by windows beats one of the whole column."""


class CorruptFile(SqlError):
    """A batch's file is missing, or is not what was written."""

    def __init__(self, message: str) -> None:
        detail = "The state is made anew from its inputs."
        super().__init__(Sqlstate.DATA_CORRUPTED, message, detail=detail)


class Block:
    """A run of at least one row, in the layout's stored schema. Rows in a file are read on first use.

    `count`: the number of rows.
    `bytes`: the size of the rows in memory.
    `sample`: every WINDOW_ROWS-th hash: small enough for a processor's cache, unlike the whole column.
    `first`, `last`: the first and the last hash.
    """

    __slots__ = ("__weakref__", "_hashes", "_read", "_rows", "bytes", "count", "first", "last", "sample")

    def __init__(
        self, count: int, bytes_: int, sample: Indices, first: int, last: int, read: Callable[[], pa.RecordBatch]
    ) -> None:
        self.count = count
        self.bytes = bytes_
        self.sample = sample
        self.first = first
        self.last = last
        self._read = read
        self._rows: pa.RecordBatch | None = None
        self._hashes: Indices | None = None

    @classmethod
    def of(cls, rows: pa.RecordBatch, size: int | None = None) -> Block:
        """Returns a block of rows in memory, which take up `size` bytes; without a size they are measured."""
        hashes = ints(rows.column(HASH_COLUMN))
        sample, first, last = hashes[::WINDOW_ROWS].copy(), int(hashes[0]), int(hashes[-1])
        block = cls(rows.num_rows, rows.nbytes if size is None else size, sample, first, last, lambda: rows)
        block._rows, block._hashes = rows, hashes
        return block

    @property
    def rows(self) -> pa.RecordBatch:
        """Returns the rows; raises CorruptFile when the file has others."""
        rows = self._rows
        if rows is None:
            # Two threads may both read: each gets equal rows.
            rows = self._rows = self._read()
        return rows

    @property
    def at_hand(self) -> bool:
        """Returns whether the rows are in memory, or in a file and known to be whole, for as long as the block is."""
        return self._rows is not None

    def held(self, hashes: Indices) -> Sequence[pa.RecordBatch] | None:
        """Returns what a lookup of the sorted hashes needs if no read is needed: at hand as long as it is referred to;
        None if a read is needed."""
        return None if self._rows is None else (self._rows,)

    def narrowed(self, low: Indices, high: Indices) -> Block | None:
        """Returns a block of some of the rows, all with hashes from `low[i]` to `high[i]` among them, where it is read
        sooner than this one; None when there are no such rows."""
        return self

    @property
    def hashes(self) -> Indices:
        """Returns the column h."""
        hashes = self._hashes
        if hashes is None:
            hashes = self._hashes = ints(self.rows.column(HASH_COLUMN))
        return hashes

    @property
    def view(self) -> memoryview:
        """Returns the hashes as Python's numbers."""
        return self.hashes.data

    def rows_in(self, size: int) -> int:
        """Returns about how many of the block's rows take up `size` bytes; at least 1."""
        return max(1, size * self.count // max(self.bytes, 1))

    def numbers(self, name: str) -> Indices:
        """Returns an int64 column."""
        return ints(self.rows.column(name))

    def first_from(self, wanted: Indices) -> Indices:
        """Returns, for each of the sorted hashes, the first row with an equal or greater h; the number of rows
        without such a row."""
        if len(wanted) * _SPARSE > self.count:
            return np.searchsorted(self.hashes, wanted)
        before = np.maximum(np.searchsorted(self.sample, wanted) - 1, 0) * WINDOW_ROWS
        window = before[:, None] + np.arange(WINDOW_ROWS)
        less = self.hashes.take(window, mode="clip") < wanted[:, None]
        first: Indices = np.minimum(before + np.count_nonzero(less, axis=1), self.count)
        return first

    def first_after(self, wanted: Indices, first: Indices) -> Indices:
        """Returns the first row with a greater h; `first` is the result of `first_from` for hashes that the block
        has."""
        last = np.minimum(first + 1, self.count - 1)
        after = first + 1
        several = np.flatnonzero((self.hashes[last] == wanted) & (last > first))
        if len(several):
            after[several] = np.searchsorted(self.hashes, wanted[several], "right")
        return after


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class BatchFile:
    """A file of `bytes` bytes; `checksum` is the CRC-32 of its footer, in format 1 of the whole file."""

    name: str
    rows: int
    bytes: int
    checksum: int
    format: int


@dataclass(frozen=True, slots=True)
class ArrangementBatch:
    """A batch of an arrangement. `files` hold the blocks, in their order, each file whole blocks; without files the
    blocks are in memory."""

    blocks: tuple[Block, ...]
    rows: int
    bytes: int
    files: tuple[BatchFile, ...] = ()

    @classmethod
    def of(cls, blocks: tuple[Block, ...], *files: BatchFile) -> ArrangementBatch:
        return cls(blocks, sum(block.count for block in blocks), sum(block.bytes for block in blocks), files)

    def files_between(self, low: int, high: int) -> tuple[BatchFile, ...]:
        """Returns the files that may have hashes from `low` to `high`."""
        found = []
        blocks = iter(self.blocks)
        for file in self.files:
            first = block = next(blocks)
            rows = block.count
            while rows < file.rows:
                block = next(blocks)
                rows += block.count
            if first.first <= high and low <= block.last:
                found.append(file)
        return tuple(found)

    @classmethod
    def joined(cls, parts: Iterable[ArrangementBatch]) -> ArrangementBatch:
        """Returns one batch of several in files. Raises CorruptFile unless each has lesser hashes than the next."""
        parts = [part for part in parts if part.rows]
        blocks = tuple(block for part in parts for block in part.blocks)
        if not all(before.last < after.first for before, after in _borders(parts)):
            names = ", ".join(file.name for part in parts for file in part.files)
            raise CorruptFile(f"files of one batch hold the same hashes: {names}")
        return cls.of(blocks, *(file for part in parts for file in part.files))


def _borders(parts: Sequence[ArrangementBatch]) -> Iterator[tuple[Block, Block]]:
    return ((before.blocks[-1], after.blocks[0]) for before, after in pairwise(parts))
