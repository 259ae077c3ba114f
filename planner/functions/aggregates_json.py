"""jsonb_agg, json_agg and their kin for objects. Rows with NULLs count."""

from __future__ import annotations

from typing import Any

from model.errors import SqlError
from model.scalar_type import JSON, JSONB, ScalarType
from model.sqlstate import Sqlstate
from model.text.json_text import Json, quote_json, write_jsonb
from planner.functions.failures import invalid_parameter
from planner.functions.json_values import as_json, as_json_text, key_text
from planner.functions.rows import ANY, ANYELEMENT, key_of
from planner.functions.signature import AggregateFunction
from planner.ir.scalar import SessionName

Rows = list[tuple[Any, ...]]
Types = tuple[ScalarType, ...]


def _jsonb_array(types: Types, rows: Rows, zone: str) -> str | None:
    return write_jsonb([as_json(row[0], types[0], zone) for row in rows]) if rows else None


def _json_array(types: Types, rows: Rows, zone: str) -> str | None:
    """Elements that are containers start on a line of their own, as PostgreSQL writes them."""
    if not rows:
        return None
    container = types[0].element is not None or bool(types[0].fields)
    separator = ", \n " if container else ", "
    return "[" + separator.join(as_json_text(row[0], types[0], zone) for row in rows) + "]"


def _jsonb_object(types: Types, rows: Rows, zone: str) -> str | None:
    if not rows:
        return None
    value: dict[str, Json] = {}
    for key, item in rows:
        if key is None:
            raise invalid_parameter("field name must not be null")
        value[key_text(key, types[0], zone)] = as_json(item, types[1], zone)
    return write_jsonb(value)


def _json_object(types: Types, rows: Rows, zone: str) -> str | None:
    if not rows:
        return None
    parts = []
    for key, item in rows:
        if key is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "null value not allowed for object key")
        parts.append(f"{quote_json(key_text(key, types[0], zone))} : {as_json_text(item, types[1], zone)}")
    return "{ " + ", ".join(parts) + " }"


def _strict_array(types: Types, rows: Rows, zone: str) -> str | None:
    """Without the NULLs; of rows that are all NULL, an empty array."""
    return _jsonb_array(types, [row for row in rows if row[0] is not None], zone) or ("[]" if rows else None)


def _strict_object(types: Types, rows: Rows, zone: str) -> str | None:
    """Without the NULL values."""
    return _jsonb_object(types, [row for row in rows if row[1] is not None], zone) or ("{}" if rows else None)


def _aggregate(name: str, arguments: Types, result: ScalarType, evaluate: Any, fallible: bool) -> AggregateFunction:
    return AggregateFunction(
        key_of(name, arguments),
        name,
        arguments,
        result,
        evaluate,
        skips_nulls=False,
        ordered=True,
        fallible=fallible,
        typed=True,
        session=(SessionName.TIME_ZONE,),
    )


AGGREGATES: tuple[AggregateFunction, ...] = (
    _aggregate("jsonb_agg", (ANYELEMENT,), JSONB, _jsonb_array, False),
    _aggregate("jsonb_agg_strict", (ANYELEMENT,), JSONB, _strict_array, False),
    _aggregate("jsonb_object_agg_strict", (ANY, ANY), JSONB, _strict_object, True),
    _aggregate("json_agg", (ANYELEMENT,), JSON, _json_array, False),
    _aggregate("jsonb_object_agg", (ANY, ANY), JSONB, _jsonb_object, True),
    _aggregate("json_object_agg", (ANY, ANY), JSON, _json_object, True),
)
