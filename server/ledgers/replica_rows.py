"""The controller's status of its replica, for system relations."""

from __future__ import annotations

import datetime

from catalog.declared.snapshot import ReplicaStatus as ReplicaRow
from catalog.declared.snapshot import StuckCallStatus
from compute.controller.replica_status import ObservedReplica, ReplicaPhase

_STATUS = {
    ReplicaPhase.READY: "ready",
    ReplicaPhase.STARTING: "starting",
    ReplicaPhase.CONNECTING: "not-ready",
    ReplicaPhase.STOPPED: "not-ready",
}


def replica_row(status: ObservedReplica) -> ReplicaRow:
    return ReplicaRow(
        id=f"u{status.name.removeprefix('r')}",
        name=status.name,
        cluster="default",
        status=_STATUS[status.phase],
        updated_at=_wall_time(status.since_ms),
        pid=status.pid,
        reason=status.message or None,
        stuck=tuple(
            StuckCallStatus(each.subject, _wall_time(each.since_ms), each.processor_ms) for each in status.stuck
        ),
    )


def _wall_time(ms: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC)
