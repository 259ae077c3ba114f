"""A range of a partition: read, decoded, and staged as parts of its collections, by a task of its own, in portions of
what one binding may cover.

    partition 2, offsets 5000 to 9999  ─▶  records  ─▶  rows of each collection  ─▶  part/u7/…, part/u9/…
                 10000 to 14999        ─▶  …

Only what the task tells of at its end is used: what an attempt has staged that failed, or that nobody waits for any
more, no shard ever names, and it is swept as other such parts are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from compute.replica.ingestions.tally import Amount, amount_of
from compute.replica.ingestions.writer_schemas import named_schemas
from model.clock import Clock
from model.errors import SqlError
from model.global_id import GlobalId
from model.records import RecordEncoding
from storage.persist.state import Part
from storage.persist.write import Stage
from storage.sources.decode.records import RegistrySchemas
from storage.sources.decode.rows import decoded_rows
from storage.sources.description import KafkaTopic, ReclockedCollection
from storage.sources.upstream import DivisibleReader

_PORTIONS_MAX = 16
_BATCH_RECORDS = 10_000
_LOOK_S = 0.01
_PATIENCE_S = 2.0
_LONGEST_S = 60.0
"""However slowly records come, what has been staged is bound before long."""


@dataclass(frozen=True, slots=True)
class RangeTask:
    """Offsets of a partition from `begin` on, before `end`, in portions of so many records and bytes at most. `schemas`
    are those of writers that are known; `secrets` has the values of those of the place."""

    place: KafkaTopic
    partition: int
    begin: int
    end: int
    records_max: int
    bytes_max: int
    collections: tuple[ReclockedCollection, ...]
    schemas: RegistrySchemas
    secrets: Mapping[GlobalId, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class StagedRange:
    """A portion: what lies between the one before it and `reached` is in `parts`, by collection."""

    partition: int
    reached: int
    amount: Amount
    parts: Mapping[GlobalId, tuple[Part, ...]]

    @property
    def keys(self) -> list[str]:
        return [part.key for parts in self.parts.values() for part in parts]


@dataclass(frozen=True, slots=True)
class StagedRanges:
    """What a task has come to: portions in their order. `ahead`: up to where the partition can be read, as the brokers
    have said. It `ended_early` when it found what it can't see to."""

    portions: tuple[StagedRange, ...]
    ahead: int
    ended_early: bool

    @property
    def keys(self) -> list[str]:
        return [key for portion in self.portions for key in portion.keys]


OpenPartition = Callable[[KafkaTopic, int, Mapping[GlobalId, str], Clock], DivisibleReader]


async def stage_range(task: RangeTask, open_partition: OpenPartition, stage: Stage, clock: Clock) -> StagedRanges:
    """Where the topic can't be read on, it tells of what came before. SqlError when it can't be staged."""
    reader = open_partition(task.place, task.partition, task.secrets, clock)
    try:
        return await _staged(_Reading(task, reader, clock), stage)
    finally:
        reader.close()


async def _staged(reading: _Reading, stage: Stage) -> StagedRanges:
    portions: list[StagedRange] = []
    try:
        while len(portions) < _PORTIONS_MAX and await reading.read():
            portions.append(await _staged_portion(reading, stage))
    except BaseException:
        await stage.discard([key for portion in portions for key in portion.keys])
        raise
    return StagedRanges(tuple(portions), reading.ahead, reading.ended_early)


async def _staged_portion(reading: _Reading, stage: Stage) -> StagedRange:
    parts: dict[GlobalId, tuple[Part, ...]] = {}
    try:
        for each in reading.task.collections:
            if tables := reading.rows[each.id]:
                staged = await stage.stage_parts(str(each.id), each.desc, pa.concat_tables(tables))
                parts[each.id] = tuple(staged)
    except BaseException:
        await stage.discard([part.key for staged in parts.values() for part in staged])
        raise
    return StagedRange(reading.task.partition, reading.reached, reading.amount, parts)


class _Reading:
    """Portion by portion: what it has of one, `read` begins anew."""

    def __init__(self, task: RangeTask, reader: DivisibleReader, clock: Clock) -> None:
        self.task = task
        self.reached = task.begin
        self.rows: dict[GlobalId, list[pa.Table]] = {}
        self.amount = Amount()
        self.ended_early = False
        self._reader = reader
        self._clock = clock
        self._until_ns = clock.elapsed_ns() + int(_LONGEST_S * 1e9)
        reader.begin({task.partition: task.begin})

    @property
    def ahead(self) -> int:
        return max(self._reader.ahead().get(self.task.partition, 0), self.reached)

    async def read(self) -> bool:
        """False when there is no more to read."""
        task, clock = self.task, self._clock
        self.rows = {each.id: [] for each in task.collections}
        self.amount = Amount()
        begin, heard_ns = self.reached, clock.elapsed_ns()
        end = min(task.end, begin + task.records_max)
        while self.reached < end and self.amount.bytes < task.bytes_max and not self.ended_early:
            if clock.elapsed_ns() > self._until_ns:
                break
            try:
                took = self._took(end)
            except SqlError:
                # Whoever reads the topic as a whole finds it, and tells it.
                self.ended_early = True
                break
            if took:
                heard_ns = clock.elapsed_ns()
            elif clock.elapsed_ns() - heard_ns > _PATIENCE_S * 1e9:
                self.ended_early = True
            elif not self.ended_early:
                await clock.sleep(_LOOK_S)
        return self.reached > begin

    def _took(self, end: int) -> bool:
        task = self.task
        left = task.bytes_max - self.amount.bytes
        fetched = self._reader.take_until(_BATCH_RECORDS, left, {task.partition: end})
        if fetched is None:
            return False
        if not self._knows_schemas(fetched.records):
            self.ended_early = True
            return False
        decoded = {each.id: [self._decoded(fetched.records, each)] for each in task.collections}
        for id_, tables in decoded.items():
            self.rows[id_] += [table for table in tables if table.num_rows]
        self.amount += amount_of(fetched, fetched.records, decoded, self.rows.keys())
        self.reached = fetched.frontier[task.partition]
        return True

    def _knows_schemas(self, records: pa.Table) -> bool:
        encodings = (each.encoding for each in self.task.collections)
        named = (each for encoding in encodings for each in named_schemas(records, _of_records(encoding)))
        return all(number in self.task.schemas[registry] for registry, _, number in named)

    def _decoded(self, records: pa.Table, collection: ReclockedCollection) -> pa.Table:
        return decoded_rows(records, _of_records(collection.encoding), collection.desc, self.task.schemas)


def is_each_a_row(collection: ReclockedCollection) -> bool:
    """Whether a record of it is a row, whatever came before: what tasks can decode."""
    return isinstance(collection.encoding, RecordEncoding) and not collection.encoding.keyed


def _of_records(encoding: object) -> RecordEncoding:
    assert isinstance(encoding, RecordEncoding), "tables of upstream's are not read by ranges"
    return encoding
