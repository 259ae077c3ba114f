"""bytea in text: hexadecimal (`\\x0aff`) or escapes (`\\012ÿ` as `\\012\\377`)."""

from __future__ import annotations

import re

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_ESCAPE = re.compile(rb"\\(?:(\\)|([0-3][0-7][0-7]))")
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


def parse_bytea(text: str) -> bytes:
    if text[:2] == "\\x":
        try:
            if text.isascii() and "\v" not in text and "\f" not in text:
                return bytes.fromhex(text[2:])
        except ValueError:
            pass
        raise _hexadecimal_error(text[2:])
    if "\\" not in text:
        return text.encode()
    raw = text.encode()
    kept = _ESCAPE.sub(b"", raw)
    if b"\\" in kept:
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, "invalid input syntax for type bytea")
    return _ESCAPE.sub(lambda m: b"\\" if m[1] else bytes([int(m[2], 8)]), raw)


def _hexadecimal_error(body: str) -> SqlError:
    """Returns the error in hexadecimal digits; white space is allowed between bytes, not inside one."""
    index = 0
    while index < len(body):
        if body[index] in " \n\t\r":
            index += 1
            continue
        if body[index] not in _HEXADECIMAL:
            return _hexadecimal_digit_error(body[index])
        if index + 1 >= len(body):
            break
        if body[index + 1] not in _HEXADECIMAL:
            return _hexadecimal_digit_error(body[index + 1])
        index += 2
    message = "invalid hexadecimal data: odd number of digits"
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)


def _hexadecimal_digit_error(digit: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'invalid hexadecimal digit: "{digit}"')


def format_bytea_hex(value: bytes) -> str:
    return "\\x" + value.hex()


_ESCAPED = [chr(b) if 0x20 <= b <= 0x7E else f"\\{b:03o}" for b in range(256)]
_ESCAPED[0x5C] = "\\\\"


def format_bytea_escape(value: bytes) -> str:
    return "".join(map(_ESCAPED.__getitem__, value))
