"""What happens to a dataflow beside its ticks: fences, failures, drops, ends, and who waits for it."""

from __future__ import annotations

import asyncio
import dataclasses
import errno
import random
from collections import Counter
from collections.abc import Mapping
from functools import partial

import pytest
from structlog.testing import capture_logs

from compute.arrangement.checkpoint import CheckpointSize
from compute.protocol.dataflow import DataflowDescription, Import, SubscribeExport
from compute.protocol.response import DataflowPhase
from compute.replica.dataflows.exports import subscribe_sink
from compute.replica.dataflows.maintained import Input, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from compute.replica.running.places import Places
from compute.replica.running.watch import ROUND_S
from compute.replica.tasks.events import AllowBatches, CompactExport, Hurry, SetWritable, StopDataflow
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4
from planner.ir.relation import Get, Map, Project, Relation
from planner.ir.scalar import Call, Column, Literal
from tests.compute.dataflows.interpreted import Interpreted, InterpretedMaintenance
from tests.compute.dataflows.world import BEGIN, DESC, Replica, World, describe, index_on
from tests.compute.dataflows.worlds import run
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import SeededRandomness

_TABLE = GlobalId.user(1)
_SAME: Relation = Project(Get(_TABLE, DESC), (0, 1))
_QUOTIENT = Call("divide_int4_int4", (Literal(10, INT4), Column(0, INT4)), INT4)
_HALVES: Relation = Project(Map(Get(_TABLE, DESC), (_QUOTIENT,), ("q",)), (2,))
_HALVES_DESC = relation_desc(("q", INT4))


def in_shard(world: World, time: int) -> Counter[tuple[object, ...]]:
    """The table's rows as they lie in a shard of _SAME."""
    return Counter({(*row, None): count for row, count in world.rows_at(1, time).items()})


async def with_shard(world: World) -> DataflowDescription:
    """A table with a row, and _SAME written to the shard 2 and indexed as 3."""
    item = await world.table(1)
    await world.commit({1: [((1, "a"), 1)]})
    shard = await world.view_shard(2, DESC)
    return describe([item], (2, _SAME), [shard, index_on(3, 2, Column(0, INT4))], world.now)


def test_nothing_is_written_before_writes_are_allowed() -> None:
    async def work(world: World) -> None:
        description = await with_shard(world)
        replica = Replica(world)
        number = replica.start(description, writable=False)
        begin = await world.shard_upper(2)
        for key in range(3):
            await world.commit({1: [((key, "b"), 1)]})
            replica.hint()
            await world.clock.sleep(2.0)
        assert await world.shard_upper(2) == begin
        replica.dataflows.carry_out(SetWritable(number, True))
        await replica.caught_up(2)
        assert await world.shard_at(2, world.now - 1) == in_shard(world, world.now)

    run(work)


def test_nothing_is_written_under_an_older_fence() -> None:
    async def work(world: World) -> None:
        description = await with_shard(world)
        replica = Replica(world)
        replica.start(description)
        await world.commit({1: [((2, "b"), 1)]})
        await replica.caught_up(2)
        preconditions = await world.raise_fence()
        before = await world.shard_upper(2)
        for key in range(3):
            await world.commit({1: [((key, "c"), 1)]} if key else {})
            replica.hint()
            await world.clock.sleep(2.0)
        assert await world.shard_upper(2) == before
        replica.fencing.replace(preconditions)
        await replica.caught_up(2)
        assert await world.shard_at(2, world.now - 1) == in_shard(world, world.now)

    run(work)


@pytest.mark.parametrize("seed", range(6))
def test_a_consensus_that_fails_delays_and_changes_nothing(seed: int) -> None:
    async def work(world: World) -> None:
        source = random.Random(seed)
        description = await with_shard(world)
        begin = world.now
        faults = Faults(done=100, not_done=100, late=100, read_failure=100, latency_ms_max=30)
        consensus = UnreliableConsensus(world.consensus, world.clock, SeededRandomness(seed), faults)
        replica = Replica(world, consensus=consensus)
        replica.start(description)
        for key in range(12):
            await world.commit({1: [((key, "b"), 1)]} if source.random() < 0.7 else {})
            replica.hint()
            await world.clock.sleep(source.choice([0.0, 0.01, 1.5]))
        consensus.faults = Faults()
        await replica.caught_up(2, 3)
        for time in range(begin, world.now):
            assert await world.shard_at(2, time) == in_shard(world, time)
            assert await replica.index_at(3, time, DESC) == world.rows_at(1, time)

    run(work)


