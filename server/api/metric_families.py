"""Metrics of an environment at one moment: sessions, commits, objects, dataflows, sources, sinks, processes.

Names are those of Materialize's public metrics where the thing is the same, else `headwater_…`. Of each family at most
so many objects are told, the oldest; how many are left out is a metric, too.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import psutil
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from catalog.builtin.sink_rows import sink_envelope, sink_type
from catalog.declared.dataflow_status import MaintainedStatus
from catalog.declared.snapshot import CollectionFrontiers, SinkStatus, SourceStatus
from catalog.nouns.items import WrittenDefinition, cluster_of
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.nouns.sources import Source, SourceTable
from catalog.nouns.webhooks import WebhookSource
from catalog.state.catalog_state import CatalogState
from model.external.records import RecordEncoding
from model.ids.global_id import GlobalId
from server.environment.environment import Environment
from server.environment.processes import family_of, used_by
from server.ledgers.replica_rows import replica_rows
from server.objects.maintained.statuses import maintained_statuses

OBJECTS_MAX = 1_000
_SESSION_TYPE = "user"
_RUNNING = "running"
Labels = Sequence[str]


@dataclass(slots=True)
class _Family:
    """A metric with a sample for each of its labels' values."""

    made: GaugeMetricFamily | CounterMetricFamily
    left_out: int = 0

    def add(self, labels: Labels, value: float | None) -> None:
        """Adds a sample; none where there is no value."""
        if value is None:
            return
        if len(self.made.samples) >= OBJECTS_MAX:
            self.left_out += 1
            return
        self.made.add_metric(labels, value)


@dataclass(slots=True)
class _Families:
    """The families of one scrape, in the order in which they were asked for."""

    found: dict[str, _Family] = field(default_factory=dict)

    def gauge(self, name: str, help_: str, *labels: str) -> _Family:
        return self._family(name, GaugeMetricFamily(name, help_, labels=labels))

    def counter(self, name: str, help_: str, *labels: str) -> _Family:
        return self._family(name, CounterMetricFamily(name, help_, labels=labels))

    def _family(self, name: str, made: GaugeMetricFamily | CounterMetricFamily) -> _Family:
        self.found[name] = family = _Family(made)
        return family

    def __iter__(self) -> Iterator[Metric]:
        for family in self.found.values():
            yield family.made

    def left_out(self) -> Metric:
        """Returns how many series each family has lost to its bound."""
        help_ = f"Series beyond the {OBJECTS_MAX} of a family."
        made = GaugeMetricFamily("headwater_series_left_out", help_, labels=("family",))
        for name, family in self.found.items():
            if family.left_out:
                made.add_metric((name,), family.left_out)
        return made


@dataclass(frozen=True, slots=True, eq=False)
class ScrapedFamilies:
    """The metrics of one scrape, as a collector of prometheus_client."""

    families: tuple[Metric, ...]

    def collect(self) -> Iterable[Metric]:
        return self.families


def gather(environment: Environment) -> ScrapedFamilies:
    """Returns an environment's metrics, of which the event loop's thread alone may read the state."""
    families = _Families()
    _sessions(families, environment)
    _commits(families, environment)
    _objects(families, environment)
    _replicas(families, environment)
    state, frontiers, present = environment.catalog.state, environment.frontiers(), environment.oracle.peek_write_ts
    _dataflows(families, environment, frontiers, present)
    _steps(families, environment)
    _flow_infos(families, state)
    _sources(families, environment.ingestions.statuses(state))
    _sinks(families, environment.deliveries.statuses(state))
    _completion(families, state, frontiers, present)
    return ScrapedFamilies((*families, families.left_out()))


def _sessions(families: _Families, environment: Environment) -> None:
    sessions = families.gauge("mz_active_sessions", "Sessions of clients.", "session_type")
    sessions.add((_SESSION_TYPE,), len(environment.clients.sessions))
    subscribes = families.gauge("mz_active_subscribes", "SUBSCRIBE statements under way.", "session_type")
    subscribes.add((_SESSION_TYPE,), sum(each.active for each in environment.clients.subscriptions))


def _commits(families: _Families, environment: Environment) -> None:
    counts = environment.committer.counts
    families.counter("headwater_commits", "Group commits that wrote something.").add((), counts.commits)
    together = "Transactions in these group commits: divided by the commits, the size of a group."
    families.counter("headwater_committed_transactions", together).add((), counts.transactions)
    lasted = "Seconds that these group commits waited for consensus."
    families.counter("headwater_commit_seconds", lasted).add((), counts.elapsed_ms / 1000)


def _objects(families: _Families, environment: Environment) -> None:
    state = environment.catalog.state
    labels = ("object_id", "global_id", "name", "schema_name", "database_name", "type")
    info = families.gauge("mz_object_info", "1 for each object of users.", *labels)
    for item in sorted(state.items.values(), key=lambda item: item.id):
        name, kind = state.full_name(item), item.kind.value.replace(" ", "-")
        info.add((str(item.id), str(item.id), name.name, name.schema, name.database, kind), 1)
    cluster = families.gauge("mz_cluster_info", "1 for each cluster.", "cluster_id", "name")
    for each in state.clusters.values():
        cluster.add((each.id, each.name), 1)


