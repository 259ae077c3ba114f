"""The environment's knowledge of its dataflows, and its commands to them. Volatile: the catalog remembers the
dataflows.

Each dataflow runs in one cluster, and may read what others write: what is known of an export is known to all clusters.
Sinces and uppers of exports never move backward, even when a replica starts again and works its way up to them once
more. What is told of several replicas says `replication`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import assert_never

from compute.controller.replication import ExportFrontiers, ExportOfReplicas, runs_everywhere
from compute.protocol.command import (
    AdvanceTimeline,
    AllowCompaction,
    AllowWrites,
    Await,
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
    IngestionMeasures,
    Measures,
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
from storage.holds import ReadHolds, StorageReadHold

FrontiersObserver = Callable[[GlobalId, ExportFrontiers], None]
VersionsObserver = Callable[[GlobalId, Mapping[str, int]], None]
StatusObserver = Callable[[DataflowStatus], None]

_LEADING = ""
_FAILURES_MAX = 3
"""After as many failures in a row a dataflow is not expected to go on soon."""


class NotMaintained(SqlError):
    """The export `id` will not reach the awaited time soon: its dataflow, or a dataflow below, fails or hydrates."""

    def __init__(self, id_: GlobalId, reason: str) -> None:
        super().__init__(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f"{id_} is not maintained", detail=reason)
        self.id = id_
        self.reason = reason


class Patience(IntEnum):
    """The troubles that a waiting reader tolerates."""

    NONE = 0
    HYDRATION = 1
    FAILURES = 2
    """As long as they may pass."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Someone waits until an export is complete at `time`; the cluster `instead` may compute it for them."""

    time: Timestamp
    patience: Patience
    instead: int | None
    done: asyncio.Future[None]


class _Holds(ReadHolds):
    """Read holds that report each release."""

    def __init__(self, released: Callable[[], None]) -> None:
        super().__init__()
        self._released = released

    def forget(self, hold: StorageReadHold) -> None:
        super().forget(hold)
        self._released()


@dataclass(slots=True)
class ServedCluster:
    """A cluster that runs dataflows.

    `replicas`: their names.
    `tell`: hands a command to the replicas, now and whenever one starts again, and returns the names of those that were
        sent it; `send` only now.
    `ready`: tells whether one of them answers.
    `leader`: the name of the replica that leads, if any does.
    `ending`: how many exports of an id were dropped of which a replica has not said the last word yet.
    """

    replicas: list[str]
    tell: Callable[[Command], Collection[str]]
    send: Callable[[Command], Collection[str]]
    ready: Callable[[], bool]
    leader: str | None = None
    ending: Counter[tuple[str, GlobalId]] = field(default_factory=Counter)

    def forget_ended(self, replica: str) -> None:
        """Expects no last words of a replica any longer."""
        for ended in [each for each in self.ending if each[0] == replica]:
            del self.ending[ended]


@dataclass(slots=True)
class _Tracked:
    """An export of a dataflow of `cluster`.

    `said`: what its replicas have said of it.
    `everywhere`: every replica runs it.
    `inputs`: the collections that its dataflow reads.
    `since_wanted`: the environment no longer needs times before.
    `since_told`: the last since sent to the replicas.
    """

    cluster: ServedCluster
    said: ExportOfReplicas
    everywhere: bool
    status: DataflowStatus
    holds: _Holds
    inputs: tuple[GlobalId, ...]
    since_wanted: Antichain
    since_told: Antichain
    measures: DataflowMeasures | None = None
    ingested: IngestionMeasures | None = None
    delivered: SinkMeasures | None = None
    waiting: list[_Waiting] = field(default_factory=list)

    @property
    def frontiers(self) -> ExportFrontiers:
        return self.said.frontiers


