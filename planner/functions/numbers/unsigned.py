"""uint2, uint4 and uint8, Materialize's: arithmetic and bits, exact or 22003, and casts among numbers."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from decimal import Decimal
from functools import reduce
from typing import Any

from model.types.scalar_type import (
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    MZ_TIMESTAMP,
    NUMERIC,
    UINT2,
    UINT4,
    UINT8,
    ScalarType,
)
from planner.functions.casts.numbers import float_to_integer, numeric_to_integer
from planner.functions.casts.record_casts import ASSIGNMENT, IMPLICIT, cast, unchanged
from planner.functions.failures import out_of_range
from planner.functions.numbers.arithmetic import (
    check_int2,
    check_int4,
    check_int8,
    truncating_quotient,
    truncating_remainder,
)
from planner.functions.numbers.decimals import hold
from planner.functions.numbers.float_math import single
from planner.functions.numbers.numeric_math import divide, divide_whole
from planner.functions.rows import function, key_of, operator, whole_aggregate
from planner.functions.signature import AggregateFunction, Cast, CastContext, Function

_Check = Callable[[int], int]
_Rows = list[tuple[Any, ...]]


def _checked(bits: int, what: str) -> _Check:
    def check(value: int) -> int:
        if 0 <= value < 1 << bits:
            return value
        raise out_of_range(what)

    return check


_TYPES = ((UINT2, 16), (UINT4, 32), (UINT8, 64))
_CHECKS = {type_: _checked(bits, type_.name.value) for type_, bits in _TYPES}
_SIGNED = ((INT2, 15, check_int2), (INT4, 31, check_int4), (INT8, 63, check_int8))


def _of_type(type_: ScalarType, bits: int) -> list[Function]:
    check, mask = _CHECKS[type_], (1 << bits) - 1
    pair, shift = (type_, type_), (type_, INT4)
    places = max(bits, 32)
    return [
        operator("+", "add", pair, type_, lambda a, b: check(a + b), fallible=True),
        operator("-", "subtract", pair, type_, lambda a, b: check(a - b), fallible=True),
        operator("*", "multiply", pair, type_, lambda a, b: check(a * b), fallible=True),
        operator("/", "divide", pair, type_, truncating_quotient, fallible=True),
        operator("%", "modulo", pair, type_, truncating_remainder, fallible=True),
        function("mod", pair, type_, truncating_remainder, fallible=True),
        operator("&", "bit_and", pair, type_, python.and_),
        operator("|", "bit_or", pair, type_, python.or_),
        operator("#", "bit_xor", pair, type_, python.xor),
        operator("~", "bit_not", (type_,), type_, lambda a: a ^ mask),
        operator("<<", "shift_left", shift, type_, lambda a, n: (a << (n % places)) & mask),
        operator(">>", "shift_right", shift, type_, lambda a, n: a >> (n % places)),
    ]


def _casts_of(type_: ScalarType, bits: int) -> list[Cast]:
    check, what = _CHECKS[type_], type_.name.value
    return [
        *(_integer_cast(type_, other, bits, width, _CHECKS[other]) for other, width in _TYPES if other != type_),
        *(_integer_cast(type_, other, bits, width, fits) for other, width, fits in _SIGNED),
        *(cast(other, type_, ASSIGNMENT, check, fallible=True) for other, _, _ in _SIGNED),
        cast(type_, FLOAT4, IMPLICIT, lambda value: single(float(value))),
        cast(type_, FLOAT8, IMPLICIT, float),
        cast(type_, NUMERIC, IMPLICIT, Decimal),
        cast(FLOAT4, type_, ASSIGNMENT, float_to_integer(check, what), fallible=True),
        cast(FLOAT8, type_, ASSIGNMENT, float_to_integer(check, what), fallible=True),
        cast(NUMERIC, type_, ASSIGNMENT, numeric_to_integer(check, what), fallible=True),
        cast(type_, MZ_TIMESTAMP, IMPLICIT, unchanged),
    ]


def _integer_cast(source: ScalarType, target: ScalarType, bits: int, width: int, check: _Check) -> Cast:
    """Returns a cast between integer types; it is implicit where all values fit."""
    context: CastContext = IMPLICIT if bits <= width else ASSIGNMENT
    if context is IMPLICIT:
        return cast(source, target, context, unchanged)
    return cast(source, target, context, check, fallible=True)


def _sum(check: _Check) -> Callable[[_Rows], int | None]:
    return lambda rows: check(sum(row[0] for row in rows)) if rows else None


def _sum_to_numeric(rows: _Rows) -> Decimal | None:
    return hold(Decimal(sum(row[0] for row in rows))) if rows else None


def _average(divided: Callable[[Decimal, Decimal], Decimal]) -> Callable[[_Rows], Decimal | None]:
    return lambda rows: divided(Decimal(sum(row[0] for row in rows)), Decimal(len(rows))) if rows else None


def _bits(combine: Callable[[int, int], int]) -> Callable[[_Rows], int | None]:
    return lambda rows: reduce(combine, (row[0] for row in rows)) if rows else None


def _aggregate(
    name: str, type_: ScalarType, result: ScalarType, evaluate: Callable[[_Rows], Any], *, fallible: bool = False
) -> AggregateFunction:
    return AggregateFunction(key_of(name, (type_,)), name, (type_,), result, evaluate, fallible=fallible)


CASTS: tuple[Cast, ...] = tuple(row for type_, bits in _TYPES for row in _casts_of(type_, bits))

FUNCTIONS: tuple[Function, ...] = tuple(row for type_, bits in _TYPES for row in _of_type(type_, bits))

AGGREGATES: tuple[AggregateFunction, ...] = (
    *(_aggregate("sum", type_, UINT8, _sum(_CHECKS[UINT8]), fallible=True) for type_ in (UINT2, UINT4)),
    _aggregate("sum", UINT8, NUMERIC, _sum_to_numeric, fallible=True),
    *(
        row
        for type_, _ in _TYPES
        for row in whole_aggregate(
            _aggregate("avg", type_, NUMERIC, _average(divide), fallible=True), _average(divide_whole)
        )
    ),
    *(_aggregate("bit_and", type_, type_, _bits(python.and_)) for type_, _ in _TYPES),
    *(_aggregate("bit_or", type_, type_, _bits(python.or_)) for type_, _ in _TYPES),
    *(_aggregate("bit_xor", type_, type_, _bits(python.xor)) for type_, _ in _TYPES),
)
