"""ALTER TABLE … ADD, DROP and RENAME CONSTRAINT: names to changes, with PostgreSQL's errors and notices."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from catalog.changes.change import AlterTable, Change, DropItems, RenameItem
from catalog.changes.drops import cascade_notice, dropped_with
from catalog.changes.table_changes import (
    AddedTableCheck,
    DroppedForeignKey,
    DroppedTableCheck,
    RenamedForeignKey,
    RenamedTableCheck,
    RequiredColumns,
    TableChange,
    TimedForeignKey,
    ValidatedForeignKey,
    missing_constraint,
    require_free,
)
from catalog.facts.constraints import TableConstraint, constraints_of
from catalog.lookup.planner_view import references_to
from catalog.lookup.targets import DdlSession, find_relation, named_item, require_kind
from catalog.nouns.items import Index, Item
from catalog.nouns.notices import Notice, skipping
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.constraints import NewNames, added_foreign_key, indexes_on, key_index, named_checks
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.catalog_view import KeyKind, QualifiedName
from planner.plans.constraints import (
    AddConstraintPlan,
    AlterConstraintPlan,
    DropConstraintPlan,
    NewCheck,
    NewKey,
    RenameConstraintPlan,
    ValidateConstraintPlan,
)
from planner.plans.foreign_keys import ForeignKey, NewForeignKey
from planner.plans.objects import ObjectKind

_Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]
_Create = Callable[[QualifiedName, Index, GlobalId], Change]


def translate_add_constraint(
    plan: AddConstraintPlan, state: CatalogState, allocator: IdAllocator, create: _Create
) -> _Outcome:
    table = state.items.get(plan.target)
    if table is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f"relation with id {plan.target} no longer exists")
    place, columns = state.full_name(table), table.desc.names
    own = [constraint.name for constraint in constraints_of(state, table)]
    names = NewNames(state, place, own)
    match plan.constraint:
        case NewCheck() as check:
            (named,) = named_checks((check,), columns, names, allocator.oid)
            return (AlterTable(table.id, AddedTableCheck(named)),), ()
        case NewKey() as key:
            name = names.of_key(key, columns)
            (reference,) = references_to(state, [table.id])
            id_ = allocator.user_id()
            index = key_index(key, table.desc, reference, id_)
            created = create(QualifiedName(place.database, place.schema, name), index, id_)
            if key.rule.kind is not KeyKind.PRIMARY:
                return (created,), ()
            return (AlterTable(table.id, RequiredColumns(key.columns)), created), ()
        case NewForeignKey() as foreign:
            name = names.of_foreign_key(foreign, columns)
            indexes = indexes_on(state, table.id if foreign.parent is None else foreign.parent)
            return (added_foreign_key(foreign, name, table.id, indexes, allocator.oid()),), ()


def translate_alter_constraint(
    plan: DropConstraintPlan | ValidateConstraintPlan | AlterConstraintPlan | RenameConstraintPlan,
    state: CatalogState,
    session: DdlSession,
) -> _Outcome:
    """Translates a change of an existing constraint."""
    match plan:
        case DropConstraintPlan():
            return _drop(plan, state, session)
        case ValidateConstraintPlan():
            return _validate(plan, state)
        case AlterConstraintPlan():
            return _time(plan, state)
        case RenameConstraintPlan():
            return _rename(plan, state, session)
        case _:
            assert_never(plan)


def _drop(plan: DropConstraintPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    table = _table(plan, state, session)
    if isinstance(table, Notice):
        return (), (table,)
    found = _named(state, table, plan.constraint)
    if found is None and plan.missing_ok:
        message = missing_constraint(table, plan.constraint).message
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, message),)
    if found is None:
        raise missing_constraint(table, plan.constraint)
    if isinstance(found.rule, Item):
        notice = cascade_notice(state, dropped_with(state, [found.rule]), session.search_path) if plan.cascade else None
        told = () if notice is None else (Notice(Sqlstate.SUCCESSFUL_COMPLETION, *notice),)
        return (DropItems((found.rule.id,), plan.cascade, session.search_path),), told
    foreign = isinstance(found.rule, ForeignKey)
    change: TableChange = DroppedForeignKey(found.name) if foreign else DroppedTableCheck(found.name)
    return (AlterTable(table.id, change),), ()


def _validate(plan: ValidateConstraintPlan, state: CatalogState) -> _Outcome:
    """Answers VALIDATE CONSTRAINT with no change: a check has always been validated."""
    table, found = _found(plan, state)
    if isinstance(found.rule, Item):
        message = f'constraint "{plan.constraint}" of relation "{table.name}" is not a foreign key or check constraint'
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message)
    if isinstance(found.rule, ForeignKey) and not found.rule.rule.validated:
        return (AlterTable(table.id, ValidatedForeignKey(found.name)),), ()
    return (), ()


def _time(plan: AlterConstraintPlan, state: CatalogState) -> _Outcome:
    table, found = _found(plan, state)
    if not isinstance(found.rule, ForeignKey):
        message = f'constraint "{plan.constraint}" of relation "{table.name}" is not a foreign key constraint'
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message)
    return (AlterTable(table.id, TimedForeignKey(found.name, plan.deferrable, plan.deferred)),), ()


def _found(plan: ValidateConstraintPlan | AlterConstraintPlan, state: CatalogState) -> tuple[Item, TableConstraint]:
    table = state.items.get(plan.target)
    found = None if table is None else _named(state, table, plan.constraint)
    if table is None or found is None:
        name = "" if table is None else table.name
        message = f'constraint "{plan.constraint}" of relation "{name}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, message)
    return table, found


def _rename(plan: RenameConstraintPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    table = _table(plan, state, session)
    if isinstance(table, Notice):
        return (), (table,)
    found = _named(state, table, plan.constraint)
    if found is None:
        message = f'constraint "{plan.constraint}" for table "{table.name}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, message)
    if isinstance(found.rule, Item):
        return (RenameItem(found.rule.id, plan.new_name),), ()
    require_free(state, table, plan.new_name)
    foreign = isinstance(found.rule, ForeignKey)
    renamed = RenamedForeignKey if foreign else RenamedTableCheck
    return (AlterTable(table.id, renamed(found.name, plan.new_name)),), ()


def _table(plan: DropConstraintPlan | RenameConstraintPlan, state: CatalogState, session: DdlSession) -> Item | Notice:
    if plan.if_exists and find_relation(state, session, plan.name) is None:
        return skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'relation "{plan.name[-1]}" does not exist')
    item = named_item(state, session, plan.name)
    require_kind(item, ObjectKind.TABLE)
    return item


def _named(state: CatalogState, table: Item, name: str) -> TableConstraint | None:
    return next((each for each in constraints_of(state, table) if each.name == name), None)
