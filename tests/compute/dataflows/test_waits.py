"""Ticks that wait for what does not come by itself tell so, and let others have their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from compute.protocol.dataflow import DataflowDescription
from compute.protocol.response import DataflowPhase
from compute.replica.dataflows.maintained import Input, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.scalar_type import INT4
from planner.ir.relation import Get, Map, Project, Relation
from planner.ir.scalar import Column, Literal
from tests.compute.dataflows.interpreted import Interpreted, InterpretedMaintenance
from tests.compute.dataflows.world import DESC, Replica, World, describe, index_on
from tests.compute.dataflows.worlds import run

_TABLE = GlobalId.user(1)


class _Awaiting(Interpreted):
    """A tick after the first waits for the gate."""

    gate: asyncio.Event
    ticks = 0
    waits = False

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        self.ticks += 1
        self.waits = self.ticks > 1
        if self.waits:
            await self.gate.wait()
        self.waits = False
        return await super().tick(inputs, lower, upper, outputs)

    async def waits_for(self) -> str:
        return "Spark has no executor" if self.waits else ""


def test_a_tick_that_waits_for_executors_says_so_and_hinders_no_other() -> None:
    gate = asyncio.Event()

    class Maintenance(InterpretedMaintenance):
        async def open(
            self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
        ) -> Interpreted:
            made = Interpreted if number == 6 else _Awaiting
            opened = made(description, computation, shelf.exports, self._places)
            if isinstance(opened, _Awaiting):
                opened.gate = gate
            return opened

    async def work(world: World) -> None:
        item = await world.table(1)
        replica = Replica(world, Maintenance)
        views = range(10, 22, 2)
        numbers = []
        for view in views:
            other: Relation = Project(Map(Get(_TABLE, DESC), (Literal(view, INT4),), ("n",)), (0, 2))
            numbers.append(replica.start(describe([item], (view, other), [index_on(view + 1, view, Column(0, INT4))])))
        free = views[numbers.index(6)] + 1
        await world.commit({1: [((1, "a"), 1)]})
        await replica.caught_up(*(view + 1 for view in views))
        await world.commit({1: [((2, "b"), 1)]})
        awaited = asyncio.ensure_future(replica.caught_up(*(view + 1 for view in views)))
        await replica.caught_up(free)
        await world.clock.sleep(3.0)
        waiting = {(each.phase, each.message) for each in replica.statuses() if each.message}
        assert waiting == {(DataflowPhase.RUNNING, "Spark has no executor")}
        gate.set()
        await awaited
        assert {each.id: each.message for each in replica.statuses()} == {GlobalId.user(view + 1): "" for view in views}

    run(work)
