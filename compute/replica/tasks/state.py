"""The replica as a pure state machine: `handle(event) -> instructions`. No sockets, no threads, no Spark.

One environment is served at a time: the connection with the newest nonce. Its commands up to InitializationComplete are
buffered, reduced and reconciled with the running dataflows; peeks of earlier connections are stopped and their answers
dropped. Dataflows go on without a connection, and their reports are remembered for the next.

    Connected ─▶ Hello (newest nonce) ─▶ CreateInstance … InitializationComplete ─▶ anything
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import assert_never

from compute.protocol.command import (
    AcknowledgeBatches,
    AcknowledgeRows,
    AdvanceTimeline,
    AllowCompaction,
    AllowWrites,
    Await,
    CancelPeek,
    Command,
    CreateDataflow,
    CreateInstance,
    CreateSinks,
    CreateSources,
    Hello,
    InitializationComplete,
    Peek,
    PeekIndex,
    Ping,
    Rebuild,
    RenderSources,
    Schedule,
    TellSecrets,
    UpdateConfiguration,
)
from compute.protocol.dataflow import DataflowDescription, Installed, SubscribeExport
from compute.protocol.history import reduce_commands
from compute.protocol.response import (
    DataflowReport,
    DataflowStatus,
    Farewell,
    Frontiers,
    Measures,
    PeekCancelled,
    PeekDone,
    PeekRows,
    Pong,
    ServingRefused,
    Status,
    StuckCall,
    StuckCalls,
)
from compute.replica.running.reconcile import RunningDataflow, advanced, reconcile
from compute.replica.tasks.events import (
    AllowBatches,
    AllowRows,
    BatchProduced,
    BeginAnew,
    CallsStuck,
    CompactExport,
    Configure,
    Disconnected,
    Ending,
    Event,
    Exit,
    HangUp,
    Hurry,
    Instruction,
    KeepSecrets,
    MoveTimeline,
    OpenInstance,
    PeekEnded,
    PeekKey,
    Received,
    Reported,
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
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain

_SUPERSEDED = "a newer environment has taken this replica over"
_TAKEN = "this replica serves another cluster, or another server"


@dataclass(slots=True)
class ReplicaState:
    """The state. `secret` and `version` must be shown by a Hello. Change it only through `handle`."""

    secret: str
    version: str
    ready: bool = False
    nonce: str = ""
    client: str = ""
    current: int | None = None
    initialized: bool = False
    instance: CreateInstance | None = None
    buffered: list[Command] = field(default_factory=list)
    dataflows: dict[frozenset[GlobalId], RunningDataflow] = field(default_factory=dict)
    exporting: dict[GlobalId, frozenset[GlobalId]] = field(default_factory=dict)
    waiting: dict[PeekKey, Peek] = field(default_factory=dict)
    active: set[PeekKey] = field(default_factory=set)
    stopping: set[PeekKey] = field(default_factory=set)
    started: set[int] = field(default_factory=set)
    stuck: tuple[StuckCall, ...] = ()
    numbered: int = 0
    kept: int = 0
    replaced: int = 0

    def handle(self, event: Event) -> list[Instruction]:
        """Returns the instructions for `event`, in order."""
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
                self.stopping.discard(key)
                if key.connection == self.current:
                    yield Send(key.connection, PeekDone(key.uuid, outcome))
            case Reported(number, report):
                yield from self._report(number, report)
            case BatchProduced(number, batch, payload):
                dataflow = self._of(batch.id)
                if self.current is not None and dataflow is not None and dataflow.number == number:
                    yield Send(self.current, batch, payload)
            case CallsStuck(calls):
                self.stuck = calls
                if self.current is not None:
                    yield Send(self.current, StuckCalls(calls))
            case Ending(reason):
                if self.current is not None:
                    yield Send(self.current, Farewell(reason))
            case _:
                assert_never(event)

    def _greet(self, connection: int, hello: Hello) -> Iterator[Instruction]:
        reason = None
        superseded = hello.client == self.client and hello.nonce < self.nonce
        if hello.secret != self.secret:
            reason = "the secret is wrong"
        elif hello.version != self.version:
            reason = f"this replica speaks version {self.version}, the environment {hello.version}"
        elif superseded:
            reason = _SUPERSEDED
        elif hello.client != self.client and self.current is not None:
            reason = _TAKEN
        if reason is not None:
            yield Send(connection, ServingRefused(reason, superseded))
            yield HangUp(connection)
            return
        if self.current is not None and self.current != connection:
            yield Send(self.current, ServingRefused(_SUPERSEDED, superseded=True))
            yield HangUp(self.current)
        # Who is greeted once more is to go on with the peeks and subscribes that are named again.
        yield from self._leave(for_good=self.current != connection)
        self.nonce, self.client = hello.nonce, hello.client
        self.current = connection
        yield Send(connection, Status(self.ready, "ready" if self.ready else "starting Spark"))
        if self.stuck:
            yield Send(connection, StuckCalls(self.stuck))

    def _leave(self, *, for_good: bool = True) -> Iterator[Instruction]:
        """Forgets the current connection, and stops its subscribes and peeks, unless it goes on; other dataflows go
        on."""
        if for_good:
            yield from self._stop_peeks(self.active)
            for dataflow in list(self.dataflows.values()):
                if _subscribes(dataflow.description):
                    yield from self._remove(dataflow)
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
        dataflows = [command.description for command in commands if isinstance(command, CreateDataflow)]
        wanted: list[Installed] = [*dataflows]
        for command in commands:
            if isinstance(command, CreateSources | CreateSinks):
                wanted += command.descriptions
        sinces = {command.id: command.frontier for command in commands if isinstance(command, AllowCompaction)}
        plan = reconcile(self.dataflows.values(), wanted, sinces)
        self.kept += len(plan.kept)
        self.replaced += len(plan.dropped)
        yield Send(connection, plan.told)
        wanted_peeks = {command.uuid for command in commands if isinstance(command, Peek | PeekIndex)}
        yield from self._stop_peeks(key for key in self.active if key.uuid not in wanted_peeks)
        for dataflow in plan.dropped:
            yield from self._remove(dataflow)
        for description, old in plan.kept:
            yield from self._keep(connection, old.kept_for(description))
        fresh = {frozenset(description.export_ids) for description in plan.created}
        for command in commands:
            if isinstance(command, CreateDataflow) and frozenset(command.description.export_ids) not in fresh:
                continue
            if isinstance(command, CreateSources):
                command = CreateSources(tuple(s for s in command.descriptions if frozenset(s.export_ids) in fresh))
            if isinstance(command, CreateSinks):
                command = CreateSinks(tuple(s for s in command.descriptions if frozenset(s.export_ids) in fresh))
            yield from self._obey(connection, command)
            if command == self.instance:
                yield Retain(tuple(dataflows))

    def _keep(self, connection: int, dataflow: RunningDataflow) -> Iterator[Instruction]:
        self._install(dataflow)
        if dataflow.number in self.started:
            yield SetWritable(dataflow.number, False)
            for id_, since in dataflow.since.items():
                yield CompactExport(dataflow.number, id_, since)
        yield from self._tell(connection, dataflow)

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
            case CreateSources(descriptions) | CreateSinks(descriptions):
                for each in descriptions:
                    yield from self._create(connection, each)
            case RenderSources(collections):
                for collection in collections:
                    yield from self._schedule(collection.id)
                    yield from self._allow_writes(collection.id)
            case Schedule(id_):
                yield from self._schedule(id_)
            case AllowWrites(id_):
                yield from self._allow_writes(id_)
            case AllowCompaction(id_, frontier):
                yield from self._compact(connection, id_, frontier)
            case Peek() | PeekIndex() if PeekKey(connection, command.uuid) in self.active:
                pass
            case Peek():
                self.waiting[PeekKey(connection, command.uuid)] = command
                yield from self._start_waiting()
            case PeekIndex():
                # What the arrangement holds is read without Spark.
                self.active.add(PeekKey(connection, command.uuid))
                yield StartPeek(PeekKey(connection, command.uuid), command)
            case AcknowledgeBatches(id_, batches, told):
                if (dataflow := self._of(id_)) is not None:
                    yield AllowBatches(dataflow.number, id_, batches, told)
            case TellSecrets(values):
                yield KeepSecrets(values)
            case AdvanceTimeline(upper):
                yield MoveTimeline(upper)
            case Await(id_, time):
                if (dataflow := self._of(id_)) is not None:
                    yield Hurry(dataflow.number, id_, time)
            case Rebuild(id_):
                if (dataflow := self._of(id_)) is not None:
                    yield BeginAnew(dataflow.number)
            case Ping():
                yield Send(connection, Pong())
            case CancelPeek(uuid):
                yield from self._cancel(PeekKey(connection, uuid))
            case AcknowledgeRows(uuid, chunks):
                if PeekKey(connection, uuid) in self.active:
                    yield AllowRows(PeekKey(connection, uuid), chunks)
            case _:
                assert_never(command)

    def _open(self, instance: CreateInstance) -> Iterator[Instruction]:
        old = self.instance
        if old is not None and (old.consensus_url, old.blob_url) != (instance.consensus_url, instance.blob_url):
            yield Exit("the environment's data lies elsewhere than this replica's")
        elif old != instance:
            self.instance = instance
            yield OpenInstance(instance)

    def _create(self, connection: int, description: Installed) -> Iterator[Instruction]:
        assert not any(self._of(id_) for id_ in description.export_ids), "an export is installed already"
        self.numbered += 1
        dataflow = RunningDataflow.of(description, self.numbered)
        self._install(dataflow)
        yield from self._tell(connection, dataflow)

    def _schedule(self, id_: GlobalId) -> Iterator[Instruction]:
        dataflow = self._of(id_)
        if dataflow is None:
            return
        self._install(dataclasses.replace(dataflow, scheduled=True))
        if dataflow.number not in self.started:
            self.started.add(dataflow.number)
            yield StartDataflow(dataflow.number, dataflow.description)
            for export, since in dataflow.since.items():
                if since != dataflow.description.as_of:
                    yield CompactExport(dataflow.number, export, since)
            if dataflow.writable:
                yield SetWritable(dataflow.number, True)

    def _allow_writes(self, id_: GlobalId) -> Iterator[Instruction]:
        dataflow = self._of(id_)
        if dataflow is None:
            return
        self._install(dataclasses.replace(dataflow, writable=True))
        if dataflow.number in self.started:
            yield SetWritable(dataflow.number, True)

    def _compact(self, connection: int, id_: GlobalId, frontier: Antichain) -> Iterator[Instruction]:
        dataflow = self._of(id_)
        if dataflow is None:
            return
        since = {**dataflow.since, id_: dataflow.since[id_].join(frontier)}
        changed = dataclasses.replace(dataflow, since=since)
        self._install(changed)
        if since[id_].empty and not dataflow.since[id_].empty:
            yield Send(connection, Frontiers(id_, EMPTY, EMPTY, EMPTY, EMPTY))
        if all(each.empty for each in since.values()):
            yield from self._remove(changed)
        elif dataflow.number in self.started:
            yield CompactExport(dataflow.number, id_, since[id_])

    def _remove(self, dataflow: RunningDataflow) -> Iterator[Instruction]:
        del self.dataflows[frozenset(dataflow.description.export_ids)]
        for id_ in dataflow.description.export_ids:
            del self.exporting[id_]
        if dataflow.number in self.started:
            self.started.discard(dataflow.number)
            yield StopDataflow(dataflow.number)

    def _report(self, number: int, report: DataflowReport) -> Iterator[Instruction]:
        """Remembers a report for the next environment, and passes it on to the present one."""
        dataflow = self._of(report.id)
        if dataflow is None or dataflow.number != number or dataflow.since[report.id].empty:
            return
        if isinstance(report, DataflowStatus):
            self._install(dataclasses.replace(dataflow, statuses={**dataflow.statuses, report.id: report}))
        elif isinstance(report, Measures):
            self._install(dataclasses.replace(dataflow, measures={**dataflow.measures, report.id: report}))
        else:
            # An older dataflow may still be behind where this environment begins.
            report = advanced(report, dataflow.description.as_of)
            self._install(dataclasses.replace(dataflow, frontiers={**dataflow.frontiers, report.id: report}))
        if self.current is not None and self.initialized:
            yield Send(self.current, report)

    def _cancel(self, key: PeekKey) -> Iterator[Instruction]:
        if self.waiting.pop(key, None) is not None:
            yield Send(key.connection, PeekDone(key.uuid, PeekCancelled()))
        else:
            yield from self._stop_peeks({key} & self.active)

    def _stop_peeks(self, keys: Iterable[PeekKey]) -> Iterator[Instruction]:
        """Stops peeks, each once."""
        for key in sorted(set(keys) - self.stopping, key=lambda key: (key.connection, key.uuid)):
            self.stopping.add(key)
            yield StopPeek(key)

    def _start_waiting(self) -> Iterator[Instruction]:
        if not self.ready:
            return
        for key, peek in self.waiting.items():
            self.active.add(key)
            yield StartPeek(key, peek)
        self.waiting.clear()

    def _install(self, dataflow: RunningDataflow) -> None:
        exports = frozenset(dataflow.description.export_ids)
        self.dataflows[exports] = dataflow
        self.exporting.update(dict.fromkeys(exports, exports))

    def _of(self, id_: GlobalId) -> RunningDataflow | None:
        exports = self.exporting.get(id_)
        return None if exports is None else self.dataflows[exports]

    def _tell(self, connection: int, dataflow: RunningDataflow) -> Iterator[Instruction]:
        for id_ in dataflow.description.export_ids:
            yield Send(connection, dataflow.frontiers[id_])
            yield Send(connection, dataflow.statuses[id_])
            if id_ in dataflow.measures:
                yield Send(connection, dataflow.measures[id_])


def _subscribes(description: Installed) -> bool:
    if not isinstance(description, DataflowDescription):
        return False
    return any(isinstance(export, SubscribeExport) for export in description.exports)
