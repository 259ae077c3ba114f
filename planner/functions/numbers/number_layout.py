"""Lays a number's digits and signs out by a template of to_char."""

from __future__ import annotations

import re
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.functions.time.date_formatting import ordinal_suffix

_QUOTED = re.compile(r'"((?:[^"\\]|\\.|\\\Z)*)"?', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Template:
    """A template of to_char for numbers, taken apart. `tokens` as written, upper-cased where they are keywords; digits
    before and after the point, and after V."""

    tokens: tuple[str, ...]
    whole: int
    fraction: int
    shift: int
    fill: bool
    first_zero: int | None


@dataclass(frozen=True, slots=True)
class Digits:
    """The digits before the point and those behind it; NaN and Infinity are words, without a point."""

    whole: str
    decimals: str | None
    word: bool = False


def _sign_texts(parsed: Template, negative: bool) -> tuple[str, str]:
    """Returns the texts before and behind the number, for signs that the template does not contain."""
    if "PR" in parsed.tokens:
        if negative:
            return "<", ">"
        return (" ", " ") if parsed.fill else ("", "")
    if any(token in parsed.tokens for token in ("S", "MI", "SG")):
        return "", ""
    return ("-" if negative else " " if parsed.fill else ""), ""


def laid_out(parsed: Template, given: Digits, negative: bool) -> str:
    """Walks the template from left to right; leading blanks take the places of digits that aren't there.

    Where the decimals end before the template's do, the rest of the template is left out, but for the sign behind."""
    places = parsed.whole + parsed.shift
    digits, decimals = _padded(parsed, given), given.decimals
    start = len(digits) - len(digits.lstrip(" "))
    before, behind = _sign_texts(parsed, negative)
    leading_s = _leading_s(parsed)
    if leading_s:
        before = "-" if negative else "+"
    kept_decimals = len(decimals or "") if parsed.fill else _significant_decimals(parsed, decimals or "")
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
            if fraction >= len(decimals or ""):
                behind = _decoration("S", parsed, negative, given, leading_s) if "S" in parsed.tokens else behind
                break
            pieces.append((decimals or "")[fraction] if fraction < kept_decimals else "")
            fraction += 1
        elif token in (".", "D"):
            if decimals is None:
                behind = ""
                break
            if index == places and not signed:
                pieces.append(before)
                signed = True
            pieces.append(".")
        elif token in (",", "G"):
            pieces.append("," if signed else " " if parsed.fill else "")
        else:
            pieces.append(_decoration(token, parsed, negative, given, leading_s))
    text = "".join(pieces) + behind
    return text if signed or not places + parsed.fraction else before + text


def _padded(parsed: Template, given: Digits) -> str:
    places = parsed.whole + parsed.shift
    zeros_from = parsed.first_zero if parsed.first_zero is not None else places
    digits = given.whole.rjust(places)
    digits = digits[:zeros_from] + digits[zeros_from:].replace(" ", "0")
    bare = not parsed.fraction or (not parsed.fill and not _significant_decimals(parsed, given.decimals or ""))
    if not digits.strip() and bare and places:
        digits = digits[:-1] + "0"
    return digits


def _leading_s(parsed: Template) -> bool:
    """Tells whether S precedes the last digit of the whole part: then the sign is written right before the number."""
    return (
        "S" in parsed.tokens
        and sum(1 for token in parsed.tokens[: parsed.tokens.index("S")] if token in ("9", "0")) < parsed.whole
    )


def _significant_decimals(parsed: Template, decimals: str) -> int:
    """Returns the decimals without trailing zeros (FM), except where the template has 0."""
    fixed, seen, point = 0, 0, False
    for token in parsed.tokens:
        if token in (".", "D"):
            point = True
        elif point and token in ("9", "0"):
            seen += 1
            if token == "0":
                fixed = seen
    return max(fixed, len(decimals.rstrip("0")))


def _decoration(token: str, parsed: Template, negative: bool, given: Digits, leading_s: bool) -> str:
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
            return _ordinal(parsed, given, negative, token)
        case _ if token.startswith('"'):
            quoted = _QUOTED.fullmatch(token)
            assert quoted is not None, "the template was cut so"
            return _ESCAPED.sub(r"\1", quoted[1])
        case '\\"':
            return '"'
        case _:
            return token


def _ordinal(parsed: Template, given: Digits, negative: bool, token: str) -> str:
    if given.word:
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f'"{given.whole}" is not a number')
    pointed = "." in parsed.tokens or "D" in parsed.tokens
    plain = not (negative or pointed or "#" in given.whole)
    return ordinal_suffix(_padded(parsed, given).strip(), token == "TH") if plain else ""
