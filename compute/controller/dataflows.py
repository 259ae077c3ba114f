"""The environment's knowledge of its dataflows, and its commands to them. Volatile: the catalog remembers the
dataflows.

Each dataflow runs in one cluster, and may read what others write: what is known of an export is known to all clusters.
Sinces and uppers of exports never move backward, even when a replica starts again and works its way up to them once
more. What is told of several replicas says `replication`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from compute.controller.arrivals import ArrivingExports
from compute.controller.exports import ExportHolds, ServedCluster, TrackedExport, TrackedExports
from compute.controller.progress import ExportProgress
from compute.controller.replication import ExportFrontiers, ExportOfReplicas, runs_everywhere
from compute.controller.reports import ExportReports
from compute.protocol.command import (
    AdvanceTimeline,
    AllowCompaction,
    AllowWrites,
    Command,
    CreateDataflow,
    CreateSinks,
    CreateSources,
    Rebuild,
    RenderSources,
    Schedule,
    TellSecrets,
)
from compute.protocol.dataflow import DataflowDescription, Installed, ShardExport
from compute.protocol.response import (
    DataflowMeasures,
    DataflowPhase,
    DataflowReport,
    DataflowStatus,
    Frontiers,
    SinkMeasures,
)
from compute.protocol.vocabulary import require_sendable
from connectors.sinks.description import SinkDescription
from connectors.sources.description import IngestionDescription, StorageCollectionId
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.cluster_id import FIRST_CLUSTER
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, MINIMUM, Antichain
from model.time.timestamp import Timestamp
from storage.holds import StorageReadHold

FrontiersObserver = Callable[[GlobalId, ExportFrontiers], None]
VersionsObserver = Callable[[GlobalId, Mapping[str, int]], None]
StatusObserver = Callable[[DataflowStatus], None]

_LEADING = ""


class DataflowController:
    """Keeps the dataflows of an environment, and gives them to the replicas of their clusters."""

    def __init__(self) -> None:
        self._clusters: dict[int, ServedCluster] = {}
        self._exports = TrackedExports()
        self.progress = ExportProgress(self._exports, self._clusters)
        self.reports = ExportReports(self._exports)
        self.arriving = ArrivingExports(self._exports, self._clusters)
        self._observers: list[FrontiersObserver] = []
        self._version_observers: list[VersionsObserver] = []
        self._status_observers: list[StatusObserver] = []
        self._timeline_upper = MINIMUM
        self._secrets: dict[GlobalId, str] = {}

    def add_cluster(self, oid: int, cluster: ServedCluster) -> None:
        """Adds a cluster, which runs nothing yet."""
        assert oid not in self._clusters, f"there is a cluster {oid} already"
        self._clusters[oid] = cluster

    def remove_cluster(self, oid: int) -> None:
        """Forgets a cluster, whose exports have been dropped; those that are still held end with their last holds."""
        del self._clusters[oid]

    def cluster_of(self, id_: GlobalId) -> int:
        """Returns the cluster that runs an export's dataflow; SqlError (undefined_object) for an unknown export, and
        for one that is still held though its cluster is gone."""
        served = self._exports.tracked(id_).cluster
        for oid, cluster in self._clusters.items():
            if cluster is served:
                return oid
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"the cluster of {id_} was dropped")

    def create(self, description: DataflowDescription, cluster: int = FIRST_CLUSTER) -> None:
        """Installs a dataflow in a cluster, which waits for `schedule`. The imports are held at as_of by the caller.

        SqlError (statement_too_complex) when it is nested too deeply to be sent.
        """
        assert sum(isinstance(export, ShardExport) for export in description.exports) <= 1, "a dataflow has one shard"
        command = CreateDataflow(description)
        require_sendable(command)
        for id_ in description.export_ids:
            assert id_ not in self._exports, f"{id_} is exported already"
            self._exports[id_] = self._track(id_, description, self._clusters[cluster])
        self._clusters[cluster].tell(command)

    def arrive(self, description: DataflowDescription, cluster: int) -> None:
        """Has another cluster run the dataflow of a materialized view as well, from now on: both write the shard. Then
        comes `change_over`, or `turn_away`. The imports are held at as_of by the caller.

        SqlError 55006 where the export is on its way into another cluster already.
        """
        (id_,) = description.export_ids
        if id_ in self.arriving:
            raise SqlError(Sqlstate.OBJECT_IN_USE, f"{id_} is being moved to another cluster already")
        if cluster not in self._clusters:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, "the cluster was dropped")
        command = CreateDataflow(description)
        require_sendable(command)
        self.arriving[id_] = tracked = self._track(id_, description, self._clusters[cluster])
        for each in (command, Schedule(id_), AllowWrites(id_)):
            tracked.cluster.tell(each)

    def change_over(self, id_: GlobalId) -> None:
        """Has the cluster in which the export arrives run it alone from now on; who waits for it goes on to wait."""
        former, tracked = self._exports[id_], self.arriving.pop(id_)
        assert former.holds.meet() == EMPTY, "a shard's holds are storage's"
        told = tracked.frontiers
        since, upper = told.since.join(former.frontiers.since), told.upper.join(former.frontiers.upper)
        tracked.said.frontiers = replace(told, since=since, upper=upper)
        tracked.waiting = former.waiting
        self._exports[id_] = tracked
        self._end(id_, former)
        for hint in self.progress.hints(tracked.cluster):
            tracked.cluster.send(hint)
        self._moved(id_, tracked)

    def turn_away(self, id_: GlobalId) -> None:
        """Ends an export where it arrives; it goes on where it is. Idempotent."""
        if id_ in self.arriving:
            tracked = self.arriving.pop(id_)
            self._end(id_, tracked)
            tracked.fail_waiting(SqlError(Sqlstate.UNDEFINED_OBJECT, f"{id_} was dropped"))

    def _end(self, id_: GlobalId, tracked: TrackedExport) -> None:
        """Has a cluster drop an export."""
        sent = tracked.cluster.tell(AllowCompaction(id_, EMPTY))
        ending = tracked.cluster.ending
        ending.update((each, id_) for each in sent if tracked.everywhere or each == tracked.cluster.leader)

    def create_source(self, description: IngestionDescription, cluster: int = FIRST_CLUSTER) -> None:
        """Installs the ingestion of a source, to be started by `render_sources`. The shards exist."""
        for id_ in description.export_ids:
            assert id_ not in self._exports, f"{id_} is exported already"
            self._exports[id_] = self._track(id_, description, self._clusters[cluster])
        self._clusters[cluster].tell(CreateSources((description,)))

    def create_sink(self, description: SinkDescription, cluster: int = FIRST_CLUSTER) -> None:
        """Installs a sink, to be started by `schedule` and `allow_writes`. The caller holds the input at as_of."""
        assert description.sink not in self._exports, f"{description.sink} is exported already"
        self._exports[description.sink] = self._track(description.sink, description, self._clusters[cluster])
        self._clusters[cluster].tell(CreateSinks((description,)))

    def tell_secrets(self, values: Mapping[GlobalId, str]) -> None:
        """Sends the values of secrets for ingestions and sinks, now and after each start of the replica; they stand
        in no history."""
        self._secrets.update(values)
        for cluster in self._clusters.values():
            cluster.send(TellSecrets(tuple(values.items())))

    def render_sources(self, collections: Sequence[StorageCollectionId]) -> None:
        """Lets the ingestion of the collections, which are all of one cluster, start and write."""
        self._exports.tracked(collections[0].source).cluster.tell(RenderSources(tuple(collections)))

    def schedule(self, id_: GlobalId) -> None:
        """Lets the dataflow that exports `id` start."""
        self._exports.tracked(id_).cluster.tell(Schedule(id_))

    def allow_writes(self, id_: GlobalId) -> None:
        """Lets the dataflow that exports `id` write its shards."""
        self._exports.tracked(id_).cluster.tell(AllowWrites(id_))

    def allow_compaction(self, id_: GlobalId, frontier: Antichain) -> None:
        """Lets times of `id` before `frontier` be compacted; holds in force keep their times."""
        tracked = self._exports.tracked(id_)
        tracked.since_wanted = tracked.since_wanted.join(frontier)
        self._compact(id_)

    def drop(self, id_: GlobalId) -> None:
        """Drops an export; it ends with its last hold. Idempotent."""
        if id_ in self._exports:
            self.allow_compaction(id_, EMPTY)

    def exists(self, id_: GlobalId) -> bool:
        """Returns whether `id` can be read, now or later."""
        return id_ in self._exports and not self._exports[id_].since_wanted.empty

    def frontiers(self, id_: GlobalId) -> ExportFrontiers:
        """Returns an export's frontiers; SqlError (undefined_object) for an unknown export."""
        return self._exports.tracked(id_).frontiers

    def hold(self, id_: GlobalId, at: Timestamp | None = None) -> StorageReadHold:
        """Takes a volatile read hold at `at`, by default at the since; SqlError naming the since when it has passed
        `at`."""
        tracked = self._exports.tracked(id_)
        since = tracked.frontiers.since.join(tracked.since_told)
        frontier = since if at is None else Antichain(at)
        if not since.precedes(frontier) or tracked.since_wanted.empty:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f"{id_} can't be read at {frontier}: its since is {since}"
            )
        return tracked.holds.take(id_, frontier, 0)

    def rebuild(self, id_: GlobalId) -> None:
        """Has the replica begin a materialized view's dataflow anew; SqlError (undefined_object) for an unknown one."""
        self._exports.tracked(id_).cluster.send(Rebuild(id_))

    def on_frontiers(self, observer: FrontiersObserver) -> None:
        """Calls `observer` from now on whenever an export's frontiers have moved. It must not raise."""
        self._observers.append(observer)

    def on_status(self, observer: StatusObserver) -> None:
        """Registers an observer of changed statuses. The observer must not raise."""
        self._status_observers.append(observer)

    def on_versions(self, observer: VersionsObserver) -> None:
        """Registers an observer of the shard versions from which exports read. The observer must not raise."""
        self._version_observers.append(observer)

    def advance_timeline(self, upper: Antichain) -> None:
        """Notes that all collections of the timeline are complete up to `upper`, durably."""
        self._timeline_upper = self._timeline_upper.join(upper)
        for cluster in self._clusters.values():
            cluster.send(AdvanceTimeline(self._timeline_upper))

    def add_replica(self, cluster: ServedCluster, name: str) -> None:
        """Counts a replica among those whose word is waited for before inputs lose their past."""
        cluster.replicas.append(name)

    def remove_replica(self, cluster: ServedCluster, name: str) -> None:
        """Forgets a replica, and all that it has said."""
        cluster.replicas.remove(name)
        cluster.forget_ended(name)
        for id_, tracked in list(self._exports.items()):
            if tracked.cluster is cluster and tracked.everywhere and tracked.said.forget(name):
                self._moved(id_, tracked)
        self.arriving.forget(cluster, name)
        if not cluster.replicas:
            self.give_up_waiting()

    def give_up_waiting(self) -> None:
        """Fails those who wait for what is hindered, in the cluster of an export or in the one to which it moves."""
        self.progress.give_up_waiting()
        self.arriving.progress.give_up_waiting()

    def uppers(self, cluster: ServedCluster, replica: str) -> Iterator[tuple[GlobalId, Antichain]]:
        """Yields the indexes and views that a replica has told of, each with the upper told by that replica alone."""
        for id_, tracked in self._exports.items():
            if tracked.cluster is cluster and tracked.everywhere:
                upper = tracked.said.upper_of(replica)
                if upper is not None:
                    yield id_, upper

    def hints(self, cluster: ServedCluster, replica: str) -> Iterator[Command]:
        """Yields hints for the beginning of a connection, beside the history. Dropped exports will no longer be
        reported."""
        cluster.forget_ended(replica)
        yield AdvanceTimeline(self._timeline_upper)
        if self._secrets:
            yield TellSecrets(tuple(self._secrets.items()))
        yield from self.progress.hints(cluster)
        yield from self.arriving.progress.hints(cluster)

    def take(self, cluster: ServedCluster, replica: str, response: DataflowReport) -> None:
        """Takes a report of a replica. Reports about dropped exports are ignored, even if other exports have their
        ids by now, in this cluster or in another one."""
        if cluster.ending[replica, response.id]:
            if isinstance(response, Frontiers) and response.since == EMPTY:
                cluster.ending -= Counter(((replica, response.id),))
            return
        tracked = self._exports.get(response.id)
        if tracked is None or tracked.cluster is not cluster:
            self.arriving.take(cluster, replica, response)
            return
        if isinstance(response, Frontiers):
            if tracked.said.take(self._reporting(tracked, replica), response):
                self._moved(response.id, tracked)
            return
        if replica == cluster.leader:
            self.reports.take(tracked, response)
            if isinstance(response, DataflowStatus):
                for changed in self._status_observers:
                    changed(response)
                self.give_up_waiting()
        if isinstance(response, DataflowMeasures | SinkMeasures):
            versions = tracked.said.take_versions(self._reporting(tracked, replica), dict(response.versions))
            for observer in self._version_observers:
                observer(response.id, versions)

    def _reporting(self, tracked: TrackedExport, replica: str) -> str:
        """Returns the name under which a report is noted: what only the leader runs has one name, whoever leads."""
        return replica if tracked.everywhere else _LEADING

    def _track(self, id_: GlobalId, description: Installed, cluster: ServedCluster) -> TrackedExport:
        as_of = description.as_of
        shards: tuple[str, ...] = ()
        if isinstance(description, DataflowDescription):
            shards = tuple(each.shard for each in description.imports)
        elif isinstance(description, SinkDescription):
            shards = (description.input,)
        everywhere = runs_everywhere(description)
        beginning = ExportFrontiers(since=as_of, upper=as_of, input=as_of, durable=as_of)
        return TrackedExport(
            cluster,
            ExportOfReplicas(cluster.replicas if everywhere else (_LEADING,), beginning),
            everywhere,
            DataflowStatus(id_, DataflowPhase.CREATED, 0, 0, "", 0),
            ExportHolds(lambda: self._compact(id_)),
            tuple(map(GlobalId.parse, shards)),
            since_wanted=as_of,
            since_told=as_of,
        )

    def _compact(self, id_: GlobalId) -> None:
        """Tells the replicas how far holds let the export's since move."""
        tracked = self._exports.get(id_)
        if tracked is None:
            return
        if tracked.since_wanted == tracked.since_told:
            # As each hold of a read ends; there may be many at once.
            return
        target = tracked.since_wanted.meet(tracked.holds.meet())
        if target.precedes(tracked.since_told):
            return
        tracked.since_told = target
        if target.empty:
            del self._exports[id_]
            self._end(id_, tracked)
            tracked.fail_waiting(SqlError(Sqlstate.UNDEFINED_OBJECT, f"{id_} was dropped"))
        else:
            tracked.cluster.tell(AllowCompaction(id_, target))
            tracked.said.frontiers = replace(tracked.frontiers, since=tracked.frontiers.since.join(target))
            self._moved(id_, tracked)

    def _moved(self, id_: GlobalId, tracked: TrackedExport) -> None:
        tracked.wake_waiting()
        for observer in self._observers:
            observer(id_, tracked.frontiers)
