"""A tsvector: lexemes in order of their bytes, each with the places where a document has it.

`'cat':3A,7 'rat'` has two entries: `cat` at place 3 with weight A and at place 7 with weight D, and `rat`, whose places
are not known. A place and its weight are one number, `4 * place + weight`, with D, C, B, A as 0 to 3: such numbers
sort as places do.

A tsvector's datum, and its physical form everywhere, is bytes that sort as PostgreSQL's operators compare tsvectors:

    size        4 bytes: the bytes that PostgreSQL holds the value in
    entries     4 bytes: their number
    each entry  0 where it has places, else 1; the lexeme in UTF-8 and a zero; where it has places, their number and
                each of them in 2 bytes, subtracted from 65535, because more and later places come first

Equal tsvectors have equal bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

Entry = tuple[str, tuple[int, ...]]
Vector = tuple[Entry, ...]

PLACES_MAX = 256
PLACE_END = 1 << 14
"""Places beyond the last that can be held count as the last."""
LEXEME_BYTES_END = (1 << 11) - 1
BYTES_MAX = (1 << 20) - 1
_WORD = struct.Struct(">H")
_HEAD = struct.Struct(">II")
_TOP = 0xFFFF
_HEADER_BYTES, _ENTRY_BYTES, _PLACE_BYTES = 8, 4, 2


def place_of(position: int) -> int:
    """Returns the place that a number of an entry stands for."""
    return position >> 2


def weight_of(position: int) -> int:
    """Returns the weight that a number of an entry stands for: 0 for D to 3 for A."""
    return position & 3


def limited(place: int) -> int:
    """Returns the place as it is held."""
    return min(place, PLACE_END - 1)


def data_bytes(vector: Iterable[Entry]) -> int:
    """Returns the bytes that PostgreSQL holds lexemes and places in."""
    size = 0
    for lexeme, positions in vector:
        size += len(lexeme.encode())
        if positions:
            size += size % 2 + _PLACE_BYTES * (1 + len(positions))
    return size


def encode_vector(vector: Sequence[Entry]) -> bytes:
    """Returns the datum of entries that are in order."""
    size = _HEADER_BYTES + _ENTRY_BYTES * len(vector) + data_bytes(vector)
    parts = [_HEAD.pack(size, len(vector))]
    for lexeme, positions in vector:
        parts.append((b"\0" if positions else b"\1") + lexeme.encode() + b"\0")
        if positions:
            parts.append(_WORD.pack(_TOP - len(positions)))
            parts.extend(_WORD.pack(_TOP - position) for position in positions)
    return b"".join(parts)


@lru_cache(maxsize=256)
def decode_vector(datum: bytes) -> Vector:
    """Returns the entries of a datum."""
    _, count = _HEAD.unpack_from(datum)
    entries: list[Entry] = []
    at = _HEAD.size
    for _ in range(count):
        end = datum.index(0, at + 1)
        lexeme, placed = datum[at + 1 : end].decode(), datum[at] == 0
        at = end + 1
        positions: tuple[int, ...] = ()
        if placed:
            number = _TOP - _WORD.unpack_from(datum, at)[0]
            held = struct.unpack_from(f">{number}H", datum, at + 2)
            positions = tuple([_TOP - position for position in held])
            at += 2 + 2 * number
        entries.append((lexeme, positions))
    return tuple(entries)


def stored_bytes(datum: bytes) -> int:
    """Returns the bytes that PostgreSQL holds a tsvector in."""
    return int(_HEAD.unpack_from(datum)[0])


def vector_of(found: Iterable[Entry]) -> Vector:
    """Returns entries in order, each lexeme once, with the places of all its occurrences in `found`.

    Of one place with several weights the highest stays, and of places beyond what PostgreSQL holds the first."""
    gathered: dict[str, list[int]] = {}
    for lexeme, positions in found:
        gathered.setdefault(lexeme, []).extend(positions)
    return tuple((lexeme, _distinct(gathered[lexeme])) for lexeme in sorted(gathered))


def _distinct(positions: list[int]) -> tuple[int, ...]:
    if len(positions) < 2:
        return tuple(positions)
    weights: dict[int, int] = {}
    for position in sorted(positions):
        weights[place_of(position)] = position
    return tuple(islice(weights.values(), PLACES_MAX))


def too_long(size: int) -> SqlError:
    """Returns the error 54000 for lexemes and places of `size` bytes."""
    message = f"string is too long for tsvector ({size} bytes, max {BYTES_MAX} bytes)"
    return SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)


def checked_vector(vector: Vector) -> bytes:
    """Returns the datum of entries in order; raises 54000 for more than a tsvector holds."""
    size = data_bytes(vector)
    if size > BYTES_MAX:
        raise too_long(size)
    return encode_vector(vector)
