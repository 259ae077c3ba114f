"""The measurements by name, in the order in which they are run; each has a server of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import basics, deltas, maintenance
from benchmarks.ad_hoc import measure_ad_hoc
from benchmarks.bank import measure_bank
from benchmarks.by_tasks.wide_ticks import measure_cold_lookups, measure_small_ticks, measure_wide_ticks
from benchmarks.clusters.backups import measure_backups
from benchmarks.clusters.changing_over import measure_changeovers
from benchmarks.clusters.replicas import measure_join, measure_watched
from benchmarks.copy_files import measure_copy_files
from benchmarks.encoding import measure_encoding
from benchmarks.freshness import measure_freshness
from benchmarks.grouping import measure_grouping
from benchmarks.keyed_writes import measure_keyed_writes
from benchmarks.many_views import measure_beside_a_failing_one, measure_idle
from benchmarks.neighbours import measure_neighbours
from benchmarks.nexmark.measure import measure_nexmark
from benchmarks.over_http import measure_over_http
from benchmarks.peers.contest import measure_peers
from benchmarks.planning import measure_planning
from benchmarks.point_reads import measure_point_reads
from benchmarks.report import Measure
from benchmarks.restart import measure_restart
from benchmarks.server import Headwater, family_of, headwater, resident_mib
from benchmarks.sink_stores import measure_sink_stores
from benchmarks.sinks import measure_sinks
from benchmarks.sizes import Sizes
from benchmarks.sources.files import measure_file_sources
from benchmarks.sources.kafka import KINDS, measure_kafka_sources
from benchmarks.sources.kinesis import measure_kinesis_sources
from benchmarks.sources.postgres import measure_postgres_sources
from benchmarks.statement_log import measure_statement_log
from benchmarks.transfers import measure_transfers
from benchmarks.webhooks import measure_webhooks
from benchmarks.workloads import Workload, changes

_LOG_ROUNDS, _LOGGED = 15, 2_000
Section = Callable[[Sizes], Iterable[Measure]]


def _workload(workload: Workload, sizes: Sizes) -> Iterator[Measure]:
    made = changes(sizes.changes)
    ours: dict[str, float] = {}
    with _server() as server:
        for measure in measure_grouping(server.url, workload, made):
            yield measure
            for mode in ("once", "each"):
                if measure.name == f"{workload}, fresh {mode}: Headwater" and measure.value is not None:
                    ours[mode] = measure.value
        yield from _memory(server, f"{workload}")
    yield from measure_peers(workload, made, ours, sizes.peers)


def _transfers(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_transfers(server.url, sizes.reads, sizes.reading_s)


def _deltas(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from deltas.measure_deltas(server.url, sizes.bases, sizes.delta_views)
        yield from _memory(server, f"deltas on {sizes.bases[-1]:,} rows")


def _freshness(sizes: Sizes) -> Iterator[Measure]:
    for views in sizes.views:
        with _server() as server:
            yield from measure_freshness(server.url, views, sizes.rates, sizes.seconds)
            yield from _memory(server, f"{views} views")


def _many_views(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_beside_a_failing_one(server.url, sizes.views[-1], sizes.seconds)
    with _server() as server:
        yield from measure_idle(server, sizes.idle_views)


def _point_reads(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_point_reads(server.url, sizes.looked_up, sizes.seconds)


def _neighbours(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_neighbours(server.url, sizes.looked_up)


def _ad_hoc(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_ad_hoc(server.url)


def _keyed_writes(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_keyed_writes(server.url, sizes.changed_by_key)
    with _server() as server:
        yield from measure_bank(server.url, sizes.branches, sizes.seconds)


def _kafka_sources(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_kafka_sources(
            server, sizes.records, sizes.record_kinds or KINDS, sizes.record_rates, sizes.seconds
        )


def _file_sources(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_file_sources(server, sizes.streamed * 10)


def _copy_files(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_copy_files(server, sizes.written)


def _kinesis_sources(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_kinesis_sources(server, sizes.streamed)


def _postgres_sources(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_postgres_sources(server, sizes.written, sizes.seconds)


def _webhooks(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_webhooks(server.url, sizes.seconds)


def _over_http(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_over_http(server.url, server.process.process.pid, sizes.seconds)


def _sinks(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_sinks(server.url, sizes.written, sizes.seconds)
        yield from _memory(server, f"sinks of {sizes.written:,} rows")


def _sink_stores(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_sink_stores(server.url, sizes.written)


def _restart(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_restart(server, sizes.arranged)


def _replicas(sizes: Sizes) -> Iterator[Measure]:
    for replicas in (1, 2, 3):
        with _server("--replicas", str(replicas)) as server:
            yield from measure_watched(server, replicas, sizes.views[-1], sizes.seconds)


def _join(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_join(server, sizes.arranged)


def _backups(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_backups(server, sizes.backed)


def _nexmark(sizes: Sizes) -> Iterator[Measure]:
    with _server() as server:
        yield from measure_nexmark(server.url, sizes.events, sizes.event_slices)


SECTIONS: dict[str, Section] = {
    "planning": lambda _: measure_planning(),
    "encoding": lambda sizes: measure_encoding(sizes.encoded),
    "w1": lambda sizes: _workload(Workload.W1, sizes),
    "w2": lambda sizes: _workload(Workload.W2, sizes),
    "w3": _transfers,
    "deltas": _deltas,
    "freshness": _freshness,
    "many_views": _many_views,
    "point_reads": _point_reads,
    "neighbours": _neighbours,
    "ad_hoc": _ad_hoc,
    "keyed_writes": _keyed_writes,
    "kafka_sources": _kafka_sources,
    "kinesis_sources": _kinesis_sources,
    "file_sources": _file_sources,
    "copy_files": _copy_files,
    "postgres_sources": _postgres_sources,
    "webhooks": _webhooks,
    "over_http": _over_http,
    "sinks": _sinks,
    "sink_stores": _sink_stores,
    "restart": _restart,
    "replicas": _replicas,
    "join": _join,
    "changeovers": lambda sizes: measure_changeovers(sizes.arranged),
    "backups": _backups,
    "nexmark": _nexmark,
    "statement_log": lambda sizes: measure_statement_log(_LOG_ROUNDS, _LOGGED),
    "wide_ticks": lambda sizes: measure_wide_ticks(sizes.hydrated, sizes.ticked, sizes.changes),
    "small_ticks": lambda sizes: measure_small_ticks(sizes.ticked),
    "cold_lookups": lambda sizes: measure_cold_lookups(sizes.ticked),
    "maintenance": lambda sizes: maintenance.measure_maintenance(sizes.bases, sizes.changes),
    "basics": lambda sizes: basics.measure_basics(sizes.aggregates, sizes.seconds),
}


@contextmanager
def _server(*options: str) -> Iterator[Headwater]:
    with tempfile.TemporaryDirectory() as directory, headwater(Path(directory) / "data", *options) as server:
        yield server


def _memory(server: Headwater, when: str) -> Iterator[Measure]:
    for name, pid in family_of(server).items():
        yield Measure(f"memory of the {name}, after {when}", resident_mib(pid), "MiB")
