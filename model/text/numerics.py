"""numeric in text: 131,072 digits before the point and 16,383 behind it at most, NaN, Infinity and -Infinity.

A Decimal's exponent says how many decimals it shows. Collections hold fewer digits (DIGITS_MAX) of a numeric.
"""

from __future__ import annotations

import decimal
import re
from collections.abc import Callable

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES, invalid_syntax

WHOLE_DIGITS_MAX = 131_072
DECIMALS_MAX = 16_383
DIGITS_MAX = 38
"""Of a numeric in a collection."""
DECIMALS = 18
"""Of a numeric without a scale, where it is stored."""
# Digits are taken possessively: a text of many that is no number after all is then read once, not once for each digit.
_DIGITS = "[0-9]++(?:_[0-9]++)*+"
_FORM = re.compile(rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?")
_BASED = re.compile(r"([+-]?)0(?:[xX]((?:_?[0-9a-fA-F])+)|[oO]((?:_?[0-7])+)|[bB]((?:_?[01])+))")
_INFINITE = {"inf": "Infinity", "infinity": "Infinity"}
EXACT = decimal.Context(
    prec=600_000, rounding=decimal.ROUND_HALF_UP, Emax=999_999, Emin=-999_999, traps=[decimal.InvalidOperation]
)
"""In it nothing that numerics hold is rounded unasked, products not before they are held. Python's own context rounds
to 28 digits, also what only changes a sign, so numerics are never computed there. What has no end, such as a quotient,
must not be computed here either: it would have all these digits."""
_EXPONENT_DIGITS_MAX = 6
_FEW_DIGITS = 32
_CHUNK = 2048
"""Digits of base 2, 8 or 16 that are read at once: to make a decimal of them takes a time as their square."""


def overflow() -> SqlError:
    """Returns SqlError 22003 for a number with more digits than a numeric has."""
    return SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value overflows numeric format")


def unstorable() -> SqlError:
    """Returns SqlError 22003 for a number with more digits than a collection holds."""
    return SqlError(
        Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE,
        "value overflows numeric format",
        detail=f"A numeric in a table holds at most {DIGITS_MAX} digits, of which a column without a scale has "
        f"{DECIMALS} after the point. Others would be lost.",
        hint="Round it, or cast it to numeric(precision, scale).",
    )


def is_unstorable(error: SqlError) -> bool:
    """Tells whether an error is about a numeric that a collection does not hold; Spark tells code and message alone."""
    return (error.sqlstate, error.message) in _UNSTORABLE


def unheld(value: decimal.Decimal) -> NotSupported:
    """Returns SqlError 0A000 for NaN or an infinity that a collection would have to hold."""
    return NotSupported("NaN as a numeric in a collection" if value.is_nan() else "infinity as a numeric")


_UNSTORABLE = frozenset(
    (each.sqlstate, each.message)
    for each in (unstorable(), unheld(decimal.Decimal("NaN")), unheld(decimal.Decimal("Infinity")))
)


def within_digits(value: decimal.Decimal) -> bool:
    """Tells whether a collection holds a finite value exactly: its whole digits and its decimals."""
    _, digits, exponent = value.normalize(EXACT).as_tuple()
    assert isinstance(exponent, int)
    return max(len(digits) + exponent, 0) + max(-exponent, 0) <= DIGITS_MAX


def fits_decimal(value: decimal.Decimal) -> bool:
    """Tells whether a column of numerics without a modifier holds a value as a decimal, exactly."""
    if not value.is_finite():
        return False
    exponent = value.normalize(EXACT).as_tuple().exponent if value else 0
    assert isinstance(exponent, int), "a finite number has one"
    return value.adjusted() < DIGITS_MAX - DECIMALS and exponent >= -DECIMALS


def parse_numeric(text: str) -> decimal.Decimal:
    """Returns an exact Decimal with the digits as written (`1.50` keeps two decimals, equal to `1.5`); raises SqlError
    22P02 for what is no number, 22003 for one of too many digits."""
    body = text.strip(SPACES)
    if _FORM.fullmatch(body):
        if len(body) <= _FEW_DIGITS and "e" not in body and "E" not in body:
            value = decimal.Decimal(body)
            return value if value else value.copy_abs()
        return _bounded(body)
    based = _BASED.fullmatch(body)
    if based is not None:
        for bits, digits in zip((4, 3, 1), based.groups()[1:], strict=True):
            if digits is not None:
                value = from_based(digits.replace("_", ""), bits)
                return value.copy_negate() if based[1] == "-" and value else value
    if body.lower() == "nan":
        return decimal.Decimal("NaN")
    infinite = _INFINITE.get(body.lower().removeprefix("-").removeprefix("+") if body[:2] != "-+" else "")
    if infinite is not None:
        return decimal.Decimal("-Infinity" if body[0] == "-" else "Infinity")
    raise invalid_syntax("numeric", text)


def from_based(digits: str, bits: int) -> decimal.Decimal:
    """Returns the number that digits of `bits` bits each write; raises SqlError 22003 for too many of them."""
    digits = digits.lstrip("0")
    if len(digits) * bits > WHOLE_DIGITS_MAX * 10 // 3:
        raise overflow()
    value = decimal.Decimal(0)
    shift = decimal.Decimal(1 << bits * _CHUNK)
    first = len(digits) % _CHUNK
    for start in range(first - _CHUNK if first else 0, len(digits), _CHUNK):
        part = int(digits[max(start, 0) : start + _CHUNK], 1 << bits)
        value = EXACT.fma(value, shift, decimal.Decimal(part))
    if value.adjusted() >= WHOLE_DIGITS_MAX:
        raise overflow()
    return value


def _bounded(body: str) -> decimal.Decimal:
    mantissa, _, exponent = body.lower().replace("_", "").partition("e")
    power_digits = exponent.lstrip("+-0")
    if len(power_digits) > _EXPONENT_DIGITS_MAX:
        raise overflow()
    power = int(power_digits or "0") * (-1 if exponent.startswith("-") else 1)
    whole, _, fraction = mantissa.lstrip("+-").partition(".")
    decimals = max(len(fraction) - power, 0)
    digits = (whole + fraction).lstrip("0")
    if decimals > DECIMALS_MAX or (digits and len(digits) - len(fraction) + power > WHOLE_DIGITS_MAX):
        raise overflow()
    value = EXACT.create_decimal(mantissa).scaleb(power, context=EXACT)
    return with_exponent(value if value else value.copy_abs(), decimals)


def with_exponent(value: decimal.Decimal, decimals: int) -> decimal.Decimal:
    """Returns a finite number with so many decimals, rounded half away from zero where it has more."""
    return value.quantize(decimal.Decimal((0, (1,), -decimals)), context=EXACT)


def format_numeric(value: decimal.Decimal) -> str:
    """Returns all digits, with the decimals that the value shows, no exponent."""
    return format(value if value else value.copy_abs(), "f")


def numeric_formatter(scale: int | None) -> Callable[[decimal.Decimal], str]:
    """Returns the output function with `scale` decimals, of which none is cut, or with those that each value shows
    (None)."""
    if scale is None:
        return format_numeric
    quantum = decimal.Decimal((0, (1,), -scale))

    def format_scaled(value: decimal.Decimal) -> str:
        if not value.is_finite():
            return format(value, "f")
        if not value:
            value = value.copy_abs()
        shown = value.quantize(quantum, context=EXACT)
        return format(shown, "f") if shown == value else format_numeric(value)

    return format_scaled
