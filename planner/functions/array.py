"""One-dimensional arrays, lower bound 1: length, pieces, search, set operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.datum import Datum
from model.errors import NotSupported, SqlError
from model.order import sort_key
from model.scalar_type import BOOL, INT4, TEXT, ScalarType, array_of
from model.sqlstate import Sqlstate
from planner.functions.casts_text import text_of
from planner.functions.rows import (
    ANYARRAY,
    ANYCOMPATIBLE,
    ANYCOMPATIBLEARRAY,
    ANYELEMENT,
    element_of,
    element_of_first,
    first_type,
    function,
    lower_bound,
    operator,
    syntax,
)
from planner.functions.signature import Function, Volatility
from planner.ir.scalar import SessionName

Array = tuple[Datum, ...]
Types = tuple[ScalarType, ...]


def _second_type(types: Types) -> ScalarType:
    return types[1]


def _array_of_first(types: Types) -> ScalarType:
    return array_of(types[0])


def _keys(type_: ScalarType) -> Callable[[Datum], Any]:
    """How elements compare: NULL with nothing, but as itself where a function says so."""
    key = sort_key(element_of(type_))
    return lambda item: None if item is None else (key(item),)


def _key_of(type_: ScalarType) -> Callable[[Datum], Any]:
    key = sort_key(type_)
    return lambda item: None if item is None else (key(item),)


def subscript(types: Types, array: Array, index: int) -> Datum:
    """NULL outside."""
    place = index - lower_bound(types[0])
    return array[place] if 0 <= place < len(array) else None


def slice_array(types: Types, array: Array | None, low: int | None, high: int | None) -> Array | None:
    """The elements from `low` to `high`, both included."""
    if array is None or low is None or high is None:
        return None
    first = lower_bound(types[0])
    return array[max(low - first, 0) : max(high - first + 1, 0)]


def _array_of_elements(types: Types) -> ScalarType:
    return array_of(element_of(types[0]))


def _along(dimension: int, answer: int | None) -> int | None:
    return answer if dimension == 1 else None


def _lower(types: Types, array: Array, dimension: int) -> int | None:
    return _along(dimension, lower_bound(types[0]) if array else None)


def _upper(types: Types, array: Array, dimension: int) -> int | None:
    return _along(dimension, lower_bound(types[0]) + len(array) - 1 if array else None)


def _append(array: Array | None, item: Datum) -> Array:
    return (*(array or ()), item)


def _prepend(item: Datum, array: Array | None) -> Array:
    return (item, *(array or ()))


def _concatenate(left: Array | None, right: Array | None) -> Array | None:
    if left is None or right is None:
        return right if left is None else left
    return left + right


def _remove(types: Types, array: Array | None, item: Datum) -> Array | None:
    if array is None:
        return None
    key = _keys(types[0])
    return tuple(other for other in array if key(other) != key(item))


def _replace(types: Types, array: Array | None, old: Datum, new: Datum) -> Array | None:
    if array is None:
        return None
    key = _keys(types[0])
    return tuple(new if key(other) == key(old) else other for other in array)


def _position(types: Types, array: Array | None, item: Datum, start: int | None = 1) -> int | None:
    if array is None:
        return None
    if start is None:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "initial position must not be null")
    key = _keys(types[0])
    first = lower_bound(types[0])
    for index in range(max(start, first), len(array) + first):
        if key(array[index - first]) == key(item):
            return index
    return None


def _positions(types: Types, array: Array | None, item: Datum) -> Array | None:
    if array is None:
        return None
    key = _keys(types[0])
    return tuple(index for index, other in enumerate(array, lower_bound(types[0])) if key(other) == key(item))


def _present(type_: ScalarType, array: Array) -> set[Any]:
    key = _keys(type_)
    return {key(item) for item in array if item is not None}


def _contains(types: Types, left: Array, right: Array) -> bool:
    """NULL elements are contained in nothing."""
    return None not in right and _present(types[1], right) <= _present(types[0], left)


def _contained(types: Types, left: Array, right: Array) -> bool:
    return _contains(types[::-1], right, left)


def _overlap(types: Types, left: Array, right: Array) -> bool:
    return not _present(types[0], left).isdisjoint(_present(types[1], right))


def _to_string(types: Types, array: Array | None, delimiter: str | None, *rest: Any) -> str | None:
    """NULLs are left out, or written as the third argument. The session's output style comes last."""
    *given, style = rest
    null = given[0] if given else None
    if array is None or delimiter is None:
        return None
    element = element_of(types[0])
    texts = (null if item is None else text_of(item, element, style) for item in array)
    return delimiter.join(text for text in texts if text is not None)


