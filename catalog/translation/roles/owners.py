"""ALTER … OWNER TO, REASSIGN OWNED, DROP OWNED."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.changes.change import Change, DropItems, DropSchemas
from catalog.changes.drops import dropped_with, require_no_others
from catalog.changes.roles.role_changes import ChangeOwner, DropAcls
from catalog.facts.roles.decide import has_privileges_of, is_superuser, require_database, require_owner, require_schema
from catalog.facts.roles.predefined import known_role, predefined_roles
from catalog.facts.roles.securables import (
    Securable,
    cluster_securable,
    database_securable,
    item_securable,
    schema_securable,
)
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.targets import DdlSession, find_relation, named_item, require_kind
from catalog.nouns.items import SUPERUSER_OID, Index, Item, Role, SequenceDefinition
from catalog.nouns.notices import Notice, skipping
from catalog.state.catalog_state import CatalogState
from catalog.translation.access_objects import find_access_object
from catalog.translation.functions import find_function
from catalog.translation.roles.named import denied, require_may_become, role_meant
from catalog.translation.types import find_type, missing_type, refuse_columns
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.objects import ObjectKind
from planner.plans.roles import DropOwnedPlan, OwnerPlan, ReassignOwnedPlan

Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]
_WITHOUT_OWN_RIGHTS = (ObjectKind.TYPE, ObjectKind.DOMAIN, ObjectKind.FUNCTION)
"""Of these PostgreSQL sees that nothing is to be done before it asks who asks."""
_ACCESS = (ObjectKind.SECRET, ObjectKind.CONNECTION, ObjectKind.SINK)


def translate_owner(plan: OwnerPlan, state: CatalogState, session: DdlSession) -> Outcome:
    owner = role_meant(state, session, plan.owner)
    if plan.if_exists and _missing(plan, state, session):
        noun = plan.kind.value if plan.kind in (*_ACCESS, ObjectKind.CLUSTER) else "relation"
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, f'{noun} "{plan.name[-1]}" does not exist'),)
    object_ = _object(plan, state, session)
    by = session.role(state)
    if object_.owner == owner.oid:
        # PostgreSQL asks of relations before it sees that there is nothing to do.
        if state.item_by_oid(object_.oid) is not None and plan.kind not in _WITHOUT_OWN_RIGHTS:
            require_owner(state, by, object_)
        return (), ()
    if not is_superuser(state, by):
        require_owner(state, by, object_)
        require_may_become(state, by, owner)
        _require_may_own(state, owner.oid, object_)
    return (ChangeOwner(object_.oid, owner.oid),), ()


def _missing(plan: OwnerPlan, state: CatalogState, session: DdlSession) -> bool:
    if plan.kind is ObjectKind.CLUSTER:
        return state.cluster_named(plan.name[-1]) is None
    if plan.kind in _ACCESS:
        return StateCatalogView(state).resolve_access(plan.name, session.search_path, session.database) is None
    return find_relation(state, session, plan.name) is None


def _object(plan: OwnerPlan, state: CatalogState, session: DdlSession) -> Securable:
    if plan.function is not None:
        return item_securable(state, find_function(state, session, plan.function))
    match plan.kind:
        case ObjectKind.SCHEMA:
            database = state.database_named(session.database)
            schema = None if database is None else state.schema_named(database.oid, plan.name[-1])
            found = None if schema is None else schema_securable(state, schema.oid)
            return _existing(found, Sqlstate.INVALID_SCHEMA_NAME, f'schema "{plan.name[-1]}"')
        case ObjectKind.DATABASE:
            database = state.database_named(plan.name[-1])
            found = None if database is None else database_securable(state, database.oid)
            return _existing(found, Sqlstate.INVALID_CATALOG_NAME, f'database "{plan.name[-1]}"')
        case ObjectKind.CLUSTER:
            cluster = state.cluster_named(plan.name[-1])
            found = None if cluster is None else cluster_securable(state, cluster.oid)
            return _existing(found, Sqlstate.UNDEFINED_OBJECT, f'cluster "{plan.name[-1]}"')
        case ObjectKind.TYPE | ObjectKind.DOMAIN:
            item = find_type(state, session, plan.name)
            if item is None:
                raise missing_type(state, session, plan.name)
            return item_securable(state, item)
        case ObjectKind.SECRET | ObjectKind.CONNECTION | ObjectKind.SINK:
            return item_securable(state, find_access_object(state, session, plan.kind, plan.name))
        case _:
            return item_securable(state, _relation(plan, state, session))


def _existing(found: Securable | None, sqlstate: Sqlstate, named: str) -> Securable:
    """Returns what was found; raises an SqlError when nothing was."""
    if found is None:
        raise SqlError(sqlstate, f"{named} does not exist")
    return found


def _relation(plan: OwnerPlan, state: CatalogState, session: DdlSession) -> Item:
    item = named_item(state, session, plan.name)
    if plan.kind is not ObjectKind.TABLE:
        require_kind(item, plan.kind)
    if isinstance(item.definition, Index):
        message = f'cannot change owner of index "{item.name}"'
        hint = "Change the ownership of the index's table instead."
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message, hint=hint)
    if isinstance(item.definition, SequenceDefinition) and item.definition.owned_by is not None:
        table = state.items[item.definition.owned_by.table]
        message = f'cannot change owner of sequence "{item.name}"'
        detail = f'Sequence "{item.name}" is linked to table "{table.name}".'
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=detail)
    return item


def _require_may_own(state: CatalogState, owner: int, object_: Securable) -> None:
    """Refuses (42501) an owner who could not have created the object."""
    item = state.item_by_oid(object_.oid)
    if item is not None:
        require_schema(state, owner, item.schema, "C")
    elif object_.kind == "schema":
        require_database(state, owner, state.schemas[object_.oid].database, "C")
    elif object_.kind != "cluster" and not (known_role(state, owner).createdb or is_superuser(state, owner)):
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, "permission denied to change owner of database")


def translate_reassign(plan: ReassignOwnedPlan, state: CatalogState, session: DdlSession) -> Outcome:
    by = session.role(state)
    roles = [role_meant(state, session, ref) for ref in plan.roles]
    for role in roles:
        if not has_privileges_of(state, by, role.oid):
            detail = f'Only roles with privileges of role "{role.name}" may reassign objects owned by it.'
            raise denied("reassign objects", detail)
    owner = role_meant(state, session, plan.owner)
    if not has_privileges_of(state, by, owner.oid):
        detail = f'Only roles with privileges of role "{owner.name}" may reassign objects to it.'
        raise denied("reassign objects", detail)
    changes: list[Change] = []
    for role in roles:
        _require_not_needed(role)
        changes += [ChangeOwner(oid, owner.oid) for oid in _owned(state, session, role.oid)]
        owners = [(each.oid, each.owner) for each in state.databases.values()]
        owners += [(each.oid, each.owner) for each in state.clusters.values()]
        changes += [ChangeOwner(oid, owner.oid) for oid, owned_by in owners if owned_by == role.oid]
    return tuple(changes), ()


def _require_not_needed(role: Role) -> None:
    if role.oid == SUPERUSER_OID or role.oid in predefined_roles():
        message = f"cannot reassign ownership of objects owned by role {role.name}"
        message += " because they are required by the database system"
        raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, message)


def _owned(state: CatalogState, session: DdlSession, role: int) -> Iterator[int]:
    """Yields schemas and items of the session's database, without indexes and sequences of tables."""
    database = state.database_named(session.database)
    schemas = [] if database is None else state.schemas_in(database.oid)
    yield from (schema.oid for schema in schemas if schema.owner == role)
    inside = {schema.oid for schema in schemas}
    for item in sorted(state.items.values(), key=lambda each: each.oid):
        if item.owner == role and item.schema in inside and not _goes_with_table(item):
            yield item.oid


