"""Finds the objects that an unqualified name can mean: objects in schemas of the search path, unless a namesake in an
earlier schema hides them."""

from __future__ import annotations

from catalog.declared.listing import declared_names
from catalog.nouns.items import Item
from catalog.state.catalog_state import CatalogState
from planner.temporary_schema import ALIAS, named_schemas, own_schema

PG_CATALOG = "pg_catalog"


def effective_path(search_path: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the schemas that are searched for relations and types, in order: unless the path names them elsewhere,
    the session's temporary schema first, then pg_catalog."""
    named, own = named_schemas(search_path), own_schema(search_path)
    path = named if PG_CATALOG in named else (PG_CATALOG, *named)
    if own is None:
        return path
    return tuple(own if name == ALIAS else name for name in path) if ALIAS in path else (own, *path)


def item_visible(state: CatalogState, item: Item, search_path: tuple[str, ...]) -> bool:
    """Tells whether the item's bare name means this item to a session in its database with that search path."""
    own = state.schemas[item.schema]
    for name in effective_path(search_path):
        if name == own.name:
            return True
        if (name, item.name) in declared_names():
            return False
        schema = state.schema_named(own.database, name)
        if schema is not None and state.item_named(schema.oid, item.name) is not None:
            return False
    return False
