"""tsvector in text: `'a b':1A,2 c` in; lexemes in order, all of them quoted, out."""

from __future__ import annotations

import re

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.search.vectors import (
    BYTES_MAX,
    LEXEME_BYTES_END,
    PLACE_END,
    Entry,
    checked_vector,
    decode_vector,
    limited,
    place_of,
    too_long,
    vector_of,
    weight_of,
)
from model.search.words import SPACES, quoted, read_word, syntax_error

_TYPE = "tsvector"
_NO_ENDS: frozenset[str] = frozenset()
_NUMBER = re.compile(r"[0-9]+")
_WEIGHTS = {"a": 3, "A": 3, "*": 3, "b": 2, "B": 2, "c": 1, "C": 1, "d": 0, "D": 0}
_LETTERS = "DCBA"
_LONG_MAX = (1 << 63) - 1


def parse_vector(text: str) -> bytes:
    """Parses a tsvector. Raises 42601 for a wrong text, 54000 for a long lexeme and for too much of everything."""
    found: list[Entry] = []
    at, size = 0, 0
    while True:
        word, at = read_word(text, at, _TYPE, _NO_ENDS)
        if word is None:
            break
        positions: list[int] = []
        if text[at : at + 1] == ":":
            positions, at = _positions(text, at + 1)
        length = len(word.encode())
        if length >= LEXEME_BYTES_END:
            message = f"word is too long ({length} bytes, max {LEXEME_BYTES_END - 1} bytes)"
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
        if size > BYTES_MAX:
            raise too_long(size)
        size += length
        found.append((word, tuple(positions)))
    return checked_vector(vector_of(found))


def _positions(text: str, at: int) -> tuple[list[int], int]:
    """Reads `1,2A` from `at`; returns the numbers and where they end."""
    positions: list[int] = []
    while True:
        number = _NUMBER.match(text, at)
        if number is None:
            raise syntax_error(_TYPE, text)
        place, weight, at = _place(number[0], text), 0, number.end()
        while at < len(text) and text[at] != "," and text[at] not in SPACES:
            if text[at] in _WEIGHTS:
                if weight:
                    raise syntax_error(_TYPE, text)
                weight = _WEIGHTS[text[at]]
            elif not "0" <= text[at] <= "9":
                raise syntax_error(_TYPE, text)
            at += 1
        positions.append(4 * place + weight)
        if text[at : at + 1] != ",":
            return positions, at
        at += 1


def _place(digits: str, text: str) -> int:
    """Returns the number in 32 bits, as PostgreSQL's platforms read longer ones; raises 42601 for 0."""
    number = min(int(digits[:20]), _LONG_MAX) & 0xFFFFFFFF
    place = limited(number) if number < 1 << 31 else number % PLACE_END
    if place == 0:
        raise SqlError(Sqlstate.SYNTAX_ERROR, f'wrong position info in tsvector: "{text}"')
    return place


def format_vector(datum: bytes) -> str:
    """Returns a tsvector as PostgreSQL writes it."""
    return " ".join(quoted(lexeme) + _written(positions) for lexeme, positions in decode_vector(datum))


def _written(positions: tuple[int, ...]) -> str:
    if not positions:
        return ""
    return ":" + ",".join(
        f"{place_of(each)}{_LETTERS[weight_of(each)] if weight_of(each) else ''}" for each in positions
    )


def weight_letter(position: int) -> str:
    """Returns the letter of a place's weight, A to D."""
    return _LETTERS[weight_of(position)]
