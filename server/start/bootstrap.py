"""Start-up, in the order that safety needs; and the end.

    fence raised -> oracle and shards read -> catalog loaded (or made) -> dataflows told to compute
        -> committer and maintenance started -> temporary relations of earlier sessions dropped
        -> replicas noted in the catalog -> replicas started

Raising the fence first means that nothing an earlier environment does afterwards can become durable.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Mapping

import pyarrow as pa
import structlog

from catalog.changes.change import ForgetSlot
from catalog.changes.clusters import given_replicas
from catalog.durable.history import CatalogHistory
from catalog.durable.rows import CATALOG_DESC, CATALOG_SHARD_ID, SUPERUSER, CatalogRow, diff, initial_state, upgrade
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId, Namespace
from model.time.antichain import Antichain
from model.time.clock import Clock, Randomness
from model.time.steady_clock import SteadyClock
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from model.types.relation_desc import RelationDesc
from model.updates.update import Update, updates_from_arrow, updates_to_arrow
from server.environment.environment import ComputeClient, Environment
from server.environment.parts import EnvironmentOptions, EvaluationPlaces, HeldLocks, Outside
from server.environment.sampling import Sampling
from server.evaluation.here import EvaluationsHere
from server.evaluation.work import Evaluations
from server.ledgers.audit_log import AUDIT_DESC, AUDIT_SHARD_ID, AuditLog
from server.ledgers.clock_watch import ClockWatch
from server.ledgers.committed_catalog import CommittedCatalog
from server.ledgers.counting.counters import COUNTERS_DESC, COUNTERS_SHARD_ID, Counters
from server.ledgers.prepared import PREPARED_DESC, PREPARED_SHARD_ID, PreparedTransactions
from server.ledgers.scheduled import SCHEDULED_DESC, SCHEDULED_SHARD_ID, Scheduled
from server.ledgers.server_access import ServerAccess
from server.objects.maintained.collections import Collections
from server.objects.maintained.dataflows import MaintainedDataflows
from server.objects.replicas import ReplicaPlaces, Replicas
from server.objects.sinks.deliveries import Deliveries
from server.objects.sources.ingestions import Ingestions
from server.planning.statement_plans import Planning
from server.secrets.keyring import Keyring
from server.secrets.stored import resealed
from server.start.resuming import resume_dataflows
from server.subscription.limits import BufferLimits
from server.writes.committing import commit_changes, cover
from server.writes.temporary import drop_leftovers
from storage.controller import StorageController
from storage.maintenance import Chore, StorageMaintenance
from storage.persist.commit import Conflict
from storage.persist.location import Blob, Consensus
from storage.persist.runner import Runner
from storage.persist.snapshot import read_changes
from timeline.durable_oracle import DurableOracle
from timeline.fence import Fence, Fenced, raise_fence
from timeline.group_commit import GroupCommitter
from timeline.waiting import WaitGraph
from timeline.write_locks import WriteLocks

_LOG = structlog.get_logger()

CATALOG_RETAIN_MS = 24 * 60 * 60 * 1000
"""How far back system relations can be read AS OF."""
_SETTLING_MAX_S = 5


async def open_environment(
    consensus: Consensus,
    blob: Blob,
    clock: Clock,
    randomness: Randomness,
    make_compute: Callable[[Fence], ComputeClient],
    *,
    retain_history_ms: int,
    keep_alive_ms: int,
    subscribe_limits: BufferLimits = BufferLimits(),  # noqa: B008 - frozen
    runner: Runner | None = None,
    evaluations: Evaluations | None = None,
    keyring: Keyring = Keyring((), "none was given"),  # noqa: B008 - frozen
    access: ServerAccess = ServerAccess(),  # noqa: B008 - frozen
    superuser: str = SUPERUSER,
    prepared_max: int = 0,
    fence: Fence | None = None,
    replica_places: ReplicaPlaces | None = None,
) -> Environment:
    """Takes over the data, unless its `fence` was raised already, and returns the environment that serves it.
    `make_compute` gets the raised fence. Without `evaluations` everything is evaluated on the event loop,
    without `replica_places` no replicas are added to those of `make_compute`."""
    fence = fence or await raise_fence(consensus, randomness)
    wall = clock
    oracle = await _opened_oracle(consensus, fence, clock)
    clock = SteadyClock(wall, oracle.peek_write_ts)
    storage = StorageController(consensus, blob, clock, randomness, runner)
    storage.preconditions = fence.precondition
    ids = await storage.load()
    storage.advance_timeline(oracle.upper)
    await _make_missing_shards(storage, oracle, clock, ids, superuser)
    catalog = await _renewed_catalog(storage, oracle, clock, lambda rows: resealed(rows, keyring, randomness))
    scheduled = Scheduled(await all_updates(storage, SCHEDULED_SHARD_ID, SCHEDULED_DESC))
    counters = Counters(await all_updates(storage, COUNTERS_SHARD_ID, COUNTERS_DESC), catalog.state)
    catalog.allocator.skip([*ids, *counters.collections])
    graph = WaitGraph()
    locks, compute = WriteLocks(graph), make_compute(fence)
    riders = _Riders(scheduled, counters, catalog, oracle, compute)
    committer = GroupCommitter(fence, oracle, storage, clock, locks, riders, keep_alive_ms, graph)
    dataflows = MaintainedDataflows(storage, compute.dataflows, retain_history_ms)
    environment = Environment(
        clock=clock,
        randomness=randomness,
        storage=storage,
        oracle=oracle,
        committer=committer,
        locks=HeldLocks(locks),
        catalog=catalog,
        scheduled=scheduled,
        prepared=PreparedTransactions(locks, prepared_max),
        counters=counters,
        planning=Planning(),
        compute=compute,
        dataflows=dataflows,
        ingestions=Ingestions(clock, keyring, storage, compute.dataflows, access, committer.carry),
        deliveries=Deliveries(clock, keyring, storage, compute.dataflows, access),
        replicas=Replicas(compute, replica_places),
        collections=Collections(storage, dataflows, catalog),
        evaluations=EvaluationPlaces(evaluations or EvaluationsHere(clock), EvaluationsHere(clock)),
        outside=Outside(clock, randomness, keyring, access),
        options=EnvironmentOptions(retain_history_ms, subscribe_limits),
    )
    # Before anything is compacted: dataflows hold what they read.
    await resume_dataflows(environment)
    await _begin(environment, StorageMaintenance(storage, _chores(environment, oracle, clock), wall))
    _LOG.info("environment open", epoch=fence.epoch, collections=len(ids))
    return environment


async def _opened_oracle(consensus: Consensus, fence: Fence, clock: Clock) -> DurableOracle:
    oracle = DurableOracle(consensus, fence, clock)
    await oracle.open()
    return oracle


async def _begin(environment: Environment, maintenance: StorageMaintenance) -> None:
    """Takes over prepared transactions, and starts the background tasks and the replica."""
    environment.compute.dataflows.advance_timeline(environment.oracle.upper)
    left = await all_updates(environment.storage, PREPARED_SHARD_ID, PREPARED_DESC)
    environment.prepared.load(left, environment.locks.rows, environment.catalog.state)
    running = {"group commit": environment.committer.run(), "maintenance": maintenance.run()}
    environment.tasks = [asyncio.create_task(work, name=name) for name, work in running.items()]
    await drop_leftovers(environment)
    await _begin_replicas(environment)
    environment.outside.left_slots.begin(
        environment.catalog, lambda slot: commit_changes(environment, (ForgetSlot(slot),))
    )
    await environment.compute.start()


async def _begin_replicas(environment: Environment) -> None:
    """Records in the catalog the replicas of the cluster `default` from the server's options, and starts the replicas
    created by SQL.
    """
    catalog = environment.catalog
    names = [each.name for each in environment.compute.statuses() if each.cluster == DEFAULT_CLUSTER_OID]
    changes = tuple(given_replicas(catalog.state, names, catalog.allocator))
    if changes:
        await commit_changes(environment, changes)
    await environment.replicas.begin(catalog.state)


async def _make_missing_shards(
    storage: StorageController, oracle: DurableOracle, clock: Clock, ids: Collection[GlobalId], superuser: str
) -> None:
    """Makes the shards missing in a new environment, or in one made by an earlier version."""
    if CATALOG_SHARD_ID not in ids:
        await _make_system_shards(storage, oracle, clock, superuser)
    if COUNTERS_SHARD_ID not in ids:
        await _make_shard(storage, oracle, clock, COUNTERS_SHARD_ID, COUNTERS_DESC, 0)
    if AUDIT_SHARD_ID not in ids:
        await _make_shard(storage, oracle, clock, AUDIT_SHARD_ID, AUDIT_DESC, CATALOG_RETAIN_MS)
    if PREPARED_SHARD_ID not in ids:
        await _make_shard(storage, oracle, clock, PREPARED_SHARD_ID, PREPARED_DESC, 0)


async def _make_system_shards(storage: StorageController, oracle: DurableOracle, clock: Clock, superuser: str) -> None:
    """Makes the first catalog, at the timeline's first timestamp; and the shard where scheduled writes will wait."""
    record, timestamp = oracle.propose(clock.now_ms())
    creation = storage.prepare_create(
        CATALOG_SHARD_ID,
        CATALOG_DESC,
        Antichain.at(timestamp),
        Antichain.at(timestamp),
        timeline=True,
        retain_ms=CATALOG_RETAIN_MS,
    )
    rows = [Update(row, timestamp, diff_) for row, diff_ in diff(None, initial_state(superuser))]
    append = await storage.prepare_append(
        CATALOG_SHARD_ID,
        [updates_to_arrow(rows, CATALOG_DESC)],
        Antichain.at(timestamp),
        Antichain.at(timestamp + 1),
        desc=CATALOG_DESC,
    )
    waiting = storage.prepare_create(
        SCHEDULED_SHARD_ID,
        SCHEDULED_DESC,
        Antichain.at(timestamp),
        Antichain.at(timestamp),
        timeline=True,
        retain_ms=0,
    )
    outcome = await storage.commit([creation.write, append, waiting.write], None, oracle.write_of(record))
    if isinstance(outcome, Conflict):
        raise Fenced
    oracle.adopt(record)
    storage.advance_timeline(oracle.upper)


