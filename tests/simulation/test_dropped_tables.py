"""Tables that were created, written, emptied and dropped leave what there was before them: in consensus, in blob, in
memory. `rounds(1000)` by hand."""

from __future__ import annotations

import asyncio
import gc
import random
from collections import Counter
from dataclasses import dataclass

from storage.maintenance import ROUND_SECONDS
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE

_ROOMS = ("model.", "planner.", "storage.", "catalog.", "timeline.", "compute.", "server.")
_DAY_S = 25 * 60 * 60
_WIDE = "x" * 200_000
_ROUND = (
    "CREATE TABLE t (id int PRIMARY KEY, x text)",
    f"INSERT INTO t VALUES (1, '{_WIDE}'), (2, 'y')",
    "CREATE MATERIALIZED VIEW v AS SELECT count(*) AS n FROM t",
    "SELECT n FROM v",
    "CREATE TEMPORARY TABLE u (n int GENERATED ALWAYS AS IDENTITY, x int)",
    "INSERT INTO u (x) VALUES (1)",
    "DELETE FROM t",
    "DROP TABLE u",
    "DROP MATERIALIZED VIEW v",
    "DROP TABLE t",
)


@dataclass(frozen=True)
class Left:
    """`objects`: of our own classes, by name, in the environment's process."""

    keys: list[str]
    files: list[str]
    objects: Counter[str]


def rounds(count: int) -> tuple[Left, Left]:
    """What there is after one round, and after `count` more."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    return run_virtual(loop, _rounds(loop, count))


async def _rounds(loop: VirtualLoop, count: int) -> tuple[Left, Left]:
    places = Places(MemoryConsensus(), MemoryBlob())
    clock, source = VirtualClock(loop), random.Random(0)

    async def begin() -> Incarnation:
        return await begin_life(1, places, clock, source, RELIABLE)

    life = await asyncio.create_task(begin())
    client = SimClient(life.environment, 1000)
    left = []
    for rounds_now in (1, count):
        for _ in range(rounds_now):
            for statement in _ROUND:
                await client.query(statement)
        # Until the catalog lets go of what was there a day ago.
        loop.now += _DAY_S
        await asyncio.sleep(20 * ROUND_SECONDS)
        await client.query("SELECT 1")
        left.append(Left(await places.consensus.list_keys(""), await places.blob.list_keys(""), _objects()))
    life.kill()
    await asyncio.sleep(0.01)
    return left[0], left[1]


def _objects() -> Counter[str]:
    gc.collect()
    names = (f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())
    return Counter(name for name in names if name.startswith(_ROOMS))


def test_tables_that_were_dropped_leave_nothing() -> None:
    once, often = rounds(5)
    assert often.keys == once.keys
    assert often.files == once.files
    assert often.objects - once.objects == Counter()
