"""Responses: what a replica answers, in order, over the connection of the newest environment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from compute.protocol.measures import ArrangementMeasure, CheckpointMeasure, TickMeasure
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain


@dataclass(frozen=True, slots=True)
class Frontiers:
    """How far an export has come; a field is None when it did not change.

    since      from when it can be read
    upper      up to when it is complete; of a shard, durably so
    input      up to when its inputs have been read
    durable    up to when its state would come back after kill -9 without its inputs' past: inputs may be compacted up
               to durable - 1

    Must never regress within the life of a replica, must start at or after the dataflow's as_of, and must end with
    the empty frontier after AllowCompaction to it.
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
    """All rows were sent; `rows` in all, `spark_ms` of which Spark itself took."""

    rows: int
    spark_ms: float


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
    """What a dataflow is about."""

    CREATED = "created"
    HYDRATING = "hydrating"
    RUNNING = "running"
    FAILING = "failing"
    STALLED = "stalled"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class DataflowStatus:
    """What the dataflow that exports `id` is about, for people; sent when it changes, and while it hydrates.

    `rows` of the `rows_total` that its imports hold have been read for hydration. While it is FAILING, `message` is
    what the last attempt failed with, `hint` what could be done about it, where that is known, and `retries` counts
    the attempts that have failed in a row; the next one comes by itself. While it is STALLED these say the same of the
    last attempt, but there is none before what it reads has changed.
    """

    id: GlobalId
    phase: DataflowPhase
    rows: int
    rows_total: int
    message: str
    retries: int
    hint: str = ""


@dataclass(frozen=True, slots=True)
class DataflowMeasures:
    """What the dataflow that exports `id` takes; sent some seconds after a tick, a checkpoint, or another version of a
    shard that it reads, so never while idle.

    `errors` are live in the export: 0 where it can be read. None: it keeps no account of them. `ticks` and
    `checkpoints` are None before the first. `versions` are of the shards that it reads: from these on it reads them,
    now and later, so that files which these no longer name may be deleted. `exports` are all that it exports, by id:
    what computes the same shares a dataflow, with all that it takes but its own index or shard.
    """

    id: GlobalId
    arrangements: tuple[ArrangementMeasure, ...]
    errors: int | None
    ticks: TickMeasure | None
    checkpoints: CheckpointMeasure | None
    versions: tuple[tuple[str, int], ...] = ()
    exports: tuple[GlobalId, ...] = ()


@dataclass(frozen=True, slots=True)
class IngestionMeasures:
    """What the ingestion of source `id` has come to since its replica opened it; sent some seconds after it has.

    `messages` of `bytes` bytes were read and bound, in `bindings` that had any; of them `updates` were rows of data
    collections, and `errors` could not be decoded. `offset_known` is what upstream is known to have, `offset_committed`
    what is bound, both summed over partitions, where such a sum says anything. `bound_ms` is the wall time of the last
    binding with records.
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
    """What has come of sink `id` since its replica opened it; sent some seconds after a transaction.

    `transactions` have stored `stored` documents of `bytes` bytes in memory, and loaded `loaded` before. The last one
    took `commit_ms` to commit. `versions` as in DataflowMeasures.
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
    first time with any.
    """

    id: GlobalId
    lower: Antichain
    upper: Antichain
    error: PeekFailed | None


@dataclass(frozen=True, slots=True)
class Status:
    """What the replica is about; the first is its greeting. Peeks sent before `ready` wait."""

    ready: bool
    message: str


@dataclass(frozen=True, slots=True)
class ServingRefused:
    """The replica does not serve this connection, and hangs up: a wrong secret or version, or a newer environment.

    `superseded`: a newer environment has it; the older one must not end it, and need not come back.
    """

    reason: str
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class StuckCall:
    """A call of Java that does not end: `subject` says for what. It was found out at wall time `since_ms`, and its
    thread has worked on it for `processor_ms` so far."""

    subject: str
    since_ms: int
    processor_ms: int


@dataclass(frozen=True, slots=True)
class StuckCalls:
    """All calls that are stuck; sent when they are others, and as they go on."""

    calls: tuple[StuckCall, ...]


@dataclass(frozen=True, slots=True)
class Farewell:
    """The replica is about to end; the last but for what is under way."""

    reason: str


Response = DataflowReport | SubscribeBatch | PeekRows | PeekDone | Status | StuckCalls | Farewell | ServingRefused
