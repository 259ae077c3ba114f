"""float4 and float8 in text: the shortest decimal that reads back as the same float, in PostgreSQL's notation."""

from __future__ import annotations

import decimal
import math
import re
import struct
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES, invalid_syntax

# Digits are taken possessively: a text of many that is no number after all is then read once, not once for each digit.
_DECIMAL = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
_HEXADECIMAL = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]++(?:\.[0-9a-fA-F]*+)?|\.[0-9a-fA-F]++)(?:[pP][+-]?[0-9]++)?")
_SPECIAL = {
    "nan": math.nan,
    "+nan": math.nan,
    "-nan": math.nan,
    "inf": math.inf,
    "+inf": math.inf,
    "-inf": -math.inf,
    "infinity": math.inf,
    "+infinity": math.inf,
    "-infinity": -math.inf,
}
_FLOAT4_DIGITS_MAX = 9
_FLOAT4_DIGITS_SURE = 6
_FLOAT4_NORMAL_MIN = 2.0**-126
_FLOAT8_FIXED_BELOW = 1e15
_SINGLE = struct.Struct("f")
_SINGLE_BITS = struct.Struct("I")


def to_single(value: float) -> float:
    """Returns the nearest float4, as a float; raises OverflowError when it would be infinite."""
    return float(_SINGLE.unpack(_SINGLE.pack(value))[0])


def _out_of_range(text: str, type_text: str) -> SqlError:
    return SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, f'"{text}" is out of range for type {type_text}')


def _read(text: str, type_text: str) -> tuple[float, str]:
    """Returns the double nearest to the number, and the number's own text ('' for NaN and the infinities)."""
    body = text.strip(SPACES)
    if _DECIMAL.fullmatch(body):
        return float(body), body
    if body.lower() in _SPECIAL:
        return _SPECIAL[body.lower()], ""
    if _HEXADECIMAL.fullmatch(body):
        try:
            return float.fromhex(body), body
        except OverflowError:
            raise _out_of_range(body, type_text) from None
    raise invalid_syntax(type_text, text)


def _lost(value: float, body: str) -> bool:
    """Tells whether a number became infinite or zero only because the type can't hold it."""
    if math.isinf(value):
        return True
    if value != 0:
        return False
    lowered = body.lower()
    digits = lowered.split("p")[0].replace("0x", "") if "x" in lowered else lowered.split("e")[0]
    return digits.strip("+-0.") != ""


def parse_float8(text: str) -> float:
    value, body = _read(text, "double precision")
    if body and (value == 0 or math.isinf(value)) and _lost(value, body):
        raise _out_of_range(body, "double precision")
    return value


def parse_float4(text: str) -> float:
    """Rounds once, from the decimal text, as C's strtof does."""
    value, body = _read(text, "real")
    if not body:
        return value
    try:
        single = to_single(value)
    except OverflowError:
        raise _out_of_range(body, "real") from None
    if (single == 0 or math.isinf(single)) and _lost(single, body):
        raise _out_of_range(body, "real")
    return single if single == value else _round_once(single, value, body)


def _round_once(single: float, value: float, body: str) -> float:
    """Corrects `single` when `value` lies exactly between two singles only because it was rounded itself."""
    neighbour = _neighbour(single, abs(value) > abs(single))
    if value != (single + neighbour) / 2 or "x" in body.lower():
        return single
    exact = abs(decimal.Decimal(body))
    halfway = abs(decimal.Decimal(value))
    if exact == halfway:
        return single
    return max(single, neighbour, key=abs) if exact > halfway else min(single, neighbour, key=abs)


def _special_text(value: float) -> str:
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def format_float8(value: float) -> str:
    """Returns the shortest text that reads back as `value`."""
    text = repr(value)
    if text[-2:] == ".0":
        if -_FLOAT8_FIXED_BELOW < value < _FLOAT8_FIXED_BELOW:
            return text[:-2]
        digits = text[:-2].lstrip("-")
        return _scientific("-" if value < 0 else "", digits.rstrip("0"), len(digits) - 1)
    if "n" in text:
        return _special_text(value)
    if "e+" in text and _is_halfway(text, value):
        return _strictly_shortest(value)
    if abs(value) >= _FLOAT8_FIXED_BELOW and "e" not in text:
        whole, _, fraction = text.lstrip("-").partition(".")
        return _scientific("-" if value < 0 else "", (whole + fraction).rstrip("0"), len(whole) - 1)
    return text


def _is_halfway(text: str, value: float) -> bool:
    """Tells whether the decimal lies exactly between two floats. repr() uses such a text when it rounds back;
    PostgreSQL doesn't. Only great numbers, which are whole, have so few digits there."""
    decimal_value, own = int(decimal.Decimal(text)), int(value)
    if decimal_value == own:
        return False
    neighbour = math.nextafter(value, math.inf if decimal_value > own else -math.inf)
    return math.isfinite(neighbour) and 2 * decimal_value == own + int(neighbour)


def _strictly_shortest(value: float) -> str:
    for digits in range(1, 18):
        text = f"{value:.{digits - 1}e}"
        if float(text) == value and not _is_halfway(text, value):
            break
    mantissa, _, power = text.partition("e")
    figures = mantissa.lstrip("-").replace(".", "").rstrip("0")
    return _scientific("-" if value < 0 else "", figures, int(power))


def _scientific(sign: str, digits: str, exponent: int) -> str:
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def format_float4(value: float) -> str:
    """Returns the shortest text that reads back as the single `value`."""
    if not math.isfinite(value):
        return _special_text(value)
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    # Of a decimal of no more digits than are sure a normal single lies so close that rounding to them gives it.
    fewest = _FLOAT4_DIGITS_SURE if abs(value) >= _FLOAT4_NORMAL_MIN else 1
    for digits in range(fewest, _FLOAT4_DIGITS_MAX + 1):
        text = f"{value:.{digits - 1}e}"
        if digits == _FLOAT4_DIGITS_MAX or _reads_back(text, value):
            break
    mantissa, _, power = text.partition("e")
    exponent = int(power)
    sign = "-" if value < 0 else ""
    figures = mantissa.lstrip("-").replace(".", "").rstrip("0")
    if not -4 <= exponent < _FLOAT4_DIGITS_SURE:
        return _scientific(sign, figures, exponent)
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{figures}"
    whole, fraction = figures[: exponent + 1].ljust(exponent + 1, "0"), figures[exponent + 1 :]
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"


def _reads_back(text: str, value: float) -> bool:
    """Tells whether `text` is nearer to the single `value` than to any other, and not halfway either."""
    number = float(text)
    try:
        if to_single(number) != value:
            return False
    except OverflowError:
        return False
    return number == value or number != (value + _neighbour(value, abs(number) > abs(value))) / 2


def _neighbour(single: float, away: bool) -> float:
    """Returns the next single away from zero, or towards it."""
    bits = _SINGLE_BITS.unpack(_SINGLE.pack(single))[0]
    return float(_SINGLE.unpack(_SINGLE_BITS.pack(bits + 1 if away else bits - 1))[0])


def float_formatter(single: bool, extra_float_digits: int) -> Callable[[float], str]:
    """Returns an output function; `extra_float_digits` below 1 asks for a fixed number of significant digits."""
    if extra_float_digits > 0:
        return format_float4 if single else format_float8
    digits = max((6 if single else 15) + extra_float_digits, 1)
    return lambda value: f"{value:.{digits}g}" if math.isfinite(value) else _special_text(value)
