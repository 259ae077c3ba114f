"""pg_size_pretty: bytes in the unit that keeps them short, rounded half away from zero."""

from __future__ import annotations

_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")
_LIMIT = 10 * 1024


def size_pretty(size: int) -> str:
    """`20 kB`; a unit is used up to 10239 (20479 halves) of it."""
    sign, magnitude = ("-" if size < 0 else ""), abs(size)
    if magnitude < _LIMIT:
        return f"{size} bytes"
    halves = magnitude >> 9
    for unit in _UNITS[1:]:
        if halves < 2 * _LIMIT - 1 or unit == _UNITS[-1]:
            break
        halves >>= 10
    return f"{sign}{(halves + 1) // 2} {unit}"
