"""A view that may not write follows the shard that another replica writes, and takes over, with a correction where the
other one computed otherwise."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from compute.protocol.dataflow import DataflowDescription, ShardExport
from compute.protocol.response import DataflowPhase
from compute.replica.dataflows.exports.shard_follower import ShardFollower
from compute.replica.dataflows.exports.shard_sink import ShardSink
from compute.replica.tasks.events import SetWritable
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.scalar_type import BOOL, INT4
from planner.ir.relation import Filter, Get, Relation
from planner.ir.scalar import Call, Column, Literal, Scalar
from tests.compute.dataflows.world import DESC, Replica, World, describe, index_on
from tests.compute.dataflows.worlds import run

_TABLE, _VIEW, _INDEX = GlobalId.user(1), GlobalId.user(2), 3


def _over(least: int) -> Relation:
    """The rows whose first column is greater."""
    return Filter(Get(_TABLE, DESC), (_greater(least),))


def _greater(least: int) -> Scalar:
    return Call("gt_int4_int4", (Column(0, INT4), Literal(least, INT4)), BOOL)


def _wanted(world: World, least: int, time: int) -> Counter[Row]:
    rows = world.rows_at(1, time)
    return Counter({(*row, None): n for row, n in rows.items() if isinstance(row[0], int) and row[0] > least})


class _Two:
    """A world with one view's shard, written by a leader's replica; and a standby's, whose code keeps other rows."""

    def __init__(self, world: World, source: random.Random, least: int) -> None:
        self.world = world
        self.source = source
        self.least = least

    async def begin(self) -> None:
        item = await self.world.table(1)
        self.shard: ShardExport = await self.world.view_shard(2, DESC)
        self.item = item
        self.old = Replica(self.world)
        self.old.start(self.described(0, self.world.now))

    def described(self, least: int, as_of: int) -> DataflowDescription:
        return describe([self.item], (2, _over(least)), [self.shard], as_of)

    async def stand_by(self) -> int:
        """The standby begins, as of now; the number of its dataflow."""
        await self.old.caught_up(2)
        self.new = Replica(self.world)
        return self.new.start(self.described(self.least, self.world.now - 1), writable=False)

    async def write(self) -> None:
        held = self.world.rows_at(1, self.world.now)
        rows: list[tuple[Row, int]] = [((self.source.randrange(6), "x"), self.source.choice((1, 1, 2)))]
        rows += [(row, -1) for row in held if self.source.random() < 0.3 and row != rows[0][0]]
        await self.world.commit({1: rows}, after_ms=self.source.choice((1, 1, 500)))
        self.old.hint()
        if hasattr(self, "new"):
            self.new.hint()
        await self.world.clock.sleep(self.source.choice((0.0, 0.001, 1.1)))

    async def promote(self, number: int) -> None:
        """The leader's replica is fenced at any moment, and the standby may write."""
        await self.world.raise_fence()
        self.new.fencing.replace(self.world.preconditions)
        self.new.dataflows.carry_out(SetWritable(number, True))


async def _trial(world: World, seed: int) -> None:
    source = random.Random(seed)
    two = _Two(world, source, source.choice((0, 0, 2, 4)))
    await two.begin()
    for _ in range(source.randrange(4)):
        await two.write()
    number = await two.stand_by()
    for _ in range(source.randrange(8)):
        await two.write()
    if source.random() < 0.5:
        await two.new.until(lambda: _hydrated(two))
    before = world.now
    upper = await world.shard_upper(2)
    await two.promote(number)
    for _ in range(source.randint(1, 4)):
        await two.write()
    await two.new.caught_up(2)
    upper = max(upper, before)
    # Who reads what was written before the promotion reads what was told then, or what is right.
    for time in range(upper + 1, world.now):
        assert await world.shard_at(2, time) == _wanted(world, two.least, time)
    assert await world.shard_at(2, world.now - 1) == _wanted(world, two.least, world.now - 1)
    await asyncio.gather(two.old.dataflows.stop(), two.new.dataflows.stop())


def _hydrated(two: _Two) -> bool:
    upper = two.new.frontiers(2).upper
    return upper is not None and not upper.less_equal(Timestamp(two.world.now - 1500))


