"""Variances, deviations, covariances, regressions: computed exactly, rounded once.

    var_pop = (n Σx² − (Σx)²) / n²      var_samp = (n Σx² − (Σx)²) / (n (n − 1))

Floats are rationals: the sums are computed as such and rounded once at the end, so that order never matters.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from model.types.scalar_type import FLOAT4, FLOAT8, INT2, INT4, INT8, NUMERIC, ScalarType
from planner.functions.aggregates.numbers import check_float_sums, rounded_float
from planner.functions.numbers.decimals import (
    NAN,
    ZERO,
    Prepared,
    Rounding,
    bounded,
    quotient_at,
    quotient_scale,
    root_at,
    shown_decimals,
    whole,
)
from planner.functions.rows import key_of, whole_aggregate
from planner.functions.signature import AggregateFunction

Rows = list[tuple[Any, ...]]


def _spread(values: list[Any]) -> Fraction:
    """Computes n Σx² − (Σx)²."""
    exact = [Fraction(value) for value in values]
    return len(exact) * sum((value * value for value in exact), Fraction(0)) - sum(exact, Fraction(0)) ** 2


def _divisor(count: int, sample: bool) -> int:
    return count * (count - 1) if sample else count * count


def _numeric(sample: bool, root: bool) -> Prepared:
    def prepare(values: list[Any]) -> Decimal | Rounding:
        if not all(value.is_finite() for value in values if isinstance(value, Decimal)):
            return NAN
        spread, divisor = _spread(values), Decimal(_divisor(len(values), sample))
        if not spread:
            return ZERO
        decimals = 2 * max(shown_decimals(value) if isinstance(value, Decimal) else 0 for value in values)
        dividend = quotient_at(Decimal(spread.numerator), Decimal(spread.denominator), decimals)
        scale = quotient_scale(dividend, divisor)
        if not root:
            return Rounding(scale, lambda places: quotient_at(dividend, divisor, places))
        variance = quotient_at(dividend, divisor, scale)
        return Rounding(scale, lambda places: root_at(variance, places))

    return prepare


def _of_enough(sample: bool, evaluate: Callable[..., Decimal]) -> Callable[[Rows], Decimal | None]:
    """Returns the statistic of a group's values; NULL where there are too few."""
    return lambda rows: evaluate([row[0] for row in rows]) if len(rows) >= 1 + sample else None


def _float(sample: bool, root: bool) -> Callable[[Rows], float | None]:
    def evaluate(rows: Rows) -> float | None:
        values = [row[0] for row in rows]
        if len(values) < 1 + sample:
            return None
        if not all(map(math.isfinite, values)):
            return math.nan
        spread = _spread(values)
        check_float_sums(sum(map(Fraction, values), Fraction(0)), spread / len(values))
        variance = rounded_float(spread / _divisor(len(values), sample))
        return math.sqrt(variance) if root else variance

    return evaluate


_VARIANCES = (
    ("var_pop", False, False),
    ("var_samp", True, False),
    ("variance", True, False),
    ("stddev_pop", False, True),
    ("stddev_samp", True, True),
    ("stddev", True, True),
)


def _variances(type_: ScalarType) -> list[AggregateFunction]:
    if type_ in (FLOAT4, FLOAT8):
        return [_variance(name, type_, FLOAT8, _float(sample, root)) for name, sample, root in _VARIANCES]
    return [
        row
        for name, sample, root in _VARIANCES
        for row in whole_aggregate(
            _variance(name, type_, NUMERIC, _of_enough(sample, bounded(_numeric(sample, root)))),
            _of_enough(sample, whole(_numeric(sample, root))),
        )
    ]


def _variance(name: str, type_: ScalarType, result: ScalarType, evaluate: Callable[[Rows], Any]) -> AggregateFunction:
    return AggregateFunction(key_of(name, (type_,)), name, (type_,), result, evaluate, fallible=True)


class _Sums:
    """Exact sums over pairs (y, x): n, Sx, Sy, and n·Sxx, n·Syy, n·Sxy of the deviations."""

    def __init__(self, rows: Rows) -> None:
        self.count = len(rows)
        ys = [Fraction(row[0]) for row in rows]
        xs = [Fraction(row[1]) for row in rows]
        self.x, self.y = sum(xs, Fraction(0)), sum(ys, Fraction(0))
        self.xx = self.count * sum((x * x for x in xs), Fraction(0)) - self.x**2
        self.yy = self.count * sum((y * y for y in ys), Fraction(0)) - self.y**2
        self.xy = self.count * sum((x * y for x, y in zip(xs, ys, strict=True)), Fraction(0)) - self.x * self.y


def _correlation(sums: _Sums) -> float | None:
    if sums.xx == 0 or sums.yy == 0:
        return None
    squared = rounded_float(sums.xy * sums.xy / (sums.xx * sums.yy))
    return math.copysign(math.sqrt(squared), sums.xy)


def _slope(sums: _Sums) -> float | None:
    return rounded_float(sums.xy / sums.xx) if sums.xx else None


def _intercept(sums: _Sums) -> float | None:
    return rounded_float((sums.y * sums.xx - sums.x * sums.xy) / (sums.count * sums.xx)) if sums.xx else None


def _determination(sums: _Sums) -> float | None:
    if sums.xx == 0:
        return None
    return 1.0 if sums.yy == 0 else rounded_float(sums.xy * sums.xy / (sums.xx * sums.yy))


_PAIRS: tuple[tuple[str, int, Callable[[_Sums], float | None]], ...] = (
    ("covar_pop", 1, lambda sums: rounded_float(sums.xy / sums.count**2)),
    ("covar_samp", 2, lambda sums: rounded_float(sums.xy / (sums.count * (sums.count - 1)))),
    ("corr", 1, _correlation),
    ("regr_slope", 1, _slope),
    ("regr_intercept", 1, _intercept),
    ("regr_r2", 1, _determination),
    ("regr_avgx", 1, lambda sums: rounded_float(sums.x / sums.count)),
    ("regr_avgy", 1, lambda sums: rounded_float(sums.y / sums.count)),
    ("regr_sxx", 1, lambda sums: rounded_float(sums.xx / sums.count)),
    ("regr_syy", 1, lambda sums: rounded_float(sums.yy / sums.count)),
    ("regr_sxy", 1, lambda sums: rounded_float(sums.xy / sums.count)),
)


def _over_pairs(least: int, take: Callable[[_Sums], float | None]) -> Callable[[Rows], float | None]:
    def evaluate(rows: Rows) -> float | None:
        if len(rows) < least:
            return None
        if not all(math.isfinite(value) for row in rows for value in row):
            return math.nan
        sums = _Sums(rows)
        check_float_sums(sums.x, sums.y, *(each / sums.count for each in (sums.xx, sums.yy, sums.xy)))
        return take(sums)

    return evaluate


_PAIR = (FLOAT8, FLOAT8)

AGGREGATES: tuple[AggregateFunction, ...] = (
    *(row for type_ in (INT2, INT4, INT8, NUMERIC, FLOAT4, FLOAT8) for row in _variances(type_)),
    *(
        AggregateFunction(key_of(name, _PAIR), name, _PAIR, FLOAT8, _over_pairs(least, take), fallible=True)
        for name, least, take in _PAIRS
    ),
    AggregateFunction(key_of("regr_count", _PAIR), "regr_count", _PAIR, INT8, len),
)
