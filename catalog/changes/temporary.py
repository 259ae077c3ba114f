"""Temporary relations as catalog changes, in a schema of the session, invisible to all other sessions.

A session's temporary schema is created with the first temporary relation, and dropped when the session ends; the
schema's items are ordinary items. `confined` tells which changes only that session can notice.
"""

from __future__ import annotations

from catalog.changes.change import (
    AlterRetainHistory,
    AlterSequence,
    AlterTable,
    AlterViewOptions,
    Change,
    CreateItem,
    CreateSchema,
    DropItems,
    DropSchemas,
    RebuildItems,
    RenameColumn,
    RenameItem,
    ReplaceView,
    SwapItems,
)
from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.items import SUPERUSER_OID, Schema
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from planner.temporary_schema import is_temporary


def create_schema(state: CatalogState, database: str, schema: str, allocator: IdAllocator) -> tuple[Change, ...]:
    """Returns the changes that create a session's temporary schema; none when it exists."""
    found = state.database_named(database)
    if found is not None and state.schema_named(found.oid, schema) is not None:
        return ()
    return (CreateSchema(allocator.oid(), database, schema, SUPERUSER_OID, temporary=True),)


def discard(state: CatalogState, schema: str) -> tuple[Change, ...]:
    """Returns the changes that drop all items of a session's temporary schema, but not the schema."""
    items = tuple(item.id for own in _named(state, schema) for item in state.items_in(own.oid))
    return (DropItems(items, cascade=True),) if items else ()


def drop_schema(state: CatalogState, schema: str) -> tuple[Change, ...]:
    """Returns the changes that drop a session's temporary schema with its items; none when there is none."""
    oids = tuple(own.oid for own in _named(state, schema))
    return (DropSchemas(oids, cascade=True),) if oids else ()


def _named(state: CatalogState, schema: str) -> list[Schema]:
    """Returns the schemas with this name in all databases: a database may have been renamed, and no two sessions'
    temporary schemas have the same name."""
    return [own for own in state.schemas.values() if own.name == schema]


def drop_all(state: CatalogState) -> tuple[Change, ...]:
    """Returns the changes that drop the temporary relations of all sessions."""
    oids = tuple(schema.oid for schema in state.schemas.values() if is_temporary(schema.name))
    return (DropSchemas(oids, cascade=True),) if oids else ()


def confined(state: CatalogState, change: Change) -> bool:
    """Tells whether `change`, applied to `state`, concerns temporary relations only: other objects never depend on
    those."""
    match change:
        case CreateSchema():
            return change.temporary
        case CreateItem(schema=schema):
            return is_temporary(schema)
        case DropSchemas(oids=oids):
            return all(oid in state.schemas and is_temporary(state.schemas[oid].name) for oid in oids)
        case RebuildItems(rebuilt=rebuilt):
            return all(is_temporary_item(state, id) for id, _ in rebuilt)
        case DropItems(ids=ids):
            return all(is_temporary_item(state, id) for id in ids)
        case (
            ReplaceView()
            | AlterSequence()
            | AlterTable()
            | RenameItem()
            | RenameColumn()
            | AlterRetainHistory()
            | AlterViewOptions()
            | SwapItems()
        ):
            return is_temporary_item(state, change.id)
        case _:
            return False
