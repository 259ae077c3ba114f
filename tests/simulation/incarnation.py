"""One environment's life on the places; the interpreter answers peeks, at the shards' own word."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import pyarrow as pa

from compute.controller.clusters import ComputeClusters
from compute.controller.controller import ControllerOptions
from compute.protocol.command import CreateInstance, Peek
from compute.replica.contents.fallible import split_errors
from compute.replica.contents.own_contents import with_own
from compute.replica.ingestions.opened_reader import OpenUpstream
from compute.replica.ingestions.ranges.ahead import RangeBounds
from compute.replica.ingestions.ranges.range_task import OpenRange
from compute.scalars.failure import decode_error
from connectors.systems import open_range
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow, rows_to_arrow, shown_rows_to_arrow
from model.time.clock import Clock
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
from server.environment.environment import ComputeClient, Environment
from server.objects.replicas import ReplicaPlaces
from server.pgwire.backend import Command, CopyIn, CopyOut, Rows, StartupParameters
from server.pgwire.messages import NoticeResponse, NotificationResponse
from server.session.session import Session
from server.start.bootstrap import open_environment
from storage.persist.location import Blob, Consensus
from storage.persist.retry import retried
from storage.persist.runner import InlineRunner
from storage.persist.snapshot import empty_snapshot, read_snapshot, read_state, snapshot
from storage.source_progress import counted_snapshot
from tests.compute.in_process import Evaluate, InProcessHost, interpreted_dataflows
from tests.simulation.places import Audited, OwnBlob, OwnConsensus, Places
from tests.simulation.virtual_time import VirtualClock
from tests.storage.unreliable import Faults, UnreliableConsensus
from timeline.durable_oracle import TIMELINE_KEY
from timeline.fence import Fence

LIFE: ContextVar[int] = ContextVar("life", default=0)


class SeededRandomness:
    def __init__(self, source: random.Random) -> None:
        self._source = source

    def token(self) -> str:
        return f"{self._source.getrandbits(128):032x}"

    def below(self, bound: int) -> int:
        return self._source.randrange(bound)


class _Silent:
    """A client that nobody listens to."""

    sent_bytes = 0

    def set_parameter(self, name: str, value: str) -> None:
        return

    def notify(self, message: NoticeResponse | NotificationResponse) -> None:
        return

    @property
    def taking(self) -> bool:
        return True

    def terminate(self, error: SqlError) -> None:
        return


class SimClient:
    """A client of one incarnation, without a wire."""

    def __init__(self, environment: Environment, pid: int, database: str = "headwater") -> None:
        startup = StartupParameters("headwater", database, {}, "")
        self.session = Session(environment, pid, 0, startup, _Silent())
        environment.clients.sessions[pid] = self.session

    async def query(self, sql: str) -> list[Row]:
        """The rows of the last statement in `sql`; SqlError as a client sees it."""
        found: list[Row] = []
        try:
            async for result in self.session.simple_query(sql):
                found = []
                match result:
                    case Rows() | CopyOut():
                        async for batch in result.batches:
                            found.extend(batch)
                    case Command() | CopyIn():
                        pass
        except SqlError as error:
            await self.session.fail(error)
            raise
        return found


@dataclass
class Incarnation:
    number: int
    environment: Environment
    consensus: OwnConsensus
    unreliable: UnreliableConsensus
    blob: OwnBlob
    hosts: dict[str, InProcessHost]
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def host(self) -> InProcessHost:
        """Returns the first replica's."""
        return self.hosts["r1"]

    def kill(self) -> None:
        """kill -9: nothing of it runs on; writes that have left it may still land."""
        self.consensus.dead = self.blob.dead = True
        for task in asyncio.all_tasks():
            if _LIVES.get(task) == self.number:
                task.cancel()


_LIVES: WeakKeyDictionary[asyncio.Task[Any], int] = WeakKeyDictionary()
_UNDER_WAY: set[asyncio.Task[Any]] = set()


def task_of_its_life(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
    """A task factory that notes in which life a task was created, and keeps it until it ends: what waits for a life
    that is over is known to nobody else, and would be destroyed in the midst of the next one."""
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **options)
    _LIVES[task] = LIFE.get()
    _UNDER_WAY.add(task)
    task.add_done_callback(_UNDER_WAY.discard)
    return task


