"""Returns states with one object added, replaced or removed; checks nothing, maintains the indexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from catalog.nouns.acl import Acl
from catalog.nouns.clusters import Cluster
from catalog.nouns.items import (
    Composite,
    Computed,
    Database,
    HeldObject,
    Item,
    ReadHold,
    Role,
    Schema,
    SequenceDefinition,
    Table,
    Type,
)
from catalog.state.catalog_state import CatalogState, children_by_table, foreign_keys_of, is_key, key_ids_by_table
from model.ids.global_id import GlobalId

K = TypeVar("K")
V = TypeVar("V")


def with_database(state: CatalogState, database: Database) -> CatalogState:
    return given(replace(state, databases={**state.databases, database.oid: database}), database.oid)


def with_schema(state: CatalogState, schema: Schema) -> CatalogState:
    names = {key: oid for key, oid in state.schema_oids_by_name.items() if oid != schema.oid}
    names[schema.database, schema.name] = schema.oid
    return given(replace(state, schemas={**state.schemas, schema.oid: schema}, schema_oids_by_name=names), schema.oid)


def with_swapped_schemas(state: CatalogState, one: Schema, two: Schema) -> CatalogState:
    """Exchanges the names of two schemas of one database."""
    schemas = {**state.schemas, one.oid: replace(one, name=two.name), two.oid: replace(two, name=one.name)}
    names = {(one.database, one.name): two.oid, (two.database, two.name): one.oid}
    return replace(state, schemas=schemas, schema_oids_by_name={**state.schema_oids_by_name, **names})


def with_role(state: CatalogState, role: Role) -> CatalogState:
    return given(replace(state, roles={**state.roles, role.oid: role}), role.oid)


def with_cluster(state: CatalogState, cluster: Cluster) -> CatalogState:
    state = replace(state, clusters={**state.clusters, cluster.oid: cluster})
    return given(state, max(cluster.oid, *(replica.oid for replica in cluster.replicas), 0))


def with_item(state: CatalogState, item: Item) -> CatalogState:
    """Adds an item, or replaces the item with its id; the oid must not change."""
    names = dict(state.item_ids_by_name)
    old = state.items.get(item.id)
    if old is not None:
        del names[old.schema, old.key]
    names[item.schema, item.key] = item.id
    collection = item.definition.collection if isinstance(item.definition, Computed | SequenceDefinition) else item.id
    items = {**state.items, item.id: item}
    changed = is_key(item) or (old is not None and is_key(old))
    state = replace(
        state,
        items=items,
        key_ids_by_table=key_ids_by_table(items.values()) if changed else state.key_ids_by_table,
        children_by_table=(
            state.children_by_table
            if foreign_keys_of(item) == foreign_keys_of(old)
            else children_by_table(items.values())
        ),
        item_ids_by_name=names,
        item_ids_by_oid={**state.item_ids_by_oid, item.oid: item.id},
        next_user_id=max(state.next_user_id, item.id.number + 1, collection.number + 1),
    )
    definition = item.definition
    own = [item.oid, *((definition.array_oid,) if isinstance(definition, Type) else ())]
    own += [key.oid for key in foreign_keys_of(item)]
    own += [each.oid for each in definition.row_security.policies] if isinstance(definition, Table) else []
    return given(state, max(*own, definition.relation_oid) if isinstance(definition, Composite) else max(own))


def with_swapped_names(state: CatalogState, one: Item, two: Item) -> CatalogState:
    """Exchanges the names of two items of one schema."""
    items = {**state.items, one.id: replace(one, name=two.name), two.id: replace(two, name=one.name)}
    names = {**state.item_ids_by_name, (one.schema, one.name): two.id, (two.schema, two.name): one.id}
    return replace(state, items=items, item_ids_by_name=names)


def without_items(state: CatalogState, ids: Iterable[GlobalId]) -> CatalogState:
    gone = frozenset(ids)
    items = _without(state.items, gone)
    keyless = not any(is_key(state.items[id]) for id in gone if id in state.items)
    return replace(
        state,
        items=items,
        key_ids_by_table=state.key_ids_by_table if keyless else key_ids_by_table(items.values()),
        children_by_table=(
            children_by_table(items.values())
            if any(foreign_keys_of(state.items.get(id)) for id in gone)
            else state.children_by_table
        ),
        read_holds={hold.name: kept for hold in state.read_holds.values() if (kept := _released(hold, gone)).objects},
        item_ids_by_name={key: id for key, id in state.item_ids_by_name.items() if id not in gone},
        item_ids_by_oid={key: id for key, id in state.item_ids_by_oid.items() if id not in gone},
    )


def with_read_hold(state: CatalogState, hold: ReadHold) -> CatalogState:
    return given(replace(state, read_holds={**state.read_holds, hold.name: hold}), hold.oid)


def without_read_hold(state: CatalogState, name: str) -> CatalogState:
    return replace(state, read_holds=_without(state.read_holds, {name}))


def _released(hold: ReadHold, gone: frozenset[GlobalId]) -> ReadHold:
    """Returns the hold without these objects."""
    if not any(held.id in gone for held in hold.objects):
        return hold
    return _narrowed(hold, tuple(held for held in hold.objects if held.id not in gone))


def with_replaced_objects(state: CatalogState, ids: Iterable[GlobalId]) -> CatalogState:
    """Marks these items as replaced in all read holds: the held collections no longer show the items' contents."""
    changed = frozenset(ids)
    holds = dict(state.read_holds)
    for hold in state.read_holds.values():
        if any(held.id in changed for held in hold.objects):
            objects = (HeldObject(each.id, (), replaced=True) if each.id in changed else each for each in hold.objects)
            holds[hold.name] = _narrowed(hold, tuple(objects))
    return replace(state, read_holds=holds)


