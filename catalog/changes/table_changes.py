"""Changes of a table's columns and checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from catalog.changes.policies import (
    AddedPolicy,
    ChangedPolicy,
    DroppedPolicy,
    RowSecurityChange,
    SwitchedRowSecurity,
    altered_row_security,
    policies_reading,
)
from catalog.changes.retyped_column import RetypedDefinition, retyped_table, widened_table
from catalog.facts.constraints import constraints_of
from catalog.nouns.items import FunctionDefinition, Index, Item, MaterializedView, Table, View
from catalog.nouns.sinks import Sink
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.column_layout import RETYPED, dropped_name
from model.types.decimals_columns import with_added_column
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TypeName, nameless
from planner.catalog_view import GeneratedColumn, TableCheck
from planner.plans.foreign_keys import ForeignKey
from planner.scope.system_columns import SYSTEM_COLUMNS

_COLUMNS_MAX = 1600
_CHECKS_MAX = 400
"""Fewer than there are numbers for parts of a table."""


@dataclass(frozen=True, slots=True)
class AddedTableCheck:
    check: TableCheck


@dataclass(frozen=True, slots=True)
class DroppedTableCheck:
    name: str


@dataclass(frozen=True, slots=True)
class RenamedTableCheck:
    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class RequiredColumns:
    """The columns at these positions become NOT NULL."""

    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OptionalColumn:
    """The column at this position may be NULL again."""

    column: int


@dataclass(frozen=True, slots=True)
class PlainColumn:
    """The generated column at this position becomes one that is given its values."""

    column: int


@dataclass(frozen=True, slots=True)
class AddedColumn:
    """Adds a column at the end, with `default` as in Table and `reads` as in ColumnDefinition. Existing rows have NULL
    there."""

    column: ColumnDesc
    default: str | None
    reads: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class DroppedColumn:
    """Drops the column at a position, with the table's constraints on it. All other objects that named the column have
    been dropped before: `users` are the definitions that named the table during planning; the change fails if the table
    has more users by now."""

    column: int
    users: tuple[GlobalId, ...]


@dataclass(frozen=True, slots=True)
class RetypedColumn:
    """Replaces the column at a position by the last column, which was added to replace it. No view names the old
    column: `users` are the definitions that named the table during planning; the change fails if the table has more
    users by now."""

    column: int
    users: tuple[GlobalId, ...]


@dataclass(frozen=True, slots=True)
class WidenedColumn:
    """Replaces the numeric column at a position, without modifier, by a wide column; existing rows are read as those of
    the wide column. `users`: the dependents of the table during planning; the change fails if the table has more by
    now. `retyped`: the views and indexes whose columns become wide, with the definitions before and
    after."""

    column: int
    users: frozenset[GlobalId]
    retyped: tuple[tuple[GlobalId, RetypedDefinition, RetypedDefinition], ...] = ()


@dataclass(frozen=True, slots=True)
class NamelessColumn:
    """The type of the column at this position keeps its stored values, and is made of no user's type any more."""

    column: int


@dataclass(frozen=True, slots=True)
class ChangedDefault:
    """Sets the DEFAULT of the column at this position, to SQL text or None."""

    column: int
    default: str | None


@dataclass(frozen=True, slots=True)
class AddedForeignKey:
    key: ForeignKey


@dataclass(frozen=True, slots=True)
class DroppedForeignKey:
    name: str


@dataclass(frozen=True, slots=True)
class RenamedForeignKey:
    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class ValidatedForeignKey:
    name: str


@dataclass(frozen=True, slots=True)
class TimedForeignKey:
    """Changes when a foreign key is checked."""

    name: str
    deferrable: bool
    deferred: bool


ForeignKeyChange = AddedForeignKey | DroppedForeignKey | RenamedForeignKey | ValidatedForeignKey | TimedForeignKey
TableChange = (
    RowSecurityChange
    | ForeignKeyChange
    | AddedTableCheck
    | DroppedTableCheck
    | RenamedTableCheck
    | RequiredColumns
    | OptionalColumn
    | PlainColumn
    | AddedColumn
    | DroppedColumn
    | RetypedColumn
    | WidenedColumn
    | NamelessColumn
    | ChangedDefault
)


