"""Which of the users' relations a reader's system relations list."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.builtin.snapshot import SystemSnapshot
from catalog.items import Item

PG_CLASS_OID = 1259


def own_items(snapshot: SystemSnapshot) -> Iterator[Item]:
    """The relations of the reader's database, in order of creation."""
    state = snapshot.state
    database = state.database_named(snapshot.database)
    if database is not None:
        for schema in state.schemas_in(database.oid):
            yield from (item for item in state.items_in(schema.oid) if item.type is None)
