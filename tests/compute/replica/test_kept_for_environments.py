"""A replica's dataflow goes on for the next environment only where that one reads no time from before it begins."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager
from unittest.mock import patch

from structlog.testing import capture_logs

from compute.controller.controller import ComputeController, ControllerOptions
from compute.protocol.dataflow import DataflowDescription, Installed
from compute.replica.running import reconcile
from compute.replica.running.reconcile import RunningDataflow
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from planner.ir.relation import Get
from tests.compute.dataflows.world import BEGIN, DESC, World, describe, index_on
from tests.compute.dataflows.worlds import run
from tests.compute.test_dataflow_controller import host_of, read
from timeline.durable_oracle import TIMELINE_KEY

_INDEX = GlobalId.user(3)
_ENVIRONMENTS = 4


async def _trial(world: World, seed: int) -> None:
    """Environments that replace each other want an index from any time on, and read it at any time from then on."""
    source, host, item = random.Random(seed), host_of(world), await world.table(1)
    rows = 0
    for number in range(_ENVIRONMENTS):
        for _ in range(source.randint(1, 3)):
            rows += 1
            await world.commit({1: [((rows, "a"), 1)]}, after_ms=source.randint(1, 5))
        as_of = Timestamp(source.randint(BEGIN, world.now - 1))
        preconditions = tuple((await world.raise_fence()).items())
        options = ControllerOptions("memory:", "memory:", str(number), TIMELINE_KEY, preconditions)
        controller = ComputeController(options, {"r1": host}, world.clock, world.randomness)
        controller.dataflows.create(describe([item], (2, Get(item.id, DESC)), [index_on(3, 2)], as_of))
        controller.dataflows.schedule(_INDEX)
        controller.dataflows.allow_writes(_INDEX)
        controller.start()
        controller.dataflows.advance_timeline(Antichain(world.now))
        time = Timestamp(source.randint(as_of, world.now - 1))
        assert Counter(await read(controller, time)) == world.rows_at(1, time)
        if source.random() < 0.3:
            controller.dataflows.allow_compaction(_INDEX, Antichain(time))
        await controller.stop(leave_replica=True)


def _shows(seed: int) -> bool:
    """Returns whether the seed gives a wrong answer, or none."""
    try:
        with capture_logs():
            run(lambda world: asyncio.wait_for(_trial(world, seed), 60))
    except (AssertionError, SqlError, TimeoutError):
        return True
    return False


def test_each_environment_reads_what_it_asks_for(simulation_seeds: range) -> None:
    assert [seed for seed in simulation_seeds if _shows(seed)] == []


def _kept_though_it_begins_too_late() -> AbstractContextManager[object]:
    """Whatever computes the same is kept."""

    def difference(old: RunningDataflow, new: Installed, _sinces: Mapping[GlobalId, Antichain]) -> str:
        assert isinstance(old.description, DataflowDescription) and isinstance(new, DataflowDescription)
        same = reconcile._normal_form(old.description) == reconcile._normal_form(new)
        return "" if same else "another computation"

    return patch.object(reconcile, "_difference", difference)


def test_a_dataflow_that_is_kept_though_it_begins_too_late_is_found() -> None:
    with _kept_though_it_begins_too_late():
        assert any(_shows(seed) for seed in range(300))
