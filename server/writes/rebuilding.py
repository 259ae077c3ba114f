"""CREATE OR REPLACE, SWAP WITH and DDL beneath a view: builds the replacement, and brings it up to date, before the
commit cuts over.

A new collection is built beside the old one, under an id that only this commit knows; readers go on with the old
collection. After a failed commit the new collection is dropped; a crash leaves a shard that no catalog names, which the
next environment drops at its start.
"""

from __future__ import annotations

from collections.abc import Sequence

from catalog.changes.apply import apply
from catalog.changes.change import Change, RebuildItems, ReplaceView, SwapItems
from catalog.nouns.items import Index, Item, Maintained
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from server.environment.environment import Environment
from server.objects.maintained.commits import create_shard, differences
from server.objects.maintained.description import Outline, outline
from storage.controller import raise_conflict
from storage.persist.commit import Conflict


class Rebuilding:
    """The rebuilding for one transaction. `outlines` are the dataflows built so far, by collection."""

    def __init__(self, environment: Environment, changes: Sequence[Change]) -> None:
        self._environment = environment
        self._changes = changes
        self.outlines: dict[GlobalId, Outline] = {}

    async def run(self) -> None:
        """Builds all replacements, and waits until each shows everything committed so far."""
        if not any(isinstance(change, ReplaceView | RebuildItems | SwapItems) for change in self._changes):
            return
        environment = self._environment
        before = environment.catalog.state
        after = apply(before, self._changes)
        for item in differences(before, after).created:
            planned = outline(after, item, environment.planning)
            if item.id in before.items and not any(_widened(id_, before, after) for id_ in planned.inputs):
                await self._build(item, planned)
        now = await environment.oracle.read_ts()
        for collection in [*self.outlines, *self._swapped()]:
            await environment.dataflows.controller.progress.wait_for_upper(collection, now)

    async def drop(self) -> None:
        """Drops the replacements built, because the commit did not take place."""
        dataflows = self._environment.dataflows
        for collection in reversed(self.outlines):
            dataflows.drop(collection)
        await drop_shards(self._environment, list(self.outlines))
        self.outlines.clear()

    async def _build(self, item: Item, planned: Outline) -> None:
        """Builds a replacement beside the old collection. Does nothing for an item that reads other items created by
        the same commit: such an item is built with them."""
        dataflows, storage = self._environment.dataflows, self._environment.storage
        if not all(storage.exists(id_) for id_ in planned.inputs):
            return
        now = await self._environment.oracle.read_ts()
        prepared = dataflows.prepare(planned, item.retain_history_ms, Timestamp(now), {})
        try:
            if not isinstance(item.definition, Index):
                outcome = await storage.commit([create_shard(dataflows, item, prepared)])
                if isinstance(outcome, Conflict):
                    raise_conflict(outcome)
            dataflows.install(item, prepared)
        except BaseException:
            prepared.release()
            raise
        self.outlines[planned.collection] = planned

    def _swapped(self) -> list[GlobalId]:
        ids = [id_ for change in self._changes if isinstance(change, SwapItems) for id_ in (change.id, change.other)]
        definitions = (item.definition for id_ in ids if (item := self._environment.catalog.state.items.get(id_)))
        collections = [each.collection for each in definitions if isinstance(each, Maintained)]
        return [collection for collection in collections if collection in self._environment.dataflows]


def _widened(id_: GlobalId, before: CatalogState, after: CatalogState) -> bool:
    """Returns whether the commit adds columns to the table. A view that reads the added columns can't be built before
    the commit."""
    was, item = before.items.get(id_), after.items.get(id_)
    return was is not None and item is not None and was.desc.arity < item.desc.arity


async def drop_shards(environment: Environment, collections: Sequence[GlobalId]) -> None:
    """Drops shards that no catalog names."""
    storage = environment.storage
    drops = [storage.prepare_drop(collection) for collection in collections if storage.exists(collection)]
    if drops:
        outcome = await storage.commit(drops)
        if isinstance(outcome, Conflict):
            raise_conflict(outcome)
