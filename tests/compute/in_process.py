"""A replica inside this process: the same state machine and messages, with another evaluator in Spark's place.

The simulation runs on it. Messages pass through the codec, so what can't be sent over a socket can't be sent here.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from compute.controller.link import Link, ReplicaUnavailable, Silence
from compute.protocol.command import AllowCompaction, Command, CreateInstance, Peek, PeekIndex
from compute.protocol.framing import Frame, batches_to_payload
from compute.protocol.measures import OperatorMeasure
from compute.protocol.response import PeekCancelled, PeekCompleted, PeekOutcome
from compute.protocol.siblings import StatesPlace
from compute.protocol.vocabulary import CODEC, VERSION
from compute.replica.contents.shard_contents import expand
from compute.replica.dataflows.maintained import DataflowMaintenance
from compute.replica.ingestions.opened_reader import OpenUpstream
from compute.replica.ingestions.ranges.ahead import RangeBounds
from compute.replica.ingestions.ranges.range_task import OpenRange
from compute.replica.peeks.index_peeks import complete_index, fill_from_index
from compute.replica.running.failures import failure_of
from compute.replica.running.places import Fencing, Places
from compute.replica.tasks.dataflows import Dataflows
from compute.replica.tasks.events import (
    AllowRows,
    Configure,
    DataflowInstruction,
    Disconnected,
    Event,
    Exit,
    HangUp,
    OpenInstance,
    PeekEnded,
    PeekKey,
    Received,
    RowsProduced,
    Send,
    StartPeek,
    StopPeek,
    WorkerReady,
)
from compute.replica.tasks.state import ReplicaState
from compute.spark.spool import Spool
from connectors.systems import open_range
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow
from model.time.antichain import Antichain
from model.time.clock import Clock, Randomness
from planner.ir.relation import Constant, Relation
from planner.ir.rewrite_gets import rewrite_gets
from storage.persist.location import Blob, Consensus
from storage.persist.runner import InlineRunner
from storage.persist.write import Stage
from tests.compute.dataflows.interpreted import InterpretedMaintenance
from tests.compute.direct_ranges import DirectRanges

Evaluate = Callable[[CreateInstance, Peek], Awaitable[Iterable[pa.RecordBatch]]]
"""The rows of a peek over the instance's locations; SqlError when the query fails."""

OpenDataflows = Callable[[CreateInstance, Callable[[Event], None]], Dataflows]
"""The dataflows of an instance, which say what happens to them."""


def interpreted_dataflows(
    consensus: Consensus,
    blob: Blob,
    clock: Clock,
    randomness: Randomness,
    open_upstream: OpenUpstream | None = None,
    open_range: OpenRange = open_range,
    bounds: RangeBounds | None = None,
    maintenance: Callable[[Places], DataflowMaintenance] = InterpretedMaintenance,
) -> OpenDataflows:
    """Dataflows that, unless told otherwise, the interpreter computes, without threads."""

    def open_(instance: CreateInstance, on: Callable[[Event], None]) -> Dataflows:
        runner = InlineRunner()
        stage = Stage(blob, clock, randomness, runner)
        fencing = Fencing(dict(instance.preconditions))
        directory = Path(tempfile.gettempdir())
        places = Places(consensus, blob, stage, fencing, clock, randomness, runner, directory, directory / "copies")
        ranging = (DirectRanges(places.stage, places.clock, open_range), bounds or RangeBounds())
        return Dataflows(places, instance.timeline, maintenance(places), on, open_upstream, ranging=ranging)

    return open_


class InProcessLink:
    """One connection to an InProcessHost; both directions are in order. What is under way to the replica is lost when
    the task ends that takes it there, as all tasks of a process do that is killed."""

    def __init__(self, host: InProcessHost, number: int, transit_s: Callable[[], float] | None) -> None:
        self._host = host
        self.number = number
        self.responses: asyncio.Queue[Frame | None] = asyncio.Queue()
        self._sent: asyncio.Queue[Command] = asyncio.Queue()
        self._carrying = None if transit_s is None else asyncio.create_task(self._carry(transit_s))

    def send(self, command: Command, encoded: bytes | None = None) -> None:
        if self._carrying is None:
            self._host.take(self.number, command)
        else:
            self._sent.put_nowait(command)

    async def _carry(self, transit_s: Callable[[], float]) -> None:
        while True:
            command = await self._sent.get()
            await asyncio.sleep(transit_s())
            await self._host.going.wait()
            self._host.take(self.number, command)

    async def receive(self) -> Frame | None:
        frame = await self.responses.get()
        # What the end of the connection has made of it, is told at once.
        if frame is not None:
            await self._host.going.wait()
        return frame

    def abort(self) -> None:
        self.responses.put_nowait(None)

    def close(self) -> None:
        if self._carrying is not None:
            self._carrying.cancel()
        self._host.leave(self.number)


