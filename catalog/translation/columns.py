"""ALTER TABLE … ADD and ALTER COLUMN: names to changes, with PostgreSQL's errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from catalog.changes.change import AlterSequence, AlterTable, Change, CreateItem, DropItems
from catalog.changes.table_changes import (
    AddedColumn,
    ChangedDefault,
    OptionalColumn,
    PlainColumn,
    RequiredColumns,
    TableChange,
)
from catalog.nouns.items import Item, SequenceDefinition
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.sequence import column_sequence, identity_sequence
from catalog.translation.set_type import translate_set_type
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.catalog_view import QualifiedName
from planner.plans.alter_table import (
    AddColumnPlan,
    AddIdentityPlan,
    DropExpressionPlan,
    DropIdentityPlan,
    SetDefaultPlan,
    SetIdentityPlan,
    SetNotNullPlan,
    SetTypePlan,
)

ColumnPlan = (
    AddColumnPlan
    | SetDefaultPlan
    | DropExpressionPlan
    | AddIdentityPlan
    | SetIdentityPlan
    | DropIdentityPlan
    | SetNotNullPlan
    | SetTypePlan
)
"""The actions of ALTER TABLE that are about one column, but for dropping it."""
_Create = Callable[[QualifiedName, SequenceDefinition, GlobalId], CreateItem]


def translate_alter_column(
    plan: ColumnPlan,
    state: CatalogState,
    allocator: IdAllocator,
    create: _Create,
) -> tuple[Change, ...]:
    table = state.items.get(plan.target)
    if table is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f"relation with id {plan.target} no longer exists")
    match plan:
        case AddColumnPlan(column=column, default=default, sequence=sequence):
            made: tuple[Change, ...] = ()
            if sequence is not None:
                place = state.full_name(table), column.name, table.desc.arity
                created, default = column_sequence(sequence, table.id, place, state, allocator, create)
                made = (created,)
            return (*made, AlterTable(table.id, AddedColumn(column, default, plan.reads)))
        case SetTypePlan():
            return translate_set_type(plan, state)
        case SetDefaultPlan(column=name, default=default):
            return (AlterTable(table.id, ChangedDefault(_position(table, name), default)),)
        case AddIdentityPlan(column=name, sequence=sequence):
            place = state.full_name(table), name, _position(table, name)
            return (column_sequence(sequence, table.id, place, state, allocator, create)[0],)
        case SetIdentityPlan(column=name, identity=identity):
            found = identity_sequence(state, table.id, _position(table, name))
            if found is None or identity is None:
                return ()
            definition = found.definition
            assert isinstance(definition, SequenceDefinition) and definition.owned_by is not None
            owner = replace(definition.owned_by, identity=identity)
            return (AlterSequence(found.id, replace(definition, owned_by=owner)),)
        case DropIdentityPlan(column=name):
            found = identity_sequence(state, table.id, _position(table, name))
            return () if found is None else (DropItems((found.id,), cascade=False),)
        case DropExpressionPlan(column=name):
            return (AlterTable(table.id, PlainColumn(_position(table, name))),)
        case SetNotNullPlan(column=name, nullable=nullable):
            at = _position(table, name)
            change: TableChange = OptionalColumn(at) if nullable else RequiredColumns((at,))
            if table.desc.columns[at].nullable is nullable:
                return ()
            return (AlterTable(table.id, change),)
        case _:
            assert_never(plan)


def _position(table: Item, name: str) -> int:
    """Returns the place of the column with this name. Raises SqlError 42703 when the table lacks the column."""
    if name not in table.desc.names:
        message = f'column "{name}" of relation "{table.name}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
    return table.desc.names.index(name)
