"""A step that takes rows which are not there is found before its write, and the view is built anew, and right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest

from compute.protocol.dataflow import DataflowDescription
from compute.protocol.measures import RepairMeasure
from compute.protocol.response import DataflowMeasures, DataflowPhase
from compute.replica.contents import held_counts
from compute.replica.contents.held_counts import HeldCounts
from compute.replica.dataflows.maintained import Input, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from compute.replica.tasks.events import BeginAnew, Reported
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import FLOAT8, TEXT
from model.updates.update import Update, updates_to_arrow
from planner.ir.relation import Get
from storage.persist import write
from storage.persist.state import ShardState
from tests.compute.dataflows.interpreted import Interpreted, InterpretedMaintenance
from tests.compute.dataflows.world import Replica, World, describe, shard_desc
from tests.compute.dataflows.worlds import run

_TABLE = GlobalId.user(1)
_VIEW = GlobalId.user(2)
_DESC = relation_desc(("k", FLOAT8), ("v", TEXT))
_SHARD = shard_desc(_DESC)
_WRONG: dict[str, list[tuple[Row, int]]] = {
    "a row that was never there": [((7.0, "z"), -1)],
    "a row more often than it is there": [((1.0, "a"), -2)],
    "another zero": [((-0.0, "a"), -1)],
    "a row that comes later": [((8.0, "y"), -1)],
}


class _Wrong(Interpreted):
    """Takes what it should not in its third tick, once in the process."""

    ticks = 0
    taken: list[tuple[Row, int]] = []

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        rows = await super().tick(inputs, lower, upper, outputs)
        _Wrong.ticks += 1
        if _Wrong.ticks == 3:
            updates = [Update(row, Timestamp(upper - 2), diff) for row, diff in self.taken]
            updates.append(Update((8.0, "y"), Timestamp(upper - 1), 1))
            outputs.take(_VIEW, updates_to_arrow(updates, _DESC))
        return rows


class _WrongMaintenance(InterpretedMaintenance):
    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Interpreted:
        return _Wrong(description, computation, shelf.exports, self._places)


async def _begun(world: World, *, wrong: bool) -> tuple[Replica, DataflowDescription]:
    item = await world.table(1, _DESC)
    await world.commit({1: [((0.0, "a"), 2), ((1.0, "a"), 1), ((1.0, "b"), 3)]})
    shard = await world.view_shard(2, _DESC)
    description = describe([item], (2, Get(_TABLE, _DESC)), [shard], world.now)
    replica = Replica(world, _WrongMaintenance if wrong else InterpretedMaintenance)
    replica.start(description)
    return replica, description


def _as_held(rows: Counter[Row]) -> Counter[Row]:
    return Counter({(*row, None): count for row, count in rows.items()})


async def _repairs(world: World, replica: Replica) -> RepairMeasure | None:
    await world.clock.sleep(3.0)
    told = [each.report for each in replica.heard if isinstance(each, Reported)]
    return next((each.repairs for each in reversed(told) if isinstance(each, DataflowMeasures)), None)


def _go_wrong(monkeypatch: pytest.MonkeyPatch, what: str) -> list[RepairMeasure | None]:
    monkeypatch.setattr(_Wrong, "ticks", 0)
    monkeypatch.setattr(_Wrong, "taken", _WRONG[what])
    told: list[RepairMeasure | None] = []

    async def work(world: World) -> None:
        replica, _ = await _begun(world, wrong=True)
        begin = world.now
        for step in range(6):
            await replica.caught_up(2)
            await world.commit({1: [((float(step), "c"), 1)]})
            await world.commit({1: [((float(step), "c"), -1), ((float(step), "d"), 1)]})
        await replica.caught_up(2)
        for time in range(begin, world.now):
            assert await world.shard_at(2, time) == _as_held(world.rows_at(1, time))
        told.append(await _repairs(world, replica))
        failing = [each for each in replica.statuses() if each.phase is DataflowPhase.FAILING]
        assert [each.message for each in failing] == ["a write would take 1 rows from shard u2 that it does not hold"]
        assert replica.statuses()[-1].phase is DataflowPhase.RUNNING
        await replica.dataflows.stop()

    run(work)
    return told


@pytest.mark.parametrize("what", _WRONG)
@pytest.mark.parametrize("rest_bytes", (1, 1 << 20), ids=("in parts", "in memory"))
def test_a_write_that_takes_what_is_not_there_is_refused(
    rest_bytes: int, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "REST_BYTES", rest_bytes)
    (told,) = _go_wrong(monkeypatch, what)
    assert told is not None and (told.refused, told.rows) == (1, 0) and told.last_at_ms is not None


def test_a_write_of_many_rows_is_checked_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_counts, "EXACT_ROWS_MAX", 0)
    (told,) = _go_wrong(monkeypatch, "a row more often than it is there")
    assert told is not None and told.refused == 1


def test_without_the_check_it_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing_lacks(self: HeldCounts, state: ShardState, updates: list[object]) -> int:
        return 0

    monkeypatch.setattr(HeldCounts, "lacking", nothing_lacks)
    with pytest.raises((AssertionError, SqlError)):
        _go_wrong(monkeypatch, "a row that was never there")


async def _damage(world: World, desc: RelationDesc) -> None:
    upper = await world.shard_upper(2)
    wrong = [Update((9.0, "x", None), Timestamp(upper), -1), Update((0.0, "a", None), Timestamp(upper), 1)]
    machine = world.storage.machine("u2")
    table = updates_to_arrow(wrong, desc)
    append = await machine.prepare_append([table], Antichain.at(upper), Antichain.at(upper + 1), exact=True)
    await world.storage.commit([append])


@pytest.mark.parametrize("killed", (False, True), ids=("while it goes on", "between two lives"))
def test_what_was_damaged_before_is_corrected_and_told(killed: bool) -> None:
    async def work(world: World) -> None:
        replica, description = await _begun(world, wrong=False)
        await world.commit({1: [((1.0, "b"), -1)]})
        await replica.caught_up(2)
        if killed:
            await replica.kill()
        await _damage(world, _SHARD)
        await world.commit({1: [((2.0, "c"), 1)]})
        if killed:
            replica = Replica(world)
            replica.start(description)
        await replica.caught_up(2)
        await world.commit({1: [((1.0, "a"), -1)]})
        await replica.caught_up(2)
        assert await world.shard_at(2, world.now - 1) == _as_held(world.rows_at(1, world.now))
        told = await _repairs(world, replica)
        assert told is not None and told.refused == (not killed) and told.rows >= 2
        await replica.dataflows.stop()

    run(work)


@pytest.mark.parametrize("seed", range(12))
def test_what_a_view_may_take_it_takes(seed: int) -> None:
    """No write is refused that a multiset allows at each of its times."""

    async def work(world: World) -> None:
        draw = random.Random(seed)
        replica, description = await _begun(world, wrong=False)
        begin = world.now
        for _ in range(15):
            held = sorted(world.rows_at(1, world.now).elements(), key=repr)
            changes: Counter[Row] = Counter(
                (draw.choice((0.0, -0.0, 1.0)), draw.choice("ab")) for _ in range(draw.randrange(4))
            )
            changes.subtract(draw.sample(held, draw.randrange(min(4, len(held) + 1))))
            await world.commit({1: [(row, diff) for row, diff in changes.items() if diff]})
            if draw.random() < 0.4:
                await replica.caught_up(2)
            if draw.random() < 0.1:
                await replica.kill()
                replica = Replica(world)
                replica.start(description)
        await replica.caught_up(2)
        for time in range(begin, world.now):
            assert await world.shard_at(2, time) == _as_held(world.rows_at(1, time))
        told = await _repairs(world, replica)
        assert told is not None and (told.refused, told.rows) == (0, 0)
        await replica.dataflows.stop()

    run(work)


def test_a_dataflow_begins_anew_where_somebody_doubts_it_and_corrects_its_view() -> None:
    """Without a write that takes rows, nobody would have found what is wrong."""

    async def work(world: World) -> None:
        replica, _ = await _begun(world, wrong=False)
        await world.commit({1: [((2.0, "c"), 1)]})
        await replica.caught_up(2)
        await _damage(world, _SHARD)
        for step in range(3):
            await world.commit({1: [((float(step), "d"), 1)]})
            await replica.caught_up(2)
            right = await world.shard_at(2, world.now - 1) == _as_held(world.rows_at(1, world.now))
            assert right is (step > 0)
            replica.dataflows.carry_out(BeginAnew(1))
        told = await _repairs(world, replica)
        assert told is not None and (told.refused, told.rows, told.built) == (0, 3, 3)
        await replica.dataflows.stop()

    run(work)


def test_what_shares_a_dataflow_begins_anew_too() -> None:
    async def work(world: World) -> None:
        item = await world.table(1, _DESC)
        await world.commit({1: [((0.0, "a"), 2), ((1.0, "a"), 1)]})
        replica = Replica(world)
        for number in (2, 3):
            shard = await world.view_shard(number, _DESC)
            replica.start(describe([item], (number, Get(_TABLE, _DESC)), [shard], world.now - 1))
        for _ in range(3):
            await world.commit({1: [((2.0, "c"), 1)]})
            await replica.caught_up(2, 3)
        await _damage(world, _SHARD)
        replica.dataflows.carry_out(BeginAnew(1))
        for _ in range(3):
            await world.commit({1: [((2.0, "c"), -1)]})
            await replica.caught_up(2, 3)
        for number in (2, 3):
            assert await world.shard_at(number, world.now - 1) == _as_held(world.rows_at(1, world.now))
        await replica.dataflows.stop()

    run(work)
