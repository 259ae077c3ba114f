"""The law of wide ticks over state, without Spark: whatever the ticks before were, and on however many partitions, a
wide tick puts out what the kernel puts out over everything; and what is wrong with a wide tick is found by that."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from compute.arrangement import partition
from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch, BatchFile, CorruptFile
from compute.arrangement.batch_file import BatchDirectory
from compute.arrangement.blob.cache import BlockCache
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.arrangement.layout import Layout
from compute.arrangement.manifest_file import ManifestFile
from compute.arrangement.partition import hashes_of
from compute.arrangement.stores import ManifestMoved
from compute.executors import step_task
from compute.executors.step_task import StepTask
from compute.executors.task_done import StepDone
from compute.executors.task_pool import Task
from compute.kernels.by_partition import PartitionWork, VersionsWork
from compute.kernels.rares import rare_layout, rare_rows
from compute.maintain import wide
from compute.maintain.segments import SegmentQuery
from compute.maintain.stages.stage import StageInput, TickStage, Turn
from compute.maintain.stages.streams import Stream
from compute.maintain.wide import SegmentRows, WideBounds, WideResult, WideSteps, WideTick
from compute.operators.accumulable import Rare
from compute.operators.rendered import ERROR_COLUMN, Rendered
from compute.scalars.spark_sql import Sql
from compute.spark.session import Profile
from model.time.timestamp import Timestamp
from storage.persist.files import FileBlob
from tests.compute.arrangement.blob_worlds import STATE, BlobWorld
from tests.compute.arrangement.scripts import tight_limits
from tests.compute.executors.pools import FATES, Attempts
from tests.compute.executors.test_step_task import KERNELS, counted_rows, rows_of
from tests.storage.memory import MemoryConsensus

_TIMES = (5, 8, 9, 12)


@dataclass(frozen=True, slots=True)
class _Stage(TickStage):
    """A step whose kernel is given."""

    kernel: PartitionWork

    @property
    def work(self) -> PartitionWork:
        return self.kernel

    def changes(self, turn: Turn) -> Iterator[pa.Table]:
        return self.kernel.changes(turn.arrangements, turn.lower)


@dataclass
class _Pool:
    """Makes attempts one after the other, over tables by the text of their query; `beside` is done before each job."""

    tables: Mapping[str, pa.Table]
    attempts: Attempts
    dice: random.Random
    beside: Callable[[], object] = lambda: None
    tasks: list[StepTask] = field(default_factory=list)

    def run(self, task: Task, rows: SegmentRows | None) -> list[StepDone]:
        assert isinstance(task, StepTask)
        self.beside()
        self.tasks.append(task)
        batches = [] if rows is None else self.tables[str(rows.query.text)].to_batches(max_chunksize=7)
        done = [each for part in range(task.partitions) for each in self.attempts(task, part, batches)]
        self.beside()
        return self.dice.sample(done, len(done))


Store = Callable[[Path], ArrangementStore]


def local_state(place: Path) -> ArrangementStore:
    return local_store(place / "state")


class _Course:
    """One step's ticks: by tasks or not, each compared with the kernel over arrangements in memory alone."""

    def __init__(self, name: str, seed: int, place: Path, fate: str = "once", store: Store = local_state) -> None:
        self.layouts, self.work, self.rares = KERNELS[name]
        self.dice = random.Random(seed)
        self.place = place
        self.fate = fate
        self.whole = self._arranged(Arrangement)
        self.store = store(place)
        self.kept = self._arranged(self.store.arrangement)
        self.inserted: list[list[pa.Table]] = [[] for _ in self.layouts]
        self.pools: list[_Pool] = []
        self._ticks: list[WideTick] = []

    def _arranged(self, make: Callable[[Layout], Arrangement]) -> dict[str, Arrangement]:
        own = {f"{number}": make(layout) for number, layout in enumerate(self.layouts)}
        return own | {f"{number}.rare": make(rare_layout(layout)) for number, layout in enumerate(self.layouts)}

    def run(self, partitions: tuple[int, ...]) -> None:
        """Raises AssertionError when a tick is not what it should be."""
        for time in _TIMES:
            tables = [self._come(number, time) for number in range(len(self.layouts))]
            self._insert(self.whole, tables)
            expected = self._seen(list(self.work.changes(self.whole, time)))
            if self.dice.random() < 0.75:
                chunks, end = self._wide(time, tables, self.dice.choice(partitions))
            else:
                self._insert(self.kept, tables)
                chunks, end = list(self.work.changes(self.kept, time)), lambda: None
            assert self._seen(chunks) == expected, f"at {time}"
            for arrangement in (*self.whole.values(), *self.kept.values()):
                arrangement.seal()
                arrangement.allow_compaction(time)
            end()
            if self.dice.random() < 0.3:
                self.store.checkpoint("plan", time + 1, {}, self.kept)
        for name, arrangement in self.kept.items():
            as_of = _TIMES[-1]
            assert counted_rows(list(arrangement.rows(as_of))) == counted_rows(list(self.whole[name].rows(as_of)))

    def tick(self, time: int, partitions: int) -> Callable[[], None]:
        """Makes a wide tick that is compared with nothing; returns what ends it."""
        tables = [self._come(number, time) for number in range(len(self.layouts))]
        self._insert(self.whole, tables)
        return self._wide(time, tables, partitions)[1]

    def end_in_vain(self) -> None:
        """Ends the last wide tick, which is discarded."""
        self._ticks[-1].end(sealed=False)

    def _come(self, number: int, time: int) -> pa.Table:
        """New rows, and some that go again; errors beside them."""
        table = _at(rows_of(self.dice, self.layouts[number], self.rares), time)
        earlier = self.inserted[number]
        if earlier and not self.rares:
            gone = earlier.pop(self.dice.randrange(len(earlier)))
            diffs = pa.array(-np.asarray(gone.column("diff")))
            gone = _at(gone.set_column(gone.schema.names.index("diff"), "diff", diffs), time)
            for place, field_ in enumerate(gone.schema):
                if field_.name.startswith("a"):
                    opposite = pa.array(-np.asarray(gone.column(place)))
                    gone = gone.set_column(place, field_, opposite)
            return pa.concat_tables([table, gone])
        sound = table.filter(pc.is_null(table.column("err")))
        self.inserted[number].append(sound)
        return table

    def _insert(self, arrangements: Mapping[str, Arrangement], tables: list[pa.Table]) -> None:
        for number, (layout, table) in enumerate(zip(self.layouts, tables, strict=True)):
            sound = table.filter(pc.is_null(table.column("err"))).combine_chunks()
            arrangements[f"{number}"].insert(sound.select(layout.schema.names))
            arrangements[f"{number}.rare"].insert(rare_rows(sound, layout, self.rares))

    def _wide(self, time: int, tables: list[pa.Table], partitions: int) -> tuple[list[pa.Table], Callable[[], None]]:
        pool = _Pool({f"{n}": each for n, each in enumerate(tables)}, FATES[self.fate], self.dice, self._tidy)
        self.pools.append(pool)
        steps = WideSteps(pool, lambda: partitions, WideBounds(0, -1), WideBounds(0, -1))
        scratch = self.place / f"scratch-{time}"
        scratch.mkdir()
        tick = WideTick(steps, self.kept, scratch, Timestamp(time), starts=time == _TIMES[0])
        self._ticks.append(tick)
        result: WideResult = tick.run(self._stage(tables), self._rows, lambda *_: None)
        assert result.change.table is not None, "few rows become literal"
        return [result.change.table], lambda: tick.end(sealed=True)

    def _tidy(self) -> None:
        """Does what a checkpoint does in another thread while the tick goes on."""
        store = self.kept["0"].store
        assert store is not None, "it has files"
        store.remove_garbage(self.names())

    def names(self) -> set[str]:
        return {file.name for each in self.kept.values() for batch in each.batches for file in batch.files}

    def _stage(self, tables: list[pa.Table]) -> _Stage:
        inputs = []
        for number, (layout, table) in enumerate(zip(self.layouts, tables, strict=True)):
            schema = pa.schema([each for each in table.schema if each.name != ERROR_COLUMN])
            query = SegmentQuery(Sql(f"{number}"), schema, True, frozenset(), False)
            rares = tuple(Rare(each.name, Sql(""), each.count) for each in self.rares)
            inputs.append(StageInput(f"{number}", query, layout, rares))
        several = {each.name: each for each in inputs}
        expected = next(iter(self.work.changes(self.whole, 0)), None)
        schema = pa.schema([("time", pa.int64())]) if expected is None else expected.schema
        return _Stage(tuple(several.values()), Stream(Rendered(Sql(""), ()), "view", schema), self.work)

    def _rows(self, input_: StageInput) -> SegmentRows:
        return SegmentRows(input_.query, Profile.LARGE, {})

    def _seen(self, chunks: list[pa.Table]) -> Counter[Hashable]:
        if isinstance(self.work, VersionsWork) and self.work.first_rows is not None:
            return _first_of_versions(chunks, self.work.first_rows)
        return counted_rows(chunks)


