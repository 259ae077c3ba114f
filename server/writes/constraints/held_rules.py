"""The rules of a table for all writes of a statement: CHECKs row by row, keys once everything is written."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from catalog.nouns.derived_oids import derived_oid
from catalog.nouns.items import Item
from model.errors.error_sources import CONFLICTING_KEY, DEFERRABLE_ARBITER, DUPLICATE_KEY
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Row
from planner.ir.scalar import scalar_type
from planner.plans.constraints import RowKey, TableRules
from server.ledgers.row_text import key_text, subject_of
from server.transactions.execution import Execution
from server.transactions.key_changes import KeyChanges, KeyForm
from server.writes.constraints.checks import RowChecks
from server.writes.constraints.key_reading import KeyReader, key_form
from timeline.footprint import KEYS_MAX, Identities, KeyColumns, ReadKeys


class HeldRules:
    """The rules for one statement, including all its parts."""

    def __init__(self, rules: TableRules, item: Item, execution: Execution) -> None:
        self._item = item
        self._execution = execution
        self._checks = RowChecks(rules.checks, item, execution) if rules.checks else None
        self._keys = [_HeldKey(key, item, execution) for key in rules.keys]

    def assert_rows(self, rows: Sequence[Row]) -> None:
        """Takes asserted rows. Raises SqlError 23514."""
        self.require_checks(rows)
        for key in self._keys:
            key.changes.add(rows)

    def require_checks(self, rows: Sequence[Row]) -> None:
        """Checks rows that may not be written. Raises SqlError 23514."""
        if self._checks is not None:
            self._checks.require(rows)

    def retract_rows(self, rows: Sequence[Row]) -> None:
        """Takes retracted rows."""
        for key in self._keys:
            key.changes.remove(rows)

    async def rows_with(self, keys: Sequence[int], rows: Sequence[Row]) -> list[RowsByKey]:
        """Returns, for each of the keys at these positions, the table's rows that share a key with one of `rows`.
        Raises SqlError 55000 for a deferrable key, which several rows may have."""
        for at in keys:
            if rows and self._keys[at].key.rule.deferrable:
                message = "ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters"
                subject = subject_of(self._execution.catalog, self._item, constraint=self._keys[at].key.name)
                refused = Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE
                raise SqlError(refused, message, subject=subject, source=DEFERRABLE_ARBITER)
        return [await self._keys[at].look_up(rows) for at in keys]

    def keys_wanted(self) -> ReadKeys | None:
        """Returns the keys by which `require_keys` reads the table; None when other rows may be read."""
        found: dict[KeyColumns, Identities] = {}
        for held in self._keys:
            keys = held.wanted()
            if keys is None:
                return None
            found |= keys
        return found

    async def require_keys(self) -> None:
        """Raises SqlError 23505 for the first row with an existing key, naming the first such key; keys that wait are
        left to COMMIT. Call once, before the statement's writes are added to the transaction."""
        found: list[tuple[int, RowKey, Row]] = []
        waiting = [(held, await held.doubled()) for held in self._keys if held.waits()]
        for held in self._keys:
            violation = None if held.waits() else await held.violation()
            if violation is not None:
                found.append((violation[0], held.key, violation[1]))
        if found:
            _, key, values = min(found, key=lambda violation: violation[0])
            raise duplicate_key(key, values, self._item, self._execution)
        for held, doubled in waiting:
            held.defer(doubled)


@dataclass(frozen=True, slots=True)
class RowsByKey:
    """Rows of a table, by the identity of their key."""

    form: KeyForm
    rows: Mapping[Hashable, Row]

    def identity(self, row: Row) -> Hashable | None:
        """Returns the identity of a row's key; None for a key that equals no other."""
        key = self.form.key(row)
        return None if key is None else self.form.identity(key)


class _HeldKey:
    """The changes of one key of the table. `known` has the rows looked up: None for keys without a row."""

    def __init__(self, key: RowKey, item: Item, execution: Execution) -> None:
        self.key = key
        self.form = key_form(key, execution)
        self.changes = KeyChanges(self.form)
        self._reader = KeyReader(execution, item, key, self.form)
        self._deferred = execution.transaction.deferred
        self._place = item.id, key.index, derived_oid(execution.catalog.items[key.index].oid, 0)
        self._known: dict[Hashable, Row | None] = {}

    async def look_up(self, rows: Sequence[Row]) -> RowsByKey:
        """Returns the table's rows that share a key with one of `rows`."""
        keys = (key for row in rows if (key := self.form.key(row)) is not None)
        wanted = {self.form.identity(key): key for key in keys}
        found = await self._reader.rows(wanted)
        self._known.update(dict.fromkeys(wanted))
        self._known.update(found)
        return RowsByKey(self.form, found)

    def wanted(self) -> ReadKeys | None:
        """Returns the keys that `violation` looks up; None for many keys, and for keys of expressions."""
        wanted = self.changes.wanted()
        keys = list((self.changes.doubled(wanted) if self.waits() else wanted).values())
        return None if len(keys) > KEYS_MAX else self._reader.keys_read(keys) or None

    def waits(self) -> bool:
        """Tells whether the key is checked at COMMIT."""
        return self._deferred.defers(self._place[2], self.key.rule)

    def defer(self, keys: Mapping[Hashable, Row]) -> None:
        """Leaves keys to COMMIT."""
        if keys:
            self._deferred.add_keys(*self._place, keys)

    async def doubled(self) -> dict[Hashable, Row]:
        """Returns the keys that more than one row has by now, by identity."""
        return self.changes.doubled(await self._present())

    async def violation(self) -> tuple[int, Row] | None:
        """Returns the first violation, as of KeyChanges."""
        return self.changes.violation(await self._present())

    async def _present(self) -> set[Hashable]:
        wanted = self.changes.wanted()
        present = {identity for identity in wanted if self._known.get(identity) is not None}
        unknown = {identity: key for identity, key in wanted.items() if identity not in self._known}
        return present | await self._reader.present(unknown)


def duplicate_key(key: RowKey, values: Row, item: Item, execution: Execution) -> SqlError:
    """Returns SqlError 23505, or 23P01 of EXCLUDE, for a row whose key another row has."""
    types = [scalar_type(part) for part in key.parts]
    text = key_text(key.texts, values, types, execution.asker.text_context)
    message = f'duplicate key value violates unique constraint "{key.name}"'
    subject = subject_of(execution.catalog, item, constraint=key.name)
    if not key.rule.unique:
        message = f'conflicting key value violates exclusion constraint "{key.name}"'
        detail = f"{text} conflicts with existing {text[:1].lower()}{text[1:]}."
        refused = Sqlstate.EXCLUSION_VIOLATION
        return SqlError(refused, message, detail=detail, subject=subject, source=CONFLICTING_KEY)
    return SqlError(
        Sqlstate.UNIQUE_VIOLATION, message, detail=f"{text} already exists.", subject=subject, source=DUPLICATE_KEY
    )


def held_rules(rules: TableRules, item: Item, execution: Execution) -> HeldRules | None:
    """Returns the rules of a table; None for a table without demands."""
    return HeldRules(rules, item, execution) if rules.checks or rules.keys else None
