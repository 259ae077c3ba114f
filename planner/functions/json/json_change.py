"""Questions about jsonb (@> ? …) and changed copies of it (|| - #- jsonb_set …)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import Json, load_json, write_jsonb
from model.text.integers import clamped
from model.types.arrays import Array, dimensions_of, items_of
from model.types.scalar_type import BOOL, INT4, JSONB, TEXT, array_of
from planner.functions.failures import invalid_parameter
from planner.functions.rows import function, operator
from planner.functions.signature import Function

_INT4_MAX = 2**31 - 1
_INDEX = re.compile(r"\s*[+-]?\d+")
Path = Sequence[str | None]


def _scalar(value: Json) -> bool:
    return not isinstance(value, Mapping | list)


def _same(left: Json, right: Json) -> bool:
    """Tells whether two values are equal, where true differs from 1."""
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def _contains(left: Any, right: Any) -> bool:
    """Returns whether one JSON value contains another. Objects contain members, arrays contain elements whatever their
    order."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return all(key in left and _contains(left[key], item) for key, item in right.items())
    if isinstance(left, list) and isinstance(right, list):
        return all(any(_element_contains(item, wanted) for item in left) for wanted in right)
    return _scalar(left) and _scalar(right) and _same(left, right)


def _element_contains(item: Any, wanted: Any) -> bool:
    return type(item) is type(wanted) and _contains(item, wanted)


def contains(left: str, right: str) -> bool:
    """Tells @>; an array outside everything also contains a plain value."""
    outer, inner = load_json(left), load_json(right)
    if isinstance(outer, list) and _scalar(inner):
        return any(_scalar(item) and _same(item, inner) for item in outer)
    return _contains(outer, inner)


def _steps(path: Array) -> Path:
    """Returns the steps of a path, an array of one dimension; raises 2202E for others."""
    if len(dimensions_of(path)) > 1:
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts")
    return [step if step is None else str(step) for step in items_of(path)]


def _has(value: Any, key: str) -> bool:
    if isinstance(value, Mapping):
        return key in value
    return any(isinstance(item, str) and item == key for item in value) if isinstance(value, list) else value == key


def exists(text: str, key: str) -> bool:
    """Tells ?: whether there is a key of an object, or a string in an array."""
    return _has(load_json(text), key)


def _exists_of(decide: Callable[[Any], bool]) -> Callable[[str, Path], bool]:
    def evaluate(text: str, keys: Path) -> bool:
        value = load_json(text)
        return decide(_has(value, key) for key in keys if key is not None)

    return evaluate


def concatenate(left: str, right: str) -> str:
    """Joins two JSON values. Objects are merged, the right one's members winning; anything else becomes one array."""
    first, second = load_json(left), load_json(right)
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return write_jsonb({**first, **second})
    head = list(first) if isinstance(first, list) else [first]
    tail = list(second) if isinstance(second, list) else [second]
    return write_jsonb([*head, *tail])


def _cannot_delete(what: str) -> SqlError:
    return invalid_parameter(f"cannot delete from {what}")


def delete_key(text: str, key: str) -> str:
    """Deletes the member, or the strings equal to it in an array."""
    return delete_keys(text, (key,))


def delete_keys(text: str, array: Array) -> str:
    keys, value = _steps(array), load_json(text)
    if isinstance(value, Mapping):
        return write_jsonb({key: item for key, item in value.items() if key not in keys})
    if isinstance(value, list):
        return write_jsonb([item for item in value if not (isinstance(item, str) and item in keys)])
    raise _cannot_delete("scalar")


def delete_index(text: str, index: int) -> str:
    value = load_json(text)
    if isinstance(value, Mapping):
        raise _cannot_delete("object using integer index")
    if not isinstance(value, list):
        raise _cannot_delete("scalar")
    kept = list(value)
    if -len(kept) <= index < len(kept):
        del kept[index]
    return write_jsonb(kept)


def array_index(step: str, number: int) -> int:
    """Reads a step that meets an array; `number` is the place of the step in the path, from 1. Raises SqlError
    22P02."""
    index = clamped(step) if _INDEX.fullmatch(step) else None
    if index is None or abs(index) > _INT4_MAX:
        message = f'path element at position {number} is not an integer: "{step}"'
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, message)
    return index


def delete_path(text: str, array: Array) -> str:
    path, value = _steps(array), load_json(text)
    if _scalar(value):
        raise invalid_parameter("cannot delete path in scalar")
    return write_jsonb(_without(value, path, 1) if path and value else value)


def _required(step: str | None, number: int) -> str:
    if step is None:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, f"path element at position {number} is null")
    return step


def _without(value: Any, path: Path, number: int) -> Any:
    """Returns a copy without the value at `path`; unchanged when there is none."""
    step = _required(path[0], number)
    rest = path[1:]
    if isinstance(value, Mapping):
        if step not in value:
            return value
        if rest:
            return {**value, step: _without(value[step], rest, number + 1)}
        return {key: item for key, item in value.items() if key != step}
    if isinstance(value, list):
        index = array_index(step, number)
        if not -len(value) <= index < len(value):
            return value
        index %= len(value)
        inner = (_without(value[index], rest, number + 1),) if rest else ()
        return [*value[:index], *inner, *value[index + 1 :]]
    return value