class Failing(Interpreted):
    """Fails in the ticks of these numbers, counted from 0, after it has given something."""

    fails: set[int]
    ticks = 0

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        self.ticks += 1
        rows = await super().tick(inputs, lower, upper, outputs)
        if self.ticks - 1 in self.fails:
            raise SqlError(Sqlstate.OUT_OF_MEMORY, "out of memory")
        return rows


class FailingMaintenance(InterpretedMaintenance):
    """Only the first dataflow fails."""

    def __init__(self, places: Places, fails: set[int]) -> None:
        super().__init__(places)
        self._fails = fails

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Interpreted:
        failing = Failing(description, computation, shelf.exports, self._places)
        failing.fails = self._fails if number == 1 else set()
        return failing


def test_a_tick_that_fails_leaves_nothing_and_is_tried_again() -> None:
    async def work(world: World) -> None:
        description = await with_shard(world)
        begin = world.now
        replica = Replica(world, lambda places: FailingMaintenance(places, {0, 2, 3, 4}))
        replica.start(description)
        for key in range(4):
            await world.commit({1: [((key, "b"), 1)]})
            await replica.caught_up(2, 3)
        for time in range(begin, world.now):
            assert await world.shard_at(2, time) == in_shard(world, time)
            assert await replica.index_at(3, time, DESC) == world.rows_at(1, time)
        failing = [each for each in replica.statuses() if each.phase is DataflowPhase.FAILING]
        assert {each.message for each in failing} == {"out of memory"}
        assert max(each.retries for each in failing) == 3
        assert replica.statuses()[-1].phase is DataflowPhase.RUNNING

    run(work)


def test_a_dataflow_that_has_failed_for_hours_goes_on_once_it_can() -> None:
    async def work(world: World) -> None:
        description = await with_shard(world)
        begin = world.now
        replica = Replica(world, lambda places: FailingMaintenance(places, set(range(1_100))))
        with capture_logs():
            replica.start(description)
            await world.commit({1: [((1, "b"), 1)]})
            await world.clock.sleep(4 * 60 * 60.0)
        await replica.caught_up(2, 3)
        for time in range(begin, world.now):
            assert await world.shard_at(2, time) == in_shard(world, time)
        assert max(each.retries for each in replica.statuses()) >= 1_050

    run(work)


def test_readers_that_take_nothing_hinder_no_other_dataflow() -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        replica = Replica(world)
        for reader in range(10, 20):
            stuck = SubscribeExport(GlobalId.transient(reader), GlobalId.user(reader), True, window=1)
            replica.start(describe([item], (reader, _SAME), [stuck]))
        replica.start(describe([item], (2, _SAME), [index_on(3, 2, Column(0, INT4))]))
        for key in range(3):
            await world.commit({1: [((key, "a"), 1)]})
            await replica.caught_up(3)
        assert await replica.index_at(3, world.now - 1, DESC) == world.rows_at(1, world.now - 1)

    run(work)


def test_a_dataflow_that_fails_for_ever_hinders_no_other() -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        replica = Replica(world, lambda places: FailingMaintenance(places, set(range(10_000))))
        for view in (2, 4):
            replica.start(describe([item], (view, _SAME), [index_on(view + 1, view, Column(0, INT4))]))
        await world.commit({1: [((1, "a"), 1)]})
        await replica.caught_up(5)
        assert await replica.index_at(5, world.now - 1, DESC) == world.rows_at(1, world.now)

    run(work)


def test_dropping_during_hydration_ends_it() -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        replica = Replica(world, lambda places: FailingMaintenance(places, set(range(10_000))))
        number = replica.start(describe([item], (2, _SAME), [index_on(3, 2, Column(0, INT4))]))
        await world.commit({1: [((1, "a"), 1)]})
        replica.hint()
        await replica.until(lambda: any(s.phase is DataflowPhase.FAILING for s in replica.statuses()))
        waiting = asyncio.ensure_future(replica.index_at(3, world.now - 1, DESC))
        await world.clock.sleep(0.1)
        replica.dataflows.carry_out(StopDataflow(number))
        with pytest.raises(SqlError, match="was dropped"):
            await waiting
        heard = len(replica.heard)
        await world.clock.sleep(60.0)
        assert len(replica.heard) == heard

    run(work)


