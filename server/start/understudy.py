"""The replicas of a standby: they keep the catalog's views and indexes up to date beside the leader's replicas, without
writing, for the moment at which the standby leads.

    the leader's replicas can be taken over (same place, same version)  -> nothing to do
    else                                                                -> the standby's replicas, in another place

Each second the standby looks at consensus: at the leader, the timeline, all moved shards, and the catalog. After a
change of the catalog, all dataflows are described anew, and the replicas reconcile as with an environment. The
standby's record names the past that the dataflows have still to read, for the leader to hold.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import structlog

from catalog.durable.history import CatalogHistory
from catalog.durable.rows import CATALOG_DESC, CATALOG_SHARD_ID, CatalogRow, load
from catalog.nouns.clusters import ClusterReplica
from catalog.state.catalog_state import CatalogState
from compute.controller.clusters import ComputeClusters
from compute.controller.controller import ControllerOptions
from compute.controller.link import ReplicaUnavailable
from compute.directory_lock import DirectoryLock, DirectoryTaken
from compute.protocol.response import DataflowPhase
from compute.protocol.vocabulary import VERSION
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.clock import Clock, Randomness
from model.time.timestamp import TIMESTAMP_MAX, TIMESTAMP_MIN, Timestamp
from server.objects.maintained.dataflows import MaintainedDataflows, in_order
from server.objects.maintained.description import Outline, outline
from server.objects.replicas import Replicas
from server.options import ServeOptions
from server.planning.long_texts import planned_apart
from server.planning.statement_plans import Planning
from server.start.bootstrap import all_updates
from server.start.replica_places import BESIDE, ReplicaProcesses, states_of
from storage.controller import StorageController
from storage.persist.location import Blob, Consensus, Indeterminate
from storage.persist.retry import retried
from timeline.durable_oracle import TIMELINE_KEY, TimelineRecord
from timeline.fence import FENCE_KEY
from timeline.lease import LeaderPlace, PromotableStandby
from timeline.promotion import StandbyRecord

log = structlog.get_logger()

_LOOK_S = 1.0
_HELD_LOOKS = 10
"""A leader of an earlier version never acknowledges holds."""
_BEHIND_MS = 5_000
"""Changes of five seconds are processed in a moment."""
_PROMOTES_WITHIN_S = 60.0
_WRITES_NOTHING: tuple[tuple[str, int | None], ...] = ((FENCE_KEY, None),)
"""A fence exists, so every write fails."""


@dataclass(slots=True)
class _Hydration:
    """The last description of all dataflows. `versions`: the versions of shards read by each dataflow."""

    state: CatalogState
    compute: ComputeClusters
    replicas: Replicas
    dataflows: MaintainedDataflows
    outlines: Mapping[GlobalId, Outline]
    versions: dict[GlobalId, Mapping[str, int]] = field(default_factory=dict)

    async def end(self, *, leave: bool) -> None:
        await self.replicas.close()
        await self.compute.stop(leave_replica=leave)


class Understudy:
    """`run` until the standby leads, then `end`. `places` are those of the data directory."""

    def __init__(
        self,
        options: ServeOptions,
        consensus: Consensus,
        blob: Blob,
        clock: Clock,
        randomness: Randomness,
        places: ReplicaProcesses,
        candidate: PromotableStandby,
        record: StandbyRecord,
    ) -> None:
        self._options = options
        self._clock = clock
        self._storage = StorageController(consensus, blob, clock, randomness)
        self._places = places
        self._own: ReplicaProcesses | None = None
        self._leader = LeaderPlace()
        self._candidate = candidate
        self._record = msgspec.structs.replace(record, version=VERSION)
        self._lock: DirectoryLock | None = None
        self._planning = Planning()
        self._rows: frozenset[CatalogRow] = frozenset()
        self._catalog_seqno: int | None = None
        self._hydration: _Hydration | None = None
        self._looks = 0
        self._promotion_ns: int | None = None
        self._wanted: dict[str, tuple[int, int]] = {}
        self._asked_version: int | None = None
        self._ending: asyncio.Task[None] | None = None

    def promote(self) -> None:
        """Has the standby ask the leader to give way once everything is up to date, or, at the second call, at once."""
        if self._record.caught_up or self._promotion_ns is not None:
            self._candidate.promoted = True
        else:
            log.info("this standby is to lead once it is up to date", message=self._record.message)
            self._promotion_ns = self._clock.elapsed_ns()

    def said(self, record: StandbyRecord, version: int) -> None:
        """Notes that a record has been written, under a version."""
        if record.holds and self._asked_version is None:
            self._asked_version = version

    def record(self) -> StandbyRecord:
        """Returns the standby's record."""
        return msgspec.structs.replace(self._record, answer=self._candidate.answer)

    async def run(self) -> None:
        """Looks and follows until cancelled. Raises SqlError XX001 for data of a newer version."""
        while True:
            try:
                await self._look()
            except (Indeterminate, OSError, ReplicaUnavailable) as error:
                log.warning("a standby can't follow", reason=str(error))
            except SqlError as error:
                if error.sqlstate is Sqlstate.DATA_CORRUPTED:
                    raise
                log.warning("a standby can't follow", reason=error.message)
            await self._clock.sleep(_LOOK_S)

    @property
    def places_to_lead(self) -> ReplicaProcesses:
        """Returns the place of the replicas once the standby leads: the standby's own, or the data directory's."""
        return self._places.chosen() if self._own is None or self._hydration is None else self._own

    async def end(self, *, leads: bool) -> None:
        """Ends following. The replicas go on if the standby `leads`, else end."""
        hydration, self._hydration = self._hydration, None
        if hydration is not None:
            await hydration.end(leave=leads)
        try:
            if leads and hydration is not None and self._own is not None:
                former = self._places.chosen()
                try:
                    await asyncio.to_thread(self._own.choose)
                except OSError as error:
                    log.warning("where the replicas are can't be noted", place=self._own.at, reason=str(error))
                if self._own.at != former.at:
                    replicas = [each for c in hydration.state.clusters.values() for each in c.replicas]
                    self._ending = asyncio.create_task(_end_former(former, replicas), name="former replicas")
        finally:
            self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # Looks

    async def _look(self) -> None:
        lease = self._candidate.seen
        if lease is not None and lease.place.folder:
            self._leader = lease.place
            self._places = self._places.chosen()
            if not self._options.standby_hydrates or not self._has_own(lease.place):
                await self._adopt(lease.place)
                return
        elif self._hydration is None:
            self._say("would lead at once", caught_up=True)
            return
        await self._follow_storage()
        await self._follow_catalog()
        if self._hydration is not None:
            self._tell(self._hydration)

    def _has_own(self, leader: LeaderPlace) -> bool:
        """Returns whether replicas of the standby are of use and have a place."""
        mine = self._places.place
        if (mine.host, mine.folder) == (leader.host, leader.folder) and (
            not mine.host or mine.version == leader.version
        ):
            return False
        if self._own is not None:
            return True
        taken = (mine.host, mine.folder) == (leader.host, leader.folder) or self._shares_blob(mine, leader)
        try:
            beside = self._options.data_dir / BESIDE
            beside.mkdir(parents=True, exist_ok=True)
            self._lock = DirectoryLock(beside)
        except (DirectoryTaken, OSError) as error:
            log.info("a standby keeps no views of its own", reason=str(error))
            return False
        self._own = self._places.other() if taken else self._places
        return True

    def _shares_blob(self, mine: LeaderPlace, leader: LeaderPlace) -> bool:
        return self._options.replica_state == "blob" and mine.in_blob == leader.in_blob

    async def _adopt(self, leader: LeaderPlace) -> None:
        """Ends the standby's replicas: the leader's replicas will be taken over, or fresh replicas begin."""
        hydration, self._hydration = self._hydration, None
        if hydration is not None:
            await hydration.end(leave=False)
        self._own, self._rows, self._catalog_seqno = None, frozenset(), None
        self._release()
        self._wanted = {}
        mine = self._places.place
        adopts = (mine.host, mine.folder, mine.version) == (leader.host, leader.folder, leader.version)
        message = "would lead at once" + (", with the replicas of the leader" if adopts else "")
        self._say(message, hydrated=adopts, caught_up=True)

    async def _follow_storage(self) -> None:
        """Reads the states of moved shards, and the timeline's upper."""
        storage = self._storage
        machines = {each.machine.key: each.machine for each in storage.collections()}
        if not machines:
            await storage.load()
            machines = {each.machine.key: each.machine for each in storage.collections()}
        heads = await retried(lambda: storage.consensus.head([TIMELINE_KEY, *machines]), self._clock)
        for key, machine in machines.items():
            head = heads[key]
            if head is None or head.seqno != machine.seqno:
                await retried(machine.refresh, self._clock)
        timeline = heads[TIMELINE_KEY]
        if timeline is not None:
            storage.advance_timeline(Antichain(msgspec.msgpack.decode(timeline.data, type=TimelineRecord).upper))
        if self._hydration is not None:
            self._hydration.compute.dataflows.advance_timeline(storage.timeline_upper)

    async def _follow_catalog(self) -> None:
        """Describes all dataflows anew after a change of the catalog."""
        storage = self._storage
        seqno = storage.reads.version(CATALOG_SHARD_ID)
        if seqno != self._catalog_seqno:
            updates = await all_updates(storage, CATALOG_SHARD_ID, CATALOG_DESC)
            newest = max((update.time for update in updates), default=TIMESTAMP_MIN)
            rows = frozenset(CatalogHistory(updates, newest).rows_at(newest))
            if rows != self._rows:
                await storage.load()
                state = load(rows)
                if self._hydration is None and not await self._held(state):
                    return
                await self._describe(state)
                self._rows = rows
            self._catalog_seqno = seqno

    async def _held(self, state: CatalogState) -> bool:
        """Asks the leader for holds on all inputs; returns whether the leader has acknowledged, or too much time has
        passed."""
        if not self._wanted:
            storage = self._storage
            for collection in storage.collections():
                since = collection.since.time
                if since is not None and collection.id in _stored(state):
                    self._wanted[str(collection.id)] = since, collection.state.seqno
            self._looks = 0
        self._say("asks the leader to hold what it reads", hydrated=False, caught_up=False)
        self._looks += 1
        lease = self._candidate.seen
        held = 0 if lease is None else lease.held.get(self._candidate.name, 0)
        return not self._wanted or 0 < (self._asked_version or 0) <= held or self._looks > _HELD_LOOKS

    async def _describe(self, state: CatalogState) -> None:
        former, own = self._hydration, self._own
        assert own is not None, "there is a place"
        if former is not None:
            await former.end(leave=True)
        names = [each.name if each.given else each.id for c in state.clusters.values() for each in c.replicas]
        controller = ControllerOptions(
            self._options.consensus_url,
            self._options.blob_url,
            nonce=f"{self._candidate.epoch:020d}+",
            timeline=TIMELINE_KEY,
            preconditions=_WRITES_NOTHING,
            states=states_of(self._leader, names),
        )
        compute = ComputeClusters(controller, own.given(), self._clock, self._storage.randomness)
        replicas = Replicas(compute, own)
        retain_ms = self._options.retain_history_ms
        dataflows = MaintainedDataflows(self._storage, compute.dataflows, retain_ms, read_only=True)
        replicas.add_clusters(state)
        outlines: dict[GlobalId, Outline] = {}
        upper = self._storage.timeline_upper.time or TIMESTAMP_MIN
        now = Timestamp(max(upper - 1, TIMESTAMP_MIN))
        for item in in_order(state):
            try:
                planned = await planned_apart(outline, state, item, self._planning)
                dataflows.install(item, dataflows.prepare_again(planned, now))
                outlines[planned.collection] = planned
            except SqlError as error:
                dataflows.failed[item.id] = error
                log.warning("a standby does not maintain", item=item.name, id=str(item.id), error=error.message)
        hydration = self._hydration = _Hydration(state, compute, replicas, dataflows, outlines)
        compute.dataflows.on_versions(hydration.versions.__setitem__)
        compute.dataflows.advance_timeline(self._storage.timeline_upper)
        await replicas.begin(state, sweep=False)
        await compute.start()
        log.info(
            "a standby keeps views and indexes", place=own.at, dataflows=len(outlines), failed=len(dataflows.failed)
        )

    # What is told

    def _tell(self, hydration: _Hydration) -> None:
        """Tells the progress of the dataflows, and their holds."""
        wanted: dict[str, tuple[int, int]] = {}
        total, hydrated, failing = 0, 0, [error.message for error in hydration.dataflows.failed.values()]
        behind: list[str] = []
        for id_, outlined in hydration.outlines.items():
            if not hydration.state.clusters[outlined.cluster].replicas:
                continue
            total += 1
            upper = _hydrated_to(hydration, id_)
            status = hydration.dataflows.status(id_)
            if status.phase in (DataflowPhase.FAILING, DataflowPhase.STALLED):
                failing.append(f"{id_}: {status.message}")
            hydrated += upper is not None
            if upper is None or (lag := self._behind_ms(id_, outlined, upper)) is None:
                behind.append(f"{id_} has not hydrated")
            elif lag > _BEHIND_MS:
                behind.append(f"{id_} by {lag} ms")
            self._want(wanted, hydration, id_, outlined, upper)
        self._wanted = wanted
        caught_up = hydrated == total and not behind and not failing
        message = "would lead at once, with replicas of its own"
        if failing:
            message = f"{len(failing)} of {total} views and indexes fail: {failing[0]}"
        elif hydrated < total:
            message = f"has hydrated {hydrated} of {total} views and indexes"
        elif behind:
            message = f"{len(behind)} of {total} views and indexes are behind: {behind[0]}"
        self._say(message, hydrated=hydrated == total, caught_up=caught_up, counts=(total, hydrated))

    def _behind_ms(self, id_: GlobalId, outlined: Outline, upper: Timestamp) -> int | None:
        """Returns the lag of a dataflow complete up to `upper`: of a view, behind the leader's shard; of an index,
        behind the inputs. None if a collection is gone."""
        storage, behind = self._storage, 0
        for each in (id_,) if storage.exists(id_) else outlined.inputs:
            if not storage.exists(each):
                return None
            complete = storage.frontiers(each).upper.time
            changed = storage.reads.changed_after(each, Timestamp(max(upper - 1, TIMESTAMP_MIN)))
            if complete is not None and changed:
                behind = max(behind, complete - upper)
        return behind

    def _want(
        self,
        wanted: dict[str, tuple[int, int]],
        hydration: _Hydration,
        id_: GlobalId,
        outlined: Outline,
        upper: Timestamp | None,
    ) -> None:
        as_of = hydration.dataflows.as_of(id_)
        since = as_of if upper is None else max(as_of, Timestamp(upper - 1))
        versions = hydration.versions.get(id_, {})
        for each in (*outlined.inputs, *((id_,) if self._storage.exists(id_) else ())):
            shard = str(each)
            if not self._storage.exists(each):
                continue
            since_before, known = self._wanted.get(shard, (since, self._storage.reads.version(each)))
            seqno = max(known, versions.get(shard, 0))
            # A dataflow described anew may be hydrating from an earlier time on.
            needed = since if upper is not None else min(since, since_before)
            earliest, oldest = wanted.get(shard, (needed, seqno))
            wanted[shard] = min(earliest, needed), min(oldest, seqno)

    def _say(self, message: str, *, hydrated: bool = False, caught_up: bool, counts: tuple[int, int] = (0, 0)) -> None:
        before = self._record
        if (hydrated, caught_up, counts[1]) != (before.hydrated, before.caught_up, before.hydrated_dataflows):
            log.info("how far the standby is", message=message, hydrated=hydrated, caught_up=caught_up)
        self._promote_in_time(caught_up=caught_up)
        self._record = msgspec.structs.replace(
            self._record,
            message=message,
            hydrated=hydrated,
            caught_up=caught_up,
            dataflows=counts[0],
            hydrated_dataflows=counts[1],
            holds=dict(self._wanted),
        )

    def _promote_in_time(self, *, caught_up: bool) -> None:
        """Carries out a promotion that waits until everything is up to date, or gives up."""
        if self._promotion_ns is None:
            return
        if caught_up:
            self._candidate.promoted = True
        elif self._clock.elapsed_ns() - self._promotion_ns > _PROMOTES_WITHIN_S * 1e9:
            log.warning("this standby does not lead: it is not up to date", message=self._record.message)
        else:
            return
        self._promotion_ns = None


async def _end_former(places: ReplicaProcesses, replicas: Sequence[ClusterReplica]) -> None:
    """Ends the replicas of a former leader, fenced by now."""
    try:
        await places.end(replicas)
    except (OSError, ReplicaUnavailable) as error:
        log.warning("the former leader's replicas could not be ended", reason=str(error))


def _stored(state: CatalogState) -> set[GlobalId]:
    """Returns all ids of possible collections of the catalog's items."""
    ids = set(state.items)
    for item in state.items.values():
        collection = getattr(item.definition, "collection", None)
        if collection is not None:
            ids.add(collection)
    return ids


def _hydrated_to(hydration: _Hydration, id_: GlobalId) -> Timestamp | None:
    """Returns the least upper of an export; None before every replica has hydrated."""
    dataflows = hydration.dataflows
    least = dataflows.controller.reports.least_upper(id_)
    if least is None or dataflows.status(id_).phase not in (DataflowPhase.RUNNING, DataflowPhase.FINISHED):
        return None
    return TIMESTAMP_MAX if least.time is None else least.time
