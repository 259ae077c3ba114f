"""What the controller says of the replicas, for system relations, under the ids that the catalog has given them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from catalog.declared.snapshot import OriginStatus, ReconciliationStatus, StuckCallStatus
from catalog.declared.snapshot import ReplicaStatus as ReplicaRow
from catalog.nouns.clusters import Cluster, ClusterReplica
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
    rows = []
    for each in observed:
        cluster = state.clusters.get(each.cluster)
        replica = None if cluster is None else cluster.replica_named(each.name)
        if cluster is not None and replica is not None:
            rows.append(_row(cluster, replica, each))
    return tuple(rows)


def _row(cluster: Cluster, replica: ClusterReplica, status: ObservedReplica) -> ReplicaRow:
    return ReplicaRow(
        id=replica.id,
        name=replica.name,
        cluster_id=cluster.id,
        cluster=cluster.name,
        status=_STATUS[status.phase],
        updated_at=_wall_time(status.since_ms),
        pid=status.pid,
        address=replica.address,
        reason=status.message or None,
        stuck=tuple(
            StuckCallStatus(each.subject, _wall_time(each.since_ms), each.processor_ms) for each in status.stuck
        ),
        reconciliations=tuple(map(_reconciliation, status.reconciliations)),
        uppers=tuple((id_, upper.time) for id_, upper in status.uppers),
        origins=tuple(OriginStatus(each.id, each.origin, each.copied_from or None) for each in status.origins),
    )


def _reconciliation(observed: ObservedReconciliation) -> ReconciliationStatus:
    replaced = tuple((each.exports, each.reason) for each in observed.outcome.replaced)
    return ReconciliationStatus(_wall_time(observed.at_ms), observed.outcome.kept, replaced)


def _wall_time(ms: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC)
