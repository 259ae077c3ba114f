"""Handles large values outside of the event loop, so that other clients needn't wait.

Each operation is a few passes over the bytes; no pass holds Python's lock longer than a copy takes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TypeVar

from model.types.datum import Datum, Row, ShapedArray
from model.types.scalar_type import ScalarType, TypeName

T = TypeVar("T")

LARGE_BYTES = 1 << 22
"""Less is copied in a millisecond or two."""
_SIZED = frozenset(
    (
        TypeName.TEXT,
        TypeName.VARCHAR,
        TypeName.BPCHAR,
        TypeName.UNKNOWN,
        TypeName.JSON,
        TypeName.JSONB,
        TypeName.BYTEA,
        TypeName.BIT,
        TypeName.VARBIT,
        TypeName.VECTOR,
        TypeName.TSVECTOR,
        TypeName.TSQUERY,
    )
)
"""What is kept as one string."""


class Scale:
    """Tells which batches of rows of some types are large."""

    __slots__ = ("_containers", "_sized")

    def __init__(self, types: Sequence[ScalarType]) -> None:
        self._sized = [itemgetter(index) for index, type_ in enumerate(types) if type_.name in _SIZED]
        self._containers = [itemgetter(index) for index, type_ in enumerate(types) if _is_container(type_)]

    def is_large(self, rows: Sequence[Row]) -> bool:
        """Tells whether the values of rows have LARGE_BYTES together."""
        return self._size(rows) >= LARGE_BYTES

    def parts(self, rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
        """Yields the rows in parts that are not large, except for a part that is one large row."""
        start = size = 0
        for number, row in enumerate(rows):
            size += self._size((row,))
            if size >= LARGE_BYTES:
                yield rows[start : number + 1]
                start, size = number + 1, 0
        if start < len(rows):
            yield rows[start:]

    def _size(self, rows: Sequence[Row]) -> int:
        size = 0
        for column in self._sized:
            size += sum(map(len, filter(None, map(column, rows))))
        for column in self._containers:
            size += sum(map(size_of, map(column, rows)))
        return size


def _is_container(type_: ScalarType) -> bool:
    return type_.element is not None or type_.member is not None or bool(type_.fields)


def size_of(value: Datum) -> int:
    """Returns the bytes of the strings in a value."""
    match value:
        case str() | bytes():
            return len(value)
        case tuple() | ShapedArray():
            return sum(map(size_of, value))
        case _:
            return 0


async def done(work: Callable[[], T], *, large: bool) -> T:
    """Returns the result of `work`: run at once, or in a thread when it is `large`."""
    return await asyncio.to_thread(work) if large else work()
