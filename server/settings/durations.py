"""Durations of run-time parameters: a number, milliseconds unless a unit follows."""

from __future__ import annotations

import functools
import math
import re

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

DECIMAL = r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"
"""A number as parameters take it; an integer may have 0x before it instead."""
QUANTITY = re.compile(rf"\s*({DECIMAL}|0[xX][0-9a-fA-F]+)\s*([A-Za-z]*)\s*", re.ASCII)
"""A number and its unit."""
_UNITS_MS = {"us": 0.001, "ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_MS_MAX = 2**31 - 1


def number(text: str) -> float:
    """Returns the number that QUANTITY has matched, infinity beyond a float's range."""
    try:
        return float(int(text, 16)) if text[:2].lower() == "0x" else float(text)
    except OverflowError:
        return math.inf


@functools.lru_cache(maxsize=256)
def parse_duration_ms(name: str, text: str) -> int:
    """Returns a duration in milliseconds; raises SqlError 22023 naming the parameter."""
    match = QUANTITY.fullmatch(text)
    if match is None or (match[2] and match[2] not in _UNITS_MS):
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE,
            f'invalid value for parameter "{name}": "{text}"',
            hint='Valid units for this parameter are "us", "ms", "s", "min", "h", and "d".',
        )
    milliseconds = number(match[1]) * _UNITS_MS[match[2] or "ms"]
    if not 0 <= round(max(min(milliseconds, 2.0**40), -1.0)) <= _MS_MAX:
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE,
            f'{milliseconds:.0f} ms is outside the valid range for parameter "{name}" (0 .. {_MS_MAX})',
        )
    return round(milliseconds)


def duration_text(milliseconds: int) -> str:
    """Writes a duration as SHOW prints it: in the largest unit that divides it, without unit for 0."""
    if milliseconds == 0:
        return "0"
    for unit in ("d", "h", "min", "s"):
        size = int(_UNITS_MS[unit])
        if milliseconds % size == 0:
            return f"{milliseconds // size}{unit}"
    return f"{milliseconds}ms"
