"""The string types in text: text, varchar, char(n) with blanks at its end, name cut at 63 bytes, "char" of one byte."""

from __future__ import annotations

import re
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

NAME_BYTES_MAX = 63
_OCTAL = re.compile(r"\\([0-3][0-7][0-7])")


def parse_text(text: str) -> str:
    """Returns the text itself; raises 22021 for a zero byte, which PostgreSQL's strings can't hold."""
    if "\0" in text:
        raise SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, 'invalid byte sequence for encoding "UTF8": 0x00')
    return text


def bpchar_formatter(length: int | None) -> Callable[[str], str]:
    """Returns the output function that pads to `length` characters. (Only datums stored by old versions lack their
    blanks.)"""
    if length is None:
        return lambda value: value
    return lambda value: value.ljust(length)


def parse_name(text: str) -> str:
    """Reads a name, cut at 63 bytes, never inside a character."""
    parse_text(text)
    if len(text) * 4 <= NAME_BYTES_MAX:
        return text
    return text.encode()[:NAME_BYTES_MAX].decode(errors="ignore")


def parse_char(text: str) -> str:
    r"""Parses a "char": one byte, as the character with that number; `\ooo` writes it in octal, and '' stands for the
    zero byte."""
    octal = _OCTAL.fullmatch(text)
    if octal is not None:
        code = int(octal[1], 8)
        return chr(code) if code else ""
    return chr(text.encode()[0]) if text else ""


def format_char(value: str) -> str:
    if value and ord(value) > 0x7F:
        return f"\\{ord(value):03o}"
    return value