def _replicas(families: _Families, environment: Environment) -> None:
    state, statuses = environment.catalog.state, environment.compute.statuses()
    replicas = replica_rows(state, statuses)
    told = families.gauge("mz_replica_info", "1 for each replica.", "replica_id", "instance_id", "name")
    for replica in replicas:
        told.add((replica.id, replica.cluster_id, replica.name), 1)
    ready = families.gauge("headwater_replica_ready", "Whether a replica answers.", "replica_id", "instance_id")
    for replica in replicas:
        ready.add((replica.id, replica.cluster_id), float(replica.status == "ready"))
    place = ("instance_id", "replica_id")
    commands = families.counter("mz_compute_commands", "Commands sent to a replica, by kind.", *place, "command_type")
    history = families.gauge(
        "mz_compute_replica_history_dataflow_count", "Dataflows of which a replica is told that begins anew.", *place
    )
    ids = {(replica.cluster_id, replica.name): replica.id for replica in replicas}
    for each in statuses:
        cluster_id = str(each.cluster)
        if (cluster_id, each.name) in ids:
            labels = (cluster_id, ids[cluster_id, each.name])
            history.add(labels, each.dataflows)
            for kind, count in each.commands:
                commands.add((*labels, kind), count)


def _dataflows(
    families: _Families, environment: Environment, frontiers: Mapping[GlobalId, CollectionFrontiers], present: int
) -> None:
    leading = {each.cluster_id: each for each in replica_rows(environment.catalog.state, environment.compute.leading())}
    state = environment.catalog.state
    place = ("instance_id", "replica_id", "collection_id")
    lag = families.gauge(
        "mz_dataflow_wallclock_lag_seconds",
        "How far an index or a materialized view is behind the present; absent while it is not hydrated.",
        *place,
        "quantile",
    )
    hydrated = families.gauge("headwater_dataflow_hydrated", "Whether it can be read.", *place)
    failing = families.gauge("headwater_dataflow_failing", "Whether its dataflow has stopped with an error.", *place)
    ticks = families.counter("headwater_dataflow_ticks", "Rounds of changes.", *place)
    spent = families.counter("headwater_dataflow_tick_seconds", "Seconds that these rounds took.", *place)
    statuses = maintained_statuses(environment.dataflows, environment.catalog.state)
    for status in statuses:
        cluster = _cluster_id(state, status)
        if cluster not in leading:
            continue
        labels = (cluster, leading[cluster].id, str(status.id))
        hydrated.add(labels, float(status.hydrated))
        failing.add(labels, float(status.status == "failing"))
        if status.ticks is not None:
            ticks.add(labels, status.ticks.count)
            spent.add(labels, status.ticks.elapsed_ms / 1000)
        behind = _behind(status, None if status.id not in frontiers else frontiers[status.id].upper.time, present)
        for quantile in ("0", "1"):
            lag.add((*labels, quantile), behind)
    waiting = families.gauge(
        "mz_compute_controller_hydration_queue_size",
        "Indexes and materialized views that are not hydrated.",
        "instance_id",
        "replica_id",
    )
    for cluster, replica in leading.items():
        own = [status for status in statuses if _cluster_id(state, status) == cluster]
        waiting.add((cluster, replica.id), sum(not status.hydrated for status in own))


def _cluster_id(state: CatalogState, status: MaintainedStatus) -> str:
    return str(cluster_of(state.items[status.id].definition))


def _steps(families: _Families, environment: Environment) -> None:
    """Adds what the last ticks have taken, by how their steps are maintained; a dataflow of several objects once."""
    help_ = "Seconds of the last ticks of all dataflows, by how their steps are maintained (linear, by group …)."
    took = families.gauge("headwater_recent_step_seconds", help_, "maintenance")
    sums: dict[str, float] = {}
    for collection in environment.dataflows:
        measures = environment.dataflows.measures(collection)
        if (
            measures is not None
            and measures.ticks is not None
            and collection == min(measures.exports, default=collection)
        ):
            kept_how = environment.dataflows.words(collection).kept_how
            for how, step in zip(kept_how, measures.ticks.steps, strict=False):
                sums[how] = sums.get(how, 0.0) + step.elapsed_ms
    for how, ms in sorted(sums.items()):
        took.add((how,), ms / 1000)


def _behind(status: MaintainedStatus, upper: int | None, present: int) -> float | None:
    return max(present - upper, 0) / 1000 if status.hydrated and upper is not None else None


