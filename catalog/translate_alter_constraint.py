"""ALTER TABLE … ADD, DROP and RENAME CONSTRAINT: names to changes, with PostgreSQL's errors and notices."""

from __future__ import annotations

from collections.abc import Callable

from catalog.allocate import IdAllocator
from catalog.changes import AlterTable, Change, DropItems, RenameItem
from catalog.constraints import TableConstraint, constraints_of
from catalog.items import Index, Item
from catalog.notices import Notice, skipping
from catalog.state import CatalogState
from catalog.table_changes import (
    AddedTableCheck,
    DroppedTableCheck,
    RenamedTableCheck,
    RequiredColumns,
    missing_constraint,
    require_free,
)
from catalog.targets import DdlSession, find_relation, named_item, require_kind
from catalog.translate_constraints import NewNames, key_index, named_checks
from catalog.view import references_to
from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate
from planner.catalog_view import KeyKind, QualifiedName
from planner.constraint_plans import (
    AddConstraintPlan,
    DropConstraintPlan,
    NewCheck,
    NewKey,
    RenameConstraintPlan,
)
from planner.plans import ObjectKind

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
            (named,) = named_checks((check,), columns, names)
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


def translate_drop_constraint(plan: DropConstraintPlan, state: CatalogState, session: DdlSession) -> _Outcome:
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
        return (DropItems((found.rule.id,), False, session.search_path),), ()
    return (AlterTable(table.id, DroppedTableCheck(found.name)),), ()


def translate_rename_constraint(plan: RenameConstraintPlan, state: CatalogState, session: DdlSession) -> _Outcome:
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
    return (AlterTable(table.id, RenamedTableCheck(found.name, plan.new_name)),), ()


def _table(plan: DropConstraintPlan | RenameConstraintPlan, state: CatalogState, session: DdlSession) -> Item | Notice:
    if plan.if_exists and find_relation(state, session, plan.name) is None:
        return skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'relation "{plan.name[-1]}" does not exist')
    item = named_item(state, session, plan.name)
    require_kind(item, ObjectKind.TABLE)
    return item


def _named(state: CatalogState, table: Item, name: str) -> TableConstraint | None:
    return next((each for each in constraints_of(state, table) if each.name == name), None)
