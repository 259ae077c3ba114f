"""The past hour in mz_internal: lags, statistics of sources and sinks, what replicas used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.builtin.freshness_rows import lag_interval
from catalog.builtin.sink_rows import sink_figures
from catalog.builtin.source_rows import source_figures
from catalog.declared.relation import Rows
from catalog.declared.snapshot import ReplicaFigures, SystemSnapshot
from model.types.datum import Row

_ONLY_PROCESS = 0
"""The number of a replica's process among those of the replica."""


def _lags(snapshot: SystemSnapshot) -> Iterable[Row]:
    for sample in snapshot.samples:
        for id_, lag_ms in sample.lags_ms:
            yield id_, None if lag_ms is None else lag_interval(lag_ms), sample.at


def _source_statistics(snapshot: SystemSnapshot) -> Iterable[Row]:
    for sample in snapshot.samples:
        for id_, figures in sample.sources:
            yield sample.at, id_, *source_figures(figures)


def _sink_statistics(snapshot: SystemSnapshot) -> Iterable[Row]:
    for sample in snapshot.samples:
        for id_, figures in sample.sinks:
            yield sample.at, id_, *sink_figures(figures)


def _metrics(snapshot: SystemSnapshot) -> Iterable[Row]:
    for sample in snapshot.samples[-1:]:
        for figures in sample.replicas:
            yield _used(figures)


def _metrics_history(snapshot: SystemSnapshot) -> Iterable[Row]:
    for sample in snapshot.samples:
        for figures in sample.replicas:
            yield *_used(figures), sample.at


def _used(figures: ReplicaFigures) -> Row:
    return figures.replica, _ONLY_PROCESS, figures.cpu_nano_cores, figures.memory_bytes


HISTORY_ROWS: Mapping[str, Rows] = {
    "mz_cluster_replica_metrics": _metrics,
    "mz_cluster_replica_metrics_history": _metrics_history,
    "mz_sink_statistics_history": _sink_statistics,
    "mz_source_statistics_history": _source_statistics,
    "mz_wallclock_global_lag_history": _lags,
    "mz_wallclock_global_lag_recent_history": _lags,
}
"""Of mz_internal."""