def altered_table(state: CatalogState, item: Item, change: TableChange) -> Item:
    """Returns the table after a change of its columns, constraints, row security or defaults. Raises SqlError 42710 for
    a constraint's name that is taken, 42704 for one that is missing."""
    table = item.definition
    assert isinstance(table, Table), "translated for a table"
    match change:
        case AddedTableCheck(check):
            require_free(state, item, check.name)
            return _with_checks(item, table, (*table.checks, check))
        case DroppedTableCheck(name):
            found = _named(item, table, name)
            return _with_checks(item, table, (check for check in table.checks if check != found))
        case RenamedTableCheck(name, new_name):
            require_free(state, item, new_name)
            found = _named(item, table, name)
            renamed = replace(found, name=new_name)
            return _with_checks(item, table, (renamed if check == found else check for check in table.checks))
        case RequiredColumns(columns):
            required = (
                replace(column, nullable=column.nullable and at not in columns)
                for at, column in enumerate(table.desc.columns)
            )
            return replace(item, definition=replace(table, desc=RelationDesc(tuple(required))))
        case AddedForeignKey() | DroppedForeignKey() | RenamedForeignKey() | ValidatedForeignKey() | TimedForeignKey():
            return replace(item, definition=_with_foreign_key(state, item, table, change))
        case OptionalColumn(at):
            columns_ = list(table.desc.columns)
            columns_[at] = replace(columns_[at], nullable=True)
            return replace(item, definition=replace(table, desc=RelationDesc(tuple(columns_))))
        case PlainColumn(at):
            defaults = (*table.defaults[:at], None, *table.defaults[at + 1 :])
            left = tuple(each for each in table.generated if each.column != at)
            return replace(item, definition=replace(table, defaults=defaults, generated=left))
        case AddedColumn():
            return _with_column(item, table, change)
        case DroppedColumn(at, users):
            return _without_column(state, item, table, at, users)
        case RetypedColumn(at, users):
            _require_users(state, item, at, users)
            return replace(item, definition=retyped_table(item, table, at))
        case WidenedColumn(at, users):
            if at not in item.layout.numbers or not dependents_of(state, item.id) <= users:
                raise _used_meanwhile()
            wide = ColumnDesc(RETYPED, replace(table.desc.columns[at].type, name=TypeName.WIDE))
            added = _with_column(item, table, AddedColumn(wide, None))
            return replace(item, definition=widened_table(added, at))
        case NamelessColumn(at):
            plain = list(table.desc.columns)
            plain[at] = replace(plain[at], type=nameless(plain[at].type))
            return replace(item, definition=replace(table, desc=RelationDesc(tuple(plain))))
        case SwitchedRowSecurity() | AddedPolicy() | ChangedPolicy() | DroppedPolicy():
            return replace(item, definition=replace(table, row_security=altered_row_security(state, item, change)))
        case ChangedDefault(at, default):
            defaults = (*table.defaults[:at], default, *table.defaults[at + 1 :])
            return replace(item, definition=replace(table, defaults=defaults))
        case _:
            assert_never(change)


def require_no_system_column(name: str) -> None:
    """Raises 42701 for the name of a system column, which a column of stored rows would hide."""
    if name in SYSTEM_COLUMNS:
        message = f'column name "{name}" conflicts with a system column name'
        raise SqlError(Sqlstate.DUPLICATE_COLUMN, message)


def _with_column(item: Item, table: Table, added: AddedColumn) -> Item:
    column, at = added.column, table.desc.arity
    require_no_system_column(column.name)
    if column.name in table.desc.names:
        message = f'column "{column.name}" of relation "{item.name}" already exists'
        raise SqlError(Sqlstate.DUPLICATE_COLUMN, message)
    if len(item.layout.stored) >= _COLUMNS_MAX:
        raise SqlError(Sqlstate.TOO_MANY_COLUMNS, f"tables can have at most {_COLUMNS_MAX} columns")
    desc = with_added_column(table.desc, column)
    hidden = desc.arity - at - 1
    layout = item.layout.with_added(at) if hidden or table.layout is not None else None
    generated = table.generated if added.reads is None else (*table.generated, GeneratedColumn(at, added.reads))
    defaults = (*table.defaults, added.default, *(None,) * hidden)
    return replace(item, definition=replace(table, desc=desc, defaults=defaults, layout=layout, generated=generated))


