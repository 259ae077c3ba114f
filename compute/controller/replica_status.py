"""The environment's view of its replica, for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from compute.protocol.response import Reconciled, StateOrigin, StuckCall
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain


class ReplicaPhase(StrEnum):
    """The replica's phase, as the environment sees it."""

    CONNECTING = "connecting"
    STARTING = "starting"
    READY = "ready"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class ObservedReconciliation:
    """A replica's report on its dataflows at wall time `at_ms`, when it was told everything from the beginning."""

    at_ms: int
    outcome: Reconciled


@dataclass(frozen=True, slots=True)
class ObservedOrigin:
    """The origin of the state of the dataflow that exports `id` (see DataflowMeasures)."""

    id: GlobalId
    origin: StateOrigin
    copied_from: str


@dataclass(frozen=True, slots=True)
class ObservedReplica:
    """A replica of a `cluster`, as a row for people: `since_ms` is wall time, `peeks` were answered by all processes
    together. `stuck` are its calls of Java that do not end; `reconciliations` the last ones. `commands` counts what it
    was sent, by kind; `dataflows` is how many of these it would be told to maintain if it began anew; `origins` are
    those of the states of dataflows, `uppers` the replica's own of all exports."""

    cluster: int
    name: str
    pid: int | None
    address: str
    phase: ReplicaPhase
    message: str
    since_ms: int
    peeks: int
    pending: int
    restarts: int
    stuck: tuple[StuckCall, ...] = ()
    reconciliations: tuple[ObservedReconciliation, ...] = ()
    commands: tuple[tuple[str, int], ...] = ()
    dataflows: int = 0
    origins: tuple[ObservedOrigin, ...] = ()
    uppers: tuple[tuple[GlobalId, Antichain], ...] = ()
