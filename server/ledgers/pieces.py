"""Pieces of a file that tasks write instead of an answer's rows."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from compute.protocol.dataflow import PiecesAsked


class Pieces:
    """The pieces of one answer: `paths` in order, with `rows` in all; none when rows came as rows."""

    def __init__(self, asked: PiecesAsked) -> None:
        self.asked = asked
        self.paths: list[Path] = []
        self.rows = 0

    def take(self, batch: pa.RecordBatch) -> bool:
        """Takes a batch that names pieces, in the form of Peek; returns whether it does."""
        if batch.schema.names != ["file", "rows"]:
            return False
        self.paths += [Path(self.asked.directory) / name for name in batch.column("file").to_pylist()]
        self.rows += sum(batch.column("rows").to_pylist())
        return True
