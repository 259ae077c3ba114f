"""An array of one dimension with an element or a slice put in place of what was there: UPDATE t SET a[2] = …"""

from __future__ import annotations

from model.arrays import Array, dimensions_of, items_of, shaped
from model.datum import Datum
from model.errors import SqlError
from model.scalar_type import INT4
from model.sqlstate import Sqlstate
from planner.functions.rows import ANYARRAY, ANYELEMENT, first_type, syntax
from planner.functions.signature import Function

LOWEST, HIGHEST = -(2**31), 2**31 - 1
"""The bounds of a slice that says none."""
_ITEMS_MAX = 134_217_727


def _error(message: str, detail: str | None = None) -> SqlError:
    return SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, message, detail=detail)


def _checked(place: int | None) -> int:
    if place is None:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "array subscript in assignment must not be null")
    return place


def _with_items(array: Array | None, items: tuple[Datum, ...], low: int) -> Array:
    """NULLs fill the gap to items that are put outside."""
    shape = dimensions_of(array or ())
    if len(shape) > 1:
        raise _error("wrong number of array subscripts")
    ((lower, length),) = shape or ((low, 0),)
    begin, end = min(lower, low), max(lower + length, low + len(items))
    if end - begin > _ITEMS_MAX:
        message = f"array size exceeds the maximum allowed ({_ITEMS_MAX})"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    made: list[Datum] = [None] * (end - begin)
    made[lower - begin : lower - begin + length] = items_of(array or ())
    made[low - begin : low - begin + len(items)] = items
    return shaped(made, ((begin, end - begin),))


def _with_element(array: Array | None, item: Datum, place: int | None) -> Array:
    return _with_items(array, (item,), _checked(place))


def _with_slice(array: Array | None, source: Array | None, low: int | None, high: int | None) -> Array | None:
    """As many elements of the source as the slice has; a NULL source changes nothing."""
    low, high = _checked(low), _checked(high)
    if source is None:
        return array
    if not array and (low == LOWEST or high == HIGHEST):
        detail = "When assigning to a slice of an empty array value, slice boundaries must be fully specified."
        raise _error("array slice subscript must provide both boundaries", detail)
    ((lower, length),) = dimensions_of(array or ())[:1] or ((low, 0),)
    low = lower if low == LOWEST else low
    high = lower + length - 1 if high == HIGHEST else high
    if high < low:
        raise _error("upper bound cannot be less than lower bound")
    items = items_of(source)
    if len(items) < high - low + 1:
        raise _error("source array too small")
    return _with_items(array, items[: high - low + 1], low)


FUNCTIONS: tuple[Function, ...] = (
    syntax("with_element", (ANYARRAY, ANYELEMENT, INT4), first_type, _with_element, strict=False, fallible=True),
    syntax("with_slice", (ANYARRAY, ANYARRAY, INT4, INT4), first_type, _with_slice, strict=False, fallible=True),
)
