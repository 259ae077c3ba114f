"""Finds the items that end with a session, and tells how COMMIT treats rows of temporary tables."""

from __future__ import annotations

from catalog.nouns.items import Item, Table
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from planner.catalog_view import OnCommit
from planner.temporary_schema import is_temporary


def in_temporary_schema(state: CatalogState, item: Item) -> bool:
    return is_temporary(state.schemas[item.schema].name)


def is_temporary_item(state: CatalogState, id: GlobalId) -> bool:
    """Tells whether an item with this id exists and ends with its session."""
    return id in state.items and in_temporary_schema(state, state.items[id])


def on_commit(state: CatalogState, id: GlobalId) -> OnCommit:
    """Returns what happens to an item, or to its rows, when a transaction of its session commits."""
    item = state.items.get(id)
    if item is None or not isinstance(item.definition, Table):
        return OnCommit.PRESERVE_ROWS
    return item.definition.on_commit
