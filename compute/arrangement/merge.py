"""One merge of batches, a step at a time, into memory or into a file; or a merge that others are asked for."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from compute.arrangement.batch import ArrangementBatch, Block
from compute.arrangement.layout import Layout
from compute.arrangement.stores import BatchStore, BatchWriter
from compute.arrangement.stream import merge_steps

BLOCK_ROWS = 1 << 20
BLOCK_BYTES = 64 * 1024 * 1024
_STEP_ROWS_MIN = 1 << 14
_STEP_ROWS_MAX = 1 << 18
ALL_HASHES = -(2**63), 2**63 - 1


class Merge:
    """Times below `since` are advanced to it, hashes below `dropped_below` and outside of `hashes`, the least and the
    greatest, left out. With a store: into a file. Blocks are gathered in memory, of at most `block_bytes` each."""

    def __init__(
        self,
        inputs: tuple[ArrangementBatch, ...],
        layout: Layout,
        since: int | None,
        dropped_below: int | None,
        store: BatchStore | None,
        step_rows: int,
        block_bytes: int = BLOCK_BYTES,
        hashes: tuple[int, int] = ALL_HASHES,
    ) -> None:
        self.inputs = inputs
        self.rows = sum(batch.rows for batch in inputs)
        least, greatest = hashes
        between = least if dropped_below is None else max(least, dropped_below), greatest + 1
        step_rows = min(max(step_rows, _STEP_ROWS_MIN), _STEP_ROWS_MAX)
        self._steps = merge_steps(inputs, layout, since, step_rows, between=between)
        self._sink = _Blocks(layout, store, block_bytes)
        self._credit = 0

    def advance(self, work: int) -> ArrangementBatch | None:
        """Passes over about `work` updates more; gives the result when that was all. OSError: the merge is given up."""
        self._credit += work
        try:
            while self._credit > 0:
                step = next(self._steps, None)
                if step is None:
                    return self._sink.finish()
                passed, chunk = step
                self._credit -= passed
                self._sink.add(chunk)
        except BaseException:
            self._sink.abandon()
            raise
        return None

    def move_to_files(self, filed: Mapping[int, ArrangementBatch]) -> None:
        """Replaces inputs, by identity, with equal batches in files."""
        self.inputs = tuple(filed.get(id(batch), batch) for batch in self.inputs)


class AwaitedMerge:
    """A merge that tasks are asked for: its batches stay in its place until they have answered. Before it has `begun`
    it may become part of a larger one."""

    def __init__(self, inputs: tuple[ArrangementBatch, ...], since: int | None, dropped_below: int | None) -> None:
        self.begun = False
        self.inputs = inputs
        self.since = since
        self.dropped_below = dropped_below

    @property
    def rows(self) -> int:
        return sum(batch.rows for batch in self.inputs)

    def move_to_files(self, filed: Mapping[int, ArrangementBatch]) -> None:
        """Replaces inputs, by identity, with equal batches in files."""
        self.inputs = tuple(filed.get(id(batch), batch) for batch in self.inputs)


class _Blocks:
    """Gathers chunks to blocks, and blocks to a batch."""

    def __init__(self, layout: Layout, store: BatchStore | None, block_bytes: int) -> None:
        self._layout = layout
        self._store = store
        self._block_bytes = block_bytes
        self._writer: BatchWriter | None = None
        self._blocks: list[Block] = []
        self._chunks: list[pa.RecordBatch] = []
        self._rows = 0
        self._bytes = 0

    def add(self, chunk: pa.RecordBatch) -> None:
        size = chunk.nbytes
        if self._rows + chunk.num_rows > BLOCK_ROWS or self._bytes + size > self._block_bytes:
            self._cut()
        self._chunks.append(chunk)
        self._rows += chunk.num_rows
        self._bytes += size

    def finish(self) -> ArrangementBatch:
        self._cut()
        return ArrangementBatch.of(tuple(self._blocks)) if self._writer is None else self._writer.finish()

    def abandon(self) -> None:
        if self._writer is not None:
            self._writer.abandon()

    def _cut(self) -> None:
        """Ends the current block."""
        if self._rows:
            block = Block.of(pa.concat_batches(self._chunks))
            if self._store is None:
                self._blocks.append(block)
            else:
                self._writer = self._writer or self._store.writer(self._layout)
                self._writer.write(block)
        self._chunks, self._rows, self._bytes = [], 0, 0