async def dismiss(clients: Sequence[asyncio.Task[None]]) -> list[BaseException]:
    """Ends them all; what those have failed with that have. A commit under way takes a cancellation for itself, so one
    may need to be told again."""
    pending = set(clients)
    while pending:
        for client in pending:
            client.cancel()
        _, pending = await asyncio.wait(pending, timeout=0.5)
    outcomes = [None if client.cancelled() else client.exception() for client in clients]
    return [outcome for outcome in outcomes if outcome is not None]


def evaluator(consensus: Consensus, blob: Blob, clock: Clock) -> Evaluate:
    """Answers a peek as a replica does: from the newest state of each shard, at the peek's time."""

    async def evaluate(_instance: CreateInstance, peek: Peek) -> Iterable[pa.RecordBatch]:
        contents: dict[GlobalId, list[Row]] = {}
        for item in peek.imports:
            if item.created:
                found = empty_snapshot(item.shard, peek.as_of, item.desc)
            else:
                state = await retried(partial(read_state, consensus, item.shard), clock)
                if item.counted:
                    found = await counted_snapshot(state, peek.as_of, item.desc, blob, InlineRunner())
                else:
                    found = snapshot(state, peek.as_of, item.stored)
            found = with_own(item, found)
            table = await read_snapshot(found, blob)
            rows, errors = split_errors(item, table.append_column("time", pa.array([0] * table.num_rows, pa.int64())))
            if errors.num_rows:
                raise decode_error(min(errors.column("err").to_pylist()))
            contents[item.id] = _expanded(rows, item.desc)
        query = Query(peek.relation, peek.finishing, _projected(peek))
        rows = evaluate_query(query, EvaluationContext(collections=contents.__getitem__))
        told = shown_rows_to_arrow if peek.finishing.shown else rows_to_arrow
        batches: list[pa.RecordBatch] = told(rows, query.desc).to_batches()
        return batches

    return evaluate


def _expanded(table: pa.Table, desc: RelationDesc) -> list[Row]:
    rows = rows_from_arrow(table, desc)
    counts = table.column("diff").to_pylist()
    return [row for row, count in zip(rows, counts, strict=True) for _ in range(count)]


def _projected(peek: Peek) -> RelationDesc:
    columns = relation_desc_of(peek.relation).columns
    return RelationDesc(tuple(columns[index] for index in peek.finishing.project))


async def begin_life(
    number: int,
    places: Places,
    clock: VirtualClock,
    source: random.Random,
    faults: Faults,
    open_upstream: OpenUpstream | None = None,
    open_range: OpenRange = open_range,
    bounds: RangeBounds | None = None,
    transit_s: Callable[[], float] | None = None,
    *,
    outliving: InProcessHost | None = None,
    replica_places: ReplicaPlaces | None = None,
    keep_alive_ms: int = 200,
    replicas: int = 1,
) -> Incarnation:
    """Opens an environment; everything it starts belongs to this life, but for a replica that is `outliving` it, and
    those of SQL, which have `replica_places`.
    Commands to its replicas take `transit_s`."""
    LIFE.set(number)
    randomness = SeededRandomness(source)
    unreliable = UnreliableConsensus(Audited(places), clock, randomness, faults)
    consensus, blob = OwnConsensus(unreliable), OwnBlob(places.blob)
    dataflows = interpreted_dataflows(consensus, blob, clock, randomness, open_upstream, open_range, bounds)

    def own() -> InProcessHost:
        return InProcessHost(evaluator(consensus, blob, clock), dataflows, transit_s=transit_s)

    hosts = {f"r{each}": own() for each in range(1, replicas + 1)} if outliving is None else {"r1": outliving}

    def make_compute(fence: Fence) -> ComputeClient:
        options = ControllerOptions(
            "memory:",
            "memory:",
            nonce=f"{fence.epoch:020d}",
            timeline=TIMELINE_KEY,
            preconditions=tuple(fence.precondition.items()),
        )
        return ComputeClusters(options, hosts, clock, randomness)

    environment = await open_environment(
        consensus,
        blob,
        clock,
        randomness,
        make_compute,
        retain_history_ms=600_000,
        keep_alive_ms=keep_alive_ms,
        replica_places=replica_places,
        runner=InlineRunner(),
    )
    return Incarnation(number, environment, consensus, unreliable, blob, hosts)
