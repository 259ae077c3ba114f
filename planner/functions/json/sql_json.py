"""The functions behind SQL/JSON's syntax: IS JSON, JSON_ARRAY(…) and JSON_OBJECT(…)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import Json, check_depth, checked_json, load_json, quote_json
from model.types.scalar_type import BOOL, JSON, TEXT, ScalarType
from planner.functions.json.json_values import as_json_text, key_text
from planner.functions.rows import ANY, Options, syntax
from planner.functions.signature import Function, Volatility
from planner.ir.scalar import SessionName

Types = tuple[ScalarType, ...]


def is_json(text: str, kind: str, unique: bool) -> bool:
    """Tells whether a text is JSON of a kind ("value", "object", "array" or "scalar"), without equal keys if
    `unique`."""
    try:
        # Keys can be told apart only where they are texts.
        value = checked_json(text) if unique else load_json(text)
    except SqlError:
        return False
    return _of_kind(value, kind) and not (unique and _repeats_keys(text))


def _of_kind(value: Json, kind: str) -> bool:
    match kind:
        case "object":
            return isinstance(value, Mapping)
        case "array":
            return isinstance(value, list)
        case "scalar":
            return not isinstance(value, Mapping | list)
        case _:
            return True


def _repeats_keys(text: str) -> bool:
    repeated = False

    def watch(pairs: list[tuple[str, Any]]) -> None:
        nonlocal repeated
        repeated = repeated or len(dict(pairs)) < len(pairs)

    json.loads(text, object_pairs_hook=watch, parse_int=str, parse_float=str)
    return repeated


def _array(types: Types, absent: bool, *values: Any) -> str:
    """Prints an array; `absent`: NULLs are left out."""
    *items, style = values
    texts = [
        as_json_text(item, type_, style)
        for item, type_ in zip(items, types[1:], strict=True)
        if not (absent and item is None)
    ]
    return check_depth("[" + ", ".join(texts) + "]")


def _object(types: Types, absent: bool, unique: bool, *values: Any) -> str:
    """Prints an object of keys and values by turns. Raises 22004 for a NULL key, 22030 for a second equal one if
    `unique`."""
    *items, style = values
    members: list[str] = []
    keys: set[str] = set()
    for at in range(0, len(items), 2):
        if items[at] is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "null value not allowed for object key")
        key = key_text(items[at], types[at + 2], style)
        if unique and key in keys:
            message = f"duplicate JSON object key value: {quote_json(key)}"
            raise SqlError(Sqlstate.DUPLICATE_JSON_OBJECT_KEY_VALUE, message)
        keys.add(key)
        if not (absent and items[at + 1] is None):
            members.append(f"{quote_json(key)} : {as_json_text(items[at + 1], types[at + 3], style)}")
    return check_depth("{" + ", ".join(members) + "}")


_NONE: Options = {
    "typed": True,
    "strict": False,
    "session": (SessionName.OUTPUT_STYLE,),
    "volatility": Volatility.STABLE,
}
_MANY: Options = {**_NONE, "variadic": True, "fallible": True}

FUNCTIONS: tuple[Function, ...] = (
    syntax("is_json", (TEXT, TEXT, BOOL), BOOL, is_json),
    syntax("sql_json_array", (BOOL,), JSON, _array, **_NONE),
    syntax("sql_json_array", (BOOL, ANY), JSON, _array, **_MANY),
    syntax("sql_json_object", (BOOL, BOOL), JSON, _object, **_NONE),
    syntax("sql_json_object", (BOOL, BOOL, ANY), JSON, _object, **_MANY),
)
