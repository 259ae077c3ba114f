"""A lease is kept until everything of its leader has ended, and given up then, however early that is."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

from server.environment.environment import Environment
from server.start import turn
from server.start.turn import abandon, begin_turn
from tests.simulation.virtual_time import run_virtual
from tests.storage.memory import MemoryBlob
from tests.timeline.servers import Servers

_ENDING_S = 40
_AT_ONCE_S = 0.4


class _World(Servers):
    """A leader whose environment opens when told, and a standby."""

    async def opened(self, after_s: float = 0) -> Environment:
        await asyncio.sleep(after_s)
        storage = SimpleNamespace(consensus=self.consensus, blob=MemoryBlob())
        return cast(Environment, SimpleNamespace(tasks=[], storage=storage))


async def _slow_end(environment: Environment, *, leave_replica: bool) -> None:
    for task in environment.tasks:
        task.cancel()
    await asyncio.sleep(_ENDING_S)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> _World:
    monkeypatch.setattr(turn, "close_environment", _slow_end)
    return _World()


def test_a_standby_waits_for_a_leader_that_takes_long_to_end(world: _World) -> None:
    async def run() -> None:
        led = await begin_turn((await world.lease())[1], world.opened())
        assert led.keeping in led.environment.tasks
        standby = world.stands_by()
        await asyncio.sleep(10)
        ending = asyncio.create_task(led.end(fenced=False))
        await asyncio.sleep(_ENDING_S - 1)
        assert not standby.done() and not ending.done()
        await ending
        await asyncio.sleep(_AT_ONCE_S)
        assert standby.done(), "it was told"

    run_virtual(world.loop, run())


@pytest.mark.parametrize("stopped_after_s", [5, 20])
def test_who_is_stopped_while_it_opens_gives_the_lease_up(world: _World, stopped_after_s: float) -> None:
    async def run() -> None:
        opening = asyncio.create_task(begin_turn((await world.lease())[1], world.opened(after_s=10)))
        standby = world.stands_by()
        await asyncio.sleep(stopped_after_s)
        assert not standby.done()
        await abandon(opening)
        assert opening.done()
        await asyncio.sleep(_AT_ONCE_S)
        assert standby.done()

    run_virtual(world.loop, run())


def test_who_can_not_open_gives_the_lease_up(world: _World) -> None:
    async def refused() -> Environment:
        await asyncio.sleep(10)
        raise ValueError("no")

    async def run() -> None:
        opening = asyncio.create_task(begin_turn((await world.lease())[1], refused()))
        standby = world.stands_by()
        with pytest.raises(ValueError, match="no"):
            await opening
        await asyncio.sleep(_AT_ONCE_S)
        assert standby.done()

    run_virtual(world.loop, run())
