"""Of many dataflows that are behind, the one goes first that someone looks at: a reader, or a SUBSCRIBE."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from compute.protocol.dataflow import DataflowDescription, Import, ShardExport, SubscribeExport
from compute.protocol.response import DataflowReport, Frontiers
from compute.replica.dataflows import turns
from compute.replica.dataflows.maintained import Company, Input, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from compute.replica.running.places import Places
from compute.replica.running.reporter import Reporter
from compute.replica.tasks.events import Hurry
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from planner.ir.relation import Get
from tests.compute.dataflows.interpreted import Interpreted, InterpretedMaintenance
from tests.compute.dataflows.world import DESC, Replica, World, describe
from tests.compute.dataflows.worlds import run
from tests.compute.sinks.world import create_sink

_TABLE = GlobalId.user(1)
_DATAFLOWS = range(10, 50)
_TIMED = 61
"""A view that may change with time alone, as one over `mz_now()`."""
_TICK_S = 1.0


class Slow(Interpreted):
    """Notes whose tick begins, and is a while about it; about the first one only where it is `slow_to_hydrate`."""

    number: int
    begun: list[int]
    together: bool
    slow_to_hydrate: bool
    timed: bool

    def next_due(self) -> Timestamp | None:
        return self._upper if self.timed else None

    @property
    def company(self) -> Company:
        return Company.TOGETHER if self.together else Company.ALONE

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        if self._upper is not None or self.slow_to_hydrate:
            self.begun.append(self.number)
            await self._places.clock.sleep(_TICK_S)
        return await super().tick(inputs, lower, upper, outputs)


class SlowMaintenance(InterpretedMaintenance):
    def __init__(self, places: Places, begun: list[int], *, together: bool, slow_to_hydrate: bool) -> None:
        super().__init__(places)
        self._begun = begun
        self._together = together
        self._slow_to_hydrate = slow_to_hydrate

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Interpreted:
        slow = Slow(description, computation, shelf.exports, self._places)
        slow.number, slow.begun, slow.together = number, self._begun, self._together
        slow.slow_to_hydrate = self._slow_to_hydrate
        slow.timed = GlobalId.user(_TIMED) in description.export_ids
        return slow


class Many:
    """Forty materialized views of one table, and whose tick begins."""

    def __init__(self, world: World, *, together: bool, slow_to_hydrate: bool = False) -> None:
        self.world = world
        self.begun: list[int] = []

        def maintenance(places: Places) -> SlowMaintenance:
            return SlowMaintenance(places, self.begun, together=together, slow_to_hydrate=slow_to_hydrate)

        self.replica = Replica(world, maintenance)
        self.numbers: dict[int, int] = {}
        self.shards: dict[int, ShardExport] = {}

    async def create(self) -> None:
        item = await self.world.table(1)
        for id_ in _DATAFLOWS:
            self.shards[id_] = await self.world.view_shard(id_, DESC)
            description = describe([item], (id_, Get(_TABLE, DESC)), [self.shards[id_]], self.world.now)
            self.numbers[id_] = self.replica.start(description)

    async def hydrate(self) -> None:
        await self.world.commit({})
        await self.replica.caught_up(*_DATAFLOWS)

    async def fall_behind(self) -> None:
        """All have a tick to do, and some have begun."""
        await self.world.clock.sleep(2 * turns.PRESSED_S)
        self.begun.clear()
        await self.world.commit({1: [((1, "a"), 1)]})
        self.replica.hint()
        await self.world.clock.sleep(_TICK_S / 2)

    def read(self, id_: int, as_of: Timestamp | None = None) -> None:
        time = Timestamp(self.world.now - 1) if as_of is None else as_of
        self.replica.dataflows.carry_out(Hurry(self.numbers[id_], GlobalId.user(id_), time))


@pytest.mark.parametrize("together", [True, False])
def test_who_is_read_goes_before_those_who_have_waited_longer(together: bool) -> None:
    async def work(world: World) -> None:
        many = Many(world, together=together)
        await many.create()
        await many.hydrate()
        await many.fall_behind()
        first, last = list(many.begun), max(_DATAFLOWS)
        assert len(first) == (turns.TOGETHER_MAX if together else turns.ALONE_MAX)
        assert many.numbers[last] not in first
        many.read(last)
        await world.clock.sleep(_TICK_S)
        assert many.begun[len(first)] == many.numbers[last]
        await many.replica.caught_up(*_DATAFLOWS)
        assert await world.shard_at(last, world.now - 1) == {(1, "a", None): 1}

    run(work)


@pytest.mark.parametrize("together", [True, False])
def test_who_feeds_a_subscription_goes_before_the_others(together: bool) -> None:
    async def work(world: World) -> None:
        many = Many(world, together=together)
        await many.create()
        await many.hydrate()
        last = max(_DATAFLOWS)
        shard = many.shards[last]
        subscribed = SubscribeExport(GlobalId.transient(5), GlobalId.user(60), with_snapshot=True, window=100)
        view = Import(shard.id, shard.shard, DESC, fallible=True)
        many.replica.start(describe([view], (60, Get(shard.id, DESC)), [subscribed], world.now - 1))
        await many.fall_behind()
        assert many.numbers[last] in many.begun
        if together:
            assert len(many.begun) <= 1 + turns.BATCH, "the others make way"

    run(work)


def test_who_feeds_a_subscription_through_others_goes_before_the_others() -> None:
    async def work(world: World) -> None:
        many = Many(world, together=True)
        await many.create()
        await many.hydrate()
        last = max(_DATAFLOWS)
        below = many.shards[last]
        for id_ in (70, 71):
            view = Import(below.id, below.shard, DESC, fallible=True)
            above = await world.view_shard(id_, DESC)
            many.numbers[id_] = many.replica.start(describe([view], (id_, Get(below.id, DESC)), [above], world.now - 1))
            below = above
        subscribed = SubscribeExport(GlobalId.transient(5), GlobalId.user(72), with_snapshot=True, window=100)
        view = Import(below.id, below.shard, DESC, fallible=True)
        many.replica.start(describe([view], (72, Get(below.id, DESC)), [subscribed], world.now - 1))
        await many.fall_behind()
        assert many.begun[0] == many.numbers[last]
        assert len(many.begun) <= 1 + turns.BATCH, "the others make way"

    run(work)


def test_who_feeds_a_sink_goes_before_the_others() -> None:
    async def work(world: World) -> None:
        many = Many(world, together=True)
        await many.create()
        await many.hydrate()
        last = max(_DATAFLOWS)
        sink = replace(await create_sink(world), input=many.shards[last].shard)
        many.replica.start(sink, writable=False)
        await many.fall_behind()
        assert many.begun[0] == many.numbers[last]
        assert len(many.begun) <= 1 + turns.BATCH, "the others make way"

    run(work)


def test_whose_reader_changes_with_time_alone_waits_for_its_turn_as_others_do() -> None:
    async def work(world: World) -> None:
        many = Many(world, together=True)
        await many.create()
        await many.hydrate()
        last = max(_DATAFLOWS)
        shard = many.shards[last]
        view = Import(shard.id, shard.shard, DESC, fallible=True)
        timed = await world.view_shard(_TIMED, DESC)
        many.replica.start(describe([view], (_TIMED, Get(shard.id, DESC)), [timed], world.now - 1))
        await many.fall_behind()
        assert many.numbers[last] not in many.begun, "nobody looks at either"
        assert len(many.begun) == turns.TOGETHER_MAX, "and nobody makes way"

    run(work)


def test_who_is_read_as_of_a_time_to_come_waits_for_its_turn_as_others_do() -> None:
    async def work(world: World) -> None:
        many = Many(world, together=True)
        await many.create()
        await many.hydrate()
        last = max(_DATAFLOWS)
        # Whoever asked may be gone long before: that they are nobody says.
        for id_ in (min(_DATAFLOWS), last):
            many.read(id_, Timestamp(world.now + 3_600_000))
        await many.fall_behind()
        first = list(many.begun)
        assert len(first) == turns.TOGETHER_MAX, "nobody makes way"
        many.read(last)
        await world.clock.sleep(_TICK_S)
        assert many.begun[len(first)] == many.numbers[last], "who reads at the present is not taken for the other"

    run(work)


def test_who_reads_at_the_present_is_told_at_once_beside_who_reads_as_of_a_time_to_come() -> None:
    async def work(world: World) -> None:
        told: list[DataflowReport] = []
        id_ = GlobalId.user(1)
        reporter = Reporter((id_,), told.append, lambda _id: None)
        reporter.expect(id_, Timestamp(3_600_000))
        reporter.expect(id_, Timestamp(20))
        begin, upper = Antichain.at(10), Antichain.at(21)
        reporter.frontiers(Frontiers(id_, begin, upper, upper, begin))
        assert told
        assert not reporter.awaits_any(Antichain.at(1_000))
        assert reporter.awaits_any(Antichain.at(3_600_001))
        reporter.end()

    run(work)


def test_any_number_of_readers_as_of_times_to_come_hide_nobody_who_reads_at_the_present() -> None:
    async def work(world: World) -> None:
        told: list[DataflowReport] = []
        id_ = GlobalId.user(1)
        reporter = Reporter((id_,), told.append, lambda _id: None)
        for time in (*range(3_600_000, 3_605_000), 20):
            reporter.expect(id_, Timestamp(time))
        begin, upper = Antichain.at(10), Antichain.at(21)
        reporter.frontiers(Frontiers(id_, begin, upper, upper, begin))
        assert told
        assert not reporter.awaits_any(Antichain.at(1_000))
        reporter.end()

    run(work)


def test_who_is_read_is_hydrated_before_the_others() -> None:
    async def work(world: World) -> None:
        many = Many(world, together=True, slow_to_hydrate=True)
        await many.create()
        await world.commit({})
        many.replica.hint()
        await world.clock.sleep(_TICK_S / 2)
        last = max(_DATAFLOWS)
        assert many.begun == [1, 2]
        many.read(last)
        await world.clock.sleep(_TICK_S)
        assert many.begun[2] == many.numbers[last]

    run(work)
