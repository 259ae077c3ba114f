"""Hydrates a group-by, a join and a top-3 by narrow steps and by wide ones, and lets large ticks follow: the time, and
the peak memory of each process.

    python -m benchmarks.by_tasks.hydration 3000000
    python -m benchmarks.by_tasks.hydration 10000000 1000000
    python -m benchmarks.by_tasks.hydration 10000000 beside

A wide tick's output is written by tasks, as a view's parts of a shard; a narrow one's is read here, and written
nowhere. With EXECUTORS=n in the environment, tasks run on n executors of one core and 1 GiB.

The first hydrates, each case in a process of its own, with a JVM of its own. The second also lets ticks of 1,000,000
changes of the left table follow, narrow and wide ones by turns in one process, so that they can be compared on a busy
machine. Inputs are Parquet files, as the parts of shards are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from compute.arrangement.blob.remote_place import RemoteBlob
from compute.arrangement.checkpoint import local_store
from compute.maintain.change import Change, filed_change, literal_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import Queries
from compute.maintain.spark_pool import SparkPool
from compute.maintain.wide import ExportTarget, WideBounds, WideSteps
from compute.replica.dataflows.exports.shard_rows import ShardRows
from compute.spark.row_files import write_rows
from compute.spark.session import SparkOptions, large_tasks_max, profile_sessions, start_session, stop_session
from model.ids.global_id import GlobalId
from model.physical.columns import updates_schema
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT8, NUMERIC, TEXT
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Get, Join, JoinKind, Reduce, Relation, TopK
from planner.ir.scalar import Call, Column, Literal
from planner.rules.pipeline import optimize

_LEFT, _RIGHT, _VIEW = GlobalId.user(1), GlobalId.user(2), GlobalId.user(9)
_DESC = relation_desc(("k", INT8), ("v", INT8))
_FILES = 4


def _column(index: int) -> Column:
    return Column(index, INT8)


def _relation(case: str) -> Relation:
    left, right = Get(_LEFT, _DESC), Get(_RIGHT, _DESC)
    if case == "top-3":
        order = SortKey(_column(1), descending=True, nulls_first=False)
        return TopK(left, (0,), (order,), Literal(3, INT8), None)
    if case == "group-by":
        sums = (Aggregate("count_star", (), INT8), Aggregate("sum_int8", (_column(1),), NUMERIC))
        return Reduce(left, (_column(0),), sums, ("k", "count", "sum"))
    return Join(JoinKind.INNER, left, right, (Call("eq_int8_int8", (_column(0), _column(2)), BOOL),))


CASES = ("group-by", "join", "top-3")
_TICKS = 8
"""Two wide ones, two narrow ones, and so on: of two, one adds rows, and the next takes them away."""


def _inputs(directory: Path, rows: int) -> None:
    """Writes both tables: four rows a key on the left, one on the right."""
    schema = updates_schema(_DESC)
    for name, count, keys in (("left", rows, rows // 4), ("right", rows // 4, rows // 4)):
        numbers = np.random.default_rng(1)
        for number in range(_FILES):
            size = count // _FILES
            first = number * size
            key = (np.arange(first, first + size) * 7919) % keys
            columns = [key, numbers.integers(0, 1 << 30, size), np.full(size, 5), np.ones(size, np.int64)]
            (directory / name).mkdir(exist_ok=True)
            table = pa.table([pa.array(column) for column in columns], schema=schema)
            write_rows(directory / name / f"{number}.parquet", [table], schema)


def _later_change(directory: Path, rows: int, changes: int, tick: int) -> Change:
    """Returns a change of the left table: of keys that are there, new rows in one tick, which go in the next."""
    numbers = np.random.default_rng(tick // 2)
    key, value = numbers.integers(0, rows // 4, changes), numbers.integers(0, 1 << 30, changes)
    columns = [key, value, np.full(changes, 6 + tick), np.full(changes, 1 - 2 * (tick % 2))]
    schema = updates_schema(_DESC)
    path = directory / f"later-{tick}.parquet"
    write_rows(path, [pa.table([pa.array(column) for column in columns], schema=schema)], schema)
    return filed_change(changes, [path], schema)


def _changes(directory: Path) -> dict[GlobalId, Change]:
    schema = updates_schema(_DESC)
    found = {}
    for id_, name in ((_LEFT, "left"), (_RIGHT, "right")):
        paths = sorted((directory / name).iterdir())
        found[id_] = filed_change(sum(pq.read_metadata(path).num_rows for path in paths), paths, schema)
    return found


class Peaks:
    """The greatest memory of this process, of the JVM, and of all Python workers together, in MiB, and the processor's
    seconds of them all."""

    def __init__(self) -> None:
        """Begins to watch."""
        self.own = self.java = self.executors = self.workers = 0.0
        self._seconds: dict[tuple[str, int], float] = {}
        self._before = {"python": 0.0, "java": 0.0, "workers": 0.0}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    @contextmanager
    def watching(self) -> Iterator[None]:
        self._note()
        self._before = self.seconds
        self._thread.start()
        yield
        self._note()
        self._stop.set()
        self._thread.join()

    @property
    def seconds(self) -> dict[str, float]:
        """Returns the processor's seconds of each kind of process."""
        return {
            kind: round(sum(each for (of, _), each in self._seconds.items() if of == kind) - before, 1)
            for kind, before in self._before.items()
        }

    def _watch(self) -> None:
        while not self._stop.wait(0.2):
            self._note()

    def _note(self) -> None:
        own = psutil.Process()
        java = executors = workers = 0.0
        for each in (own, *own.children(recursive=True)):
            with suppress(psutil.Error):
                times = each.cpu_times()
                kind = "python" if each.pid == own.pid else "java" if each.name() == "java" else "workers"
                self._seconds[kind, each.pid] = times.user + times.system
                if each.pid == own.pid:
                    self.own = max(self.own, each.memory_full_info().uss / 2**20)
                elif each.name() == "java" and any("ExecutorBackend" in word for word in each.cmdline()):
                    executors += each.memory_info().rss
                elif each.name() == "java":
                    java += each.memory_info().rss
                else:
                    # What the workers share with the process that made them is counted once.
                    workers += each.memory_full_info().uss
        self.java = max(self.java, java / 2**20)
        self.executors = max(self.executors, executors / 2**20)
        self.workers = max(self.workers, workers / 2**20)


