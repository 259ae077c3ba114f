"""The environment's view of its replica, for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from compute.protocol.response import DataflowMeasures, DataflowStatus, Reconciled, StuckCall
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
class ObservedPhase:
    """A phase that a replica entered at wall time `at_ms`, with the reason."""

    phase: ReplicaPhase
    message: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class ObservedDataflow:
    """The last words of a replica itself on its dataflow that exports `id`; None: the replica has not told yet."""

    id: GlobalId
    status: DataflowStatus | None = None
    measures: DataflowMeasures | None = None


@dataclass(frozen=True, slots=True)
class ObservedReplica:
    """A replica of a `cluster`, as a row for people.

    `since_ms`: the wall time at which the present phase began; `phases` are the last ones, with the present one
    `peeks`: answered by all processes together
    `stuck`: its calls of Java that do not end
    `reconciliations`: the last ones
    `commands`: how many it was sent, by kind; `dataflows` of these it would be told to maintain if it began anew
    `told`: its last words on each of its dataflows
    `uppers`: of all exports, told by this replica alone
    """

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
    told: tuple[ObservedDataflow, ...] = ()
    uppers: tuple[tuple[GlobalId, Antichain], ...] = ()
    phases: tuple[ObservedPhase, ...] = ()
