"""Record batches of one answer, in memory up to a limit and in a file from there on.

An answer is taken in at Spark's pace, and handed on at the client's.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

MEMORY_BYTES = 16 << 20
CHUNK_BYTES = 4 << 20


class Spool:
    """A spool of batches: append all, then read `chunks` once, then `close`."""

    def __init__(self, directory: Path, bytes_max: int | None, memory_bytes: int = MEMORY_BYTES) -> None:
        self._directory = directory
        self._bytes_max = bytes_max
        self._memory_bytes = memory_bytes
        self._held: list[pa.RecordBatch] = []
        self._file: Any = None
        self._writer: pa.RecordBatchFileWriter | None = None
        self._bytes = 0
        self._count = 0
        self.rows = 0

    def append(self, batch: pa.RecordBatch) -> None:
        """Adds a batch to the spool: in memory, or in a file when the spool is too large. Raises SqlError
        (program_limit_exceeded) when the answer exceeds max_result_size."""
        self._bytes += batch.nbytes
        self._count += 1
        self.rows += batch.num_rows
        if self._bytes_max is not None and self._bytes > self._bytes_max:
            raise SqlError(
                Sqlstate.PROGRAM_LIMIT_EXCEEDED,
                f"result exceeds max size of {self._bytes_max} bytes",
                hint="Use LIMIT, or raise max_result_size.",
            )
        if self._writer is None and self._bytes <= self._memory_bytes:
            self._held.append(batch)
            return
        if self._writer is None:
            self._file = tempfile.TemporaryFile(dir=self._directory, prefix="answer-")  # noqa: SIM115 (closed in close)
            self._writer = pa.ipc.new_file(self._file, batch.schema)
        self._writer.write_batch(batch)

    def finish(self) -> None:
        """Ends the spool: no more batches come."""
        if self._writer is not None:
            self._writer.close()
            self._file.seek(0)

    def chunks(self) -> Iterator[pa.RecordBatch]:
        """Yields the answer in order, without empty batches, none much larger than CHUNK_BYTES."""
        reader = pa.ipc.open_file(self._file) if self._writer is not None else None
        for number in range(self._count):
            if number < len(self._held):
                batch = self._held[number]
            else:
                assert reader is not None
                batch = reader.get_batch(number - len(self._held))
            yield from _cut(batch)

    def close(self) -> None:
        """Releases the batches and the file."""
        self._held.clear()
        if self._file is not None:
            self._file.close()


def _cut(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    if batch.num_rows == 0:
        return
    pieces = min(batch.num_rows, -(-batch.nbytes // CHUNK_BYTES) or 1)
    step = -(-batch.num_rows // pieces)
    for start in range(0, batch.num_rows, step):
        yield batch.slice(start, step)
