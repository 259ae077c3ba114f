"""The law of merges by tasks: whatever ticks and checkpoints go on beside them, and however their attempts fare, an
arrangement has the contents that it has without them, in files that the next manifest names."""

from __future__ import annotations

import contextlib
import math
import random
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from compute.arrangement import partition
from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch, BatchFile, CorruptFile
from compute.arrangement.batch_file import BatchDirectory
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.arrangement.merge import AwaitedMerge
from compute.arrangement.spine import Spine
from compute.arrangement.stores import ManifestMoved
from compute.executors import step_task
from compute.executors.step_task import StepTask, run_step
from compute.executors.task_done import StepDone
from compute.executors.task_pool import LostTask, Task
from compute.executors.task_rows import TickOver
from compute.maintain import task_merges
from compute.maintain.task_merges import merge_by_tasks, merges_due
from compute.maintain.wide import SegmentRows, WideBounds, WideSteps
from storage.persist.files import FileBlob
from tests.compute.arrangement.blob_worlds import STATE, BlobWorld
from tests.compute.arrangement.scripts import tight_limits
from tests.compute.executors.pools import FATES, Attempts, attempt
from tests.compute.executors.test_step_task import KERNELS, counted_rows, rows_of
from tests.storage.memory import MemoryConsensus

_TICKS = 9
_LAYOUTS = {f"{number}": KERNELS[name][0][0] for number, name in enumerate(("join", "sums", "first rows"))}
_ALWAYS = WideBounds(0, -1)


@dataclass
class _Pool:
    """Makes attempts one after the other; `beside` is done before and after each job."""

    attempts: Attempts
    dice: random.Random
    beside: Callable[[], object]
    jobs: int = 0

    def run(self, task: Task, rows: SegmentRows | None) -> list[StepDone]:
        assert isinstance(task, StepTask)
        assert rows is None
        self.beside()
        self.jobs += 1
        done = [each for part in range(task.partitions) for each in self.attempts(task, part, [])]
        self.beside()
        return self.dice.sample(done, len(done))


class _Course:
    """Ticks of some arrangements, each compared with one that does all its merges itself."""

    def __init__(self, seed: int, store: ArrangementStore, scratch: Path, fate: str = "once") -> None:
        self.dice = random.Random(seed)
        self.store = store
        self.kept = {name: store.arrangement(layout) for name, layout in _LAYOUTS.items()}
        self.whole = {name: Arrangement(layout) for name, layout in _LAYOUTS.items()}
        self.time = 5
        self.scratch = scratch
        self.pool = _Pool(FATES[fate], self.dice, self._beside)
        self.steps = WideSteps(
            self.pool, lambda: self.dice.choice((1, 2, 7)), _ALWAYS, _ALWAYS, WideBounds(self.dice.choice((0, 9)), -1)
        )

    def run(self) -> None:
        """Raises AssertionError when contents are not what they should be."""
        for _ in range(_TICKS):
            self.tick()
            if merges_due(self.kept) and self.dice.random() < 0.6:
                with contextlib.suppress(LostTask):
                    self.merge()
            self.compare()
        while merges_due(self.kept):
            with contextlib.suppress(LostTask):
                self.merge()
        self.compare()
        self.checkpoint()

    def merge(self) -> None:
        merge_by_tasks(self.steps, self.kept, self.scratch)

    def tick(self) -> None:
        awaited = self.steps.merges.rows if self.dice.random() < 0.7 else None
        for name, layout in _LAYOUTS.items():
            table = rows_of(self.dice, layout, ())
            sound = table.filter(pc.is_null(table.column("err"))).select(layout.schema.names).combine_chunks()
            place = layout.schema.names.index("time")
            sound = sound.set_column(place, "time", pa.array([self.time] * sound.num_rows, pa.int64()))
            for arrangement in (self.kept[name], self.whole[name]):
                arrangement.insert(sound)
            self.kept[name].seal(awaited)
            self.whole[name].seal()
            self.kept[name].allow_compaction(self.time)
        self.time += 1

    def _beside(self) -> None:
        """What goes on while tasks work: a tick, or a checkpoint, which removes what nobody expects."""
        if self.dice.random() < 0.5:
            self.tick()
        self.checkpoint()

    def checkpoint(self) -> None:
        self.store.checkpoint("plan", self.time, {}, self.kept)

    def compare(self) -> None:
        for name, arrangement in self.kept.items():
            found = counted_rows(list(arrangement.rows(self.time)))
            assert found == counted_rows(list(self.whole[name].rows(self.time))), f"{name} at {self.time}"

    def names(self) -> set[str]:
        return {file.name for each in self.kept.values() for batch in each.batches for file in batch.files}


@pytest.mark.parametrize("fate", FATES)
def test_merges_by_tasks_change_no_contents(fate: str, tmp_path: Path) -> None:
    merges = 0
    for seed in range(3):
        place = tmp_path / f"{seed}"
        course = _Course(seed, local_store(place / "state"), place / "scratch", fate)
        with tight_limits() if seed % 2 else contextlib.nullcontext():
            course.run()
        merges += course.pool.jobs
        assert not list((place / "scratch").iterdir())
        named = course.names()
        course.store.close()
        assert {path.name for path in (place / "state").glob("*.arrow")} <= named, "the rest is garbage, and gone"
    assert merges > 6


