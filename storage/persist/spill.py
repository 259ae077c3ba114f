"""Rows divided among files by bucket, for a consolidation that is larger than memory.

Each row is written once and read once. The files are scratch: nothing durable depends on them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from storage.persist.bucket import buckets_of

_ROWS_AT_ONCE = 64 * 1024


class Spill:
    """Temporary files for `count` buckets of rows of one schema. Synchronous: for a runner."""

    def __init__(self, schema: pa.Schema, count: int) -> None:
        self._schema = schema
        self._directory = tempfile.TemporaryDirectory(prefix="headwater-compaction-")
        self._paths = [Path(self._directory.name) / str(bucket) for bucket in range(count)]
        self._writers = [pa.ipc.new_file(path, schema) for path in self._paths]

    def add(self, table: pa.Table) -> None:
        for start in range(0, table.num_rows, _ROWS_AT_ONCE):
            rows = table.slice(start, _ROWS_AT_ONCE)
            buckets = pa.array(buckets_of(rows, len(self._writers)))
            for bucket, writer in enumerate(self._writers):
                writer.write_table(rows.filter(pc.equal(buckets, bucket)))

    def take(self, bucket: int) -> pa.Table:
        """Returns the rows of a bucket, once; no rows can be added any more."""
        for writer in self._writers:
            writer.close()
        with pa.OSFile(str(self._paths[bucket])) as file:
            table = pa.ipc.open_file(file).read_all()
        self._paths[bucket].unlink()
        return table

    def close(self) -> None:
        for writer in self._writers:
            writer.close()
        self._directory.cleanup()
