"""Reads and writes of a statement, by relation and column: the privileges needed to execute the statement.

PostgreSQL asks for SELECT on relations in FROM, and on columns of the changed table that the statement reads. UPDATE t
SET a = 1 needs UPDATE alone; UPDATE t SET a = 1 WHERE b = 2 needs SELECT on b, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from model.ids.global_id import GlobalId
from planner.catalog_view import ItemView
from planner.privileges import SELECT, Need, in_order


@dataclass(frozen=True, slots=True)
class Beneath:
    """The relation that a view's rows are changed in: `numbers` are its columns' by those of the view's columns. Where
    the relation is a view, another lies `beneath`."""

    item: GlobalId
    numbers: Mapping[int, int]
    beneath: Beneath | None

    def need(self, rights: str, inserted: frozenset[int], updated: frozenset[int]) -> Need:
        """Returns what the view's owner needs where others need `rights` on the view, and on these of its columns. The
        right to read is asked for elsewhere, with that of the view's query."""
        changing = rights.replace(SELECT, "")
        written, changed = (frozenset(self.numbers[each] for each in numbers) for numbers in (inserted, updated))
        beneath = None if self.beneath is None else self.beneath.need(changing, written, changed)
        return Need(self.item, changing, inserted=written, updated=changed, beneath=beneath)


@dataclass(slots=True)
class RelationUse:
    """One place at which a statement names a relation; columns are numbers, from 1. `beneath`: where the statement
    changes rows of a view."""

    item: ItemView
    rights: set[str]
    selected: set[int] = field(default_factory=set)
    inserted: set[int] = field(default_factory=set)
    updated: set[int] = field(default_factory=set)
    beneath: Beneath | None = None

    def select(self, number: int) -> None:
        """Notes that the statement reads a column."""
        self.rights.add(SELECT)
        self.selected.add(number)

    def select_all(self) -> None:
        """Notes that the statement reads every column."""
        for position in self.item.visible:
            self.select(self.item.column_number(position))

    def insert(self, numbers: Iterable[int]) -> None:
        self.inserted.update(numbers)

    def update(self, number: int) -> None:
        self.updated.add(number)

    @property
    def need(self) -> Need:
        rights = in_order(frozenset(self.rights))
        selected, inserted, updated = map(frozenset, (self.selected, self.inserted, self.updated))
        beneath = None if self.beneath is None else self.beneath.need(rights, inserted, updated)
        return Need(self.item.id, rights, selected, inserted, updated, beneath=beneath)


@dataclass(frozen=True, slots=True, eq=False)
class RowRead:
    """The whole row of a relation, of which a system column is made."""

    use: RelationUse

    def note(self) -> None:
        self.use.select_all()


@dataclass(frozen=True, slots=True, eq=False)
class ColumnRead:
    """The column of a relation that a field reads."""

    use: RelationUse
    number: int

    def note(self) -> None:
        self.use.select(self.number)


def needs_of(uses: Iterable[RelationUse]) -> tuple[Need, ...]:
    """Returns each need once, in the order of the statement."""
    return tuple(dict.fromkeys(use.need for use in uses))
