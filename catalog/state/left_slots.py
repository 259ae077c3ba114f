"""Replication slots that dropped sources have left upstream: all that is needed to drop them, until they are dropped.

A slot keeps its server's WAL, and the server may be away when its source is dropped, for longer than we run. Connection
and secrets are taken as they are in the catalog; where they were dropped, too, as they were last. So of a secret the
sealed text stays until its slot is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from catalog.nouns.connections import Connection, Secret, access_of, access_value
from catalog.nouns.sources import LeftSlot, PostgresRecords, Source
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId


def with_left_slots(before: CatalogState, after: CatalogState) -> CatalogState:
    """`after` with the slots of those sources that it no longer has; what goes of the connections of others is kept
    with them."""
    gone = before.items.keys() - after.items.keys()
    if not gone:
        return after
    left = {name: _as_of(before, slot) for name, slot in after.left_slots.items()}
    for id in sorted(gone):
        definition = before.items[id].definition
        if isinstance(definition, Source) and isinstance(definition.records, PostgresRecords):
            publication, connection = definition.records.publication, before.items[definition.records.connection]
            assert isinstance(connection.definition, Connection)
            found = LeftSlot(
                publication.slot,
                publication.system.identifier,
                id,
                before.items[id].name,
                connection.id,
                connection.definition,
                (),
            )
            left[publication.slot] = _as_of(before, found)
    return after if left == after.left_slots else replace(after, left_slots=left)


def _as_of(state: CatalogState, slot: LeftSlot) -> LeftSlot:
    """With its connection and secrets as this state has them, where it has them."""
    item = state.items.get(slot.connection_id)
    connection = item.definition if item is not None and isinstance(item.definition, Connection) else slot.connection
    known = dict(slot.sealed)
    sealed = {}
    for id in sorted(connection.secrets):
        secret = state.items.get(id)
        held = secret.definition if secret is not None else None
        sealed[id] = held.sealed if isinstance(held, Secret) else known[id]
    return replace(slot, connection=connection, sealed=tuple(sealed.items()))


def left_slot_named(state: CatalogState, name: str) -> LeftSlot | None:
    """How the slot is to be reached now; None when it isn't left, or no more."""
    slot = state.left_slots.get(name)
    return None if slot is None else _as_of(state, slot)


def left_slot_value(slot: LeftSlot) -> dict[str, Any]:
    """As the catalog's shard has it, but for its name, which is the key."""
    return {
        "system": slot.system,
        "source": str(slot.source),
        "source_name": slot.source_name,
        "connection_id": str(slot.connection_id),
        "connection": access_value(slot.connection),
        "sealed": [[str(id), sealed] for id, sealed in slot.sealed],
    }


def left_slot_of(name: str, value: Mapping[str, Any]) -> LeftSlot:
    """What `left_slot_value` made."""
    connection, parse = access_of(value["connection"]), GlobalId.parse
    assert isinstance(connection, Connection)
    sealed = tuple((parse(id), text) for id, text in value["sealed"])
    place = value["system"], parse(value["source"]), value["source_name"], parse(value["connection_id"])
    return LeftSlot(name, *place, connection, sealed)
