"""Finds where the records of a file begin and end: lines, or lines of CSV, where a line end may be quoted. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from model.external.files import Framing

_LINE_END, _RETURN, _QUOTE = 0x0A, 0x0D, 0x22


@dataclass(frozen=True, slots=True)
class FramedRecord:
    """A record's bytes, and the offset of its begin within the data that was cut."""

    begin: int
    value: bytes


def cut_records(data: bytes, framing: Framing, *, whole: bool) -> Iterator[FramedRecord]:
    """Yields the records of `data`, which begins with one; the bytes behind the last line end are a record only
    where `data` is the `whole` rest."""
    begin = 0
    for end in _ends(data, framing):
        yield from _record(data, begin, end, framing)
        begin = end + 1
    if whole and begin < len(data):
        yield from _record(data, begin, len(data), framing)


def cut_length(data: bytes, framing: Framing) -> int:
    """Returns the length of the complete lines of `data`."""
    ends = _ends(data, framing)
    return ends[-1] + 1 if ends else 0


def is_open(data: bytes, framing: Framing) -> bool:
    """Tells whether `data`, which begins with a record, ends within quotes."""
    return framing is Framing.CSV and data.count(_QUOTE) % 2 == 1


def _ends(data: bytes, framing: Framing) -> list[int]:
    signs = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(signs == _LINE_END)
    if framing is Framing.CSV:
        # A quote within quotes is written twice, so an even number of them has all closed.
        within = np.bitwise_and(np.cumsum(signs == _QUOTE), 1)
        ends = ends[within[ends] == 0]
    found: list[int] = ends.tolist()
    return found


def _record(data: bytes, begin: int, end: int, framing: Framing) -> Iterator[FramedRecord]:
    if framing is not Framing.LINES and end > begin and data[end - 1] == _RETURN:
        end -= 1
    value = data[begin:end]
    # Fields that are blank, or empty between blanks, are fields of CSV.
    if value if framing is Framing.CSV else framing is not Framing.JSON_LINES or value.strip():
        yield FramedRecord(begin, value)
