"""The work of a task: reads, decodes and stages ranges of partitions as parts of their collections, in portions of the
size of one binding.

    partition 2, offsets 5000 to 9999  ─▶  records  ─▶  rows of each collection  ─▶  part/u7/…, part/u9/…
                 10000 to 14999        ─▶  …
    a.parquet, whole, and b.parquet    ─▶  rows     ─▶  …

Only the ranges reported at the end of a task are used: no shard ever names the parts of a failed or abandoned attempt,
which are swept like other such parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from compute.replica.ingestions.tally import Amount, amount_of
from compute.replica.ingestions.writer_schemas import named_schemas
from connectors.gauge import Partition, UpstreamFrontier
from connectors.sources.decode.changed_rows import changed_rows
from connectors.sources.decode.records import RegistrySchemas
from connectors.sources.decode.rows import decoded_rows
from connectors.sources.description import (
    ReclockedCollection,
)
from connectors.upstream import FetchedRange, RangeReader, UpstreamPlace
from model.errors.sql_error import SqlError
from model.external.generators import UpstreamTable
from model.external.records import RecordEncoding
from model.ids.global_id import GlobalId
from model.physical.columns import arrow_schema
from model.time.clock import Clock
from storage.persist.state import Part
from storage.persist.write import PART_BYTES, Stage

_PORTIONS_MAX = 16
_BATCH_RECORDS = 10_000
_LOOK_S = 0.01
_PATIENCE_S = 2.0
_LONGEST_S = 60.0
"""However slowly records come, what has been staged is bound before long."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a partition from `begin` on, before `end`. A partition read as a whole has a `version`, which is to
    be read."""

    partition: Partition
    begin: int
    end: int
    version: str | None = None


@dataclass(frozen=True, slots=True)
class RangeTask:
    """The work of a task.

    `place`: the place to read from.
    `spans`: the ranges.
    `records_max`, `bytes_max`: the size of a portion; a partition read as a whole is a portion of its own.
    `collections`: the collections that receive rows.
    `schemas`: known schemas of writers.
    `secrets`: the values of the place's secrets.
    """

    place: UpstreamPlace
    spans: tuple[Span, ...]
    records_max: int
    bytes_max: int
    collections: tuple[ReclockedCollection, ...]
    schemas: RegistrySchemas
    secrets: Mapping[GlobalId, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class StagedRange:
    """A portion: all records between earlier portions and the frontier `moved`, in `parts` by collection."""

    moved: UpstreamFrontier
    amount: Amount
    parts: Mapping[GlobalId, tuple[Part, ...]]

    @property
    def keys(self) -> list[str]:
        return [part.key for parts in self.parts.values() for part in parts]


@dataclass(frozen=True, slots=True)
class StagedRanges:
    """The result of a task: portions in order.

    `ahead`: the ends of partitions as told by upstream.
    `ended_early`: whether the task met something it can't handle.
    """

    portions: tuple[StagedRange, ...]
    ahead: UpstreamFrontier
    ended_early: bool

    @property
    def keys(self) -> list[str]:
        return [key for portion in self.portions for key in portion.keys]

    @property
    def reached(self) -> UpstreamFrontier:
        """Returns the frontier after all portions."""
        return {partition: upto for portion in self.portions for partition, upto in portion.moved.items()}


OpenRange = Callable[[UpstreamPlace, Mapping[Partition, str | None], Mapping[GlobalId, str], Clock], RangeReader]
"""Of these partitions, those among them that have versions being read as a whole."""


async def stage_range(task: RangeTask, open_range: OpenRange, stage: Stage, clock: Clock) -> StagedRanges:
    """Runs a task. When upstream can't be read on, returns the portions before. Raises SqlError when staging fails."""
    reader = open_range(task.place, {span.partition: span.version for span in task.spans}, task.secrets, clock)
    try:
        return await _staged(_Reading(task, reader, stage, clock), stage)
    finally:
        reader.close()


async def _staged(reading: _Reading, stage: Stage) -> StagedRanges:
    portions: list[StagedRange] = []
    try:
        while len(portions) < _PORTIONS_MAX and (portion := await reading.portion()) is not None:
            portions.append(portion)
    except BaseException:
        await stage.discard([key for portion in portions for key in portion.keys])
        raise
    return StagedRanges(tuple(portions), reading.ahead, reading.ended_early)


