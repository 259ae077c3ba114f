"""The input and output of the replica's state machine: events and instructions."""

from __future__ import annotations

from dataclasses import dataclass, field

from compute.protocol.command import Command, CreateInstance, Peek, PeekIndex
from compute.protocol.dataflow import DataflowDescription, Installed
from compute.protocol.response import DataflowReport, PeekOutcome, Response, StuckCall, SubscribeBatch
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp


@dataclass(frozen=True, slots=True)
class PeekKey:
    """A peek of one connection: uuids of different environments may collide, connections are numbered."""

    connection: int
    uuid: str


# Events


@dataclass(frozen=True, slots=True)
class Received:
    """A command arrived; connections are numbered in the order of acceptance."""

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


@dataclass(frozen=True, slots=True)
class Reported:
    """News of an export of dataflow `number`."""

    number: int
    report: DataflowReport


@dataclass(frozen=True, slots=True)
class BatchProduced:
    """The next batch of a subscribe of dataflow `number`."""

    number: int
    batch: SubscribeBatch
    payload: bytes


@dataclass(frozen=True, slots=True)
class CallsStuck:
    """The calls of Java that do not end at present."""

    calls: tuple[StuckCall, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """This process is about to end by itself."""

    reason: str


Event = (
    Received | Disconnected | WorkerReady | RowsProduced | PeekEnded | Reported | BatchProduced | CallsStuck | Ending
)


# Instructions


@dataclass(frozen=True, slots=True)
class Send:
    connection: int
    response: Response
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class HangUp:
    """Closes the connection, after everything was sent."""

    connection: int


@dataclass(frozen=True, slots=True)
class OpenInstance:
    """Opens consensus and blob before anything else; when they are open, writes have another fence from now on."""

    instance: CreateInstance


@dataclass(frozen=True, slots=True)
class Configure:
    parameters: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StartPeek:
    """Runs the peek; RowsProduced follow, then exactly one PeekEnded."""

    key: PeekKey
    peek: Peek | PeekIndex


@dataclass(frozen=True, slots=True)
class StopPeek:
    """The peek's work is to end soon."""

    key: PeekKey


@dataclass(frozen=True, slots=True)
class AllowRows:
    """Allows a peek to send `chunks` more chunks before the receiver has taken them."""

    key: PeekKey
    chunks: int


@dataclass(frozen=True, slots=True)
class StartDataflow:
    """Runs the dataflow, from the state of an earlier process or from its inputs' contents; or the ingestion, from
    its source's bound frontier."""

    number: int
    description: Installed


@dataclass(frozen=True, slots=True)
class StopDataflow:
    """Ends the dataflow, and deletes its state."""

    number: int


@dataclass(frozen=True, slots=True)
class CompactExport:
    """Lets the replica forget the differences between times of the export before `since`. An empty `since` says that
    the export is not needed any more."""

    number: int
    id: GlobalId
    since: Antichain


@dataclass(frozen=True, slots=True)
class SetWritable:
    """Sets whether the dataflow may write to shards."""

    number: int
    writable: bool


@dataclass(frozen=True, slots=True)
class AllowBatches:
    """Allows a subscribe to send `batches` more batches before the receiver has taken them, who has been `told` of all
    times before."""

    number: int
    id: GlobalId
    batches: int
    told: Antichain


@dataclass(frozen=True, slots=True)
class MoveTimeline:
    """The timeline's collections are complete up to `upper`."""

    upper: Antichain


@dataclass(frozen=True, slots=True)
class Hurry:
    """Someone waits for the export to be complete at `time`."""

    number: int
    id: GlobalId
    time: Timestamp


@dataclass(frozen=True, slots=True)
class BeginAnew:
    """The dataflow forgets its state, and begins anew from its inputs."""

    number: int


@dataclass(frozen=True, slots=True)
class KeepSecrets:
    """The values of secrets, for ingestions that name them."""

    values: tuple[tuple[GlobalId, str], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Retain:
    """Deletes the state of all other dataflows, from any process."""

    descriptions: tuple[DataflowDescription, ...]


@dataclass(frozen=True, slots=True)
class Exit:
    """Ends the process: it can't serve the command, but a fresh process can."""

    reason: str


DataflowInstruction = (
    StartDataflow
    | StopDataflow
    | CompactExport
    | SetWritable
    | AllowBatches
    | MoveTimeline
    | Hurry
    | BeginAnew
    | KeepSecrets
    | Retain
)

Instruction = Send | HangUp | OpenInstance | Configure | StartPeek | StopPeek | AllowRows | DataflowInstruction | Exit