def _at(table: pa.Table, time: int) -> pa.Table:
    place = table.schema.names.index("time")
    return table.set_column(place, "time", pa.array([time] * table.num_rows, pa.int64()))


def _first_of_versions(chunks: list[pa.Table], most: int) -> Counter[Hashable]:
    """What the versions' first orders come to: how many rows more a version has is not said."""
    versions: dict[tuple[object, ...], list[int]] = {}
    for chunk in chunks:
        for row in chunk.to_pylist():
            versions.setdefault((row["k0"], row["t"], row["u"]), []).append(row["c0"])
    counts: Counter[Hashable] = Counter()
    for (key, begin, end), orders in versions.items():
        first = tuple(sorted(orders)[:most])
        counts[key, first, begin] += 1
        counts[key, first, end] -= 1
    return Counter({row: count for row, count in counts.items() if count})


@pytest.mark.in_part(6)
@pytest.mark.parametrize("fate", [fate for fate in FATES if fate != "no answer"])
@pytest.mark.parametrize("name", KERNELS)
def test_ticks_of_any_width_follow_one_on_the_other(name: str, fate: str, tmp_path: Path) -> None:
    wide_ticks = 0
    for seed in range(4):
        course = _Course(name, seed, tmp_path / f"{seed}", fate)
        with tight_limits() if seed % 2 else contextlib.nullcontext():
            course.run((1, 2, 7))
        wide_ticks += len(course.pools)
    assert wide_ticks > 8


