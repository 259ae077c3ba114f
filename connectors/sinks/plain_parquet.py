"""Writes rows to a Parquet file that other programs read."""

from __future__ import annotations

from io import RawIOBase
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from connectors.sinks.plain_columns import plain_columns
from model.physical.columns import arrow_schema
from model.types.relation_desc import RelationDesc

_GROUP_ROWS = 100_000
_GROUP_BYTES = 64 << 20


class PlainParquet:
    """Collects rows (c0, c1, …) into row groups of a file. Call `close` in any case: Arrow writes the end of the
    file then, even of one that is discarded."""

    def __init__(self, file: IO[bytes] | RawIOBase, desc: RelationDesc) -> None:
        self._desc = desc
        self._schema = plain_columns(arrow_schema(desc).empty_table(), desc).schema
        self._writer = pq.ParquetWriter(file, self._schema)
        self._kept: list[pa.Table] = []
        self._rows = self._bytes = 0

    def add(self, rows: pa.Table) -> None:
        self._kept.append(plain_columns(rows, self._desc).cast(self._schema))
        self._rows += rows.num_rows
        self._bytes += self._kept[-1].nbytes
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._write()

    def add_group(self, rows: pa.Table) -> None:
        """Writes rows, in the file's own columns, as a row group."""
        self._writer.write_table(rows)

    def end(self) -> None:
        """Writes the rows that are left, at the end."""
        self._write()

    def close(self) -> None:
        self._writer.close()

    def _write(self) -> None:
        if self._kept:
            self.add_group(pa.concat_tables(self._kept))
        self._kept, self._rows, self._bytes = [], 0, 0
