"""The installed dataflows: holds on their inputs, retention of their own past, their statuses.

For each input, the environment holds

    min(durable - 1, since of an index)

so that a replica that starts again finds the changes it lost, and a lost index can be made again from its since on
(source: seed 2, "Constraints"). A materialized view's past lies in its shard, whose since storage moves by itself; an
index's since follows its upper at the distance of RETAIN HISTORY.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from catalog.nouns.items import Computed, Index, Item
from catalog.state.catalog_state import CatalogState
from compute.controller.dataflows import DataflowController
from compute.controller.exports import Patience
from compute.controller.progress import StandsStill
from compute.controller.replication import ExportFrontiers
from compute.protocol.command import CreateDataflow
from compute.protocol.dataflow import DataflowDescription, IndexExport
from compute.protocol.response import DataflowMeasures, DataflowPhase, DataflowStatus
from compute.protocol.vocabulary import require_sendable
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from planner.ir.reads import reads_of
from planner.ir.scalar import Column, SessionName
from server.objects.maintained.as_of import Bounds, as_of_again, as_of_anew
from server.objects.maintained.dataflow_words import DataflowWords, words_of
from server.objects.maintained.description import Outline
from storage.controller import StorageController
from storage.holds import StorageReadHold

_SOON_BYTES_MAX = 8 << 20
"""A table of so many stored bytes, about a million rows, is indexed in a second or two."""
COMPACTION_STEP_MS = 1_000
"""How far a since lags behind what may be forgotten, at most, so that not every tick says so."""


@dataclass(slots=True)
class PreparedDataflow:
    """A dataflow ready to be installed: its inputs are held at its as_of."""

    collection: GlobalId
    as_of: Timestamp
    description: DataflowDescription
    holds: dict[GlobalId, StorageReadHold]
    cluster: int = DEFAULT_CLUSTER_OID

    def release(self) -> None:
        for hold in self.holds.values():
            hold.release()


@dataclass(frozen=True, slots=True)
class DataflowMove:
    """An item on its way into another cluster, by oid, from a wall-clock time on."""

    item: GlobalId
    old_cluster: int
    new_cluster: int
    begun_ms: int


@dataclass(slots=True)
class _Installed:
    prepared: PreparedDataflow
    stored: bool
    timed: bool
    retain_ms: int
    since_allowed: Timestamp
    words: DataflowWords | None = None


@dataclass(slots=True)
class MaintainedDataflows:
    """The installed dataflows by collection. `failed` are items of the catalog that could not be installed, with the
    errors; `moves` those under way, by the collection that is built. `read_only`: none may write."""

    storage: StorageController
    controller: DataflowController
    retain_default_ms: int
    read_only: bool = False
    failed: dict[GlobalId, SqlError] = field(default_factory=dict)
    moves: dict[GlobalId, DataflowMove] = field(default_factory=dict)
    _installed: dict[GlobalId, _Installed] = field(default_factory=dict)
    _arriving: dict[GlobalId, PreparedDataflow] = field(default_factory=dict)
    _late: set[GlobalId] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.controller.on_frontiers(self._moved)
        self.controller.on_versions(self._reads)

    # Coming to be

    def prepare(
        self, outline: Outline, retain_ms: int | None, now: Timestamp, begun: dict[GlobalId, Bounds]
    ) -> PreparedDataflow:
        """Returns a new item's dataflow. `begun` are the bounds of inputs that come to be in the same commit, which
        need no hold before it; raises SqlError when an input can't be read any more."""
        as_of = as_of_anew([begun.get(id_) or self.bounds(id_) for id_ in outline.inputs], now, retain_ms)
        require_sendable(CreateDataflow(outline.description))
        existing = (id_ for id_ in outline.inputs if id_ not in begun)
        holds = {id_: self.storage.reads.hold(id_, as_of) for id_ in existing}
        return PreparedDataflow(outline.collection, as_of, outline.at(as_of), holds, outline.cluster)

    def prepare_again(self, outline: Outline, now: Timestamp) -> PreparedDataflow:
        """Prepares the dataflow of an item left by an earlier environment. Inputs are held from their sinces on
        until the replica has told how much of its state is left."""
        holds = {id_: self.storage.reads.hold(id_) for id_ in outline.inputs}
        own = outline.collection
        bounds = [self.bounds(id_) for id_ in outline.inputs]
        as_of = as_of_again(bounds, now, self.bounds(own) if self.storage.exists(own) else None)
        return PreparedDataflow(own, as_of, outline.at(as_of), holds, outline.cluster)

    def install(self, item: Item, prepared: PreparedDataflow) -> None:
        """Begins a dataflow, which writes its shard from now on, if it may."""
        collection = prepared.collection
        assert isinstance(item.definition, Computed)
        for id_ in _missing(prepared):
            prepared.holds[id_] = self.storage.reads.hold(id_, prepared.as_of)
        stored = not isinstance(item.definition, Index)
        self._installed[collection] = self._as_installed(item, prepared)
        self.controller.create(prepared.description, prepared.cluster)
        self.controller.schedule(collection)
        if stored and not self.read_only:
            self.controller.allow_writes(collection)

    def _as_installed(self, item: Item, prepared: PreparedDataflow) -> _Installed:
        stored, objects = not isinstance(item.definition, Index), prepared.description.objects
        timed = any(SessionName.MZ_NOW in reads_of(relation).session_values for _, relation in objects)
        return _Installed(prepared, stored, timed, self.retention(item), prepared.as_of)

    def arrive(self, prepared: PreparedDataflow) -> None:
        """Has another cluster maintain a materialized view beside the present one, until `change_over` or `turn_away`
        is called. Raises SqlError 55006 when the view is moving to a cluster already."""
        self.controller.arrive(prepared.description, prepared.cluster)
        self._arriving[prepared.collection] = prepared

    def change_over(self, item: Item, collection: GlobalId) -> None:
        """Completes the move of a materialized view: from now on the new cluster alone maintains the view."""
        former = self._installed[collection]
        self._installed[collection] = self._as_installed(item, self._arriving.pop(collection))
        self.controller.change_over(collection)
        former.prepared.release()

    def turn_away(self, collection: GlobalId) -> None:
        """Ends the dataflow that `arrive` has begun in another cluster; the former cluster goes on maintaining the
        materialized view. Idempotent."""
        prepared = self._arriving.pop(collection, None)
        if prepared is not None:
            self.controller.turn_away(collection)
            prepared.release()

    def drop(self, collection: GlobalId) -> None:
        """Ends a dataflow, in the cluster that it moves to as well, and releases its inputs. Idempotent."""
        self.turn_away(collection)
        self._late.discard(collection)
        installed = self._installed.pop(collection, None)
        if installed is not None:
            self.controller.drop(collection)
            installed.prepared.release()

    def retain(self, item: Item) -> None:
        """Changes an item's retention."""
        assert isinstance(item.definition, Computed)
        installed = self._installed.get(item.definition.collection)
        if installed is not None:
            installed.retain_ms = self.retention(item)

    def retention(self, item: Item) -> int:
        """Returns how much of its past an item keeps readable, in milliseconds."""
        return self.retain_default_ms if item.retain_history_ms is None else item.retain_history_ms

    # How they are

    def __contains__(self, collection: GlobalId) -> bool:
        return collection in self._installed

    def __iter__(self) -> Iterator[GlobalId]:
        return iter(self._installed)

    def bounds(self, collection: GlobalId) -> Bounds:
        """Returns since and upper of any collection: of an index from the controller, of stored collections from
        storage, which learns the uppers of materialized views and sources from the controller."""
        if not self.storage.exists(collection):
            frontiers = self.controller.frontiers(collection)
            return Bounds(frontiers.since, frontiers.upper)
        stored = self.storage.frontiers(collection)
        if not self.controller.exists(collection):
            return Bounds(stored.since, stored.upper)
        return Bounds(stored.since, stored.upper.join(self.controller.frontiers(collection).upper))

    def known_until(self, collection: GlobalId, bounds: Bounds | None = None) -> Antichain:
        """Returns the time up to which a collection's contents are known: as long as it is complete, and beyond
        while its tables stay unchanged. A read before that time waits for no computation. `bounds` are the
        collection's, where they are known."""
        upper = (bounds or self.bounds(collection)).upper
        still = None if upper.time is None else self._still_until(collection, upper.time)
        return upper if still is None else upper.join(still)

    def _still_until(self, collection: GlobalId, begin: Timestamp) -> Antichain | None:
        """Returns up to when nothing has changed since `begin`; None where that can't be told."""
        installed = self._installed.get(collection)
        if installed is None:
            return self.storage.reads.still_until(collection, begin)
        if installed.timed or self.controller.reports.status(collection).phase is not DataflowPhase.RUNNING:
            return None
        inputs = [self._still_until(id_, begin) for id_ in installed.prepared.holds]
        known = [each for each in inputs if each is not None]
        return reduce(Antichain.meet, known) if known and len(known) == len(inputs) else None

    def usable(self, collection: GlobalId) -> bool:
        """Returns whether reading a collection is quicker than computing it: it has hydrated, or soon will have, and no
        dataflow below fails or begins anew."""
        if collection not in self._installed:
            return False
        bounds = self.bounds(collection)
        hydrated = bounds.upper != bounds.since and bounds.since.precedes(bounds.upper)
        if hydrated and self.controller.progress.hindrance(collection) is None:
            return True
        return self._hydrates_soon(collection)

    async def complete_soon(self, collection: GlobalId, time: Timestamp) -> bool:
        """Returns whether a collection will soon be complete at `time`. Waits for one that soon hydrates; one whose
        dataflow stands still is not waited for again."""
        progress = self.controller.progress
        if progress.hindrance(collection, time) is None:
            return True
        if not self._hydrates_soon(collection):
            return False
        try:
            await progress.wait_while_working(collection, time, Patience.HYDRATION)
        except StandsStill:
            self._late.add(collection)
            return False
        except SqlError:
            return False
        return True

    def _hydrates_soon(self, collection: GlobalId) -> bool:
        """Returns whether a dataflow hydrates sooner than a query over its inputs is answered: it computes nothing, as
        an index by columns of a table, its inputs are small, and none of them is to be computed first. Such a dataflow
        needs no Spark, which takes long to start."""
        installed, progress = self._installed.get(collection), self.controller.progress
        if installed is None or collection in self._late:
            return False
        if progress.hindrance(collection, None, Patience.HYDRATION) is not None:
            return False
        description = installed.prepared.description
        keys = [export.key for export in description.exports if isinstance(export, IndexExport)]
        if description.objects or not all(isinstance(part, Column) for key in keys for part in key):
            return False
        inputs, reads = installed.prepared.holds, self.storage.reads
        if any(self.controller.exists(id_) for id_ in inputs):
            # How much a materialized view or a source will hold once it hydrates, nobody knows.
            return False
        return sum(map(reads.stored_bytes, inputs)) <= _SOON_BYTES_MAX

    def as_of(self, collection: GlobalId) -> Timestamp:
        """Returns the time that an installed dataflow was told to begin at."""
        return self._installed[collection].prepared.as_of

    def failure(self, item: GlobalId) -> str:
        """Returns why an item of the catalog is not installed."""
        error = self.failed.get(item)
        return "it is not installed" if error is None else error.message

    def status(self, collection: GlobalId) -> DataflowStatus:
        return self.controller.reports.status(collection)

    def measures(self, collection: GlobalId) -> DataflowMeasures | None:
        """Returns a dataflow's measures; None before the first report."""
        return self.controller.reports.measures(collection)

    def words(self, collection: GlobalId) -> DataflowWords:
        """Returns a dataflow in words."""
        installed = self._installed[collection]
        if installed.words is None:
            installed.words = words_of(installed.prepared.description)
        return installed.words

    def inputs_of(self, collection: GlobalId) -> Iterable[GlobalId]:
        """Returns the collections that a dataflow reads."""
        installed = self._installed.get(collection)
        return () if installed is None else installed.prepared.holds

    # What frontiers entail

    def _moved(self, id_: GlobalId, frontiers: ExportFrontiers) -> None:
        installed = self._installed.get(id_)
        if installed is None:
            return
        if installed.stored:
            self.storage.note_written(id_)
        self._forget(id_, installed, frontiers)
        self._downgrade(installed, frontiers)

    def _reads(self, id_: GlobalId, versions: Mapping[str, int]) -> None:
        """Moves holds to the versions from which the replica now reads: files named only by older versions may be
        deleted."""
        installed = self._installed.get(id_)
        holds = {} if installed is None else installed.prepared.holds
        for shard, seqno in versions.items():
            hold = holds.get(GlobalId.parse(shard))
            if hold is not None:
                hold.reads_from(seqno)

    def _forget(self, id_: GlobalId, installed: _Installed, frontiers: ExportFrontiers) -> None:
        """Lets the export's since follow, a step at a time."""
        if installed.stored:
            known = frontiers.upper.meet(frontiers.durable).time
        else:
            known = frontiers.upper.time
        if known is None:
            return
        wanted = known - 1 - (0 if installed.stored else installed.retain_ms)
        if wanted >= installed.since_allowed + COMPACTION_STEP_MS:
            installed.since_allowed = Timestamp(wanted)
            self.controller.allow_compaction(id_, Antichain(installed.since_allowed))

    def _downgrade(self, installed: _Installed, frontiers: ExportFrontiers) -> None:
        """Lets inputs be compacted. The durable frontier says something once it has moved."""
        durable = frontiers.durable.time
        if durable is None or durable <= installed.prepared.as_of:
            return
        needed = Antichain(Timestamp(max(durable - 1, TIMESTAMP_MIN)))
        if not installed.stored:
            needed = needed.meet(frontiers.since)
        for hold in installed.prepared.holds.values():
            if hold.frontier.precedes(needed):
                hold.downgrade(needed)


def _missing(prepared: PreparedDataflow) -> list[GlobalId]:
    """Returns the inputs that could not be held yet when the dataflow was prepared."""
    imported = (GlobalId.parse(each.shard) for each in prepared.description.imports)
    return [id_ for id_ in imported if id_ not in prepared.holds]


def in_order(state: CatalogState) -> list[Item]:
    """Returns the maintained items, each after its inputs."""
    ordered: dict[GlobalId, Item] = {}

    def visit(item: Item) -> None:
        if item.id not in ordered:
            for id_ in sorted(item.depends_on):
                if id_ in state.items:
                    visit(state.items[id_])
            ordered[item.id] = item

    for item in sorted(state.items.values(), key=lambda item: item.oid):
        visit(item)
    return [item for item in ordered.values() if isinstance(item.definition, Computed)]
