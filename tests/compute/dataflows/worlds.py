"""Running a test in a world of its own, in virtual time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tests.compute.dataflows.world import World
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual

T = TypeVar("T")


def run(work: Callable[[World], Awaitable[T]]) -> T:
    """What `work` returns."""
    loop = VirtualLoop()

    async def begin() -> T:
        world = World(VirtualClock(loop))
        await world.raise_fence()
        return await work(world)

    return run_virtual(loop, begin())
