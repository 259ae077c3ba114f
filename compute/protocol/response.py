"""Responses: what a replica answers, in order, over the connection of the newest environment."""

from __future__ import annotations

from dataclasses import dataclass

from model.antichain import Antichain
from model.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class Frontiers:
    """How far an export has come: `upper` of what it holds, `input` of what it has read.

    Must never regress, must start at or after the dataflow's as_of, and must end with the empty frontier after
    AllowCompaction to it. A field is None when it did not change.
    """

    id: GlobalId
    upper: Antichain | None
    input: Antichain | None


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


@dataclass(frozen=True, slots=True)
class Status:
    """What the replica is about; the first is its greeting. Peeks sent before `ready` wait."""

    ready: bool
    message: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The replica does not serve this connection, and hangs up: a wrong secret or version, or a newer environment.

    `superseded`: a newer environment has it; the older one must not end it, and need not come back.
    """

    reason: str
    superseded: bool = False


Response = Frontiers | PeekRows | PeekDone | Status | Refused
