"""Temporary relations as catalog changes: to the schema of their session and out of it, and nobody else's business.

A session's temporary schema comes with the first relation in it, and goes when the session ends; what is in it is like
any other item. `confined` tells which changes nobody but that session can notice.
"""

from __future__ import annotations

from catalog.changes.change import (
    AlterRetainHistory,
    AlterSequence,
    AlterTable,
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
    """What makes a session's temporary schema; nothing when it has one."""
    found = state.database_named(database)
    if found is not None and state.schema_named(found.oid, schema) is not None:
        return ()
    return (CreateSchema(allocator.oid(), database, schema, SUPERUSER_OID, temporary=True),)


def discard(state: CatalogState, schema: str) -> tuple[Change, ...]:
    """What drops all that a session has made, but for the schema itself."""
    items = tuple(item.id for own in _named(state, schema) for item in state.items_in(own.oid))
    return (DropItems(items, cascade=True),) if items else ()


def drop_schema(state: CatalogState, schema: str) -> tuple[Change, ...]:
    """What ends a session's temporary relations; nothing when it has none."""
    oids = tuple(own.oid for own in _named(state, schema))
    return (DropSchemas(oids, cascade=True),) if oids else ()


def _named(state: CatalogState, schema: str) -> list[Schema]:
    """In whatever database: its name may have changed, and no two sessions have temporary schemas of one name."""
    return [own for own in state.schemas.values() if own.name == schema]


def drop_all(state: CatalogState) -> tuple[Change, ...]:
    """What ends the temporary relations of all sessions."""
    oids = tuple(schema.oid for schema in state.schemas.values() if is_temporary(schema.name))
    return (DropSchemas(oids, cascade=True),) if oids else ()


def confined(state: CatalogState, change: Change) -> bool:
    """Whether `change`, applied to `state`, is to temporary relations alone: what isn't temporary never depends on
    them."""
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
            | SwapItems()
        ):
            return is_temporary_item(state, change.id)
        case _:
            return False
