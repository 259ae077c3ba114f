"""to_char of numbers and to_number: templates of 9 0 . , D G S MI PL SG PR V TH L FM, and RN."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from model.errors import SqlError
from model.scalar_type import FLOAT4, FLOAT8, INT4, INT8, NUMERIC, TEXT
from model.sqlstate import Sqlstate
from planner.functions.date_formatting import ordinal_suffix
from planner.functions.decimals import hold, round_to
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility

_KEYWORD = re.compile(r'EEEE|FM|MI|PL|PR|RN|SG|SP|TH|[09.,BCDGLSV]|"(?:[^"\\]|\\.)*"?|\\.|.', re.IGNORECASE | re.DOTALL)
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_ROMAN_MAX = 3999
_ROMAN_WIDTH = 15


@dataclass(frozen=True, slots=True)
class _Template:
    """`tokens` as written, upper-cased where they are keywords; digits before and after the point, and after V."""

    tokens: tuple[str, ...]
    whole: int
    fraction: int
    shift: int
    fill: bool
    first_zero: int | None


def _syntax(message: str) -> SqlError:
    return SqlError(Sqlstate.SYNTAX_ERROR, message)


_SIGNS = frozenset(("MI", "PL", "SG", "PR"))


def _check(token: str, seen: list[str]) -> None:
    """42601 for what PostgreSQL refuses to see together."""
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
def _parse(template: str) -> _Template:
    tokens = _tokens(template)
    whole = fraction = shift = 0
    first_zero: int | None = None
    for index, token in enumerate(tokens):
        if token not in ("9", "0"):
            continue
        before = tokens[:index]
        if "V" in before:
            shift += 1
        elif "." in before or "D" in before:
            fraction += 1
        else:
            if token == "0" and first_zero is None:
                first_zero = whole
            whole += 1
    return _Template(tuple(tokens), whole, fraction, shift, "FM" not in tokens, first_zero)


_WORDS = frozenset(
    ("EEEE", "FM", "MI", "PL", "PR", "RN", "SG", "SP", "TH", "9", "0", ".", ",", "B", "C", "D", "G", "L", "S", "V")
)


def _roman(value: Decimal, template: _Template, lower: bool) -> str:
    number = int(round_to(value, 0))
    if not 1 <= number <= _ROMAN_MAX:
        return "#" * _ROMAN_WIDTH
    text = ""
    for amount, letters in _ROMAN:
        while number >= amount:
            text, number = text + letters, number - amount
    text = text.lower() if lower else text
    return text.rjust(_ROMAN_WIDTH) if template.fill else text


def _scientific(value: Decimal, template: _Template) -> str:
    rounded = f"{value:.{template.fraction}e}" if value else f"{Decimal(0):.{template.fraction}f}e+0"
    mantissa, _, exponent = rounded.partition("e")
    power = int(exponent)
    sign = "-" if value < 0 else " "
    return f"{sign}{mantissa.lstrip('-')}e{'-' if power < 0 else '+'}{abs(power):02d}"


def format_number(value: Decimal, template: str) -> str:
    """A number that doesn't fit is shown as # signs."""
    parsed = _parse(template)
    if "RN" in parsed.tokens:
        return _roman(value, parsed, "rn" in template)
    if value.is_nan() or not value.is_finite():
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "to_char of NaN and infinity is not supported")
    if "EEEE" in parsed.tokens:
        return _scientific(value, parsed)
    places = parsed.whole + parsed.shift
    shifted = value.scaleb(parsed.shift)
    # A float may have more digits than can be rounded, all of them beyond the places.
    scaled = shifted if shifted and shifted.adjusted() > places else round_to(shifted, parsed.fraction)
    digits, _, decimals = f"{abs(scaled):.{parsed.fraction}f}".partition(".")
    if digits == "0" and parsed.fraction and places:
        digits = ""
    if len(digits.lstrip("0")) > places or (parsed.fraction and not places):
        digits, decimals = "#" * places, "#" * parsed.fraction
    return _laid_out(parsed, digits, decimals, scaled < 0)


def _sign_texts(parsed: _Template, negative: bool) -> tuple[str, str]:
    """What stands before the number and behind it for signs that aren't written in the template."""
    if "PR" in parsed.tokens:
        if negative:
            return "<", ">"
        return (" ", " ") if parsed.fill else ("", "")
    if any(token in parsed.tokens for token in ("S", "MI", "SG")):
        return "", ""
    return ("-" if negative else " " if parsed.fill else ""), ""


