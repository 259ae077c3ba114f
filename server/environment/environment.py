"""The environment: all parts that a statement may need, in one place, and their background tasks."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakSet

import pyarrow as pa

from catalog.declared.snapshot import CollectionFrontiers, RuleStatus, SessionStatus
from catalog.nouns.items import Maintained, MaterializedView, WrittenDefinition
from catalog.nouns.sinks import SinkProgress
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from compute.controller.dataflows import DataflowController
from compute.controller.link import Host
from compute.controller.pending import IndexPeekRequest, PeekRequest
from compute.controller.replica_status import ObservedReplica
from compute.protocol.dataflow import DataflowDescription
from model.ids.global_id import GlobalId
from model.time.clock import Clock, Randomness
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from server.evaluation.here import EvaluationsHere
from server.evaluation.work import Evaluations
from server.ledgers.backups import Backups
from server.ledgers.committed_catalog import CommittedCatalog
from server.ledgers.counting.counters import Counters
from server.ledgers.index_uses import IndexUses
from server.ledgers.locks import Locks, SessionLocks
from server.ledgers.measures import Measures
from server.ledgers.notifications import Listeners
from server.ledgers.prepared import PreparedTransactions
from server.ledgers.samples import Samples
from server.ledgers.scheduled import Scheduled
from server.ledgers.server_access import ServerAccess
from server.ledgers.statement_log import StatementLog
from server.ledgers.unfinished_paths import UnfinishedPaths
from server.ledgers.unfinished_uploads import UnfinishedUploads
from server.objects.maintained.collections import Collections
from server.objects.maintained.dataflows import MaintainedDataflows
from server.objects.maintained.description import collection_of
from server.objects.maintained.known_rows import KnownRows
from server.objects.replicas import Replicas
from server.objects.sinks.deliveries import Deliveries
from server.objects.sources.ingestions import Ingestions
from server.objects.sources.left_slots import LeftSlots
from server.planning.statement_plans import Planning
from server.secrets.keyring import Keyring
from server.subscription.limits import BufferLimits
from server.subscription.subscription import Subscription
from storage.controller import StorageController
from storage.subscription import SubscriptionEvent
from timeline.durable_oracle import DurableOracle
from timeline.fence import Fence
from timeline.group_commit import GroupCommitter
from timeline.write_locks import WriteLocks

_PROBES_AT_ONCE = 4


class ComputeClient(Protocol):
    """The coordinator's access to compute, implemented by the controllers of clusters."""

    async def start(self) -> None: ...

    @property
    def dataflows(self) -> DataflowController: ...

    def peek(self, request: PeekRequest) -> AsyncGenerator[pa.RecordBatch]: ...

    def peek_index(self, request: IndexPeekRequest) -> AsyncGenerator[pa.RecordBatch]: ...

    async def look_up(self, request: IndexPeekRequest, desc: RelationDesc) -> list[Row] | None: ...

    def subscribe(self, description: DataflowDescription, cluster: int) -> AsyncGenerator[SubscriptionEvent]: ...

    def leading(self) -> tuple[ObservedReplica, ...]: ...

    def statuses(self) -> tuple[ObservedReplica, ...]: ...

    def add_cluster(self, cluster: int) -> None: ...

    def remove_cluster(self, cluster: int) -> None: ...

    def add_replica(self, cluster: int, name: str, host: Host) -> None: ...

    def remove_replica(self, cluster: int, name: str) -> Awaitable[None]: ...

    async def stop(self, *, leave_replica: bool = False) -> None:
        """Fails peeks under way. A replica that is left waits for the next environment for a bounded time."""
        ...


class SessionRecord(Protocol):
    """A session as seen by other sessions."""

    @property
    def role(self) -> int:
        """Returns the oid of the role that the client has logged in as."""
        ...

    @property
    def pid(self) -> int: ...

    def status(self) -> SessionStatus: ...

    @property
    def listening_channels(self) -> tuple[str, ...]: ...

    @property
    def locks(self) -> SessionLocks: ...

    def cancel(self) -> None:
        """Cancels the running statement, if any."""
        ...

    def end(self) -> None:
        """Ends the session, with the running statement."""
        ...