@pytest.mark.in_part(4)
@pytest.mark.parametrize("fate", ["lost after it wrote", "both answer"])
@pytest.mark.parametrize("name", ["join", "sums with rare floats", "first rows"])
def test_state_in_blob_is_opened_and_written_by_tasks(name: str, fate: str, tmp_path: Path) -> None:
    """By each task with a client and a cache of its own; and what no manifest names goes."""
    url = str(tmp_path / "blob")
    world = BlobWorld(tmp_path, lambda: (MemoryConsensus(), FileBlob(Path(url))), url=url)
    course = _Course(name, 1, tmp_path, fate, lambda _: world.process().store(STATE))
    course.run((1, 2, 7))
    assert course.pools
    course.store.checkpoint("plan", 20, {}, course.kept)
    assert _names_below(url) == course.names()
    world.close()


def test_a_tick_in_vain_leaves_nothing_in_blob(tmp_path: Path) -> None:
    url = str(tmp_path / "blob")
    world = BlobWorld(tmp_path, lambda: (MemoryConsensus(), FileBlob(Path(url))), url=url)
    course = _Course("join", 1, tmp_path, "lost halfway", lambda _: world.process().store(STATE))
    course.tick(5, 3)
    assert _names_below(url)
    for each in course.kept.values():
        each.discard()
    course.end_in_vain()
    assert not _names_below(url)
    world.close()


class _Quota(_Course):
    """A course on a host whose disk has room for little of the state."""

    bytes_max = 3_000

    def _tidy(self) -> None:
        super()._tidy()
        held = sum(path.stat().st_size for path in (self.place / "cache0").iterdir())
        assert held <= self.bytes_max, "the host's disk is full"


def _beyond_the_disk(place: Path) -> tuple[_Quota, int]:
    """A course over state in blob, and how many bytes that has at the end."""
    url = str(place / "blob")
    world = BlobWorld(place, lambda: (MemoryConsensus(), FileBlob(Path(url))), _Quota.bytes_max, url)
    course = _Quota("join", 1, place, "both answer", lambda _: world.process().store(STATE))
    with tight_limits():
        course.run((1, 2, 7))
    course._tidy()
    kept = sum(path.stat().st_size for path in Path(url).rglob("*") if path.is_file())
    world.close()
    return course, kept


def test_state_may_be_larger_than_the_driver_s_disk(tmp_path: Path) -> None:
    course, kept = _beyond_the_disk(tmp_path)
    assert course.pools and kept > 4 * course.bytes_max


