"""Transactions that append to lists by key and read them whole, wait, and commit, while compaction never rests.

Their history is strictly serializable (`tests/histories`), whatever environments are ended and taken over meanwhile.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Row
from tests.histories.list_append import Append, Done, Read, anomalies
from tests.simulation.compacting import (
    compacted_batches_lie_in_front,
    compaction_that_never_rests,
    validation_stops_early,
)
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, dismiss, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE, Faults

_CLIENTS, _KEYS, _LIVES, _LIFE_S = 5, 4, 2, 0.6
_REFUSED = (Sqlstate.SERIALIZATION_FAILURE, Sqlstate.DEADLOCK_DETECTED, Sqlstate.UNIQUE_VIOLATION)
_LOST = (
    Sqlstate.STATEMENT_COMPLETION_UNKNOWN,
    Sqlstate.ADMIN_SHUTDOWN,
    Sqlstate.SYSTEM_ERROR,
    Sqlstate.CANNOT_CONNECT_NOW,
    Sqlstate.IO_ERROR,
    Sqlstate.QUERY_CANCELED,
)
_SLOW = Faults(latency_ms_max=8)
Plant = Callable[[], AbstractContextManager[object]]


def run_appending(seed: int, planted: Plant = nullcontext) -> list[str]:
    """The anomalies that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    with planted(), compaction_that_never_rests(seed):
        return run_virtual(loop, asyncio.wait_for(_Simulation(seed, loop).run(), 6_000))


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop) -> None:
        self._source = random.Random(seed)
        self._loop = loop
        self._clock = VirtualClock(loop)
        self._places = Places(MemoryConsensus(self._no_time), MemoryBlob(self._no_time))
        self._history: list[Done] = []
        self._unexpected: list[str] = []
        self._lives = self._pids = self._value = 0

    async def run(self) -> list[str]:
        life = await self._begin()
        await self._client(life).query("CREATE TABLE lists (k int PRIMARY KEY, v text)")
        for number in range(_LIVES):
            clients = [asyncio.create_task(self._work(life)) for _ in range(_CLIENTS)]
            await asyncio.sleep(self._source.random() * _LIFE_S)
            last = number == _LIVES - 1
            takeover = not last and self._source.random() < 0.5
            if not takeover and not last:
                life.kill()
            following = life if last else await self._begin()
            for failure in await dismiss(clients):
                if not isinstance(failure, SqlError):
                    raise failure
            if takeover:
                life.kill()
            life = following
        client = self._client(life)
        await self._transact(client, [(key, None) for key in range(_KEYS)])
        life.kill()
        await asyncio.sleep(0.01)
        return [*self._unexpected, *(f"{each.kind}: {each.told}" for each in anomalies(self._history))]

    async def _no_time(self) -> None:
        await asyncio.sleep(self._source.random() * 0.002)

    async def _begin(self) -> Incarnation:
        self._lives += 1
        number, faults = self._lives, self._source.choice((RELIABLE, _SLOW))

        async def begin() -> Incarnation:
            return await begin_life(number, self._places, self._clock, self._source, faults)

        return await asyncio.create_task(begin())

    def _client(self, life: Incarnation) -> SimClient:
        self._pids += 1
        return SimClient(life.environment, 1000 + self._pids)

    async def _work(self, life: Incarnation) -> None:
        client = self._client(life)
        while True:
            await asyncio.sleep(self._source.random() * 0.02)
            if client.session.transaction_status != "I":
                await client.query("ROLLBACK")
            count = self._source.choice((1, 2, 2, 3))
            keys = [self._source.randrange(_KEYS) for _ in range(count)]
            await self._transact(
                client, [(key, self._fresh() if self._source.random() < 0.6 else None) for key in keys]
            )

    def _fresh(self) -> int:
        self._value += 1
        return self._value

    async def _transact(self, client: SimClient, wanted: list[tuple[int, int | None]]) -> None:
        """Reads the list of each key, or appends a value to it."""
        asked = self._loop.now
        done: list[Append | Read] = []
        committed: bool | None = False
        try:
            await client.query("BEGIN")
            for key, value in wanted:
                if value is None:
                    rows = await client.query(f"SELECT v FROM lists WHERE k = {key}")
                    if len(rows) > 1:
                        self._unexpected.append(f"{key} has {len(rows)} rows: {rows}")
                    done.append(Read(key, _values(rows)))
                else:
                    done.append(Append(key, value))
                    await client.query(
                        f"INSERT INTO lists VALUES ({key}, '{value}') ON CONFLICT (k) DO UPDATE"
                        f" SET v = lists.v || ' {value}'"
                    )
                if self._source.random() < 0.3:
                    await asyncio.sleep(self._source.random() * 0.1)
            committed = None
            await client.query("COMMIT")
            committed = True
        except SqlError as error:
            if error.sqlstate in _REFUSED:
                committed = False
            elif error.sqlstate in _LOST:
                raise
            else:
                self._unexpected.append(f"{error.sqlstate.name}: {error.message}")
        finally:
            self._history.append(Done(asked, self._loop.now, committed, tuple(done)))


def _values(rows: Sequence[Row]) -> tuple[int, ...]:
    return tuple(map(int, str(rows[0][0]).split())) if rows else ()


BUGS: dict[str, Plant] = {
    "compacted batches lie in front": compacted_batches_lie_in_front,
    "validation stops early": validation_stops_early,
}