def _narrowed(hold: ReadHold, objects: tuple[HeldObject, ...]) -> ReadHold:
    """Returns the hold with these objects and only the capabilities that they need."""
    needed = {id for held in objects for id in held.inputs}
    return replace(hold, objects=objects, capabilities=tuple(c for c in hold.capabilities if c[0] in needed))


def without_schemas(state: CatalogState, oids: Iterable[int]) -> CatalogState:
    gone = frozenset(oids)
    return replace(
        state,
        schemas=_without(state.schemas, gone),
        schema_oids_by_name={key: oid for key, oid in state.schema_oids_by_name.items() if oid not in gone},
    )


def without_database(state: CatalogState, oid: int) -> CatalogState:
    return replace(state, databases=_without(state.databases, {oid}))


def without_role(state: CatalogState, oid: int) -> CatalogState:
    return replace(state, roles=_without(state.roles, {oid}))


def without_left_slot(state: CatalogState, slot: str) -> CatalogState:
    return replace(state, left_slots=_without(state.left_slots, {slot}))


def with_comment(state: CatalogState, oid: int, column: int, text: str | None) -> CatalogState:
    """Returns the state with another comment on an object or column; None as the text removes the comment."""
    comments = _without(state.comments, {(oid, column)})
    return replace(state, comments=comments if text is None else {**comments, (oid, column): text})


def with_acl(state: CatalogState, oid: int, column: int, acl: Acl | None) -> CatalogState:
    """Returns the state with another access control list of an object or column; None removes the list, as if nothing
    had been granted."""
    acls = _without(state.acls, {(oid, column)})
    return replace(state, acls=acls if acl is None else {**acls, (oid, column): acl})


def with_configuration(state: CatalogState, name: str, value: str | None) -> CatalogState:
    """Returns the state with another value in the configuration; None removes the entry."""
    configuration = _without(state.configuration, {name})
    return replace(state, configuration=configuration if value is None else {**configuration, name: value})


def _without(mapping: Mapping[K, V], gone: Iterable[K]) -> dict[K, V]:
    gone = frozenset(gone)
    return {key: value for key, value in mapping.items() if key not in gone}


def given(state: CatalogState, oid: int) -> CatalogState:
    """Returns the state in which that oid has been given out."""
    return state if oid < state.next_oid else replace(state, next_oid=oid + 1)
