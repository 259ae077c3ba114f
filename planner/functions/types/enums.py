"""Enumerated types: first and last labels, ranges of them, and reading them from text."""

from __future__ import annotations

from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.dispatch import format_datum, parser
from model.types.arrays import Array, map_items
from model.types.scalar_type import TEXT, EnumType, ScalarType, array_of
from planner.functions.rows import ANY, ANYARRAY, ANYENUM, first_type, function, syntax
from planner.functions.signature import Function

Types = tuple[ScalarType, ...]


def _enum(types: Types) -> EnumType:
    assert types[0].enum is not None, "anyenum stands for enums only"
    return types[0].enum


def _positions(types: Types) -> list[float]:
    return [position for _, position in _enum(types).labels]


def _some(types: Types) -> list[float]:
    positions = _positions(types)
    if not positions:
        message = f"enum {_enum(types).name} contains no values"
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
    return positions


def _first(types: Types, value: Any) -> float:
    return _some(types)[0]


def _last(types: Types, value: Any) -> float:
    return _some(types)[-1]


def _range(types: Types, low: float | None, high: float | None = None) -> tuple[float, ...]:
    """Returns the places from `low` to `high`; NULL is the first, or the last."""
    return tuple(p for p in _positions(types) if (low is None or p >= low) and (high is None or p <= high))


def _all(types: Types, value: Any) -> tuple[float, ...]:
    return tuple(_positions(types))


def _read(types: Types, text: str | None, sample: None) -> Any:
    """Returns the text as a value of the sample's type."""
    return None if text is None else parser(types[1])(text)


def _labels_text(types: Types, array: Array) -> Array:
    element = types[0].element
    assert element is not None, "an array of labels has elements"
    return map_items(lambda item: None if item is None else format_datum(item, element), array)


def _read_labels(types: Types, array: Array | None, sample: None) -> Array | None:
    """Returns the texts as labels of the sample's element type; raises 22P02 for one that is none."""
    element = types[1].element
    assert element is not None, "an array of labels has elements"
    parse = parser(element)
    return None if array is None else map_items(lambda item: None if item is None else parse(str(item)), array)


def _array(types: Types) -> ScalarType:
    return array_of(types[0])


_TEXTS = array_of(TEXT)
LABELS_TEXT = syntax("labels_text", (ANYARRAY,), _TEXTS, _labels_text, typed=True)
READ_LABELS = syntax(
    "read_labels", (_TEXTS, ANYARRAY), lambda types: types[1], _read_labels, strict=False, typed=True, fallible=True
)
"""Arrays of labels as arrays of text and back; the planner writes the calls."""

FUNCTIONS: tuple[Function, ...] = (
    LABELS_TEXT,
    READ_LABELS,
    function("enum_first", (ANYENUM,), first_type, _first, strict=False, typed=True, fallible=True),
    function("enum_last", (ANYENUM,), first_type, _last, strict=False, typed=True, fallible=True),
    function("enum_range", (ANYENUM,), _array, _all, strict=False, typed=True),
    function("enum_range", (ANYENUM, ANYENUM), _array, _range, strict=False, typed=True),
    syntax("read_as", (TEXT, ANY), lambda types: types[1], _read, strict=False, typed=True, fallible=True),
)
