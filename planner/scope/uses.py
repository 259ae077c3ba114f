"""Reads and writes of a statement, by relation and column: the privileges needed to execute the statement.

PostgreSQL asks for SELECT on relations in FROM, and on columns of the changed table that the statement reads. UPDATE t
SET a = 1 needs UPDATE alone; UPDATE t SET a = 1 WHERE b = 2 needs SELECT on b, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from planner.catalog_view import ItemView
from planner.privileges import SELECT, Need, in_order


@dataclass(slots=True)
class RelationUse:
    """One place at which a statement names a relation; columns are numbers, from 1."""

    item: ItemView
    rights: set[str]
    selected: set[int] = field(default_factory=set)
    inserted: set[int] = field(default_factory=set)
    updated: set[int] = field(default_factory=set)

    def select(self, number: int) -> None:
        """Notes that the statement reads a column."""
        self.rights.add(SELECT)
        self.selected.add(number)

    def select_all(self) -> None:
        """The statement reads every column."""
        for position in self.item.visible:
            self.select(self.item.column_number(position))

    def insert(self, positions: Iterable[int]) -> None:
        self.inserted |= {self.item.column_number(position) for position in positions}

    def update(self, position: int) -> None:
        self.updated.add(self.item.column_number(position))

    @property
    def need(self) -> Need:
        rights = in_order(frozenset(self.rights))
        selected, inserted, updated = map(frozenset, (self.selected, self.inserted, self.updated))
        return Need(self.item.id, rights, selected, inserted, updated)


@dataclass(frozen=True, slots=True, eq=False)
class ColumnRead:
    """The column of a relation that a field reads."""

    use: RelationUse
    number: int

    def note(self) -> None:
        self.use.select(self.number)


def needs_of(uses: Iterable[RelationUse]) -> tuple[Need, ...]:
    """Each once, in the order of the statement."""
    return tuple(dict.fromkeys(use.need for use in uses))
