"""The shape of arrays. Most have one dimension that begins at 1, and their datum is the tuple of their elements; all
others are ShapedArrays. Every function here accepts both, and `shaped` returns the right one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import TypeVar

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum, Dimension, ShapedArray

Array = tuple[Datum, ...] | ShapedArray
Dimensions = tuple[Dimension, ...]
T = TypeVar("T")

DIMENSIONS_MAX = 6


def shaped(items: Iterable[Datum], dimensions: Dimensions) -> Array:
    """Returns the array of these elements, with the last dimension's side by side. An array without elements has no
    dimensions."""
    elements = tuple(items)
    count = prod(length for _, length in dimensions) if dimensions else 0
    assert len(elements) == count, "a shape holds its elements"
    if not elements or dimensions == ((1, len(elements)),):
        return elements
    return ShapedArray(elements, dimensions)


def items_of(array: Array) -> tuple[Datum, ...]:
    return array if isinstance(array, tuple) else array.items


def dimensions_of(array: Array, lower: int = 1) -> Dimensions:
    """Returns (least subscript, length) of each dimension; `lower` is the least subscript of a tuple."""
    if isinstance(array, tuple):
        return ((lower, len(array)),) if array else ()
    return array.dimensions


def map_items(change: Callable[[Datum], Datum], array: Array) -> Array:
    """Returns the array of the same shape with each element changed."""
    if isinstance(array, tuple):
        return tuple(map(change, array))
    return ShapedArray(tuple(map(change, array.items)), array.dimensions)


def parts_of(array: Array) -> list[Array]:
    """Splits an array along its first dimension."""
    first, *rest = dimensions_of(array)
    items = items_of(array)
    size = len(items) // first[1]
    return [shaped(items[start : start + size], tuple(rest)) for start in range(0, len(items), size)]


def nested(array: Array, leaf: Callable[[Datum], T], join: Callable[[list[T]], T]) -> T:
    """Returns an array's elements joined dimension by dimension."""
    values: list[T] = [leaf(item) for item in items_of(array)]
    for _, length in dimensions_of(array)[:0:-1]:
        values = [join(values[start : start + length]) for start in range(0, len(values), length)]
    return join(values)


def slice_items(items: tuple[Datum, ...], dimensions: Dimensions, bounds: list[tuple[int, int]]) -> Iterator[Datum]:
    """Yields the elements whose subscripts lie within (low, high), dimension by dimension, both included."""
    if not dimensions:
        yield from items
        return
    (lower, length), *rest = dimensions
    low, high = bounds[0]
    size = len(items) // length
    for place in range(low - lower, high - lower + 1):
        yield from slice_items(items[place * size : (place + 1) * size], tuple(rest), bounds[1:])


def check_depth(count: int) -> None:
    """Raises 54000 for more dimensions than an array may have."""
    if count > DIMENSIONS_MAX:
        message = f"number of array dimensions ({count}) exceeds the maximum allowed ({DIMENSIONS_MAX})"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
