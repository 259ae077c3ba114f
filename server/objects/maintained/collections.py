"""Collections as statements read them, by the ids of catalog items: tables, and materialized views by their shards.

A materialized view's since is its shard's; its upper comes from the controller, which hears of it first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from catalog.nouns.items import Item, Maintained
from catalog.nouns.sinks import Sink
from catalog.state.catalog_state import CatalogState
from compute.controller.exports import Patience
from compute.controller.progress import NotMaintained
from compute.protocol.dataflow import Import
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from planner.ir.relation import Get, Relation
from server.objects.maintained.as_of import Bounds
from server.objects.maintained.dataflows import MaintainedDataflows
from server.objects.maintained.description import collection_of, import_of, imports_of
from storage.controller import StorageController
from storage.holds import StorageReadHold


class ItemNotMaintained(SqlError):
    """An index or a materialized view does not get as far as a read waits for; it can be computed."""

    def __init__(self, item: Item, reason: str) -> None:
        message = f'{item.kind.value} "{item.name}" is not maintained'
        super().__init__(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail=reason)
        self.id = item.id


class HasState(Protocol):
    """A catalog, fixed or always the newest."""

    @property
    def state(self) -> CatalogState: ...


@dataclass(frozen=True, slots=True)
class _Fixed:
    state: CatalogState


class Collections:
    """Collections by the newest committed catalog."""

    def __init__(self, storage: StorageController, dataflows: MaintainedDataflows, catalog: HasState) -> None:
        self._storage = storage
        self._dataflows = dataflows
        self._catalog = catalog

    @property
    def _state(self) -> CatalogState:
        return self._catalog.state

    def as_of_now(self) -> Collections:
        """Returns collections by the present catalog, unaffected by later changes: one read must hold, await and
        read the same collections."""
        return Collections(self._storage, self._dataflows, _Fixed(self._state))

    def of(self, id_: GlobalId) -> GlobalId:
        """Returns the collection with an item's contents."""
        return collection_of(self._state, id_)

    def item(self, id_: GlobalId) -> Item | None:
        """Returns the item in the catalog."""
        return self._state.items.get(id_)

    def differ(self, later: Collections, ids: Iterable[GlobalId]) -> bool:
        """Returns whether one of the items has another collection in `later`, or is gone."""
        return any(self.of(id_) != later.of(id_) for id_ in ids)

    def hold(self, id_: GlobalId, at: Timestamp | None = None) -> StorageReadHold:
        """Returns a volatile read hold at `at`, by default at the since; raises SqlError naming the since when it has
        passed `at`."""
        return self._storage.reads.hold(self.of(id_), at)

    def frontiers(self, id_: GlobalId) -> Bounds:
        return self._dataflows.bounds(self.of(id_))

    async def wait_for_upper(
        self, id_: GlobalId, time: Timestamp, patience: Patience = Patience.NONE, instead: int | None = None
    ) -> None:
        """Returns once the item is complete at `time`, and hurries its dataflow.

        ItemNotMaintained when completion is not expected soon; more patience waits longer, and a reader who can have it
        computed by the cluster `instead` does not wait for the replicas of another one.
        """
        item = self._state.items.get(id_)
        if item is None or not isinstance(item.definition, Maintained):
            if self._dataflows.controller.exists(id_):
                await self._wait_for_source(id_, time)
            elif item is not None and isinstance(item.definition, Sink) and item.definition.paused:
                await self._require_paused_at(item, time)
            else:
                await self._storage.wait_for_upper(id_, time)
            return
        collection = item.definition.collection
        if not self._dataflows.bounds(collection).upper.less_equal(time):
            return
        try:
            if collection not in self._dataflows:
                raise NotMaintained(collection, self._dataflows.failure(id_))
            await self._dataflows.controller.progress.wait_for_upper(collection, time, patience, instead)
        except NotMaintained as error:
            raise ItemNotMaintained(item, error.reason) from error

    async def _require_paused_at(self, sink: Item, time: Timestamp) -> None:
        """Raises SqlError when a paused sink has not reached `time`."""
        await self._storage.load((sink.id,))
        if self._storage.frontiers(sink.id).upper.less_equal(time):
            message = f'sink "{sink.name}" does not advance'
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail="It is paused.")

    async def _wait_for_source(self, id_: GlobalId, time: Timestamp) -> None:
        """Waits for a source, or a sink's progress. Raises SqlError when it will not be complete at `time`: its rows
        can't be known in any other way."""
        while True:
            try:
                await self._dataflows.controller.progress.wait_for_upper(id_, time)
                return
            except NotMaintained as error:
                item = self._state.items.get(id_)
                name = str(id_) if item is None else f'{item.kind.value} "{item.name}"'
                message = f"{name} does not advance"
                raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, detail=error.reason) from error
            except SqlError as error:
                # A source is installed anew when its connection, or what it is bound together with, has changed.
                if error.sqlstate is not Sqlstate.UNDEFINED_OBJECT or not self._dataflows.controller.exists(id_):
                    raise

    def stored(self, id_: GlobalId) -> bool:
        """Returns whether reading the item's collection is possible, and as quick as computing it."""
        item = self._state.items.get(id_)
        if item is None or not isinstance(item.definition, Maintained):
            return self._storage.exists(id_)
        collection = item.definition.collection
        return self._storage.exists(collection) and self._dataflows.usable(collection)

    def failing(self, id_: GlobalId) -> bool:
        """Returns whether the item is maintained, but does not seem to advance."""
        item = self._state.items.get(id_)
        if item is None or not isinstance(item.definition, Maintained):
            return False
        collection = item.definition.collection
        return collection not in self._dataflows or (
            self._dataflows.controller.progress.hindrance(collection, None, Patience.FAILURES) is not None
        )

    def readable_at(self, id_: GlobalId, time: Timestamp) -> bool:
        """Returns whether the item's since has not passed `time`."""
        return self.frontiers(id_).since.less_equal(time)

    def import_of(self, get: Get) -> Import:
        return import_of(self._state, get)

    def imports_of(self, relation: Relation) -> tuple[Import, ...]:
        """Returns the collections that a relation reads, by id, in compute's form."""
        return imports_of(self._state, relation)
