"""Write locks, held or waited for, found by the table and the rows locked.

A lock is of a whole table or of rows by key. `timeline.footprint.shared_tables` defines which two locks exclude each
other; the lookups here find the same locks without comparing a claim with every other claim:

    a lock of a table           excludes every lock of the table
    a lock of rows by columns   excludes locks of the table, locks by different columns, and locks by the same columns
                                with a value in common
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from model.ids.global_id import GlobalId
from timeline.footprint import Footprint, Identities, KeyColumns, WrittenRows
from timeline.waiting import LockOwner

K = TypeVar("K", bound=Hashable)
_Form = frozenset[KeyColumns]


@dataclass(eq=False, slots=True)
class Claim:
    """The locks of one statement, granted or waiting. `number` orders claims by their arrival."""

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
    """Claims that exclude another claim on the table; with `with_each_other`, any two of the claims exclude each
    other too."""

    table: GlobalId
    claims: Group
    with_each_other: bool


class Claims:
    """A set of claims, by table: all held claims, or all waiting claims."""

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
        """Yields the claims in the set that exclude `claim`; some come several times, and `claim` comes if the set
        has it."""
        for table, keys in claim.tables.items():
            on_table = self._tables.get(table)
            if on_table is not None:
                yield from on_table.met_by(table, keys)

    def met_by_rows(self, table: GlobalId, rows: WrittenRows) -> Group:
        """Returns the claims on rows that a write changes."""
        on_table = self._tables.get(table)
        return {} if on_table is None else on_table.met_by_rows(rows)


class _OnTable:
    """The claims on one table, found as a whole, by the set of columns, by single columns and by their values."""

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
