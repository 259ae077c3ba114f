"""A real replica process: it reads shards through Spark, is cancelled, killed, found again and asked by several."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pyarrow as pa
import pytest

from compute.controller.address import AddressHost
from compute.controller.controller import ComputeController, ControllerOptions
from compute.controller.pending import PeekRequest
from compute.controller.process import ProcessHost, ProcessOptions
from compute.protocol.dataflow import Import
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from model.time.antichain import MINIMUM, Antichain
from model.time.clock import SystemClock, SystemRandomness
from model.time.timestamp import Timestamp
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import FLOAT8, INT8, TEXT
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Finishing, Get, Join, JoinKind, Reduce, Relation
from storage.persist.commit import Committed, commit, compare_and_append
from storage.persist.open import open_blob, open_consensus
from storage.persist.runner import InlineRunner
from storage.persist.shard import ShardMachine
from storage.persist.write import Stage

pytestmark = [pytest.mark.spark, pytest.mark.asyncio]

_DESC = RelationDesc((ColumnDesc("k", INT8), ColumnDesc("v", TEXT), ColumnDesc("f", FLOAT8)))
_SMALL, _LARGE = GlobalId.user(1), GlobalId.user(2)
_LARGE_ROWS = 60_000
_SCHEMA = pa.schema([("c0", pa.int64()), ("c1", pa.string()), ("c2", pa.float64())])
_Row = tuple[object, ...]


async def _append(machine: ShardMachine, updates: list[tuple[int, _Row, int]], lower: int, upper: int) -> None:
    columns = [pa.array([row[i] for _, row, _ in updates], _SCHEMA.field(i).type) for i in range(3)]
    table = pa.Table.from_arrays(columns, schema=_SCHEMA)
    table = table.append_column(TIME_COLUMN, pa.array([at for at, _, _ in updates], pa.int64()))
    table = table.append_column(DIFF_COLUMN, pa.array([diff for _, _, diff in updates], pa.int64()))
    bounds = Antichain.at(lower), Antichain.at(upper)
    assert isinstance(await compare_and_append(machine, [table], *bounds, token=f"{machine.shard}-{upper}"), Committed)


class World:
    """A data directory with two shards, and what they hold by time."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.consensus_url = f"sqlite:{directory / 'consensus.db'}"
        self.blob_url = str(directory / "blob")
        self.contents: dict[GlobalId, dict[int, Counter[_Row]]] = {_SMALL: {}, _LARGE: {}}
        self.hosts: list[ProcessHost] = []
        self.nonce = 0

    async def fill(self) -> None:
        consensus, blob = open_consensus(self.consensus_url), open_blob(self.blob_url)
        stage = Stage(blob, SystemClock(), SystemRandomness(), InlineRunner())
        for id_, count in ((_SMALL, 20), (_LARGE, _LARGE_ROWS)):
            machine = ShardMachine(str(id_), consensus, stage)
            created = machine.prepare_create(_DESC, MINIMUM, Antichain.at(1), timeline=False)
            assert isinstance(await commit(consensus, [created], token=f"{id_}"), Committed)
            first: list[_Row] = [(i, f"v{i % 7}", i / 2) for i in range(count)] + [(0, None, -0.0), (0, None, 0.0)]
            second: list[tuple[_Row, int]] = [
                ((0, None, -0.0), -1),
                ((1, "v1", 0.5), -1),
                ((1, "new", float("nan")), 2),
            ]
            third: list[tuple[_Row, int]] = [((2, "v2", 1.0), 1), ((1, "new", float("nan")), -1)]
            # Times 2 and 3 in one append, so that a read at 2 has to cut it.
            history: list[tuple[int, _Row, int]] = [
                *((1, row, 1) for row in first),
                *((2, row, diff) for row, diff in second),
                *((3, row, diff) for row, diff in third),
            ]
            await _append(machine, [update for update in history if update[0] == 1], 1, 2)
            await _append(machine, [update for update in history if update[0] >= 2], 2, 4)
            for time_ in (1, 2, 3):
                now: Counter[_Row] = Counter()
                for at, row, diff in history:
                    if at <= time_:
                        now[_seen(row)] += diff
                self.contents[id_][time_] = +now
        await consensus.close()
        await blob.close()

    @contextlib.asynccontextmanager
    async def environment(
        self, *, leave: bool = True, master: str | None = None, folder: str = "replica"
    ) -> AsyncIterator[ComputeController]:
        """A new environment; with `leave` it goes away without a word, as after kill -9, and the replica stays."""
        self.nonce += 1
        options = ProcessOptions(
            self.directory / folder, master=master, memory="1g", module="tests.compute.trivial_replica"
        )
        host = ProcessHost(options, SystemClock(), SystemRandomness())
        controller = ComputeController(
            ControllerOptions(self.consensus_url, self.blob_url, f"{self.nonce:06}", "timeline/t", ()),
            {"r1": host},
            SystemClock(),
            SystemRandomness(),
        )
        controller.start()
        try:
            yield controller
        finally:
            self.hosts.append(host)
            if leave:
                (replica,) = controller._replicas
                assert replica._task is not None and replica._link is not None
                replica._task.cancel()
                replica._link.close()
            else:
                await controller.stop()

    def sweep(self) -> None:
        for host in self.hosts:
            if host._child is not None:
                host._child.kill()
                host._child.wait()


