"""Wherever a replica dies, between any two steps, the next one goes on: nothing is written twice, or is missing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from compute.protocol.dataflow import DataflowDescription
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import step_back
from model.types.datum import Row
from model.types.scalar_type import INT4
from planner.ir.relation import Get
from planner.ir.scalar import Column
from tests.compute.dataflows.mortal import MortalConsensus, MortalMaintenance, Steps
from tests.compute.dataflows.world import DESC, Replica, World, describe, index_on
from tests.compute.dataflows.worlds import run

_INDEX, _VIEW = 3, 2
_COMMITS: tuple[list[tuple[Row, int]], ...] = (
    [((0, "x"), 1)],
    [((1, "x"), 1)],
    [],
    [((0, "x"), -1), ((2, None), 1)],
    [((50, "a"), -1)],
    [],
)


def replica_of(world: World, root: Path, steps: Steps) -> Replica:
    consensus = MortalConsensus(world.consensus, steps)
    return Replica(world, lambda places: MortalMaintenance(places, root, steps), consensus)


async def live(world: World, description: DataflowDescription, root: Path, steps: Steps) -> bool:
    """Commits one by one, as far as the replica lives; whether it outlived all of them."""
    replica = replica_of(world, root, steps)
    replica.start(description)
    for rows in _COMMITS:
        await world.commit({1: rows} if rows else {})
        replica.hint()
        await compacted(world, replica)
        # Long enough for checkpoints and for advances, too.
        for _ in range(12):
            await world.clock.sleep(1.0)
            if steps.dead.is_set():
                await replica.kill()
                return False
    await replica.kill()
    return True


async def compacted(world: World, replica: Replica) -> None:
    """As an environment: what the replica needs no more of its input is let go."""
    durable = replica.frontiers(_INDEX).durable
    if durable is not None and durable.time:
        await world.seed.allow_compaction(GlobalId.user(1), Antichain(step_back(durable.time)))


async def finish(world: World, description: DataflowDescription, root: Path, begin: int) -> None:
    """A life that does not end: what is in the shard and the index is what is in the table, at every time."""
    await world.commit({1: [((100, "y"), 2)]})
    replica = replica_of(world, root, Steps(10**9))
    replica.start(description)
    await replica.caught_up(_VIEW, _INDEX)
    await world.commit({1: [((101, "y"), 1)]})
    await replica.caught_up(_VIEW, _INDEX)
    for time in range(begin, world.now):
        held = Counter({(*row, None): count for row, count in world.rows_at(1, time).items()})
        assert await world.shard_at(_VIEW, time) == held
    since = replica.frontiers(_INDEX).since
    assert since is not None and since.time is not None
    for time in range(since.time, world.now):
        assert await replica.index_at(_INDEX, time, DESC) == world.rows_at(1, time)
    await replica.dataflows.stop()


async def dies_at(world: World, root: Path, step: int) -> bool:
    """Whether a life that may take so many steps ends before its work does."""
    item = await world.table(1)
    await world.commit({1: [((50, "a"), 1), ((51, None), 2)]})
    shard = await world.view_shard(_VIEW, DESC)
    begin = world.now
    view = (_VIEW, Get(item.id, DESC))
    description = describe([item], view, [index_on(_INDEX, _VIEW, Column(0, INT4)), shard], begin)
    await world.commit({1: [((52, "b"), 1)]})
    steps = Steps(step)
    outlived = await live(world, description, root, steps)
    await finish(world, description, root, begin)
    return not outlived


def test_the_next_replica_goes_on_from_wherever_one_died(tmp_path: Path) -> None:
    died = True
    step = 0
    while died:
        died = run(lambda world: dies_at(world, tmp_path / str(step), step))  # noqa: B023
        step += 1
    assert step > 40, "a life has more steps than that"
