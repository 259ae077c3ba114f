"""What was written and is gone leaves nothing behind: no files, no versions, nothing in memory."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from model.ids.global_id import GlobalId
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE

ROUNDS = 40
_A_PART = "repeat('x', 70000)"
"""Too large to be held in a shard's state."""


def lived(work: Callable[[Incarnation, SimClient, Places], Awaitable[None]]) -> None:
    """An environment in virtual time, on places of its own."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)

    async def live() -> None:
        places = Places(MemoryConsensus(), MemoryBlob())
        life = await begin_life(1, places, VirtualClock(loop), random.Random(0), RELIABLE)
        await work(life, SimClient(life.environment, 1), places)
        life.kill()

    run_virtual(loop, live())


async def _ten_seconds(client: SimClient) -> None:
    """In which other things are written: the past is let go of a step at a time, as the timeline moves."""
    for _ in range(10):
        await client.query("INSERT INTO other VALUES (1)")
        await asyncio.sleep(1)


def test_a_table_that_was_filled_and_emptied_many_times_is_as_one_that_never_was() -> None:
    async def work(life: Incarnation, client: SimClient, places: Places) -> None:
        storage = life.environment.storage
        for statement in (
            "CREATE TABLE other (n int)",
            "CREATE TABLE t (id int, x text) WITH (RETAIN HISTORY FOR '1s')",
            "CREATE INDEX t_id ON t (id) WITH (RETAIN HISTORY FOR '1s')",
            "CREATE MATERIALIZED VIEW m WITH (RETAIN HISTORY FOR '1s') AS SELECT id, x || 'y' AS y FROM t",
        ):
            await client.query(statement)
        shards = [each.id for each in storage.collections() if each.id.namespace is GlobalId.user(1).namespace]
        for _ in range(ROUNDS):
            await client.query(f"INSERT INTO t VALUES (1, {_A_PART})")
            await asyncio.sleep(0.5)
            await client.query("DELETE FROM t")
            await asyncio.sleep(0.5)
        for _ in range(6):
            await _ten_seconds(client)
        ((table,),) = await client.query("SELECT id FROM mz_tables WHERE name = 't'")
        for id_ in shards:
            await storage.load([id_])
        emptied = [id_ for id_ in shards if str(id_) == table or not storage.machine(str(id_)).state.timeline]
        assert len(emptied) == 2
        for id_ in emptied:
            state = storage.machine(str(id_)).state
            assert not state.batches and not state.garbage, f"{id_} keeps {len(state.garbage)} files"
            assert await places.blob.list_keys(f"part/{id_}/") == []

    lived(work)
