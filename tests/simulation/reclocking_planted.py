"""Nine bugs of sources, planted on purpose: each breaks one rule of reclocking, and some seed must show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.compute as pc

from compute.replica.ingestions import reclocked_shards
from compute.replica.ingestions.ingestion import IngestionRunner
from compute.replica.ingestions.ranges.ahead import RangesAhead
from compute.replica.ingestions.ranges.range_task import RangeTask, StagedRanges
from compute.replica.ingestions.reclocked_shards import ReclockedShards, Rows
from connectors.gauge import Gauge, Partition, UpstreamFrontier
from connectors.sources.remap import new_binding
from connectors.upstream import FetchedRange
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from server.writes.committing import ReadsCommit
from storage.persist.shard import PreparedWrite
from storage.persist.state import ShardState
from tests.compute.direct_ranges import DirectRanges
from tests.compute.ingestions.log import LogReader


@contextmanager
def data_before_its_binding() -> Iterator[None]:
    """Rows are written first, and what binds them in a step of its own."""
    whole = ReclockedShards._commit

    async def in_two_steps(shards: ReclockedShards, writes: list[PreparedWrite]) -> list[ShardState]:
        binding, *data = writes
        return [*await whole(shards, data), *await whole(shards, [binding])]

    with patch.object(ReclockedShards, "_commit", in_two_steps):
        yield


@contextmanager
def resumed_from_committed_offsets() -> Iterator[None]:
    """Upstream is told how far it was read, and says where to go on."""
    committed: dict[Partition, int] = {}
    take, begin = LogReader.take, LogReader.begin

    def telling(self: LogReader, records_max: int, bytes_max: int) -> FetchedRange | None:
        fetched = take(self, records_max, bytes_max)
        committed.update({} if fetched is None else fetched.frontier)
        return fetched

    def told(self: LogReader, frontier: UpstreamFrontier) -> None:
        begin(self, {**frontier, **committed})

    with patch.object(LogReader, "take", telling), patch.object(LogReader, "begin", told):
        yield


@contextmanager
def offsets_that_are_included() -> Iterator[None]:
    """The bound is the last offset that was read."""

    def one_too_few(before: UpstreamFrontier, after: UpstreamFrontier, gauge: Gauge) -> pa.Table:
        included = {partition: max(bound - 1, before.get(partition, 0)) for partition, bound in after.items()}
        return new_binding(before, included, gauge)

    with patch.object(reclocked_shards, "new_binding", one_too_few):
        yield


@contextmanager
def bindings_reused_after_a_crash() -> Iterator[None]:
    """What is to be bound is noted before it is read, and taken up again with what is read then."""
    noted: dict[Partition, int] = {}
    bind = ReclockedShards.bind

    async def reused(
        self: ReclockedShards, time: Timestamp, frontier: Mapping[Partition, int], rows: Rows
    ) -> list[ShardState]:
        for partition, bound in frontier.items():
            noted.setdefault(partition, bound)
        states = await bind(self, time, {partition: noted[partition] for partition in frontier}, rows)
        noted.clear()
        return states

    with patch.object(ReclockedShards, "bind", reused):
        yield


@contextmanager
def transactions_split() -> Iterator[None]:
    """Each partition is bound by itself."""
    bind = ReclockedShards.bind

    async def one_by_one(
        self: ReclockedShards, time: Timestamp, frontier: Mapping[Partition, int], rows: Rows
    ) -> list[ShardState]:
        states = [] if frontier else await bind(self, time, {}, {})
        for number, (partition, bound) in enumerate(frontier.items()):
            of_it = {id_: [_of_partition(each, partition) for each in tables] for id_, tables in rows.items()}
            states += await bind(self, Timestamp(time + number), {partition: bound}, of_it)
        return states

    with patch.object(ReclockedShards, "bind", one_by_one):
        yield


def _of_partition(rows: pa.Table, partition: Partition) -> pa.Table:
    return rows.filter(pc.equal(rows.column("c1"), partition))


@contextmanager
def judged_by_a_stale_source() -> Iterator[None]:
    """A commit looks at what it knows of the source, and writes nothing that the source's next binding would meet."""

    async def careless(self: ReadsCommit, timestamp: Timestamp) -> list[PreparedWrite]:
        return []

    with patch.object(ReadsCommit, "sources_stay", careless):
        yield


@contextmanager
def ranges_bound_as_far_as_they_were_to_go() -> Iterator[None]:
    """Where a task has ended before its range did, what is missing is taken for read."""
    stage = DirectRanges.stage

    async def whole(tasks: DirectRanges, task: RangeTask) -> StagedRanges:
        staged = await stage(tasks, task)
        ends: UpstreamFrontier = {span.partition: span.end for span in task.spans}
        last = [replace(each, moved=ends) for each in staged.portions[-1:]]
        return replace(staged, portions=(*staged.portions[:-1], *last))

    with patch.object(DirectRanges, "stage", whole):
        yield


@contextmanager
def ranges_that_begin_one_early() -> Iterator[None]:
    """The last record of what is bound is read once more."""
    start = RangesAhead._start

    def early(ahead: RangesAhead, task: RangeTask) -> None:
        spans = tuple(replace(span, begin=max(span.begin - 1, 0)) for span in task.spans)
        start(ahead, replace(task, spans=spans))

    with patch.object(RangesAhead, "_start", early):
        yield


@contextmanager
def collections_let_go_one_by_one() -> Iterator[None]:
    """What is dropped of an ingestion that makes way for another is no longer bound, though the rest is still."""

    def let_go(runner: IngestionRunner, id_: GlobalId, since: Antichain) -> None:
        assert isinstance(runner._shards, ReclockedShards)
        if since.empty:
            runner._shards._data.pop(id_, None)

    with patch.object(IngestionRunner, "compact", let_go):
        yield


@dataclass(frozen=True, slots=True)
class PlantedInSources:
    """`first`: the seed to begin with, one that shows it sooner than others."""

    plant: Callable[[], AbstractContextManager[Any]]
    first: int = 0
    by_ranges: bool = False
    with_tables: bool = False


BUGS = {
    "data before its binding": PlantedInSources(data_before_its_binding, first=7),
    "resumed from committed offsets": PlantedInSources(resumed_from_committed_offsets, first=8),
    "offsets that are included": PlantedInSources(offsets_that_are_included, first=10),
    "bindings reused after a crash": PlantedInSources(bindings_reused_after_a_crash, first=67),
    "transactions split": PlantedInSources(transactions_split, first=2),
    "judged by a stale source": PlantedInSources(judged_by_a_stale_source, first=4),
    "ranges bound as far as they were to go": PlantedInSources(
        ranges_bound_as_far_as_they_were_to_go, first=14, by_ranges=True
    ),
    "ranges that begin one early": PlantedInSources(ranges_that_begin_one_early, by_ranges=True),
    "collections let go one by one": PlantedInSources(collections_let_go_one_by_one, first=12, with_tables=True),
}
