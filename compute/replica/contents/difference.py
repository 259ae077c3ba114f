"""The difference between wanted and actual contents, two multisets of any size.

Rows are divided by their hash into small portions; each portion is consolidated alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from model.physical.columns import DIFF_COLUMN
from model.updates.consolidate import consolidate
from storage.persist.row_hash import row_hash

PORTION_ROWS = 1 << 20


class Difference:
    """Add tables of one schema, with a `diff` of signed multiplicities, then read `tables`, then `close`.

    `rows_expected` may be approximate. A portion is held in memory, more rows in files of `directory`. Rows equal in
    the columns `by` share a portion; by default only equal rows do.
    """

    def __init__(
        self,
        schema: pa.Schema,
        directory: Path,
        rows_expected: int,
        portion_rows: int = PORTION_ROWS,
        *,
        by: Sequence[str] | None = None,
    ) -> None:
        self._schema = schema
        self._by = [name for name in schema.names if name != DIFF_COLUMN] if by is None else by
        self._directory = directory
        self._count = max(1, -(-rows_expected // portion_rows))
        self._held: list[pa.Table] = []
        self._files: list[Any] = []
        self._writers: list[pa.RecordBatchStreamWriter] = []

    def add(self, table: pa.Table) -> None:
        if table.num_rows == 0:
            return
        if self._count == 1:
            self._held.append(table)
            return
        if not self._files:
            for _ in range(self._count):
                file = tempfile.TemporaryFile(dir=self._directory, prefix="difference-")  # noqa: SIM115 (see close)
                self._files.append(file)
                self._writers.append(pa.ipc.new_stream(file, self._schema))
        columns = [table.column(name).combine_chunks() for name in self._by]
        portions = row_hash(columns, table.num_rows).view(np.uint64) % np.uint64(self._count)
        order = np.argsort(portions, kind="stable")
        bounds = np.searchsorted(portions[order], np.arange(self._count + 1, dtype=np.uint64))
        rows = table.take(pa.array(order))
        for portion, writer in enumerate(self._writers):
            low, high = int(bounds[portion]), int(bounds[portion + 1])
            if high > low:
                writer.write_table(rows.slice(low, high - low))

    def tables(self) -> Iterator[pa.Table]:
        """Yields the difference, each row once, in tables, some perhaps empty; nothing can be added afterwards."""
        if not self._files:
            yield consolidate(pa.concat_tables([self._schema.empty_table(), *self._held]))
            return
        for writer in self._writers:
            writer.close()
        for file in self._files:
            file.seek(0)
            with pa.ipc.open_stream(file) as reader:
                yield consolidate(reader.read_all())

    def close(self) -> None:
        """Forgets everything."""
        self._held.clear()
        for file in self._files:
            file.close()
        self._files.clear()