def _filled(item: Datum, lengths: Array | None, bounds: Array | None = (1,)) -> Array:
    if lengths is None or bounds is None:
        message = "dimension array or low bound array cannot be null"
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, message)
    if len(lengths) > 1:
        raise NotSupported("an array of several dimensions")
    if not lengths:
        return ()
    length = lengths[0]
    if length is None:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "dimension values cannot be null")
    if bounds != (1,):
        raise NotSupported("an array whose lower bound is not 1")
    assert isinstance(length, int)
    if length < 0:
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed (134217727)")
    return (item,) * length


def _trimmed(array: Array, count: int) -> Array:
    if not 0 <= count <= len(array):
        message = f"number of elements to trim must be between 0 and {len(array)}"
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, message)
    return array[: len(array) - count]


def _width_bucket(types: Types, operand: Datum, thresholds: Array) -> int:
    if None in thresholds:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "thresholds array must not contain NULLs")
    key = _key_of(types[0])
    return sum(1 for threshold in thresholds if key(threshold) <= key(operand))


def _dimensions(array: Array) -> str | None:
    return f"[1:{len(array)}]" if array else None


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
    syntax("subscript", (ANYARRAY, INT4), element_of_first, subscript, typed=True),
    syntax("slice", (ANYARRAY, INT4, INT4), _array_of_elements, slice_array, strict=False, typed=True),
    function("array_length", (ANYARRAY, INT4), INT4, lambda array, n: _along(n, len(array) or None)),
    function("array_upper", (ANYARRAY, INT4), INT4, _upper, typed=True),
    function("array_lower", (ANYARRAY, INT4), INT4, _lower, typed=True),
    function("array_ndims", (ANYARRAY,), INT4, lambda array: 1 if array else None),
    function("array_dims", (ANYARRAY,), TEXT, _dimensions),
    function("cardinality", (ANYARRAY,), INT4, len),
    function("array_append", _JOINED, first_type, _append, strict=False),
    function("array_prepend", _JOINED[::-1], _second_type, _prepend, strict=False),
    function("array_cat", (ANYCOMPATIBLEARRAY, ANYCOMPATIBLEARRAY), first_type, _concatenate, strict=False),
    operator("||", "concat", (ANYCOMPATIBLEARRAY, ANYCOMPATIBLEARRAY), first_type, _concatenate, strict=False),
    operator("||", "concat", _JOINED, first_type, _append, strict=False),
    operator("||", "concat", _JOINED[::-1], _second_type, _prepend, strict=False),
    function("array_remove", _JOINED, first_type, _remove, strict=False, typed=True),
    function(
        "array_replace",
        (ANYCOMPATIBLEARRAY, ANYCOMPATIBLE, ANYCOMPATIBLE),
        first_type,
        _replace,
        strict=False,
        typed=True,
    ),
    function("array_position", _JOINED, INT4, _position, strict=False, typed=True),
    function("array_position", (*_JOINED, INT4), INT4, _position, strict=False, typed=True, fallible=True),
    function("array_positions", _JOINED, array_of(INT4), _positions, strict=False, typed=True),
    function(
        "array_fill", (ANYELEMENT, array_of(INT4)), lambda t: array_of(t[0]), _filled, strict=False, fallible=True
    ),
    function(
        "array_fill",
        (ANYELEMENT, array_of(INT4), array_of(INT4)),
        _array_of_first,
        _filled,
        strict=False,
        fallible=True,
    ),
    function("trim_array", (ANYARRAY, INT4), first_type, _trimmed, fallible=True),
    function("width_bucket", (ANYCOMPATIBLE, ANYCOMPATIBLEARRAY), INT4, _width_bucket, typed=True, fallible=True),
    operator("@>", "contains", _PAIR, BOOL, _contains, typed=True),
    operator("<@", "contained", _PAIR, BOOL, _contained, typed=True),
    operator("&&", "overlaps", _PAIR, BOOL, _overlap, typed=True),
    _written((ANYARRAY, TEXT)),
    _written((ANYARRAY, TEXT, TEXT)),
)
