"""What a source over a log should hold: the remap collection applied to it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from compute.replica.ingestions.ranges.ahead import RangeBounds
from connectors.gauge import Partition, UpstreamFrontier
from connectors.kafka.topic import KafkaTopic
from connectors.sources.description import (
    BindingPolicy,
    IngestionDescription,
    ReclockedCollection,
)
from connectors.sources.remap import bound_frontier
from connectors.systems import system_of_source
from connectors.upstream import Arrived, UpstreamPlace
from model.external.records import RecordEncoding, RecordFormat, RecordMetadata, encoded_columns
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT
from storage.persist.location import Consensus
from storage.persist.runner import InlineRunner
from storage.persist.snapshot import read_snapshot, snapshot
from storage.persist.state import ShardState
from storage.persist.write import Stage
from tests.compute.dataflows.world import Replica, World, counted
from tests.compute.direct_ranges import DirectRanges
from tests.compute.ingestions.log import Log, LogReader

SOURCE = GlobalId.user(1)
ENCODING = RecordEncoding(None, RecordFormat.TEXT, (RecordMetadata.PARTITION, RecordMetadata.OFFSET))
DESC = RelationDesc((*encoded_columns(ENCODING), ColumnDesc("err", TEXT)))
PLACE = KafkaTopic((), "log")


async def create_source(
    world: World, encoding: RecordEncoding = ENCODING, source: GlobalId = SOURCE, place: UpstreamPlace = PLACE
) -> IngestionDescription:
    """The source's empty shards, readable from now on."""
    at = Antichain(world.now)
    desc = RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))
    await world.seed.create(source, desc, at, at)
    await world.seed.create(GlobalId.remapping(source), system_of_source(place).gauge.remap_desc, at, at)
    collection = ReclockedCollection(source, desc, encoding)
    return IngestionDescription(source, place, (collection,), BindingPolicy(interval_ms=50), at)


def ingesting(
    world: World,
    log: Log,
    chance: random.Random,
    consensus: Consensus | None = None,
    ranges: RangeBounds | None = None,
) -> Replica:
    """A life of a replica that reads from `log`."""

    def open_upstream(
        _place: UpstreamPlace, _secrets: Mapping[GlobalId, str], _clock: Clock, arrived: Arrived
    ) -> LogReader:
        return LogReader(log, arrived, chance)

    def open_range(
        _place: UpstreamPlace,
        partitions: Mapping[Partition, str | None],
        _secrets: Mapping[GlobalId, str],
        _clock: Clock,
    ) -> LogReader:
        log.staged += 1
        (partition,) = partitions
        return LogReader(log, nothing_heard, chance, only=int(partition))

    stage = Stage(world.blob, world.clock, world.randomness, InlineRunner())
    ranging = None if ranges is None else (DirectRanges(stage, world.clock, open_range), ranges)
    return Replica(world, consensus=consensus, open_upstream=open_upstream, ranging=ranging)


def nothing_heard() -> None:
    """Nobody waits for it."""


async def remapped(world: World) -> ShardState:
    """The remap collection as it is; the source is complete up to its upper."""
    remap = GlobalId.remapping(SOURCE)
    await world.storage.load([SOURCE, remap])
    state = world.storage.machine(str(remap)).state
    assert state.upper == world.storage.machine(str(SOURCE)).state.upper, "they are complete up to one time"
    return state


async def bound_now(world: World) -> UpstreamFrontier | None:
    """The newest of `bindings`, for who looks again and again while they become many; None while there is none."""
    state = await remapped(world)
    since, upper = state.since.time, state.upper.time
    assert since is not None and upper is not None
    if since >= upper:
        return None
    return bound_frontier(await read_snapshot(snapshot(state, Timestamp(upper - 1)), world.blob, InlineRunner()))


async def bindings(world: World) -> dict[int, dict[Partition, int]]:
    """The upstream frontier that is bound by each time at which the source may be read, of those at which it moved."""
    state = await remapped(world)
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


class ReadLog(Protocol):
    """An upstream's, as laws look at it."""

    @property
    def acknowledged(self) -> Mapping[Partition, int]:
        """What readers have told it to be durable."""
        ...

    def rows_below(self, frontier: UpstreamFrontier) -> Counter[tuple[object, ...]]:
        """What a source holds whose remap collection is at this frontier."""
        ...


async def check_acknowledged(world: World, log: ReadLog) -> None:
    """Upstream has been told of nothing that is not durable."""
    told = log.acknowledged
    if any(told.values()):
        durable = await bound_now(world)
        assert durable is not None
        assert all(durable.get(each, 0) >= upto for each, upto in told.items()), f"told of {told}, bound is {durable}"


L = TypeVar("L", bound=ReadLog)
Meaning = Callable[[L, Sequence[UpstreamFrontier]], Counter[tuple[object, ...]]]
"""What a source holds that was bound up to these frontiers, one after another."""


def each_a_row(log: ReadLog, bound: Sequence[UpstreamFrontier]) -> Counter[tuple[object, ...]]:
    """ENVELOPE NONE."""
    return log.rows_below(bound[-1])


async def check_reclocked(world: World, log: L, meaning: Meaning[L] = each_a_row) -> None:
    """The law: at every time, the source holds what the remap collection says of the log; bindings are monotone."""
    bound: list[dict[Partition, int]] = [{}]
    for time, frontier in (await bindings(world)).items():
        assert all(frontier.get(each, 0) >= before for each, before in bound[-1].items()), "bindings went back"
        bound.append(frontier)
        state = world.storage.machine(str(SOURCE)).state
        contents = await read_snapshot(snapshot(state, Timestamp(time)), world.blob, InlineRunner())
        assert counted(contents, state.desc) == meaning(log, bound), f"at {time}, bound up to {frontier}"