@dataclass(frozen=True, slots=True)
class _Switched(WideSteps):
    """All steps are wide while the switch holds True, else none is."""

    switch: list[bool] = field(default_factory=list)

    def least(self, *, starts: bool) -> WideBounds:
        return WideBounds(0, -1) if self.switch[0] else WideBounds(1 << 62, 0)


def _partitions() -> int:
    return int(os.environ.get("EXECUTORS", "0")) or large_tasks_max()


class _Course:
    """A case's dataflow in a session of its own."""

    def __init__(self, case: str, place: Path) -> None:
        options = SparkOptions(app_dir=place / "spark", log_path=place / "spark.log")
        if "EXECUTORS" in os.environ:
            master = f"local-cluster[{os.environ['EXECUTORS']},1,1024]"
            options = replace(options, master=master, memory="640m")
        self._session = start_session(options)
        self.sessions = profile_sessions(self._session)
        self._place = place
        self._switch = [False]
        self.flow = self.begun(case)

    def begun(self, case: str) -> Dataflow:
        """Begins a dataflow beside others in the same session."""
        sessions, place = self.sessions, self._place

        def steps(queries: Queries) -> WideSteps:
            return _Switched(SparkPool(sessions, queries), _partitions, exports=WideBounds(0, -1), switch=self._switch)

        relation = optimize(_relation(case))
        plan = plan_maintenance(((_VIEW, relation),), (_VIEW,))
        stored = relation_desc(
            *((f"{number}", type_) for number, type_ in enumerate((*relation_desc_of(relation).types, TEXT)))
        )
        rows = ShardRows(RemoteBlob(str(place / "blob")), "u9", stored, None, None)
        self._targets = {"u9": ExportTarget(rows, None)}
        store = local_store(Path(tempfile.mkdtemp(prefix="state-", dir=place)))
        flow = Dataflow(plan, {_LEFT: _DESC, _RIGHT: _DESC}, sessions, place, steps)
        flow.begin({key: store.arrangement(layout) for key, layout in flow.layouts.items()}, upper=None)
        return flow

    def tick(self, changes: Mapping[GlobalId, Change], lower: int, wide: bool) -> dict[str, object]:
        """Makes a tick, reads its output, and seals it; then tasks merge what is due, if it was wide. Returns what it
        took."""
        self._switch[0] = wide
        peaks, begun = Peaks(), time.monotonic()
        with peaks.watching():
            result = self.flow.tick(changes, Timestamp(lower), Timestamp(lower + 1), lambda _: self._targets)
            stepped = time.monotonic() - begun
            rows = sum(chunk.num_rows for chunk in result.outputs[_VIEW])
            rows += sum(done.rows for each in result.exported.values() for done in each.exports["u9"])
            read = time.monotonic() - begun
            self.flow.seal()
        sealed = time.monotonic() - begun
        merges = Peaks()
        with merges.watching():
            while self.flow.merges_due:
                self.flow.merge()
        return {
            "seconds": round(sealed, 2),
            "until outputs": round(stepped, 2),
            "until read": round(read, 2),
            "processor seconds": peaks.seconds,
            "task seconds": round(sum(each.task_seconds for each in result.steps), 2),
            "export task seconds": round(sum(each.task_seconds for each in result.exported.values()), 2),
            "tasks": sum(step.tasks for step in result.steps) + sum(each.tasks for each in result.exported.values()),
            "rows": rows,
            "merges": {"seconds": round(time.monotonic() - begun - sealed, 2), "processor seconds": merges.seconds},
            "python MiB": round(peaks.own),
            "java MiB": round(peaks.java),
            **({"executors MiB": round(peaks.executors)} if peaks.executors else {}),
            "workers MiB": round(peaks.workers),
        }

    def close(self) -> None:
        """Ends the dataflow and its session."""
        self.flow.close()
        stop_session(self._session)


