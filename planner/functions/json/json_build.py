"""JSON made of SQL values (to_jsonb, jsonb_build_object …), asked for its kind and length, or printed at length."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import Json, check_depth, check_escapes, load_json, quote_json, write_jsonb
from model.types.arrays import Array, Dimensions, dimensions_of, items_of
from model.types.scalar_type import BOOL, INT4, JSON, JSONB, RECORD, TEXT, ScalarType, array_of
from planner.functions.failures import invalid_parameter
from planner.functions.json.json_values import as_json, as_json_text, key_text
from planner.functions.rows import ANY, ANYARRAY, ANYELEMENT, Options, function
from planner.functions.signature import Function, Volatility
from planner.ir.scalar import SessionName

_JSON_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"|[][{}:,]|[^][{}:,"\s]++')

Types = tuple[ScalarType, ...]
Texts = tuple[str | None, ...]


def _to_jsonb(types: Types, value: Any, style: str) -> str:
    return write_jsonb(as_json(value, types[0], style))


def _to_json(types: Types, value: Any, style: str) -> str:
    return check_depth(as_json_text(value, types[0], style))


def _pretty_row(types: Types, value: Any, pretty: bool, style: str) -> str:
    """Writes a row as JSON; with `pretty`, members are on lines of their own."""
    text = check_depth(as_json_text(value, types[0], style))
    if not pretty or not types[0].fields:
        return text
    parts = (
        f"{quote_json(name)}:{as_json_text(item, field, style)}"
        for (name, field), item in zip(types[0].fields, value, strict=True)
    )
    return "{" + ",\n ".join(parts) + "}"


def _pairs(types: Types, items: list[Any]) -> list[tuple[Any, ScalarType, Any, ScalarType]]:
    if len(items) % 2:
        raise invalid_parameter(
            "argument list must have even number of elements",
            hint="The arguments of {}() must consist of alternating keys and values.".format("jsonb_build_object"),
        )
    return [(items[index], types[index], items[index + 1], types[index + 1]) for index in range(0, len(items), 2)]


def _build_jsonb_object(types: Types, *values: Any) -> str:
    *items, style = values
    built: dict[str, Json] = {}
    for number, (key, key_type, item, item_type) in enumerate(_pairs(types, items)):
        if key is None:
            raise invalid_parameter(f"argument {2 * number + 1}: key must not be null")
        built[key_text(key, key_type, style)] = as_json(item, item_type, style)
    return write_jsonb(built)


def _build_json_object(types: Types, *values: Any) -> str:
    *items, style = values
    parts = []
    for key, key_type, item, item_type in _pairs(types, items):
        if key is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "null value not allowed for object key")
        parts.append(f"{quote_json(key_text(key, key_type, style))} : {as_json_text(item, item_type, style)}")
    return check_depth("{" + ", ".join(parts) + "}")


def _build_jsonb_array(types: Types, *values: Any) -> str:
    *items, style = values
    return write_jsonb([as_json(item, type_, style) for item, type_ in zip(items, types, strict=True)])


def _build_json_array(types: Types, *values: Any) -> str:
    *items, style = values
    texts = [as_json_text(item, type_, style) for item, type_ in zip(items, types, strict=True)]
    return check_depth("[" + ", ".join(texts) + "]")


def _object_from_arrays(keys: Texts, values: Texts) -> str:
    _at_most(1, keys)
    _at_most(1, values)
    if len(keys) != len(values):
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "mismatched array dimensions")
    if None in keys:
        raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "null value not allowed for object key")
    return write_jsonb({str(key): value for key, value in zip(keys, values, strict=True)})


def _json_object_from_arrays(keys: Texts, values: Texts) -> str:
    """Builds a json object from two arrays, as written: in order, with equal keys kept."""
    _object_from_arrays(keys, values)
    members = (
        f"{quote_json(str(key))} : {'null' if value is None else quote_json(value)}"
        for key, value in zip(keys, values, strict=True)
    )
    return "{" + ", ".join(members) + "}"


def _at_most(count: int, array: Array) -> Dimensions:
    """Returns the shape; raises 2202E for more dimensions."""
    shape = dimensions_of(array)
    if len(shape) > count:
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "wrong number of array subscripts")
    return shape


def _from_one_array(make: Callable[[Texts, Texts], str]) -> Callable[[Array], str]:
    def evaluate(array: Array) -> str:
        """Builds an object of keys and values in turn, or in two columns."""
        shape = _at_most(2, array)
        if len(shape) == 2 and shape[1][1] != 2:
            raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "array must have two columns")
        if len(array) % 2:
            raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, "array must have even number of elements")
        items: Any = items_of(array)
        return make(items[::2], items[1::2])

    return evaluate


def _pretty_array(types: Types, value: Any, pretty: bool, style: str) -> str:
    """Writes an array as JSON; with `pretty`, elements are on lines of their own."""
    element = types[0].element
    assert element is not None
    separator = ",\n " if pretty else ","
    return check_depth("[" + separator.join(as_json_text(item, element, style) for item in value) + "]")


def json_kind(value: Json) -> str:
    """Returns the result of jsonb_typeof."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case Mapping():
            return "object"
        case list():
            return "array"
        case _:
            return "number"


