"""The range of numeric results: exact in at most 38 digits, or an error (22003).

A result that is exact in no number of digits, such as a quotient, is rounded at PostgreSQL's decimal place, but at most
at the 18th, the scale of a numeric column. PostgreSQL chooses a scale with some 16 significant digits, counted in
digits of base 10,000; so does this module.
"""

from __future__ import annotations

import decimal
import math

from model.text.numerics import DIGITS_MAX, overflow, within_digits

SCALE_MAX = 18
SIGNIFICANT_DIGITS = 16
BASE_DIGITS = 4
"""PostgreSQL's digits have so many of ours."""
EXACT = decimal.Context(
    prec=200, rounding=decimal.ROUND_HALF_UP, Emax=999_999, Emin=-999_999, traps=[decimal.InvalidOperation]
)
"""Arithmetic in it is exact for what numerics hold; transcendental functions have digits to spare."""

NAN = decimal.Decimal("NaN")
ZERO = decimal.Decimal(0)
_ROUNDED_MAX = 1000
_LN_10 = math.log(10)


def hold(value: decimal.Decimal) -> decimal.Decimal:
    """`value` as it is, without an exponent; 22003 when it has more digits than a numeric holds."""
    if not value.is_finite():
        if value.is_nan():
            return NAN
        raise overflow()
    if not value:
        return ZERO
    exponent = exponent_of(value)
    if exponent <= 0 and max(value.adjusted() + 1, 0) - exponent <= DIGITS_MAX:
        return value
    if not within_digits(value):
        raise overflow()
    return value.quantize(decimal.Decimal(1).scaleb(-min_scale(value)), context=EXACT)


def hold_rounded(value: decimal.Decimal, scale: int) -> decimal.Decimal:
    """`value`, whose digits don't end, rounded half away from zero to `scale` decimals, at most 18. 22003 where that
    makes zero of what is not."""
    if not value.is_finite():
        return hold(value)
    kept = round_to(value, max(min(scale, SCALE_MAX), 0))
    if not kept and value and scale > SCALE_MAX:
        raise overflow()
    return hold(kept)


def exponent_of(value: decimal.Decimal) -> int:
    """Returns the exponent of a finite number."""
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def min_scale(value: decimal.Decimal) -> int:
    """Returns the number of decimals that a finite value needs. Numerics are stored without a display scale."""
    return max(-exponent_of(value.normalize(EXACT)), 0) if value else 0


def leading_digit(value: decimal.Decimal) -> tuple[int, int]:
    """The first of PostgreSQL's digits (1 to 9,999), and the power of 10,000 that it counts; 0, 0 for zero."""
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
    return min(max(SIGNIFICANT_DIGITS - weight, *map(min_scale, operands), 0), _ROUNDED_MAX)


def logarithm_weight(value: decimal.Decimal) -> int:
    """The power of ten, roughly, of the natural logarithm of a positive number."""
    if decimal.Decimal("0.9") <= value <= decimal.Decimal("1.1"):
        first, weight = leading_digit(EXACT.subtract(value, decimal.Decimal(1)))
        return weight * BASE_DIGITS + int(math.log10(first)) if first else 0
    return int(math.log10(abs(math.log(value.scaleb(-value.adjusted(), context=EXACT)) + value.adjusted() * _LN_10)))


def round_to(value: decimal.Decimal, digits: int) -> decimal.Decimal:
    """Half away from zero, to `digits` decimals; below zero, tens and hundreds."""
    return _rescaled(value, digits, decimal.ROUND_HALF_UP)


def truncate_to(value: decimal.Decimal, digits: int) -> decimal.Decimal:
    """Toward zero."""
    return _rescaled(value, digits, decimal.ROUND_DOWN)


def _rescaled(value: decimal.Decimal, digits: int, rounding: str) -> decimal.Decimal:
    if value.is_nan() or -exponent_of(value) <= digits:
        return value
    quantum = decimal.Decimal(1).scaleb(min(-digits, value.adjusted() + 2))
    return value.quantize(quantum, rounding=rounding, context=EXACT) or ZERO


def from_float(value: float, digits: int) -> decimal.Decimal:
    """A float as PostgreSQL makes a numeric of it: `digits` significant digits (15 for float8, 6 for float4)."""
    if value != value:
        return NAN
    if value in (float("inf"), float("-inf")):
        raise overflow()
    return hold(decimal.Decimal(f"{value:.{digits}g}"))
