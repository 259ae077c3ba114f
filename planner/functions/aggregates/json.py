"""jsonb_agg, json_agg and their kin for objects. Rows with NULLs count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import Json, check_depth, quote_json, write_jsonb
from model.types.scalar_type import JSON, JSONB, ScalarType
from planner.functions.failures import invalid_parameter
from planner.functions.json.json_values import as_json, as_json_text, key_text
from planner.functions.rows import ANY, ANYELEMENT, key_of
from planner.functions.signature import AggregateFunction
from planner.ir.scalar import SessionName

Rows = list[tuple[Any, ...]]
Types = tuple[ScalarType, ...]
Evaluate = Callable[[Types, Rows, str], str | None]


def _jsonb_array(types: Types, rows: Rows, style: str) -> str | None:
    return write_jsonb([as_json(row[0], types[0], style) for row in rows]) if rows else None


def _json_array(types: Types, rows: Rows, style: str) -> str | None:
    """Writes an array. Elements that are containers start on a line of their own, as PostgreSQL writes them; NULLs do
    not."""
    if not rows:
        return None
    container = types[0].element is not None or bool(types[0].fields)
    items = [
        ("\n " if container and at and row[0] is not None else "") + as_json_text(row[0], types[0], style)
        for at, row in enumerate(rows)
    ]
    return check_depth("[" + ", ".join(items) + "]")


def _jsonb_object(types: Types, rows: Rows, style: str) -> str | None:
    if not rows:
        return None
    value: dict[str, Json] = {}
    for key, item in rows:
        if key is None:
            raise invalid_parameter("field name must not be null")
        value[key_text(key, types[0], style)] = as_json(item, types[1], style)
    return write_jsonb(value)


def _json_object(types: Types, rows: Rows, style: str) -> str | None:
    if not rows:
        return None
    parts = []
    for key, item in rows:
        if key is None:
            raise SqlError(Sqlstate.NULL_VALUE_NOT_ALLOWED, "null value not allowed for object key")
        parts.append(f"{quote_json(key_text(key, types[0], style))} : {as_json_text(item, types[1], style)}")
    return check_depth("{ " + ", ".join(parts) + " }")


def _strict_array(collect: Evaluate) -> Evaluate:
    """Aggregates without the NULLs; of rows that are all NULL, an empty array."""
    return lambda types, rows, style: collect(types, _present(rows, 0), style) or ("[]" if rows else None)


def _strict_object(collect: Evaluate, empty: str) -> Evaluate:
    """Aggregates without the NULL values."""

    def evaluate(types: Types, rows: Rows, style: str) -> str | None:
        if any(key is None for key, _ in rows):
            return collect(types, rows, style)
        return collect(types, _present(rows, 1), style) or (empty if rows else None)

    return evaluate


def _present(rows: Rows, at: int) -> Rows:
    return [row for row in rows if row[at] is not None]


def _unique(collect: Evaluate, names_key: bool) -> Evaluate:
    """Adds a check for unique keys, which raises 22030 for one that occurs twice, with a NULL value too."""

    def evaluate(types: Types, rows: Rows, style: str) -> str | None:
        seen: set[str] = set()
        for key, _ in rows:
            text = None if key is None else key_text(key, types[0], style)
            if text is None:
                break
            if text in seen:
                shown = f": {quote_json(text)}" if names_key else ""
                message = f"duplicate JSON object key value{shown}"
                raise SqlError(Sqlstate.DUPLICATE_JSON_OBJECT_KEY_VALUE, message)
            seen.add(text)
        return collect(types, rows, style)

    return evaluate


def _aggregate(name: str, arguments: Types, result: ScalarType, evaluate: Any) -> AggregateFunction:
    return AggregateFunction(
        key_of(name, arguments),
        name,
        arguments,
        result,
        evaluate,
        skips_nulls=False,
        ordered=True,
        fallible=True,
        typed=True,
        session=(SessionName.OUTPUT_STYLE,),
    )


_PAIR = (ANY, ANY)
_STRICT_JSON_OBJECT = _strict_object(_json_object, "{  }")
_STRICT_JSONB_OBJECT = _strict_object(_jsonb_object, "{}")

AGGREGATES: tuple[AggregateFunction, ...] = (
    # json may hold escapes that jsonb can't, and be as deep as may be already.
    _aggregate("jsonb_agg", (ANYELEMENT,), JSONB, _jsonb_array),
    _aggregate("jsonb_agg_strict", (ANYELEMENT,), JSONB, _strict_array(_jsonb_array)),
    _aggregate("json_agg", (ANYELEMENT,), JSON, _json_array),
    _aggregate("json_agg_strict", (ANYELEMENT,), JSON, _strict_array(_json_array)),
    _aggregate("jsonb_object_agg", _PAIR, JSONB, _jsonb_object),
    _aggregate("jsonb_object_agg_strict", _PAIR, JSONB, _STRICT_JSONB_OBJECT),
    _aggregate("jsonb_object_agg_unique", _PAIR, JSONB, _unique(_jsonb_object, False)),
    _aggregate("jsonb_object_agg_unique_strict", _PAIR, JSONB, _unique(_STRICT_JSONB_OBJECT, False)),
    _aggregate("json_object_agg", _PAIR, JSON, _json_object),
    _aggregate("json_object_agg_strict", _PAIR, JSON, _STRICT_JSON_OBJECT),
    _aggregate("json_object_agg_unique", _PAIR, JSON, _unique(_json_object, True)),
    _aggregate("json_object_agg_unique_strict", _PAIR, JSON, _unique(_STRICT_JSON_OBJECT, True)),
)
