"""count, sum, avg and the bit aggregates. Sums are exact, those of floats rounded once: order never matters."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import Any

from model.types.datum import Interval
from model.types.scalar_type import FLOAT4, FLOAT8, INT2, INT4, INT8, INTERVAL, NUMERIC, ScalarType
from planner.functions.failures import float_overflow
from planner.functions.numbers.arithmetic import check_int8
from planner.functions.numbers.decimals import SPECIAL, ZERO, hold
from planner.functions.numbers.float_math import single
from planner.functions.numbers.numeric_math import divide, divide_whole
from planner.functions.rows import ANY, key_of, whole_aggregate
from planner.functions.signature import AggregateFunction
from planner.functions.time.interval import divide_interval

Rows = list[tuple[Any, ...]]
Divided = Callable[[Decimal, Decimal], Decimal]
_LARGE = 1e100
"""Squares of numbers that are smaller can't add up to more than a double holds."""


def _aggregate(
    name: str, argument: ScalarType, result: ScalarType, evaluate: Callable[[Rows], Any], fallible: bool = True
) -> AggregateFunction:
    return AggregateFunction(key_of(name, (argument,)), name, (argument,), result, evaluate, fallible=fallible)


def exact_float_sum(values: list[float]) -> float:
    """Returns the sum as if computed exactly and rounded once; NaN and infinities as IEEE adds them, 22003 past the
    range."""
    if not all(map(math.isfinite, values)):
        total = 0.0
        for value in values:
            if not math.isfinite(value):
                total += value
        return total
    try:
        return math.fsum(values)
    except OverflowError:
        return rounded_float(sum(map(Fraction, values), Fraction(0)))


def rounded_float(value: Fraction) -> float:
    """Returns the nearest double; raises 22003 past the range."""
    try:
        return float(value)
    except OverflowError:
        raise float_overflow() from None


def check_float_sums(*sums: Fraction) -> None:
    """Raises 22003 where the sums that PostgreSQL computes for a statistic of floats (of the numbers, and of their
    squared deviations) leave the range, even if the statistic itself would not."""
    for value in sums:
        rounded_float(value)


def numeric_sum(values: list[Decimal]) -> Decimal:
    """Returns the exact sum; its range is checked later."""
    return reduce(SPECIAL.add, values, ZERO)


def _first(rows: Rows) -> list[Any]:
    return [row[0] for row in rows]


def _most(rows: Rows) -> int | None:
    return max(_first(rows), default=None)


def _sum_to_int8(rows: Rows) -> int | None:
    return check_int8(sum(_first(rows))) if rows else None


def _sum_to_numeric(rows: Rows) -> Decimal | None:
    return hold(Decimal(sum(_first(rows)))) if rows else None


def _sum_numeric(rows: Rows) -> Decimal | None:
    return hold(numeric_sum(_first(rows))) if rows else None


def _sum_float4(rows: Rows) -> float | None:
    return single(exact_float_sum(_first(rows))) if rows else None


def _sum_float8(rows: Rows) -> float | None:
    return exact_float_sum(_first(rows)) if rows else None


def _average_integer(divided: Divided) -> Callable[[Rows], Decimal | None]:
    return lambda rows: divided(Decimal(sum(_first(rows))), Decimal(len(rows))) if rows else None


def _average_numeric(divided: Divided) -> Callable[[Rows], Decimal | None]:
    return lambda rows: divided(numeric_sum(_first(rows)), Decimal(len(rows))) if rows else None


def _average_float(rows: Rows) -> float | None:
    if not rows:
        return None
    values: list[float] = _first(rows)
    total = exact_float_sum(values)
    if max(map(abs, values)) > _LARGE and all(map(math.isfinite, values)):
        exact = [Fraction(value) for value in values]
        check_float_sums(sum(value * value for value in exact) - sum(exact, Fraction(0)) ** 2 / len(exact))
    return total / len(rows)


def _interval_sum(rows: Rows) -> Interval | None:
    values: list[Interval] = _first(rows)
    if not values:
        return None
    return Interval(
        sum(value.months for value in values),
        sum(value.days for value in values),
        sum(value.microseconds for value in values),
    )


def _interval_average(rows: Rows) -> Interval | None:
    total = _interval_sum(rows)
    return None if total is None else divide_interval(total, float(len(rows)))


def _bits(combine: Callable[[int, int], int]) -> Callable[[Rows], int | None]:
    return lambda rows: reduce(combine, _first(rows)) if rows else None


def _bit_aggregates(type_: ScalarType) -> list[AggregateFunction]:
    return [
        _aggregate("bit_and", type_, type_, _bits(int.__and__), fallible=False),
        _aggregate("bit_or", type_, type_, _bits(int.__or__), fallible=False),
        _aggregate("bit_xor", type_, type_, _bits(int.__xor__), fallible=False),
    ]


AGGREGATES: tuple[AggregateFunction, ...] = (
    AggregateFunction("count_star", "count", (), INT8, len, skips_nulls=False),
    AggregateFunction("count_any", "count", (ANY,), INT8, len),
    AggregateFunction("most_decimals_int4", "", (INT4,), INT4, _most),
    _aggregate("sum", INT2, INT8, _sum_to_int8),
    _aggregate("sum", INT4, INT8, _sum_to_int8),
    _aggregate("sum", INT8, NUMERIC, _sum_to_numeric),
    _aggregate("sum", NUMERIC, NUMERIC, _sum_numeric),
    _aggregate("sum", FLOAT4, FLOAT4, _sum_float4),
    _aggregate("sum", FLOAT8, FLOAT8, _sum_float8),
    _aggregate("sum", INTERVAL, INTERVAL, _interval_sum),
    *(
        row
        for type_, average in (
            *((type_, _average_integer) for type_ in (INT2, INT4, INT8)),
            (NUMERIC, _average_numeric),
        )
        for row in whole_aggregate(_aggregate("avg", type_, NUMERIC, average(divide)), average(divide_whole))
    ),
    _aggregate("avg", FLOAT4, FLOAT8, _average_float),
    _aggregate("avg", FLOAT8, FLOAT8, _average_float),
    _aggregate("avg", INTERVAL, INTERVAL, _interval_average),
    *(row for type_ in (INT2, INT4, INT8) for row in _bit_aggregates(type_)),
)
