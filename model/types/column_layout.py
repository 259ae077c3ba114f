"""Maps the columns that users see to the stored columns of a table.

A column keeps its number for ever, as in PostgreSQL, and its stored position. A dropped column is no longer visible,
and a column whose type changes becomes another stored column under its old number:

    CREATE TABLE t (a, b, c)      a b c      numbers 1 2 3 are stored at 0 1 2
    DROP COLUMN b                 a c        numbers 1 3 are stored at 0 2
    ALTER COLUMN a TYPE …         a c        numbers 1 3 are stored at 3 2
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """The stored position of each column by its number; None for a dropped one."""

    stored: tuple[int | None, ...]

    @property
    def visible(self) -> tuple[int, ...]:
        """The stored positions of the visible columns, by number."""
        return tuple(at for at in self.stored if at is not None)

    @property
    def numbers(self) -> dict[int, int]:
        """The number of each visible column, from 1, by stored position."""
        return {at: number for number, at in enumerate(self.stored, 1) if at is not None}

    def with_added(self, position: int) -> ColumnLayout:
        """Returns the layout with one more column, at a stored position."""
        return ColumnLayout((*self.stored, position))

    def without(self, position: int) -> ColumnLayout:
        """Returns the layout after the column at a stored position is dropped."""
        return self.replaced(position, None)

    def replaced(self, position: int, by: int | None) -> ColumnLayout:
        """Returns the layout in which the column stored at a position is stored at another from now on."""
        return ColumnLayout(tuple(by if at == position else at for at in self.stored))

    def within(self, arity: int) -> ColumnLayout:
        """Returns the layout as seen by a reader of only the first `arity` stored columns."""
        return ColumnLayout(tuple(at if at is not None and at < arity else None for at in self.stored))


def plain_layout(arity: int) -> ColumnLayout:
    """Returns the layout of a relation whose columns never changed."""
    return ColumnLayout(tuple(range(arity)))


_DROPPED = "........pg.dropped."
RETYPED = "........pg.retyped........"
"""Names the column that is filled to take the place of one whose type changes."""


def dropped_name(number: int) -> str:
    """Returns PostgreSQL's name for a dropped column."""
    return f"{_DROPPED}{number}........"


def is_dropped_name(name: str) -> bool:
    """Tells whether a stored column is a dropped one."""
    return name.startswith(_DROPPED)
