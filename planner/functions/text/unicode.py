"""Unicode's normal forms, escapes, and identifiers taken apart."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, TEXT, array_of
from planner.functions.failures import invalid_parameter
from planner.functions.rows import function
from planner.functions.signature import Function

_ESCAPE = re.compile(
    r"\\\\|\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\+([0-9a-fA-F]{6})|([0-9a-fA-F]{4}))|(\\)|(.)", re.DOTALL
)
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_BARE = re.compile(r"[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_$\u0080-\U0010ffff]*")

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


def _form(name: str) -> Form:
    match name.upper():
        case "NFC":
            return "NFC"
        case "NFD":
            return "NFD"
        case "NFKC":
            return "NFKC"
        case "NFKD":
            return "NFKD"
        case _:
            raise invalid_parameter(f"invalid normalization form: {name}")


def normalize(text: str, form: str = "NFC") -> str:
    return unicodedata.normalize(_form(form), text)


def is_normalized(text: str, form: str = "NFC") -> bool:
    return unicodedata.is_normalized(_form(form), text)


def unescape(text: str) -> str:
    r"""Replaces escapes: \XXXX, \+XXXXXX, \uXXXX, \UXXXXXXXX are characters, two backslashes are one. An escape may be
    half of a surrogate pair if the other half is an escape right behind it."""
    pieces: list[str] = []
    high: int | None = None
    for match in _ESCAPE.finditer(text):
        if match[5]:
            hint = "Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX."
            raise SqlError(Sqlstate.SYNTAX_ERROR, "invalid Unicode escape", hint=hint)
        digits = match[1] or match[2] or match[3] or match[4]
        code = None if digits is None else int(digits, 16)
        low = code is not None and 0xDC00 <= code <= 0xDFFF
        if low != (high is not None):
            raise _lone_surrogate()
        if code is None:
            pieces.append(match[6] or "\\")
        elif not 0 < code <= 0x10FFFF:
            raise invalid_parameter(f"invalid Unicode code point: {code:04X}")
        elif 0xD800 <= code < 0xDC00:
            high = code
        elif high is not None:
            pieces.append(chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00))
            high = None
        else:
            pieces.append(chr(code))
    if high is not None:
        raise _lone_surrogate()
    return "".join(pieces)


def _lone_surrogate() -> SqlError:
    return SqlError(Sqlstate.SYNTAX_ERROR, "invalid Unicode surrogate pair")


def parse_identifier(text: str, strict: bool = True) -> tuple[str, ...]:
    """Takes `a."B".c` apart; what isn't quoted is folded to lower case."""
    parts: list[str] = []
    rest = text.strip()
    while True:
        match = _QUOTED.match(rest) or _BARE.match(rest)
        if match is None or match[0] == '""':
            raise invalid_parameter(f'string is not a valid identifier: "{text}"')
        parts.append(match[1].replace('""', '"') if match.re is _QUOTED else match[0].lower())
        rest = rest[match.end() :].lstrip()
        if not rest.startswith("."):
            break
        rest = rest[1:].lstrip()
    if rest and strict:
        raise invalid_parameter(f'string is not a valid identifier: "{text}"')
    return tuple(parts)


FUNCTIONS: tuple[Function, ...] = (
    function("normalize", (TEXT,), TEXT, normalize, fallible=True),
    function("normalize", (TEXT, TEXT), TEXT, normalize, fallible=True),
    function("is_normalized", (TEXT,), BOOL, is_normalized, fallible=True),
    function("is_normalized", (TEXT, TEXT), BOOL, is_normalized, fallible=True),
    function("unistr", (TEXT,), TEXT, unescape, fallible=True),
    function("parse_ident", (TEXT,), array_of(TEXT), parse_identifier, fallible=True),
    function("parse_ident", (TEXT, BOOL), array_of(TEXT), parse_identifier, fallible=True),
)
