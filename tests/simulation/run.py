"""One seed: clients, crashes, power cuts, takeovers, lost replicas, no space, a clock that jumps, compaction that never
rests; then a look at everything."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from catalog.nouns.items import MaterializedView
from model.errors.sql_error import SqlError
from storage.maintenance import ROUND_SECONDS
from storage.persist.version import KEY_PREFIX
from tests.simulation.checkers import violations
from tests.simulation.compacting import compaction_that_never_rests
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, dismiss, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.simulation.workload import SETUP, Record, act, append, check, observe
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE, Faults

CLIENTS = 3
LIVES = 3
OPERATIONS = 10
_PATIENCE_S = 120.0
_ROUNDS_EVERY_S = 0.05
_END_S = 600.0


def run_seed(
    seed: int,
    planted: Callable[[], AbstractContextManager[object]] = nullcontext,
    make_consensus: type[MemoryConsensus] = MemoryConsensus,
    replicas: int = 1,
) -> list[str]:
    """The violations that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    with planted(), compaction_that_never_rests(seed, _ROUNDS_EVERY_S):
        return run_virtual(loop, asyncio.wait_for(_Simulation(seed, loop, make_consensus, replicas).run(), _END_S))


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop, make_consensus: type[MemoryConsensus], replicas: int) -> None:
        self._replicas = replicas
        self._source = random.Random(seed)
        self._clock = VirtualClock(loop)
        self._record = Record()
        self._places = Places(make_consensus(self._sync_takes_time), MemoryBlob(self._sync_takes_time))
        self._lives = 0
        self._pids = 1000

    async def _sync_takes_time(self) -> None:
        await asyncio.sleep(self._source.random() * 0.003)

    async def run(self) -> list[str]:
        life = await self._begin(RELIABLE)
        for statement in SETUP:
            await self._client(life).query(statement)
        for _ in range(LIVES - 1):
            life = await self._live(life)
        await asyncio.sleep(1)
        life.kill()
        self._places.power_cut()
        last = await self._begin(RELIABLE)
        client = self._client(last)
        await observe(client, self._record)
        times = {read.timestamp for read in self._record.observed}
        for earlier in times | {read.timestamp for read in self._record.looked_up}:
            await observe(client, self._record, earlier)
        await check(client, self._record)
        await self._look_for_leavings(client)
        return [*self._places.violations, *violations(self._record)]

    async def _look_for_leavings(self, client: SimClient) -> None:
        """Consensus holds the shards of what there is, and none of what was dropped."""
        await asyncio.sleep(5 * ROUND_SECONDS)
        environment = client.session.environment
        definitions = [item.definition for item in environment.catalog.state.items.values()]
        stored = {each.collection for each in definitions if isinstance(each, MaterializedView)}
        stored |= {id_ for id_ in environment.stored_ids() if environment.storage.exists(id_)}
        keys = {key.removeprefix(KEY_PREFIX) for key in await self._places.consensus.list_keys(KEY_PREFIX + "u")}
        if keys != set(map(str, stored)):
            self._record.differences.append(f"shards {sorted(keys)} are left, of {sorted(map(str, stored))}")

    def _faults(self) -> Faults:
        if self._source.random() < 0.3:
            return RELIABLE
        chance = self._source.choice([5, 20, 60])
        return Faults(done=chance, not_done=chance, late=chance, read_failure=chance, latency_ms_max=4)

    async def _begin(self, faults: Faults) -> Incarnation:
        self._lives += 1
        number = self._lives

        async def begin() -> Incarnation:
            return await begin_life(number, self._places, self._clock, self._source, faults, replicas=self._replicas)

        return await asyncio.wait_for(asyncio.create_task(begin()), _PATIENCE_S)

    def _client(self, life: Incarnation) -> SimClient:
        self._pids += 1
        return SimClient(life.environment, self._pids)

    async def _live(self, life: Incarnation) -> Incarnation:
        """Clients work while the life lasts; the next one is given back."""
        clients = [asyncio.create_task(self._work(life)) for _ in range(CLIENTS)]
        await asyncio.sleep(self._source.random() * 0.4)
        if self._source.random() < 0.4:
            # Of one replica there is nothing to choose: seeds go on as they went without a choice.
            hosts = [*life.hosts.values()]
            (self._source.choice(hosts) if len(hosts) > 1 else life.host).crash()
            await asyncio.sleep(self._source.random() * 0.1)
        if self._source.random() < 0.2:
            self._clock.offset_ms += self._source.choice([-300, 300])
        if self._source.random() < 0.3:
            await self._fill(life)
        takeover = self._source.random() < 0.5
        if not takeover:
            self._end(life)
        following = await self._begin(self._faults())
        if takeover:
            # The old one does not know yet; its clients go on, and so do those of the new one.
            new = [asyncio.create_task(self._work(following)) for _ in range(CLIENTS)]
            new.append(asyncio.create_task(self._watch(life)))
            await asyncio.sleep(self._source.random() * 0.2)
            self._end(life, power=False)
            await dismiss(new)
        for failure in await dismiss(clients):
            if not isinstance(failure, SqlError):
                raise failure
        return following

    async def _fill(self, life: Incarnation) -> None:
        """There is no room in consensus, for a while; or sometimes there is, as others come and go, and then it is
        often not known whether what was written is there."""
        before = life.unreliable.faults
        life.unreliable.faults = replace(before, full=self._source.choice([300, 600]), done=400)
        appending = asyncio.create_task(self._append(life))
        await asyncio.sleep(self._source.random() * 0.4)
        await dismiss([appending])
        life.unreliable.faults = before

    def _end(self, life: Incarnation, *, power: bool = True) -> None:
        life.kill()
        if power and self._source.random() < 0.6:
            life.unreliable.drop_late()
            self._places.power_cut()

    async def _append(self, life: Incarnation) -> None:
        """Only appends, whatever becomes of them."""
        client = self._client(life)
        while True:
            with contextlib.suppress(SqlError):
                if client.session.transaction_status != "I":
                    await client.query("ROLLBACK")
                await append(client, self._record)
            await asyncio.sleep(self._source.random() * 0.02)

    async def _watch(self, life: Incarnation) -> None:
        """Only reads, as long as it is answered."""
        client = self._client(life)
        with contextlib.suppress(SqlError):
            for _ in range(OPERATIONS):
                await observe(client, self._record)
                await asyncio.sleep(self._source.random() * 0.02)

    async def _work(self, life: Incarnation) -> None:
        client = self._client(life)
        for _ in range(OPERATIONS):
            await act(client, self._record, self._source)
            await asyncio.sleep(self._source.random() * 0.02)
