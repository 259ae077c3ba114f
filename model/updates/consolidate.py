"""The consolidate kernel: updates with equal rows (and times) become one update with the sum of the diffs; zeros
vanish.

Rows are equal when their stored bytes are: a retraction carries the asserted value, so NaN cancels NaN and -0.0 does
not cancel 0.0. Arrow groups flat columns; nested columns are grouped by a key column of codes.

NaN has many bit patterns, which no reader tells apart: `with_one_nan` replaces them all before rows are stored.
"""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from model.physical.columns import DIFF_COLUMN

_INDEX = "index"
_BITS = {pa.float32(): pa.uint32(), pa.float64(): pa.uint64()}


def consolidate(table: pa.Table) -> pa.Table:
    """Sums column `diff` over rows equal in all other columns; keeps the columns' order, not the rows'."""
    names = [name for name in table.column_names if name != DIFF_COLUMN]
    if not names:
        return _count_only(table)
    if table.num_rows == 0:
        return table
    nested = any(pa.types.is_nested(table.schema.field(name).type) for name in names)
    if not nested:
        grouped = table.group_by(names, use_threads=False).aggregate([(DIFF_COLUMN, "sum")])
        sums = grouped.column(f"{DIFF_COLUMN}_sum")
        grouped = grouped.select(names).append_column(DIFF_COLUMN, sums)
        return grouped.filter(pc.not_equal(sums, 0)).select(table.column_names).cast(table.schema)
    keys = pa.table(
        [key_array(table.column(name)) for name in names] + [table.column(DIFF_COLUMN), pa.arange(0, table.num_rows)],
        names=[*names, DIFF_COLUMN, _INDEX],
    )
    grouped = keys.group_by(names, use_threads=False).aggregate([(DIFF_COLUMN, "sum"), (_INDEX, "min")])
    sums = grouped.column(f"{DIFF_COLUMN}_sum")
    live = grouped.filter(pc.not_equal(sums, 0))
    rows = table.select(names).take(live.column(f"{_INDEX}_min"))
    return rows.append_column(DIFF_COLUMN, live.column(f"{DIFF_COLUMN}_sum")).select(table.column_names)


def key_array(column: pa.ChunkedArray) -> pa.Array:
    """Returns a flat array whose items are equal, or null, where the column's items are."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    if pa.types.is_struct(array.type):
        return _struct_key(array)
    if pa.types.is_list(array.type):
        return _list_key(array)
    return array


def _codes(array: pa.Array) -> pa.DictionaryArray:
    """Returns the values by number, NULL too: `indices` holds no NULL."""
    return key_array(array).dictionary_encode(null_encoding="encode")


def _struct_key(array: pa.StructArray) -> pa.Array:
    # The number of a pair is made from the numbers of both, so that of a row is, field by field: dictionaries are no
    # longer than the array, and a product of two lengths fits.
    key = pa.repeat(0, len(array)).cast(pa.int64())
    for field in array.flatten():
        before, own = key.dictionary_encode().indices.cast(pa.int64()), _codes(field)
        key = pc.add(pc.multiply(before, len(own.dictionary)), own.indices.cast(pa.int64()))
    return pc.if_else(array.is_valid(), key, pa.scalar(None, pa.int64()))


def _list_key(array: pa.ListArray) -> pa.Array:
    # flatten() leaves out what null lists cover, so offsets are made again from the lengths.
    codes = _codes(array.flatten()).indices
    assert codes.type == pa.int32() and codes.offset == 0, "it was made just now"
    lengths = pc.fill_null(pc.list_value_length(array), 0).cast(pa.int64())
    offsets = pa.concat_arrays([pa.array([0], pa.int64()), pc.cumulative_sum(pc.multiply(lengths, 4))])
    buffers = [None, offsets.buffers()[1], codes.buffers()[1] or pa.py_buffer(b"")]
    binary = pa.Array.from_buffers(pa.large_binary(), len(array), buffers)
    return pc.if_else(array.is_valid(), binary, pa.scalar(None, binary.type))


def _count_only(table: pa.Table) -> pa.Table:
    total = pc.sum(table.column(DIFF_COLUMN)).as_py() or 0
    return pa.table({DIFF_COLUMN: pa.array([total] if total else [], pa.int64())})


def one_nan(array: pa.Array) -> pa.Array:
    """Returns the array, of no other than flat values, with the same bits in all NaN."""
    if array.type not in _BITS:
        return array
    return pc.if_else(pc.is_nan(array), pa.scalar(math.nan, array.type), array)


def with_one_nan(table: pa.Table) -> pa.Table:
    """Returns the table with the same bits in all NaN, also inside arrays and records."""
    for index, field in enumerate(table.schema):
        if holds_floats(field.type) and any(map(_has_other_nan, table.column(index).chunks)):
            values = _one_nan(table.column(index).to_pylist())
            table = table.set_column(index, field, pa.array(values, field.type))
    return table


def holds_floats(type_: pa.DataType) -> bool:
    """Returns whether values of the type are floats, or contain floats."""
    if pa.types.is_nested(type_):
        return any(holds_floats(type_.field(index).type) for index in range(type_.num_fields))
    return type_ in _BITS


def _has_other_nan(array: pa.Array) -> bool:
    """Returns whether the array has a NaN with other bits than the NaN of Python and Java."""
    if pa.types.is_nested(array.type):
        flat = array.flatten()
        return any(_has_other_nan(each) for each in (flat if isinstance(flat, list) else [flat]))
    bits = _BITS.get(array.type)
    if bits is None:
        return False
    nan = pa.array([math.nan], array.type).view(bits)[0]
    other = pc.and_(pc.is_nan(array), pc.not_equal(array.view(bits), nan))
    return pc.any(other).as_py() is True


def _one_nan(value: Any) -> Any:
    match value:
        case float():
            return math.nan if math.isnan(value) else value
        case list():
            return [_one_nan(item) for item in value]
        case dict():
            return {key: _one_nan(item) for key, item in value.items()}
        case _:
            return value