def _seen(row: _Row) -> _Row:
    """A row by which -0.0 differs from 0.0, and NaN equals itself."""
    return tuple(repr(value) if isinstance(value, float) else value for value in row)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("world"))
    asyncio.run(world.fill())
    return world


@pytest.fixture(scope="module", autouse=True)
def _swept(world: World) -> object:
    yield
    world.sweep()


def _import(id_: GlobalId) -> Import:
    return Import(id_, str(id_), _DESC)


def _request(relation: Relation, arity: int, as_of: int, *ids: GlobalId, timeout_ms: int | None = None) -> PeekRequest:
    finishing = Finishing((), None, None, tuple(range(arity)))
    return PeekRequest(relation, tuple(map(_import, ids)), Timestamp(as_of), finishing, timeout_ms=timeout_ms)


def _all(id_: GlobalId, as_of: int) -> PeekRequest:
    return _request(Get(id_, _DESC), 3, as_of, id_)


def _slow(timeout_ms: int | None = None) -> PeekRequest:
    """Counts the square of the large shard: minutes of work."""
    square = Join(JoinKind.INNER, Get(_LARGE, _DESC), Get(_LARGE, _DESC), ())
    relation = Reduce(square, (), (Aggregate("count", (), INT8),), ("count",))
    return _request(relation, 1, 3, _LARGE, timeout_ms=timeout_ms)


async def _rows(controller: ComputeController, request: PeekRequest) -> Counter[_Row]:
    rows: Counter[_Row] = Counter()
    async for batch in controller.peek(request):
        rows.update(_seen(tuple(row.values())) for row in batch.to_pylist())
    return rows


async def test_peeks_read_every_time_exactly(world: World) -> None:
    async with world.environment() as controller:
        for id_ in (_SMALL, _LARGE):
            for time_, expected in world.contents[id_].items():
                assert await _rows(controller, _all(id_, time_)) == expected, (id_, time_)
        with pytest.raises(SqlError):
            await _rows(controller, _request(Get(GlobalId.user(9), _DESC), 3, 1, GlobalId.user(9)))


async def test_a_long_statement_does_not_block_short_ones_and_stops_when_cancelled(world: World) -> None:
    async with world.environment() as controller:
        await _rows(controller, _all(_SMALL, 3))
        long = [asyncio.create_task(_rows(controller, _slow())) for _ in range(4)]
        await asyncio.sleep(3)
        for _ in range(5):
            assert await _rows(controller, _all(_SMALL, 3)) == world.contents[_SMALL][3]
        for task in long:
            assert not task.done()
            task.cancel()
        await asyncio.gather(*long, return_exceptions=True)
        with pytest.raises(SqlError) as caught:
            await asyncio.wait_for(_rows(controller, _slow(timeout_ms=1_500)), 120)
        assert caught.value.sqlstate is Sqlstate.QUERY_CANCELED
        # The slots are free again: a large statement runs.
        assert await asyncio.wait_for(_rows(controller, _all(_LARGE, 3)), 120) == world.contents[_LARGE][3]


