"""The contents of mz_internal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.builtin.dataflow_rows import DATAFLOW_ROWS
from catalog.builtin.freshness_rows import FRESHNESS_ROWS
from catalog.builtin.history_rows import HISTORY_ROWS
from catalog.builtin.notice_rows import NOTICE_ROWS
from catalog.builtin.object_rows import OBJECT_ROWS
from catalog.builtin.privilege_rows import PRIVILEGE_ROWS
from catalog.builtin.sink_rows import SINK_STATUS_ROWS
from catalog.builtin.source_rows import SOURCE_ROWS
from catalog.builtin.statement_rows import STATEMENT_ROWS
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from model.ids.global_id import GlobalId
from model.text.addresses.networks import format_inet
from model.types.datum import Row


def _frontiers(snapshot: SystemSnapshot) -> Iterable[Row]:
    for id, frontiers in sorted(snapshot.frontiers.items()):
        yield str(id), frontiers.since.time, frontiers.upper.time


def _sessions(snapshot: SystemSnapshot) -> Iterable[Row]:
    for session in snapshot.sessions:
        role = snapshot.state.role_named(session.user)
        yield (
            session.pid,
            None if role is None else str(role.oid),
            session.database,
            session.application_name,
            None if session.client_address is None else format_inet(session.client_address),
            session.connected_at,
            session.state,
            session.query,
        )


def _replicas(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        yield replica.id, replica.name, replica.cluster, replica.pid, replica.address


def _replica_statuses(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        yield replica.id, replica.status, replica.reason, replica.updated_at


def _status_history(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        for each in replica.phases:
            yield replica.id, 0, each.status, each.reason, each.at


def _stuck_calls(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        for call in replica.stuck:
            yield replica.id, call.subject, call.since, call.processor_ms


def _standbys(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in snapshot.outside.standbys:
        known = each.hydrated, each.caught_up, each.dataflows, each.hydrated_dataflows
        yield each.name, each.address, each.pid, each.ready, each.message, *known


def _reconciliations(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        for each in replica.reconciliations:
            reasons = "; ".join(_replaced(snapshot, ids, why) for ids, why in each.replaced)
            yield replica.id, each.at, each.kept, len(each.replaced), reasons or None


def _replica_frontiers(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        for id_, upper in replica.uppers:
            yield str(id_), replica.id, upper


def _state_origins(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        for each in replica.dataflows:
            if each.origin is not None:
                yield replica.id, str(each.object), each.origin, each.copied_from


def _replaced(snapshot: SystemSnapshot, ids: Iterable[GlobalId], why: str) -> str:
    """Returns the ids of objects, with their names while they have them, and why their dataflow did not go on.

    An object that is defined anew has another collection.
    """
    items = {id_: snapshot.state.items.get(id_) for id_ in ids}
    named = ", ".join(str(id_) if item is None else f"{item.name} ({id_})" for id_, item in items.items())
    return f"{named}: {why or ('defined anew' if any(items.values()) else 'dropped')}"


def _backups(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in snapshot.backups:
        place = each.place, each.started_at, each.ended_at, each.status, each.name, each.timestamp
        yield *place, *each.parts, *each.bytes, each.error


MZ_INTERNAL_ROWS: Mapping[str, Rows] = {
    **DATAFLOW_ROWS,
    **FRESHNESS_ROWS,
    **HISTORY_ROWS,
    **NOTICE_ROWS,
    **OBJECT_ROWS,
    **PRIVILEGE_ROWS,
    **SINK_STATUS_ROWS,
    **SOURCE_ROWS,
    **STATEMENT_ROWS,
    "mz_backups": _backups,
    "mz_cluster_replica_frontiers": _replica_frontiers,
    "mz_cluster_replica_status_history": _status_history,
    "mz_cluster_replica_statuses": _replica_statuses,
    "mz_cluster_replicas": _replicas,
    "mz_frontiers": _frontiers,
    "mz_reconciliations": _reconciliations,
    "mz_sessions": _sessions,
    "mz_standbys": _standbys,
    "mz_state_origins": _state_origins,
    "mz_stuck_calls": _stuck_calls,
}
