"""A whole environment in virtual time, with the interpreter in Spark's place: what laws of the server are tried in."""

from __future__ import annotations

import asyncio
import functools
import random
from collections.abc import Awaitable, Callable

import pytest

from model.errors.sql_error import SqlError
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE


class World:
    """One place, one environment at a time, any number of clients."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.clock = VirtualClock(loop)
        self._places = Places(MemoryConsensus(_no_time), MemoryBlob(_no_time))
        self._source = random.Random(1)
        self._lives = 0
        self._pids = 1000
        self.life: Incarnation

    async def begin(self) -> None:
        self._lives += 1
        number = self._lives

        async def begun() -> Incarnation:
            return await begin_life(number, self._places, self.clock, self._source, RELIABLE)

        self.life = await asyncio.create_task(begun())

    async def restart(self) -> None:
        """kill -9, and a new environment on what it left."""
        self.life.kill()
        await asyncio.sleep(0.01)
        await self.begin()

    def client(self, database: str = "headwater") -> SimClient:
        self._pids += 1
        return SimClient(self.life.environment, self._pids, database)


async def _no_time() -> None:
    await asyncio.sleep(0)


Law = Callable[[World], Awaitable[None]]


def simulated(law: Law) -> Callable[[], None]:
    """The test runs in a world of its own, with tables t and u (a int, b text), empty."""

    @functools.wraps(law)
    def test() -> None:
        loop = VirtualLoop()
        loop.set_task_factory(task_of_its_life)
        world = World(loop)

        async def live() -> None:
            await world.begin()
            client = world.client()
            await client.query("CREATE TABLE t (a int, b text); CREATE TABLE u (a int, b text)")
            await asyncio.wait_for(law(world), 3600)
            world.life.kill()
            await asyncio.sleep(0.01)

        run_virtual(loop, live())

    # pytest would take the law's parameter for a fixture.
    del test.__wrapped__
    return test


async def fails(client: SimClient, sql: str) -> str:
    """The SQLSTATE that `sql` fails with."""
    with pytest.raises(SqlError) as raised:
        await client.query(sql)
    return raised.value.sqlstate.value


async def value(client: SimClient, sql: str) -> object:
    ((found,),) = await client.query(sql)
    return found


async def now_of(client: SimClient) -> int:
    found = await value(client, "SELECT mz_now()::text::int8")
    assert isinstance(found, int)
    return found
