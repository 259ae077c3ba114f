"""A replica inside this process: the same state machine and messages, with another evaluator in Spark's place.

The simulation runs on it. Messages pass through the codec, so what can't be sent over a socket can't be sent here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import assert_never

import pyarrow as pa

from compute.controller.link import Link, ReplicaUnavailable
from compute.protocol.command import Command, CreateInstance, Peek
from compute.protocol.framing import Frame, batches_to_payload
from compute.protocol.response import PeekCancelled, PeekCompleted, PeekFailed, PeekOutcome
from compute.protocol.vocabulary import CODEC, VERSION
from compute.replica.events import (
    AllowBatches,
    AllowRows,
    CompactExport,
    Configure,
    Disconnected,
    Event,
    Exit,
    HangUp,
    Hurry,
    MoveTimeline,
    OpenInstance,
    PeekEnded,
    PeekKey,
    Received,
    Retain,
    RowsProduced,
    Send,
    SetWritable,
    StartDataflow,
    StartPeek,
    StopDataflow,
    StopPeek,
    WorkerReady,
)
from compute.replica.state import ReplicaState
from model.errors import SqlError

Evaluate = Callable[[CreateInstance, Peek], Awaitable[Iterable[pa.RecordBatch]]]
"""The rows of a peek over the instance's locations; SqlError when the query fails."""


class InProcessLink:
    """One connection to an InProcessHost; both directions are in order."""

    def __init__(self, host: InProcessHost, number: int) -> None:
        self._host = host
        self.number = number
        self.responses: asyncio.Queue[Frame | None] = asyncio.Queue()

    def send(self, command: Command) -> None:
        self._host.take(self.number, command)

    async def receive(self) -> Frame | None:
        return await self.responses.get()

    def close(self) -> None:
        self._host.leave(self.number)


class InProcessHost:
    """A replica that evaluates with `evaluate`; `crash` loses all that it knows, as kill -9 does."""

    def __init__(self, evaluate: Evaluate, *, available: bool = True) -> None:
        self._evaluate = evaluate
        self.available = available
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
    def secret(self) -> str:
        return ""

    async def connect(self) -> Link:
        if not self.available:
            raise ReplicaUnavailable("the replica is not available")
        self._accepted += 1
        link = InProcessLink(self, self._accepted)
        self._links[self._accepted] = link
        return link

    async def replace(self) -> None:
        self.crash()

    async def stop(self) -> None:
        self.crash()

    def crash(self) -> None:
        """Everything is lost: connections, work, state."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
        self._windows.clear()
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
            self._on(Received(number, message))

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
                case StartPeek(key, Peek() as peek):
                    self._windows[key] = asyncio.Semaphore(peek.window)
                    self._tasks[key] = asyncio.get_running_loop().create_task(self._run(key, peek))
                case StopPeek(key):
                    if key in self._tasks:
                        self._tasks[key].cancel()
                case AllowRows(key, chunks):
                    for _ in range(chunks if key in self._windows else 0):
                        self._windows[key].release()
                case OpenInstance() | Configure():
                    pass
                case (
                    StartDataflow()
                    | StopDataflow()
                    | CompactExport()
                    | SetWritable()
                    | AllowBatches()
                    | Hurry()
                    | StartPeek()
                ):
                    raise AssertionError("no dataflow runs here")
                case MoveTimeline() | Retain():
                    pass
                case Exit():
                    self.crash()
                    return
                case _:
                    assert_never(instruction)

    async def _run(self, key: PeekKey, peek: Peek) -> None:
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

    async def _outcome(self, key: PeekKey, peek: Peek) -> PeekOutcome:
        assert self._state.instance is not None, "a peek came before its instance"
        rows = 0
        try:
            for batch in await self._evaluate(self._state.instance, peek):
                await self._windows[key].acquire()
                self._on(RowsProduced(key, batch.num_rows, batches_to_payload(batch.schema, [batch])))
                rows += batch.num_rows
        except SqlError as error:
            return PeekFailed(error.sqlstate.value, error.message, error.detail, error.hint)
        return PeekCompleted(rows, 0.0)