def _goes_with_table(item: Item) -> bool:
    owned = isinstance(item.definition, SequenceDefinition) and item.definition.owned_by is not None
    return owned or isinstance(item.definition, Index)


def translate_drop_owned(plan: DropOwnedPlan, state: CatalogState, session: DdlSession) -> Outcome:
    by = session.role(state)
    roles = [role_meant(state, session, ref) for ref in plan.roles]
    for role in roles:
        if not has_privileges_of(state, by, role.oid):
            detail = f'Only roles with privileges of role "{role.name}" may drop objects owned by it.'
            raise denied("drop objects", detail)
        if role.oid == SUPERUSER_OID or role.oid in predefined_roles():
            message = f"cannot drop objects owned by role {role.name} because they are required by the database system"
            raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, message)
    database = state.database_named(session.database)
    assert database is not None, "the session is in it"
    oids = [oid for role in roles for oid in _owned(state, session, role.oid)]
    items = [item for oid in oids if (item := state.item_by_oid(oid)) is not None]
    schemas = [state.schemas[oid] for oid in oids if oid in state.schemas]
    # Items before schemas: an item that the statement means by itself is no surprise in a schema.
    together = dropped_with(state, [*items, *schemas])
    if not plan.cascade:
        require_no_others(state, together, session.search_path)
    refuse_columns(state, [*items, *schemas])
    changes: list[Change] = [DropAcls(role.oid, database.oid) for role in roles]
    outside = {schema.oid for schema in schemas}
    alone = tuple(item.id for item in items if item.schema not in outside)
    # What depends on each other in both goes together, and has been looked at above.
    cascade = plan.cascade or bool(items and schemas)
    if alone:
        changes.append(DropItems(alone, cascade, session.search_path))
    if schemas:
        changes.append(DropSchemas(tuple(outside), cascade, session.search_path))
    return tuple(changes), ()