def _without_column(state: CatalogState, item: Item, table: Table, at: int, users: tuple[GlobalId, ...]) -> Item:
    """Turns a column into a stored column of NULLs without a name; raises 40001 when a definition has come to use it
    meanwhile."""
    _require_users(state, item, at, users)
    if any(policies_reading(state, item, at)):
        raise _used_meanwhile()
    columns = list(table.desc.columns)
    columns[at] = ColumnDesc(dropped_name(at + 1), nameless(columns[at].type))
    left = replace(
        table,
        desc=RelationDesc(tuple(columns)),
        defaults=(*table.defaults[:at], None, *table.defaults[at + 1 :]),
        checks=tuple(check for check in table.checks if at not in check.columns),
        foreign_keys=tuple(key for key in table.foreign_keys if at not in key.columns),
        layout=item.layout.without(at),
        generated=tuple(each for each in table.generated if each.column != at),
    )
    return replace(item, definition=left)


def dependents_of(state: CatalogState, table: GlobalId) -> frozenset[GlobalId]:
    """Returns all items that depend on a table, directly or through others."""
    found, waiting = set[GlobalId](), [table]
    while waiting:
        new = {item.id for item in state.dependents(waiting.pop())} - found
        found |= new
        waiting += new
    return frozenset(found)


def _require_users(state: CatalogState, item: Item, at: int, users: tuple[GlobalId, ...]) -> None:
    if at not in item.layout.numbers or not frozenset(naming(state, item.id)) <= frozenset(users):
        raise _used_meanwhile()


def _used_meanwhile() -> SqlError:
    message = "what names the table was created, or its columns dropped, by a concurrent statement"
    return SqlError(Sqlstate.SERIALIZATION_FAILURE, message)


def naming(state: CatalogState, table: GlobalId) -> tuple[GlobalId, ...]:
    """Returns the views, indexes, sinks and functions whose definitions name a table."""
    definitions = ((id, item.definition) for id, item in state.items.items())
    return tuple(
        id
        for id, definition in definitions
        if (isinstance(definition, Sink) and definition.source_id == table)
        or (
            isinstance(definition, View | MaterializedView | Index | FunctionDefinition)
            and any(reference.id == table for reference in definition.references)
        )
    )


def _with_foreign_key(
    state: CatalogState,
    item: Item,
    table: Table,
    change: ForeignKeyChange,
) -> Table:
    keys = table.foreign_keys
    if isinstance(change, AddedForeignKey):
        require_free(state, item, change.key.name)
        if change.key.key not in state.items:
            name = state.items[change.key.parent].name if change.key.parent in state.items else ""
            message = f'there is no unique constraint matching given keys for referenced table "{name}"'
            raise SqlError(Sqlstate.INVALID_FOREIGN_KEY, message)
        return replace(table, foreign_keys=(*keys, change.key))
    found = next((key for key in keys if key.name == change.name), None)
    if found is None:
        raise missing_constraint(item, change.name)
    if isinstance(change, DroppedForeignKey):
        return replace(table, foreign_keys=tuple(key for key in keys if key != found))
    if isinstance(change, RenamedForeignKey):
        require_free(state, item, change.new_name)
        changed = replace(found, name=change.new_name)
    elif isinstance(change, TimedForeignKey):
        rule = replace(found.rule, deferrable=change.deferrable, deferred=change.deferred)
        changed = replace(found, rule=rule)
    else:
        changed = replace(found, rule=replace(found.rule, validated=True))
    return replace(table, foreign_keys=tuple(changed if key == found else key for key in keys))


def require_free(state: CatalogState, item: Item, name: str) -> None:
    """Raises 42710 for a name that another constraint of the table has."""
    if any(each.name == name for each in constraints_of(state, item)):
        message = f'constraint "{name}" for relation "{item.name}" already exists'
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, message)


def missing_constraint(item: Item, name: str) -> SqlError:
    message = f'constraint "{name}" of relation "{item.name}" does not exist'
    return SqlError(Sqlstate.UNDEFINED_OBJECT, message)


def _with_checks(item: Item, table: Table, checks: Iterable[TableCheck]) -> Item:
    """Sorts checks into the order in which they are tested."""
    ordered = tuple(sorted(checks, key=lambda check: check.name))
    if len(ordered) > _CHECKS_MAX:
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, f"a table can have at most {_CHECKS_MAX} CHECK constraints")
    return replace(item, definition=replace(table, checks=ordered))


def _named(item: Item, table: Table, name: str) -> TableCheck:
    found = next((check for check in table.checks if check.name == name), None)
    if found is None:
        raise missing_constraint(item, name)
    return found
