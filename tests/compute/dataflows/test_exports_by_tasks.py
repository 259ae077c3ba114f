"""Shards and indexes that tasks write: they hold what they would hold of the rows themselves, through ticks that are
made again, writes of others, and a new beginning."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pyarrow as pa

from compute.arrangement.checkpoint import local_store
from compute.executors.export_task import ExportTask
from compute.executors.task_done import ExportDone
from compute.executors.task_pool import run_task
from compute.maintain.wide import ExportTarget
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.maintained import Input, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation
from compute.replica.dataflows.shelf import Shelf
from compute.replica.running.places import Places
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from storage.persist.location import Blob
from tests.compute.dataflows.interpreted import Interpreted, InterpretedMaintenance
from tests.compute.dataflows.test_life import in_shard, with_shard
from tests.compute.dataflows.world import DESC, Replica, World
from tests.compute.dataflows.worlds import run
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import SeededRandomness

_NUMBERS = count()
_PARTITIONS = 2


@dataclass(frozen=True)
class _Remote:
    """The world's blob, as tasks reach it."""

    blob: Blob

    def opened(self) -> Blob:
        return self.blob


class _Tasks:
    """Has tasks write what a tick gives, where all exports of an output can be written so; each task is tried twice."""

    def __init__(self, outputs: Outputs, written: list[str]) -> None:
        self._outputs = outputs
        self._written = written
        self._held: dict[GlobalId, list[pa.Table]] = {}

    def take(self, output: GlobalId, updates: pa.Table) -> None:
        self._held.setdefault(output, []).append(updates)

    def take_errors(self, output: GlobalId, errors: pa.Table) -> None:
        self._outputs.take_errors(output, errors)

    def targets(self, output: GlobalId) -> Mapping[str, ExportTarget]:
        raise AssertionError("the interpreter has no tasks")

    def adopt(self, output: GlobalId, done: Mapping[str, Sequence[ExportDone]]) -> None:
        raise AssertionError("the interpreter has no tasks")

    def give(self, scratch: Path) -> None:
        for output, tables in self._held.items():
            targets = self._outputs.targets(output)
            if not targets:
                for table in tables:
                    self._outputs.take(output, table)
                continue
            table = pa.concat_tables(tables)
            exports = {name: each.task for name, each in targets.items()}
            token, schema = f"token{next(_NUMBERS)}", table.schema
            task = ExportTask(token, _PARTITIONS, str(scratch), schema, None, exports)
            with ThreadPoolExecutor(1) as thread:
                # A task has no event loop above it.
                parts = [*range(_PARTITIONS)] * 2
                made = [thread.submit(run_task, task, part, table.to_batches()).result() for part in parts]
            first = made[:_PARTITIONS]
            self._outputs.adopt(output, {name: [each.exports[name] for each in first] for name in targets})
            self._written += targets


class _ByTasks(Interpreted):
    """A dataflow whose exports tasks write: `written` names them."""

    def __init__(self, written: list[str], scratch: Path, made: Interpreted) -> None:
        self.__dict__ |= made.__dict__
        self._written = written
        self._scratch = scratch
        store = local_store(Path(tempfile.mkdtemp(dir=scratch)))
        self._arrangements = {name: store.arrangement(each.layout) for name, each in made.arrangements.items()}

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        tasks = _Tasks(outputs, self._written)
        rows = await super().tick(inputs, lower, upper, tasks)
        tasks.give(self._scratch)
        return rows


class _Maintenance(InterpretedMaintenance):
    def __init__(self, places: Places, written: list[str], scratch: Path) -> None:
        super().__init__(places)
        self._written = written
        self._scratch = scratch

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Interpreted:
        made = await super().open(number, description, computation, shelf)
        return _ByTasks(self._written, self._scratch, made)


def _maintenance(world: World, written: list[str], scratch: Path) -> Callable[[Places], InterpretedMaintenance]:
    def made(places: Places) -> InterpretedMaintenance:
        # The dataflows' own places are these, too.
        object.__setattr__(places, "remote", _Remote(world.blob))
        return _Maintenance(replace(places), written, scratch)

    return made


def test_a_view_and_an_index_are_written_by_tasks(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        written: list[str] = []
        description = await with_shard(world)
        begin = world.now
        replica = Replica(world, _maintenance(world, written, tmp_path))
        replica.start(description)
        await world.commit({1: [((2, "b"), 2)]})
        await replica.caught_up(2, 3)
        await world.commit({1: [((2, "b"), -1), ((1, "a"), -1), ((3, "c"), 1)]})
        await replica.caught_up(2, 3)
        for time in range(begin, world.now):
            assert await world.shard_at(2, time) == in_shard(world, time)
            assert await replica.index_at(3, time, DESC) == world.rows_at(1, time)
        assert written.count("u2") == written.count("u3") >= 2
        await replica.kill()
        # The shard has contents now: what it lacks takes both, so no task writes it first.
        written.clear()
        await world.commit({1: [((4, "d"), 1)]})
        second = Replica(world, _maintenance(world, written, tmp_path))
        second.start(description)
        await second.caught_up(2, 3)
        await world.commit({1: [((4, "d"), -1)]})
        await second.caught_up(2, 3)
        assert await world.shard_at(2, world.now - 1) == in_shard(world, world.now)
        assert await second.index_at(3, world.now - 1, DESC) == world.rows_at(1, world.now)

    run(work)


def test_a_tick_that_is_made_again_is_written_once(tmp_path: Path) -> None:
    """Its append fails, or nobody knows whether it has."""

    async def work(world: World) -> None:
        written: list[str] = []
        description = await with_shard(world)
        faults = Faults(done=200, not_done=200, late=100, read_failure=100, latency_ms_max=30)
        consensus = UnreliableConsensus(world.consensus, world.clock, SeededRandomness(3), faults)
        replica = Replica(world, _maintenance(world, written, tmp_path), consensus=consensus)
        replica.start(description)
        for key in range(8):
            await world.commit({1: [((key, "b"), 1)]})
            replica.hint()
            await world.clock.sleep(0.5)
        consensus.faults = Faults()
        await replica.caught_up(2, 3)
        assert written.count("u2") > 2
        for time in range(world.now - 6, world.now):
            assert await world.shard_at(2, time) == in_shard(world, time)
            assert await replica.index_at(3, time, DESC) == world.rows_at(1, time)

    run(work)
