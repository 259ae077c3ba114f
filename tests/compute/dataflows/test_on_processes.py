"""Dataflows in a real replica: kept across kill -9, read by key, written to their shards."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pyarrow as pa
import pytest

from compute.controller.controller import ComputeController, ControllerOptions
from compute.controller.pending import IndexPeekRequest
from compute.controller.process import ProcessHost, ProcessOptions
from compute.controller.replica_status import ReplicaPhase
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow
from model.time.antichain import Antichain
from model.time.clock import SystemClock, SystemRandomness
from model.time.timestamp import step_back
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4, INT8
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.relation import Finishing, Get, Reduce, Relation
from planner.ir.scalar import Column, Literal
from storage.persist.open import open_blob, open_consensus
from tests.compute.dataflows.world import BEGIN, DESC, World, describe, index_on
from timeline.durable_oracle import TIMELINE_KEY

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.asyncio]

_TABLE, _INDEX = GlobalId.user(1), GlobalId.user(3)
_OPEN = "dataflow open"
_COUNTS: Relation = Reduce(Get(_TABLE, DESC), (Column(0, INT4),), (Aggregate("count_star", (), INT8),), ("a", "count"))
_COUNTS_DESC = relation_desc(("a", INT4), ("count", INT8))
_ALL = Finishing((SortKey(Column(0, INT4), True, True),), Literal(100, INT8), None, (0, 1))


@asynccontextmanager
async def environment(world: World, directory: Path, nonce: int) -> AsyncIterator[ComputeController]:
    """A controller whose replica is a process of its own."""
    host = ProcessHost(ProcessOptions(directory / "replica", memory="1g"), SystemClock(), SystemRandomness())
    options = ControllerOptions(
        f"sqlite:{directory / 'consensus.db'}",
        str(directory / "blob"),
        f"{nonce:06}",
        TIMELINE_KEY,
        tuple(world.preconditions.items()),
    )
    controller = ComputeController(options, {"r1": host}, SystemClock(), SystemRandomness())
    try:
        yield controller
    finally:
        await controller.stop()


async def read(controller: ComputeController, world: World, keys: tuple[Row, ...] | None = None) -> list[Row]:
    """The index 3 of _COUNTS as of the newest commit, the greatest key first."""
    request = IndexPeekRequest(GlobalId.user(3), keys, step_back(world.now), _ALL)
    tables = [pa.Table.from_batches([batch]) async for batch in controller.peek_index(request)]
    return [row for table in tables for row in rows_from_arrow(table, _COUNTS_DESC)]


def expected(world: World) -> list[Row]:
    """What the newest commit makes of _COUNTS, in the order of `read`."""
    groups: Counter[int] = Counter()
    for (key, _), count in world.rows_at(1, world.now).items():
        groups[int(str(key))] += count
    return sorted(groups.items(), reverse=True)


async def test_an_index_comes_back_after_kill_9_without_its_inputs_past(tmp_path: Path) -> None:
    consensus, blob = open_consensus(f"sqlite:{tmp_path / 'consensus.db'}"), open_blob(str(tmp_path / "blob"))
    world = World(SystemClock(), consensus, blob)
    await world.raise_fence()
    item = await world.table(1)
    shard = await world.view_shard(2, _COUNTS_DESC)
    await world.commit({1: [((0, "x"), 1), ((7, "y"), 3)]})
    async with environment(world, tmp_path, 1) as controller:
        flows = controller.dataflows
        flows.create(describe([item], (2, _COUNTS), [index_on(3, 2, Column(0, INT4)), shard]))
        flows.schedule(_INDEX)
        flows.allow_writes(_INDEX)
        controller.start()
        flows.advance_timeline(Antichain(world.now))
        assert await read(controller, world) == [(7, 3), (0, 1)]
        assert await read(controller, world, ((7,),)) == [(7, 3)]
        for key in range(5):
            await world.commit({1: [((key, "z"), 1)]})
            flows.advance_timeline(Antichain(world.now))
            assert await read(controller, world, ((key,),)) == [(key, 2 if key == 0 else 1)]

        # All that the replica still needs of its input is what came after its last checkpoint.
        while not Antichain.at(BEGIN + 2).precedes(flows.frontiers(_INDEX).durable):
            await asyncio.sleep(0.1)
        durable = flows.frontiers(_INDEX).durable.time
        assert durable is not None
        await world.seed.allow_compaction(item.id, Antichain(step_back(durable)))
        pid = controller.status().pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        await world.commit({1: [((7, "y"), -1), ((9, "n"), 1)]})
        flows.advance_timeline(Antichain(world.now))
        assert await read(controller, world) == expected(world)
        await flows.progress.wait_for_upper(shard.id, step_back(world.now))
        held = await world.shard_at(2, world.now - 1)
        assert held == Counter({(*row, None): 1 for row in expected(world)})
        opened = [line for line in (tmp_path / "replica" / "replica.log").read_text().splitlines() if _OPEN in line]
        assert [("hydrated=True" in line) for line in opened] == [False, True]
    await consensus.close()


async def test_an_index_that_was_kept_is_read_before_spark_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    consensus, blob = open_consensus(f"sqlite:{tmp_path / 'consensus.db'}"), open_blob(str(tmp_path / "blob"))
    world = World(SystemClock(), consensus, blob)
    await world.raise_fence()
    item = await world.table(1)
    await world.table(5)
    await world.commit({1: [((0, "x"), 1), ((7, "y"), 3)]})
    async with environment(world, tmp_path, 1) as controller:
        flows = controller.dataflows
        flows.create(describe([item], (2, _COUNTS), [index_on(3, 2, Column(0, INT4))]))
        flows.schedule(_INDEX)
        controller.start()
        flows.advance_timeline(Antichain(world.now))
        assert await read(controller, world) == [(7, 3), (0, 1)]
        while (durable := flows.frontiers(_INDEX).durable.time) is None or durable < world.now:
            await asyncio.sleep(0.1)

        # The next replica has a Java that never becomes one with Spark.
        java = tmp_path / "java" / "bin" / "java"
        java.parent.mkdir(parents=True)
        java.write_text("#!/bin/sh\nexec cat > /dev/null\n")
        java.chmod(0o700)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
        pid = controller.status().pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        await world.commit({5: [((1, "elsewhere"), 1)]})
        flows.advance_timeline(Antichain(world.now))
        assert await read(controller, world) == [(7, 3), (0, 1)]
        assert await read(controller, world, ((7,), (8,))) == [(7, 3)]
        assert controller.status().pid != pid
        assert controller.status().phase is ReplicaPhase.STARTING
    await consensus.close()
