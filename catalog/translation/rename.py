"""ALTER … RENAME, … SET SCHEMA and … SWAP WITH: names to changes, with PostgreSQL's errors and notices."""

from __future__ import annotations

from catalog.changes.change import (
    Change,
    MoveItem,
    RenameColumn,
    RenameDatabase,
    RenameItem,
    RenameSchema,
    SwapItems,
    SwapSchemas,
)
from catalog.lookup.targets import (
    DdlSession,
    find_relation,
    kind_of,
    missing_place,
    named_item,
    not_a,
    require_kind,
    user_item,
)
from catalog.nouns.items import Index, Item, MaterializedView, SequenceDefinition, Table, View
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.system_schemas import system_schema_named
from catalog.state.catalog_state import CatalogState
from catalog.translation.access_objects import translate_rename_access
from catalog.translation.functions import find_function, refuse_in_routines, refuse_named, refuse_named_within
from catalog.translation.types import named_domain, named_type
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemView
from planner.plans.objects import MovePlan, ObjectKind, RenamePlan, SwapPlan
from planner.temporary_schema import ALIAS, is_temporary, own_name

_PARTICULAR = (ObjectKind.VIEW, ObjectKind.MATERIALIZED_VIEW, ObjectKind.SEQUENCE, ObjectKind.SOURCE)
_Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]


def translate_rename(plan: RenamePlan, state: CatalogState, session: DdlSession) -> _Outcome:
    if plan.function is not None:
        renamed = find_function(state, session, plan.function)
        refuse_named(state, renamed, "renaming")
        return (RenameItem(renamed.id, plan.new_name),), ()
    match plan.kind:
        case ObjectKind.SECRET | ObjectKind.CONNECTION | ObjectKind.SINK:
            return translate_rename_access(plan, state, session)
        case ObjectKind.TYPE | ObjectKind.DOMAIN:
            item = _type_meant(plan, state, session)
            return (RenameItem(item.id, plan.new_name),), ()
        case ObjectKind.SCHEMA:
            return _rename_schema(plan, state, session)
        case ObjectKind.DATABASE:
            return _rename_database(plan, state, session)
        case _:
            return _rename_item(plan, state, session)


def translate_move(plan: MovePlan, state: CatalogState, session: DdlSession) -> _Outcome:
    if plan.function is not None:
        item = find_function(state, session, plan.function)
        refuse_named(state, item, "moving")
    elif plan.kind in (ObjectKind.TYPE, ObjectKind.DOMAIN):
        item = _type_meant(plan, state, session)
    else:
        found = _relation(plan, state, session)
        if found is None:
            return (), (_skipped(plan),)
        item = user_item(state, found)
        _require_movable(state, item)
        refuse_in_routines(state, item, "moving")
    if plan.schema == ALIAS:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "cannot move objects into or out of temporary schemas")
    if system_schema_named(plan.schema) is not None:
        detail = "System catalog modifications are currently disallowed."
        message = f'permission denied to create "{plan.schema}.{item.name}"'
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail=detail)
    schema = state.schema_named(state.schemas[item.schema].database, own_name(plan.schema, session.search_path))
    if schema is None:
        raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{plan.schema}" does not exist')
    return (MoveItem(item.id, schema.oid),), ()


def _type_meant(plan: RenamePlan | MovePlan, state: CatalogState, session: DdlSession) -> Item:
    """Returns the type or domain that a plan names; raises 42809 for the rows' type of a relation."""
    if plan.kind is ObjectKind.DOMAIN:
        item = named_domain(state, session, plan.name)
    else:
        item = named_type(state, session, plan.name)
    return item


def _require_movable(state: CatalogState, item: Item) -> None:
    """Raises SqlError for an index, for the sequence of a column, and for the parts of sources and sinks."""
    match item.definition:
        case Index():
            message, hint = f'cannot change schema of index "{item.name}"', "Change the schema of the table instead."
            raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message, hint=hint)
        case SequenceDefinition(owned_by=owner) if owner is not None:
            message = "cannot move an owned sequence into another schema"
            detail = f'Sequence "{item.name}" is linked to table "{state.items[owner.table].name}".'
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=detail)
        case Table() | View() | MaterializedView() | SequenceDefinition():
            return
        case _:
            raise NotSupported(f"SET SCHEMA of a {item.kind.value}")


