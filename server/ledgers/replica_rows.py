"""What the controller says of the replicas, for system relations, under the ids that the catalog has given them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from catalog.declared.snapshot import ReconciliationStatus, StuckCallStatus
from catalog.declared.snapshot import ReplicaStatus as ReplicaRow
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID, Cluster, ClusterReplica
from catalog.state.catalog_state import CatalogState
from compute.controller.replica_status import ObservedReconciliation, ObservedReplica, ReplicaPhase

_STATUS = {
    ReplicaPhase.READY: "ready",
    ReplicaPhase.STARTING: "starting",
    ReplicaPhase.CONNECTING: "not-ready",
    ReplicaPhase.STOPPED: "not-ready",
}


def replica_rows(state: CatalogState, observed: Iterable[ObservedReplica]) -> tuple[ReplicaRow, ...]:
    """Returns a row for each replica that the catalog knows."""
    cluster = state.clusters[DEFAULT_CLUSTER_OID]
    named = ((cluster.replica_named(each.name), each) for each in observed)
    return tuple(_row(cluster, replica, each) for replica, each in named if replica is not None)


def _row(cluster: Cluster, replica: ClusterReplica, status: ObservedReplica) -> ReplicaRow:
    return ReplicaRow(
        id=replica.id,
        name=replica.name,
        cluster=cluster.name,
        status=_STATUS[status.phase],
        updated_at=_wall_time(status.since_ms),
        pid=status.pid,
        reason=status.message or None,
        stuck=tuple(
            StuckCallStatus(each.subject, _wall_time(each.since_ms), each.processor_ms) for each in status.stuck
        ),
        reconciliations=tuple(map(_reconciliation, status.reconciliations)),
    )


def _reconciliation(observed: ObservedReconciliation) -> ReconciliationStatus:
    replaced = tuple((each.exports, each.reason) for each in observed.outcome.replaced)
    return ReconciliationStatus(_wall_time(observed.at_ms), observed.outcome.kept, replaced)


def _wall_time(ms: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC)
