"""Files of rows for Spark's tasks to read. Tasks write them, too, so no part of Spark is needed here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

_GROUP_BYTES = 8 << 20
_GROUP_ROWS_MAX = 1 << 17


def write_rows(path: Path, chunks: Iterable[pa.Table], schema: pa.Schema) -> None:
    """Writes a Parquet file for tasks to read, in row groups of few bytes: a task holds one of them, whatever it is
    asked. Raises OSError."""
    with pq.ParquetWriter(path, schema, compression="lz4", write_statistics=False) as writer:
        for chunk in chunks:
            for group in _groups(chunk):
                writer.write_table(group)


def _groups(table: pa.Table) -> Iterator[pa.Table]:
    rows = max(1, min(_GROUP_ROWS_MAX, table.num_rows * _GROUP_BYTES // max(1, table.nbytes)))
    for begin in range(0, table.num_rows, rows):
        group = table.slice(begin, rows)
        if group.num_rows > 1 and group.nbytes > 2 * _GROUP_BYTES:
            # A few of its rows are much longer than the others.
            half = group.num_rows // 2
            yield from _groups(group.slice(0, half))
            yield from _groups(group.slice(half))
        else:
            yield group