def _relation(plan: RenamePlan | MovePlan, state: CatalogState, session: DdlSession) -> ItemView | None:
    """Returns the relation that a plan names; None for a missing relation after IF EXISTS."""
    missing = missing_place(state, session, plan.name)
    found = None if missing is not None else find_relation(state, session, plan.name)
    if found is None:
        if plan.if_exists:
            return None
        name = ".".join(plan.name)
        raise missing or SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{name}" does not exist')
    # ALTER TABLE and ALTER INDEX take whatever it is; ALTER VIEW takes nothing else.
    if plan.kind in _PARTICULAR and kind_of(found).value != plan.kind.value:
        raise not_a(plan.kind, found.name.name)
    return found


def _skipped(plan: RenamePlan | MovePlan) -> Notice:
    return skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'relation "{plan.name[-1]}" does not exist')


def _rename_item(plan: RenamePlan, state: CatalogState, session: DdlSession) -> _Outcome:
    found = _relation(plan, state, session)
    if found is None:
        return (), (_skipped(plan),)
    item = user_item(state, found)
    refuse_in_routines(state, item, "renaming" if plan.column is None else "renaming a column of")
    if plan.column is not None:
        return (RenameColumn(item.id, plan.column, plan.new_name),), ()
    return (RenameItem(item.id, plan.new_name),), ()


def _rename_schema(plan: RenamePlan, state: CatalogState, session: DdlSession) -> _Outcome:
    name = plan.name[-1]
    if is_temporary(name):
        # Relations are temporary by the name of their schema.
        raise NotSupported("renaming a temporary schema")
    database = state.database_named(plan.name[0] if len(plan.name) == 2 else session.database)
    schema = None if database is None else state.schema_named(database.oid, name)
    if schema is not None:
        refuse_named_within(state, schema.oid)
        return (RenameSchema(schema.oid, plan.new_name),), ()
    if plan.if_exists:
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'schema "{name}" does not exist'),)
    raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')


def translate_swap(plan: SwapPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    if plan.kind is ObjectKind.SCHEMA:
        return _swap_schemas(plan, state, session)
    item = named_item(state, session, plan.name)
    require_kind(item, plan.kind)
    other = state.item_named(item.schema, plan.other)
    if other is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{plan.other}" does not exist')
    require_kind(other, plan.kind)
    refuse_in_routines(state, item, "renaming")
    refuse_in_routines(state, other, "renaming")
    return (SwapItems(item.id, other.id),), ()


def _swap_schemas(plan: SwapPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    """Exchanges two schemas' names. What refers to objects of either refers to the same ones afterwards: objects are
    bound by id."""
    if is_temporary(plan.name[-1]) or is_temporary(plan.other):
        raise NotSupported("renaming a temporary schema")
    database = state.database_named(session.database)
    assert database is not None
    one, other = (state.schema_named(database.oid, name) for name in (plan.name[-1], plan.other))
    for name, found in ((plan.name[-1], one), (plan.other, other)):
        if found is None:
            raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')
    assert one is not None and other is not None
    if one is other:
        return (), ()
    refuse_named_within(state, one.oid)
    refuse_named_within(state, other.oid)
    return (SwapSchemas(one.oid, other.oid),), ()


def _rename_database(plan: RenamePlan, state: CatalogState, session: DdlSession) -> _Outcome:
    name = plan.name[-1]
    database = state.database_named(name)
    if database is None:
        if plan.if_exists:
            return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'database "{name}" does not exist'),)
        raise SqlError(Sqlstate.INVALID_CATALOG_NAME, f'database "{name}" does not exist')
    if name == session.database:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "current database cannot be renamed")
    return (RenameDatabase(database.oid, plan.new_name),), ()
