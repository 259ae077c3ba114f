"""What the controller says of the replicas, for system relations, under the ids that the catalog has given them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import replace

from catalog.declared.snapshot import ReconciliationStatus, ReplicaDataflowStatus, ReplicaPhaseStatus, StuckCallStatus
from catalog.declared.snapshot import ReplicaStatus as ReplicaRow
from catalog.nouns.clusters import Cluster, ClusterReplica
from catalog.nouns.items import Computed
from catalog.state.catalog_state import CatalogState
from compute.controller.replica_status import (
    ObservedDataflow,
    ObservedReconciliation,
    ObservedReplica,
    ReplicaPhase,
)
from compute.protocol.response import DataflowPhase
from model.ids.global_id import GlobalId

_STATUS = {
    ReplicaPhase.READY: "ready",
    ReplicaPhase.STARTING: "starting",
    ReplicaPhase.CONNECTING: "not-ready",
    ReplicaPhase.STOPPED: "not-ready",
}


def replica_rows(state: CatalogState, observed: Iterable[ObservedReplica]) -> tuple[ReplicaRow, ...]:
    """Returns a row for each replica that the catalog knows."""
    definitions = ((id_, item.definition) for id_, item in state.items.items())
    collections = {each.collection: id_ for id_, each in definitions if isinstance(each, Computed)}
    ids = {id_: id_ for id_ in state.items} | collections
    rows = []
    for each in observed:
        cluster = state.clusters.get(each.cluster)
        replica = None if cluster is None else cluster.replica_named(each.name)
        if cluster is not None and replica is not None:
            rows.append(_row(cluster, replica, each, ids))
    return tuple(rows)


def _row(
    cluster: Cluster, replica: ClusterReplica, status: ObservedReplica, ids: Mapping[GlobalId, GlobalId]
) -> ReplicaRow:
    """Returns the row; `ids` are those of items, by the collections of which a replica tells."""
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
        uppers=tuple((ids[id_], upper.time) for id_, upper in status.uppers if id_ in ids),
        phases=tuple(
            ReplicaPhaseStatus(_STATUS[each.phase], each.message or None, _wall_time(each.at_ms))
            for each in status.phases
        ),
        dataflows=tuple(_dataflow(ids[each.id], each) for each in status.told if each.id in ids),
    )


def _dataflow(item: GlobalId, told: ObservedDataflow) -> ReplicaDataflowStatus:
    status, measures = told.status, told.measures
    phase, rows, rows_total = (DataflowPhase.CREATED, 0, 0)
    reason = None
    if status is not None:
        phase, reason, rows, rows_total = status.phase, status.message or None, status.rows, status.rows_total
    known = ReplicaDataflowStatus(item, phase.value, reason, rows, rows_total)
    if measures is None:
        return known
    return replace(
        known,
        origin=measures.origin.value,
        copied_from=measures.copied_from or None,
        records=sum(each.rows for each in measures.arrangements),
        memory_bytes=sum(each.memory_bytes for each in measures.arrangements),
        file_bytes=sum(each.file_bytes for each in measures.arrangements),
        ticks=0 if measures.ticks is None else measures.ticks.count,
    )


def _reconciliation(observed: ObservedReconciliation) -> ReconciliationStatus:
    replaced = tuple((each.exports, each.reason) for each in observed.outcome.replaced)
    return ReconciliationStatus(_wall_time(observed.at_ms), observed.outcome.kept, replaced)


def _wall_time(ms: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC)
