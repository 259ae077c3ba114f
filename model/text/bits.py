"""bit and bit varying in text: digits 0 and 1, or hexadecimal ones after an x; out as 0 and 1."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_HEX_BITS = {f"{digit:x}": f"{digit:04b}" for digit in range(16)}


def parse_bits(text: str) -> str:
    """Parses bits; raises 22P02 for a character that is no digit."""
    kind = text[:1].lower()
    digits = text[1:] if kind in ("b", "x") else text
    if kind == "x":
        return "".join([_HEX_BITS.get(digit.lower()) or _bad(digit, "hexadecimal") for digit in digits])
    for digit in digits:
        if digit not in "01":
            _bad(digit, "binary")
    return digits


def _bad(digit: str, what: str) -> str:
    raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f'"{digit}" is not a valid {what} digit')