@dataclass(slots=True)
class Environment:
    """All parts of the environment.

    `evaluations`: evaluations that take their time, where nobody waits; `evaluations_here`: those that take none.
    `sessions`: by pid.
    `locks`: write locks of running statements; `row_locks`: locks of transactions on rows and tables.
    `listeners`: the sessions that NOTIFY reaches.
    `known_rows`: rows looked up in indexes; `index_uses`: when each index was read last.
    `unfinished`, `uploads`: files and objects that statements are still writing beside the database.
    `access`: whether statements may reach the server's files and programs.
    `keyring`: opens secrets.
    `probes`: threads that ask whether other systems answer.
    `webhooks_at`: the address for requests to webhook sources (`http://127.0.0.1:6876`), if any.
    `reload_configuration`: has the files of the server's options read again, some time after it returns.
    `rules`: who comes in, as pg_hba_file_rules shows it.
    `subscriptions`: all that have begun, until nobody knows them any longer.
    `backups`: those under way, and how the last ones have ended.
    `measures`: counts of statements; `statement_log`: the newest of them; `samples`: how all was in the past hour.
    `tasks`: run until the environment stops; the first failure ends it.
    """

    clock: Clock
    randomness: Randomness
    fence: Fence
    storage: StorageController
    oracle: DurableOracle
    committer: GroupCommitter
    locks: WriteLocks
    catalog: CommittedCatalog
    scheduled: Scheduled
    prepared: PreparedTransactions
    counters: Counters
    planning: Planning
    compute: ComputeClient
    dataflows: MaintainedDataflows
    ingestions: Ingestions
    deliveries: Deliveries
    replicas: Replicas
    collections: Collections
    evaluations: Evaluations
    retain_history_ms: int
    keyring: Keyring
    access: ServerAccess = field(default_factory=ServerAccess)
    subscribe_limits: BufferLimits = field(default_factory=BufferLimits)
    transient_ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    sessions: dict[int, SessionRecord] = field(default_factory=dict)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    subscriptions: WeakSet[Subscription] = field(default_factory=WeakSet)
    measures: Measures = field(default_factory=Measures)
    samples: Samples = field(default_factory=Samples)
    last_transaction: int = 0
    webhooks_at: str = ""
    reload_configuration: Callable[[], None] = lambda: None
    rules: Callable[[], tuple[RuleStatus, ...]] = lambda: ()
    started_ms: int = field(init=False)
    probes: Executor = field(default_factory=lambda: ThreadPoolExecutor(_PROBES_AT_ONCE, "probe"))
    evaluations_here: Evaluations = field(init=False)
    row_locks: Locks = field(init=False)
    listeners: Listeners = field(init=False)
    left_slots: LeftSlots = field(init=False)
    known_rows: KnownRows = field(init=False)
    index_uses: IndexUses = field(init=False)
    unfinished: UnfinishedPaths = field(init=False)
    uploads: UnfinishedUploads = field(init=False)
    statement_log: StatementLog = field(init=False)
    backups: Backups = field(init=False)

    def __post_init__(self) -> None:
        self.known_rows = KnownRows(self.committer.recent)
        self.index_uses = IndexUses(Timestamp(self.clock.now_ms()))
        self.unfinished = UnfinishedPaths(None, self.randomness)
        self.uploads = UnfinishedUploads(None, self.randomness)
        self.statement_log = StatementLog(self.clock)
        self.backups = Backups(self.clock)
        self.row_locks = Locks()
        self.listeners = Listeners()
        self.left_slots = LeftSlots(self.clock, self.keyring, self.probes)
        self.evaluations_here = EvaluationsHere(self.clock)
        self.started_ms = self.clock.now_ms()

    def transient_id(self) -> GlobalId:
        """Returns an id for an object that ends before the environment."""
        return GlobalId.transient(next(self.transient_ids))

    def next_transaction(self) -> int:
        """Returns a fresh transaction number: the next write's earliest timestamp, or the next number when several
        transactions begin within it. Numbers grow with time, like PostgreSQL's."""
        self.last_transaction = max(int(self.oracle.peek_write_ts), self.last_transaction + 1)
        return self.last_transaction

    def stored_ids(self) -> list[GlobalId]:
        """Returns the existing tables, sources and materialized views."""
        kinds = WrittenDefinition | MaterializedView | Source | SourceTable
        return [id_ for id_, item in self.catalog.state.items.items() if isinstance(item.definition, kinds)]

    def frontiers(self) -> dict[GlobalId, CollectionFrontiers]:
        """Returns the frontiers of every collection, under the id of the item that shows it."""
        state = self.catalog.state
        shown = Maintained | SourceProgress | SinkProgress
        ids = {
            collection_of(state, id_): id_ for id_, item in state.items.items() if isinstance(item.definition, shown)
        }
        known = [collection.id for collection in self.storage.collections()]
        frontiers = {}
        for collection in dict.fromkeys([*known, *self.dataflows]):
            bounds = self.dataflows.bounds(collection)
            until = self.dataflows.known_until(collection, bounds)
            frontiers[ids.get(collection, collection)] = CollectionFrontiers(bounds.since, until)
        return frontiers
