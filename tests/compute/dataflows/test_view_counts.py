"""What is read of a view before rows are taken from it: all once, then what others have written, in nobody's way."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pyarrow as pa
import pytest

from compute.protocol.dataflow import DataflowDescription
from compute.protocol.measures import RepairMeasure
from compute.protocol.response import DataflowMeasures
from compute.replica.contents import held_counts
from compute.replica.dataflows import turns
from compute.replica.dataflows.exports import shard_sink
from compute.replica.dataflows.maintained import Company
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from compute.replica.tasks.events import Reported, SetWritable
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.ir.relation import Get
from storage.persist.compact import prepare_compaction
from storage.persist.location import Blob
from storage.persist.runner import InlineRunner, Runner
from storage.persist.snapshot import read_piece
from storage.persist.state import Piece
from tests.compute.dataflows.interpreted import Interpreted, InterpretedMaintenance
from tests.compute.dataflows.world import DESC, Replica, World, describe
from tests.compute.dataflows.worlds import run

_TABLE = GlobalId.user(1)
_ROWS = 400


class _Reads:
    """Counts the rows that are read for counting, and lets readers wait."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rows = 0
        self.waiting = 0
        self.open = asyncio.Event()
        self.open.set()
        monkeypatch.setattr(held_counts, "read_piece", self._read)

    async def _read(self, piece: Piece, desc: RelationDesc, shard: str, blob: Blob, runner: Runner) -> pa.Table:
        self.rows += piece.rows
        self.waiting += 1
        await self.open.wait()
        self.waiting -= 1
        return await read_piece(piece, desc, shard, blob, runner)


class _Alone(Interpreted):
    @property
    def company(self) -> Company:
        return Company.ALONE


class _AloneMaintenance(InterpretedMaintenance):
    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Interpreted:
        return _Alone(description, computation, shelf.exports, self._places)


def _as_held(rows: Counter[Row]) -> Counter[Row]:
    return Counter({(*row, None): count for row, count in rows.items()})


async def _view(world: World) -> DataflowDescription:
    """Fills a table; returns the view of it."""
    item = await world.table(1)
    await world.commit({1: [((at, "a"), 1) for at in range(_ROWS)]})
    return describe([item], (2, Get(_TABLE, DESC)), [await world.view_shard(2, DESC)], world.now - 1)


async def _replaced(world: World, at: int) -> None:
    (held,) = (row for row in world.rows_at(1, world.now) if row[0] == at)
    await world.commit({1: [(held, -1), ((at, str(world.now)), 1)]})


async def _refused(world: World, replica: Replica) -> int:
    await world.clock.sleep(3.0)
    told = [each.report for each in replica.heard if isinstance(each, Reported)]
    found = [each.repairs or RepairMeasure(0, 0, None) for each in told if isinstance(each, DataflowMeasures)]
    return found[-1].refused


async def _write_by(replicas: list[Replica], at: int) -> None:
    """Lets one of the replicas write, and the others fall behind."""
    for number, each in enumerate(replicas):
        each.dataflows.carry_out(SetWritable(1, number == at))
    await replicas[at].caught_up(2)


async def _compact(world: World, draw: random.Random) -> None:
    """Makes some of the view's batches one, as of some time."""
    id_, upper = GlobalId.user(2), await world.shard_upper(2)
    since = Antichain.at(upper - draw.randrange(1, 4))
    await world.storage.commit(world.storage.prepare_allow_compaction({id_: since}))
    machine = world.storage.machine(str(id_))
    batches = machine.state.batches
    some = tuple(draw.sample(batches, draw.randrange(1, len(batches) + 1)))
    await world.storage.commit([await prepare_compaction(machine, world.blob, InlineRunner(), some)])


def _alternate(reads: _Reads) -> None:
    """Two replicas of a cluster write a view by turns, and take a row each time."""

    async def work(world: World) -> None:
        description = await _view(world)
        replicas = [Replica(world), Replica(world)]
        for each in replicas:
            each.start(description)
            await each.caught_up(2)
        begin = world.now
        for at in range(20):
            await _replaced(world, at % 3)
            await _write_by(replicas, at % 2)
        for at in range(2):
            await _write_by(replicas, at)
        for time in range(begin, world.now):
            assert await world.shard_at(2, time) == _as_held(world.rows_at(1, time))
        assert [await _refused(world, each) for each in replicas] == [0, 0]
        for each in replicas:
            await each.dataflows.stop()

    run(work)


def test_of_what_another_replica_writes_that_alone_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = _Reads(monkeypatch)
    _alternate(reads)
    assert _ROWS <= reads.rows <= _ROWS + 100


def test_counts_that_another_replicas_writes_are_left_out_of_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them a view would be built anew at each turn."""
    monkeypatch.setattr(held_counts, "_pieces_from", lambda batches, lower: [])
    with pytest.raises(AssertionError):
        _alternate(_Reads(monkeypatch))


@pytest.mark.parametrize("seed", range(8))
def test_compaction_amid_what_is_counted_changes_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was merged with what is counted already is read anew; no row is refused that is there."""

    async def work(world: World) -> None:
        draw = random.Random(seed)
        description = await _view(world)
        replicas = [Replica(world), Replica(world)]
        for each in replicas:
            each.start(description)
            await each.caught_up(2)
        for _ in range(25):
            await _replaced(world, draw.randrange(5))
            if draw.random() < 0.7:
                await _write_by(replicas, draw.randrange(2))
            if draw.random() < 0.3:
                await _compact(world, draw)
        for at in range(2):
            await _write_by(replicas, at)
        assert await world.shard_at(2, world.now - 1) == _as_held(world.rows_at(1, world.now))
        assert [await _refused(world, each) for each in replicas] == [0, 0]
        for each in replicas:
            await each.dataflows.stop()

    run(work)


def test_while_a_view_is_counted_others_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "ALONE_MAX", 1)
    monkeypatch.setattr(shard_sink, "_READ_IN_TURN_ROWS_MAX", _ROWS // 2)

    async def work(world: World) -> None:
        reads = _Reads(monkeypatch)
        description = await _view(world)
        for _ in range(2):
            replica = Replica(world, _AloneMaintenance)
            replica.start(description)
            await world.commit({1: [((_ROWS, "new"), 1)]})
            await replica.caught_up(2)
            await replica.kill()
        replica = Replica(world, _AloneMaintenance)
        replica.start(description)
        await replica.caught_up(2)
        reads.open.clear()
        await _replaced(world, 0)
        replica.hurry(Timestamp(world.now - 1))
        await replica.until(lambda: reads.waiting > 0)
        small = await world.view_shard(4, DESC)
        other = await world.table(3)
        replica.start(describe([other], (4, Get(GlobalId.user(3), DESC)), [small], world.now - 1))
        for at in range(3):
            await world.commit({3: [((at, "b"), 1)]})
            await replica.caught_up(4)
        assert reads.waiting == 1
        reads.open.set()
        await replica.caught_up(2, 4)
        assert await world.shard_at(2, world.now - 1) == _as_held(world.rows_at(1, world.now))
        await replica.dataflows.stop()

    run(work)
