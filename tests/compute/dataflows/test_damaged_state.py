"""A damaged file of kept state is an error to whoever reads it; then the dataflow is made anew, and right."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from compute.arrangement.batch import CorruptFile
from compute.protocol.dataflow import DataflowDescription
from compute.replica.running.places import Places
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.scalar_type import INT4
from planner.ir.relation import Get
from planner.ir.scalar import Column
from tests.compute.dataflows.mortal import MortalMaintenance, Steps
from tests.compute.dataflows.world import DESC, Replica, World, describe, index_on
from tests.compute.dataflows.worlds import run

_INDEX = GlobalId.user(3)
_ENDLESS = Steps(1 << 60)


def maintenance(root: Path, places: Places) -> MortalMaintenance:
    return MortalMaintenance(places, root, _ENDLESS)


async def damaged(world: World, root: Path) -> DataflowDescription:
    """An index whose kept rows are damaged, of which the process that kept them has died."""
    item = await world.table(1)
    await world.commit({1: [((number, "a"), 1) for number in range(100)]})
    description = describe([item], (2, Get(item.id, DESC)), [index_on(3, 2, Column(0, INT4))], world.now - 1)
    replica = Replica(world, partial(maintenance, root))
    replica.start(description)
    await replica.caught_up(3)
    await replica.until(lambda: any(root.glob("*/manifest.json")))
    await replica.kill()
    paths = sorted(root.glob("*/*.arrow"), key=lambda path: path.stat().st_size)
    content = paths[-1].read_bytes()
    paths[-1].unlink()
    paths[-1].write_bytes(content[:300] + bytes([content[300] ^ 1]) + content[301:])
    return description


@pytest.mark.parametrize("finder", ["lookup", "whole read"])
def test_an_index_whose_file_is_damaged_says_so_and_is_made_anew(tmp_path: Path, finder: str) -> None:
    async def work(world: World) -> None:
        description = await damaged(world, tmp_path)
        replica = Replica(world, partial(maintenance, tmp_path))
        replica.start(description)
        as_of = Timestamp(world.now - 1)
        await replica.caught_up(3)
        index = await replica.dataflows.index(_INDEX)
        with pytest.raises(CorruptFile) as raised:
            if finder == "lookup":
                await index.lookup([(7,)], as_of)
            else:
                list(index.all_rows(as_of))
        assert raised.value.sqlstate == Sqlstate.DATA_CORRUPTED
        await world.commit({1: [((1000, "b"), 1)]})
        await replica.caught_up(3)
        now = Timestamp(world.now - 1)
        assert await replica.index_at(3, now, DESC) == world.rows_at(1, now)
        assert (await (await replica.dataflows.index(_INDEX)).lookup([(7,)], now)).num_rows == 1
        await replica.dataflows.stop()

    run(work)


def test_an_idle_dataflow_is_made_anew_too(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        description = await damaged(world, tmp_path)
        replica = Replica(world, partial(maintenance, tmp_path))
        replica.start(description)
        await replica.caught_up(3)
        index = await replica.dataflows.index(_INDEX)
        with pytest.raises(CorruptFile):
            list(index.all_rows(Timestamp(world.now - 1)))
        for _ in range(1000):
            await world.clock.sleep(1)
            found = await replica.dataflows.index(_INDEX)
            if found is not index:
                break
        else:
            raise AssertionError("it stays as it is")
        now = Timestamp(world.now - 1)
        assert await replica.index_at(3, now, DESC) == world.rows_at(1, now)
        await replica.dataflows.stop()

    run(work)
