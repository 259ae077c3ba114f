"""Columns that became wide: numerics without a modifier, from the first value on that no decimal holds.

Later values lie in another stored column, of type wide. No stored byte is written anew: earlier values, in the narrow
column, are read as values of the wide column.

    stored                                      before          after
    ........pg.dropped.1........wide.3          12.5            NULL
    name                                        a               a
    ........decimals.2.0........                2               NULL
    price (wide)                                                12.50

The narrow column's name tells the pair, as names of columns of decimals do (`decimals_columns`): the number behind
`wide` is the distance to the wide column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from model.types.column_layout import dropped_name
from model.types.decimals_columns import decimals_columns
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import NUMERIC

_NAME = re.compile(re.escape(dropped_name(0)).replace("0", "[0-9]+", 1) + r"wide\.([1-9][0-9]{0,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class NarrowColumn:
    """The positions of a narrow column, of the column of decimals (None: there is none), and of the wide column."""

    at: int
    decimals: int | None
    by: int


def narrow_name(at: int, by: int) -> str:
    """Returns the name of the narrow column at position `at` beside the wide column at position `by`."""
    return f"{dropped_name(at + 1)}wide.{by - at}"


def narrow_columns(columns: Iterable[ColumnDesc]) -> tuple[NarrowColumn, ...]:
    """Returns the columns that became wide, in order."""
    known = tuple(columns)
    found = []
    told: dict[int, int] | None = None
    for at, column in enumerate(known):
        named = _NAME.fullmatch(column.name) if column.type == NUMERIC else None
        if named is not None and at + int(named[1]) < len(known):
            told = dict(decimals_columns(known)) if told is None else told
            found.append(NarrowColumn(at, told.get(at), at + int(named[1])))
    return tuple(found)
