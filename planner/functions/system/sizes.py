"""pg_size_pretty: bytes in the unit that keeps them short, rounded half away from zero."""

from __future__ import annotations

import decimal
from decimal import Decimal

from model.text.numerics import EXACT

_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")
_LIMIT = 10 * 1024


def size_pretty(size: int) -> str:
    """Prints `20 kB`; a unit is used up to 10239 (20479 halves) of it."""
    if abs(size) < _LIMIT:
        return f"{size} bytes"
    return _in_larger_unit(abs(size), "-" if size < 0 else "")


def numeric_size_pretty(size: Decimal) -> str:
    """Prints the size of a numeric, which keeps its decimals among the bytes and loses them above."""
    if not size.is_finite():
        # NaN is no more than the limit of bytes, an infinity more than that of every unit.
        return "NaN bytes" if size.is_nan() else f"{size:f} {_UNITS[-1]}"
    if size.copy_abs() < _LIMIT:
        return f"{size:f} bytes"
    magnitude = size.copy_abs().to_integral_value(decimal.ROUND_DOWN, context=EXACT)
    return _in_larger_unit(int(magnitude), "-" if size < 0 else "")


def _in_larger_unit(magnitude: int, sign: str) -> str:
    halves = magnitude >> 9
    for unit in _UNITS[1:]:
        if halves < 2 * _LIMIT - 1 or unit == _UNITS[-1]:
            break
        halves >>= 10
    return f"{sign}{(halves + 1) // 2} {unit}"
