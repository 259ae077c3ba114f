"""Rows of Parquet files, so few at once that what they decode to is bounded: a file of 500 bytes may hold gigabytes.

A text of a megabyte that a thousand rows share stands in the file once. Such columns are read as numbers of texts, so
that it can be told what a row decodes to before it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BATCH_BYTES_MAX = 16 << 20
CHUNK_BYTES_MAX = 256 << 20
NESTED_VALUES_MAX = 1 << 24
_ROWS_AT_ONCE = 4096
_DICTIONARIES = frozenset(("PLAIN_DICTIONARY", "RLE_DICTIONARY"))
_IN_COMMON = "DELTA_BYTE_ARRAY"
"""Texts of which what they begin with in common is left out: each may be as long as the whole column."""


class BoundedParquet:
    """An open file. ValueError for one whose parts are too large to be read within bounds, ArrowException for what is
    no Parquet."""

    def __init__(self, file: BinaryIO) -> None:
        plain = pq.ParquetFile(file)
        self.metadata: pq.FileMetaData = plain.metadata
        self.schema: pa.Schema = plain.schema_arrow
        self._rows_max = BATCH_BYTES_MAX
        self._require_small_parts()
        shortened = self._shortened()
        if shortened:
            plain = pq.ParquetFile(file, metadata=plain.metadata, read_dictionary=shortened)
        self._file = plain

    def batches(
        self, columns: Sequence[str] | None = None, row_groups: Sequence[int] | None = None, rows: int = _ROWS_AT_ONCE
    ) -> Iterator[pa.RecordBatch]:
        """The rows in their order, `rows` at once, or as many as decode to BATCH_BYTES_MAX, but one. Some columns are
        numbers of texts."""
        read = self._file.iter_batches(
            min(rows, self._rows_max),
            columns=None if columns is None else list(columns),
            row_groups=None if row_groups is None else list(row_groups),
        )
        for batch in read if self._rows_max >= rows else _joined(read, rows):
            yield from _bounded(batch)

    def _require_small_parts(self) -> None:
        for at in range(self.metadata.num_row_groups):
            group = self.metadata.row_group(at)
            for place in range(group.num_columns):
                chunk = group.column(place)
                if chunk.total_uncompressed_size > CHUNK_BYTES_MAX:
                    raise ValueError(f"a column of a row group has more than {CHUNK_BYTES_MAX} bytes")
                if chunk.num_values > max(NESTED_VALUES_MAX, group.num_rows):
                    raise ValueError(f"lists of a row group have more than {NESTED_VALUES_MAX} values")

    def _shortened(self) -> list[str]:
        """The columns of texts and bytes that many rows may share; of others how many rows may be read at once."""
        texts = {field.name for field in self.schema if _is_long(field.type)}
        shared, whole = set[str](), set[str]()
        for at in range(self.metadata.num_row_groups):
            group = self.metadata.row_group(at)
            for place in range(group.num_columns):
                chunk = group.column(place)
                if _IN_COMMON in chunk.encodings:
                    whole.add(chunk.path_in_schema)
                    most = BATCH_BYTES_MAX // max(chunk.total_uncompressed_size, 1)
                    self._rows_max = max(1, min(self._rows_max, most))
                elif chunk.path_in_schema in texts and not _DICTIONARIES.isdisjoint(chunk.encodings):
                    shared.add(chunk.path_in_schema)
        return sorted(shared - whole)


def _is_long(type_: pa.DataType) -> bool:
    return any(is_(type_) for is_ in (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary))


def _joined(read: Iterator[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """Small batches put together, up to about half of BATCH_BYTES_MAX."""
    waiting: list[pa.RecordBatch] = []
    count = nbytes = 0
    for batch in read:
        waiting.append(batch)
        count, nbytes = count + batch.num_rows, nbytes + _decoded_bytes(batch)
        if count >= rows or nbytes > BATCH_BYTES_MAX // 2:
            yield _one(waiting)
            waiting, count, nbytes = [], 0, 0
    if waiting:
        yield _one(waiting)


def _one(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    table = pa.Table.from_batches(batches).unify_dictionaries().combine_chunks()
    (batch,) = table.to_batches()
    return batch


def _bounded(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The batch in pieces. Rows are halved until they fit."""
    if batch.num_rows <= 1 or _decoded_bytes(batch) <= BATCH_BYTES_MAX:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _bounded(batch.slice(0, half))
    yield from _bounded(batch.slice(half))


def _decoded_bytes(batch: pa.RecordBatch) -> int:
    return sum(map(_column_bytes, batch.columns))


def _column_bytes(column: pa.Array) -> int:
    if not pa.types.is_dictionary(column.type) or not _is_long(column.type.value_type):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary).cast(pa.int64())
    return int(pc.sum(lengths.take(column.indices.cast(pa.int64()))).as_py() or 0)
