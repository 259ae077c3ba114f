"""An array with an element or a slice put in place of what was there: UPDATE t SET a[2] = …, a[1][2:3] = …"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.arrays import Array, Dimensions, dimensions_of, items_of, shaped
from model.types.datum import Datum
from model.types.scalar_type import INT4, INT8
from planner.functions.rows import ANYARRAY, ANYELEMENT, first_type, syntax
from planner.functions.signature import Function

LOWEST, HIGHEST = -(2**31) - 1, 2**31
"""The bounds of a slice that says none: no integer that can be written is one of them."""
_ITEMS_MAX = 134_217_727
_BOUND_END = 2**31
_Bounds = Sequence[tuple[int, int]]


def _error(message: str, detail: str | None = None) -> SqlError:
    return SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, message, detail=detail)


def _checked(places: Sequence[int | None]) -> list[int]:
    known = [place for place in places if place is not None]
    if len(known) < len(places):
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "array subscript in assignment must not be null")
    return known


def _extended(array: Array, items: tuple[Datum, ...], low: int) -> Array:
    """Returns a one-dimensional array with items put at `low`; NULLs fill a gap."""
    ((lower, length),) = dimensions_of(array)
    begin, end = min(lower, low), max(lower + length, low + len(items))
    _check_size(((begin, end - begin),))
    made: list[Datum] = [None] * (end - begin)
    made[lower - begin : lower - begin + length] = items_of(array)
    made[low - begin : low - begin + len(items)] = items
    return shaped(made, ((begin, end - begin),))


def _check_size(shape: Dimensions) -> None:
    """Raises 54000 for more elements than PostgreSQL's arrays hold, and for bounds outside of the integers."""
    if any(length < 0 for _, length in shape) or prod(length for _, length in shape) > _ITEMS_MAX:
        message = f"array size exceeds the maximum allowed ({_ITEMS_MAX})"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    for lower, length in shape:
        if lower + length >= _BOUND_END:
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, f"array lower bound is too large: {lower}")


def _replaced(array: Array, items: Sequence[Datum], bounds: _Bounds) -> Array:
    """Returns an array of several dimensions, which can't grow, with elements replaced."""
    shape = dimensions_of(array)
    if any(low < lower or high >= lower + length for (low, high), (lower, length) in zip(bounds, shape, strict=True)):
        raise _error("array subscript out of range")
    made = list(items_of(array))
    strides = [prod(length for _, length in shape[at + 1 :]) for at in range(len(shape))]
    places = product(*(range(low - lower, high - lower + 1) for (low, high), (lower, _) in zip(bounds, shape)))
    for item, place in zip(items, places):
        made[sum(at * stride for at, stride in zip(place, strides))] = item
    return shaped(made, shape)


def _with_bounds(array: Array | None, items: tuple[Datum, ...], bounds: _Bounds) -> Array:
    """Assigns between bounds. Bounds that say nothing, and dimensions without bounds, are whole. Items are as many as
    fit, or more."""
    shape = dimensions_of(array or ())
    if not array:
        if any(low == LOWEST or high == HIGHEST for low, high in bounds):
            detail = "When assigning to a slice of an empty array value, slice boundaries must be fully specified."
            raise _error("array slice subscript must provide both boundaries", detail)
        return _made(items, tuple((low, high - low + 1) for low, high in bounds))
    if len(bounds) > len(shape):
        raise _error("wrong number of array subscripts")
    asked = [*bounds, *[(LOWEST, HIGHEST)] * (len(shape) - len(bounds))]
    known = _ordered(
        [
            (lower if low == LOWEST else low, lower + length - 1 if high == HIGHEST else high)
            for (low, high), (lower, length) in zip(asked, shape, strict=True)
        ]
    )
    if len(shape) == 1:
        ((low, high),), ((lower, length),) = known, shape
        begin = min(lower, low)
        _check_size(((begin, max(lower + length, high + 1) - begin),))
    fitting = _fitting(items, prod(high - low + 1 for low, high in known))
    return _extended(array, fitting, known[0][0]) if len(shape) == 1 else _replaced(array, fitting, known)


def _ordered(bounds: _Bounds) -> _Bounds:
    if any(high < low for low, high in bounds):
        raise _error("upper bound cannot be less than lower bound")
    return bounds


def _made(items: tuple[Datum, ...], shape: Dimensions) -> Array:
    _check_size(shape)
    return shaped(_fitting(items, prod(length for _, length in shape)), shape)


def _fitting(items: tuple[Datum, ...], count: int) -> tuple[Datum, ...]:
    if len(items) < count:
        raise _error("source array too small")
    return items[:count]


def with_element(array: Array | None, item: Datum, *subscripts: int | None) -> Array:
    """Returns an array with an item at subscripts. Raises SqlError 2202E for subscripts that it can't have, 22004 for
    NULL among them."""
    places = _checked(subscripts)
    if array and len(places) != len(dimensions_of(array)):
        raise _error("wrong number of array subscripts")
    return _with_bounds(array, (item,), [(place, place) for place in places])


def with_slice(array: Array | None, source: Array | None, *subscripts: int | None) -> Array | None:
    """Assigns to a slice as many elements of the source as it has; a NULL source changes nothing."""
    bounds = _checked(subscripts)
    if source is None:
        return array
    return _with_bounds(array, items_of(source), list(zip(bounds[::2], bounds[1::2], strict=True)))


_ELEMENT = (ANYARRAY, ANYELEMENT, INT4)
_SLICE = (ANYARRAY, ANYARRAY, INT8, INT8)
FUNCTIONS: tuple[Function, ...] = (
    syntax("with_element", _ELEMENT, first_type, with_element, strict=False, fallible=True, variadic=True),
    syntax("with_slice", _SLICE, first_type, with_slice, strict=False, fallible=True, variadic=True),
)