class Lingering(Interpreted):
    """One that takes as long to end as `ending` says."""

    ending: asyncio.Event

    async def delete(self) -> None:
        await self.ending.wait()


class LingeringMaintenance(InterpretedMaintenance):
    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.ending = asyncio.Event()

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Interpreted:
        opened = Lingering(description, computation, shelf.exports, self._places)
        opened.ending = self.ending
        return opened


def test_one_that_does_not_come_to_its_end_keeps_no_others_from_beginning() -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        made: list[LingeringMaintenance] = []

        def maintenance(places: Places) -> LingeringMaintenance:
            made.append(LingeringMaintenance(places))
            return made[-1]

        replica = Replica(world, maintenance)
        same = (_SAME, [index_on(3, 2, Column(0, INT4))])
        number = replica.start(describe([item], (2, same[0]), same[1]))
        await world.commit({1: [((1, "a"), 1)]})
        await replica.caught_up(3)
        replica.dataflows.carry_out(StopDataflow(number))
        replica.start(describe([item], (4, _HALVES), [index_on(5, 4, Column(0, INT4))]))
        await replica.caught_up(5)
        replica.start(describe([item], (6, _SAME), [index_on(7, 6, Column(0, INT4))]))
        await world.clock.sleep(60.0)
        assert replica.frontiers(7).upper == Antichain.at(0), "it would have the same place"
        made[0].ending.set()
        await replica.caught_up(7)

    run(work)


def test_an_upper_that_only_time_moves_moves_for_who_waits_and_else_once_in_a_while() -> None:
    async def work(world: World) -> None:
        description = await with_shard(world)
        replica = Replica(world)
        number = replica.start(description)
        await replica.caught_up(2)
        other = await world.table(9)
        await world.clock.sleep(5.0)
        versions = len(await world.consensus.scan("shard/u2", 1))
        for key in range(50):
            await world.commit({9: [((key, "z"), 1)]})
            replica.hint()
            await world.clock.sleep(0.01)
        assert len(await world.consensus.scan("shard/u2", 1)) <= versions + 1
        await world.clock.sleep(ROUND_S)
        assert await world.shard_upper(2) == world.now
        await world.commit({9: [((0, "z"), 1)]})
        replica.dataflows.carry_out(Hurry(number, GlobalId.user(2), Timestamp(world.now - 1)))
        replica.hint()
        await replica.until(lambda: replica.frontiers(2).upper == Antichain(world.now), seconds=0.1)
        assert await world.shard_upper(2) == world.now
        assert other.id == GlobalId.user(9)

    run(work)


def test_who_has_been_waited_for_is_kept_at_the_present_for_a_while() -> None:
    async def work(world: World) -> None:
        description = await with_shard(world)
        replica = Replica(world)
        number = replica.start(description)
        await replica.caught_up(2)
        await world.table(9)
        replica.dataflows.carry_out(Hurry(number, GlobalId.user(2), Timestamp(world.now - 1)))
        for _ in range(5):
            await world.commit({9: [((0, "z"), 1)]})
            replica.hint()
            await world.clock.sleep(1.1)
            assert await world.shard_upper(2) == world.now

    run(work)


def test_a_subscribe_over_a_view_over_a_still_table_hears_that_time_passes() -> None:
    async def work(world: World) -> None:
        replica = Replica(world)
        replica.start(await with_shard(world))
        await replica.caught_up(2)
        view = Import(GlobalId.user(2), "u2", DESC, fallible=True)
        subscribed = SubscribeExport(GlobalId.transient(5), GlobalId.user(6), with_snapshot=True, window=100)
        replica.start(describe([view], (6, Get(GlobalId.user(2), DESC)), [subscribed], world.now - 1))
        await world.table(9)
        for _ in range(5):
            await world.commit({9: [((0, "z"), 1)]})
            replica.hint()
            await replica.until(lambda: _told_up_to(replica) == Antichain(world.now), 2.5)

    run(work)


