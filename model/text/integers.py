"""Integers in PostgreSQL 16's text: decimal, 0x, 0o, 0b, with underscores; and oids, as C's strtoul reads them."""

from __future__ import annotations

import re
from collections.abc import Callable

from model.errors.error_sources import ErrorSource
from model.text.failures import SPACES, invalid_syntax, out_of_range

OFFSET_BITS = 16
"""A block has so many bits' worth of rows."""
_PLACE = re.compile(r"[^(]*\((\d{1,10}),(\d{1,5})\).*", re.DOTALL)

_FORM = re.compile(r"([+-]?)(?:0[xX]((?:_?[0-9a-fA-F])+)|0[oO]((?:_?[0-7])+)|0[bB]((?:_?[01])+)|([0-9](?:_?[0-9])*))")
_UNSIGNED_FORM = re.compile(r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([1-9][0-9]*))")
_LEADING_DIGITS = re.compile(r"[ \t\n\v\f\r]*([+-]?)([0-9]+)")
_DIGITS_MAX = 100


def clamped(text: str) -> int:
    """Returns the integer that an optional sign and decimal digits write; of a longer one than 100 digits, one of 100,
    which is beyond all types too, while Python converts no text of more than 4,300."""
    body = text.strip(SPACES)
    digits = body.lstrip("+-").lstrip("0") or "0"
    value = int(digits) if len(digits) <= _DIGITS_MAX else 10**_DIGITS_MAX - 1
    return -value if body.startswith("-") else value


def integer_parser(type_text: str, bits: int, source: ErrorSource | None = None) -> Callable[[str], int]:
    """Returns an input function for signed integers of `bits` bits; `source`: where PostgreSQL refuses their texts."""
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1

    def parse(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX:
            value = int(text)
        else:
            match = _FORM.fullmatch(text.strip(SPACES))
            if match is None:
                # PostgreSQL reads from the left and stops at the first thing wrong.
                digits = _LEADING_DIGITS.match(text)
                if _overflows(digits, high):
                    raise out_of_range(type_text, text)
                raise invalid_syntax(type_text, text, source=source)
            value = _value(match)
        if low <= value <= high:
            return value
        raise out_of_range(type_text, text)

    return parse


def _overflows(digits: re.Match[str] | None, high: int) -> bool:
    return digits is not None and len(digits[2]) <= _DIGITS_MAX and int(digits[2]) > high + (digits[1] == "-")


def _value(match: re.Match[str]) -> int:
    """Returns the number; anything beyond every type's range when it has absurdly many digits."""
    for base, digits in zip((16, 8, 2, 10), match.groups()[1:], strict=True):
        if digits is not None:
            digits = digits.replace("_", "").lstrip("0") or "0"
            value = int(digits, base) if len(digits) <= _DIGITS_MAX else 1 << 200
            return -value if match[1] == "-" else value
    raise AssertionError("the form has one kind of digits")


def unsigned_parser(type_text: str, bits: int) -> Callable[[str], int]:
    """Returns an input function for unsigned integers; like C's, it wraps small negative numbers around."""

    def parse(text: str) -> int:
        if text.isascii() and text.isdigit() and text[0] != "0" and len(text) <= _DIGITS_MAX:
            value = int(text)
        else:
            match = _UNSIGNED_FORM.fullmatch(text.strip(SPACES))
            if match is None:
                raise invalid_syntax(type_text, text)
            value = _unsigned_value(match)
            if value < 0 and value >= -(1 << (bits - 1)):
                value += 1 << bits
        if 0 <= value < 1 << bits:
            return value
        raise out_of_range(type_text, text)

    return parse


def _unsigned_value(match: re.Match[str]) -> int:
    for base, digits in zip((16, 8, 10), match.groups()[1:], strict=True):
        if digits is not None:
            value = int(digits, base) if len(digits) <= _DIGITS_MAX else 1 << 200
            return -value if match[1] == "-" else value
    raise AssertionError("the form has one kind of digits")


def natural_parser(type_text: str, bits: int) -> Callable[[str], int]:
    """Returns an input function for numbers from 0 on, in the forms of the signed integers."""
    parse_signed = integer_parser(type_text, bits + 1)

    def parse(text: str) -> int:
        value = parse_signed(text)
        if value < 0:
            raise out_of_range(type_text, text)
        return value

    return parse


def parse_place(text: str) -> int:
    """Raises SqlError 22P02 for what is no place."""
    match = _PLACE.fullmatch(text.strip(SPACES))
    if match is None or int(match[1]) >= 1 << 32 or int(match[2]) >= 1 << OFFSET_BITS:
        raise invalid_syntax("tid", text)
    return place_of(int(match[1]), int(match[2]))


def place_of(block: int, offset: int) -> int:
    """Returns the number that holds a place."""
    return block << OFFSET_BITS | offset


def format_place(place: int) -> str:
    """Returns the text of a place."""
    return f"({place >> OFFSET_BITS},{place & (1 << OFFSET_BITS) - 1})"