def _run(case: str, wide: bool, directory: Path, changes: int) -> Iterator[dict[str, object]]:
    """Yields what the hydration took, and then each tick of so many changes, if there are to be any."""
    with tempfile.TemporaryDirectory(dir=directory) as name:
        course = _Course(case, Path(name))
        tables = {id_: each for id_, each in _changes(directory).items() if id_ == _LEFT or case == "join"}
        yield course.tick(tables, 5, wide)
        for tick in range(_TICKS if changes else 0):
            change = _later_change(directory, tables[_LEFT].rows, changes, tick)
            wide = tick % 4 < 2
            yield {"tick": "wide" if wide else "narrow", **course.tick({_LEFT: change}, 6 + tick, wide)}
        course.close()


def _small(flow: Dataflow, rows: int, lower: int, count: int) -> list[float]:
    """Makes small ticks, each of so many rows; returns the milliseconds of each."""
    took, schema = [], updates_schema(_DESC)
    for tick in range(count):
        numbers = np.random.default_rng(tick)
        columns = [numbers.integers(0, 1000, rows), numbers.integers(0, 1 << 30, rows)]
        columns += [np.full(rows, lower + tick), np.ones(rows, np.int64)]
        change = literal_change(pa.table([pa.array(column) for column in columns], schema=schema))
        begun = time.monotonic()
        result = flow.tick({_LEFT: change}, Timestamp(lower + tick), Timestamp(lower + tick + 1))
        sum(chunk.num_rows for chunk in result.outputs[_VIEW])
        flow.seal()
        took.append(1000 * (time.monotonic() - begun))
    return took


def _large(course: _Course, directory: Path, rows: int, first: int) -> list[object]:
    """Makes four ticks of a million changes; returns the seconds of each."""
    made = [_later_change(directory, rows, 1_000_000, number) for number in range(first, first + 4)]
    return [course.tick({_LEFT: each}, 6 + first + tick, True)["seconds"] for tick, each in enumerate(made)]


def _quantiles(took: Sequence[float]) -> dict[str, float]:
    return {f"p{percent}": round(float(np.percentile(took, percent)), 1) for percent in (50, 99)}


def _beside(directory: Path, rows: int) -> Iterator[dict[str, object]]:
    """Yields the milliseconds of small ticks of a group-by, alone and beside large ticks of a join."""
    with tempfile.TemporaryDirectory(dir=directory) as name:
        course = _Course("join", Path(name))
        course.tick(_changes(directory), 5, True)
        small = course.begun("group-by")
        small.tick({_LEFT: literal_change(updates_schema(_DESC).empty_table())}, Timestamp(5), Timestamp(6))
        small.seal()
        at = 6
        for size in (10, 1_000):
            _small(small, size, at, 100)  # code is compiled, and memory taken
            alone = _small(small, size, at + 100, 200)
            beside: list[float] = []
            at += 300
            with ThreadPoolExecutor(1) as other:
                large = other.submit(_large, course, directory, rows, 0 if size == 10 else 4)
                while not large.done():
                    beside += _small(small, size, at, 10)
                    at += 10
            yield {
                "rows": size,
                "alone ms": _quantiles(alone),
                "beside ms": {**_quantiles(beside), "ticks": len(beside)},
                "large ticks, s": large.result(),
            }
        small.close()
        course.close()


def main(rows: int, changes: str, cases: Sequence[str]) -> None:
    """Prints a line for each case and width."""
    if changes == "beside":
        with tempfile.TemporaryDirectory(prefix="hydration-") as name:
            _inputs(Path(name), rows)
            for took in _beside(Path(name), rows):
                print(json.dumps(took), flush=True)
        return
    with tempfile.TemporaryDirectory(prefix="hydration-") as name:
        _inputs(Path(name), rows)
        for case in cases:
            for width in ("narrow", "wide") if changes == "0" and "EXECUTORS" not in os.environ else ("wide",):
                command = [sys.executable, "-m", "benchmarks.by_tasks.hydration", "case", case, width, name, changes]
                told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
                for line in told.strip().splitlines():
                    print(f"{case}, {width}: {line}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "case":
        for took in _run(sys.argv[2], sys.argv[3] == "wide", Path(sys.argv[4]), int(sys.argv[5])):
            print(json.dumps(took))
    else:
        main(int(sys.argv[1]), sys.argv[2] if sys.argv[2:] else "0", sys.argv[3:] or CASES)
