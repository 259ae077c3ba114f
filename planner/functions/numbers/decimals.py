"""The range and the decimals of numeric results: exact, or rounded where PostgreSQL rounds, or an error (22003).

A result that is exact in no number of digits, such as a quotient, is rounded at PostgreSQL's decimal place, which has
some 16 significant digits, counted in digits of base 10,000 (`Rounding`). Collections hold 18 decimals, so what is
computed of their rows, or is stored, is rounded there at the 18th at most; what neither reads nor writes one, has all.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from dataclasses import dataclass

from model.text.numerics import DECIMALS_MAX, EXACT, WHOLE_DIGITS_MAX, overflow, with_exponent

SCALE_MAX = 18
SIGNIFICANT_DIGITS = 16
BASE_DIGITS = 4
"""PostgreSQL's digits have so many of ours."""
SPECIAL = decimal.Context(prec=EXACT.prec, rounding=decimal.ROUND_HALF_UP, Emax=EXACT.Emax, Emin=EXACT.Emin, traps=[])
"""As EXACT, but NaN where a result is none: of infinities that are subtracted."""

NAN = decimal.Decimal("NaN")
INFINITY = decimal.Decimal("Infinity")
ZERO = decimal.Decimal(0)
ROUNDED_MAX = 1000
"""Decimals, at which PostgreSQL rounds at last."""
_GUARD_DIGITS = 20
_LN_10 = math.log(10)


def hold(value: decimal.Decimal) -> decimal.Decimal:
    """Returns `value` with the decimals that it shows, without an exponent, and with no more than numerics have; raises
    22003 when it has more whole digits than these."""
    if not value.is_finite():
        return NAN if value.is_nan() else value
    exponent = exponent_of(value)
    if not value:
        return decimal.Decimal((0, (0,), max(min(exponent, 0), -DECIMALS_MAX)))
    if value.adjusted() >= WHOLE_DIGITS_MAX:
        raise overflow()
    if -DECIMALS_MAX <= exponent <= 0:
        return value
    return _unsigned_zero(with_exponent(value, min(max(-exponent, 0), DECIMALS_MAX)))


@dataclass(frozen=True, slots=True)
class Rounding:
    """A result that is rounded: `scale` is PostgreSQL's number of decimals for it, `at` computes the result rounded
    half away from zero to a number of decimals."""

    scale: int
    at: Callable[[int], decimal.Decimal]

    def whole(self) -> decimal.Decimal:
        """Returns the result with PostgreSQL's decimals."""
        return hold(_unsigned_zero(self.at(self.scale)))

    def bounded(self) -> decimal.Decimal:
        """Returns the result with 18 decimals at most, and PostgreSQL's zeros behind them where nothing is lost.
        Raises 22003 where 18 decimals make zero of what is not."""
        if self.scale <= SCALE_MAX:
            return self.whole()
        kept, longer = self.at(SCALE_MAX), self.at(self.scale + _GUARD_DIGITS)
        if not kept and longer:
            raise overflow()
        return hold(_unsigned_zero(with_decimals(kept, self.scale) if kept == longer else kept))


Prepared = Callable[..., decimal.Decimal | Rounding]
"""A function whose result may have to be rounded."""


def bounded(prepare: Prepared) -> Callable[..., decimal.Decimal]:
    """Returns the function with results as collections hold them."""

    def evaluate(*arguments: decimal.Decimal) -> decimal.Decimal:
        found = prepare(*arguments)
        return found.bounded() if isinstance(found, Rounding) else hold(found)

    return evaluate


def whole(prepare: Prepared) -> Callable[..., decimal.Decimal]:
    """Returns the function with PostgreSQL's results."""

    def evaluate(*arguments: decimal.Decimal) -> decimal.Decimal:
        found = prepare(*arguments)
        return found.whole() if isinstance(found, Rounding) else hold(found)

    return evaluate


def _unsigned_zero(value: decimal.Decimal) -> decimal.Decimal:
    return value if value else value.copy_abs()


def with_decimals(value: decimal.Decimal, scale: int) -> decimal.Decimal:
    """Returns a finite number shown with `scale` decimals, or with as many as it needs where these are more."""
    return with_exponent(value, max(min(scale, DECIMALS_MAX), min_scale(value)))


def exponent_of(value: decimal.Decimal) -> int:
    """Returns the exponent of a finite number."""
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def min_scale(value: decimal.Decimal) -> int:
    """Returns the number of decimals that a finite value needs."""
    return max(-exponent_of(value.normalize(EXACT)), 0) if value else 0


