"""hashtext and hashtextextended, which applications make numbers of names with: for advisory locks, for shares of work.

The hash is Bob Jenkins's lookup3, with the beginning that PostgreSQL gives it.
"""

from __future__ import annotations

import struct

from model.types.scalar_type import INT4, INT8, TEXT
from planner.functions.rows import function
from planner.functions.signature import Function

_U32 = 0xFFFFFFFF
_BEGIN = 0x9E3779B9 + 3_923_095
_BLOCK = struct.Struct("<III")


def _turned(value: int, bits: int) -> int:
    return (value << bits | value >> (32 - bits)) & _U32


def _mix(a: int, b: int, c: int) -> tuple[int, int, int]:
    for first, second, third in ((4, 6, 8), (16, 19, 4)):
        a = (a - c & _U32) ^ _turned(c, first)
        c = c + b & _U32
        b = (b - a & _U32) ^ _turned(a, second)
        a = a + c & _U32
        c = (c - b & _U32) ^ _turned(b, third)
        b = b + a & _U32
    return a, b, c


def _final(a: int, b: int, c: int) -> tuple[int, int]:
    """Returns the two halves of the hash, the lower one first."""
    c = (c ^ b) - _turned(b, 14) & _U32
    a = (a ^ c) - _turned(c, 11) & _U32
    b = (b ^ a) - _turned(a, 25) & _U32
    c = (c ^ b) - _turned(b, 16) & _U32
    a = (a ^ c) - _turned(c, 4) & _U32
    b = (b ^ a) - _turned(a, 14) & _U32
    c = (c ^ b) - _turned(b, 24) & _U32
    return c, b


def _halves(data: bytes, seed: int) -> tuple[int, int]:
    """Divides a seed of 64 bits into halves; 0 is none."""
    a = b = c = _BEGIN + len(data) & _U32
    if seed:
        a, b, c = _mix(a + (seed >> 32) & _U32, b + (seed & _U32) & _U32, c)
    whole = len(data) // 12 * 12
    for one, two, three in _BLOCK.iter_unpack(data[:whole]):
        a, b, c = _mix(a + one & _U32, b + two & _U32, c + three & _U32)
    rest = data[whole:]
    # The lowest byte of the third is the length's.
    one, two, three = (int.from_bytes(rest[at : at + 4], "little") for at in (0, 4, 8))
    return _final(a + one & _U32, b + two & _U32, c + (three << 8) & _U32)


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def hash_text(text: str) -> int:
    """Computes hashtext()."""
    return _signed(_halves(text.encode(), 0)[0], 32)


def hash_text_extended(text: str, seed: int) -> int:
    """Computes hashtextextended()."""
    lower, upper = _halves(text.encode(), seed & (1 << 64) - 1)
    return _signed(upper << 32 | lower, 64)


FUNCTIONS: tuple[Function, ...] = (
    function("hashtext", (TEXT,), INT4, hash_text),
    function("hashtextextended", (TEXT, INT8), INT8, hash_text_extended),
)