async def _make_shard(
    storage: StorageController, oracle: DurableOracle, clock: Clock, id_: GlobalId, desc: RelationDesc, retain_ms: int
) -> None:
    """Makes a system shard that environments of earlier versions lack."""
    record, timestamp = oracle.propose(clock.now_ms())
    at = Antichain.at(timestamp)
    creation = storage.prepare_create(id_, desc, at, at, timeline=True, retain_ms=retain_ms)
    outcome = await storage.commit([creation.write], None, oracle.write_of(record))
    if isinstance(outcome, Conflict):
        raise Fenced
    oracle.adopt(record)
    storage.advance_timeline(oracle.upper)


_Changes = Callable[[frozenset[CatalogRow]], list[tuple[CatalogRow, int]]]


async def _renewed_catalog(
    storage: StorageController, oracle: DurableOracle, clock: Clock, reseal: _Changes
) -> CommittedCatalog:
    """Returns the catalog, with its rows in their newest form and secrets under the newest key."""
    await _rewrite_catalog(storage, oracle, clock, upgrade, "catalog upgraded")
    await _rewrite_catalog(storage, oracle, clock, reseal, "secrets are under the newest key")
    return await _load_catalog(storage)


async def _rewrite_catalog(
    storage: StorageController, oracle: DurableOracle, clock: Clock, changes_of: _Changes, done: str
) -> None:
    """Rewrites rows of the catalog in one step, before the catalog is read: later changes of the catalog are
    differences between rows in the new form."""
    updates = await all_updates(storage, CATALOG_SHARD_ID, CATALOG_DESC)
    if not updates:
        return
    history = CatalogHistory(updates, Timestamp(max(update.time for update in updates)))
    changes = changes_of(frozenset(history.rows_at(history.since)))
    if not changes:
        return
    lower = oracle.upper
    record, timestamp = oracle.propose(clock.now_ms())
    rows = updates_to_arrow((Update(row, timestamp, diff_) for row, diff_ in changes), CATALOG_DESC)
    append = await storage.prepare_append(CATALOG_SHARD_ID, [rows], lower, Antichain.at(timestamp + 1))
    outcome = await storage.commit([append], None, oracle.write_of(record))
    if isinstance(outcome, Conflict):
        raise Fenced
    oracle.adopt(record)
    storage.advance_timeline(oracle.upper)
    _LOG.info(done, rows=len(changes) // 2)


def _chores(environment: Environment, oracle: DurableOracle, clock: SteadyClock) -> Mapping[str, Chore]:
    storage, catalog = environment.storage, environment.catalog

    async def compact_history() -> None:
        since = storage.frontiers(CATALOG_SHARD_ID).since.time
        assert since is not None, "the catalog is never dropped"
        catalog.history.advance(since)

    def never_again(id_: GlobalId) -> bool:
        users = id_.namespace in (Namespace.USER, Namespace.REMAPPING)
        return users and id_.number < catalog.state.next_user_id

    async def forget_dropped() -> None:
        await storage.forget_dropped(never_again)

    return {
        "timeline": oracle.truncate,
        "history of the catalog": compact_history,
        "dropped collections": forget_dropped,
        "clock": ClockWatch(clock).look,
        "samples": Sampling(environment).look,
    }


async def _load_catalog(storage: StorageController) -> CommittedCatalog:
    since = storage.frontiers(CATALOG_SHARD_ID).since.time
    assert since is not None, "the catalog is never dropped"
    updates = await all_updates(storage, CATALOG_SHARD_ID, CATALOG_DESC)
    history = CatalogHistory(updates, since)
    newest = max((update.time for update in updates), default=since)
    audit = AuditLog(await all_updates(storage, AUDIT_SHARD_ID, AUDIT_DESC))
    return CommittedCatalog(history.at(newest), history, newest, audit)


async def all_updates(storage: StorageController, id_: GlobalId, desc: RelationDesc) -> list[Update]:
    """Returns all updates of a system collection that are retained."""
    upper = storage.frontiers(id_).upper.time
    assert upper is not None, "system collections are never closed"
    changes = storage.reads.updates_between(id_, TIMESTAMP_MIN, upper)
    return updates_from_arrow(await read_changes(changes, storage.blob), desc)


class _Riders:
    """Riders on group commits: scheduled writes of existing tables, and reservations of sequences; also wakes
    compute."""

    def __init__(
        self,
        scheduled: Scheduled,
        counters: Counters,
        catalog: CommittedCatalog,
        oracle: DurableOracle,
        compute: ComputeClient,
    ) -> None:
        self._scheduled = scheduled
        self._counters = counters
        self._catalog = catalog
        self._oracle = oracle
        self._compute = compute

    def due(self, timestamp: Timestamp) -> dict[GlobalId, list[pa.Table]]:
        state = self._catalog.state
        return {**self._scheduled.due(timestamp, set(state.items)), **self._counters.due(timestamp, state)}

    def due_before(self, timestamp: Timestamp) -> bool:
        return self._scheduled.due_before(timestamp)

    def applied(self, timestamp: Timestamp) -> None:
        self._scheduled.applied(timestamp)
        self._counters.applied()
        self._compute.dataflows.advance_timeline(self._oracle.upper)


async def close_environment(environment: Environment, *, leave_replica: bool = False) -> None:
    """Stops everything, including the replica unless it is left to a successor; acknowledged writes are durable
    already."""
    await _settle_counters(environment)
    for task in environment.tasks:
        task.cancel()
    await asyncio.gather(*environment.tasks, return_exceptions=True)
    environment.outside.left_slots.close()
    environment.outside.probes.shutdown(wait=False, cancel_futures=True)
    await environment.evaluations.apart.close()
    await environment.replicas.close()
    await environment.compute.stop(leave_replica=leave_replica)


async def _settle_counters(environment: Environment) -> None:
    """Records the exact state of sequences, so that an orderly end skips no values. If recording fails, some values
    are skipped."""
    if environment.counters.settle_all():
        with contextlib.suppress(SqlError, Fenced, TimeoutError):
            async with asyncio.timeout(_SETTLING_MAX_S):
                await cover(environment)
