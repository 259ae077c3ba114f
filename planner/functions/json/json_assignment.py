"""jsonb with a member assigned, as `UPDATE t SET document['a'][3] = '1'` writes it.

Unlike jsonb_set, an assignment makes what its path lacks: objects for keys, arrays for numbers, filled with nulls up to
the place. `{}` with `['a'][2]` assigned is `{"a": [null, null, 1]}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import load_json, write_jsonb
from model.types.scalar_type import BOOL, JSONB, TEXT
from planner.functions.failures import invalid_parameter
from planner.functions.json.json_change import Path, array_index
from planner.functions.rows import syntax
from planner.functions.signature import Function

_ELEMENTS_MAX = 0x3FFFFFFF // 24
"""PostgreSQL's: what an array in memory may have."""


def _with_member(text: str | None, new: str | None, numbered: bool, *steps: str | None) -> str:
    """Returns the document with `new` at the path; NULL as a document is an array if the first subscript is a number
    (`numbered`), else an object, and NULL as a value is JSON's null."""
    if None in steps:
        message = "jsonb subscript in assignment must not be null"
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, message)
    empty: Any = [] if numbered else {}
    document = empty if text is None else load_json(text)
    return write_jsonb(_assigned(document, steps, 0, None if new is None else load_json(new)))


def _assigned(value: Any, path: Path, level: int, new: Any) -> Any:
    """Returns a copy of `value` with `new` at the path's steps from `level` on."""
    if level == len(path):
        return new
    step = path[level]
    assert step is not None, "steps are looked at first"
    if isinstance(value, Mapping):
        inner = _assigned(value[step], path, level + 1, new) if step in value else _made(path, level + 1, new)
        return {**value, step: inner}
    if isinstance(value, list):
        return _with_element(value, path, level, new)
    detail = "The path assumes key is a composite object, but it is a scalar value."
    raise invalid_parameter("cannot replace existing key", detail=detail)


def _with_element(elements: list[Any], path: Path, level: int, new: Any) -> list[Any]:
    index = array_index(str(path[level]), level + 1)
    place = index + len(elements) if index < 0 else index
    if place < 0:
        raise invalid_parameter(f"path element at position {level + 1} is out of range: {index}")
    if place < len(elements):
        return [*elements[:place], _assigned(elements[place], path, level + 1, new), *elements[place + 1 :]]
    return [*elements, *_nulls(place - len(elements)), _made(path, level + 1, new)]


def _made(path: Path, level: int, new: Any) -> Any:
    """Returns `new` within the objects and arrays that the steps from `level` on name: an array for a number."""
    made = new
    for step in reversed(path[level:]):
        place = _number(str(step))
        made = {step: made} if place is None else [*_nulls(place), made]
    return made


def _number(step: str) -> int | None:
    try:
        return array_index(step, 0)
    except SqlError:
        return None


def _nulls(count: int) -> list[None]:
    if count >= _ELEMENTS_MAX:
        message = f"number of jsonb array elements exceeds the maximum allowed ({_ELEMENTS_MAX})"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    return [None] * count


FUNCTIONS: tuple[Function, ...] = (
    syntax("with_member", (JSONB, JSONB, BOOL, TEXT), JSONB, _with_member, strict=False, fallible=True, variadic=True),
)
