"""The resources of indexes and materialized views: arrangements, durations of ticks, what each reads and writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.declared.dataflow_status import MaintainedStatus
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SystemSnapshot
from model.types.datum import Row

_NS_PER_MS = 1_000_000


def _arrangement_sizes(snapshot: SystemSnapshot) -> Iterable[Row]:
    for status in snapshot.maintained:
        for each in status.arrangements:
            yield (
                str(status.id),
                each.name,
                each.operator,
                each.key,
                each.records,
                each.batches,
                each.memory_bytes + each.file_bytes,
                each.memory_bytes,
                each.file_bytes,
                _dataflow(status),
            )


def _dataflow(status: MaintainedStatus) -> str:
    """Returns the id of the object's dataflow: the least id of the objects that share it."""
    return str(min(status.sharing, default=status.id))


def _shared(snapshot: SystemSnapshot) -> Iterable[Row]:
    for status in snapshot.maintained:
        if len(status.sharing) > 1:
            yield str(status.id), _dataflow(status)


def _ticks(snapshot: SystemSnapshot) -> Iterable[Row]:
    for status in snapshot.maintained:
        if status.ticks is not None:
            yield (
                str(status.id),
                status.ticks.count,
                status.ticks.last_at,
                _rounded(status.ticks.last_ms),
                status.ticks.window,
                _rounded(status.ticks.median_ms),
                _rounded(status.ticks.p99_ms),
                _rounded(status.ticks.max_ms),
                status.ticks.last_rows_read,
                status.ticks.last_rows_written,
                status.ticks.rows_read,
                status.ticks.rows_written,
                status.ticks.wide,
                status.ticks.tasks,
                status.ticks.narrow or None,
            )


def _elapsed(snapshot: SystemSnapshot) -> Iterable[Row]:
    for status in snapshot.maintained:
        if status.ticks is not None:
            yield str(status.id), round(status.ticks.elapsed_ms * _NS_PER_MS)


def _error_counts(snapshot: SystemSnapshot) -> Iterable[Row]:
    for status in snapshot.maintained:
        if status.errors is not None:
            yield str(status.id), status.errors


def _checkpoints(snapshot: SystemSnapshot) -> Iterable[Row]:
    for status in snapshot.maintained:
        made = status.checkpoints
        if made is not None:
            yield (str(status.id), made.count, made.last_at, _rounded(made.last_ms), made.bytes, made.written_bytes)


def _repairs(snapshot: SystemSnapshot) -> Iterable[Row]:
    for status in snapshot.maintained:
        made = status.repairs
        if made is not None:
            yield str(status.id), made.refused_writes, made.corrected_rows, made.last_at


def _rounded(milliseconds: float) -> float:
    return round(milliseconds, 3)


DATAFLOW_ROWS: Mapping[str, Rows] = {
    "mz_arrangement_sizes": _arrangement_sizes,
    "mz_compute_error_counts": _error_counts,
    "mz_dataflow_checkpoints": _checkpoints,
    "mz_dataflow_ticks": _ticks,
    "mz_scheduling_elapsed": _elapsed,
    "mz_shared_dataflows": _shared,
    "mz_view_repairs": _repairs,
}
