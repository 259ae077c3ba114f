"""Casts among numbers, booleans and oids: floats round half to even, numerics half away from zero; 22003 outside."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.floats import to_single
from model.text.numerics import format_numeric
from model.types.scalar_type import (
    BOOL,
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    MZ_TIMESTAMP,
    NUMERIC,
    OID,
    REGCONFIG,
    REGISTERED,
    ScalarType,
)
from planner.functions.casts.record_casts import ASSIGNMENT, EXPLICIT, IMPLICIT, cast, unchanged
from planner.functions.failures import out_of_range
from planner.functions.numbers.arithmetic import check_int2, check_int4, check_int8
from planner.functions.numbers.decimals import from_float
from planner.functions.numbers.float_math import single
from planner.functions.signature import Cast, CastContext

_OID_END = 1 << 32
_TIMESTAMP_END = 1 << 64
_INTEGERS: tuple[tuple[ScalarType, Callable[[int], int], str], ...] = (
    (INT2, check_int2, "smallint"),
    (INT4, check_int4, "integer"),
    (INT8, check_int8, "bigint"),
)
_INTEGER_DIGITS = 20
"""No integer has more."""
_FLOAT4_END = 2.0**128 - 2.0**103
_FLOAT4_NOTHING = 2.0**-150
"""What lies between 0 and this is nearer to 0 than to any float4."""
_FLOAT4_DIGITS = 6
_FLOAT8_DIGITS = 15


def float_to_integer(check: Callable[[int], int], what: str) -> Callable[[float], int]:
    def evaluate(value: float) -> int:
        if not math.isfinite(value):
            raise out_of_range(what)
        return check(round(value))

    return evaluate


def numeric_to_integer(check: Callable[[int], int], what: str) -> Callable[[Decimal], int]:
    def evaluate(value: Decimal) -> int:
        if not value.is_finite():
            word = "NaN" if value.is_nan() else "infinity"
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"cannot convert {word} to {what}")
        if value.adjusted() > _INTEGER_DIGITS:
            raise out_of_range(what)
        return check(int(value.to_integral_value(decimal.ROUND_HALF_UP)))

    return evaluate


def numeric_to_float8(value: Decimal) -> float:
    """Returns the nearest float; raises 22003 beyond the range of floats, and for what would become 0."""
    found = float(value)
    if value.is_finite() and (math.isinf(found) or (value and not found)):
        raise _no_float(value, "double precision")
    return found


def numeric_to_float4(value: Decimal) -> float:
    """Returns the nearest float4, as `numeric_to_float8` does."""
    found = float(value)
    if value.is_finite() and (abs(found) >= _FLOAT4_END or (value and abs(found) <= _FLOAT4_NOTHING)):
        raise _no_float(value, "real")
    return to_single(found)


def _no_float(value: Decimal, what: str) -> SqlError:
    message = f'"{format_numeric(value)}" is out of range for type {what}'
    return SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message)


def _unsigned(end: int, what: str) -> Callable[[int], int]:
    def evaluate(value: int) -> int:
        if 0 <= value < end:
            return value
        raise out_of_range(what)

    return evaluate


def _wrap_oid(value: int) -> int:
    """Converts an int2 or int4 to an oid with the same bits."""
    return value % _OID_END


def _oid_to_int4(value: int) -> int:
    return value - _OID_END if value >= _OID_END >> 1 else value


def _among_integers() -> list[Cast]:
    casts = []
    for rank, (source, _, _) in enumerate(_INTEGERS):
        for target_rank, (target, check, _) in enumerate(_INTEGERS):
            if target_rank > rank:
                casts.append(cast(source, target, IMPLICIT, unchanged))
            elif target_rank < rank:
                casts.append(cast(source, target, ASSIGNMENT, check, fallible=True))
    return casts


def _integers_and_others() -> list[Cast]:
    casts = []
    for type_, check, what in _INTEGERS:
        casts += [
            cast(type_, FLOAT4, IMPLICIT, lambda value: single(float(value))),
            cast(type_, FLOAT8, IMPLICIT, float),
            cast(type_, NUMERIC, IMPLICIT, Decimal),
            cast(FLOAT4, type_, ASSIGNMENT, float_to_integer(check, what), fallible=True),
            cast(FLOAT8, type_, ASSIGNMENT, float_to_integer(check, what), fallible=True),
            cast(NUMERIC, type_, ASSIGNMENT, numeric_to_integer(check, what), fallible=True),
        ]
    return casts


def _registered(type_: ScalarType) -> list[Cast]:
    """Returns the casts of a reg* type, whose values are oids."""
    return [
        cast(OID, type_, IMPLICIT, unchanged),
        cast(type_, OID, IMPLICIT, unchanged),
        cast(INT2, type_, IMPLICIT, _wrap_oid),
        cast(INT4, type_, IMPLICIT, _wrap_oid),
        cast(INT8, type_, IMPLICIT, _unsigned(_OID_END, "OID"), fallible=True),
        cast(type_, INT4, ASSIGNMENT, _oid_to_int4),
        cast(type_, INT8, ASSIGNMENT, unchanged),
    ]


def _to_mz_timestamp(source: ScalarType, evaluate: Callable[[Any], int], context: CastContext) -> Cast:
    check = _unsigned(_TIMESTAMP_END, "mz_timestamp")
    return cast(source, MZ_TIMESTAMP, context, lambda value: check(evaluate(value)), fallible=True)


CASTS: tuple[Cast, ...] = (
    *_among_integers(),
    *_integers_and_others(),
    cast(FLOAT4, FLOAT8, IMPLICIT, unchanged),
    cast(FLOAT8, FLOAT4, ASSIGNMENT, single, fallible=True),
    cast(FLOAT4, NUMERIC, ASSIGNMENT, lambda value: from_float(value, _FLOAT4_DIGITS), fallible=True),
    cast(FLOAT8, NUMERIC, ASSIGNMENT, lambda value: from_float(value, _FLOAT8_DIGITS), fallible=True),
    cast(NUMERIC, FLOAT4, IMPLICIT, numeric_to_float4, fallible=True),
    cast(NUMERIC, FLOAT8, IMPLICIT, numeric_to_float8, fallible=True),
    cast(BOOL, INT4, EXPLICIT, int),
    cast(INT4, BOOL, EXPLICIT, bool),
    cast(INT2, OID, IMPLICIT, _wrap_oid),
    cast(INT4, OID, IMPLICIT, _wrap_oid),
    cast(INT8, OID, IMPLICIT, _unsigned(_OID_END, "OID"), fallible=True),
    cast(OID, INT4, ASSIGNMENT, _oid_to_int4),
    cast(OID, INT8, ASSIGNMENT, unchanged),
    *(row for type_ in (*map(ScalarType, sorted(REGISTERED)), REGCONFIG) for row in _registered(type_)),
    *(_to_mz_timestamp(type_, unchanged, IMPLICIT) for type_ in (INT2, INT4, INT8)),
    _to_mz_timestamp(NUMERIC, numeric_to_integer(unchanged, "mz_timestamp"), IMPLICIT),
    cast(MZ_TIMESTAMP, INT8, ASSIGNMENT, check_int8, fallible=True),
    cast(MZ_TIMESTAMP, NUMERIC, ASSIGNMENT, Decimal),
)
