"""Write locks by what they are on, so that nobody who asks for one is held against all others.

Of one table there are locks of all of it, and of rows by keys. Which of them two can't have together is what
`timeline.footprint.shared_tables` says; here the same is found by looking up:

    of the table             meets all of that table
    rows by some columns     meet those of the table, rows by other columns, and rows by these with one of the values
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from model.global_id import GlobalId
from timeline.footprint import Footprint, Identities, KeyColumns, WrittenRows
from timeline.waiting import LockOwner

K = TypeVar("K", bound=Hashable)
_Form = frozenset[KeyColumns]


@dataclass(eq=False, slots=True)
class Claim:
    """Locks that wait to be granted, or are; `number` is less than those of claims that came later."""

    locked: Footprint
    owner: LockOwner
    granted: asyncio.Future[None]
    number: int
    tables: Mapping[GlobalId, Mapping[KeyColumns, Identities] | None] = field(init=False)
    """None for all of the table."""

    def __post_init__(self) -> None:
        tables: dict[GlobalId, dict[KeyColumns, Identities] | None] = {}
        for key, identities in self.locked.keys.items():
            keys = tables.setdefault(key.table, {})
            assert keys is not None
            keys[key] = identities
        tables.update(dict.fromkeys(self.locked.tables))
        self.tables = tables


Group = dict[Claim, None]
"""Never empty; in the order in which they came."""


@dataclass(frozen=True, slots=True)
class Met:
    """Claims that can't be had together with another on the table; `with_each_other`: nor can any two of these."""

    table: GlobalId
    claims: Group
    with_each_other: bool


class Claims:
    """Those that are held, or those that wait."""

    def __init__(self) -> None:
        self._tables: dict[GlobalId, _OnTable] = {}

    def add(self, claim: Claim) -> None:
        for table, keys in claim.tables.items():
            self._tables.setdefault(table, _OnTable()).add(claim, keys)

    def remove(self, claim: Claim) -> None:
        for table, keys in claim.tables.items():
            self._tables[table].remove(claim, keys)
            if not self._tables[table].every:
                del self._tables[table]

    def met_by(self, claim: Claim) -> Iterator[Met]:
        """The claims here that can't be had together with that one, some of them several times, and itself if it is
        here."""
        for table, keys in claim.tables.items():
            on_table = self._tables.get(table)
            if on_table is not None:
                yield from on_table.met_by(table, keys)

    def met_by_rows(self, table: GlobalId, rows: WrittenRows) -> Group:
        """The claims on what the rows change."""
        on_table = self._tables.get(table)
        return {} if on_table is None else on_table.met_by_rows(rows)


class _OnTable:
    """Claims on one table: all of them, those of the whole, those of rows by the columns that they name together, by
    each of these, and by each value there."""

    def __init__(self) -> None:
        self.every: Group = {}
        self._whole: Group = {}
        self._forms: dict[_Form, Group] = {}
        self._columns: dict[KeyColumns, Group] = {}
        self._having: dict[tuple[KeyColumns, Hashable], Group] = {}

    def add(self, claim: Claim, keys: Mapping[KeyColumns, Identities] | None) -> None:
        self.every[claim] = None
        if keys is None:
            self._whole[claim] = None
            return
        self._forms.setdefault(frozenset(keys), {})[claim] = None
        for key, identities in keys.items():
            self._columns.setdefault(key, {})[claim] = None
            for identity in identities:
                self._having.setdefault((key, identity), {})[claim] = None

    def remove(self, claim: Claim, keys: Mapping[KeyColumns, Identities] | None) -> None:
        del self.every[claim]
        if keys is None:
            del self._whole[claim]
            return
        _remove(self._forms, frozenset(keys), claim)
        for key, identities in keys.items():
            _remove(self._columns, key, claim)
            for identity in identities:
                _remove(self._having, (key, identity), claim)

    def met_by(self, table: GlobalId, keys: Mapping[KeyColumns, Identities] | None) -> Iterator[Met]:
        if keys is None:
            yield Met(table, self.every, False)
            return
        if self._whole:
            yield Met(table, self._whole, True)
        own = frozenset(keys)
        for form, group in self._forms.items():
            if form != own:
                yield Met(table, group, False)
        for key, identities in keys.items():
            for identity in identities:
                found = self._having.get((key, identity))
                if found is not None:
                    yield Met(table, found, True)

    def met_by_rows(self, rows: WrittenRows) -> Group:
        met = dict(self._whole)
        for key, group in self._columns.items():
            identities = rows.identities(key)
            if identities is None:
                met.update(group)
            else:
                for identity in identities:
                    met.update(self._having.get((key, identity), {}))
        return met


def _remove(groups: dict[K, Group], place: K, claim: Claim) -> None:
    group = groups[place]
    del group[claim]
    if not group:
        del groups[place]
