"""A dataflow's exports are what its definition says, at every time, whatever stops and fails in between."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from compute.protocol.dataflow import DataflowDescription
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4, INT8
from model.updates.update import Update, updates_to_arrow
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Get, Reduce, Relation
from planner.ir.scalar import Column
from tests.compute.dataflows.world import DESC, Replica, World, describe, index_on, shard_desc
from tests.compute.dataflows.worlds import run

_TABLE = GlobalId.user(1)
_COUNTS: Relation = Reduce(Get(_TABLE, DESC), (Column(0, INT4),), (Aggregate("count_star", (), INT8),), ("a", "count"))
_COUNTS_DESC = relation_desc(("a", INT4), ("count", INT8))


def counts(rows: Counter[Row]) -> Counter[Row]:
    """What _COUNTS makes of rows."""
    groups: Counter[Datum] = Counter()
    for row, count in rows.items():
        groups[row[0]] += count
    made: Counter[Row] = Counter()
    made.update(groups.items())
    return made


def with_err(rows: Counter[Row]) -> Counter[Row]:
    """As they lie in a shard."""
    return Counter({(*row, None): count for row, count in rows.items()})


async def change(world: World, source: random.Random) -> Timestamp:
    """A commit that adds some rows and removes others."""
    held = list(world.rows_at(1, world.now).elements())
    gone = source.sample(held, min(len(held), source.randrange(3)))
    rows: Counter[Row] = Counter()
    rows.update((source.randrange(4), source.choice("xyz")) for _ in range(source.randrange(4)))
    rows.subtract(gone)
    changes = [(row, diff) for row, diff in rows.items() if diff]
    return await world.commit({1: changes} if changes else {}, after_ms=source.randrange(1, 4))


async def same_as_defined(world: World, replica: Replica, begin: int) -> None:
    """The index 3 and the shard 2 of _COUNTS, at every time from `begin` on."""
    await replica.caught_up(2, 3)
    for time in range(begin, world.now):
        expected = counts(world.rows_at(1, time))
        assert await replica.index_at(3, time, _COUNTS_DESC) == expected
        assert await world.shard_at(2, time) == with_err(expected)


async def begun(world: World, source: random.Random) -> tuple[Replica, DataflowDescription]:
    """Some commits, then a replica with the dataflow."""
    item = await world.table(1)
    for _ in range(1 + source.randrange(3)):
        await change(world, source)
    shard = await world.view_shard(2, _COUNTS_DESC)
    description = describe([item], (2, _COUNTS), [index_on(3, 2, Column(0, INT4)), shard], world.now)
    replica = Replica(world)
    replica.start(description)
    return replica, description


@pytest.mark.parametrize("seed", range(8))
def test_an_index_and_a_shard_hold_what_the_view_says_at_every_time(seed: int) -> None:
    async def work(world: World) -> None:
        source = random.Random(seed)
        replica, _ = await begun(world, source)
        begin = world.now
        for _ in range(10):
            await change(world, source)
            if source.random() < 0.5:
                await replica.caught_up(3)
        await same_as_defined(world, replica, begin)
        await replica.dataflows.stop()

    run(work)


@pytest.mark.parametrize("seed", range(8))
def test_a_replica_that_begins_anew_writes_nothing_twice(seed: int) -> None:
    async def work(world: World) -> None:
        source = random.Random(seed)
        replica, description = await begun(world, source)
        begin = world.now
        for _ in range(5):
            for _ in range(source.randrange(4)):
                await change(world, source)
                replica.hint()
                await world.clock.sleep(source.choice([0.0, 0.001, 2.0]))
            await replica.kill()
            for _ in range(source.randrange(3)):
                await change(world, source)
            replica = Replica(world)
            replica.start(description)
        await replica.caught_up(2, 3)
        for time in range(begin, world.now):
            assert await world.shard_at(2, time) == with_err(counts(world.rows_at(1, time)))
        since = replica.frontiers(3).since
        assert since is not None and since.time is not None
        for time in range(since.time, world.now):
            assert await replica.index_at(3, time, _COUNTS_DESC) == counts(world.rows_at(1, time))

    run(work)


def test_a_shard_that_says_something_else_is_corrected() -> None:
    async def work(world: World) -> None:
        source = random.Random(1)
        replica, description = await begun(world, source)
        await change(world, source)
        await replica.caught_up(2)
        await replica.kill()
        upper = await world.shard_upper(2)
        wrong = updates_to_arrow([Update((99, 1, None), Timestamp(upper), 1)], shard_desc(_COUNTS_DESC))
        machine = world.storage.machine("u2")
        append = await machine.prepare_append([wrong], Antichain.at(upper), Antichain.at(upper + 1), exact=True)
        await world.storage.commit([append])
        await change(world, source)
        replica = Replica(world)
        replica.start(description)
        await replica.caught_up(2)
        await change(world, source)
        await replica.caught_up(2)
        assert await world.shard_at(2, world.now - 1) == with_err(counts(world.rows_at(1, world.now)))

    run(work)
