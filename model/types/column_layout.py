"""Which columns a table has to those who use it, of those that are stored of it.

A column keeps its number for good, as in PostgreSQL, and its place in what is stored. One that is dropped is no longer
seen, and one whose type changes is another stored column under its old number:

    CREATE TABLE t (a, b, c)      a b c      numbers 1 2 3 are stored at 0 1 2
    DROP COLUMN b                 a c        numbers 1 3 are stored at 0 2
    ALTER COLUMN a TYPE …         a c        numbers 1 3 are stored at 3 2
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """By number, from the first: the position at which the column is stored; None once it has been dropped."""

    stored: tuple[int | None, ...]

    @property
    def visible(self) -> tuple[int, ...]:
        """The positions of the columns that there are, in the order of their numbers."""
        return tuple(at for at in self.stored if at is not None)

    @property
    def numbers(self) -> dict[int, int]:
        """By the position, the number of each column that there is; numbers begin at 1."""
        return {at: number for number, at in enumerate(self.stored, 1) if at is not None}

    def with_added(self, position: int) -> ColumnLayout:
        """One more column, stored at a position."""
        return ColumnLayout((*self.stored, position))

    def without(self, position: int) -> ColumnLayout:
        """The column that is stored at a position is dropped."""
        return self.replaced(position, None)

    def replaced(self, position: int, by: int | None) -> ColumnLayout:
        """The column that is stored at a position is stored at another from now on."""
        return ColumnLayout(tuple(by if at == position else at for at in self.stored))

    def within(self, arity: int) -> ColumnLayout:
        """What is seen of it by who knows the first `arity` stored columns alone."""
        return ColumnLayout(tuple(at if at is not None and at < arity else None for at in self.stored))


def plain_layout(arity: int) -> ColumnLayout:
    """That of a relation whose columns are as they were made."""
    return ColumnLayout(tuple(range(arity)))


def dropped_name(number: int) -> str:
    """What PostgreSQL calls a column that has been dropped."""
    return f"........pg.dropped.{number}........"
