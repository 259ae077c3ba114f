"""The letters, their kinds and their cases, as PostgreSQL has them where LC_CTYPE is C.UTF-8: glibc's simple
mappings of one character to one, in any language. The tables are in `letter_tables`, so that neither Python's
Unicode nor a machine's libc decides."""

from __future__ import annotations

from collections.abc import Iterator

from model.patterns import letter_tables

Range = tuple[int, int]
"""Codes; both ends belong to it."""


def ranges(table: str) -> Iterator[Range]:
    """Yields the ranges of a table: `gap.count` in base 36, each gap from the end of the range before; a count of 1 is
    left out."""
    position = 0
    for entry in table.split():
        gap, _, count = entry.partition(".")
        first = position + int(gap, 36)
        position = first + (int(count, 36) if count else 1)
        yield first, position - 1


def _mapping(table: str) -> dict[int, int]:
    """Reads runs `gap.count.step.change`, in base 36, of codes that lie `step` apart and change alike."""
    mapping: dict[int, int] = {}
    position = 0
    for entry in table.split():
        gap, count, step, change = (int(number, 36) for number in entry.split("."))
        position += gap
        for code in range(position, position + count * step, step):
            mapping[code] = code + change
    return mapping


TO_UPPER = _mapping(letter_tables.TO_UPPER)
TO_LOWER = _mapping(letter_tables.TO_LOWER)


def upper(text: str) -> str:
    """Returns the text in upper case, letter by letter: ß has none."""
    return text.upper() if text.isascii() else text.translate(TO_UPPER)


def lower(text: str) -> str:
    """Returns the text in lower case, letter by letter."""
    return text.lower() if text.isascii() else text.translate(TO_LOWER)