def _array_length(text: str) -> int:
    value = load_json(text)
    if isinstance(value, list):
        return len(value)
    what = "a non-array" if isinstance(value, Mapping) else "a scalar"
    raise invalid_parameter(f"cannot get array length of {what}")


def _pretty(text: str) -> str:
    """Prints JSON with four blanks a level; an empty container still has its line break."""
    parts: list[str] = []
    _write_pretty(load_json(text), 0, parts)
    return "".join(parts)


def _write_pretty(value: Json, indent: int, parts: list[str]) -> None:
    if not isinstance(value, Mapping | list):
        parts.append(write_jsonb(value))
        return
    opening, closing = "{}" if isinstance(value, Mapping) else "[]"
    parts.append(opening)
    lead = "\n" + " " * (indent + 4)
    for number, item in enumerate(value):
        parts.append(f",{lead}" if number else lead)
        if isinstance(value, Mapping):
            parts.append(f"{quote_json(str(item))}: ")
            item = value[str(item)]
        _write_pretty(item, indent + 4, parts)
    parts.append(f"\n{' ' * indent}{closing}")


def _strip_json_nulls(text: str) -> str:
    """Prints JSON compactly, in the order of the members, with texts written as PostgreSQL writes them."""
    check_escapes(text)
    written: list[str] = []
    objects: list[bool] = []
    key, first = "", True
    for token in _JSON_TOKENS.findall(text):
        if token in (",", ":"):
            continue
        if token in ("}", "]"):
            objects.pop()
            written.append(token)
            first = False
            continue
        shown = quote_json(str(load_json(token))) if token[0] == '"' else token
        if objects and objects[-1] and not key:
            key = f"{shown}:"
            continue
        if not key or token != "null":
            written.append(f"{'' if first else ','}{key}{shown}")
            first = token in ("{", "[")
        key = ""
        if token in ("{", "["):
            objects.append(token == "{")
    return "".join(written)


_STYLED: Options = {"typed": True, "session": (SessionName.OUTPUT_STYLE,), "volatility": Volatility.STABLE}
# json within a value may hold what jsonb can't, and be as deep as may be already.
_INTO_JSON: Options = {**_STYLED, "fallible": True}
_MANY: Options = {**_STYLED, "strict": False, "variadic": True, "fallible": True}
_NONE: Options = {**_STYLED, "strict": False}
_TEXTS = array_of(TEXT)

FUNCTIONS: tuple[Function, ...] = (
    function("to_jsonb", (ANYELEMENT,), JSONB, _to_jsonb, **_INTO_JSON),
    function("to_json", (ANYELEMENT,), JSON, _to_json, **_INTO_JSON),
    function("row_to_json", (RECORD,), JSON, _to_json, **_INTO_JSON),
    function("row_to_json", (RECORD, BOOL), JSON, _pretty_row, **_INTO_JSON),
    function("array_to_json", (ANYARRAY,), JSON, _to_json, **_INTO_JSON),
    function("jsonb_build_object", (), JSONB, _build_jsonb_object, **_NONE),
    function("jsonb_build_object", (ANY,), JSONB, _build_jsonb_object, **_MANY),
    function("json_build_object", (), JSON, _build_json_object, **_NONE),
    function("json_build_object", (ANY,), JSON, _build_json_object, **_MANY),
    function("jsonb_build_array", (), JSONB, _build_jsonb_array, **_NONE),
    function("jsonb_build_array", (ANY,), JSONB, _build_jsonb_array, **_MANY),
    function("json_build_array", (), JSON, _build_json_array, **_NONE),
    function("json_build_array", (ANY,), JSON, _build_json_array, **_MANY),
    function("array_to_json", (ANYARRAY, BOOL), JSON, _pretty_array, **_INTO_JSON),
    function("json_object", (_TEXTS,), JSON, _from_one_array(_json_object_from_arrays), fallible=True),
    function("json_object", (_TEXTS, _TEXTS), JSON, _json_object_from_arrays, fallible=True),
    function("jsonb_object", (_TEXTS,), JSONB, _from_one_array(_object_from_arrays), fallible=True),
    function("jsonb_object", (_TEXTS, _TEXTS), JSONB, _object_from_arrays, fallible=True),
    function("jsonb_typeof", (JSONB,), TEXT, lambda text: json_kind(load_json(text))),
    function("json_typeof", (JSON,), TEXT, lambda text: json_kind(load_json(text))),
    function("jsonb_array_length", (JSONB,), INT4, _array_length, fallible=True),
    function("json_array_length", (JSON,), INT4, _array_length, fallible=True),
    function("jsonb_pretty", (JSONB,), TEXT, _pretty),
    function("json_strip_nulls", (JSON,), JSON, _strip_json_nulls, fallible=True),
)
