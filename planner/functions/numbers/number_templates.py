"""to_char of numbers and to_number: templates of 9 0 . , D G S MI PL SG PR V TH L FM, and RN."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.numerics import EXACT
from model.types.scalar_type import FLOAT4, FLOAT8, INT4, INT8, NUMERIC, TEXT
from planner.functions.numbers.decimals import hold, round_to
from planner.functions.numbers.number_layout import Digits, Template, laid_out
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility

_KEYWORD = re.compile(
    r'EEEE|FM|MI|PL|PR|RN|SG|SP|TH|[09.,BCDGLSV]|"(?:[^"\\]|\\.|\\\Z)*"?|\\"|.', re.IGNORECASE | re.DOTALL
)
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_ROMAN_MAX = 3999
_ROMAN_WIDTH = 15


def _syntax(message: str) -> SqlError:
    return SqlError(Sqlstate.SYNTAX_ERROR, message)


_SIGNS = frozenset(("MI", "PL", "SG", "PR"))


def _check(token: str, seen: list[str]) -> None:
    """Raises 42601 for tokens that PostgreSQL refuses to combine."""
    match token:
        case "9" | "0" if "PR" in seen:
            raise _syntax(f'"{token}" must be ahead of "PR"')
        case "." | "D" if "V" in seen:
            raise _syntax('cannot use "V" and decimal point together')
        case "." | "D" if "." in seen or "D" in seen:
            raise _syntax("multiple decimal points")
        case "V" if "." in seen or "D" in seen:
            raise _syntax('cannot use "V" and decimal point together')
        case "S" if "S" in seen:
            raise _syntax('cannot use "S" twice')
        case "S" if not _SIGNS.isdisjoint(seen):
            raise _syntax('cannot use "S" and "PL"/"MI"/"SG"/"PR" together')
        case "MI" | "PL" | "SG" if "S" in seen:
            raise _syntax(f'cannot use "S" and "{token}" together')
        case "PR" if not (_SIGNS - {"PR"}).isdisjoint(seen) or "S" in seen:
            raise _syntax('cannot use "PR" and "S"/"PL"/"MI"/"SG" together')
        case _:
            return


def _tokens(template: str) -> list[str]:
    tokens: list[str] = []
    for match in _KEYWORD.finditer(template):
        token = match[0]
        if token not in ("TH", "th"):
            token = token.upper() if token.upper() in _WORDS else token
        _check(token, tokens)
        tokens.append(token)
    return tokens


@lru_cache(maxsize=512)
def _parse(template: str) -> Template:
    tokens = _tokens(template)
    whole = fraction = shift = 0
    first_zero: int | None = None
    before: set[str] = set()
    for token in tokens:
        if token not in ("9", "0"):
            before.add(token)
            continue
        if "V" in before:
            shift += 1
        elif "." in before or "D" in before:
            fraction += 1
        else:
            if token == "0" and first_zero is None:
                first_zero = whole
            whole += 1
    return Template(tuple(tokens), whole, fraction, shift, "FM" not in tokens, first_zero)


_WORDS = frozenset(
    ("EEEE", "FM", "MI", "PL", "PR", "RN", "SG", "SP", "TH", "9", "0", ".", ",", "B", "C", "D", "G", "L", "S", "V")
)


def _roman(value: Decimal, template: Template, lower: bool) -> str:
    number = int(round_to(value, 0))
    if not 1 <= number <= _ROMAN_MAX:
        return "#" * _ROMAN_WIDTH
    text = ""
    for amount, letters in _ROMAN:
        while number >= amount:
            text, number = text + letters, number - amount
    text = text.lower() if lower else text
    return text.rjust(_ROMAN_WIDTH) if template.fill else text


def _scientific(rounded: str) -> str:
    """Writes digits with an exponent of two digits or more, after a sign or a blank."""
    mantissa, _, exponent = rounded.partition("e")
    power = int(exponent)
    sign = "-" if mantissa.startswith("-") else " "
    return f"{sign}{mantissa.lstrip('-')}e{'-' if power < 0 else '+'}{abs(power):02d}"


def format_number(value: Decimal, template: str) -> str:
    """Writes a number by a template; one that doesn't fit becomes # signs."""
    parsed = _parse(template)
    if "RN" in parsed.tokens:
        if not value.is_finite():
            word = "NaN" if value.is_nan() else "infinity"
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"cannot convert {word} to integer")
        return _roman(value, parsed, "rn" in template)
    if value.is_nan():
        return _word(parsed, "NaN", False, None)
    if value.is_infinite():
        return _word(parsed, "Infinity", value < 0, None)
    if "EEEE" in parsed.tokens:
        return _scientific(f"{value:.{parsed.fraction}e}" if value else f"{Decimal(0):.{parsed.fraction}f}e+0")
    places = parsed.whole + parsed.shift
    shifted = value.scaleb(parsed.shift, context=EXACT)
    # What has more digits than places need not be rounded, and may have too many to be.
    scaled = shifted if shifted and shifted.adjusted() > places else round_to(shifted, parsed.fraction)
    digits, _, decimals = f"{scaled.copy_abs():.{parsed.fraction}f}".partition(".")
    return _fitted(parsed, digits, decimals if parsed.fraction else None, scaled < 0, None)


