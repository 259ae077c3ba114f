"""The replica as a pure state machine: `handle(event) -> instructions`. No sockets, no threads, no Spark.

One environment is served at a time: the connection whose nonce is the newest. Its commands up to
InitializationComplete are buffered, reduced and reconciled with what runs; peeks of earlier connections are stopped
and their answers dropped. Dataflows are remembered and their frontiers reported; peeks read shards, not dataflows.

    Connected ─▶ Hello (newest nonce) ─▶ CreateInstance … InitializationComplete ─▶ anything
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import assert_never

from compute.protocol.command import (
    AcknowledgeRows,
    AllowCompaction,
    AllowWrites,
    CancelPeek,
    Command,
    CreateDataflow,
    CreateInstance,
    DataflowDescription,
    Hello,
    InitializationComplete,
    Peek,
    Schedule,
    UpdateConfiguration,
)
from compute.protocol.history import reduce_commands
from compute.protocol.response import (
    Frontiers,
    PeekCancelled,
    PeekDone,
    PeekOutcome,
    PeekRows,
    Refused,
    Response,
    Status,
)
from compute.replica.reconcile import RunningDataflow, reconcile
from model.antichain import EMPTY, Antichain
from model.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class PeekKey:
    """A peek of one connection: uuids of different environments may collide, connections are numbered."""

    connection: int
    uuid: str


@dataclass(frozen=True, slots=True)
class Received:
    """A command came in; connections are numbered in the order in which they were accepted."""

    connection: int
    command: Command


@dataclass(frozen=True, slots=True)
class Disconnected:
    connection: int


@dataclass(frozen=True, slots=True)
class WorkerReady:
    """Spark is up."""


@dataclass(frozen=True, slots=True)
class RowsProduced:
    """The next chunk of an active peek."""

    key: PeekKey
    rows: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class PeekEnded:
    """The last event of a started peek, also of a stopped one."""

    key: PeekKey
    outcome: PeekOutcome


Event = Received | Disconnected | WorkerReady | RowsProduced | PeekEnded


@dataclass(frozen=True, slots=True)
class Send:
    connection: int
    response: Response
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class HangUp:
    """Closes the connection, after what was sent."""

    connection: int


@dataclass(frozen=True, slots=True)
class OpenInstance:
    """Opens consensus and blob; before any peek starts."""

    instance: CreateInstance


@dataclass(frozen=True, slots=True)
class Configure:
    parameters: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StartPeek:
    """Runs the peek; RowsProduced follow, then exactly one PeekEnded."""

    key: PeekKey
    peek: Peek


@dataclass(frozen=True, slots=True)
class StopPeek:
    """The peek's work is to end soon."""

    key: PeekKey


@dataclass(frozen=True, slots=True)
class AllowRows:
    """The peek may have `chunks` more chunks out."""

    key: PeekKey
    chunks: int


@dataclass(frozen=True, slots=True)
class Exit:
    """The process must end: it can't serve what it is asked for; a fresh one can."""

    reason: str


Instruction = Send | HangUp | OpenInstance | Configure | StartPeek | StopPeek | AllowRows | Exit


_SUPERSEDED = "a newer environment has taken this replica over"


