"""ALTER … RENAME: names to changes, with PostgreSQL's errors and notices."""

from __future__ import annotations

from catalog.changes.change import Change, RenameColumn, RenameDatabase, RenameItem, RenameSchema
from catalog.lookup.targets import DdlSession, find_relation, kind_of, missing_place, not_a, user_item
from catalog.nouns.notices import Notice, skipping
from catalog.state.catalog_state import CatalogState
from catalog.translation.access_objects import translate_rename_access
from catalog.translation.types import named_domain, named_type, refuse_in_defaults
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.objects import ObjectKind, RenamePlan
from planner.temporary_schema import is_temporary

_PARTICULAR = (ObjectKind.VIEW, ObjectKind.MATERIALIZED_VIEW, ObjectKind.SEQUENCE, ObjectKind.SOURCE)
_Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]


def translate_rename(plan: RenamePlan, state: CatalogState, session: DdlSession) -> _Outcome:
    match plan.kind:
        case ObjectKind.SECRET | ObjectKind.CONNECTION | ObjectKind.SINK:
            return translate_rename_access(plan, state, session)
        case ObjectKind.TYPE | ObjectKind.DOMAIN:
            named = named_type if plan.kind is ObjectKind.TYPE else named_domain
            item = named(state, session, plan.name)
            refuse_in_defaults(state, item)
            return (RenameItem(item.id, plan.new_name),), ()
        case ObjectKind.SCHEMA:
            return _rename_schema(plan, state, session)
        case ObjectKind.DATABASE:
            return _rename_database(plan, state, session)
        case _:
            return _rename_item(plan, state, session)


def _rename_item(plan: RenamePlan, state: CatalogState, session: DdlSession) -> _Outcome:
    missing = missing_place(state, session, plan.name)
    found = None if missing is not None else find_relation(state, session, plan.name)
    if found is None:
        if plan.if_exists:
            message = f'relation "{plan.name[-1]}" does not exist'
            return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, message),)
        name = ".".join(plan.name)
        raise missing or SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{name}" does not exist')
    # ALTER TABLE and ALTER INDEX rename whatever it is; ALTER VIEW renames nothing else.
    if plan.kind in _PARTICULAR and kind_of(found).value != plan.kind.value:
        raise not_a(plan.kind, found.name.name)
    item = user_item(state, found)
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
        return (RenameSchema(schema.oid, plan.new_name),), ()
    if plan.if_exists:
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'schema "{name}" does not exist'),)
    raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')


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
