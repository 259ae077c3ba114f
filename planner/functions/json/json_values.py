"""SQL values as JSON: to_jsonb's value (`as_json`) and to_json's text (`as_json_text`)."""

from __future__ import annotations

import decimal
import math
from typing import Any

from model.json.json_text import Json, checked_json, load_json, quote_json, write_jsonb
from model.text.context import styled_context
from model.text.times.date_output import format_iso_timestamp
from model.text.times.near_years import near_local
from model.text.times.zones import format_offset, session_zone
from model.types.arrays import nested
from model.types.scalar_type import ScalarType, TypeName
from model.types.wide_time import CYCLE_YEARS, AnyMoment, infinite, year_text
from planner.functions.casts.text import text_of
from planner.functions.failures import invalid_parameter
from planner.functions.rows import element_of

Types = tuple[ScalarType, ...]

_NUMBERS = frozenset(
    (
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.UINT2,
        TypeName.UINT4,
        TypeName.UINT8,
        TypeName.FLOAT4,
        TypeName.FLOAT8,
        TypeName.NUMERIC,
        TypeName.WIDE,
    )
)

_DATES = frozenset((TypeName.DATE, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ))
"""Their texts in JSON are those of ISO 8601, whatever the session's style."""
_NO_KEYS = frozenset((TypeName.ARRAY, TypeName.RECORD, TypeName.JSON, TypeName.JSONB, TypeName.LIST, TypeName.MAP))


def _iso_moment(moment: AnyMoment, type_: ScalarType, zone: str) -> str:
    """Prints ISO 8601 with a T, and an offset with its minutes for what has one."""
    if type_.name is TypeName.TIMESTAMP or infinite(moment):
        return format_iso_timestamp(moment).replace(" ", "T", 1)
    local, cycles = near_local(moment, session_zone(zone))
    year, era = year_text(local.year + cycles * CYCLE_YEARS)
    offset = format_offset(local)
    if ":" not in offset:
        offset += ":00"
    return f"{year}{format_iso_timestamp(local.replace(tzinfo=None))[4:].replace(' ', 'T')}{offset}{era}"


def _is_finite(value: Any) -> bool:
    # math.isfinite would make a float of a decimal, which may be too large for one.
    return (
        value.is_finite()
        if isinstance(value, decimal.Decimal)
        else not isinstance(value, float) or math.isfinite(value)
    )


def as_json(value: Any, type_: ScalarType, style: str) -> Json:
    """Converts a datum to JSON as to_jsonb does."""
    if value is None:
        return None
    match type_.name:
        case TypeName.BOOL:
            return bool(value)
        case TypeName.JSON:
            return checked_json(value)
        case TypeName.JSONB:
            return load_json(value)
        case TypeName.ARRAY | TypeName.INT2VECTOR | TypeName.OIDVECTOR:
            element = element_of(type_)
            members: Json = nested(value, lambda item: as_json(item, element, style), _listed)
            return members
        case TypeName.LIST:
            assert type_.member is not None
            return [as_json(item, type_.member, style) for item in value]
        case TypeName.MAP:
            assert type_.member is not None
            return {key: as_json(item, type_.member, style) for key, item in value}
        case TypeName.RECORD:
            return {name: as_json(item, field, style) for (name, field), item in zip(type_.fields, value, strict=True)}
        case TypeName.TIMESTAMP | TypeName.TIMESTAMPTZ:
            return _iso_moment(value, type_, styled_context(style).time_zone)
        case TypeName.DATE:
            return text_of(value, type_)
        case name if name in _NUMBERS and _is_finite(value):
            return decimal.Decimal(text_of(value, type_, style))
        case _:
            return text_of(value, type_, style)


def _listed(parts: list[Json]) -> Json:
    return parts


def _bracketed(parts: list[str]) -> str:
    return "[" + ",".join(parts) + "]"


def as_json_text(value: Any, type_: ScalarType, style: str) -> str:
    """Returns the text that to_json makes of a datum: compact, with fields in their own order."""
    if value is None:
        return "null"
    match type_.name:
        case TypeName.JSON | TypeName.JSONB:
            return str(value)
        case TypeName.ARRAY | TypeName.INT2VECTOR | TypeName.OIDVECTOR:
            element = element_of(type_)
            return nested(value, lambda item: as_json_text(item, element, style), _bracketed)
        case TypeName.LIST:
            assert type_.member is not None
            member = type_.member
            return _bracketed([as_json_text(item, member, style) for item in value])
        case TypeName.MAP:
            assert type_.member is not None
            member = type_.member
            return "{" + ",".join(f"{quote_json(k)}:{as_json_text(item, member, style)}" for k, item in value) + "}"
        case TypeName.RECORD:
            parts = (
                f"{quote_json(name)}:{as_json_text(item, field, style)}"
                for (name, field), item in zip(type_.fields, value, strict=True)
            )
            return "{" + ",".join(parts) + "}"
        case name if name in _NUMBERS and _is_finite(value):
            return text_of(value, type_, style)
        case _:
            return write_jsonb(as_json(value, type_, style))


def key_text(value: Any, type_: ScalarType, style: str) -> str:
    """Returns a datum as the key of a JSON object; raises 22023 for one that is made of others."""
    if type_.name in _NO_KEYS:
        raise invalid_parameter("key value must be scalar, not array, composite, or json")
    if type_.name is TypeName.BOOL:
        return "true" if value else "false"
    if type_.name in _DATES:
        return str(as_json(value, type_, style))
    return text_of(value, type_, style)