@pytest.mark.parametrize("told_elsewhere", [False, True])
def test_what_another_replica_has_told_of_a_snapshot_is_not_sent(
    told_elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscribe_sink, "CHUNK_BYTES", 64)

    async def work(world: World) -> None:
        item = await world.table(1)
        await world.commit({1: [((key, "a"), 1) for key in range(40)]})
        replica = Replica(world)
        id_ = GlobalId.transient(5)
        subscribed = SubscribeExport(id_, GlobalId.user(6), with_snapshot=True, window=2)
        number = replica.start(describe([item], (6, _SAME), [subscribed], world.now - 1))
        replica.hint()
        await replica.until(lambda: len(replica.batches()) == 2)
        end = Antichain(world.now)
        while _told_up_to(replica) != end:
            sent = len(replica.batches())
            replica.dataflows.carry_out(AllowBatches(number, id_, 1, end if told_elsewhere else Antichain.at(0)))
            await replica.until(partial(_more_than, replica, sent))
        assert len(replica.batches()) == 3 if told_elsewhere else len(replica.batches()) > 10

    run(work)


def _more_than(replica: Replica, sent: int) -> bool:
    return len(replica.batches()) > sent


def _told_up_to(replica: Replica) -> Antichain | None:
    batches = replica.batches()
    return batches[-1][0].upper if batches else None


def test_shards_in_which_nothing_changed_are_advanced_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        replica = Replica(world)
        for view in (2, 3, 4):
            shard = await world.view_shard(view, DESC)
            replica.start(describe([item], (view, _SAME), [shard], world.now))
        await world.commit({})
        replica.hint()
        await world.clock.sleep(3.0)
        writes = 0
        inner = world.consensus.compare_and_set

        async def counted(expected: Mapping[str, int | None], data: Mapping[str, bytes]) -> bool:
            nonlocal writes
            writes += 1
            return await inner(expected, data)

        await world.commit({})
        monkeypatch.setattr(world.consensus, "compare_and_set", counted)
        replica.hurry(Timestamp(world.now - 1))
        await world.clock.sleep(3.0)
        assert [await world.shard_upper(view) for view in (2, 3, 4)] == [world.now] * 3
        assert writes == 1

    run(work)


def test_a_view_over_a_view_follows_it_errors_included() -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        first, second = await world.view_shard(2, _HALVES_DESC), await world.view_shard(4, _HALVES_DESC)
        replica = Replica(world)
        replica.start(describe([item], (2, _HALVES), [first], world.now))
        over = Import(GlobalId.user(2), "u2", _HALVES_DESC, fallible=True)
        view: Relation = Project(Get(over.id, _HALVES_DESC), (0,))
        replica.start(describe([over], (4, view), [second, index_on(5, 4, Column(0, INT4))], world.now))
        await world.commit({1: [((2, "a"), 1)]})
        await replica.caught_up(4, 5)
        assert await world.shard_at(4, world.now - 1) == Counter({(5, None): 1})
        bad = await world.commit({1: [((0, "a"), 1)]})
        await replica.caught_up(4, 5)
        assert await world.shard_at(4, bad) == Counter({(None, "22012 division by zero"): 1})
        index = await replica.dataflows.index(GlobalId.user(5))
        await index.wait(bad)
        assert index.least_error(bad) == "22012 division by zero"
        healed = await world.commit({1: [((0, "a"), -1)]})
        await replica.caught_up(4, 5)
        assert await world.shard_at(4, healed) == Counter({(5, None): 1})
        assert (index.least_error(bad), index.least_error(healed)) == ("22012 division by zero", None)

    run(work)


def test_a_dataflow_ends_at_until() -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        description = describe([item], (2, _SAME), [index_on(3, 2, Column(0, INT4))])
        replica = Replica(world)
        replica.start(dataclasses.replace(description, until=Antichain.at(BEGIN + 3)))
        for key in range(6):
            await world.commit({1: [((key, "a"), 1)]})
            replica.hint()
            await world.clock.sleep(0.2)
        await replica.until(lambda: replica.frontiers(3).upper == EMPTY)
        assert replica.statuses()[-1].phase is DataflowPhase.FINISHED
        assert await replica.index_at(3, BEGIN + 2, DESC) == world.rows_at(1, BEGIN + 2)

    run(work)


