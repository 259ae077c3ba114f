"""DROP of relations, schemas, databases and left replication slots: names to changes, with PostgreSQL's errors and
notices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from catalog.changes.change import Change, DropDatabase, DropItems, DropSchemas, ForgetSlot
from catalog.changes.drops import Droppable, cascade_notice, dropped_with
from catalog.facts.constraints import is_constraint
from catalog.lookup.large_objects import SCHEMA as LARGE_OBJECTS
from catalog.lookup.targets import DdlSession, find_relation, is_table_of_source, kind_of, missing_place, not_a
from catalog.nouns.items import Index, Item, MultirangeDefinition
from catalog.nouns.names import quote
from catalog.nouns.notices import Notice, skipping
from catalog.nouns.system_schemas import system_schema_named
from catalog.state.catalog_state import CatalogState
from catalog.translation.access_objects import translate_drop_access
from catalog.translation.functions import find_function, signature
from catalog.translation.sequence import refuse_identity
from catalog.translation.types import find_type, missing_type, named_domain, refuse_columns
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.catalog_view import ItemKind, ItemView
from planner.plans.objects import DropPlan, ObjectKind

_Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]


def translate_drop(plan: DropPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    match plan.kind:
        case (
            ObjectKind.TABLE
            | ObjectKind.VIEW
            | ObjectKind.MATERIALIZED_VIEW
            | ObjectKind.INDEX
            | ObjectKind.SEQUENCE
            | ObjectKind.SOURCE
        ):
            return _drop_items(plan, state, session)
        case ObjectKind.SECRET | ObjectKind.CONNECTION | ObjectKind.SINK:
            return translate_drop_access(plan, state, session)
        case ObjectKind.REPLICATION_SLOT:
            return _forget_slots(plan, state)
        case ObjectKind.TYPE | ObjectKind.DOMAIN:
            return _drop_types(plan, state, session)
        case ObjectKind.FUNCTION | ObjectKind.PROCEDURE | ObjectKind.ROUTINE:
            return _drop_functions(plan, state, session)
        case ObjectKind.SCHEMA:
            return _drop_schemas(plan, state, session)
        case ObjectKind.DATABASE:
            return _drop_databases(plan, state, session)
        case ObjectKind.CLUSTER:
            raise AssertionError("DROP CLUSTER has a plan of its own")
        case _:
            assert_never(plan.kind)


def _drop_items(plan: DropPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    notices: list[Notice] = []
    ids: dict[GlobalId, None] = {}
    for parts in plan.names:
        missing = missing_place(state, session, parts)
        found = None if missing is not None else find_relation(state, session, parts)
        if found is None:
            error = missing or _missing(plan.kind, parts[-1])
            if not plan.if_exists:
                raise error
            notices.append(skipping(Sqlstate.SUCCESSFUL_COMPLETION, error.message))
            continue
        if not (plan.kind is ObjectKind.TABLE and is_table_of_source(state.items.get(found.id))):
            _require_kind(plan.kind, kind_of(found), found.name.name)
        if found.of_system:
            raise _system_relation(found.name.name, kind_of(found))
        ids[found.id] = None
        if is_constraint(state.items[found.id]):
            raise _required(state, state.items[found.id])
    if not ids:
        return (), tuple(notices)
    for id in ids:
        refuse_identity(state, state.items[id])
    targets = [state.items[id] for id in ids]
    if plan.cascade:
        refuse_columns(state, targets)
    _notice_cascade(plan, state, session, targets, notices)
    return (DropItems(tuple(ids), plan.cascade, session.search_path),), tuple(notices)


def _required(state: CatalogState, key: Item) -> SqlError:
    """Returns the error for an index that a constraint requires: the index is dropped with the constraint."""
    assert isinstance(key.definition, Index)
    constraint = f"constraint {key.name} on table {quote(state.items[key.definition.on.id].name)}"
    return _dropped_with(constraint, f"index {quote(key.name)}")


def _required_by_range(state: CatalogState, multirange: Item) -> SqlError:
    """Returns the error for a multirange type: DROP of the range type drops the multirange type."""
    assert isinstance(multirange.definition, MultirangeDefinition)
    range_ = f"type {quote(state.items[multirange.definition.range_id].name)}"
    return _dropped_with(range_, f"type {quote(multirange.name)}")


def _dropped_with(whole: str, part: str) -> SqlError:
    """Returns the error for DROP of a part that goes with the whole: `cannot drop index t_pkey because …`."""
    return SqlError(
        Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
        f"cannot drop {part} because {whole} requires it",
        hint=f"You can drop {whole} instead.",
    )


def _forget_slots(plan: DropPlan, state: CatalogState) -> _Outcome:
    """Forgets slots that dropped sources have left on servers that won't come back."""
    changes: list[Change] = []
    notices: list[Notice] = []
    for name in dict.fromkeys(".".join(parts) for parts in plan.names):
        if name in state.left_slots:
            changes.append(ForgetSlot(name))
            message = f'replication slot "{name}" is forgotten here; its server may have it still'
            notices.append(Notice(Sqlstate.SUCCESSFUL_COMPLETION, message))
            continue
        message = f'replication slot "{name}" does not exist'
        if not plan.if_exists:
            hint = (
                "Only slots that dropped sources have left can be dropped: see mz_internal.mz_left_replication_slots."
            )
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, message, hint=hint)
        notices.append(skipping(Sqlstate.SUCCESSFUL_COMPLETION, message))
    return tuple(changes), tuple(notices)