def format_float(value: float, template: str, digits_max: int) -> str:
    """Formats a float by a template; no more than `digits_max` digits are shown unless they are whole."""
    parsed = _parse(template)
    if "RN" in parsed.tokens:
        return _roman(Decimal(value), parsed, "rn" in template) if math.isfinite(value) else "#" * _ROMAN_WIDTH
    if not math.isfinite(value):
        return _word(parsed, "NaN" if math.isnan(value) else "Infinity", value < 0, digits_max)
    if "EEEE" in parsed.tokens:
        return _scientific(f"{value:.{parsed.fraction}e}")
    scaled = value * 10.0**parsed.shift
    if not math.isfinite(scaled):
        return _word(parsed, "Infinity", value < 0, digits_max)
    room = min(parsed.fraction, max(0, digits_max - len(f"{abs(scaled):.0f}")))
    text = f"{scaled:.{room}f}"
    digits, _, decimals = text.removeprefix("-").partition(".")
    return _fitted(parsed, digits, decimals if room else None, text.startswith("-"), digits_max)


def _fitted(parsed: Template, digits: str, decimals: str | None, negative: bool, digits_max: int | None) -> str:
    places = parsed.whole + parsed.shift
    if len(digits.lstrip("0")) > places or (parsed.fraction and not places):
        return laid_out(parsed, _overflown(parsed, len(digits), digits_max), negative)
    if digits == "0" and parsed.fraction and places:
        digits = ""
    return laid_out(parsed, Digits(digits, decimals), negative)


def _word(parsed: Template, word: str, negative: bool, digits_max: int | None) -> str:
    """Prints NaN and Infinity in the places of digits."""
    if "EEEE" in parsed.tokens:
        return f" {'#' * parsed.whole}.{'#' * (parsed.fraction + 4)}"
    fits = len(word) <= parsed.whole + parsed.shift
    given = Digits(word, None, word=True) if fits else _overflown(parsed, len(word), digits_max)
    return laid_out(parsed, given, negative)


def _overflown(parsed: Template, length: int, digits_max: int | None) -> Digits:
    """Prints # signs for the places of a number whose whole part has `length` digits."""
    room = parsed.fraction if digits_max is None else max(0, min(parsed.fraction, digits_max - length))
    return Digits("#" * (parsed.whole + parsed.shift), "#" * room)


def read_number(text: str, template: str) -> Decimal | None:
    """Returns the digits of the text at the template's places; NULL for an empty template.

    Raises 22P02 when there are none, 0A000 for Roman ones.
    """
    if not template:
        return None
    parsed = _parse(template)
    if "RN" in parsed.tokens:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, '"RN" not supported for input')
    digits: list[str] = []
    negative = point = False
    room = parsed.whole + parsed.fraction + parsed.shift
    for character in text:
        if character.isdigit() and sum(map(str.isdigit, digits)) < room:
            digits.append(character)
        elif character in "-<":
            negative = True
        elif character == "." and not point and parsed.fraction:
            digits.append(".")
            point = True
        elif character == "." and not point:
            break
    shown = "".join(digits)
    if not shown.strip("."):
        message = 'invalid input syntax for type numeric: " "'
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, message)
    value = Decimal(shown).scaleb(-parsed.shift, context=EXACT)
    return hold(value.copy_negate() if negative else value)


def _exact(value: int | Decimal, template: str) -> str | None:
    return format_number(Decimal(value), template) if template else None


def _inexact(digits_max: int) -> Callable[[float, str], str | None]:
    return lambda value, template: format_float(value, template, digits_max) if template else None


FUNCTIONS: tuple[Function, ...] = (
    *(
        function("to_char", (type_, TEXT), TEXT, evaluate, fallible=True, volatility=Volatility.STABLE)
        for type_, evaluate in (
            (INT4, _exact),
            (INT8, _exact),
            (NUMERIC, _exact),
            (FLOAT4, _inexact(6)),
            (FLOAT8, _inexact(15)),
        )
    ),
    function("to_number", (TEXT, TEXT), NUMERIC, read_number, fallible=True, volatility=Volatility.STABLE),
)
