"""Rows of json and jsonb, and of matches of patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from model.errors.sql_error import SqlError
from model.json.json_text import load_json, write_jsonb
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import JSON, JSONB, TEXT, ScalarType, array_of
from planner.functions.failures import invalid_parameter
from planner.functions.json.json_extract import json_as_text, json_elements, json_members, text_or_null
from planner.functions.rows import key_of
from planner.functions.signature import TableFunction
from planner.functions.tables.series import one_column
from planner.functions.text.regexp import regexp_matches, regexp_split_to_table

Row = tuple[Any, ...]
Types = tuple[ScalarType, ...]


def _kind_error(message: str) -> SqlError:
    return invalid_parameter(message)


def _what(value: object) -> str:
    return "an array" if isinstance(value, list) else "an object" if isinstance(value, Mapping) else "a scalar"


def _members(text: str, name: str) -> Mapping[str, Any]:
    value = load_json(text)
    if not isinstance(value, Mapping):
        raise _kind_error(f"cannot call {name} on {_what(value) if name.endswith('keys') else 'a non-object'}")
    return value


def _elements(text: str, name: str = "") -> list[Any]:
    """Returns an array's elements; `name` is a function's on json, whose errors are worded differently."""
    value = load_json(text)
    if not isinstance(value, list):
        if not name:
            raise _kind_error(f"cannot extract elements from {_what(value)}")
        raise _kind_error(f"cannot call {name} on {'a non-array' if isinstance(value, Mapping) else 'a scalar'}")
    return value


def _object_text(text: str) -> str:
    match text.lstrip(" \t\n\r")[:1]:
        case "{":
            return text
        case "[":
            raise _kind_error("cannot deconstruct an array as an object")
        case _:
            raise _kind_error("cannot deconstruct a scalar")


def _jsonb_each(text: str) -> list[Row]:
    return [(key, write_jsonb(item)) for key, item in _members(text, "jsonb_each").items()]


def _jsonb_each_text(text: str) -> list[Row]:
    return [(key, text_or_null(item)) for key, item in _members(text, "jsonb_each_text").items()]


def _jsonb_keys(text: str) -> list[Row]:
    return [(key,) for key in _members(text, "jsonb_object_keys")]


def _jsonb_elements(text: str) -> list[Row]:
    return [(write_jsonb(item),) for item in _elements(text)]


def _jsonb_elements_text(text: str) -> list[Row]:
    return [(text_or_null(item),) for item in _elements(text)]


def _json_each(text: str) -> list[Row]:
    return list(json_members(_object_text(text)))


def _json_each_text(text: str) -> list[Row]:
    return [(key, json_as_text(item)) for key, item in _json_each(text)]


def _json_keys(text: str) -> list[Row]:
    _members(text, "json_object_keys")
    return [(key,) for key, _ in json_members(text)]


def _json_elements(text: str, name: str = "json_array_elements") -> list[Row]:
    _elements(text, name)
    return [(item,) for item in json_elements(text)]


def _json_elements_text(text: str) -> list[Row]:
    return [(json_as_text(item),) for (item,) in _json_elements(text, "json_array_elements_text")]


def _each(value: ScalarType) -> Callable[[Types], RelationDesc]:
    desc = relation_desc(("key", TEXT), ("value", value))
    return lambda types: desc


def _row(
    name: str, arguments: Types, result: Callable[[Types], RelationDesc], evaluate: Callable[..., list[Row]]
) -> TableFunction:
    return TableFunction(key_of(name, arguments), name, arguments, result, evaluate, fallible=True)


_MATCHES = one_column("regexp_matches", array_of(TEXT))
_PIECES = one_column("regexp_split_to_table", TEXT)

TABLE_FUNCTIONS: tuple[TableFunction, ...] = (
    _row("jsonb_each", (JSONB,), _each(JSONB), _jsonb_each),
    _row("jsonb_each_text", (JSONB,), _each(TEXT), _jsonb_each_text),
    _row("jsonb_object_keys", (JSONB,), one_column("jsonb_object_keys", TEXT), _jsonb_keys),
    _row("jsonb_array_elements", (JSONB,), one_column("value", JSONB), _jsonb_elements),
    _row("jsonb_array_elements_text", (JSONB,), one_column("value", TEXT), _jsonb_elements_text),
    _row("json_each", (JSON,), _each(JSON), _json_each),
    _row("json_each_text", (JSON,), _each(TEXT), _json_each_text),
    _row("json_object_keys", (JSON,), one_column("json_object_keys", TEXT), _json_keys),
    _row("json_array_elements", (JSON,), one_column("value", JSON), _json_elements),
    _row("json_array_elements_text", (JSON,), one_column("value", TEXT), _json_elements_text),
    _row("regexp_matches", (TEXT, TEXT), _MATCHES, regexp_matches),
    _row("regexp_matches", (TEXT, TEXT, TEXT), _MATCHES, regexp_matches),
    _row("regexp_split_to_table", (TEXT, TEXT), _PIECES, regexp_split_to_table),
    _row("regexp_split_to_table", (TEXT, TEXT, TEXT), _PIECES, regexp_split_to_table),
)