def test_a_driver_that_keeps_all_of_it_on_its_disk_is_found(tmp_path: Path) -> None:
    with patch.object(BlockCache, "_make_room", lambda *_: None), pytest.raises(AssertionError, match="disk is full"):
        _beyond_the_disk(tmp_path)


def _names_below(url: str) -> set[str]:
    return {path.parent.name for path in Path(url).rglob("*") if path.is_file()}


def _each_of_all(batch: pa.RecordBatch, _partitions: int, _partition: int) -> pa.RecordBatch:
    return batch


def _without_state(task: Task, partition: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
    assert isinstance(task, StepTask)
    return FATES["once"](replace(task, state=()), partition, batches)


def _all_but_the_last(self: ArrangementBatch, low: int, high: int) -> tuple[BatchFile, ...]:
    return _FILES_BETWEEN(self, low, high)[:-1]


def _those_in_files(self: Arrangement) -> tuple[ArrangementBatch, ...]:
    return tuple(each for each in self.batches if each.files)


_NONE = (None,) * 7
_FILES_BETWEEN = ArrangementBatch.files_between
_PLANTED: Mapping[str, tuple[str, object, str, object]] = {
    "state is left out": ("without state", FATES, "without state", _without_state),
    "each task works on all": ("once", step_task, "of_partition", _each_of_all),
    "all attempts count": ("both answer", wide, "counted", lambda _, done: list(done)),
    "a file is forgotten": ("once", ArrangementBatch, "files_between", _all_but_the_last),
    "what is in memory is forgotten": ("once", Arrangement, "file_batches", _those_in_files),
    "ranges are others": ("once", partition, "hashes_of", lambda part, parts: hashes_of(part and part - 1, parts)),
    "files of tasks are garbage": ("once", BatchDirectory, "expect", lambda *_: None),
    "changes are not kept": ("once", WideTick, "_adopt", lambda self, name, *_: self._sorted.update({name: _NONE})),
}


@pytest.mark.parametrize("bug", _PLANTED)
def test_what_is_wrong_with_wide_ticks_is_found(bug: str, tmp_path: Path) -> None:
    fate, place, name, wrong = _PLANTED[bug]
    patched = patch.dict(place, {name: wrong}) if isinstance(place, dict) else patch.object(place, name, wrong)
    with patched, pytest.raises((AssertionError, CorruptFile)):
        for seed in range(20):
            _Course("join", seed, tmp_path / f"{seed}", fate).run((7,))


def test_a_manifest_that_anybody_replaces_is_found(tmp_path: Path) -> None:
    with patch.object(ManifestFile, "replace", _in_place_of_any), pytest.raises(BaseException, match="DID NOT RAISE"):
        test_two_drivers_that_go_on_from_one_manifest_do_not_go_on_together(tmp_path)


def _in_place_of_any(self: ManifestFile, data: bytes) -> None:
    self.read()
    _REPLACE(self, data)


_REPLACE = ManifestFile.replace


def test_two_drivers_that_go_on_from_one_manifest_do_not_go_on_together(tmp_path: Path) -> None:
    """One of them does not know that it has been given up."""
    course = _Course("join", 1, tmp_path)
    course.run((2,))
    course.store.checkpoint("plan", 20, {}, course.kept)
    named = course.names()
    drivers = []
    for number in range(2):
        driver = _Course("join", 2, tmp_path / f"{number}")
        driver.store = local_store(tmp_path / "state")
        found = driver.store.open("plan", {name: each.layout for name, each in course.kept.items()})
        assert found is not None
        driver.kept = dict(found.arrangements)
        drivers.append(driver)
    for number, driver in enumerate(drivers):
        end = driver.tick(30, 7)
        for each in driver.kept.values():
            each.seal()
        end()
        if number == 0:
            driver.store.checkpoint("plan", 31, {}, driver.kept)
            named = driver.names()
        else:
            with pytest.raises(ManifestMoved):
                driver.store.checkpoint("plan", 31, {}, driver.kept)
    assert named <= {path.name for path in (tmp_path / "state").iterdir()}
    again = local_store(tmp_path / "state").open("plan", {name: each.layout for name, each in course.kept.items()})
    assert again is not None
    for name, each in again.arrangements.items():
        assert counted_rows(list(each.rows(30))) == counted_rows(list(drivers[0].kept[name].rows(30)))
