"""Bindings of many sources in few steps: idle ones go together, and none keeps another from being bound."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Awaitable, Callable, Mapping

import pytest

from compute.replica.ingestions.reclocked_shards import ReclockedShards
from compute.replica.running.joined_bindings import JoinedBindings, next_moment
from compute.replica.running.shard_writer import FencedOut, WriteRefused
from connectors.sources.description import IngestionDescription
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from storage.persist.location import Versioned
from tests.compute.dataflows.world import Replica, World
from tests.compute.dataflows.worlds import run
from tests.compute.ingestions.log import Log
from tests.compute.ingestions.world import create_source, ingesting
from tests.storage.memory import MemoryConsensus

_SOURCES = 30


class CountingSteps(MemoryConsensus):
    """`steps`: how many there were."""

    def __init__(self) -> None:
        super().__init__(pause=lambda: asyncio.sleep(0.002))
        self.steps = 0

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        self.steps += 1
        return await super().compare_and_set(expected, writes)


async def sources(world: World) -> list[IngestionDescription]:
    return [await create_source(world, source=GlobalId.user(number)) for number in range(1, _SOURCES + 1)]


async def shards_of(
    descriptions: list[IngestionDescription], replica: Replica
) -> tuple[list[ReclockedShards], asyncio.Task[None]]:
    """Those of each source, all through the same bindings; and the task of these."""
    bindings = JoinedBindings(replica.places)
    found = [ReclockedShards(each, replica.places, bindings) for each in descriptions]
    for each in found:
        await each.open()
    return found, asyncio.create_task(bindings.run())


def test_idle_sources_are_bound_together() -> None:
    async def story(world: World) -> None:
        consensus = CountingSteps()
        world = World(world.clock, consensus=consensus)
        await world.raise_fence()
        replica = ingesting(world, Log(), random.Random(0))
        for description in await sources(world):
            replica.start(description)
        await world.clock.sleep(1.0)
        before = {number: await world.shard_upper(number) for number in range(1, _SOURCES + 1)}
        consensus.steps = 0
        await world.clock.sleep(1.0)
        # The interval of these is 50 ms.
        assert consensus.steps <= 3 * 20
        for number, upper in before.items():
            assert await world.shard_upper(number) >= upper + 15
        await replica.dataflows.stop()

    run(story)


def test_a_source_that_others_have_bound_is_refused_alone() -> None:
    async def story(world: World) -> None:
        await world.raise_fence()
        descriptions = await sources(world)
        found, task = await shards_of(descriptions, Replica(world))
        others, others_task = await shards_of(descriptions[4:6], Replica(world))
        time = Timestamp(world.now + 5)
        for other in others:
            await other.bind(time, {0: 1}, {})
        done = await asyncio.gather(*(each.bind(time, {0: 1}, {}) for each in found), return_exceptions=True)
        assert [at for at, outcome in enumerate(done) if isinstance(outcome, WriteRefused)] == [4, 5]
        assert not any(isinstance(outcome, FencedOut) for outcome in done)
        assert all(isinstance(outcome, list) for at, outcome in enumerate(done) if at not in (4, 5))
        for work in (task, others_task):
            work.cancel()

    run(story)


def test_two_ingestions_of_one_source_are_not_mixed() -> None:
    async def story(world: World) -> None:
        await world.raise_fence()
        description = await create_source(world)
        (first, twin), task = await shards_of([description, description], Replica(world))
        time = Timestamp(world.now + 5)
        done = await asyncio.gather(first.bind(time, {0: 1}, {}), twin.bind(time, {0: 2}, {}), return_exceptions=True)
        assert sum(isinstance(outcome, WriteRefused) for outcome in done) == 1
        task.cancel()

    run(story)


class BindingAmidReads(MemoryConsensus):
    """Between two shards that somebody reads, somebody else binds, as often as `left` says."""

    def __init__(self) -> None:
        super().__init__()
        self.left = 0
        self.bind: Callable[[], Awaitable[object]] | None = None

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        found = await super().scan(key, from_seqno)
        if self.left and self.bind is not None:
            self.left -= 1
            bind, self.bind = self.bind, None
            await bind()
            self.bind = bind
        return found


@pytest.mark.parametrize("times", range(1, 8))
def test_a_source_is_opened_whole_while_another_binds_it(times: int) -> None:
    async def story(world: World) -> None:
        consensus = BindingAmidReads()
        world = World(world.clock, consensus=consensus)
        await world.raise_fence()
        description = await create_source(world)
        (other,), task = await shards_of([description], Replica(world))
        bound: dict[Antichain, int] = {}

        async def bind() -> None:
            number = len(bound) + 1
            await other.bind(Timestamp(world.now + number), {0: number}, {})
            bound[other.upper] = number

        await bind()
        consensus.bind, consensus.left = bind, times
        (opened,), opened_task = await shards_of([description], Replica(world))
        assert consensus.left == 0, "others have bound in between"
        assert opened.frontier == {0: bound[opened.upper]}
        opened_task.cancel()
        task.cancel()

    run(story)


class _SlowReads(MemoryConsensus):
    """Each takes a moment."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        await self._clock.sleep(0.005)
        return await super().scan(key, from_seqno)


def test_a_source_of_many_tables_is_opened_while_another_binds_it_all_the_time() -> None:
    async def story(world: World) -> None:
        world = World(world.clock, consensus=_SlowReads(world.clock))
        await world.raise_fence()
        description = await create_source(world)
        at, (own,) = Antichain(world.now), description.collections
        tables = [GlobalId.user(number) for number in range(100, 140)]
        for id_ in tables:
            await world.seed.create(id_, own.desc, at, at)
        description = dataclasses.replace(
            description, collections=(own, *(dataclasses.replace(own, id=id_) for id_ in tables))
        )
        (other,), task = await shards_of([description], Replica(world))

        async def bind() -> None:
            for number in range(1, 1_000):
                await other.bind(Timestamp(world.now + number), {0: number}, {})
                await world.clock.sleep(0.05)

        binding = asyncio.create_task(bind())
        began = world.clock.elapsed_ns()
        (opened,), opened_task = await shards_of([description], Replica(world))
        assert world.clock.elapsed_ns() - began < 1_000_000_000
        assert opened.begun
        for each in (binding, opened_task, task):
            each.cancel()

    run(story)


def test_a_newer_environment_fences_every_binding() -> None:
    async def story(world: World) -> None:
        await world.raise_fence()
        found, task = await shards_of(await sources(world), Replica(world))
        await world.raise_fence()
        time = Timestamp(world.now + 5)
        done = await asyncio.gather(*(each.bind(time, {}, {}) for each in found), return_exceptions=True)
        assert all(isinstance(outcome, FencedOut) for outcome in done)
        task.cancel()

    run(story)


def test_sources_with_one_interval_share_their_moments() -> None:
    source = random.Random(0)
    for _ in range(100):
        now, interval = source.random() * 1e5, source.choice((0.05, 1.0, 2.5))
        moment = next_moment(now, interval)
        assert now < moment <= now + interval * 1.002
        assert next_moment((now + moment) / 2, interval) in (moment, moment + interval)
