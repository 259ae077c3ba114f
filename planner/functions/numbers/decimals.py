"""How numeric results are held: at most 38 digits, at most 18 of them after the point unless exact (semantics.md)."""

from __future__ import annotations

import decimal

from model.text.numerics import DIGITS_MAX, overflow

SCALE_MAX = 18
EXACT = decimal.Context(
    prec=200, rounding=decimal.ROUND_HALF_UP, Emax=999_999, Emin=-999_999, traps=[decimal.InvalidOperation]
)
"""Arithmetic in it is exact for what numerics hold; transcendental functions have digits to spare."""

NAN = decimal.Decimal("NaN")
ZERO = decimal.Decimal(0)


def hold(value: decimal.Decimal) -> decimal.Decimal:
    """`value` rounded to 18 decimals (half away from zero), fewer beside more than 20 digits; 22003 when too long."""
    if not value.is_finite():
        if value.is_nan():
            return NAN
        raise overflow()
    if not value:
        return ZERO
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    if value.adjusted() >= DIGITS_MAX:
        raise overflow()
    if exponent > 0:
        return value.quantize(decimal.Decimal(1), context=EXACT)
    if exponent < -SCALE_MAX:
        # What must be rounded anyway is rounded to what fits beside its whole digits.
        exponent = -min(SCALE_MAX, DIGITS_MAX - max(value.adjusted() + 1, 0))
        value = value.quantize(decimal.Decimal(1).scaleb(exponent), context=EXACT) or ZERO
    if value.adjusted() + 1 - exponent > DIGITS_MAX:
        value = _without_trailing_zeros(value)
    return value


def _without_trailing_zeros(value: decimal.Decimal) -> decimal.Decimal:
    value = value.normalize(EXACT)
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    if value.adjusted() + 1 - min(exponent, 0) > DIGITS_MAX:
        raise overflow()
    return value.quantize(decimal.Decimal(1), context=EXACT) if exponent > 0 else value


def round_to(value: decimal.Decimal, digits: int) -> decimal.Decimal:
    """Half away from zero, to `digits` decimals; below zero, tens and hundreds."""
    if value.is_nan():
        return value
    digits = max(min(digits, DIGITS_MAX), -DIGITS_MAX - 1)
    return value.quantize(decimal.Decimal(1).scaleb(-digits), context=EXACT) or ZERO


def truncate_to(value: decimal.Decimal, digits: int) -> decimal.Decimal:
    """Toward zero."""
    if value.is_nan():
        return value
    digits = max(min(digits, DIGITS_MAX), -DIGITS_MAX - 1)
    quantum = decimal.Decimal(1).scaleb(-digits)
    return value.quantize(quantum, rounding=decimal.ROUND_DOWN, context=EXACT) or ZERO


def from_float(value: float, digits: int) -> decimal.Decimal:
    """A float as PostgreSQL makes a numeric of it: `digits` significant digits (15 for float8, 6 for float4)."""
    if value != value:
        return NAN
    if value in (float("inf"), float("-inf")):
        raise overflow()
    return hold(decimal.Decimal(f"{value:.{digits}g}"))
