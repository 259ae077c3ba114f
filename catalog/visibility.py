"""Which objects an unqualified name can mean: those in a schema of the search path that nothing earlier hides."""

from __future__ import annotations

from catalog.builtin.registry import builtin_named
from catalog.items import Item
from catalog.state import CatalogState

PG_CATALOG = "pg_catalog"


def effective_path(search_path: tuple[str, ...]) -> tuple[str, ...]:
    """The schemas that are searched, in order: pg_catalog first unless the path puts it elsewhere."""
    return search_path if PG_CATALOG in search_path else (PG_CATALOG, *search_path)


def item_visible(state: CatalogState, item: Item, search_path: tuple[str, ...]) -> bool:
    """Whether `item`'s bare name means `item` to a session in its database with that search path."""
    own = state.schemas[item.schema]
    for name in effective_path(search_path):
        if name == own.name:
            return True
        if builtin_named(name, item.name) is not None:
            return False
        schema = state.schema_named(own.database, name)
        if schema is not None and state.item_named(schema.oid, item.name) is not None:
            return False
    return False