class _Reading:
    """Portion by portion."""

    def __init__(self, task: RangeTask, reader: RangeReader, stage: Stage, clock: Clock) -> None:
        self.ended_early = False
        self._task = task
        self._reached: dict[Partition, int] = {span.partition: span.begin for span in task.spans}
        self._reader = reader
        self._stage = stage
        self._clock = clock
        self._until_ns = clock.elapsed_ns() + int(_LONGEST_S * 1e9)
        self._begin_portion()
        reader.begin(self._reached)

    def _begin_portion(self) -> None:
        self._moved: dict[Partition, int] = {}
        self._amount = Amount()
        self._rows: dict[GlobalId, list[pa.Table]] = {each.id: [] for each in self._task.collections}
        self._parts: dict[GlobalId, list[Part]] = {}
        self._is_within = False
        """A partition that is read as a whole has begun and not ended."""

    @property
    def ahead(self) -> UpstreamFrontier:
        told = self._reader.ahead()
        ends = {partition: reach.end for partition, reach in told.items()}
        return {partition: max(ends.get(partition, 0), reached) for partition, reached in self._reached.items()}

    async def portion(self) -> StagedRange | None:
        """Returns the next portion; None at the end."""
        self._begin_portion()
        try:
            await self._read_portion()
            if self._is_within or not self._moved:
                await self._stage.discard(self._keys)
                return None
            await self._stage_rows(0)
        except BaseException:
            await self._stage.discard(self._keys)
            raise
        return StagedRange(self._moved, self._amount, {id_: tuple(parts) for id_, parts in self._parts.items()})

    @property
    def _keys(self) -> list[str]:
        return [part.key for parts in self._parts.values() for part in parts]

    async def _read_portion(self) -> None:
        task, clock = self._task, self._clock
        ends = {span.partition: self._end_of(span) for span in task.spans}
        heard_ns = clock.elapsed_ns()
        while not self.ended_early and (self._is_within or self._has_room(ends)):
            if clock.elapsed_ns() > self._until_ns and not self._is_within:
                break
            try:
                took = self._took(ends)
            except SqlError:
                # Whoever reads the source as a whole finds it, and tells it.
                self.ended_early = True
                break
            if took:
                heard_ns = clock.elapsed_ns()
                await self._stage_rows(PART_BYTES)
            elif clock.elapsed_ns() - heard_ns > _PATIENCE_S * 1e9:
                self.ended_early = True
            elif not self.ended_early:
                await clock.sleep(_LOOK_S)

    def _end_of(self, span: Span) -> int:
        """Returns the latest end of the portion."""
        if span.version is not None:
            return span.end
        return min(span.end, self._reached[span.partition] + self._task.records_max)

    def _has_room(self, ends: UpstreamFrontier) -> bool:
        amount, task = self._amount, self._task
        if amount.bytes >= task.bytes_max or amount.messages >= task.records_max:
            return False
        return any(self._reached[partition] < end for partition, end in ends.items())

    def _took(self, ends: UpstreamFrontier) -> bool:
        task = self._task
        fetched = self._reader.take_until(_BATCH_RECORDS, task.bytes_max - self._amount.bytes, ends)
        if fetched is None:
            return False
        if not self._knows_schemas(fetched.records):
            self.ended_early = True
            return False
        decoded = {each.id: [self._decoded(fetched, each)] for each in task.collections}
        for id_, tables in decoded.items():
            self._rows[id_] += [table for table in tables if table.num_rows]
        self._amount += amount_of(fetched, fetched.records, decoded, self._rows.keys())
        self._is_within = not fetched.frontier
        self._moved |= fetched.frontier
        self._reached |= {partition: upto for partition, upto in fetched.frontier.items() if partition in self._reached}
        return True

    async def _stage_rows(self, least: int) -> None:
        """Stages the rows of each collection with at least `least` bytes of rows."""
        for each in self._task.collections:
            tables = self._rows[each.id]
            if tables and sum(table.nbytes for table in tables) >= least:
                self._rows[each.id] = []
                staged = await self._stage.stage_parts(str(each.id), each.desc, pa.concat_tables(tables))
                self._parts.setdefault(each.id, []).extend(staged)

    def _knows_schemas(self, records: pa.Table) -> bool:
        encodings = [each.encoding for each in self._task.collections if isinstance(each.encoding, RecordEncoding)]
        named = (each for encoding in encodings for each in named_schemas(records, encoding))
        return all(number in self._task.schemas[registry] for registry, _, number in named)

    def _decoded(self, fetched: FetchedRange, collection: ReclockedCollection) -> pa.Table:
        match collection.encoding:
            case RecordEncoding() as encoding:
                return decoded_rows(fetched.records, encoding, collection.desc, self._task.schemas)
            case UpstreamTable(name):
                changes = fetched.tables.get(name or "")
                return (
                    arrow_schema(collection.desc).empty_table()
                    if changes is None
                    else (changed_rows(changes, collection.desc, collection.error_at))
                )


def is_each_a_row(collection: ReclockedCollection) -> bool:
    """Returns whether each record becomes a row independently of earlier records, as tasks decode."""
    return not (isinstance(collection.encoding, RecordEncoding) and collection.encoding.keyed)
