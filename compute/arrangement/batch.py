"""An immutable batch: blocks of updates, sorted by (h, r, time) within and across blocks, consolidated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from compute.arrangement.equality import Indices, ints
from compute.arrangement.layout import HASH_COLUMN, ROW_HASH_COLUMN

if TYPE_CHECKING:
    from compute.arrangement.batch_file import BatchFile


@dataclass(frozen=True, slots=True)
class Block:
    """At least one row of the layout's stored schema; `hashes` is its column h."""

    rows: pa.RecordBatch
    hashes: Indices

    @classmethod
    def of(cls, rows: pa.RecordBatch) -> Block:
        return cls(rows, ints(rows.column(HASH_COLUMN)))

    def rows_in(self, size: int) -> int:
        """About how many of its rows take up `size` bytes; at least 1."""
        count: int = size * len(self.hashes) // max(self.rows.nbytes, 1)
        return max(1, count)

    @property
    def row_hashes(self) -> Indices:
        return ints(self.rows.column(ROW_HASH_COLUMN))


@dataclass(frozen=True, slots=True)
class Batch:
    """`file` is where the blocks lie; None: in memory."""

    blocks: tuple[Block, ...]
    rows: int
    bytes: int
    file: BatchFile | None = None

    @classmethod
    def of(cls, blocks: tuple[Block, ...], file: BatchFile | None = None) -> Batch:
        rows = sum(block.rows.num_rows for block in blocks)
        return cls(blocks, rows, sum(block.rows.nbytes for block in blocks), file)
