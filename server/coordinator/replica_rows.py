"""The controller's word on its replica, as system relations want it."""

from __future__ import annotations

import datetime

from catalog.builtin.snapshot import ReplicaStatus as ReplicaRow
from compute.controller.replica_status import ObservedReplica, ReplicaPhase

_STATUS = {
    ReplicaPhase.READY: "ready",
    ReplicaPhase.STARTING: "starting",
    ReplicaPhase.CONNECTING: "not-ready",
    ReplicaPhase.STOPPED: "not-ready",
}


def replica_row(status: ObservedReplica) -> ReplicaRow:
    return ReplicaRow(
        id="u1",
        name=status.name,
        cluster="default",
        status=_STATUS[status.phase],
        updated_at=datetime.datetime.fromtimestamp(status.since_ms / 1000, datetime.UTC),
        pid=status.pid,
        reason=status.message or None,
    )
