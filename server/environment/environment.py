"""The environment: all parts that a statement may need, in one place, and their background tasks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from catalog.declared.snapshot import CollectionFrontiers
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
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from server.environment.parts import (
    Clients,
    EnvironmentOptions,
    EvaluationPlaces,
    FreshNumbers,
    HeldLocks,
    Observations,
    Outside,
)
from server.ledgers.committed_catalog import CommittedCatalog
from server.ledgers.counting.counters import Counters
from server.ledgers.prepared import PreparedTransactions
from server.ledgers.scheduled import Scheduled
from server.objects.maintained.collections import Collections
from server.objects.maintained.dataflows import MaintainedDataflows
from server.objects.maintained.description import collection_of
from server.objects.maintained.known_rows import KnownRows
from server.objects.replicas import Replicas
from server.objects.sinks.deliveries import Deliveries
from server.objects.sources.ingestions import Ingestions
from server.planning.statement_plans import Planning
from storage.controller import StorageController
from storage.subscription import SubscriptionEvent
from timeline.durable_oracle import DurableOracle
from timeline.group_commit import GroupCommitter


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

    def configure(self, cluster: int, parameters: dict[str, str]) -> None: ...

    async def stop(self, *, leave_replica: bool = False) -> None:
        """Fails peeks under way. A replica that is left waits for the next environment for a bounded time."""
        ...


@dataclass(slots=True)
class Environment:
    """All parts of the environment.

    `evaluations`: places where values and answers are evaluated.
    `locks`: write locks of running statements, and locks of transactions on rows and tables.
    `known_rows`: rows looked up in indexes.
    `clients`: sessions, and what reaches these.
    `outside`: what lies beside the database: files, programs, other systems.
    `observed`: what statements and dataflows have done, for users to see.
    `tasks`: run until the environment stops; the first failure ends it.
    """

    clock: Clock
    randomness: Randomness
    storage: StorageController
    oracle: DurableOracle
    committer: GroupCommitter
    locks: HeldLocks
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
    evaluations: EvaluationPlaces
    outside: Outside
    options: EnvironmentOptions
    known_rows: KnownRows = field(init=False)
    clients: Clients = field(default_factory=Clients)
    observed: Observations = field(init=False)
    numbers: FreshNumbers = field(init=False)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known_rows = KnownRows(self.committer.recent)
        self.observed = Observations(self.clock)
        self.numbers = FreshNumbers(self.oracle)
        self.options.settings = self.catalog.state.system_settings

    def reload(self) -> None:
        """Gives all sessions the settings of ALTER SYSTEM, each with its next statement, and has files read again."""
        self.options.settings = self.catalog.state.system_settings
        for session in self.clients.sessions.values():
            session.variables.offer(self.options.settings)
        self.options.reload_configuration()

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
