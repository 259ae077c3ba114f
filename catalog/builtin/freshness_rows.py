"""The freshness of indexes and materialized views: hydration, states of dataflows, lags.

local lag     behind the least advanced object that the view reads directly
global lag    behind the least advanced table or source beneath the view
wallclock     behind the timeline's present
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.builtin.task_details import shown_error
from catalog.declared.dataflow_status import MaintainedStatus
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from catalog.nouns.items import Index, cluster_of
from model.ids.global_id import GlobalId
from model.types.datum import Interval, Row

_MICROSECONDS_PER_MS = 1_000


def _hydration(snapshot: SystemSnapshot) -> Iterable[Row]:
    first = {each.cluster_id: each.id for each in reversed(snapshot.replicas)}
    for status in snapshot.maintained:
        replica = first.get(str(cluster_of(snapshot.state.items[status.id].definition)))
        yield str(status.id), replica, status.hydrated, status.rows, status.rows_total, _percent(status)


def _percent(status: MaintainedStatus) -> float:
    if status.rows_total == 0:
        return 100.0 if status.hydrated else 0.0
    return round(100 * status.rows / status.rows_total, 1)


def _dataflows(snapshot: SystemSnapshot) -> Iterable[Row]:
    for status in snapshot.maintained:
        reason = shown_error(snapshot, status.reason, of=_rows_of(snapshot, status.id))
        yield str(status.id), status.status, reason, status.retries


def _in_replicas(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        for each in replica.dataflows:
            reason = shown_error(snapshot, each.reason, of=_rows_of(snapshot, each.object))
            size = None if each.memory_bytes is None or each.file_bytes is None else each.memory_bytes + each.file_bytes
            told = each.status, reason, each.rows, each.rows_total, each.ticks
            held = each.records, size, each.memory_bytes, each.file_bytes
            yield str(each.object), replica.id, *told, *held


def _rows_of(snapshot: SystemSnapshot, id_: GlobalId) -> GlobalId:
    """Returns the relation whose rows an index or a materialized view holds."""
    item = snapshot.state.items.get(id_)
    return item.definition.on.id if item is not None and isinstance(item.definition, Index) else id_


def _materialization_lag(snapshot: SystemSnapshot) -> Iterable[Row]:
    for status in snapshot.maintained:
        near = _slowest(snapshot, status.inputs)
        far = _slowest(snapshot, snapshot.state.tables_under(status.inputs))
        yield str(status.id), _behind(snapshot, status.id, near), _behind(snapshot, status.id, far), _id(near), _id(far)


def _wallclock_lag(snapshot: SystemSnapshot) -> Iterable[Row]:
    for id_ in sorted(snapshot.frontiers):
        if id_ in snapshot.state.items:
            upper = snapshot.frontiers[id_].upper.time
            yield str(id_), None if upper is None else lag_interval(snapshot.timestamp - (upper - 1))


def _slowest(snapshot: SystemSnapshot, ids: Iterable[GlobalId]) -> GlobalId | None:
    """Returns the id with the lowest upper; None when none of `ids` can still change."""
    uppers = {id_: snapshot.frontiers[id_].upper.time for id_ in sorted(ids) if id_ in snapshot.frontiers}
    open_ = {id_: upper for id_, upper in uppers.items() if upper is not None}
    return min(open_, key=lambda id_: open_[id_]) if open_ else None


def _behind(snapshot: SystemSnapshot, id_: GlobalId, input_: GlobalId | None) -> Interval | None:
    if input_ is None or id_ not in snapshot.frontiers:
        return None
    own, other = snapshot.frontiers[id_].upper.time, snapshot.frontiers[input_].upper.time
    return None if own is None or other is None else lag_interval(other - own)


def lag_interval(milliseconds: int) -> Interval:
    """Returns a lag as an interval, of which none is negative."""
    return Interval(0, 0, max(0, milliseconds) * _MICROSECONDS_PER_MS)


def _id(id_: GlobalId | None) -> str | None:
    return None if id_ is None else str(id_)


def _moves(snapshot: SystemSnapshot) -> Iterable[Row]:
    for each in snapshot.moves:
        clusters = str(each.old_cluster), str(each.new_cluster)
        yield str(each.id), *clusters, each.began_at, each.status, each.reason, each.rows, each.rows_total


FRESHNESS_ROWS: Mapping[str, Rows] = {
    "mz_dataflow_statuses": _dataflows,
    "mz_cluster_replica_dataflows": _in_replicas,
    "mz_hydration_statuses": _hydration,
    "mz_materialization_lag": _materialization_lag,
    "mz_moves": _moves,
    "mz_wallclock_global_lag": _wallclock_lag,
}
