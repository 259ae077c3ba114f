"""Responses: what a replica answers, in order, over the connection of the newest environment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from compute.protocol.measures import ArrangementMeasure, CheckpointMeasure, OperatorMeasure, RepairMeasure, TickMeasure
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain


@dataclass(frozen=True, slots=True)
class Frontiers:
    """The frontiers of an export; a field is None when unchanged.

    since      the export is readable from here
    upper      the export is complete before; a shard, durably so, as far as this dataflow itself has come
    input      the inputs have been read before
    durable    the state would survive kill -9 up to here without its inputs' past: inputs may be compacted up to
               durable - 1

    Must never regress within the life of a replica, must start at or after the dataflow's as_of, and must end with the
    empty frontier after AllowCompaction to it.
    """

    id: GlobalId
    since: Antichain | None
    upper: Antichain | None
    input: Antichain | None
    durable: Antichain | None


@dataclass(frozen=True, slots=True)
class PeekRows:
    """A chunk of an answer, in order: one Arrow IPC stream as the frame's payload, columns `c0`, `c1`, … (or just `z`).

    `rows` counts them: an answer without columns has rows all the same.
    """

    uuid: str
    rows: int


@dataclass(frozen=True, slots=True)
class PeekCompleted:
    """All rows were sent; `rows` in all, with `spark_ms` of work in Spark, by the `operators` of a traced peek."""

    rows: int
    spark_ms: float
    operators: tuple[OperatorMeasure, ...] = ()


@dataclass(frozen=True, slots=True)
class PeekFailed:
    """The answer is an error, in PostgreSQL's fields; rows that came before must be discarded."""

    sqlstate: str
    message: str
    detail: str | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class PeekCancelled:
    """CancelPeek came first."""


PeekOutcome = PeekCompleted | PeekFailed | PeekCancelled


@dataclass(frozen=True, slots=True)
class PeekDone:
    """The end of a peek: exactly one, after its last PeekRows."""

    uuid: str
    outcome: PeekOutcome


class DataflowPhase(StrEnum):
    """The phases of a dataflow's life."""

    CREATED = "created"
    HYDRATING = "hydrating"
    RUNNING = "running"
    FAILING = "failing"
    STALLED = "stalled"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class DataflowStatus:
    """The status of the dataflow that exports `id`, for people; sent after a change, and during hydration.

    `rows`, `rows_total`: rows of imports read for hydration, and to be read.
    `message`: the last attempt's failure, while FAILING or STALLED; what a tick under way waits for, while HYDRATING or
        RUNNING.
    `hint`: the remedy, if known.
    `retries`: failed attempts in a row. A FAILING dataflow tries again by itself, a STALLED dataflow after a change of
        its inputs.
    """

    id: GlobalId
    phase: DataflowPhase
    rows: int
    rows_total: int
    message: str
    retries: int
    hint: str = ""


class StateOrigin(StrEnum):
    """The origin of a dataflow's state at the opening: made of the inputs, kept by an earlier process, or copied from
    another replica."""

    INPUTS = "inputs"
    KEPT = "kept"
    COPIED = "copied"


@dataclass(frozen=True, slots=True)
class DataflowMeasures:
    """Measures of the dataflow that exports `id`; sent some seconds after a tick, a checkpoint, or a new version of a
    shard read, so never while idle.

    `errors`: live errors in the export: 0 for a readable export, None without an account of errors.
    `ticks`, `checkpoints`: None before the first.
    `versions`: of the shards read: the dataflow reads from these versions on, so that files no longer named by them may
        be deleted.
    `exports`: all ids of the dataflow: exports with equal computations share a dataflow, except for the index or shard
        itself.
    `repairs`: None for an index.
    `origin`, `copied_from`: the state's origin, and the replica of a copied state.
    """

    id: GlobalId
    arrangements: tuple[ArrangementMeasure, ...]
    errors: int | None
    ticks: TickMeasure | None
    checkpoints: CheckpointMeasure | None
    versions: tuple[tuple[str, int], ...] = ()
    exports: tuple[GlobalId, ...] = ()
    repairs: RepairMeasure | None = None
    origin: StateOrigin = StateOrigin.INPUTS
    copied_from: str = ""


