"""Moves items into another schema, with their indexes and sequences.

    ALTER TABLE t SET SCHEMA s      moves t, the indexes on t, and the sequences that t's columns own

Nothing else changes: definitions name other items by ids, so a move changes none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from catalog.changes.change import MoveItem
from catalog.changes.enums import with_type
from catalog.changes.functions import require_free_signature
from catalog.facts.temporary_items import in_temporary_schema
from catalog.nouns.items import FunctionDefinition, Index, Item, SequenceDefinition, Type
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.temporary_schema import is_temporary


def with_moved_item(state: CatalogState, change: MoveItem) -> CatalogState:
    """Returns the state after a move into another schema. Raises SqlError for a name that is taken in the new schema,
    for a temporary schema, and for an item or a schema that is gone."""
    item, schema = state.items.get(change.id), state.schemas.get(change.schema)
    if item is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "the object was dropped by a concurrent statement")
    if schema is None:
        raise SqlError(Sqlstate.INVALID_SCHEMA_NAME, "schema was dropped by a concurrent statement")
    if is_temporary(schema.name) or in_temporary_schema(state, item):
        message = "cannot move objects into or out of temporary schemas"
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    if item.schema == schema.oid:
        return state
    for each in (item, *_belonging(state, item)):
        if isinstance(each.definition, FunctionDefinition):
            require_free_signature(state, schema.oid, each.name, each.definition.rules.types, schema.name)
        elif state.item_named(schema.oid, each.name) is not None:
            raise _taken(each, state.items[state.item_ids_by_name[schema.oid, each.name]], schema.name)
        moved = replace(each, schema=schema.oid)
        state = with_type(state, moved)
    return state


def _belonging(state: CatalogState, item: Item) -> Iterator[Item]:
    """Yields the indexes on an item, and the sequences that its columns own."""
    for each in state.items.values():
        match each.definition:
            case Index(on=on) if on.id == item.id:
                yield each
            case SequenceDefinition(owned_by=owner) if owner is not None and owner.table == item.id:
                yield each
            case _:
                pass


def _taken(item: Item, there: Item, schema: str) -> SqlError:
    """Returns the error about a name that is taken in the new schema."""
    if isinstance(item.definition, Type) or isinstance(there.definition, Type):
        return SqlError(Sqlstate.DUPLICATE_OBJECT, f'type "{item.name}" already exists in schema "{schema}"')
    return SqlError(Sqlstate.DUPLICATE_TABLE, f'relation "{item.name}" already exists in schema "{schema}"')
