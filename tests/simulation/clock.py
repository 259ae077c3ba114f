"""A wall clock that jumps by seconds, hours and days, a process that is stopped for a while, and restarts in between:
time goes on at half to double speed, nothing of the past that is kept goes early, no lease ends early, nobody waits.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from unittest.mock import patch

from model.errors.sql_error import SqlError
from model.time.clock import Clock
from model.time.steady_clock import SteadyClock
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE

_LIVES, _ROUNDS = 2, 8
_KEPT_MS, _LEASE_MS = 30_000, 20_000
_LATE_MS = 1_000
"""By how much a timestamp may lag behind the clock, and a client's look at both with it."""
_ANSWERED_MS = 200
_JUMPS_MS = (5_000, 60_000, 3_600_000, 86_400_000)
Plant = Callable[[], AbstractContextManager[object]]


def run_clock(seed: int, planted: Plant = nullcontext) -> list[str]:
    """The violations that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    with planted():
        return run_virtual(loop, asyncio.wait_for(_Simulation(seed, loop).run(), 1_000_000))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a read saw: when, in real time, and in which life."""

    real_ms: int
    life: int
    timestamp: int
    count: int


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop) -> None:
        self._source = random.Random(seed)
        self._loop = loop
        self._clock = VirtualClock(loop)
        self._places = Places(MemoryConsensus(), MemoryBlob())
        self._life = 0
        self._seen: list[_Seen] = []
        self._leased: dict[str, int] = {}
        self.violations: list[str] = []

    async def run(self) -> list[str]:
        life = await self._begin()
        client = SimClient(life.environment, 1000)
        await client.query(f"CREATE TABLE t (n int) WITH (RETAIN HISTORY FOR '{_KEPT_MS} ms')")
        for _ in range(_LIVES):
            await self._live(client)
            life.kill()
            if self._source.random() < 0.5:
                self._jump()
            life = await self._begin()
            client = SimClient(life.environment, 1000 + self._life)
        life.kill()
        await asyncio.sleep(0.01)
        return [*self.violations, *self._speeds()]

    async def _begin(self) -> Incarnation:
        self._life += 1
        # Whether time that was kept has passed in between can't be told from a clock that was put forward.
        self._leased.clear()

        async def begin() -> Incarnation:
            return await begin_life(self._life, self._places, self._clock, self._source, RELIABLE)

        return await asyncio.create_task(begin())

    async def _live(self, client: SimClient) -> None:
        for _ in range(_ROUNDS):
            match self._source.randrange(8):
                case 0:
                    self._jump()
                case 1:
                    # The process is stopped, or the machine asleep.
                    self._loop.now += self._source.random() * 10
                case 2:
                    await self._hold(client)
                case _:
                    pass
            await asyncio.sleep(self._source.random() * 3)
            await self._write(client)
            await self._look(client)
            await self._look_back(client)

    def _jump(self) -> None:
        self._clock.offset_ms += self._source.choice(_JUMPS_MS) * self._source.choice((-1, 1))

    def _real_ms(self) -> int:
        return int(self._loop.now * 1000)

    async def _write(self, client: SimClient) -> None:
        asked = self._real_ms()
        await client.query(f"INSERT INTO t VALUES ({asked})")
        if self._real_ms() - asked > _ANSWERED_MS:
            self.violations.append(f"a write took {self._real_ms() - asked} ms")

    async def _look(self, client: SimClient) -> None:
        ((count, timestamp),) = await client.query("SELECT count(*), mz_now() FROM t")
        assert isinstance(count, int) and isinstance(timestamp, int)
        self._seen.append(_Seen(self._real_ms(), self._life, timestamp, count))

    async def _look_back(self, client: SimClient) -> None:
        """What is kept for a while is there for half of that at least, and so is a lease."""
        recent = [s for s in self._seen if s.life == self._life and self._real_ms() - s.real_ms < _KEPT_MS // 2 - 1_000]
        seen = self._source.choice(recent)
        try:
            ((count,),) = await client.query(f"SELECT count(*) FROM t AS OF {seen.timestamp}")
        except SqlError as error:
            self.violations.append(f"{self._real_ms() - seen.real_ms} ms later {seen} can't be read: {error.message}")
        else:
            if count != seen.count:
                self.violations.append(f"{count!r} rows, and {seen}")
        for name, began in self._leased.items():
            if self._real_ms() - began < _LEASE_MS // 2:
                try:
                    await client.query(f"CREATE READ HOLD again FROM {name}")
                    await client.query("DROP READ HOLD again")
                except SqlError as error:
                    self.violations.append(f"{self._real_ms() - began} ms after its beginning: {error.message}")

    async def _hold(self, client: SimClient) -> None:
        name = f"h{self._life}_{len(self._leased)}"
        began = self._real_ms()
        await client.query(f"CREATE READ HOLD {name} ON t WITH LEASE '{_LEASE_MS} ms'")
        self._leased[name] = began

    def _speeds(self) -> Iterator[str]:
        """Between any two reads timestamps have grown by half to twice the time that has passed."""
        for index, earlier in enumerate(self._seen):
            for later in self._seen[index + 1 :]:
                passed, grown = later.real_ms - earlier.real_ms, later.timestamp - earlier.timestamp
                if grown < passed / 2 - _LATE_MS:
                    yield f"timestamps grew by {grown} ms only, from {earlier} to {later}"
                if earlier.life == later.life and grown > 2 * passed + _LATE_MS:
                    yield f"timestamps grew by {grown} ms, from {earlier} to {later}"


@contextmanager
def time_is_the_wall_clock() -> Iterator[None]:
    """Whatever jumps it makes."""
    with patch.object(SteadyClock, "now_ms", lambda self: self._clock.now_ms()):
        yield


@contextmanager
def lives_begin_at_the_wall_clock() -> Iterator[None]:
    """Though time may have come further before."""
    begin = SteadyClock.__init__

    def forgetful(self: SteadyClock, clock: Clock, _no_earlier_than_ms: int = 0) -> None:
        begin(self, clock)

    with patch.object(SteadyClock, "__init__", forgetful):
        yield


@contextmanager
def sleep_does_not_count() -> Iterator[None]:
    """What passes while the process is stopped looks like a jump of the wall clock."""
    elapsed = VirtualClock.elapsed_ns
    counted: dict[VirtualClock, tuple[int, int]] = {}

    def awake(self: VirtualClock) -> int:
        now = elapsed(self)
        before, sum_ns = counted.get(self, (now, 0))
        sum_ns += min(now - before, 300_000_000)
        counted[self] = now, sum_ns
        return sum_ns

    with patch.object(VirtualClock, "elapsed_ns", awake):
        yield


BUGS: dict[str, Plant] = {
    "time is the wall clock": time_is_the_wall_clock,
    "lives begin at the wall clock": lives_begin_at_the_wall_clock,
    "sleep does not count": sleep_does_not_count,
}
