"""Chooses the users' relations that a reader's system relations list."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.declared.snapshot import SystemSnapshot
from catalog.nouns.items import AccessObject, FunctionDefinition, Item, Type

PG_CLASS_OID = 1259
PG_PROC_OID = 1255
_NO_RELATIONS = Type | FunctionDefinition | AccessObject


def users_functions(snapshot: SystemSnapshot) -> Iterator[Item]:
    """Yields the functions of the reader's database, in order of creation."""
    state = snapshot.state
    database = state.database_named(snapshot.database)
    if database is not None:
        for schema in state.schemas_in(database.oid):
            yield from (item for item in state.items_in(schema.oid) if isinstance(item.definition, FunctionDefinition))


def own_items(snapshot: SystemSnapshot) -> Iterator[Item]:
    """Yields the relations of the reader's database, in order of creation."""
    state = snapshot.state
    database = state.database_named(snapshot.database)
    if database is not None:
        for schema in state.schemas_in(database.oid):
            items = state.items_in(schema.oid)
            yield from (item for item in items if not isinstance(item.definition, _NO_RELATIONS))