def _shows(seed: int) -> bool:
    try:
        run(lambda world: asyncio.wait_for(_trial(world, seed), 200))
    except (AssertionError, SqlError, TimeoutError):
        return True
    return False


def test_a_standby_that_is_promoted_at_any_moment_goes_on_and_corrects() -> None:
    with capture_logs():
        assert [seed for seed in range(25) if _shows(seed)] == []


def nothing_is_compared() -> AbstractContextManager[object]:
    return patch.object(ShardFollower, "agrees", True)


def it_writes_before_it_has_come_to_the_end() -> AbstractContextManager[object]:
    async def take_over(self: ShardSink, upper: Antichain) -> None:
        self._leave_off()

    return patch.object(ShardSink, "take_over", take_over)


def the_first_contents_are_not_compared() -> AbstractContextManager[object]:
    compare = ShardFollower.compare

    async def changes_alone(self: ShardFollower, *args: object, whole: bool) -> None:
        if not whole:
            await compare(self, *args, whole=False)  # type: ignore[arg-type]

    return patch.object(ShardFollower, "compare", changes_alone)


@pytest.mark.parametrize(
    "bug", [nothing_is_compared, it_writes_before_it_has_come_to_the_end, the_first_contents_are_not_compared]
)
def test_a_planted_bug_is_found(bug: Callable[[], AbstractContextManager[object]]) -> None:
    with bug(), capture_logs():
        assert any(_shows(seed) for seed in range(60))


def _run(work: Callable[[_Two], Awaitable[None]], least: int = 0) -> None:
    async def begin(world: World) -> None:
        two = _Two(world, random.Random(1), least)
        await two.begin()
        await world.commit({1: [((5, "a"), 1), ((1, "b"), 1)]})
        await work(two)
        await asyncio.gather(two.old.dataflows.stop(), two.new.dataflows.stop())

    run(begin)


def test_a_standby_hydrates_without_a_write_and_goes_on_at_once() -> None:
    async def work(two: _Two) -> None:
        number = await two.stand_by()
        await two.new.until(lambda: _hydrated(two))
        versions = two.new.places.consensus
        before = await versions.head(["shard/u2"])
        await two.world.clock.sleep(30)
        assert await versions.head(["shard/u2"]) == before
        await two.old.dataflows.stop()
        await two.promote(number)
        await two.world.commit({1: [((7, "c"), 1)]})
        begun = two.world.clock.elapsed_ns()
        await two.new.caught_up(2)
        assert two.world.clock.elapsed_ns() - begun < 1e9
        assert await two.world.shard_at(2, two.world.now - 1) == _wanted(two.world, 0, two.world.now - 1)

    _run(work)


def test_an_index_of_a_standby_follows_beside_its_view() -> None:
    async def work(two: _Two) -> None:
        number = await two.stand_by()
        description = describe([two.item], (4, _over(0)), [index_on(_INDEX, 4, Column(0, INT4))], two.world.now - 1)
        two.new.start(description, writable=False)
        await two.new.caught_up(_INDEX)
        held = await two.new.index_at(_INDEX, Timestamp(two.world.now - 1), DESC)
        assert held == Counter({(5, "a"): 1, (1, "b"): 1})
        await two.promote(number)
        await two.write()
        await two.new.caught_up(2, _INDEX)

    _run(work)


def test_a_follower_that_was_left_behind_begins_anew() -> None:
    async def work(two: _Two) -> None:
        number, world = await two.stand_by(), two.world
        await two.new.until(lambda: _hydrated(two))
        look, watch = two.new.dataflows._watch.look, two.new.dataflows._watch
        with patch.object(watch, "look", lambda: asyncio.sleep(0)):
            for _ in range(3):
                await two.write()
            await two.old.caught_up(2)
            for id_ in (_TABLE, _VIEW):
                await world.storage.load([id_])
                writes = world.storage.prepare_allow_compaction({id_: Antichain(Timestamp(world.now - 1))})
                await world.storage.commit(writes)
        await look()
        await two.promote(number)
        await two.write()
        await two.new.caught_up(2)
        assert await world.shard_at(2, world.now - 1) == _wanted(world, 3, world.now - 1)
        assert len([each for each in two.new.statuses() if each.phase is DataflowPhase.HYDRATING]) > 1

    _run(work, least=3)
