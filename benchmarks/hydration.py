"""Hydrates a group-by and a join by narrow steps and by wide ones: the time, and the peak memory of each process.

    python -m benchmarks.hydration 3000000

Each case is a process of its own, with a JVM of its own; inputs are Parquet files, as the parts of shards are.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from compute.arrangement.checkpoint import local_store
from compute.maintain.change import Change, filed_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import Queries
from compute.maintain.spark_pool import SparkPool
from compute.maintain.wide import WideSteps
from compute.spark.row_files import write_rows
from compute.spark.session import SparkOptions, large_tasks_max, profile_sessions, start_session, stop_session
from model.ids.global_id import GlobalId
from model.physical.columns import updates_schema
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT8, NUMERIC
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Get, Join, JoinKind, Reduce, Relation
from planner.ir.scalar import Call, Column
from planner.rules.pipeline import optimize

_LEFT, _RIGHT, _VIEW = GlobalId.user(1), GlobalId.user(2), GlobalId.user(9)
_DESC = relation_desc(("k", INT8), ("v", INT8))
_FILES = 4


def _column(index: int) -> Column:
    return Column(index, INT8)


def _relation(case: str) -> Relation:
    left, right = Get(_LEFT, _DESC), Get(_RIGHT, _DESC)
    if case == "group-by":
        sums = (Aggregate("count_star", (), INT8), Aggregate("sum_int8", (_column(1),), NUMERIC))
        return Reduce(left, (_column(0),), sums, ("k", "count", "sum"))
    return Join(JoinKind.INNER, left, right, (Call("eq_int8_int8", (_column(0), _column(2)), BOOL),))


CASES = ("group-by", "join")


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


def _changes(directory: Path) -> dict[GlobalId, Change]:
    schema = updates_schema(_DESC)
    found = {}
    for id_, name in ((_LEFT, "left"), (_RIGHT, "right")):
        paths = sorted((directory / name).iterdir())
        found[id_] = filed_change(sum(pq.read_metadata(path).num_rows for path in paths), paths, schema)
    return found


class _Peaks:
    """The greatest memory of this process, of the JVM, and of all Python workers together, in MiB, and the processor's
    seconds of them all."""

    def __init__(self) -> None:
        self.own = self.java = self.workers = 0.0
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
        java = workers = 0.0
        for each in (own, *own.children(recursive=True)):
            with suppress(psutil.Error):
                times = each.cpu_times()
                kind = "python" if each.pid == own.pid else "java" if each.name() == "java" else "workers"
                self._seconds[kind, each.pid] = times.user + times.system
                if each.pid == own.pid:
                    self.own = max(self.own, each.memory_full_info().uss / 2**20)
                elif each.name() == "java":
                    java += each.memory_info().rss
                else:
                    # What the workers share with the process that made them is counted once.
                    workers += each.memory_full_info().uss
        self.java = max(self.java, java / 2**20)
        self.workers = max(self.workers, workers / 2**20)


def _run(case: str, wide: bool, directory: Path) -> dict[str, object]:
    with tempfile.TemporaryDirectory(dir=directory) as name:
        place = Path(name)
        session = start_session(SparkOptions(app_dir=place / "spark", log_path=place / "spark.log"))
        sessions = profile_sessions(session)

        def steps(queries: Queries) -> WideSteps | None:
            return WideSteps(SparkPool(sessions, queries, -1), large_tasks_max(), 0) if wide else None

        plan = plan_maintenance(((_VIEW, optimize(_relation(case))),), (_VIEW,))
        store = local_store(place / "state")
        flow = Dataflow(plan, {_LEFT: _DESC, _RIGHT: _DESC}, sessions, place, steps)
        flow.begin({key: store.arrangement(layout) for key, layout in flow.layouts.items()}, upper=None)
        peaks, begun = _Peaks(), time.monotonic()
        changes = {id_: each for id_, each in _changes(directory).items() if id_ == _LEFT or case != "group-by"}
        with peaks.watching():
            result = flow.tick(changes, Timestamp(5), Timestamp(6))
            stepped = time.monotonic() - begun
            rows = sum(chunk.num_rows for chunk in result.outputs[_VIEW])
            flow.seal()
        elapsed = time.monotonic() - begun
        state = sum(each.size.rows for each in flow.arrangements.values())
        flow.close()
        stop_session(session)
    return {
        "seconds": round(elapsed, 2),
        "until outputs": round(stepped, 2),
        "processor seconds": peaks.seconds,
        "steps ms": round(sum(result.step_ms)),
        "tasks": sum(each.tasks for each in result.steps),
        "rows": rows,
        "rows of state": state,
        "python MiB": round(peaks.own),
        "java MiB": round(peaks.java),
        "workers MiB": round(peaks.workers),
    }


def main(rows: int) -> None:
    """Prints a line for each case and width."""
    with tempfile.TemporaryDirectory(prefix="hydration-") as name:
        _inputs(Path(name), rows)
        for case in CASES:
            for width in ("narrow", "wide"):
                command = [sys.executable, "-m", "benchmarks.hydration", "case", case, width, name]
                told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
                print(f"{case}, {width}: {told.strip().splitlines()[-1]}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "case":
        print(json.dumps(_run(sys.argv[2], sys.argv[3] == "wide", Path(sys.argv[4]))))
    else:
        main(int(sys.argv[1]))