class InProcessHost:
    """A replica that evaluates with `evaluate`; `crash` loses all that it knows, as kill -9 does.

    Without `open_dataflows` it runs none. Each command takes `transit_s` to come; without that it is there at once.
    While it is frozen nothing comes or goes, though its dataflows go on: what it says then is late. `seen` says whether
    its host finds it stopped. While it is `full` it answers no peek. `unheld` collects peeks whose past it was told to
    forget.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        open_dataflows: OpenDataflows | None = None,
        *,
        available: bool = True,
        transit_s: Callable[[], float] | None = None,
    ) -> None:
        self._evaluate = evaluate
        self._open_dataflows = open_dataflows
        self._dataflows: Dataflows | None = None
        self.available = available
        self._transit_s = transit_s
        self.going = asyncio.Event()
        self.going.set()
        self._seen = False
        self.full = False
        self.unheld: list[PeekIndex] = []
        self._asked: dict[PeekKey, Peek | PeekIndex] = {}
        self._accepted = 0
        self._links: dict[int, InProcessLink] = {}
        self._tasks: dict[PeekKey, asyncio.Task[None]] = {}
        self._windows: dict[PeekKey, asyncio.Semaphore] = {}
        self._state = ReplicaState(secret="", version=VERSION, ready=True)

    @property
    def pid(self) -> int | None:
        return None

    @property
    def address(self) -> str:
        return "in process"

    @property
    def stopped(self) -> bool:
        return self._seen and not self.going.is_set()

    def freeze(self, *, seen: bool) -> None:
        """Lets nothing in or out until `thaw`. Only a host with `transit_s` can be frozen."""
        assert self._transit_s is not None
        self._seen = seen
        self.going.clear()

    def thaw(self) -> None:
        """Lets in and out what has come meanwhile."""
        self.going.set()

    @property
    def secret(self) -> str:
        return ""

    @property
    def states(self) -> StatesPlace | None:
        return None

    def silence(self) -> Silence | None:
        return None

    async def connect(self) -> Link:
        if not self.available:
            raise ReplicaUnavailable("the replica is not available")
        self._accepted += 1
        link = self._link(self._accepted)
        self._links[self._accepted] = link
        return link

    def _link(self, number: int) -> InProcessLink:
        return InProcessLink(self, number, self._transit_s)

    async def replace(self) -> None:
        self.crash()

    async def stop(self) -> None:
        self.crash()

    def crash(self) -> None:
        """Everything is lost: connections, work, state."""
        self.thaw()
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
        self._windows.clear()
        if self._dataflows is not None:
            self._dataflows.kill()
            self._dataflows = None
        for link in self._links.values():
            link.responses.put_nowait(None)
        self._links.clear()
        self._state = ReplicaState(secret="", version=VERSION)
        self._on(WorkerReady())

    def take(self, number: int, command: Command) -> None:
        """A command of connection `number`."""
        if number in self._links:
            message = CODEC.decode(CODEC.encode(command))
            assert isinstance(message, Command)
            if isinstance(message, AllowCompaction) and self._state.initialized:
                self.unheld += self._reading_before(message.id, message.frontier)
            self._on(Received(number, message))

    def _reading_before(self, index: GlobalId, since: Antichain) -> Iterator[PeekIndex]:
        """Yields the peeks of an index under way at times before `since`."""
        for key in self._state.active - self._state.stopping:
            peek = self._asked[key]
            if isinstance(peek, PeekIndex) and peek.index == index and not since.less_equal(peek.as_of):
                yield peek

    def leave(self, number: int) -> None:
        """The environment closed connection `number`."""
        if self._links.pop(number, None) is not None:
            self._on(Disconnected(number))

    def _on(self, event: Event) -> None:
        for instruction in self._state.handle(event):
            match instruction:
                case Send(connection, response, payload):
                    if connection in self._links:
                        message = CODEC.decode(CODEC.encode(response))
                        self._links[connection].responses.put_nowait(Frame(message, payload))
                case HangUp(connection):
                    link = self._links.pop(connection, None)
                    if link is not None:
                        link.responses.put_nowait(None)
                case StartPeek(key, peek):
                    self._asked[key] = peek
                    self._windows[key] = asyncio.Semaphore(peek.window)
                    self._tasks[key] = asyncio.get_running_loop().create_task(self._run(key, peek))
                case StopPeek(key):
                    if key in self._tasks:
                        self._tasks[key].cancel()
                case AllowRows(key, chunks):
                    for _ in range(chunks if key in self._windows else 0):
                        self._windows[key].release()
                case OpenInstance(instance):
                    self._open(instance)
                case Configure(parameters):
                    self._configured(dict(parameters))
                case Exit():
                    self.crash()
                    return
                case _:
                    self._carry_out_of_dataflows(instruction)

    def _carry_out_of_dataflows(self, instruction: DataflowInstruction) -> None:
        if self._dataflows is not None:
            self._dataflows.carry_out(instruction)

    def _configured(self, parameters: dict[str, str]) -> None:
        """Nothing here hangs on parameters."""

    def _open(self, instance: CreateInstance) -> None:
        if self._dataflows is not None:
            self._dataflows.places.fencing.replace(dict(instance.preconditions))
        elif self._open_dataflows is not None:
            self._dataflows = self._open_dataflows(instance, self._on)
            self._dataflows.start()

    async def _run(self, key: PeekKey, peek: Peek | PeekIndex) -> None:
        state = self._state
        outcome: PeekOutcome = PeekCancelled()
        try:
            outcome = await self._outcome(key, peek)
        except asyncio.CancelledError:
            outcome = PeekCancelled()
        finally:
            if self._state is state:
                self._tasks.pop(key, None)
                self._windows.pop(key, None)
                self._on(PeekEnded(key, outcome))

    async def _outcome(self, key: PeekKey, peek: Peek | PeekIndex) -> PeekOutcome:
        rows = 0
        try:
            if self.full:
                raise SqlError(Sqlstate.DISK_FULL, "could not write a temporary file: no space left on device")
            for batch in await self._answer(peek):
                await self._windows[key].acquire()
                self._on(RowsProduced(key, batch.num_rows, batches_to_payload(batch.schema, [batch])))
                rows += batch.num_rows
        except Exception as error:  # noqa: BLE001 (whatever it was, the client is told)
            return failure_of(error, {})
        traced = isinstance(peek, Peek) and peek.traced
        # Its only operator is the interpreter, in the place of Spark's.
        measured = OperatorMeasure(0, "Reference", "of all rows", rows, 0.5, 16, None)
        return PeekCompleted(rows, 0.0, (measured,) if traced else ())

    async def _answer(self, peek: Peek | PeekIndex) -> Iterable[pa.RecordBatch]:
        assert self._state.instance is not None, "a peek came before its instance"
        if isinstance(peek, Peek) and not peek.indexes:
            return await self._evaluate(self._state.instance, peek)
        assert self._dataflows is not None, "this replica runs no dataflows"
        if isinstance(peek, Peek):
            return await self._evaluate(self._state.instance, await _with_indexes(peek, self._dataflows))
        spool = Spool(self._dataflows.places.directory, peek.bytes_max)
        try:
            await fill_from_index(peek, self._dataflows, spool)
            return list(spool.chunks())
        finally:
            spool.close()


async def _with_indexes(peek: Peek, dataflows: Dataflows) -> Peek:
    """The peek with what it reads of indexes as constants."""
    contents: dict[GlobalId, Relation] = {}
    for item in peek.indexes:
        index = await complete_index(item.index, peek.as_of, dataflows)
        rows = [(row, 1) for chunk in index.all_rows(peek.as_of) for row in rows_from_arrow(expand(chunk), item.desc)]
        contents[item.id] = Constant(tuple(rows), item.desc)
    return replace(peek, relation=rewrite_gets(peek.relation, lambda get: contents.get(get.id, get)), indexes=())
