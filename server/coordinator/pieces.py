"""Pieces of a file that tasks write in the place of an answer's rows, and what has come of them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from compute.protocol.dataflow import PiecesAsked


class Pieces:
    """Of one answer: `paths` in their order, with `rows` in all; none when the rows came as such."""

    def __init__(self, asked: PiecesAsked) -> None:
        self.asked = asked
        self.paths: list[Path] = []
        self.rows = 0

    def take(self, batch: pa.RecordBatch) -> bool:
        """Whether the batch tells of pieces, as Peek says."""
        if batch.schema.names != ["file", "rows"]:
            return False
        self.paths += [Path(self.asked.directory) / name for name in batch.column("file").to_pylist()]
        self.rows += sum(batch.column("rows").to_pylist())
        return True