def _laid_out(parsed: _Template, digits: str, decimals: str, negative: bool) -> str:
    """Walks the template from left to right; leading blanks take the places of digits that aren't there."""
    places = parsed.whole + parsed.shift
    zeros_from = parsed.first_zero if parsed.first_zero is not None else places
    digits = digits.rjust(places)
    digits = digits[:zeros_from] + digits[zeros_from:].replace(" ", "0")
    bare = not parsed.fraction or (not parsed.fill and not _significant_decimals(parsed, decimals))
    if not digits.strip() and bare and places:
        digits = digits[:-1] + "0"
    start = len(digits) - len(digits.lstrip(" "))
    before, behind = _sign_texts(parsed, negative)
    leading_s = _leading_s(parsed)
    if leading_s:
        before = "-" if negative else "+"
    kept_decimals = len(decimals) if parsed.fill else _significant_decimals(parsed, decimals)
    pieces: list[str] = []
    index = fraction = 0
    signed = False
    for token in parsed.tokens:
        if token in ("9", "0") and index < places:
            if index == start and not signed:
                pieces.append(before)
                signed = True
            pieces.append(digits[index] if index >= start else " " if parsed.fill else "")
            index += 1
        elif token in ("9", "0"):
            pieces.append(decimals[fraction] if fraction < kept_decimals else "")
            fraction += 1
        elif token in (".", "D"):
            if index == places and not signed:
                pieces.append(before)
                signed = True
            pieces.append(".")
        elif token in (",", "G"):
            pieces.append("," if signed else " " if parsed.fill else "")
        else:
            pieces.append(_decoration(token, parsed, negative, digits, leading_s))
    text = "".join(pieces) + behind
    return text if signed or not places + parsed.fraction else before + text


def _leading_s(parsed: _Template) -> bool:
    """Whether S stands before the last digit of the whole part: then the sign goes right before the number."""
    return (
        "S" in parsed.tokens
        and sum(1 for token in parsed.tokens[: parsed.tokens.index("S")] if token in ("9", "0")) < parsed.whole
    )


def _significant_decimals(parsed: _Template, decimals: str) -> int:
    """With FM trailing zeros go, except where the template has 0."""
    fixed, seen, point = 0, 0, False
    for token in parsed.tokens:
        if token in (".", "D"):
            point = True
        elif point and token in ("9", "0"):
            seen += 1
            if token == "0":
                fixed = seen
    return max(fixed, len(decimals.rstrip("0")))


def _decoration(token: str, parsed: _Template, negative: bool, digits: str, leading_s: bool) -> str:
    match token:
        case "FM" | "PR" | "SP" | "V" | "B":
            return ""
        case "S":
            return "" if leading_s else "-" if negative else "+"
        case "MI":
            return "-" if negative else " " if parsed.fill else ""
        case "PL":
            return (" " if parsed.fill else "") if negative else "+"
        case "SG":
            return "-" if negative else "+"
        case "L" | "C":
            return " "
        case "TH" | "th":
            return "" if negative or parsed.fraction or "#" in digits else ordinal_suffix(digits.strip(), token == "TH")
        case _ if token.startswith('"'):
            return token.strip('"').replace("\\", "")
        case _ if token.startswith("\\"):
            return token[1:]
        case _:
            return token


def read_number(text: str, template: str) -> Decimal | None:
    """The digits of the text at the template's places; NULL for an empty template. 22P02 when there are none."""
    if not template:
        return None
    parsed = _parse(template)
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
    value = Decimal(shown).scaleb(-parsed.shift)
    return hold(-value if negative else value)


def _of(convert: Callable[[float], Decimal]) -> Callable[[float, str], str | None]:
    return lambda value, template: format_number(convert(value), template) if template else None


def _shortest(digits: int) -> Callable[[float], Decimal]:
    """As many significant digits as the type is sure of."""
    return lambda value: Decimal(f"{value:.{digits}g}")


FUNCTIONS: tuple[Function, ...] = (
    *(
        function("to_char", (type_, TEXT), TEXT, _of(convert), fallible=True, volatility=Volatility.STABLE)
        for type_, convert in (
            (INT4, Decimal),
            (INT8, Decimal),
            (NUMERIC, Decimal),
            (FLOAT4, _shortest(6)),
            (FLOAT8, _shortest(15)),
        )
    ),
    function("to_number", (TEXT, TEXT), NUMERIC, read_number, fallible=True, volatility=Volatility.STABLE),
)