@dataclass(slots=True)
class ReplicaState:
    """`secret` and `version` are what a Hello must show. Change it only through `handle`."""

    secret: str
    version: str
    ready: bool = False
    nonce: str = ""
    current: int | None = None
    initialized: bool = False
    instance: CreateInstance | None = None
    buffered: list[Command] = field(default_factory=list)
    dataflows: dict[frozenset[GlobalId], RunningDataflow] = field(default_factory=dict)
    waiting: dict[PeekKey, Peek] = field(default_factory=dict)
    active: set[PeekKey] = field(default_factory=set)
    kept: int = 0
    replaced: int = 0

    def handle(self, event: Event) -> list[Instruction]:
        """What to do about `event`, in order."""
        return list(self._handle(event))

    def _handle(self, event: Event) -> Iterator[Instruction]:
        match event:
            case WorkerReady():
                self.ready = True
                if self.current is not None:
                    yield Send(self.current, Status(True, "ready"))
                yield from self._start_waiting()
            case Received(connection, Hello() as hello):
                yield from self._greet(connection, hello)
            case Received(connection, command):
                if connection != self.current:
                    yield HangUp(connection)
                elif self.initialized:
                    yield from self._obey(connection, command)
                else:
                    yield from self._buffer(connection, command)
            case Disconnected(connection):
                if connection == self.current:
                    yield from self._leave()
            case RowsProduced(key, rows, payload):
                if key.connection == self.current:
                    yield Send(key.connection, PeekRows(key.uuid, rows), payload)
            case PeekEnded(key, outcome):
                self.active.discard(key)
                if key.connection == self.current:
                    yield Send(key.connection, PeekDone(key.uuid, outcome))
            case _:
                assert_never(event)

    def _greet(self, connection: int, hello: Hello) -> Iterator[Instruction]:
        reason = None
        superseded = hello.nonce < self.nonce
        if hello.secret != self.secret:
            reason = "the secret is wrong"
        elif hello.version != self.version:
            reason = f"this replica speaks version {self.version}, the environment {hello.version}"
        elif superseded:
            reason = _SUPERSEDED
        if reason is not None:
            yield Send(connection, Refused(reason, superseded))
            yield HangUp(connection)
            return
        if self.current is not None and self.current != connection:
            yield Send(self.current, Refused(_SUPERSEDED, superseded=True))
            yield HangUp(self.current)
        yield from self._leave()
        self.nonce = hello.nonce
        self.current = connection
        yield Send(connection, Status(self.ready, "ready" if self.ready else "starting Spark"))

    def _leave(self) -> Iterator[Instruction]:
        """Forgets the current connection and stops its peeks; dataflows go on."""
        yield from map(StopPeek, sorted(self.active, key=lambda key: (key.connection, key.uuid)))
        self.waiting.clear()
        self.buffered.clear()
        self.current = None
        self.initialized = False

    def _buffer(self, connection: int, command: Command) -> Iterator[Instruction]:
        self.buffered.append(command)
        if not isinstance(command, InitializationComplete):
            return
        commands = reduce_commands(self.buffered)
        self.buffered.clear()
        self.initialized = True
        wanted = [command.description for command in commands if isinstance(command, CreateDataflow)]
        plan = reconcile(self.dataflows.values(), wanted)
        self.kept += len(plan.kept)
        self.replaced += len(plan.dropped)
        self.dataflows.clear()
        for description, _ in plan.kept:
            self._install(RunningDataflow.of(description))
            yield from self._report(connection, description.exports, description.as_of)
        fresh = {frozenset(description.exports) for description in plan.created}
        for command in commands:
            if isinstance(command, CreateDataflow) and frozenset(command.description.exports) not in fresh:
                continue
            yield from self._obey(connection, command)

    def _obey(self, connection: int, command: Command) -> Iterator[Instruction]:
        match command:
            case Hello() | InitializationComplete():
                pass
            case CreateInstance():
                yield from self._open(command)
            case UpdateConfiguration(parameters):
                yield Configure(parameters)
            case CreateDataflow(description):
                yield from self._create(connection, description)
            case Schedule(id_):
                self._change(id_, scheduled=True)
            case AllowWrites(id_):
                self._change(id_, writable=True)
            case AllowCompaction(id_, frontier):
                yield from self._compact(connection, id_, frontier)
            case Peek():
                self.waiting[PeekKey(connection, command.uuid)] = command
                yield from self._start_waiting()
            case CancelPeek(uuid):
                yield from self._cancel(PeekKey(connection, uuid))
            case AcknowledgeRows(uuid, chunks):
                if PeekKey(connection, uuid) in self.active:
                    yield AllowRows(PeekKey(connection, uuid), chunks)
            case _:
                assert_never(command)

    def _open(self, instance: CreateInstance) -> Iterator[Instruction]:
        if self.instance is None:
            self.instance = instance
            yield OpenInstance(instance)
        elif self.instance != instance:
            yield Exit("the environment's data lies elsewhere than this replica's")

    def _create(self, connection: int, description: DataflowDescription) -> Iterator[Instruction]:
        assert not any(self._of(id_) for id_ in description.exports), "an export is installed already"
        self._install(RunningDataflow.of(description))
        yield from self._report(connection, description.exports, description.as_of)

    def _compact(self, connection: int, id_: GlobalId, frontier: Antichain) -> Iterator[Instruction]:
        dataflow = self._of(id_)
        if dataflow is None:
            return
        since = {**dataflow.since, id_: dataflow.since[id_].join(frontier)}
        if all(each.empty for each in since.values()):
            del self.dataflows[frozenset(dataflow.description.exports)]
        else:
            self._install(dataclasses.replace(dataflow, since=since))
        if since[id_].empty and not dataflow.since[id_].empty:
            yield from self._report(connection, (id_,), EMPTY)

    def _cancel(self, key: PeekKey) -> Iterator[Instruction]:
        if self.waiting.pop(key, None) is not None:
            yield Send(key.connection, PeekDone(key.uuid, PeekCancelled()))
        elif key in self.active:
            yield StopPeek(key)

    def _start_waiting(self) -> Iterator[Instruction]:
        if not self.ready:
            return
        for key, peek in self.waiting.items():
            self.active.add(key)
            yield StartPeek(key, peek)
        self.waiting.clear()

    def _install(self, dataflow: RunningDataflow) -> None:
        self.dataflows[frozenset(dataflow.description.exports)] = dataflow

    def _of(self, id_: GlobalId) -> RunningDataflow | None:
        return next((dataflow for exports, dataflow in self.dataflows.items() if id_ in exports), None)

    def _change(self, id_: GlobalId, *, scheduled: bool = False, writable: bool = False) -> None:
        dataflow = self._of(id_)
        if dataflow is not None:
            self._install(
                dataclasses.replace(
                    dataflow,
                    scheduled=dataflow.scheduled or scheduled,
                    writable=dataflow.writable or writable,
                )
            )

    def _report(self, connection: int, ids: Iterable[GlobalId], frontier: Antichain) -> Iterator[Instruction]:
        for id_ in ids:
            yield Send(connection, Frontiers(id_, frontier, frontier))