def test_compaction_moves_the_since_and_times_before_it_can_t_be_read() -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        replica = Replica(world)
        number = replica.start(describe([item], (2, _SAME), [index_on(3, 2, Column(0, INT4))]))
        for key in range(5):
            await world.commit({1: [((key, "a"), 1)]})
        await replica.caught_up(3)
        since = world.now - 2
        replica.dataflows.carry_out(CompactExport(number, GlobalId.user(3), Antichain.at(since)))
        await world.commit({1: [((9, "a"), 1)]})
        await replica.caught_up(3)
        for time in range(since, world.now):
            assert await replica.index_at(3, time, DESC) == world.rows_at(1, time)
        with pytest.raises(SqlError, match="its since is"):
            await replica.index_at(3, since - 1, DESC)
        assert replica.frontiers(3).since == Antichain.at(since)

    run(work)


class FullDisk(Interpreted):
    """Can't be checkpointed before `free`."""

    free = False

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        if not FullDisk.free:
            raise OSError(errno.ENOSPC, "no space left on device")
        return await super().checkpoint(upper, sinces)


class FullDiskMaintenance(InterpretedMaintenance):
    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Interpreted:
        return FullDisk(description, computation, shelf.exports, self._places)


def test_a_checkpoint_that_fails_keeps_the_inputs_past_and_nothing_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        replica = Replica(world, FullDiskMaintenance)
        replica.start(describe([item], (2, _SAME), [index_on(3, 2, Column(0, INT4))]))
        for key in range(3):
            await world.commit({1: [((key, "a"), 1)]})
            await replica.caught_up(3)
            await world.clock.sleep(15.0)
        assert replica.frontiers(3).durable == Antichain.at(BEGIN)
        monkeypatch.setattr(FullDisk, "free", True)
        upper = world.now
        await world.commit({1: [((9, "a"), 1)]})
        await replica.caught_up(3)
        await world.clock.sleep(15.0)
        durable = replica.frontiers(3).durable
        assert durable is not None and Antichain.at(upper).precedes(durable)

    run(work)


class Undiscarded(Interpreted):
    """Fails at its first tick, or waits in every one; discarding fails the first time, or always."""

    waits = False
    ticks = discards = 0

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        rows = await super().tick(inputs, lower, upper, outputs)
        Undiscarded.ticks += 1
        if Undiscarded.waits:
            await asyncio.Event().wait()
        if Undiscarded.ticks == 1:
            raise ValueError("the first of two errors")
        return rows

    async def discard(self) -> None:
        await super().discard()
        Undiscarded.discards += 1
        if Undiscarded.waits or Undiscarded.discards == 1:
            raise OSError(errno.ENOTEMPTY, "directory not empty")


class UndiscardedMaintenance(InterpretedMaintenance):
    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Interpreted:
        return Undiscarded(description, computation, shelf.exports, self._places)


@pytest.mark.parametrize("waits", [False, True])
def test_an_error_of_discarding_does_not_stand_for_what_ended_the_tick(
    waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed tick is told of and made again, over a state made anew; a cancelled one ends its dataflow."""
    for name, value in (("waits", waits), ("ticks", 0), ("discards", 0)):
        monkeypatch.setattr(Undiscarded, name, value)

    async def work(world: World) -> None:
        item = await world.table(1)
        await world.commit({1: [((1, "a"), 1)]})
        replica = Replica(world, UndiscardedMaintenance)
        with capture_logs() as logs:
            replica.start(describe([item], (2, _SAME), [index_on(3, 2, Column(0, INT4))], world.now - 1))
            if waits:
                await replica.until(lambda: Undiscarded.ticks == 1)
                ending = asyncio.create_task(replica.dataflows.stop())
                await world.clock.sleep(60.0)
                assert ending.done() and Undiscarded.ticks == 1
            else:
                await replica.caught_up(3)
                assert await replica.index_at(3, world.now - 1, DESC) == world.rows_at(1, world.now)
                assert "the first of two errors" in str([each for each in logs if each["event"] == "does not go on"])
        assert "could not discard a tick" in [each["event"] for each in logs]

    run(work)


def test_two_replicas_that_write_one_shard_agree() -> None:
    async def work(world: World) -> None:
        description = await with_shard(world)
        begin = world.now
        replicas = [Replica(world) for _ in range(2)]
        for replica in replicas:
            replica.start(description)
        for key in range(8):
            await world.commit({1: [((key, "b"), 1)]})
            for replica in replicas:
                replica.hint()
            await world.clock.sleep(0.01 * (key % 3))
        for replica in replicas:
            await replica.caught_up(2, 3)
        for time in range(begin, world.now):
            assert await world.shard_at(2, time) == in_shard(world, time)

    run(work)