def _set(text: str, array: Array, new: str, create: bool = True) -> str:
    path, value = _steps(array), load_json(text)
    if _scalar(value):
        raise invalid_parameter("cannot set path in scalar")
    if not path or not (value or create):
        return text
    return write_jsonb(_placed(value, path, 1, load_json(new), create))


def _placed(value: Any, path: Path, number: int, new: Any, create: bool) -> Any:
    step = _required(path[0], number)
    rest = path[1:]
    if isinstance(value, Mapping):
        if rest:
            return {**value, step: _placed(value[step], rest, number + 1, new, create)} if step in value else value
        return {**value, step: new} if create or step in value else value
    if isinstance(value, list):
        index = array_index(step, number)
        position = index + len(value) if index < 0 else index
        if 0 <= position < len(value):
            inner = _placed(value[position], rest, number + 1, new, create) if rest else new
            return [*value[:position], inner, *value[position + 1 :]]
        if rest or not create:
            return value
        return [new, *value] if index < 0 else [*value, new]
    return value


def _set_lax(
    text: str | None,
    path: Array | None,
    new: str | None,
    create: bool | None = True,
    treatment: str | None = "use_json_null",
) -> str | None:
    """Does what jsonb_set does, where a NULL for the new value is treated as asked."""
    if text is None or path is None or create is None:
        return None
    if new is not None and treatment is not None:
        return _set(text, path, new, create)
    match treatment:
        case "raise_exception":
            raise SqlError(
                Sqlstate.NULL_VALUE_NOT_ALLOWED,
                "JSON value must not be null",
                detail='Exception was raised because null_value_treatment is "raise_exception".',
                hint="To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not "
                "passed.",
            )
        case "use_json_null":
            return _set(text, path, "null", create)
        case "delete_key":
            return delete_path(text, path)
        case "return_target":
            return text
        case _:
            raise invalid_parameter(
                'null_value_treatment must be "delete_key", "return_target", "use_json_null", or "raise_exception"'
            )


def _insert(text: str, array: Array, new: str, after: bool = False) -> str:
    path, value = _steps(array), load_json(text)
    if _scalar(value):
        raise invalid_parameter("cannot set path in scalar")
    if not path:
        return text
    return write_jsonb(_inserted(value, path, 1, load_json(new), after))


def _inserted(value: Any, path: Path, number: int, new: Any, after: bool) -> Any:
    step = _required(path[0], number)
    rest = path[1:]
    if isinstance(value, Mapping):
        if rest:
            return {**value, step: _inserted(value[step], rest, number + 1, new, after)} if step in value else value
        if step in value:
            raise invalid_parameter(
                "cannot replace existing key",
                hint="Try using the function jsonb_set to replace key value.",
            )
        return {**value, step: new}
    if isinstance(value, list):
        index = array_index(step, number)
        position = index + len(value) if index < 0 else index
        if rest:
            if not 0 <= position < len(value):
                return value
            inner = _inserted(value[position], rest, number + 1, new, after)
            return [*value[:position], inner, *value[position + 1 :]]
        place = min(max(position + (after and 0 <= position < len(value)), 0), len(value))
        return [*value[:place], new, *value[place:]]
    return value


def _stripped(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _stripped(item) for key, item in value.items() if item is not None}
    return [_stripped(item) for item in value] if isinstance(value, list) else value


_TEXTS = array_of(TEXT)
_PAIR = (JSONB, JSONB)

FUNCTIONS: tuple[Function, ...] = (
    operator("@>", "contains", _PAIR, BOOL, contains),
    operator("<@", "contained", _PAIR, BOOL, lambda left, right: contains(right, left)),
    operator("?", "exists_key", (JSONB, TEXT), BOOL, exists),
    operator("?|", "exists_any", (JSONB, _TEXTS), BOOL, _exists_of(any)),
    operator("?&", "exists_all", (JSONB, _TEXTS), BOOL, _exists_of(all)),
    operator("||", "concat", _PAIR, JSONB, concatenate, fallible=True),
    operator("-", "subtract", (JSONB, TEXT), JSONB, delete_key, fallible=True),
    operator("-", "subtract", (JSONB, INT4), JSONB, delete_index, fallible=True),
    operator("-", "subtract", (JSONB, _TEXTS), JSONB, delete_keys, fallible=True),
    operator("#-", "delete_path", (JSONB, _TEXTS), JSONB, delete_path, fallible=True),
    function("jsonb_delete_path", (JSONB, _TEXTS), JSONB, delete_path, fallible=True),
    function("jsonb_contains", _PAIR, BOOL, contains),
    function("jsonb_exists", (JSONB, TEXT), BOOL, exists),
    function("jsonb_set", (JSONB, _TEXTS, JSONB), JSONB, _set, fallible=True),
    function("jsonb_set", (JSONB, _TEXTS, JSONB, BOOL), JSONB, _set, fallible=True),
    *(
        function("jsonb_set_lax", (JSONB, _TEXTS, JSONB, *more), JSONB, _set_lax, strict=False, fallible=True)
        for more in ((), (BOOL,), (BOOL, TEXT))
    ),
    function("jsonb_insert", (JSONB, _TEXTS, JSONB), JSONB, _insert, fallible=True),
    function("jsonb_insert", (JSONB, _TEXTS, JSONB, BOOL), JSONB, _insert, fallible=True),
    function("jsonb_strip_nulls", (JSONB,), JSONB, lambda text: write_jsonb(_stripped(load_json(text)))),
)
