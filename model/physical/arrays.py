"""Arrays in Arrow and Spark: a struct of the elements and the shape, which sorts as PostgreSQL sorts arrays.

    items    list of the elements, the last dimension's side by side
    shape    binary: the number of dimensions in a byte; the length of each, if there are several; where each begins

PostgreSQL compares the elements, then their number, then dimensions in the order of `shape`. Numbers in it have four
bytes, the highest first, with a bias where they may be negative. An array without elements, or with one dimension that
begins at 1, has the shape PLAIN.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from model.types.arrays import Array, Dimensions, items_of, shaped
from model.types.datum import Datum

Convert = Callable[[Any], Any] | None
ITEMS, SHAPE = "items", "shape"
LOWER_BIAS = 1 << 31
"""What is added to where a dimension begins."""


def array_struct(item: pa.DataType) -> pa.StructType:
    """Returns the Arrow type of arrays of elements of the type `item`."""
    return pa.struct([(ITEMS, pa.list_(item)), (SHAPE, pa.binary())])


def pack_shape(dimensions: Dimensions) -> bytes:
    """Packs one or more dimensions as bytes."""
    lowers = [lower + LOWER_BIAS for lower, _ in dimensions]
    lengths = [length for _, length in dimensions] if len(dimensions) > 1 else []
    return struct.pack(f">B{len(lengths) + len(lowers)}I", len(dimensions), *lengths, *lowers)


def _unpack_shape(packed: bytes, count: int) -> Dimensions:
    numbers = struct.unpack(f">{len(packed) // 4}I", packed[1:])
    lengths = numbers[: packed[0]] if packed[0] > 1 else (count,)
    return tuple((lower - LOWER_BIAS, length) for lower, length in zip(numbers[-packed[0] :], lengths))


PLAIN = pack_shape(((1, 0),))


def shape_of(array: Array) -> bytes:
    """Returns the field `shape`."""
    return PLAIN if isinstance(array, tuple) else pack_shape(array.dimensions)


def _made(items: list[Any], shape: bytes, decode: Convert) -> Array:
    if decode is not None:
        items = [None if item is None else decode(item) for item in items]
    return tuple(items) if shape == PLAIN else shaped(items, _unpack_shape(shape, len(items)))


def _items(array: Array, encode: Convert) -> list[Any]:
    if encode is None:
        return list(items_of(array))
    return [None if item is None else encode(item) for item in items_of(array)]


def array_encoder(encode: Convert) -> Callable[[Any], dict[str, Any]]:
    """Returns the encoder of arrays. `encode` is that of an element; None when pyarrow takes elements as they are."""
    return lambda array: {ITEMS: _items(array, encode), SHAPE: shape_of(array)}


def array_decoder(decode: Convert) -> Callable[[Any], Array]:
    return lambda value: _made(value[ITEMS], value[SHAPE], decode)


def arrays_to_arrow(values: list[Any], encode: Convert, type_: pa.StructType) -> pa.StructArray:
    """Returns a column of arrays, without a dictionary for each."""
    items = pa.array([None if value is None else _items(value, encode) for value in values], type_.field(ITEMS).type)
    shapes = pa.array([None if value is None else shape_of(value) for value in values], pa.binary())
    return pa.StructArray.from_arrays([items, shapes], fields=list(type_), mask=items.is_null())


def arrays_from_arrow(column: pa.StructArray, decode: Convert) -> list[Datum]:
    """Returns the arrays of a column."""
    items, shapes = (field.to_pylist() for field in column.flatten())
    return [None if some is None else _made(some, shape, decode) for some, shape in zip(items, shapes)]
