"""Renames a restored system's objects in other systems, so that it shares no slot, group or table with the original.

The original and the restored system may run at once, and reach the same destinations and upstreams. So the restored
system gets new names there, and writes nothing before somebody resumes the sinks:

    sinks                 paused; another name in the destination, where all rows are written anew
    sources of Kafka      another consumer group; offsets come from the remap collection
    sources of PostgreSQL another slot, not created yet: see docs/backup.md
    sources of objects    no queue of notifications, as each message reaches one reader only: the bucket is listed

Temporary relations have ended with their sessions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from catalog.changes.apply import apply
from catalog.changes.temporary import drop_all
from catalog.durable.rows import CatalogRow, load, rows
from catalog.nouns.items import Definition, Item
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import Source
from catalog.state.edits import with_item

WHY_PAUSED = (
    "it was restored from a backup, and the system that it is a copy of may still write to the destination: "
    "ALTER SINK … RESUME begins to write, everything anew"
)


@dataclass(frozen=True, slots=True)
class RestoredCatalog:
    """The catalog of a restored system, with new names in other systems. `changes` turn the rows of a backup into the
    rows of the restored system; `items` have got another identity."""

    changes: tuple[tuple[CatalogRow, int], ...]
    items: tuple[Item, ...]


def restored_catalog(backed_up: Iterable[CatalogRow], lineage: str) -> RestoredCatalog:
    """Returns the catalog of a system restored from the rows of a backup. `lineage` is a text of letters and digits
    that no other restored system has."""
    before = frozenset(backed_up)
    loaded, changed = load(before), []
    ended = drop_all(loaded)
    state = apply(loaded, ended) if ended else loaded
    for _, item in sorted(state.items.items()):
        definition = _restored(item.definition, lineage)
        if definition is not item.definition:
            changed.append(replace(item, definition=definition))
            state = with_item(state, changed[-1])
    after = before if state is loaded else rows(state)
    gone, come = sorted(before - after), sorted(after - before)
    return RestoredCatalog((*((row, -1) for row in gone), *((row, 1) for row in come)), tuple(changed))


def _restored(definition: Definition, lineage: str) -> Definition:
    if isinstance(definition, Sink):
        anew = definition.generation + 1
        return replace(definition, paused=True, generation=anew, lineage=lineage, why_paused=WHY_PAUSED)
    if not isinstance(definition, Source):
        return definition
    elsewhere = definition.system.elsewhere
    anew_there = definition.records if elsewhere is None else elsewhere(definition.records, lineage)
    return definition if anew_there == definition.records else replace(definition, records=anew_there)
