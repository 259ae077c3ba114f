"""nextval and its kin, for one execution: planner.functions.system.sequence_lookup.SequenceLookup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from catalog.builtin.registry import builtin_with_oid
from catalog.changes.change import AlterSequence, Change, CreateItem
from catalog.facts.roles.decide import held, require_item
from catalog.facts.roles.securables import item_securable
from catalog.facts.temporary_items import in_temporary_schema
from catalog.lookup.privileges import any_column_allowed
from catalog.nouns.items import Item, SequenceDefinition
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.privileges import SELECT, UPDATE, USAGE
from planner.sequence_rules import SequenceRules
from server.ledgers.counting.session_counters import HeldNumbers

if TYPE_CHECKING:
    from server.transactions.execution import Execution


class ExecutionSequences:
    """The present sequences, with the transaction's own changes."""

    def __init__(self, execution: Execution) -> None:
        self._counters = execution.environment.counters
        self._session = execution.asker.counters
        self._transaction = execution.transaction
        self._committed = execution.environment.catalog.state
        # Not what a transaction sees that began to read before: values are of now.
        self._state = execution.transaction.changes.catalog or self._committed
        self._role = execution.role

    def next_value(self, oid: int) -> int:
        item, definition = self._sequence(oid)
        self._require_next(item, definition)
        self._require_writable(item, "nextval()")
        held = self._session.held.get(item.id)
        value = None if held is None else held.next_kept(definition.collection, definition.rules)
        if value is None:
            taken = self._counters.take(definition, item.name)
            value = taken.first
            self._session.held[item.id] = HeldNumbers(definition.collection, definition.rules, value, taken.last)
        self._session.latest = item.id
        self._rely_on(definition)
        return value

    def current_value(self, oid: int) -> int:
        item, _ = self._sequence(oid)
        require_item(self._state, self._role, item.id, USAGE + SELECT)
        held = self._session.held.get(item.id)
        if held is None:
            message = f'currval of sequence "{item.name}" is not yet defined in this session'
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
        return held.last

    def latest_value(self) -> int:
        latest = self._session.latest
        if latest is None or latest not in self._state.items:
            message = "lastval is not yet defined in this session"
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
        require_item(self._state, self._role, latest, USAGE + SELECT)
        return self._session.held[latest].last

    def set_value(self, oid: int, value: int, called: bool) -> int:
        item, definition = self._sequence(oid)
        require_item(self._state, self._role, item.id, UPDATE)
        self._require_writable(item, "setval()")
        # nextval() is not refused: the numbers of rows that are never committed are lost, and no more.
        self._transaction.require_effects("setval()")
        rules = definition.rules
        if not rules.minimum <= value <= rules.maximum:
            bounds = f"({rules.minimum}..{rules.maximum})"
            message = f'setval: value {value} is out of bounds for sequence "{item.name}" {bounds}'
            raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message)
        self._counters.set(definition, value, called)
        held = self._session.held.get(item.id)
        if called:
            self._session.held[item.id] = HeldNumbers(definition.collection, rules, value, value)
        elif held is not None:
            held.kept = held.last
        self._rely_on(definition)
        return value

    def last_value(self, oid: int) -> int | None:
        """Returns the last value; None, like PostgreSQL, for a role without rights on the sequence."""
        item, _ = self._sequence(oid)
        if not frozenset(USAGE + SELECT) & frozenset(held(self._state, self._role, item_securable(self._state, item))):
            return None
        last, _, called = self.position(oid)
        return last if called else None

    def position(self, oid: int) -> tuple[int, int, bool]:
        _, definition = self._sequence(oid)
        counter = self._counters.counter(definition)
        self._rely_on(definition)
        return counter.last, counter.left, counter.called

    def rules(self, oid: int) -> SequenceRules:
        return self._sequence(oid)[1].rules

    def _require_next(self, item: Item, definition: SequenceDefinition) -> None:
        """Raises SqlError 42501 unless the role may use the sequence, or insert into an identity column's table."""
        owner = definition.owned_by
        table = None if owner is None or owner.identity is None else self._state.items.get(owner.table)
        if table is not None and any_column_allowed(self._state, self._role, table.oid, (("insert", False),)):
            return
        require_item(self._state, self._role, item.id, USAGE + UPDATE)

    def _rely_on(self, definition: SequenceDefinition) -> None:
        """Notes the reservation that must be durable before the client learns of the sequence."""
        self._session.reservation = max(self._session.reservation, self._counters.number_of(definition))

    def _sequence(self, oid: int) -> tuple[Item, SequenceDefinition]:
        item = self._state.item_by_oid(oid)
        if item is None:
            builtin = builtin_with_oid(oid)
            if builtin is not None:
                raise _no_sequence(builtin.name)
            raise SqlError(Sqlstate.UNDEFINED_TABLE, f"relation with OID {oid} does not exist")
        if not isinstance(item.definition, SequenceDefinition):
            raise _no_sequence(item.name)
        self._require_present(item, item.definition)
        return item, item.definition

    def _require_present(self, item: Item, definition: SequenceDefinition) -> None:
        """Raises SqlError 40001 when the sequence has been dropped, or has begun again, since the transaction's first
        change of the catalog: no session counts with the old sequence any more."""
        committed = self._committed.items.get(item.id)
        there = None if committed is None else committed.definition
        known = isinstance(there, SequenceDefinition) and there.collection == definition.collection
        if not known and not any(_makes(change, definition) for change in self._transaction.changes.buffered):
            message = f'sequence "{item.name}" was dropped or restarted by a concurrent statement'
            raise SqlError(Sqlstate.SERIALIZATION_FAILURE, message)

    def _require_writable(self, item: Item, what: str) -> None:
        if not in_temporary_schema(self._state, item):
            self._transaction.require_writable(what)


def _no_sequence(name: str) -> SqlError:
    return SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{name}" is not a sequence')


def _makes(change: Change, definition: SequenceDefinition) -> bool:
    if not isinstance(change, CreateItem | AlterSequence) or not isinstance(change.definition, SequenceDefinition):
        return False
    return change.definition.collection == definition.collection
