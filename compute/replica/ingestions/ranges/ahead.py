"""Ranges of upstream that tasks stage in parallel, while earlier ranges are bound.

    partition 0   bound ──▶│ task 1 │ task 3 │ …            each task's range begins at the end of the range before
    partition 1   bound ──▶│ task 2 │ …                     they are bound in the order of their beginnings
    files         │ task 1 │ task 2 │ …                     a few whole ones each

A task stages a few portions, each of the size of one binding. A portion is bound from its partition's bound on: a task
that got less far than planned is bound as far as it got, and ranges begun behind it are thrown away. Anything a task
can't handle (brokers that are away, missing records, schemas nobody has asked for) ends the ranges: the reader of the
whole source goes on, and reports the trouble.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import structlog

from compute.replica.ingestions.ranges.range_task import RangeTask, Span, StagedRange, StagedRanges
from connectors.gauge import Partition, UpstreamFrontier
from connectors.sources.description import BindingPolicy
from connectors.upstream import DivisibleReader
from model.time.backing_off import BackOff
from model.time.clock import Clock
from storage.persist.write import Stage

log = structlog.get_logger()

_AGAIN = BackOff(5.0, 300.0)
_WHOLE_MAX = 500
"""Partitions of a task, however small they are."""


@dataclass(frozen=True, slots=True)
class RangeBounds:
    """Limits for tasks.

    `begin_at`: records behind, from which tasks pay.
    `least`: records for which a single task pays.
    `bindings`: bindings' worth of records in one task.
    `at_once`: tasks under way.
    `begin_at_bytes`: bytes behind, from which tasks pay for partitions read as a whole.
    `bytes_most`: bytes for one task of whole partitions, or one larger partition.
    `again`: back-off after ranges have ended in trouble.
    """

    begin_at: int = 500_000
    least: int = 10_000
    bindings: int = 4
    at_once: int = 2
    begin_at_bytes: int = 128 << 20
    bytes_most: int = 32 << 20
    again: BackOff = _AGAIN


class RangeTasks(Protocol):
    """Carries out tasks."""

    @property
    def ready(self) -> bool: ...

    async def stage(self, task: RangeTask) -> StagedRanges:
        """Returns the staged ranges of a task; after an exception, nothing staged matters."""
        ...


Ranging = tuple[RangeTasks, RangeBounds]
"""Who reads what is far ahead, and when."""


class RangesAhead:
    """The ranges of one source. `woken` is called as a task ends."""

    def __init__(
        self,
        ranging: Ranging,
        policy: BindingPolicy,
        stage: Stage,
        clock: Clock,
        woken: Callable[[], None],
    ) -> None:
        self._tasks, self._bounds = ranging
        self._policy = policy
        self._stage = stage
        self._clock = clock
        self._woken = woken
        self._running: deque[tuple[RangeTask, asyncio.Task[StagedRanges]]] = deque()
        self._staged: deque[StagedRange] = deque()
        """What is to be bound of tasks that have ended."""
        self._dropping: set[asyncio.Task[None]] = set()
        self._planned: dict[Partition, int] = {}
        self._ahead: dict[Partition, int] = {}
        self._versions: dict[Partition, str] = {}
        """Of partitions that are read as a whole: all of a source are, or none."""
        self._again_ns = 0
        self._ended_early = 0
        """How often, without a task between that has not."""
        self.active = False

    def next(self, reader: DivisibleReader, bound: UpstreamFrontier, task: RangeTask) -> StagedRange | None:
        """Returns the next staged range to bind, if any; while `active`, nobody else reads. `bound` is the source's
        frontier, and `task` a model for tasks, without ranges."""
        if not self.active and not self._begins(reader, bound):
            return None
        if reader.holds and not self._staged:
            self._take_first()
        if not reader.holds or not (self._staged or self._goes_on):
            self._end(reader, bound)
            return None
        self._fill(task)
        if self._staged:
            return self._staged.popleft()
        if not self._running:
            self._end(reader, bound)
        return None

    def give_up(self, reader: DivisibleReader, bound: UpstreamFrontier) -> None:
        """Ends the ranges because tasks lack knowledge; `reader` goes on."""
        if self.active:
            self._end(reader, bound)

    def stop(self) -> None:
        """Drops all work under way."""
        self.active = False
        while self._running:
            self._drop(self._running.pop()[1])
        if self._staged:
            self._beside(self._stage.discard([key for portion in self._staged for key in portion.keys]))
            self._staged.clear()

    async def close(self) -> None:
        self.stop()
        await asyncio.gather(*self._dropping)

    def kill(self) -> None:
        """Cancels all work at once."""
        for _, running in self._running:
            running.cancel()
        for dropping in self._dropping:
            dropping.cancel()

    def _begins(self, reader: DivisibleReader, bound: UpstreamFrontier) -> bool:
        if not self._tasks.ready or self._clock.elapsed_ns() < self._again_ns:
            return False
        if self._policy.records_max < self._bounds.least:
            return False
        ahead = reader.ahead()
        self._ahead = {partition: reach.end for partition, reach in ahead.items()}
        self._versions = {partition: reach.version for partition, reach in ahead.items() if reach.version is not None}
        self._planned = {partition: bound.get(partition, 0) for partition in self._ahead}
        left = sum(self._worth().values())
        if left < (self._bounds.begin_at_bytes if self._versions else self._bounds.begin_at):
            return False
        log.info("reads by ranges", left=left, whole=bool(self._versions))
        reader.hold()
        self.active = True
        return True

    @property
    def _goes_on(self) -> bool:
        return self._clock.elapsed_ns() >= self._again_ns

    def _end(self, reader: DivisibleReader, bound: UpstreamFrontier) -> None:
        self.stop()
        reader.begin(bound)

    def _pause(self) -> None:
        self._ended_early += 1
        self._again_ns = self._clock.elapsed_ns() + int(self._bounds.again.delay_s(self._ended_early) * 1e9)

    def _worth(self) -> dict[Partition, int]:
        """Returns the unplanned amount of each partition that is worth a task."""
        least = 1 if self._versions else self._bounds.least
        left = {partition: end - self._planned[partition] for partition, end in self._ahead.items()}
        return {partition: records for partition, records in left.items() if records >= least}

    def _take_first(self) -> None:
        """Takes the result of the earliest task, if finished."""
        if not self._running or not self._running[0][1].done():
            return
        task, running = self._running.popleft()
        try:
            staged = running.result()
        except Exception as error:  # noqa: BLE001  (who reads the whole source goes on)
            log.warning("a range can't be read by a task", partitions=len(task.spans), error=str(error))
            self._pause()
            return
        for partition, end in staged.ahead.items():
            self._ahead[partition] = max(end, self._ahead[partition])
        self._staged.extend(staged.portions)
        reached = staged.reached
        for span in task.spans:
            if (upto := reached.get(span.partition, span.begin)) < span.end:
                self._forget_behind(span.partition, upto)
        if staged.ended_early:
            self._pause()
        else:
            self._ended_early = 0

    def _forget_behind(self, partition: Partition, reached: int) -> None:
        """Drops ranges planned behind a range that ended early."""
        self._planned[partition] = reached
        kept: deque[tuple[RangeTask, asyncio.Task[StagedRanges]]] = deque()
        for task, running in self._running:
            if all(span.partition != partition for span in task.spans):
                kept.append((task, running))
                continue
            self._drop(running)
            for span in task.spans:
                self._planned[span.partition] = min(span.begin, self._planned[span.partition])
        self._running = kept

    def _fill(self, task: RangeTask) -> None:
        while len(self._running) < self._bounds.at_once and self._goes_on and (worth := self._worth()):
            spans = self._whole(worth) if self._versions else (self._cut(worth),)
            for span in spans:
                self._planned[span.partition] = span.end
            self._start(replace(task, spans=spans))

    def _cut(self, worth: Mapping[Partition, int]) -> Span:
        """Cuts a range of the partition with the most left, among the partitions with the fewest tasks."""
        under_way = [span.partition for each, _ in self._running for span in each.spans]
        partition = min(worth, key=lambda each: (under_way.count(each), -worth[each]))
        begin = self._planned[partition]
        return Span(partition, begin, begin + min(worth[partition], self._bounds.bindings * self._policy.records_max))

    def _whole(self, worth: Mapping[Partition, int]) -> tuple[Span, ...]:
        """Returns partitions for one task, leaving enough for parallel tasks to end at about the same time."""
        most = min(self._bounds.bytes_most, sum(worth.values()) // (2 * self._bounds.at_once))
        spans: list[Span] = []
        size = 0
        for partition, left in worth.items():
            if spans and (size + left > most or len(spans) == _WHOLE_MAX):
                break
            spans.append(Span(partition, 0, left, self._versions[partition]))
            size += left
        return tuple(spans)

    def _start(self, task: RangeTask) -> None:
        first = task.spans[0]
        running = asyncio.create_task(self._tasks.stage(task), name=f"range {first.partition} {first.begin}")
        running.add_done_callback(lambda _: self._woken())
        self._running.append((task, running))

    def _drop(self, running: asyncio.Task[StagedRanges]) -> None:
        self._beside(self._dropped(running))

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        dropping = asyncio.create_task(work)
        self._dropping.add(dropping)
        dropping.add_done_callback(self._dropping.discard)

    async def _dropped(self, running: asyncio.Task[StagedRanges]) -> None:
        running.cancel()
        await asyncio.wait([running])
        if not running.cancelled() and running.exception() is None:
            await self._stage.discard(running.result().keys)
