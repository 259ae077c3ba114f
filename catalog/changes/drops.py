"""Finds the objects that are dropped together, and words errors and notices as PostgreSQL does.

Dependents are found as PostgreSQL finds them: depth first, the youngest first, reported in reverse, so that errors and
notices list objects in the same order. An index is dropped with the relation, and an owned sequence with the owning
column, without mention. A DEFAULT that names a dropped sequence is dropped; the column stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from catalog.changes.functions import function_signature
from catalog.changes.policies import bound_policies, items_named, policies_reading
from catalog.facts.constraints import is_constraint
from catalog.facts.defaults import is_generated, relations_named
from catalog.facts.function_texts import functions_named
from catalog.facts.type_texts import types_named
from catalog.facts.visibility import item_visible
from catalog.nouns.derived_oids import derived_oid
from catalog.nouns.items import (
    Domain,
    FunctionDefinition,
    Index,
    Item,
    MultirangeDefinition,
    Schema,
    SequenceDefinition,
    Table,
)
from catalog.nouns.names import quote, quote_all
from catalog.nouns.policies import Policy
from catalog.nouns.sinks import SinkProgress
from catalog.nouns.sources import SourceProgress, SourceTable
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.catalog_view import TableCheck
from planner.plans.foreign_keys import ForeignKey

_LINES_MAX = 100


@dataclass(frozen=True, slots=True)
class ColumnDefault:
    """The DEFAULT of the column at a position of a table."""

    table: Item
    column: int

    @property
    def oid(self) -> int:
        return derived_oid(self.table.oid, self.column + 1)


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table, by position; `users` are the views and indexes whose definitions need it."""

    table: Item
    column: int
    users: tuple[GlobalId, ...]

    @property
    def oid(self) -> int:
        """A number that identifies the column, different from that of its DEFAULT."""
        return -derived_oid(self.table.oid, self.column + 1)


@dataclass(frozen=True, slots=True)
class TableForeignKey:
    """A foreign key of a table."""

    table: Item
    key: ForeignKey

    @property
    def oid(self) -> int:
        return self.key.oid


@dataclass(frozen=True, slots=True)
class CheckOfTable:
    """A CHECK constraint of a table."""

    table: Item
    check: TableCheck

    @property
    def oid(self) -> int:
        return self.check.oid


@dataclass(frozen=True, slots=True)
class TablePolicy:
    """A policy of a table."""

    table: Item
    policy: Policy

    @property
    def oid(self) -> int:
        return self.policy.oid


Droppable = Item | Schema | ColumnDefault | TableColumn | TableForeignKey | CheckOfTable | TablePolicy


@dataclass(frozen=True, slots=True)
class Dropped:
    """An object that is dropped.

    `because`: the dropped object on which this object depends; None for an object that the statement names
    `unasked`: the statement doesn't name the object, and the object is not just a part of another
    """

    object: Droppable
    because: Droppable | None
    unasked: bool


def describe(state: CatalogState, object: Droppable, search_path: tuple[str, ...]) -> str:
    """Describes an object as messages do: `view v`, `table s.t`, `schema s`, `default value for column a of table
    t`."""
    if isinstance(object, Schema):
        return f"schema {quote(object.name)}"
    if isinstance(object, ColumnDefault):
        column = quote(object.table.desc.columns[object.column].name)
        return f"default value for column {column} of {describe(state, object.table, search_path)}"
    if isinstance(object, TableColumn):
        column = quote(object.table.desc.columns[object.column].name)
        return f"column {column} of {describe(state, object.table, search_path)}"
    if isinstance(object, TableForeignKey):
        return f"constraint {quote(object.key.name)} on {describe(state, object.table, search_path)}"
    if isinstance(object, CheckOfTable):
        return f"constraint {quote(object.check.name)} on {describe(state, object.table, search_path)}"
    if isinstance(object, TablePolicy):
        return f"policy {quote(object.policy.name)} on {describe(state, object.table, search_path)}"
    if isinstance(object.definition, FunctionDefinition):
        schema = "" if item_visible(state, object, search_path) else f"{quote(state.schemas[object.schema].name)}."
        return f"{object.definition.rules.noun} {schema}{function_signature(object)}"
    if item_visible(state, object, search_path):
        return f"{object.kind.value} {quote(object.name)}"
    return f"{object.kind.value} {quote_all(state.schemas[object.schema].name, object.name)}"


