"""CREATE OR REPLACE, SWAP WITH, SET CLUSTER and DDL beneath a view: builds the replacement, and brings it up to date,
before the commit cuts over.

A new collection is built beside the old one, under an id that only this commit knows; readers go on with the old
collection. A materialized view that moves to another cluster keeps its shard: both clusters write it meanwhile. After a
failed commit what was built is dropped; a crash leaves a shard that no catalog names, which the next environment drops
at its start, and a dataflow that no history has, which its replica drops when the next environment greets it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence

from catalog.changes.apply import apply
from catalog.changes.change import Change, RebuildItems, ReplaceView, SetCluster, SwapItems
from catalog.nouns.clusters import Cluster
from catalog.nouns.items import Index, Item, Maintained, cluster_of
from catalog.state.catalog_state import CatalogState
from compute.controller.progress import NotMaintained
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from server.environment.environment import Environment
from server.objects.maintained.commits import create_shard, differences
from server.objects.maintained.dataflows import DataflowMove
from server.objects.maintained.description import Outline, outline
from storage.controller import raise_conflict
from storage.persist.commit import Conflict

_LOOK_S = 1.0
"""How often a wait looks for DDL that makes it pointless."""
_SHORT_S = 1.0
_ROUNDS_MAX = 10
"""After a long wait much may have been committed since: it waits again, for less each time."""


class Rebuilding:
    """The rebuilding for one transaction.

    `outlines`: the dataflows built so far, by collection.
    `arriving`: the dataflows of materialized views that other clusters have begun to maintain as well, likewise.
    """

    def __init__(self, environment: Environment, changes: Sequence[Change]) -> None:
        self._environment = environment
        self._changes = changes
        self._seen = environment.catalog.state
        self._moved: dict[GlobalId, Item] = {}
        self.outlines: dict[GlobalId, Outline] = {}
        self.arriving: dict[GlobalId, Outline] = {}

    async def run(self) -> None:
        """Builds all replacements, and waits until each shows everything committed so far. SqlError 55000 when one will
        not come to that."""
        if not any(isinstance(change, ReplaceView | RebuildItems | SwapItems | SetCluster) for change in self._changes):
            return
        environment = self._environment
        before = self._seen = environment.catalog.state
        after = apply(before, self._changes)
        changed = differences(before, after)
        for item in changed.created:
            if item.id in before.items:
                await self._build_anew(item, before, after)
        for item in changed.moved:
            await self._build_elsewhere(item, before, after)
        await self._catch_up()

    def _show(self, planned: Outline, item: Item, before: CatalogState) -> None:
        """Has the move stand in mz_moves until the transaction ends."""
        old, new = (cluster_of(each.definition) for each in (before.items[item.id], item))
        assert old is not None and new is not None, "a cluster maintains it"
        move = DataflowMove(item.id, old, new, self._environment.clock.now_ms())
        self._environment.dataflows.moves[planned.collection] = move

    def end(self) -> None:
        """Ends what is shown of moves."""
        for collection in self._moved:
            self._environment.dataflows.moves.pop(collection, None)

    async def drop(self) -> None:
        """Drops what was built, because the commit did not take place."""
        dataflows = self._environment.dataflows
        for collection in self.arriving:
            dataflows.turn_away(collection)
        self.arriving.clear()
        for collection in reversed(self.outlines):
            dataflows.drop(collection)
        await drop_shards(self._environment, list(self.outlines))
        self.outlines.clear()

    async def _build_anew(self, item: Item, before: CatalogState, after: CatalogState) -> None:
        planned = outline(after, item, self._environment.planning)
        if any(isinstance(change, SetCluster) and change.id == item.id for change in self._changes):
            _require_replicas(item, before, after)
            self._moved[planned.collection] = item
        if planned.cluster in before.clusters and not _any_widened(planned, before, after):
            await self._build(item, planned)
        if planned.collection in self._moved and planned.collection in self.outlines:
            self._show(planned, item, before)

    async def _build_elsewhere(self, item: Item, before: CatalogState, after: CatalogState) -> None:
        """Has the new cluster of a materialized view, or of a sink's, maintain it as well. SqlError 55000 where no
        cluster can; 0A000 for one that reads what the same commit alters."""
        environment, dataflows = self._environment, self._environment.dataflows
        _require_replicas(item, before, after)
        planned = outline(after, item, environment.planning)
        if planned.collection not in dataflows:
            message = f'{item.kind.value} "{item.name}" is not maintained'
            detail = dataflows.failure(item.id)
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail=detail)
        if _any_widened(planned, before, after) or not all(map(environment.storage.exists, planned.inputs)):
            message = f'SET CLUSTER of "{item.name}" in the transaction that alters what it reads is not supported'
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
        now = await environment.oracle.read_ts()
        prepared = dataflows.prepare_again(planned, Timestamp(now))
        try:
            # What others committed meanwhile may have dropped the view or the cluster.
            apply(environment.catalog.state, self._changes)
            dataflows.arrive(prepared)
        except BaseException as error:
            prepared.release()
            if not isinstance(error, SqlError) or error.sqlstate is not Sqlstate.OBJECT_IN_USE:
                raise
            message = f'{item.kind.value} "{item.name}" is being moved to another cluster already'
            raise SqlError(Sqlstate.OBJECT_IN_USE, message) from error
        self.arriving[planned.collection] = planned
        self._moved[planned.collection] = item
        self._show(planned, item, before)

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

    async def _catch_up(self) -> None:
        controller = self._environment.dataflows.controller
        loop = asyncio.get_running_loop()
        for _ in range(_ROUNDS_MAX):
            now, begun_s = await self._environment.oracle.read_ts(), loop.time()
            for collection in [*self.outlines, *self._swapped()]:
                await self._watched(collection, controller.progress.wait_for_upper(collection, now))
            for collection in self.arriving:
                await self._watched(collection, controller.arriving.progress.wait_for_upper(collection, now))
            if loop.time() - begun_s < _SHORT_S:
                return

    async def _watched(self, collection: GlobalId, wait: Awaitable[None]) -> None:
        """Waits as long as the changes can still be committed: raises the SqlError with which the commit would be
        refused as soon as it would be."""
        catalog = self._environment.catalog
        waiting = asyncio.ensure_future(wait)
        try:
            self._require_possible()
            while not waiting.done():
                await asyncio.wait({waiting}, timeout=_LOOK_S)
                self._require_possible()
            waiting.result()
        except NotMaintained as error:
            item = self._moved.get(collection)
            if item is None:
                raise
            message = f'{item.kind.value} "{item.name}" stays in its cluster'
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail=error.reason) from error
        except SqlError as error:
            if collection not in self.arriving or error.sqlstate is not Sqlstate.UNDEFINED_OBJECT:
                raise
            apply(catalog.state, self._changes)
            message = "what was to move was replaced by a concurrent statement"
            raise SqlError(Sqlstate.SERIALIZATION_FAILURE, message) from error
        finally:
            waiting.cancel()

    def _require_possible(self) -> None:
        """Raises the SqlError with which the commit would be refused by what others have committed since the last look,
        whatever was waited for meanwhile."""
        state = self._environment.catalog.state
        if state is not self._seen:
            apply(state, self._changes)
            self._seen = state

    def _swapped(self) -> list[GlobalId]:
        ids = [id_ for change in self._changes if isinstance(change, SwapItems) for id_ in (change.id, change.other)]
        definitions = (item.definition for id_ in ids if (item := self._environment.catalog.state.items.get(id_)))
        collections = [each.collection for each in definitions if isinstance(each, Maintained)]
        return [collection for collection in collections if collection in self._environment.dataflows]


def _require_replicas(item: Item, before: CatalogState, after: CatalogState) -> None:
    """Raises SqlError 55000 where the item's new cluster can't build it before the commit."""
    oid = cluster_of(item.definition)
    cluster: Cluster | None = None if oid is None else before.clusters.get(oid)
    if cluster is None or not cluster.replicas:
        assert oid is not None
        message = f'"{item.name}" can\'t move to cluster "{after.clusters[oid].name}", which has no replicas'
        hint = "CREATE CLUSTER REPLICA gives it one, once its transaction has committed."
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint=hint)


def _any_widened(planned: Outline, before: CatalogState, after: CatalogState) -> bool:
    """Returns whether the commit adds columns to a table that is read. A view that reads the added columns can't be
    built before the commit."""
    for id_ in planned.inputs:
        was, item = before.items.get(id_), after.items.get(id_)
        if was is not None and item is not None and was.desc.arity < item.desc.arity:
            return True
    return False


async def drop_shards(environment: Environment, collections: Sequence[GlobalId]) -> None:
    """Drops shards that no catalog names."""
    storage = environment.storage
    drops = [storage.prepare_drop(collection) for collection in collections if storage.exists(collection)]
    if drops:
        outcome = await storage.commit(drops)
        if isinstance(outcome, Conflict):
            raise_conflict(outcome)
