"""The law of reclocking: at every time, a source holds what its remap collection says of upstream's log."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa
import pytest

from compute.protocol.response import DataflowPhase
from compute.replica.ingestions import reclocked_shards
from compute.replica.ingestions.ingestion import IngestionRunner
from compute.replica.ingestions.ranges import range_task
from compute.replica.ingestions.ranges.ahead import RangeBounds
from compute.replica.ingestions.reclocked_shards import ReclockedShards
from compute.replica.tasks.events import Hurry, SetWritable, StopDataflow
from connectors.gauge import Gauge, UpstreamFrontier
from connectors.kinesis.stream import KinesisStream
from connectors.pubnub.channel import PubnubChannel
from connectors.sources.description import BindingPolicy
from connectors.sources.remap import new_binding
from connectors.systems import system_of_source
from connectors.upstream import UpstreamPlace, UpstreamReader
from model.external.records import RecordEncoding
from model.ids.global_id import GlobalId
from model.time.backing_off import BackOff
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from storage.persist.runner import InlineRunner
from storage.persist.shard import PreparedWrite
from storage.persist.snapshot import read_changes, read_snapshot
from storage.persist.state import ShardState
from storage.source_progress import counted_changes, counted_snapshot
from tests.compute.dataflows.world import Replica, World, counted
from tests.compute.dataflows.worlds import run
from tests.compute.ingestions.log import Log
from tests.compute.ingestions.world import (
    ENCODING,
    PLACE,
    SOURCE,
    Meaning,
    bindings,
    bound_now,
    check_acknowledged,
    check_reclocked,
    create_source,
    each_a_row,
    ingesting,
)
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import SeededRandomness

pytestmark = pytest.mark.slow

_SEEDS_MAX = 60
_FAULTS = Faults(done=60, not_done=60, read_failure=40, latency_ms_max=20)


async def caught_up(world: World, log: Log, seconds: float = 20.0) -> None:
    """Returns once all of the log is bound."""
    want = {partition: end for partition, end in log.end.items() if end}
    waited = 0.0
    while True:
        bound = await bound_now(world)
        if bound == want:
            return
        assert waited < seconds, f"bound up to {bound} of {want}"
        await world.clock.sleep(0.2)
        waited += 0.2


Draw = Callable[[random.Random, int], str]


def a_number(chance: random.Random, number: int) -> str:
    return f"{number}-{chance.randrange(3)}"


def reclocked(
    seed: int,
    log: Log,
    draw: Draw = a_number,
    encoding: RecordEncoding = ENCODING,
    meaning: Meaning[Log] = each_a_row,
    place: UpstreamPlace = PLACE,
    ranges: RangeBounds | None = None,
) -> int:
    """Upstream grows, time passes, consensus fails, replicas die, two of them ingest, environments take over. At every
    time the source holds what its remap collection says of the log; AssertionError when it does not. How many ranges
    tasks have staged."""
    staged = 0

    async def work(world: World) -> None:
        nonlocal staged
        chance = random.Random(seed)
        description = await create_source(world, encoding, place=place)
        if ranges is not None:
            # So little that tasks have portions, and some of these end by their bytes.
            description = replace(description, policy=BindingPolicy(interval_ms=50, records_max=5, bytes_max=400))
        unreliable = UnreliableConsensus(world.consensus, world.clock, SeededRandomness(seed), _FAULTS)
        replicas: list[Replica] = []
        for number in range(60):
            match chance.randrange(8):
                case 0 if len(replicas) < 2:
                    replicas.append(ingesting(world, log, chance, unreliable, ranges))
                    replicas[-1].start(description)
                case 1 if replicas and chance.random() < 0.4:
                    replicas.pop().dataflows.kill()
                case 2 if replicas and chance.random() < 0.3:
                    preconditions = await world.raise_fence()
                    for replica in replicas:
                        await world.clock.sleep(chance.random() / 10)
                        replica.fencing.replace(preconditions)
                case 3:
                    await world.clock.sleep(chance.random() / 5)
                case 4:
                    await world.commit({}, after_ms=chance.randint(1, 500))
                case _:
                    for _ in range(chance.randrange(5)):
                        text = None if chance.random() < 0.2 else draw(chance, number)
                        log.append(chance.randrange(3), text)
            await check_acknowledged(world, log)
        unreliable.faults = Faults()
        if not replicas:
            replicas.append(ingesting(world, log, chance, ranges=ranges))
            replicas[-1].start(description)
        await caught_up(world, log)
        await check_reclocked(world, log, meaning)
        for replica in replicas:
            await replica.dataflows.stop()
        staged = log.staged

    run(work)
    return staged


@pytest.mark.in_part(8)
@pytest.mark.parametrize("seed", range(12))
def test_a_source_is_its_remap_collection_applied_to_the_log(seed: int) -> None:
    reclocked(seed, Log())


RANGES = RangeBounds(begin_at=4, least=1, bindings=2, at_once=3, again=BackOff(0.2, 0.2))


@pytest.mark.parametrize("portions_max", [1, 16])
def test_a_source_that_tasks_read_by_ranges_is_its_remap_collection_applied_to_the_log(
    portions_max: int, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    monkeypatch.setattr(range_task, "_PORTIONS_MAX", portions_max)
    staged = [reclocked(seed, Log(), ranges=RANGES) for seed in range(24 if whole else 12)]
    assert sum(staged) > 8 * len(staged), "tasks have hardly read"


_PUBNUB = PubnubChannel("http://nowhere", "key", "c", "u1")
_KINESIS = KinesisStream(GlobalId.user(1), "s")


@pytest.mark.in_part(6)
@pytest.mark.parametrize(("place", "step"), [(_PUBNUB, 10**10 + 7), (_KINESIS, 10**55 + 9), (_KINESIS, 10**18 - 1)])
@pytest.mark.parametrize("seed", range(3))
def test_a_source_is_its_remap_collection_applied_however_bounds_are_counted(
    seed: int, place: UpstreamPlace, step: int
) -> None:
    reclocked(seed, Log(step=step), place=place)


def test_the_progress_of_wide_bounds_changes_as_the_bounds_do() -> None:
    async def work(world: World) -> None:
        log = Log(step=10**55 + 9)
        replica = ingesting(world, log, random.Random(0))
        replica.start(await create_source(world, place=_KINESIS))
        for number in range(12):
            log.append(number % 3 - 1, f"{number}")
            await world.clock.sleep(0.1)
        await caught_up(world, log)
        await replica.dataflows.stop()
        desc = RelationDesc((system_of_source(_KINESIS).gauge.partition, system_of_source(_KINESIS).gauge.progress))
        state = world.storage.machine(str(GlobalId.remapping(SOURCE))).state
        frontiers = await bindings(world)
        lower, last = min(frontiers), max(frontiers)
        seen = await counted_snapshot(state, Timestamp(lower), desc, world.blob, InlineRunner())
        held = counted(await read_snapshot(seen, world.blob, InlineRunner()), desc)
        told = await counted_changes(state, Timestamp(lower + 1), Timestamp(last + 1), desc, world.blob, InlineRunner())
        changes = await read_changes(told, world.blob, InlineRunner())
        for partition, bound, _, diff in zip(*(column.to_pylist() for column in changes.columns), strict=True):
            held[partition, bound] += diff
        assert +held == {
            (partition, str(bound)): 1 for partition, bound in frontiers[last].items() if partition in (0, 1)
        }
        assert -1 in frontiers[last], "a note of the reader's"
        assert changes.num_rows >= 8, "each binding is a change"

    run(work)


def data_before_its_binding(patch: pytest.MonkeyPatch) -> None:
    whole = ReclockedShards._commit

    async def in_two_steps(shards: ReclockedShards, writes: list[PreparedWrite]) -> list[ShardState]:
        binding, *data = writes
        return [*await whole(shards, data), *await whole(shards, [binding])]

    patch.setattr(ReclockedShards, "_commit", in_two_steps)


def offsets_that_are_included(patch: pytest.MonkeyPatch) -> None:
    def one_too_few(before: UpstreamFrontier, after: UpstreamFrontier, gauge: Gauge) -> pa.Table:
        return new_binding(before, {partition: max(bound - 1, 0) for partition, bound in after.items()}, gauge)

    patch.setattr(reclocked_shards, "new_binding", one_too_few)


def what_was_read_is_bound_whoever_has_bound_it(patch: pytest.MonkeyPatch) -> None:
    def forget(_runner: IngestionRunner, _frontier: UpstreamFrontier) -> None:
        return

    known = property(lambda runner: runner._shards.frontier, forget)
    patch.setattr(IngestionRunner, "_read_from", known, raising=False)


def bindings_of_an_old_frontier(patch: pytest.MonkeyPatch) -> None:
    whole = ReclockedShards.open

    async def open_once(shards: ReclockedShards) -> None:
        known = shards.frontier
        await whole(shards)
        shards.frontier = known or shards.frontier

    patch.setattr(ReclockedShards, "open", open_once)


def acknowledged_before_it_is_durable(patch: pytest.MonkeyPatch) -> None:
    bind = IngestionRunner._bind

    async def hasty(runner: IngestionRunner, reader: UpstreamReader) -> None:
        if runner._pending is not None:
            reader.acknowledge({**runner._shards.frontier, **runner._pending.frontier})
        await bind(runner, reader)

    patch.setattr(IngestionRunner, "_bind", hasty)


@pytest.mark.parametrize(
    "bug",
    [
        acknowledged_before_it_is_durable,
        data_before_its_binding,
        offsets_that_are_included,
        what_was_read_is_bound_whoever_has_bound_it,
        bindings_of_an_old_frontier,
    ],
)
def test_bugs_put_in_on_purpose_are_found(
    bug: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(_SEEDS_MAX):
            reclocked(seed, Log())


def test_a_source_is_empty_at_the_time_of_its_creation() -> None:
    async def work(world: World) -> None:
        log = Log()
        log.append(0, "before")
        description = await create_source(world)
        created = world.now
        replica = ingesting(world, log, random.Random(0))
        replica.start(description)
        await caught_up(world, log)
        assert not await world.shard_at(1, created)
        await check_reclocked(world, log)
        await replica.dataflows.stop()

    run(work)


def test_who_waits_for_a_time_gets_a_binding_at_once() -> None:
    async def work(world: World) -> None:
        log = Log()
        replica = ingesting(world, log, random.Random(0))
        number = replica.start(await create_source(world))
        await caught_up(world, log)
        awaited = await world.commit({}, after_ms=900)
        before = world.clock.elapsed_ns()
        replica.dataflows.carry_out(Hurry(number, SOURCE, awaited))
        await replica.caught_up(1)
        assert world.clock.elapsed_ns() - before < 40_000_000, "the binding comes before its interval is over"
        await replica.dataflows.stop()

    run(work)


def test_the_frontier_is_bound_again_while_nothing_comes() -> None:
    async def work(world: World) -> None:
        log = Log()
        log.append(0, "a")
        replica = ingesting(world, log, random.Random(1))
        replica.start(await create_source(world))
        await caught_up(world, log)
        upper = await world.shard_upper(1)
        await world.clock.sleep(1.0)
        assert await world.shard_upper(1) > upper
        await replica.dataflows.stop()

    run(work)


def test_a_clock_that_is_ahead_carries_no_source_further_than_a_second_beyond_the_timeline() -> None:
    async def work(world: World) -> None:
        world.now = Timestamp(1_000)
        await world.commit({})
        log = Log()
        replica = ingesting(world, log, random.Random(1))
        replica.start(await create_source(world))
        log.append(0, "a")
        await caught_up(world, log)
        # The clock of these tests is the wall's, which is decades after the timeline.
        assert await world.shard_upper(1) <= world.now + 1_100
        await replica.dataflows.stop()

    run(work)


def test_nothing_is_bound_before_it_may_be_written() -> None:
    async def work(world: World) -> None:
        log = Log()
        log.append(0, "a")
        description = await create_source(world)
        replica = ingesting(world, log, random.Random(1))
        number = replica.start(description, writable=False)
        await world.clock.sleep(2.0)
        assert await world.shard_upper(1) == description.as_of.time
        replica.dataflows.carry_out(SetWritable(number, True))
        await caught_up(world, log)
        await replica.dataflows.stop()

    run(work)


def test_an_ingestion_of_a_fenced_environment_waits_and_goes_on_for_the_next() -> None:
    async def work(world: World) -> None:
        log = Log()
        replica = ingesting(world, log, random.Random(1))
        replica.start(await create_source(world))
        log.append(0, "a")
        await caught_up(world, log)
        preconditions = await world.raise_fence()
        log.append(0, "b")
        await world.clock.sleep(1.0)
        assert "waits for the newest environment" in {status.message for status in replica.statuses()}
        assert await bound_now(world) == {0: 1}, "nothing is bound under an old fence"
        replica.fencing.replace(preconditions)
        await caught_up(world, log)
        await check_reclocked(world, log)
        await replica.dataflows.stop()

    run(work)


def test_while_upstream_cannot_be_read_on_it_is_asked_ever_less_often_and_nobody_waits() -> None:
    async def work(world: World) -> None:
        log = Log()
        replica = ingesting(world, log, random.Random(1))
        number = replica.start(await create_source(world))
        log.append(0, "a")
        await caught_up(world, log)
        log.broken, begun = True, log.begun
        log.append(0, "b")
        log.tell()
        told = len(replica.statuses())
        for _ in range(60):
            before = await world.shard_upper(1)
            # Whoever reads it hurries it.
            for _ in range(10):
                replica.dataflows.carry_out(Hurry(number, SOURCE, Timestamp(world.now)))
                await world.clock.sleep(0.1)
            assert before < await world.shard_upper(1), "the frontier as it is is bound again"
        assert 5 <= log.begun - begun <= 15
        assert {status.message for status in replica.statuses()[told:]} == {"the log is broken"}
        log.broken = False
        await caught_up(world, log)
        await replica.until(lambda: replica.statuses()[-1].phase is DataflowPhase.RUNNING)
        await check_reclocked(world, log)
        await replica.dataflows.stop()

    run(work)


def test_an_ingestion_ends_when_its_source_is_dropped() -> None:
    async def work(world: World) -> None:
        log = Log()
        replica = ingesting(world, log, random.Random(1))
        number = replica.start(await create_source(world))
        log.append(0, "a")
        await caught_up(world, log)
        drops = [world.storage.prepare_drop(id_) for id_ in (SOURCE, GlobalId.remapping(SOURCE))]
        await world.storage.commit(drops)
        log.append(0, "b")
        await replica.until(lambda: replica.statuses()[-1].phase in (DataflowPhase.FINISHED, DataflowPhase.FAILING))
        replica.dataflows.carry_out(StopDataflow(number))
        await replica.until(lambda: not log.readers)
        await replica.dataflows.stop()

    run(work)
