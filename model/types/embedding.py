"""The held form of a vector, as of pgvector: of each number, a single-precision float, four bytes that sort as the
numbers do. So vectors sort by their numbers, and one before those that it begins; a zero has no sign."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_SIGN, _ALL = 0x80000000, 0xFFFFFFFF


def held_embedding(numbers: Sequence[float]) -> bytes:
    """Returns the bytes of finite numbers, which are rounded to singles."""
    count = len(numbers)
    bits = struct.unpack(f">{count}I", struct.pack(f">{count}f", *(number + 0.0 for number in numbers)))
    return struct.pack(f">{count}I", *(each ^ _ALL if each & _SIGN else each | _SIGN for each in bits))


def numbers_of_embedding(held: bytes) -> tuple[float, ...]:
    """Returns the numbers of held bytes."""
    count = dimensions_of_embedding(held)
    bits = (each ^ _SIGN if each & _SIGN else each ^ _ALL for each in struct.unpack(f">{count}I", held))
    return struct.unpack(f">{count}f", struct.pack(f">{count}I", *bits))


def dimensions_of_embedding(held: bytes) -> int:
    return len(held) // 4
