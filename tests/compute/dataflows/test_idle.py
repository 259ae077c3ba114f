"""Where nothing changes, views do next to nothing: counted are wake-ups, ticks, reports and writes, not time."""

from __future__ import annotations

import pytest

from compute.replica.dataflows.runner import DataflowRunner
from compute.replica.running.watch import ROUND_S, TURNS_S
from compute.replica.tasks.events import Reported
from tests.compute.dataflows.test_attention import Many
from tests.compute.dataflows.world import World
from tests.compute.dataflows.worlds import run

_UNTIL_STILL_S = 60
_VIEWS = 40


def test_views_over_a_still_table_are_woken_once_a_round_and_tick_never(monkeypatch: pytest.MonkeyPatch) -> None:
    """The timeline moves each second, and they are told of the last change, read, and a minute has gone."""
    woken = 0
    told = DataflowRunner._told

    def counted(self: DataflowRunner) -> None:
        nonlocal woken
        woken += 1
        told(self)

    monkeypatch.setattr(DataflowRunner, "_told", counted)

    async def second(world: World, many: Many) -> None:
        await world.commit({})
        many.replica.hint()
        await world.clock.sleep(1.0)

    async def work(world: World) -> None:
        nonlocal woken
        many = Many(world, together=True)
        await many.create()
        await many.hydrate()
        await world.commit({1: [((1, "a"), 1)]})
        await many.replica.caught_up(*range(10, 10 + _VIEWS))
        for _ in range(_UNTIL_STILL_S):
            await second(world, many)
        woken, reports = 0, len([event for event in many.replica.heard if isinstance(event, Reported)])
        many.begun.clear()
        versions = await _versions(world)
        for _ in range(int(ROUND_S)):
            await second(world, many)
        assert many.begun == []
        assert _VIEWS // 2 <= woken <= 2 * _VIEWS, "each is told in its turn that time has passed"
        assert len([event for event in many.replica.heard if isinstance(event, Reported)]) - reports <= 4 * _VIEWS
        assert await _versions(world) - versions <= 2 * _VIEWS

    run(work)


def test_views_whose_turns_come_are_told_together() -> None:
    """Of time that has passed each hears in its round, and in far fewer writes than there are views."""

    async def work(world: World) -> None:
        many = Many(world, together=True)
        await many.create()
        await many.hydrate()
        await many.replica.caught_up(*range(10, 10 + _VIEWS))
        uppers = [await world.shard_upper(10 + number) for number in range(_VIEWS)]
        moments = set[int]()
        for _ in range(int(ROUND_S + TURNS_S)):
            before = await _versions(world)
            await world.commit({})
            many.replica.hint()
            await world.clock.sleep(1.0)
            if await _versions(world) != before:
                moments.add(world.now)
        assert len(moments) <= 2 * ROUND_S / TURNS_S
        for number, upper in enumerate(uppers):
            assert await world.shard_upper(10 + number) > upper

    run(work)


async def _versions(world: World) -> int:
    """How often the views' shards have been written."""
    return sum([len(await world.consensus.scan(f"shard/u{id_}", 1)) for id_ in range(10, 10 + _VIEWS)])
