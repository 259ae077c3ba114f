"""Dividing rows among buckets by their values, so that a large consolidation is done a bucket at a time.

The bucket of a row depends on its values alone, not on the file that it lies in: equal rows always meet.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from model.physical.columns import DIFF_COLUMN, TIME_COLUMN

_Hashes = npt.NDArray[np.uint64]
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_BYTES_AT_ONCE = 1 << 20
"""Rows are hashed in pieces of so many bytes, because hashing a piece takes eight times the memory of the piece."""


def buckets_of(table: pa.Table, count: int) -> npt.NDArray[np.int64]:
    """Returns the number of each row's bucket, from 0 to `count` - 1; equal rows get the same bucket, whatever their
    `time` and `diff`."""
    rows = max(1, table.num_rows * _BYTES_AT_ONCE // max(table.nbytes, 1))
    pieces = [_hashes(table.slice(start, rows)) for start in range(0, table.num_rows, rows)]
    hashes = np.concatenate([np.zeros(0, np.uint64), *pieces])
    return (hashes % np.uint64(count)).astype(np.int64)


def _hashes(table: pa.Table) -> _Hashes:
    hashes = np.zeros(table.num_rows, np.uint64)
    for name in table.column_names:
        if name not in (TIME_COLUMN, DIFF_COLUMN):
            hashes = _mixed(hashes, _column(table.column(name)))
    return hashes


def _mixed(hashes: _Hashes, more: _Hashes) -> _Hashes:
    with np.errstate(over="ignore"):
        mixed = (hashes + more + np.uint64(1)) * _SPREAD
    return mixed ^ (mixed >> _HALF)


def _column(column: pa.ChunkedArray) -> _Hashes:
    if column.num_chunks == 0:
        return np.zeros(0, np.uint64)
    return np.concatenate([_array(chunk) for chunk in column.chunks])


def _array(array: pa.Array) -> _Hashes:
    type_ = array.type
    if pa.types.is_struct(type_):
        hashes = np.zeros(len(array), np.uint64)
        for field in array.flatten():
            hashes = _mixed(hashes, _array(field))
        return hashes
    if pa.types.is_list(type_):
        return _integers(pc.list_value_length(array))
    if pa.types.is_string(type_) or pa.types.is_binary(type_):
        return _bytes(array)
    if pa.types.is_decimal(type_):
        # The scale is the column's, so equal values have equal text.
        return _bytes(array.cast(pa.string()))
    if pa.types.is_boolean(type_):
        return _integers(array.cast(pa.int8()))
    if pa.types.is_floating(type_):
        bits = pa.int32() if type_ == pa.float32() else pa.int64()
        return _integers(array.view(bits))
    if pa.types.is_date32(type_):
        return _integers(array.view(pa.int32()))
    return _integers(array.view(pa.int64()) if pa.types.is_timestamp(type_) else array)


def _integers(array: pa.Array) -> _Hashes:
    values = pc.fill_null(array.cast(pa.int64()), 0).to_numpy(zero_copy_only=False)
    wide: _Hashes = values.astype(np.int64).view(np.uint64)
    return wide


def _bytes(array: pa.Array) -> _Hashes:
    lengths = _integers(pc.binary_length(array))
    flat = pa.concat_arrays([array]).cast(pa.large_binary())
    _, offsets_buffer, data_buffer = flat.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64)[flat.offset : flat.offset + len(flat) + 1]
    if len(offsets) < 2 or offsets[0] == offsets[-1]:
        return lengths
    data = np.frombuffer(data_buffer, np.uint8)[offsets[0] : offsets[-1]]
    # One more, since the last texts may be empty, and begin behind the last byte.
    squares = np.zeros(len(data) + 1, np.uint32)
    squares[:-1] = data
    squares *= squares
    # Sums of squares: order within the text does not matter to a bucket, the mix of bytes does. They may overflow.
    within = np.add.reduceat(squares, offsets[:-1] - offsets[0]).astype(np.uint64)
    return np.where(lengths == 0, np.uint64(0), within * np.uint64(257) + lengths)
