"""A catalog that an older Headwater wrote is brought up to date at the start, once, before anything builds on it."""

from __future__ import annotations

import asyncio
import random
from functools import partial

import pytest

from catalog.durable.migrations.row_texts import Rows
from catalog.durable.migrations.steps import CATALOG_VERSION, STEPS, catalog_version, migrate
from catalog.durable.rows import CATALOG_SHARD_ID
from model.time.timestamp import Timestamp
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE

_NEXT = CATALOG_VERSION + 1


def _add_setting(rows: Rows) -> Rows:
    return [*rows, ("system", "added", '"yes"')]


def test_an_older_catalog_is_upgraded_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    places = Places(MemoryConsensus(), MemoryBlob())
    begin = partial(begin_life, places=places, clock=VirtualClock(loop), source=random.Random(0), faults=RELIABLE)

    async def lived(number: int) -> Incarnation:
        return await asyncio.create_task(begin(number))

    async def written(life: Incarnation, table: str) -> int:
        client = SimClient(life.environment, 1)
        await client.query(f"CREATE TABLE {table} (a int)")
        await client.query(f"INSERT INTO {table} VALUES (1)")
        life.kill()
        return life.environment.catalog.changed_at

    def version(life: Incarnation, time: int) -> int:
        return catalog_version(life.environment.catalog.history.rows_at(Timestamp(time)))

    async def work() -> None:
        before = await written(await lived(1), "old")
        monkeypatch.setattr("catalog.durable.rows.CATALOG_VERSION", _NEXT)
        monkeypatch.setattr("catalog.durable.rows.migrate", lambda rows: migrate(rows, (*STEPS, _add_setting)))
        second = await lived(2)
        upgraded = second.environment.catalog.changed_at
        assert upgraded > before and (version(second, before), version(second, upgraded)) == (CATALOG_VERSION, _NEXT)
        assert second.environment.catalog.state.configuration == {"added": "yes"}
        await written(second, "new")
        third = await lived(3)
        assert third.environment.storage.changed_after(CATALOG_SHARD_ID, Timestamp(upgraded))
        client = SimClient(third.environment, 2)
        assert await client.query("SELECT * FROM old UNION ALL SELECT * FROM new") == [(1,), (1,)]
        assert (version(third, before), version(third, third.environment.catalog.changed_at)) == (
            CATALOG_VERSION,
            _NEXT,
        )
        third.kill()

    run_virtual(loop, work())