async def test_a_killed_replica_is_restarted_and_its_statement_asked_again(world: World) -> None:
    async with world.environment() as controller:
        assert await _rows(controller, _all(_SMALL, 3)) == world.contents[_SMALL][3]
        first = controller.status().pid
        assert first is not None
        jvms = psutil.Process(first).children()
        waiting = asyncio.create_task(_rows(controller, _slow(timeout_ms=30_000)))
        await asyncio.sleep(1)
        os.kill(first, signal.SIGKILL)
        assert await asyncio.wait_for(_rows(controller, _all(_SMALL, 3)), 150) == world.contents[_SMALL][3]
        assert controller.status().pid != first and controller.status().restarts == 1
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        _, alive = psutil.wait_procs(jvms, timeout=60)
        assert alive == [], "the JVM outlived its replica"


async def test_a_replica_whose_jvm_dies_is_restarted(world: World) -> None:
    async with world.environment() as controller:
        assert await _rows(controller, _all(_SMALL, 1)) == world.contents[_SMALL][1]
        first = controller.status().pid
        assert first is not None
        waiting = asyncio.create_task(_rows(controller, _slow(timeout_ms=40_000)))
        await asyncio.sleep(1)
        for child in psutil.Process(first).children():
            child.kill()
        assert await asyncio.wait_for(_rows(controller, _all(_SMALL, 1)), 150) == world.contents[_SMALL][1]
        assert controller.status().pid != first
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def test_a_replica_that_somebody_else_started_serves_too(world: World) -> None:
    async with world.environment() as controller:
        await controller.wait_ready()
        address = controller.status().address
    secret = world.hosts[-1].secret
    world.nonce += 1
    options = ControllerOptions(world.consensus_url, world.blob_url, f"{world.nonce:06}", "timeline/t", ())
    controller = ComputeController(options, {"r1": AddressHost(address, secret)}, SystemClock(), SystemRandomness())
    controller.start()
    assert await _rows(controller, _all(_SMALL, 1)) == world.contents[_SMALL][1]
    await controller.stop()


async def test_a_corrupt_part_is_an_error_that_names_it(world: World) -> None:
    part = max((world.directory / "blob").rglob("*.parquet"), key=lambda path: path.stat().st_size)
    whole = part.read_bytes()
    middle = len(whole) // 3
    part.write_bytes(whole[:middle] + bytes([whole[middle] ^ 0xFF]) + whole[middle + 1 :])
    try:
        async with world.environment() as controller:
            with pytest.raises(SqlError, match=f"{part.name} of shard {_LARGE} is corrupt") as caught:
                await _rows(controller, _all(_LARGE, 3))
            assert caught.value.sqlstate is Sqlstate.DATA_CORRUPTED
            assert await _rows(controller, _all(_SMALL, 3)) == world.contents[_SMALL][3]
    finally:
        part.write_bytes(whole)


async def test_the_next_environment_finds_the_running_replica(world: World) -> None:
    async with world.environment() as controller:
        assert await _rows(controller, _all(_SMALL, 2)) == world.contents[_SMALL][2]
        first = controller.status().pid
    async with world.environment(leave=False) as controller:
        assert await _rows(controller, _all(_SMALL, 2)) == world.contents[_SMALL][2]
        assert controller.status().pid == first
    assert first is not None
    assert not psutil.pid_exists(first) or psutil.Process(first).status() == psutil.STATUS_ZOMBIE


async def test_a_replica_without_an_environment_ends(world: World) -> None:
    options = ProcessOptions(world.directory / "alone", wait_s=0.5, memory="1g", module="tests.compute.trivial_replica")
    host = ProcessHost(options, SystemClock(), SystemRandomness())
    world.hosts.append(host)
    (await host.connect()).close()
    assert host.pid is not None
    process = psutil.Process(host.pid)
    deadline = time.monotonic() + 150
    while process.status() != psutil.STATUS_ZOMBIE and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    assert process.status() == psutil.STATUS_ZOMBIE, "it waits for ever"


async def test_executors_of_their_own_give_the_same_answers(world: World) -> None:
    async with world.environment(leave=False, master="local-cluster[2,1,1024]", folder="cluster") as controller:
        for id_ in (_SMALL, _LARGE):
            assert await _rows(controller, _all(id_, 3)) == world.contents[id_][3]
