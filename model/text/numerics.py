"""numeric in text: at most 38 digits, and zeros at the end; a Decimal's exponent says how many decimals it shows."""

from __future__ import annotations

import decimal
import re
from collections.abc import Callable

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES, invalid_syntax

DIGITS_MAX = 38
DECIMALS = 18
"""Of a numeric without a scale, where it is stored."""
# Digits are taken possessively: a text of many that is no number after all is then read once, not once for each digit.
_DIGITS = "[0-9]++(?:_[0-9]++)*+"
_FORM = re.compile(rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?")
_BASED = re.compile(r"([+-]?)0(?:[xX]((?:_?[0-9a-fA-F])+)|[oO]((?:_?[0-7])+)|[bB]((?:_?[01])+))")
_INFINITE = ("inf", "infinity")
EXACT = decimal.Context(prec=2000, rounding=decimal.ROUND_HALF_UP, traps=[decimal.InvalidOperation])
"""In it nothing that numerics hold is rounded unasked. Python's own context rounds to 28 digits, also what only changes
a sign, so numerics are never computed there."""
_SHOWN_MAX = 1000
"""Decimals, which are nearly all zeros."""


def overflow() -> SqlError:
    """Returns SqlError 22003 for a number with more digits than a numeric holds here."""
    return SqlError(
        Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE,
        "value overflows numeric format",
        detail=f"A numeric holds at most {DIGITS_MAX} digits, of which a column without a scale has {DECIMALS} after "
        "the point. Others would be lost.",
        hint="Round it, or cast it to numeric(precision, scale).",
    )


def within_digits(value: decimal.Decimal) -> bool:
    """Tells whether a numeric holds a finite value exactly: its whole digits and its decimals."""
    _, digits, exponent = value.normalize(EXACT).as_tuple()
    assert isinstance(exponent, int)
    return max(len(digits) + exponent, 0) + max(-exponent, 0) <= DIGITS_MAX


def parse_numeric(text: str) -> decimal.Decimal:
    """Returns an exact Decimal with the digits as written (`1.50` keeps two decimals, equal to `1.5`)."""
    body = text.strip(SPACES)
    if _FORM.fullmatch(body):
        if len(body) <= DIGITS_MAX and "e" not in body and "E" not in body:
            value = decimal.Decimal(body)
            return value if value else value.copy_abs()
        return _bounded(body)
    based = _BASED.fullmatch(body)
    if based is not None:
        for base, digits in zip((16, 8, 2), based.groups()[1:], strict=True):
            if digits is not None and len(digits) <= 4 * DIGITS_MAX:
                return _bounded(based[1] + str(int(digits.replace("_", ""), base)))
        raise overflow()
    if body.lower() == "nan":
        return decimal.Decimal("NaN")
    if body.lower().lstrip("+-") in _INFINITE and not body.startswith(("++", "--", "+-", "-+")):
        raise NotSupported("infinity as a numeric")
    raise invalid_syntax("numeric", text)


def _bounded(body: str) -> decimal.Decimal:
    mantissa, _, exponent = body.lower().partition("e")
    if exponent and len(exponent.lstrip("+-0")) > 4:
        if mantissa.strip("+-0._") == "":
            return decimal.Decimal(0)
        raise overflow()
    value = decimal.Decimal(body)
    _, digits, power = value.as_tuple()
    assert isinstance(power, int)
    quantum = decimal.Decimal(1).scaleb(-min(max(-power, 0), _SHOWN_MAX))
    if not value:
        return quantum - quantum
    whole_end = len(digits) + power
    stripped = len(digits)
    while stripped > 1 and digits[stripped - 1] == 0 and stripped > whole_end:
        stripped -= 1
    if max(whole_end, stripped, stripped - whole_end) > DIGITS_MAX:
        raise overflow()
    return value.quantize(quantum, context=EXACT)


def format_numeric(value: decimal.Decimal) -> str:
    """Returns all digits, with the decimals that the value shows, no exponent."""
    return format(value if value else value.copy_abs(), "f")


def numeric_formatter(scale: int | None) -> Callable[[decimal.Decimal], str]:
    """Returns the output function with `scale` decimals, of which none is cut, or with those that each value shows
    (None)."""
    if scale is None:
        return format_numeric
    quantum = decimal.Decimal(1).scaleb(-scale)

    def format_scaled(value: decimal.Decimal) -> str:
        if not value.is_finite():
            return format(value, "f")
        if not value:
            value = value.copy_abs()
        shown = value.quantize(quantum, context=EXACT)
        return format(shown, "f") if shown == value else format_numeric(value)

    return format_scaled