def dropped_with(state: CatalogState, targets: Sequence[Droppable]) -> tuple[Dropped, ...]:
    """Returns the targets and everything that depends on them, in PostgreSQL's order of report."""
    dependents = _dependents(state)
    originals = {target.oid for target in targets}
    found: dict[int, tuple[Droppable, Droppable | None]] = {}
    visited: set[int] = set()

    def visit(object: Droppable, because: Droppable | None) -> None:
        if object.oid in visited:
            return
        visited.add(object.oid)
        for dependent in dependents(object):
            visit(dependent, object)
        found[object.oid] = object, None if object.oid in originals else because

    for target in targets:
        visit(target, None)
    gone = {object.id for object, _ in found.values() if isinstance(object, Item)}
    # A column's index goes as a table's does.
    gone |= {target.table.id for target in targets if isinstance(target, TableColumn)}
    return tuple(
        Dropped(object, because, because is not None and _whole(object) not in gone)
        for object, because in reversed(found.values())
    )


def _whole(object: Droppable) -> GlobalId | None:
    """Returns the whole that a part is dropped with, without mention; None for an independent object."""
    match object:
        case ColumnDefault(table) | TableForeignKey(table) | CheckOfTable(table) | TablePolicy(table):
            return table.id
        case Item(definition=Index(on=on)):
            return on.id
        case Item(definition=SourceProgress(source_id=source) | SourceTable(source_id=source, rest=None)):
            return source
        case Item(definition=SinkProgress(sink_id=sink)):
            return sink
        case Item(definition=MultirangeDefinition() as multirange):
            return multirange.range_id
        case Item(definition=SequenceDefinition(owned_by=owner)):
            return None if owner is None else owner.table
        case _:
            return None


def without_dropped(state: CatalogState, dropped: Iterable[Dropped]) -> CatalogState:
    """Returns the state without these items, and without these DEFAULTs of tables that stay."""
    objects = [each.object for each in dropped]
    state = edits.without_items(state, [object.id for object in objects if isinstance(object, Item)])
    for object in objects:
        if isinstance(object, TableForeignKey):
            state = _without_foreign_key(state, object)
        if isinstance(object, CheckOfTable):
            state = _without_check(state, object)
        if isinstance(object, TablePolicy):
            state = _without_policy(state, object)
        table = state.items.get(object.table.id) if isinstance(object, ColumnDefault) else None
        if isinstance(object, ColumnDefault) and table is not None:
            assert isinstance(table.definition, Table)
            defaults = list(table.definition.defaults)
            defaults[object.column] = None
            changed = replace(table.definition, defaults=tuple(defaults))
            state = edits.with_item(state, replace(table, definition=changed))
    return state


def _without_foreign_key(state: CatalogState, object: TableForeignKey) -> CatalogState:
    table = state.items.get(object.table.id)
    if table is None:
        return state
    assert isinstance(table.definition, Table)
    left = tuple(key for key in table.definition.foreign_keys if key.oid != object.key.oid)
    return edits.with_item(state, replace(table, definition=replace(table.definition, foreign_keys=left)))


def _without_check(state: CatalogState, object: CheckOfTable) -> CatalogState:
    table = state.items.get(object.table.id)
    if table is None:
        return state
    assert isinstance(table.definition, Table)
    left = tuple(check for check in table.definition.checks if check.oid != object.oid)
    return edits.with_item(state, replace(table, definition=replace(table.definition, checks=left)))


def _without_policy(state: CatalogState, object: TablePolicy) -> CatalogState:
    table = state.items.get(object.table.id)
    if table is None:
        return state
    assert isinstance(table.definition, Table)
    security = table.definition.row_security
    left = tuple(policy for policy in security.policies if policy.oid != object.oid)
    secured = replace(table.definition, row_security=replace(security, policies=left))
    return edits.with_item(state, replace(table, definition=secured))


def require_no_others(state: CatalogState, dropped: Iterable[Dropped], search_path: tuple[str, ...]) -> None:
    """Raises 2BP01 when an object that the statement doesn't name would be dropped."""
    dropped = tuple(dropped)
    others = [d for d in dropped if d.unasked]
    if not others:
        return
    targets = [d for d in dropped if d.because is None]
    lines = []
    for each in others:
        assert each.because is not None
        lines.append(
            f"{describe(state, each.object, search_path)} depends on {describe(state, each.because, search_path)}"
        )
    if len(targets) == 1:
        message = f"cannot drop {_target(state, targets[0].object, search_path)} because other objects depend on it"
    else:
        message = "cannot drop desired object(s) because other objects depend on them"
    raise SqlError(
        Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
        message,
        detail=_joined(lines),
        hint="Use DROP ... CASCADE to drop the dependent objects too.",
    )


def _target(state: CatalogState, object: Droppable, search_path: tuple[str, ...]) -> str:
    """Describes the object that a statement drops: the constraint, for the index of a constraint."""
    if isinstance(object, Item) and isinstance(object.definition, Index) and is_constraint(object):
        table = describe(state, state.items[object.definition.on.id], search_path)
        return f"constraint {quote(object.name)} on {table}"
    return describe(state, object, search_path)