class DataflowController:
    """Keeps the dataflows of an environment, and gives them to the replicas of their clusters."""

    def __init__(self) -> None:
        self._clusters: dict[int, ServedCluster] = {}
        self._exports: dict[GlobalId, _Tracked] = {}
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
        served = self._tracked(id_).cluster
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
        self._tracked(collections[0].source).cluster.tell(RenderSources(tuple(collections)))

    def schedule(self, id_: GlobalId) -> None:
        """Lets the dataflow that exports `id` start."""
        self._tracked(id_).cluster.tell(Schedule(id_))

    def allow_writes(self, id_: GlobalId) -> None:
        """Lets the dataflow that exports `id` write its shards."""
        self._tracked(id_).cluster.tell(AllowWrites(id_))

    def allow_compaction(self, id_: GlobalId, frontier: Antichain) -> None:
        """Lets times of `id` before `frontier` be compacted; holds in force keep their times."""
        tracked = self._tracked(id_)
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
        return self._tracked(id_).frontiers

    def hold(self, id_: GlobalId, at: Timestamp | None = None) -> StorageReadHold:
        """A volatile read hold at `at`, by default at the since; SqlError naming the since when it has passed `at`."""
        tracked = self._tracked(id_)
        since = tracked.frontiers.since.join(tracked.since_told)
        frontier = since if at is None else Antichain(at)
        if not since.precedes(frontier) or tracked.since_wanted.empty:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f"{id_} can't be read at {frontier}: its since is {since}"
            )
        return tracked.holds.take(id_, frontier, 0)

    async def wait_for_upper(
        self, id_: GlobalId, time: Timestamp, patience: Patience = Patience.FAILURES, instead: int | None = None
    ) -> None:
        """Returns once `id` is complete at `time`, and asks the replica to hurry. SqlError when the export is dropped.

        NotMaintained when completion can't be expected: see `hindrance`.
        """
        tracked = self._tracked(id_)
        if not tracked.frontiers.upper.less_equal(time):
            return
        hindered = self.hindrance(id_, time, patience, instead)
        if hindered is not None:
            raise hindered
        entry = _Waiting(time, patience, instead, asyncio.get_running_loop().create_future())
        tracked.waiting.append(entry)
        self._send_hints(id_, time)
        try:
            await entry.done
        finally:
            if entry in tracked.waiting:
                tracked.waiting.remove(entry)

    def hindrance(
        self,
        id_: GlobalId,
        time: Timestamp | None = None,
        patience: Patience = Patience.NONE,
        instead: int | None = None,
    ) -> NotMaintained | None:
        """Returns the reason why `id` is not soon complete at `time` (None: at times to come): a dataflow below fails
        or hydrates, or nobody runs it; or its cluster has lost its replicas, while the cluster `instead` answers.

        None when every reason is tolerated by `patience`.
        """
        other = None if instead is None else self._clusters.get(instead)
        for each in self._behind(id_, time):
            cluster = self._exports[each].cluster
            if not cluster.replicas:
                return NotMaintained(id_, f"the cluster of {each} has no replicas")
            if other is not None and other is not cluster and other.ready() and not cluster.ready():
                return NotMaintained(id_, f"no replica of the cluster of {each} is ready")
            status = self._exports[each].status
            if status.phase is DataflowPhase.STALLED:
                return NotMaintained(id_, f"the dataflow of {each} is stalled: {status.message}")
            if status.phase is DataflowPhase.FAILING:
                if patience < Patience.FAILURES or status.retries >= _FAILURES_MAX:
                    return NotMaintained(id_, f"the dataflow of {each} fails: {status.message}")
            elif status.phase is DataflowPhase.HYDRATING and patience < Patience.HYDRATION:
                return NotMaintained(id_, f"the dataflow of {each} hydrates")
        return None

    def hurry(self, id_: GlobalId, time: Timestamp) -> None:
        """Tells the replica that a reader there waits until `id` is complete at `time`, so that its inputs move at
        once."""
        if self._tracked(id_).frontiers.upper.less_equal(time):
            self._send_hints(id_, time)

    def rebuild(self, id_: GlobalId) -> None:
        """Has the replica begin a materialized view's dataflow anew; SqlError (undefined_object) for an unknown one."""
        self._tracked(id_).cluster.send(Rebuild(id_))

    def _send_hints(self, id_: GlobalId, time: Timestamp) -> None:
        """Sends hints that a reader waits for the export, and for all exports below, to the clusters that run them."""
        for each in self._behind(id_, time):
            self._exports[each].cluster.send(Await(each, time))

    def _behind(self, id_: GlobalId, time: Timestamp | None) -> Iterator[GlobalId]:
        """Yields the export and all exports below that are not complete at `time`."""
        behind, seen = [id_], {id_}
        while behind:
            each = behind.pop()
            tracked = self._exports.get(each)
            if tracked is not None and (time is None or tracked.frontiers.upper.less_equal(time)):
                yield each
                behind += [input_ for input_ in tracked.inputs if input_ not in seen]
                seen.update(tracked.inputs)

    def status(self, id_: GlobalId) -> DataflowStatus:
        """Returns the status of an export's dataflow. SqlError (undefined_object) for an unknown export."""
        return self._tracked(id_).status

    def measures(self, id_: GlobalId) -> DataflowMeasures | None:
        """Returns the export's last reported measures; None before the first. SqlError like `status`."""
        return self._tracked(id_).measures

    def ingested(self, source: GlobalId) -> IngestionMeasures | None:
        """Returns the last reported measures of a source's ingestion; None before the first, and without such a
        source."""
        tracked = self._exports.get(source)
        return None if tracked is None else tracked.ingested

    def delivered(self, sink: GlobalId) -> SinkMeasures | None:
        """Returns the last reported measures of a sink; None before the first, and without such a sink."""
        tracked = self._exports.get(sink)
        return None if tracked is None else tracked.delivered

    def statuses(self) -> dict[GlobalId, DataflowStatus]:
        """Returns the last reported status of each export."""
        return {id_: tracked.status for id_, tracked in self._exports.items()}

    def on_frontiers(self, observer: FrontiersObserver) -> None:
        """`observer` is called whenever an export's frontiers have moved. It must not raise."""
        self._observers.append(observer)

    def on_status(self, observer: StatusObserver) -> None:
        """Registers an observer of changed statuses. The observer must not raise."""
        self._status_observers.append(observer)

    def on_versions(self, observer: VersionsObserver) -> None:
        """Registers an observer of the shard versions from which exports read. The observer must not raise."""
        self._version_observers.append(observer)

    def versions(self, id_: GlobalId) -> Mapping[str, int]:
        """Returns the shard versions from which an export's dataflow reads, as last reported."""
        tracked = self._exports.get(id_)
        return {} if tracked is None or tracked.measures is None else dict(tracked.measures.versions)

    def advance_timeline(self, upper: Antichain) -> None:
        """All collections of the timeline are complete up to `upper`, durably."""
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
        if not cluster.replicas:
            self.give_up_waiting()

    def hints(self, cluster: ServedCluster, replica: str) -> Iterator[Command]:
        """Yields hints for the beginning of a connection, beside the history. Dropped exports will no longer be
        reported."""
        cluster.forget_ended(replica)
        yield AdvanceTimeline(self._timeline_upper)
        if self._secrets:
            yield TellSecrets(tuple(self._secrets.items()))
        for id_, tracked in self._exports.items():
            for each in tracked.waiting:
                for behind in self._behind(id_, each.time):
                    if self._exports[behind].cluster is cluster:
                        yield Await(behind, each.time)

    def take(self, cluster: ServedCluster, replica: str, response: DataflowReport) -> None:
        """Takes a report of a replica. Reports about dropped exports are ignored, even if other exports have their
        ids by now, in this cluster or in another one."""
        if cluster.ending[replica, response.id]:
            if isinstance(response, Frontiers) and response.since == EMPTY:
                cluster.ending -= Counter(((replica, response.id),))
            return
        tracked = self._exports.get(response.id)
        if tracked is None or tracked.cluster is not cluster:
            return
        if isinstance(response, Frontiers):
            if tracked.said.take(self._reporting(tracked, replica), response):
                self._moved(response.id, tracked)
            return
        if replica == cluster.leader:
            self._show(tracked, response)
        if isinstance(response, DataflowMeasures | SinkMeasures):
            versions = tracked.said.take_versions(self._reporting(tracked, replica), dict(response.versions))
            for observer in self._version_observers:
                observer(response.id, versions)

    def _reporting(self, tracked: _Tracked, replica: str) -> str:
        """Returns the name under which a report is noted: what only the leader runs has one name, whoever leads."""
        return replica if tracked.everywhere else _LEADING

    def _show(self, tracked: _Tracked, response: DataflowStatus | Measures) -> None:
        """Takes what the leader says of a dataflow for people, and of whether it is to be waited for."""
        match response:
            case DataflowStatus():
                tracked.status = response
                for each in self._status_observers:
                    each(response)
                self.give_up_waiting()
            case DataflowMeasures():
                tracked.measures = response
            case IngestionMeasures():
                tracked.ingested = response
            case SinkMeasures():
                tracked.delivered = response
            case _:
                assert_never(response)

    def give_up_waiting(self) -> None:
        """Fails the waiting readers whose time can't be expected, as they can't once a replica is lost."""
        for id_, tracked in self._exports.items():
            for each in tracked.waiting:
                hindered = None if each.done.done() else self.hindrance(id_, each.time, each.patience, each.instead)
                if hindered is not None:
                    each.done.set_exception(hindered)

    def _track(self, id_: GlobalId, description: Installed, cluster: ServedCluster) -> _Tracked:
        as_of = description.as_of
        shards: tuple[str, ...] = ()
        if isinstance(description, DataflowDescription):
            shards = tuple(each.shard for each in description.imports)
        elif isinstance(description, SinkDescription):
            shards = (description.input,)
        everywhere = runs_everywhere(description)
        beginning = ExportFrontiers(since=as_of, upper=as_of, input=as_of, durable=as_of)
        return _Tracked(
            cluster,
            ExportOfReplicas(cluster.replicas if everywhere else (_LEADING,), beginning),
            everywhere,
            DataflowStatus(id_, DataflowPhase.CREATED, 0, 0, "", 0),
            _Holds(lambda: self._compact(id_)),
            tuple(map(GlobalId.parse, shards)),
            since_wanted=as_of,
            since_told=as_of,
        )

    def _tracked(self, id_: GlobalId) -> _Tracked:
        tracked = self._exports.get(id_)
        if tracked is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"{id_} is not maintained")
        return tracked

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
        cluster = tracked.cluster
        sent = cluster.tell(AllowCompaction(id_, target))
        if target.empty:
            del self._exports[id_]
            cluster.ending.update((each, id_) for each in sent if tracked.everywhere or each == cluster.leader)
            dropped = SqlError(Sqlstate.UNDEFINED_OBJECT, f"{id_} was dropped")
            for each in tracked.waiting:
                if not each.done.done():
                    each.done.set_exception(dropped)
        else:
            tracked.said.frontiers = replace(tracked.frontiers, since=tracked.frontiers.since.join(target))
            self._moved(id_, tracked)

    def _moved(self, id_: GlobalId, tracked: _Tracked) -> None:
        for each in tracked.waiting:
            if not tracked.frontiers.upper.less_equal(each.time) and not each.done.done():
                each.done.set_result(None)
        for observer in self._observers:
            observer(id_, tracked.frontiers)
