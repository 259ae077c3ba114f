"""Reads Parquet files in steps whose decoded size is bounded: a file of 500 bytes may decode to gigabytes.

A text of a megabyte that a thousand rows share is stored once in the file. Columns of texts are therefore read as
dictionaries, so that the decoded size of rows is known before they are decoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BATCH_BYTES_MAX = 16 << 20
CHUNK_BYTES_MAX = 256 << 20
ROW_BYTES_MAX = CHUNK_BYTES_MAX
NESTED_VALUES_MAX = 1 << 24
_ROWS_AT_ONCE = 4096
_TEXTS, _FIXED = "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"
_DICTIONARIES = frozenset(("PLAIN_DICTIONARY", "RLE_DICTIONARY"))
_IN_COMMON = "DELTA_BYTE_ARRAY"
"""Texts of which what they begin with in common is left out: each may be as long as the whole column."""


class BoundedParquet:
    """An open file. Raises ValueError for one whose parts are too large to be read within the bounds, ArrowException
    for one that is no Parquet."""

    def __init__(self, file: BinaryIO) -> None:
        plain = pq.ParquetFile(file)
        self.metadata: pq.FileMetaData = plain.metadata
        self.schema: pa.Schema = plain.schema_arrow
        self._rows_max = BATCH_BYTES_MAX
        self._require_small_parts()
        self._bound_fixed_lengths(plain.schema)
        shortened = self._shortened(plain.schema)
        if shortened:
            plain = pq.ParquetFile(file, metadata=plain.metadata, read_dictionary=shortened)
        self._file = plain

    def batches(
        self, columns: Sequence[str] | None = None, row_groups: Sequence[int] | None = None, rows: int = _ROWS_AT_ONCE
    ) -> Iterator[pa.RecordBatch]:
        """Yields the rows in their order, `rows` at once, or as many as decode to BATCH_BYTES_MAX, but one. Some
        columns, and parts of them, are numbers of texts. Raises ValueError for a row of more than ROW_BYTES_MAX."""
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

    def _bound_fixed_lengths(self, leaves: pq.ParquetSchema) -> None:
        """Lowers the number of rows per step for columns of fixed length, whose values may be of any length, and
        shared by rows."""
        for place in range(len(leaves)):
            leaf = leaves.column(place)
            if leaf.physical_type != _FIXED:
                continue
            self._bound_rows(leaf.length)
            groups = (self.metadata.row_group(at) for at in range(self.metadata.num_row_groups))
            most = max((group.column(place).num_values for group in groups), default=0)
            if leaf.max_repetition_level and most * leaf.length > CHUNK_BYTES_MAX:
                raise ValueError(f"lists of a row group have more than {CHUNK_BYTES_MAX} bytes")

    def _shortened(self, leaves: pq.ParquetSchema) -> list[str]:
        """Returns the columns, and parts of columns, of texts and bytes that many rows may share; of others how many
        rows may be read at once."""
        types = [type_ for field in self.schema for type_ in _leaf_types(field.type)]
        if len(types) != len(leaves):
            raise ValueError("its columns are not those of its schema")
        shared, whole = set[str](), set[str]()
        for at in range(self.metadata.num_row_groups):
            group = self.metadata.row_group(at)
            for place in range(group.num_columns):
                chunk = group.column(place)
                if chunk.physical_type != _TEXTS:
                    continue
                with_dictionary = not _DICTIONARIES.isdisjoint(chunk.encodings)
                if _IN_COMMON in chunk.encodings or (with_dictionary and _is_extended(types[place])):
                    # Arrow reads no extension as numbers of its texts.
                    whole.add(chunk.path_in_schema)
                    self._bound_rows(chunk.total_uncompressed_size)
                elif with_dictionary and _is_long(types[place]):
                    shared.add(chunk.path_in_schema)
        return sorted(shared - whole)

    def _bound_rows(self, value_bytes: int) -> None:
        """Lowers the number of rows per step so that a value of such a size in each row fits."""
        self._rows_max = max(1, min(self._rows_max, BATCH_BYTES_MAX // max(value_bytes, 1)))


def _leaf_types(type_: pa.DataType) -> Iterator[pa.DataType]:
    """Yields the types of the stored columns of a nested type, in the order of Parquet's own columns; an extension
    of a single value is yielded itself."""
    types = pa.types
    if isinstance(type_, pa.BaseExtensionType) and types.is_nested(type_.storage_type):
        yield from _leaf_types(type_.storage_type)
    elif types.is_struct(type_):
        for field in type_:
            yield from _leaf_types(field.type)
    elif types.is_map(type_):
        yield from _leaf_types(type_.key_type)
        yield from _leaf_types(type_.item_type)
    elif types.is_nested(type_):
        yield from _leaf_types(type_.value_type)
    else:
        yield type_


def _is_extended(type_: pa.DataType) -> bool:
    return isinstance(type_, pa.BaseExtensionType)


def _is_long(type_: pa.DataType) -> bool:
    types = pa.types
    return any(
        is_(type_)
        for is_ in (
            types.is_string,
            types.is_large_string,
            types.is_string_view,
            types.is_binary,
            types.is_large_binary,
            types.is_binary_view,
        )
    )


def _joined(read: Iterator[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """Puts small batches together, up to about half of BATCH_BYTES_MAX."""
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
    """Yields the batch in pieces, halved until each fits; raises ValueError for a single row that is too large."""
    decoded = _decoded_bytes(batch)
    if batch.num_rows <= 1 or decoded <= BATCH_BYTES_MAX:
        if decoded > max(BATCH_BYTES_MAX, ROW_BYTES_MAX):
            raise ValueError(f"a row has more than {ROW_BYTES_MAX} bytes")
        yield batch
        return
    half = batch.num_rows // 2
    yield from _bounded(batch.slice(0, half))
    yield from _bounded(batch.slice(half))


def _decoded_bytes(batch: pa.RecordBatch) -> int:
    return sum(map(_column_bytes, batch.columns))


def _column_bytes(column: pa.Array) -> int:
    type_, types = column.type, pa.types
    if isinstance(column, pa.ExtensionArray):
        return _column_bytes(column.storage)
    if types.is_dictionary(type_) and _is_long(type_.value_type):
        lengths = pc.binary_length(column.dictionary).cast(pa.int64())
        return int(pc.sum(lengths.take(column.indices.cast(pa.int64()))).as_py() or 0)
    if types.is_struct(type_):
        return sum(map(_column_bytes, column.flatten()))
    if types.is_map(type_):
        first, last = column.offsets[0].as_py(), column.offsets[-1].as_py()
        parts = (column.keys, column.items)
        return sum(_column_bytes(part.slice(first, last - first)) for part in parts)
    if types.is_nested(type_):
        return _column_bytes(column.flatten())
    return int(column.nbytes)