def cascade_notice(
    state: CatalogState, dropped: Iterable[Dropped], search_path: tuple[str, ...]
) -> tuple[str, str | None] | None:
    """Returns the notice of a cascading drop: (message, detail), or None when nothing else goes."""
    return cascade_told([describe(state, each.object, search_path) for each in dropped if each.unasked])


def cascade_told(objects: Iterable[str]) -> tuple[str, str | None] | None:
    """Returns the notice of a drop that takes these described objects with it: (message, detail), or None for none."""
    lines = [f"drop cascades to {each}" for each in objects]
    if not lines:
        return None
    if len(lines) == 1:
        return lines[0], None
    return f"drop cascades to {len(lines)} other objects", _joined(lines)


def _joined(lines: list[str]) -> str:
    shown = lines[:_LINES_MAX]
    rest = len(lines) - len(shown)
    if rest:
        shown.append(f"and {rest} other {'object' if rest == 1 else 'objects'} (see server log for list)")
    return "\n".join(shown)


def _dependents(state: CatalogState) -> Callable[[Droppable], list[Droppable]]:
    """Returns a function that lists direct dependents, youngest first; one pass over the items serves the whole
    search."""
    by_item: dict[GlobalId, list[Droppable]] = {}
    by_schema: dict[int, list[Droppable]] = {}
    for item in sorted(state.items.values(), key=lambda item: -item.oid):
        by_schema.setdefault(item.schema, []).append(item)
        for id in item.depends_on:
            by_item.setdefault(id, []).append(item)
        match item.definition:
            case SequenceDefinition(owned_by=owner) if owner is not None:
                by_item.setdefault(owner.table, []).append(item)
            case Domain(rules=rules):
                for id in (*(id for _, id in types_named(state, item)), *_named(state, rules.default)):
                    by_item.setdefault(id, []).append(item)
            case Table(defaults=defaults):
                for key in reversed(item.definition.foreign_keys):
                    by_item.setdefault(key.key, []).append(TableForeignKey(item, key))
                    if key.parent != item.id:
                        by_item.setdefault(key.parent, []).append(TableForeignKey(item, key))
                for column, default in enumerate(defaults):
                    for id in _named(state, default):
                        by_item.setdefault(id, []).append(ColumnDefault(item, column))
                for column, id in types_named(state, item):
                    by_item.setdefault(id, []).append(_made_by(item, column))
                for call in functions_named(state, item):
                    place = call.place
                    part = _made_by(item, place) if isinstance(place, int) else CheckOfTable(item, place)
                    by_item.setdefault(call.function, []).append(part)
            case _:
                pass

    for table, policy in bound_policies(state):
        for id in items_named(policy) - {table.id}:
            by_item.setdefault(id, []).append(TablePolicy(table, policy))

    def dependents(object: Droppable) -> list[Droppable]:
        match object:
            case Schema(oid=oid):
                return by_schema.get(oid, [])
            case Item(id=id):
                return by_item.get(id, [])
            case TableColumn():
                return _using(state, object)
            case ColumnDefault() | TableForeignKey() | CheckOfTable() | TablePolicy():
                return []

    return dependents


def _made_by(table: Item, column: int) -> TableColumn | ColumnDefault:
    """Returns what goes with the text by which a column is made: a generated column itself, or the DEFAULT."""
    return TableColumn(table, column, ()) if is_generated(table, column) else ColumnDefault(table, column)


def _using(state: CatalogState, column: TableColumn) -> list[Droppable]:
    """Returns the objects that can't exist without a column: foreign keys first, which need its index as well."""
    table, at = column.table, column.column
    keys = [TableForeignKey(child, key) for child, key in state.referencing(table.id) if at in key.parent_columns]
    assert isinstance(table.definition, Table)
    keys += [TableForeignKey(table, key) for key in table.definition.foreign_keys if at in key.columns]
    owned = []
    for item in state.owned_sequences(table.id):
        owner = item.definition.owned_by if isinstance(item.definition, SequenceDefinition) else None
        owned += [item] if owner is not None and owner.column == at else []
    users = sorted((state.items[id] for id in column.users), key=lambda item: -item.oid)
    policies = (TablePolicy(*reading) for reading in policies_reading(state, table, at))
    return [*reversed(keys), *owned, *policies, *users]


def _named(state: CatalogState, default: str | None) -> list[GlobalId]:
    """Returns the relations that a DEFAULT names."""
    oids = () if default is None else relations_named(default)
    return [state.item_ids_by_oid[oid] for oid in oids if oid in state.item_ids_by_oid]
