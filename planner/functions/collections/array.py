"""The elements of arrays: search, replacement, set operators, their texts joined. Set operators see no dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import sort_key
from model.types.arrays import Array, Dimensions, dimensions_of, map_items, shaped
from model.types.datum import Datum
from model.types.scalar_type import BOOL, INT4, TEXT, ScalarType, array_of
from planner.functions.casts.text import text_of
from planner.functions.collections.array_shapes import dimensions
from planner.functions.rows import (
    ANYARRAY,
    ANYCOMPATIBLE,
    ANYCOMPATIBLEARRAY,
    element_of,
    first_type,
    function,
    operator,
)
from planner.functions.signature import Function, Volatility
from planner.ir.scalar import SessionName

Types = tuple[ScalarType, ...]


def _keys(type_: ScalarType) -> Callable[[Datum], Any]:
    """Returns the key function of elements; NULL has None, which equals no element unless a function says so."""
    key = sort_key(element_of(type_))
    return lambda item: None if item is None else (key(item),)


def _key_of(type_: ScalarType) -> Callable[[Datum], Any]:
    key = sort_key(type_)
    return lambda item: None if item is None else (key(item),)


def _one_dimension(types: Types, array: Array, what: str) -> Dimensions:
    """Returns the shape; raises 0A000 for several dimensions."""
    shape = dimensions(types, array)
    if len(shape) > 1:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"{what} multidimensional arrays is not supported")
    return shape


def _numbered(shape: Dimensions, array: Array) -> Iterator[tuple[int, Datum]]:
    """Yields the elements with their subscripts."""
    return enumerate(array, shape[0][0] if shape else 1)


def _remove(types: Types, array: Array | None, item: Datum) -> Array | None:
    if array is None:
        return None
    shape = _one_dimension(types, array, "removing elements from")
    key = _keys(types[0])
    kept = [other for other in array if key(other) != key(item)]
    return shaped(kept, ((shape[0][0], len(kept)),) if kept else ())


def _replace(types: Types, array: Array | None, old: Datum, new: Datum) -> Array | None:
    if array is None:
        return None
    key = _keys(types[0])
    return map_items(lambda other: new if key(other) == key(old) else other, array)


def _position(types: Types, array: Array | None, item: Datum, start: int | None = 1) -> int | None:
    if array is None:
        return None
    shape = _one_dimension(types, array, "searching for elements in")
    if item is None and None not in array:
        return None
    if start is None:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "initial position must not be null")
    key = _keys(types[0])
    found = (index for index, other in _numbered(shape, array) if index >= start and key(other) == key(item))
    return next(found, None)


def _positions(types: Types, array: Array | None, item: Datum) -> Array | None:
    if array is None:
        return None
    shape = _one_dimension(types, array, "searching for elements in")
    key = _keys(types[0])
    return tuple(index for index, other in _numbered(shape, array) if key(other) == key(item))


def _present(type_: ScalarType, array: Array) -> set[Any]:
    key = _keys(type_)
    return {key(item) for item in array if item is not None}


def _contains(types: Types, left: Array, right: Array) -> bool:
    """Returns whether the left array has all elements of the right one; false if a right element is NULL."""
    return None not in right and _present(types[1], right) <= _present(types[0], left)


def _contained(types: Types, left: Array, right: Array) -> bool:
    return _contains(types[::-1], right, left)


def _overlap(types: Types, left: Array, right: Array) -> bool:
    return not _present(types[0], left).isdisjoint(_present(types[1], right))


def _to_string(types: Types, array: Array | None, delimiter: str | None, *rest: Any) -> str | None:
    """Joins the texts of an array's elements by a delimiter. NULL elements are left out, or written as the third
    argument, if given; the last argument is the session's output style."""
    *given, style = rest
    null = given[0] if given else None
    if array is None or delimiter is None:
        return None
    element = element_of(types[0])
    texts = (null if item is None else text_of(item, element, style) for item in array)
    return delimiter.join(text for text in texts if text is not None)


def _width_bucket(types: Types, operand: Datum, thresholds: Array) -> int:
    if len(dimensions_of(thresholds)) > 1:
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "thresholds must be one-dimensional array")
    if None in thresholds:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "thresholds array must not contain NULLs")
    key = _key_of(types[0])
    return sum(1 for threshold in thresholds if key(threshold) <= key(operand))


_PAIR = (ANYARRAY, ANYARRAY)
_JOINED = (ANYCOMPATIBLEARRAY, ANYCOMPATIBLE)
_STYLE = (SessionName.OUTPUT_STYLE,)


def _written(arguments: Types) -> Function:
    return function(
        "array_to_string",
        arguments,
        TEXT,
        _to_string,
        strict=False,
        typed=True,
        session=_STYLE,
        volatility=Volatility.STABLE,
    )


FUNCTIONS: tuple[Function, ...] = (
    function("array_remove", _JOINED, first_type, _remove, strict=False, typed=True, fallible=True),
    function(
        "array_replace",
        (ANYCOMPATIBLEARRAY, ANYCOMPATIBLE, ANYCOMPATIBLE),
        first_type,
        _replace,
        strict=False,
        typed=True,
    ),
    function("array_position", _JOINED, INT4, _position, strict=False, typed=True, fallible=True),
    function("array_position", (*_JOINED, INT4), INT4, _position, strict=False, typed=True, fallible=True),
    function("array_positions", _JOINED, array_of(INT4), _positions, strict=False, typed=True, fallible=True),
    function("width_bucket", (ANYCOMPATIBLE, ANYCOMPATIBLEARRAY), INT4, _width_bucket, typed=True, fallible=True),
    operator("@>", "contains", _PAIR, BOOL, _contains, typed=True),
    operator("<@", "contained", _PAIR, BOOL, _contained, typed=True),
    operator("&&", "overlaps", _PAIR, BOOL, _overlap, typed=True),
    _written((ANYARRAY, TEXT)),
    _written((ANYARRAY, TEXT, TEXT)),
)
