"""Casts of json, of arrays element by element, of vectors; and the second step of a cast to a type with a modifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.json.json_text import load_json, parse_jsonb
from model.text.modifiers import apply_modifier
from model.types.arrays import map_items
from model.types.scalar_type import (
    BIT,
    BOOL,
    BPCHAR,
    FLOAT4,
    FLOAT8,
    INT2,
    INT2VECTOR,
    INT4,
    INT8,
    INTERVAL,
    JSON,
    JSONB,
    NUMERIC,
    OID,
    OIDVECTOR,
    REGTYPE,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    TIMETZ,
    VARBIT,
    VARCHAR,
    VECTOR,
    WIDE,
    ScalarType,
    array_of,
)
from planner.functions.casts.numbers import CASTS as NUMBERS
from planner.functions.casts.record_casts import ASSIGNMENT, EXPLICIT, IMPLICIT, cast, unchanged
from planner.functions.failures import invalid_parameter
from planner.functions.rows import key_of
from planner.functions.signature import Cast, Function

_JSON_KINDS = {bool: "boolean", str: "string", dict: "object", list: "array", type(None): "null"}


def _from_jsonb(target: ScalarType, word: str) -> Cast:
    """Casts jsonb numbers and booleans; raises 22023 for anything else inside."""
    numeric_casts = {row.target: row.function.evaluate for row in NUMBERS if row.source == NUMERIC}
    through: Callable[..., Any] = numeric_casts.get(target, unchanged)

    def evaluate(text: str) -> Any:
        value = load_json(text)
        if target == BOOL and isinstance(value, bool):
            return value
        kind = _JSON_KINDS.get(type(value), "numeric")
        if target != BOOL and kind == "numeric":
            return through(value)
        raise invalid_parameter(f"cannot cast jsonb {kind} to type {word}")

    return cast(JSONB, target, EXPLICIT, evaluate, fallible=True)


def _elementwise(function: Function) -> Callable[..., Any]:
    evaluate = function.evaluate
    if function.needs_system:
        return lambda system, array: map_items(_unless_null(lambda item: evaluate(system, item)), array)
    if function.typed:
        return lambda types, array, *session: map_items(
            _unless_null(lambda item: evaluate((types[0].element,), item, *session)), array
        )
    return lambda array, *session: map_items(_unless_null(lambda item: evaluate(item, *session)), array)


def _unless_null(evaluate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda item: None if item is None else evaluate(item)


def array_cast(element: Cast) -> Cast:
    """Returns the cast of arrays that applies `element` to each element."""
    function = element.function
    return cast(
        array_of(element.source),
        array_of(element.target),
        element.context,
        _elementwise(function),
        fallible=function.fallible,
        volatility=function.volatility,
        session=function.session,
        typed=function.typed,
        needs_system=function.needs_system,
    )


def _modifier(type_: ScalarType) -> Function:
    """Names `modify_<type>(value, modifier, explicit)`: the value cut, padded or rounded as the modifier says."""

    def evaluate(value: Any, modifier: int, explicit: bool) -> Any:
        return apply_modifier(value, ScalarType(type_.name, modifier), explicit=explicit)

    return Function(
        key_of("modify", (type_,)), "modify", (type_, INT4, BOOL), type_, evaluate, fallible=True, form="modifier"
    )


def _array_modifier(type_: ScalarType) -> Function:
    def evaluate(value: Any, modifier: int, explicit: bool) -> Any:
        return apply_modifier(value, array_of(ScalarType(type_.name, modifier)), explicit=explicit)

    array = array_of(type_)
    return Function(
        key_of("modify", (array,)), "modify", (array, INT4, BOOL), array, evaluate, fallible=True, form="modifier"
    )


_MODIFIED = (VARCHAR, BPCHAR, BIT, VARBIT, NUMERIC, WIDE, TIME, TIMETZ, TIMESTAMP, TIMESTAMPTZ, INTERVAL, VECTOR)

FUNCTIONS: tuple[Function, ...] = (
    *(_modifier(type_) for type_ in _MODIFIED),
    *(_array_modifier(type_) for type_ in _MODIFIED),
)

CASTS: tuple[Cast, ...] = (
    cast(JSON, JSONB, ASSIGNMENT, parse_jsonb, fallible=True),
    cast(JSONB, JSON, ASSIGNMENT, unchanged),
    _from_jsonb(BOOL, "boolean"),
    _from_jsonb(INT2, "smallint"),
    _from_jsonb(INT4, "integer"),
    _from_jsonb(INT8, "bigint"),
    _from_jsonb(FLOAT4, "real"),
    _from_jsonb(FLOAT8, "double precision"),
    _from_jsonb(NUMERIC, "numeric"),
    *(cast(INT2VECTOR, array_of(type_), IMPLICIT, unchanged) for type_ in (INT2, INT4, INT8)),
    *(cast(OIDVECTOR, array_of(type_), IMPLICIT, unchanged) for type_ in (OID, REGTYPE)),
)