def shown_decimals(value: decimal.Decimal) -> int:
    """Returns the number of decimals with which a finite value is shown: 2 for 1.50."""
    return max(-exponent_of(value), 0)


def decimals_if_finite(value: decimal.Decimal) -> int:
    """Returns the number of decimals with which a value is shown; none for NaN and the infinities."""
    return shown_decimals(value) if value.is_finite() else 0


def leading_digit(value: decimal.Decimal) -> tuple[int, int]:
    """Returns the first of PostgreSQL's digits (1 to 9,999), and the power of 10,000 that it counts; 0, 0 for zero."""
    if not value:
        return 0, 0
    weight = value.adjusted() // BASE_DIGITS
    return int(value.copy_abs().scaleb(-weight * BASE_DIGITS, context=EXACT)), weight


def quotient_scale(left: decimal.Decimal, right: decimal.Decimal) -> int:
    """Returns the number of decimals that PostgreSQL gives to a quotient."""
    (first, weight), (other, other_weight) = leading_digit(left), leading_digit(right)
    weight -= other_weight + (first <= other)
    return result_scale(weight * BASE_DIGITS, left, right)


def result_scale(weight: int, *operands: decimal.Decimal) -> int:
    """Returns the number of decimals that PostgreSQL gives to a result of about 10 ** weight: as many as its
    operands have, or more."""
    return min(max(SIGNIFICANT_DIGITS - weight, *map(shown_decimals, operands), 0), ROUNDED_MAX)


def logarithm_weight(value: decimal.Decimal) -> int:
    """Returns the power of ten, roughly, of the natural logarithm of a positive number."""
    if decimal.Decimal("0.9") <= value <= decimal.Decimal("1.1"):
        first, weight = leading_digit(EXACT.subtract(value, decimal.Decimal(1)))
        return weight * BASE_DIGITS + int(math.log10(first)) if first else 0
    return int(math.log10(abs(math.log(value.scaleb(-value.adjusted(), context=EXACT)) + value.adjusted() * _LN_10)))


def working(digits: int) -> decimal.Context:
    """Returns a context for functions that have no end, with digits to spare beyond `digits`."""
    return decimal.Context(
        prec=max(digits, 1) + _GUARD_DIGITS,
        rounding=decimal.ROUND_HALF_EVEN,
        Emax=EXACT.Emax,
        Emin=EXACT.Emin,
        traps=[],
    )


def quotient_at(left: decimal.Decimal, right: decimal.Decimal, scale: int) -> decimal.Decimal:
    """Returns the quotient of finite numbers with `scale` decimals, rounded once, half away from zero."""
    quotient, rest = EXACT.divmod(left.scaleb(scale, context=EXACT), right)
    if EXACT.add(rest, rest).copy_abs() >= right.copy_abs():
        step = decimal.Decimal(1)
        quotient = EXACT.add(quotient, step if left.is_signed() == right.is_signed() else step.copy_negate())
    return quotient.scaleb(-scale, context=EXACT)


def root_at(value: decimal.Decimal, scale: int) -> decimal.Decimal:
    """Returns the square root of a finite number with `scale` decimals."""
    return with_exponent(working(value.adjusted() // 2 + 1 + scale).sqrt(value), scale)


def round_to(value: decimal.Decimal, digits: int) -> decimal.Decimal:
    """Rounds half away from zero, to `digits` decimals; below zero, tens and hundreds."""
    return _rescaled(value, digits, decimal.ROUND_HALF_UP)


def truncate_to(value: decimal.Decimal, digits: int) -> decimal.Decimal:
    """Truncates toward zero."""
    return _rescaled(value, digits, decimal.ROUND_DOWN)


def _rescaled(value: decimal.Decimal, digits: int, rounding: str) -> decimal.Decimal:
    if not value.is_finite():
        return value
    digits = max(min(digits, DECIMALS_MAX), -WHOLE_DIGITS_MAX - 1)
    rounded = value.quantize(decimal.Decimal((0, (1,), -digits)), rounding, EXACT)
    return _unsigned_zero(with_exponent(rounded, 0) if digits < 0 else rounded)


def from_float(value: float, digits: int) -> decimal.Decimal:
    """Returns a float as PostgreSQL makes a numeric of it: `digits` significant digits (15 for float8, 6 for
    float4)."""
    if not math.isfinite(value):
        return NAN if value != value else decimal.Decimal(value)
    return hold(decimal.Decimal(f"{value:.{digits}g}"))
