"""json and jsonb in text. json is checked and kept as written; jsonb becomes PostgreSQL's canonical text:
keys by their length in bytes, then their bytes; the last of equal keys; numbers exact, without exponent.

Values are as deep as JSON_DEPTH_MAX at most (54001), whatever process reads or writes them: what walks them recurses.
"""

from __future__ import annotations

import decimal
import json
import re
from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from model.errors.deep_recursion import too_deep
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_errors import explain, json_context
from model.json.quick_jsonb import quick_jsonb

Json = None | bool | int | decimal.Decimal | str | Sequence["Json"] | Mapping[str, "Json"]
"""A parsed jsonb value; numbers are Decimal or int."""

_SPECIAL_CHARACTER = re.compile(r'[\x00-\x1f"\\]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNICODE_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_EXPONENT_MAX = 131_072
JSON_DEPTH_MAX = 3_000
"""So many arrays and objects may be in each other. PostgreSQL takes what fits its stack: 16,364 in the usual one."""
_NOT_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[^][{}"]++', re.DOTALL)
"""Strings, also one that nothing closes (it reaches to the end and is no JSON), and all else that opens no level."""
_LEVELS = str.maketrans("[{]}", "\x01\x01\xff\xff")


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _read_number(text: str) -> decimal.Decimal:
    try:
        value = decimal.Decimal(text)
    except decimal.InvalidOperation:
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value overflows numeric format") from None
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and abs(exponent) > _EXPONENT_MAX:
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, "value overflows numeric format")
    return value


_DECODER = json.JSONDecoder(parse_float=_read_number, parse_int=_read_number, parse_constant=_refuse_constant)


def check_depth(text: str) -> str:
    """Returns the JSON text, whose values are not too deep (54001)."""
    if text.count("[") + text.count("{") <= JSON_DEPTH_MAX:
        return text
    brackets = _NOT_BRACKETS.sub("", text)
    steps = array("b", brackets.translate(_LEVELS).encode("latin-1"))
    if max(accumulate(steps), default=0) > JSON_DEPTH_MAX:
        raise too_deep()
    return text


def load_json(text: str) -> Json:
    """Parses JSON; raises 22P02 when it is none, 54001 when it is too deep."""
    check_depth(text)
    try:
        value: Json = _DECODER.decode(text)
    except ValueError:
        raise explain(text) from None
    except RecursionError:
        raise too_deep() from None
    return value


def parse_json(text: str) -> str:
    """Returns the same text, when it is JSON; escapes are not looked into."""
    load_json(text)
    return text


def parse_jsonb(text: str) -> str:
    """Returns the canonical text."""
    quick = quick_jsonb(check_depth(text))
    return write_jsonb(checked_json(text)) if quick is None else quick


def checked_json(text: str) -> Json:
    """Parses JSON that jsonb can hold."""
    value = load_json(text)
    check_escapes(text)
    return value


def check_escapes(text: str) -> None:
    """Requires the strings in a JSON value to be possible texts: surrogates in pairs (22P02), and no zero characters
    (22P05). json keeps escapes as written, so this is called before its strings are read."""
    if "\\u" not in text:
        return
    pending_end = -1
    for match in _UNICODE_ESCAPE.finditer(text):
        code = int(match[1], 16) if match[1] else None
        if pending_end >= 0:
            if match.start() != pending_end:
                break
            if code is None or not 0xDC00 <= code < 0xE000:
                raise _surrogate_error(text, match.end())
            pending_end = -1
        elif code is not None and 0xD800 <= code < 0xDC00:
            pending_end = match.end()
        elif code is not None and 0xDC00 <= code < 0xE000:
            raise _surrogate_error(text, match.end())
        elif code == 0:
            raise SqlError(
                Sqlstate.UNTRANSLATABLE_CHARACTER,
                "unsupported Unicode escape sequence",
                detail="\\u0000 cannot be converted to text.",
                context=json_context(text, match.end()),
            )
    if pending_end >= 0:
        raise _surrogate_error(text, pending_end + 1)


def _surrogate_error(text: str, end: int) -> SqlError:
    return SqlError(
        Sqlstate.INVALID_TEXT_REPRESENTATION,
        "invalid input syntax for type json",
        detail="Unicode low surrogate must follow a high surrogate.",
        context=json_context(text, end),
    )


def write_jsonb(value: Json) -> str:
    """Returns the canonical text of a parsed value; raises 54001 when it is too deep."""
    try:
        return check_depth(_write(value))
    except RecursionError:
        raise too_deep() from None


def _write(value: Json) -> str:
    match value:
        case None:
            return "null"
        case True:
            return "true"
        case False:
            return "false"
        case str():
            return quote_json(value)
        case int():
            return str(value)
        case decimal.Decimal():
            return format(value, "f") if value else format(abs(value), "f")
        case Mapping():
            keys = sorted(value, key=_key_order)
            return "{" + ", ".join(f"{quote_json(key)}: {_write(value[key])}" for key in keys) + "}"
        case _:
            return "[" + ", ".join(map(_write, value)) + "]"


def _key_order(key: str) -> tuple[int, bytes]:
    raw = key.encode()
    return len(raw), raw


def quote_json(text: str) -> str:
    """Writes a JSON string as PostgreSQL does: only the necessary characters are escaped."""
    return '"' + _SPECIAL_CHARACTER.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}"
