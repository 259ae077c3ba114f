"""Writes of many views in few steps: all land, and none keeps another from landing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from compute.replica.running.shard_commits import ShardCommits
from compute.replica.running.shard_writer import FencedOut, ShardWriter, WriteRefused
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.updates.update import Update, updates_to_arrow
from tests.compute.dataflows.world import DESC, Replica, World, shard_desc
from tests.compute.dataflows.worlds import run
from tests.storage.memory import MemoryConsensus

_VIEWS = range(2, 12)


class CountingConsensus(MemoryConsensus):
    """`steps` are the keys that each step wrote."""

    def __init__(self) -> None:
        super().__init__(pause=lambda: asyncio.sleep(0.01))
        self.steps: list[set[str]] = []

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        self.steps.append(set(writes))
        return await super().compare_and_set(expected, writes)


async def writers(world: World, replica: Replica) -> tuple[dict[int, ShardWriter], asyncio.Task[None]]:
    """One for each view, all through the same commits; and the task of these."""
    commits = ShardCommits(replica.places)
    found = {}
    for number in _VIEWS:
        export = await world.view_shard(number, DESC)
        found[number] = ShardWriter(export, replica.places, commits.commit, lambda _state: None)
        await found[number].open()
    return found, asyncio.create_task(commits.run())


async def write(world: World, writer: ShardWriter, number: int) -> None:
    """One row at the time that it is."""
    update = Update((number, "x", None), world.now, 1)
    await writer.append([updates_to_arrow([update], shard_desc(DESC))], Antichain(Timestamp(world.now + 1)))


def test_writes_that_come_together_take_two_steps() -> None:
    async def story(world: World) -> None:
        consensus = CountingConsensus()
        world = World(world.clock, consensus=consensus)
        await world.raise_fence()
        found, task = await writers(world, Replica(world))
        consensus.steps.clear()
        first = asyncio.create_task(write(world, found[2], 2))
        await world.clock.sleep(0.005)
        await asyncio.gather(first, *(write(world, found[number], number) for number in _VIEWS if number != 2))
        assert len(consensus.steps) == 2
        for number in _VIEWS:
            assert await world.shard_at(number, world.now) == {(number, "x", None): 1}
        task.cancel()

    run(story)


def test_one_that_does_not_fit_is_refused_alone() -> None:
    async def story(world: World) -> None:
        await world.raise_fence()
        replica = Replica(world)
        found, task = await writers(world, replica)
        other = ShardWriter(found[5].export, replica.places, ShardCommits(replica.places).commit, lambda _state: None)
        await other.open()
        # Another has written what the fifth is about to write.
        await write(world, found[5], 5)
        found[5] = ShardWriter(found[5].export, replica.places, found[2]._commit, lambda _state: None)
        found[5].machine.adopt(other.machine.state)
        done = await asyncio.gather(*(write(world, found[number], number) for number in _VIEWS), return_exceptions=True)
        assert [number for number, outcome in zip(_VIEWS, done) if outcome is not None] == [5]
        assert isinstance(done[3], WriteRefused) and not isinstance(done[3], FencedOut)
        for number in _VIEWS:
            assert await world.shard_at(number, world.now) == {(number, "x", None): 1}
        task.cancel()

    run(story)


def test_two_writers_of_one_shard_are_not_mixed() -> None:
    async def story(world: World) -> None:
        await world.raise_fence()
        replica = Replica(world)
        found, task = await writers(world, replica)
        twin = ShardWriter(found[2].export, replica.places, found[2]._commit, lambda _state: None)
        await twin.open()
        done = await asyncio.gather(
            write(world, found[2], 2), write(world, twin, 2), write(world, found[3], 3), return_exceptions=True
        )
        assert sum(isinstance(outcome, WriteRefused) for outcome in done) == 1
        assert await world.shard_at(2, world.now) == {(2, "x", None): 1}
        task.cancel()

    run(story)


def test_a_newer_environment_fences_all() -> None:
    async def story(world: World) -> None:
        await world.raise_fence()
        found, task = await writers(world, Replica(world))
        await world.raise_fence()
        done = await asyncio.gather(*(write(world, found[number], number) for number in _VIEWS), return_exceptions=True)
        assert all(isinstance(outcome, FencedOut) for outcome in done)
        task.cancel()

    run(story)


@pytest.mark.parametrize("cancelled", [True, False])
def test_whoever_is_cancelled_waits_for_the_outcome(cancelled: bool) -> None:
    async def story(world: World) -> None:
        world = World(world.clock, consensus=CountingConsensus())
        await world.raise_fence()
        found, task = await writers(world, Replica(world))
        writing = asyncio.create_task(write(world, found[2], 2))
        await world.clock.sleep(0.005)
        if cancelled:
            writing.cancel()
        await asyncio.wait([writing])
        assert writing.cancelled() is cancelled
        assert await world.shard_at(2, world.now) == {(2, "x", None): 1}
        task.cancel()

    run(story)
