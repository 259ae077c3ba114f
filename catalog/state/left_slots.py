"""Replication slots that dropped sources have left upstream: everything needed to drop them, until they are dropped.

A slot keeps its server's WAL, and that server may be unreachable when the source is dropped, for longer than this
process runs. The connection and secrets are those in the catalog; where they were dropped too, their last versions. So
the sealed text of a dropped secret stays until its slot is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from catalog.nouns.connections import Connection, Secret, access_of, access_value
from catalog.nouns.sources import LeftSlot, Source
from catalog.state.catalog_state import CatalogState
from connectors.postgres.publication import PostgresPublication
from model.ids.global_id import GlobalId


def with_left_slots(before: CatalogState, after: CatalogState) -> CatalogState:
    """Returns `after` with the slots of the sources that it no longer has. Dropped connections and secrets of left
    slots are recorded with the slots."""
    gone = before.items.keys() - after.items.keys()
    if not gone:
        return after
    left = {name: _as_of(before, slot) for name, slot in after.left_slots.items()}
    for id in sorted(gone):
        definition = before.items[id].definition
        if isinstance(definition, Source) and isinstance(definition.records, PostgresPublication):
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
    """Returns the slot with its connection and secrets as this state has them, where it has them."""
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
    """Returns the slot with its present connection and secrets; None when no such slot is left."""
    slot = state.left_slots.get(name)
    return None if slot is None else _as_of(state, slot)


def left_slot_value(slot: LeftSlot) -> dict[str, Any]:
    """Returns a left slot as JSON for the catalog's shard, without its name, which is the key."""
    return {
        "system": slot.system,
        "source": str(slot.source),
        "source_name": slot.source_name,
        "connection_id": str(slot.connection_id),
        "connection": access_value(slot.connection),
        "sealed": [[str(id), sealed] for id, sealed in slot.sealed],
    }


def left_slot_of(name: str, value: Mapping[str, Any]) -> LeftSlot:
    """Reads a left slot from the JSON that `left_slot_value` returns."""
    connection, parse = access_of(value["connection"]), GlobalId.parse
    assert isinstance(connection, Connection)
    sealed = tuple((parse(id), text) for id, text in value["sealed"])
    place = value["system"], parse(value["source"]), value["source_name"], parse(value["connection_id"])
    return LeftSlot(name, *place, connection, sealed)