def _drop_types(plan: DropPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    notices: list[Notice] = []
    ids: dict[GlobalId, None] = {}
    for parts in plan.names:
        item = find_type(state, session, parts)
        if item is not None:
            if plan.kind is ObjectKind.DOMAIN:
                named_domain(state, session, parts)
            if isinstance(item.definition, MultirangeDefinition):
                raise _required_by_range(state, item)
            ids[item.id] = None
            continue
        error = missing_type(state, session, parts)
        relation = find_relation(state, session, parts)
        if relation is not None and relation.value_type is not None:
            raise _required_by(relation)
        if not plan.if_exists or error.sqlstate is Sqlstate.WRONG_OBJECT_TYPE:
            raise error
        notices.append(skipping(Sqlstate.SUCCESSFUL_COMPLETION, error.message))
    if not ids:
        return (), tuple(notices)
    types = [state.items[id] for id in ids]
    if plan.cascade:
        refuse_columns(state, types)
    _notice_cascade(plan, state, session, types, notices)
    return (DropItems(tuple(ids), plan.cascade, session.search_path),), tuple(notices)


def _required_by(relation: ItemView) -> SqlError:
    """Returns PostgreSQL's error of DROP TYPE for a relation's name."""
    name, kind = quote(relation.name.name), relation.kind.value
    return SqlError(
        Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
        f"cannot drop type {name} because {kind} {name} requires it",
        hint=f"You can drop {kind} {name} instead.",
    )


def _drop_functions(plan: DropPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    notices: list[Notice] = []
    ids: dict[GlobalId, None] = {}
    for ref in plan.functions:
        try:
            ids[find_function(state, session, ref).id] = None
        except SqlError as missing:
            if not plan.if_exists or missing.sqlstate is not Sqlstate.UNDEFINED_FUNCTION:
                raise
            shown = ".".join(ref.parts) if ref.types is None else signature(".".join(ref.parts), ref)
            notices.append(skipping(Sqlstate.SUCCESSFUL_COMPLETION, f"{ref.noun} {shown} does not exist"))
    if not ids:
        return (), tuple(notices)
    functions = [state.items[id] for id in ids]
    if plan.cascade:
        refuse_columns(state, functions)
    _notice_cascade(plan, state, session, functions, notices)
    return (DropItems(tuple(ids), plan.cascade, session.search_path),), tuple(notices)


def _drop_schemas(plan: DropPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    notices: list[Notice] = []
    oids: dict[int, None] = {}
    for parts in plan.names:
        name = parts[-1]
        if system_schema_named(name) is not None or name == LARGE_OBJECTS:
            raise SqlError(
                Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
                f"cannot drop schema {quote(name)} because it is required by the database system",
            )
        database = state.database_named(parts[0] if len(parts) == 2 else session.database)
        schema = None if database is None else state.schema_named(database.oid, name)
        if schema is not None:
            oids[schema.oid] = None
        elif plan.if_exists:
            notices.append(skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'schema "{name}" does not exist'))
        else:
            raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, f'schema "{name}" does not exist')
    if not oids:
        return (), tuple(notices)
    schemas = [state.schemas[oid] for oid in oids]
    if plan.cascade:
        refuse_columns(state, schemas)
    _notice_cascade(plan, state, session, schemas, notices)
    return (DropSchemas(tuple(oids), plan.cascade, session.search_path),), tuple(notices)


def _drop_databases(plan: DropPlan, state: CatalogState, session: DdlSession) -> _Outcome:
    notices: list[Notice] = []
    changes: list[Change] = []
    for parts in plan.names:
        name = parts[-1]
        database = state.database_named(name)
        if database is None:
            if not plan.if_exists:
                raise SqlError(Sqlstate.INVALID_CATALOG_NAME, f'database "{name}" does not exist')
            notices.append(skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'database "{name}" does not exist'))
        elif name == session.database:
            raise SqlError(Sqlstate.OBJECT_IN_USE, "cannot drop the currently open database")
        else:
            changes.append(DropDatabase(database.oid))
    return tuple(changes), tuple(notices)


def _notice_cascade(
    plan: DropPlan, state: CatalogState, session: DdlSession, targets: Sequence[Droppable], notices: list[Notice]
) -> None:
    if not plan.cascade:
        return
    notice = cascade_notice(state, dropped_with(state, targets), session.search_path)
    if notice is not None:
        notices.append(Notice(Sqlstate.SUCCESSFUL_COMPLETION, *notice))


def _missing(kind: ObjectKind, name: str) -> SqlError:
    sqlstate = Sqlstate.UNDEFINED_OBJECT if kind is ObjectKind.INDEX else Sqlstate.UNDEFINED_TABLE
    return SqlError(sqlstate, f'{kind.value} "{name}" does not exist')


def _require_kind(wanted: ObjectKind, found: ItemKind, name: str) -> None:
    if wanted.value == found.value:
        return
    article = "an" if found is ItemKind.INDEX else "a"
    raise not_a(wanted, name, f"Use DROP {found.value.upper()} to remove {article} {found.value}.")


def _system_relation(name: str, kind: ItemKind) -> SqlError:
    if kind is ItemKind.TABLE:
        return SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f'permission denied: "{name}" is a system catalog')
    return SqlError(
        Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
        f"cannot drop view {quote(name)} because it is required by the database system",
    )
