"""Views whose ticks go together in rounds: wherever a replica dies, between two members of a round or between what each
does by itself afterwards, the next one goes on with every member from where that was.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.kept import open_kept
from compute.replica.dataflows.maintained import Company, Input, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from compute.replica.dataflows.states import LocalStates
from compute.replica.dataflows.together import Together
from compute.replica.running import shard_commits
from compute.replica.running.places import Places
from compute.replica.running.shard_writer import ShardWriter, commit_writes
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp, step_back
from model.types.datum import Row
from planner.ir.relation import Get
from storage.persist.shard import PreparedWrite
from tests.compute.dataflows.mortal import Mortal, MortalConsensus, Steps
from tests.compute.dataflows.rounds import Given, InlineRounds, go_in_round
from tests.compute.dataflows.world import DESC, Replica, World, describe
from tests.compute.dataflows.worlds import run

_VIEWS = (2, 3, 4)
_COMMITS: tuple[list[tuple[Row, int]], ...] = ([], [((0, "x"), 1), ((50, "a"), -1)], [((0, "x"), -1), ((2, None), 1)])


class _Rounded(Mortal):
    """Its ticks go in rounds, in which each member's end is a step."""

    together: Together

    @property
    def company(self) -> Company:
        return Company.TOGETHER

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        given = Given()
        read = await super().tick(inputs, lower, upper, given)
        return await go_in_round(self.together, self.steps, given, outputs, read)


class _Maintenance:
    """State lies in `root`."""

    def __init__(self, places: Places, root: Path, steps: Steps, worker: InlineRounds) -> None:
        self._places = places
        self._root = root
        self._steps = steps
        self._together = Together(worker, root / "rounds")  # type: ignore[arg-type]

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> _Rounded:
        state = await open_kept(LocalStates(self._root / "kept"), shelf, {}, self._places.runner)
        rounded = _Rounded(description, computation, state, self._places)
        rounded.steps, rounded.together = self._steps, self._together
        return rounded

    async def retain(self, descriptions: tuple[DataflowDescription, ...]) -> None:
        LocalStates(self._root / "kept").retain(descriptions)


def _replica(world: World, root: Path, steps: Steps, worker: InlineRounds) -> Replica:
    consensus = MortalConsensus(world.consensus, steps)
    return Replica(world, lambda places: _Maintenance(places, root, steps, worker), consensus)


async def _live(world: World, descriptions: list[DataflowDescription], root: Path, steps: Steps) -> bool:
    """Whether a replica outlives all commits. Between them is time for checkpoints."""
    worker = InlineRounds()
    replica = _replica(world, root, steps, worker)
    for description in descriptions:
        replica.start(description)
    for rows in _COMMITS:
        await world.commit({1: rows} if rows else {})
        replica.hint()
        for _ in range(11):
            await world.clock.sleep(1.0)
            await _compacted(world, replica)
            if steps.dead.is_set():
                await replica.kill()
                return False
    await replica.kill()
    assert worker.ended < len(_VIEWS) * (1 + len(_COMMITS)), "members went together"
    return True


async def _compacted(world: World, replica: Replica) -> None:
    """As an environment: what no member of a round needs of the input any more is let go."""
    durable = [replica.frontiers(view).durable for view in _VIEWS]
    times = [each.time for each in durable if each is not None and each.time]
    if len(times) == len(_VIEWS):
        await world.seed.allow_compaction(GlobalId.user(1), Antichain(step_back(min(times))))


async def _dies_at(world: World, root: Path, step: int) -> bool:
    """Whether a replica that may take so many steps dies; what the next one makes of it is right at every time."""
    item = await world.table(1)
    await world.commit({1: [((50, "a"), 1), ((51, None), 2)]})
    shards = [await world.view_shard(view, DESC) for view in _VIEWS]
    begin = world.now
    descriptions = [
        describe([item], (view, Get(item.id, DESC)), [shard], begin) for view, shard in zip(_VIEWS, shards, strict=True)
    ]
    await world.commit({1: [((52, "b"), 1)]})
    outlived = await _live(world, descriptions, root, Steps(step))
    await world.commit({1: [((100, "y"), 2)]})
    replica = _replica(world, root, Steps(10**9), InlineRounds())
    for description in descriptions:
        replica.start(description)
    await replica.caught_up(*_VIEWS)
    await world.clock.sleep(5.0)
    for time in range(begin, world.now):
        held = Counter({(*row, None): count for row, count in world.rows_at(1, time).items()})
        for view in _VIEWS:
            assert await world.shard_at(view, time) == held, f"step {step}, view {view}, time {time}"
    await replica.dataflows.stop()
    return not outlived


def _lives(root: Path) -> Iterator[bool]:
    """Of each step that a replica may die at, until one outlives its work: whether it died."""
    died, step = True, 0
    while died:
        died = run(lambda world: _dies_at(world, root / str(step), step))  # noqa: B023
        yield died
        step += 1


def test_the_next_replica_goes_on_with_every_member_of_a_round(tmp_path: Path) -> None:
    assert sum(_lives(tmp_path)) > 30, "there are more steps than that"


@contextmanager
def _told_with_the_first() -> Iterator[None]:
    """Of writes that go together the first is made, all are told that they are, and the others are made a second later:
    only a death in that second shows it."""

    async def hasty(writes: Sequence[tuple[ShardWriter, PreparedWrite]], places: Places) -> None:
        await commit_writes(writes[:1], places)
        if others := writes[1:]:
            later.append(asyncio.create_task(late(others, places)))

    async def late(writes: Sequence[tuple[ShardWriter, PreparedWrite]], places: Places) -> None:
        await places.clock.sleep(1.0)
        await commit_writes(writes, places)

    later: list[asyncio.Task[None]] = []
    with patch.object(shard_commits, "commit_writes", hasty):
        yield


def test_a_death_between_members_shows_who_was_told_too_soon(tmp_path: Path) -> None:
    with _told_with_the_first():
        assert not run(lambda world: _dies_at(world, tmp_path / "outlives", 10**6))
        with pytest.raises(AssertionError, match="step"):
            for _ in _lives(tmp_path):
                pass