def _flow_infos(families: _Families, state: CatalogState) -> None:
    labels = ("type", "envelope_type", "cluster_id")
    sources = families.gauge("mz_source_info", "1 for each source and each table of a source.", "source_id", *labels)
    sinks = families.gauge("mz_sink_info", "1 for each sink.", "sink_id", *labels)
    for id_, item in sorted(state.items.items()):
        match item.definition:
            case Source(encoding=encoding) | SourceTable(encoding=encoding) as source:
                envelope = encoding.envelope.value if isinstance(encoding, RecordEncoding) else ""
                kind = source.kind if isinstance(source, Source) else "subsource"
                sources.add((str(id_), kind, envelope, str(state.cluster_of_source(source))), 1)
            case WebhookSource():
                sources.add((str(id_), "webhook", "", ""), 1)
            case Sink() as sink:
                sinks.add((str(id_), sink_type(sink), sink_envelope(sink), str(sink.cluster)), 1)
            case _:
                pass


def _completion(
    families: _Families, state: CatalogState, frontiers: Mapping[GlobalId, CollectionFrontiers], present: int
) -> None:
    """Adds how long ago came what the last of the sinks beneath a table or a source has taken."""
    lag = families.gauge(
        "headwater_completion_lag_seconds",
        "Age of the newest records of a table or a source that are in every sink that they reach.",
        "object_id",
    )
    ends: dict[GlobalId, int] = {}
    for id_, item in state.items.items():
        written = frontiers[id_].upper.time if id_ in frontiers else None
        if isinstance(item.definition, SinkProgress) and written is not None:
            for under in state.items_under(item.definition.sink_id):
                ends[under] = min(ends.get(under, written), written)
    for id_, end in sorted(ends.items()):
        if isinstance(state.items[id_].definition, WrittenDefinition | Source | SourceTable):
            lag.add((str(id_),), max(present - end, 0) / 1000)


def _sources(families: _Families, statuses: Sequence[SourceStatus]) -> None:
    label = "source_id"
    running = families.gauge("headwater_source_running", "Whether the source's records pass.", label)
    messages = families.counter("mz_source_messages_received", "Records since the replica opened the source.", label)
    size = families.counter("mz_source_bytes_received", "Bytes of these records.", label)
    errors = families.counter("headwater_source_errors", "Records that could not be decoded.", label)
    known = families.gauge("mz_source_offset_known", "How far the upstream is, over all partitions.", label)
    committed = families.gauge("mz_source_offset_committed", "How far the source has come.", label)
    for status in statuses:
        labels, figures = (str(status.id),), status.figures
        running.add(labels, float(status.condition.status == _RUNNING))
        if figures is not None:
            messages.add(labels, figures.messages)
            size.add(labels, figures.bytes)
            errors.add(labels, figures.errors)
            known.add(labels, figures.offset_known)
            committed.add(labels, figures.offset_committed)


def _sinks(families: _Families, statuses: Sequence[SinkStatus]) -> None:
    label = "sink_id"
    running = families.gauge("headwater_sink_running", "Whether the sink's changes reach its destination.", label)
    size = families.counter("mz_sink_bytes_committed", "Bytes that the destination has taken.", label)
    done = families.counter("headwater_sink_transactions", "Transactions that the destination has taken.", label)
    rows = families.counter("headwater_sink_rows", "Changes that the destination has taken.", label)
    lag = families.gauge("headwater_sink_lag_seconds", "How far the destination is behind the sink's input.", label)
    for status in statuses:
        labels, figures = (str(status.id),), status.figures
        running.add(labels, float(status.condition.status == _RUNNING))
        if figures is not None:
            size.add(labels, figures.bytes)
            done.add(labels, figures.transactions)
            rows.add(labels, figures.stored)
            lag.add(labels, figures.lag_ms / 1000)


def gather_processes(replicas: Collection[int]) -> ScrapedFamilies:
    """Returns the metrics of the server's process and its children, summed by the processes' work. `replicas`: pids of
    the replicas; a replica's children count as the replica's. Reads the system's tables, which blocks.
    """
    families = _Families()
    memory = families.gauge("headwater_process_resident_memory_bytes", "Resident memory, by part.", "part")
    spent = families.counter("headwater_process_cpu_seconds", "Processor time of the processes there, by part.", "part")
    count = families.gauge("headwater_processes", "Processes, by part.", "part")
    sums: dict[str, list[float]] = {}
    for part, process in _processes(replicas):
        used = used_by(process)
        if used is not None:
            sums[part] = [a + b for a, b in zip(sums.get(part, [0, 0, 0]), (*used, 1), strict=True)]
    for part, (bytes_, seconds, processes) in sums.items():
        memory.add((part,), bytes_)
        spent.add((part,), seconds)
        count.add((part,), processes)
    return ScrapedFamilies(tuple(families))


def _processes(replicas: Collection[int]) -> Iterator[tuple[str, psutil.Process]]:
    own, *children = family_of(os.getpid())
    yield "server", own
    of_replicas: set[int] = set()
    for replica in replicas:
        family = family_of(replica)
        of_replicas |= {each.pid for each in family}
        yield from (("replica", each) for each in family)
    yield from (("evaluation", each) for each in children if each.pid not in of_replicas)