@dataclass(frozen=True, slots=True)
class IngestionMeasures:
    """Measures of the ingestion of source `id` since its replica opened it; sent some seconds after a change.

    `messages`, `bytes`: read and bound.
    `bindings`: bindings with messages.
    `updates`: rows of data collections made from the messages.
    `errors`: messages that could not be decoded.
    `offset_known`, `offset_committed`: upstream's known end and the bound offset, summed over partitions, if a sum
    makes sense.
    `bound_ms`: the wall time of the last binding with records.
    """

    id: GlobalId
    messages: int
    bytes: int
    updates: int
    errors: int
    bindings: int
    offset_known: int | None
    offset_committed: int | None
    bound_ms: int


@dataclass(frozen=True, slots=True)
class SinkMeasures:
    """Measures of sink `id` since its replica opened it; sent some seconds after a transaction.

    `transactions`: committed transactions.
    `loaded`: documents loaded.
    `stored`, `bytes`: documents stored, and their bytes in memory.
    `commit_ms`: duration of the last commit.
    `versions`: as in DataflowMeasures.
    """

    id: GlobalId
    transactions: int
    loaded: int
    stored: int
    bytes: int
    commit_ms: int
    versions: tuple[tuple[str, int], ...]


Measures = DataflowMeasures | IngestionMeasures | SinkMeasures
DataflowReport = Frontiers | DataflowStatus | Measures


@dataclass(frozen=True, slots=True)
class SubscribeBatch:
    """The next updates of a subscribe: one Arrow IPC stream as the frame's payload, columns `c0`, …, `time`, `diff`.

    All updates are at or after `lower`, which is where the batch before ended. All updates at times before `upper`
    have come with this batch or an earlier one; `upper` is `lower` while more of the same times follow. The payload may
    be empty. The last batch has the empty upper, or an error: `error` is the least one that is live at `upper`, the
    first time with any. `first`: the dataflow has begun with it, perhaps anew; what it sent before is sent again.
    """

    id: GlobalId
    lower: Antichain
    upper: Antichain
    error: PeekFailed | None
    first: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """The replica's own status; the first is its greeting. Peeks sent before `ready` wait."""

    ready: bool
    message: str


@dataclass(frozen=True, slots=True)
class ReplacedDataflow:
    """A dataflow that ran and did not go on, with the ids that it exported. `reason` is empty where the environment
    wants none with these exports."""

    exports: tuple[GlobalId, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What became of the dataflows that ran when an environment said everything from the beginning: so many go on.
    Sent once after InitializationComplete, before what the dataflows report."""

    kept: int
    replaced: tuple[ReplacedDataflow, ...]


@dataclass(frozen=True, slots=True)
class ServingRefused:
    """The replica does not serve this connection, and hangs up: a wrong secret or version, or a newer environment.

    With `superseded`, a newer environment has the replica; the older environment must not end it, and need not come
    back.
    """

    reason: str
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class StuckCall:
    """A call of Java that does not end: `subject` names its purpose. The call was found at wall time `since_ms`, and
    its thread has worked for `processor_ms` so far."""

    subject: str
    since_ms: int
    processor_ms: int


@dataclass(frozen=True, slots=True)
class StuckCalls:
    """All stuck calls; sent after each change, and repeatedly as calls stay stuck."""

    calls: tuple[StuckCall, ...]


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to a Ping."""


@dataclass(frozen=True, slots=True)
class Farewell:
    """The replica is about to end; the last but for what is under way."""

    reason: str


Response = (
    DataflowReport
    | SubscribeBatch
    | PeekRows
    | PeekDone
    | Status
    | Reconciled
    | StuckCalls
    | Pong
    | Farewell
    | ServingRefused
)
