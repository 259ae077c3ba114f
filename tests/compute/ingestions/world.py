"""An upstream in memory, and what a source over it should hold: the remap collection applied to the log."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from model.antichain import Antichain
from model.clock import Clock
from model.global_id import GlobalId
from model.records import RecordEncoding, RecordFormat, RecordMetadata, encoded_columns
from model.relation_desc import ColumnDesc, RelationDesc
from model.scalar_type import TEXT
from model.timestamp import Timestamp
from storage.persist.location import Consensus
from storage.persist.runner import InlineRunner
from storage.persist.snapshot import read_snapshot, snapshot
from storage.sources.description import (
    BindingPolicy,
    IngestionDescription,
    KafkaTopic,
    ReclockedCollection,
    UpstreamPlace,
)
from storage.sources.gauge import Partition, UpstreamFrontier
from storage.sources.kafka.records import RECORDS_SCHEMA
from storage.sources.remap import bound_frontier
from storage.sources.upstream import Arrived, FetchedRange, UpstreamStatus
from tests.compute.dataflows.world import Replica, World, counted

SOURCE = GlobalId.user(1)
ENCODING = RecordEncoding(None, RecordFormat.TEXT, (RecordMetadata.PARTITION, RecordMetadata.OFFSET))
DESC = RelationDesc((*encoded_columns(ENCODING), ColumnDesc("err", TEXT)))
PLACE = KafkaTopic((), "log")


def without_key(text: str) -> tuple[bytes | None, bytes | None]:
    """A record whose value is the text."""
    return None, text.encode()


@dataclass
class Log:
    """Partitions of an upstream: texts, by their offsets; None is an offset without a record. `record` gives a text's
    key and value."""

    partitions: dict[int, list[str | None]] = field(default_factory=dict)
    readers: list[LogReader] = field(default_factory=list)
    record: Callable[[str], tuple[bytes | None, bytes | None]] = without_key

    def append(self, partition: int, text: str | None) -> None:
        self.partitions.setdefault(partition, []).append(text)
        for reader in self.readers:
            reader.arrived()

    def rows_below(self, frontier: UpstreamFrontier) -> Counter[tuple[object, ...]]:
        """What a source holds whose remap collection is at this frontier."""
        return Counter(
            (text, partition, offset, None)
            for partition, texts in self.partitions.items()
            for offset, text in enumerate(texts[: frontier.get(partition, 0)])
            if text is not None
        )


class LogReader:
    """Gives as much as chance has it."""

    def __init__(self, log: Log, arrived: Arrived, chance: random.Random) -> None:
        self.arrived = arrived
        self._log = log
        self._chance = chance
        self._at: dict[Partition, int] = {}
        log.readers.append(self)

    def beginning(self) -> UpstreamFrontier:
        return {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        self._at = dict(frontier)

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        columns: list[list[object]] = [[], [], [], []]
        frontier: dict[Partition, int] = {}
        for partition, texts in self._log.partitions.items():
            begin = self._at.get(partition, 0)
            end = self._chance.randint(begin, len(texts))
            for offset in range(begin, end):
                text = texts[offset]
                if text is not None:
                    for column, value in zip(columns, (partition, offset, *self._log.record(text)), strict=True):
                        column.append(value)
            if end > begin:
                frontier[partition] = self._at[partition] = end
        if not frontier:
            return None
        rows = len(columns[0])
        nothing = pa.nulls(rows)
        whole = [
            pa.array(columns[0], pa.int32()),
            pa.array(columns[1], pa.int64()),
            nothing.cast(RECORDS_SCHEMA.field("timestamp").type),
            pa.array(columns[2], pa.binary()),
            pa.array(columns[3], pa.binary()),
            nothing.cast(RECORDS_SCHEMA.field("headers").type),
        ]
        return FetchedRange(pa.table(whole, schema=RECORDS_SCHEMA), frontier)

    def status(self) -> UpstreamStatus:
        return UpstreamStatus({}, None)

    def close(self) -> None:
        self._log.readers.remove(self)


async def create_source(world: World, encoding: RecordEncoding = ENCODING) -> IngestionDescription:
    """The source's empty shards, readable from now on."""
    at = Antichain(world.now)
    desc = RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))
    await world.storage.create(SOURCE, desc, at, at)
    await world.storage.create(GlobalId.remapping(SOURCE), PLACE.gauge.remap_desc, at, at)
    collection = ReclockedCollection(SOURCE, desc, encoding)
    return IngestionDescription(SOURCE, PLACE, (collection,), BindingPolicy(interval_ms=50), at)


def ingesting(world: World, log: Log, chance: random.Random, consensus: Consensus | None = None) -> Replica:
    """A life of a replica that reads from `log`."""

    def open_upstream(
        _place: UpstreamPlace, _secrets: Mapping[GlobalId, str], _clock: Clock, arrived: Arrived
    ) -> LogReader:
        return LogReader(log, arrived, chance)

    return Replica(world, consensus=consensus, open_upstream=open_upstream)


async def bindings(world: World) -> dict[int, dict[Partition, int]]:
    """The upstream frontier that is bound by each time at which the source may be read, of those at which it moved."""
    remap = GlobalId.remapping(SOURCE)
    await world.storage.load([SOURCE, remap])
    state = world.storage.machine(str(remap)).state
    assert state.upper == world.storage.machine(str(SOURCE)).state.upper, "they are complete up to one time"
    since, upper = state.since.time, state.upper.time
    assert since is not None and upper is not None
    pieces = [piece for batch in state.batches for piece in batch.pieces]
    moved = {piece.time_max for piece in pieces} | {since, upper - 1}
    times = sorted(time for time in moved if time is not None and since <= time < upper)
    frontiers = {}
    for time in times:
        contents = await read_snapshot(snapshot(state, Timestamp(time)), world.blob, InlineRunner())
        frontiers[time] = bound_frontier(contents)
    return frontiers


Meaning = Callable[[Log, Sequence[UpstreamFrontier]], Counter[tuple[object, ...]]]
"""What a source holds that was bound up to these frontiers, one after another."""


def each_a_row(log: Log, bound: Sequence[UpstreamFrontier]) -> Counter[tuple[object, ...]]:
    """ENVELOPE NONE."""
    return log.rows_below(bound[-1])


async def check_reclocked(world: World, log: Log, meaning: Meaning = each_a_row) -> None:
    """The law: at every time, the source holds what the remap collection says of the log; bindings are monotone."""
    bound: list[dict[Partition, int]] = [{}]
    for time, frontier in (await bindings(world)).items():
        assert all(frontier.get(each, 0) >= before for each, before in bound[-1].items()), "bindings went back"
        bound.append(frontier)
        state = world.storage.machine(str(SOURCE)).state
        contents = await read_snapshot(snapshot(state, Timestamp(time)), world.blob, InlineRunner())
        assert counted(contents, state.desc) == meaning(log, bound), f"at {time}, bound up to {frontier}"
