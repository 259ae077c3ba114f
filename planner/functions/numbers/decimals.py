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
_SHOWN_MAX = 2000
"""Decimals, of which PostgreSQL shows no more, either."""
_ZEROS_MAX = 16_383
"""Decimals of a zero, as PostgreSQL has them."""
_SHOWN = decimal.Context(prec=_SHOWN_MAX + 200, traps=[decimal.InvalidOperation])
_LN_10 = math.log(10)


def hold(value: decimal.Decimal) -> decimal.Decimal:
    """Returns `value` with the decimals that it shows, without an exponent; raises 22003 when it has more digits than
    a numeric holds. Zeros at the end don't count."""
    if not value.is_finite():
        if value.is_nan():
            return NAN
        raise overflow()
    exponent = exponent_of(value)
    if not value:
        return ZERO.scaleb(max(min(exponent, 0), -_ZEROS_MAX))
    if exponent <= 0 and max(value.adjusted() + 1, 0) - exponent <= DIGITS_MAX:
        return value
    if not within_digits(value):
        raise overflow()
    return value if exponent <= 0 else value.quantize(decimal.Decimal(1), context=_SHOWN)


def hold_rounded(value: decimal.Decimal, scale: int) -> decimal.Decimal:
    """Returns `value`, whose digits may not end, rounded half away from zero to `scale` decimals, and to 18 where it
    needs more than these. Raises 22003 where that makes zero of what is not."""
    if not value.is_finite() or value.adjusted() > DIGITS_MAX:
        return hold(value)
    scale = max(scale, 0)
    kept = round_to(value, min(scale, SCALE_MAX))
    if not kept and value and scale > SCALE_MAX:
        raise overflow()
    return hold(with_decimals(kept, scale if kept == value else min(scale, SCALE_MAX)))


def with_decimals(value: decimal.Decimal, scale: int) -> decimal.Decimal:
    """Returns a finite number shown with `scale` decimals, or with as many as it needs where these are more."""
    return value.quantize(decimal.Decimal(1).scaleb(-max(min(scale, _SHOWN_MAX), min_scale(value))), context=_SHOWN)


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
    return min(max(SIGNIFICANT_DIGITS - weight, *map(shown_decimals, operands), 0), _ROUNDED_MAX)


def logarithm_weight(value: decimal.Decimal) -> int:
    """Returns the power of ten, roughly, of the natural logarithm of a positive number."""
    if decimal.Decimal("0.9") <= value <= decimal.Decimal("1.1"):
        first, weight = leading_digit(EXACT.subtract(value, decimal.Decimal(1)))
        return weight * BASE_DIGITS + int(math.log10(first)) if first else 0
    return int(math.log10(abs(math.log(value.scaleb(-value.adjusted(), context=EXACT)) + value.adjusted() * _LN_10)))


def round_to(value: decimal.Decimal, digits: int) -> decimal.Decimal:
    """Rounds half away from zero, to `digits` decimals; below zero, tens and hundreds."""
    return _rescaled(value, digits, decimal.ROUND_HALF_UP)


def truncate_to(value: decimal.Decimal, digits: int) -> decimal.Decimal:
    """Truncates toward zero."""
    return _rescaled(value, digits, decimal.ROUND_DOWN)


def _rescaled(value: decimal.Decimal, digits: int, rounding: str) -> decimal.Decimal:
    if value.is_nan() or value.adjusted() > DIGITS_MAX:
        return value
    if digits >= 0:
        rounded = value.quantize(decimal.Decimal(1).scaleb(-min(digits, _SHOWN_MAX)), rounding, _SHOWN)
    else:
        quantum = decimal.Decimal(1).scaleb(min(-digits, max(value.adjusted(), 0) + 2))
        rounded = value.quantize(quantum, rounding, _SHOWN).quantize(decimal.Decimal(1), context=_SHOWN)
    return rounded or rounded.copy_abs()


def from_float(value: float, digits: int) -> decimal.Decimal:
    """Returns a float as PostgreSQL makes a numeric of it: `digits` significant digits (15 for float8, 6 for
    float4)."""
    if value != value:
        return NAN
    if value in (float("inf"), float("-inf")):
        raise overflow()
    return hold(decimal.Decimal(f"{value:.{digits}g}"))