@pytest.mark.parametrize("fate", ["lost after it wrote", "both answer"])
def test_merges_in_blob_leave_what_the_manifest_names(fate: str, tmp_path: Path) -> None:
    url = str(tmp_path / "blob")
    world = BlobWorld(tmp_path, lambda: (MemoryConsensus(), FileBlob(Path(url))), url=url)
    course = _Course(3, world.process().store(STATE), tmp_path / "scratch", fate)
    course.run()
    assert course.pool.jobs
    assert {path.parent.name for path in Path(url).rglob("*") if path.is_file()} == course.names()
    world.close()


@pytest.mark.parametrize("waits", [False, True])
def test_batches_become_few(waits: bool, tmp_path: Path) -> None:
    """Also where tasks come to the merges of many ticks late."""
    course = _Course(1, local_store(tmp_path / "state"), tmp_path / "scratch")
    course.steps = WideSteps(course.pool, lambda: 2, _ALWAYS, _ALWAYS, _ALWAYS)
    course.pool.beside = lambda: None
    for _ in range(40):
        course.tick()
        while not waits and merges_due(course.kept):
            course.merge()
    while merges_due(course.kept):
        course.merge()
    for name, arrangement in course.kept.items():
        rows = sum(batch.rows for batch in arrangement.batches)
        assert len(arrangement.batches) <= math.log2(rows) + 2, f"{name}: {rows} in {len(arrangement.batches)}"


def test_a_merge_that_nobody_wants_any_more_ends_and_leaves_nothing(tmp_path: Path) -> None:
    """As when its object is dropped: the attempts find their directory gone."""

    def orphaned(task: Task, part: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
        assert isinstance(task, StepTask)
        shutil.rmtree(task.exchange, ignore_errors=True)
        return [run_step(task, part, batches)]

    course = _Course(1, local_store(tmp_path / "state"), tmp_path / "scratch")
    course.pool.attempts, course.pool.beside = orphaned, lambda: None
    while not merges_due(course.kept):
        course.tick()
    for each in course.kept.values():
        each.file_batches()
    before = {path.name for path in (tmp_path / "state").iterdir()}
    with pytest.raises(TickOver):
        course.merge()
    assert {path.name for path in (tmp_path / "state").iterdir()} == before
    course.compare()


def test_a_driver_that_is_a_zombie_merges_in_vain(tmp_path: Path) -> None:
    """It does not know that another has the state: what it merges is named by nobody, and harms nobody."""
    url = str(tmp_path / "blob")
    consensus = MemoryConsensus()
    world = BlobWorld(tmp_path, lambda: (consensus, FileBlob(Path(url))), url=url)
    zombie = _Course(2, world.process().store(STATE), tmp_path / "scratch")
    zombie.pool.beside = lambda: None
    zombie.steps = WideSteps(zombie.pool, lambda: 2, _ALWAYS, _ALWAYS, _ALWAYS)
    while not merges_due(zombie.kept):
        zombie.tick()
    zombie.checkpoint()
    contents = {name: counted_rows(list(each.rows(zombie.time - 1))) for name, each in zombie.kept.items()}
    store = world.process().store(STATE)
    found = store.open("plan", _LAYOUTS)
    assert found is not None
    zombie.merge()
    zombie.compare()
    with pytest.raises(ManifestMoved):
        zombie.checkpoint()
    for name, each in found.arrangements.items():
        assert counted_rows(list(each.rows(zombie.time - 1))) == contents[name]
    again = world.process().store(STATE).open("plan", _LAYOUTS)
    assert again is not None and again.upper == found.upper
    world.close()


def _all_but_the_last(self: ArrangementBatch, low: int, high: int) -> tuple[BatchFile, ...]:
    return _FILES_BETWEEN(self, low, high)[:-1]


def _those_in_files(self: Arrangement) -> tuple[ArrangementBatch, ...]:
    return tuple(each for each in self.batches if each.files)


def _in_place_of_all(self: Spine, _awaited: AwaitedMerge, result: ArrangementBatch | None) -> None:
    self._items = [] if result is None else [result]
    self._publish()


def _last_of_two(task: Task, part: int, batches: list[pa.RecordBatch]) -> list[StepDone]:
    assert isinstance(task, StepTask)
    done = attempt(task, part, batches)
    task.place.remove(f"{task.token}-{part}")
    return [done]


_FILES_BETWEEN = ArrangementBatch.files_between
_PLANTED: Mapping[str, tuple[str, object, str, object]] = {
    "all attempts count": ("both answer", task_merges, "counted", lambda _, done: list(done)),
    "a file is forgotten": ("once", ArrangementBatch, "files_between", _all_but_the_last),
    "what is in memory is forgotten": ("once", Arrangement, "file_batches", _those_in_files),
    "the driver has other ranges": ("once", partition, "hashes_of", lambda part, _: (part << 32, part << 33)),
    "a task has other ranges": ("once", step_task, "hashes_of", lambda part, _: (part << 32, part << 33)),
    "files of tasks are garbage": ("once", BatchDirectory, "expect", lambda *_: None),
    "what came meanwhile is forgotten": ("once", Spine, "end_awaited", _in_place_of_all),
    "a loser's files are removed after it answered": ("answered", FATES, "answered", _last_of_two),
}


@pytest.mark.parametrize("bug", _PLANTED)
def test_what_is_wrong_with_merges_is_found(bug: str, tmp_path: Path) -> None:
    fate, place, name, wrong = _PLANTED[bug]
    patched = patch.dict(place, {name: wrong}) if isinstance(place, dict) else patch.object(place, name, wrong)
    with patched, pytest.raises((AssertionError, CorruptFile)):
        for seed in range(20):
            _Course(seed, local_store(tmp_path / f"{seed}"), tmp_path / "scratch", fate).run()
