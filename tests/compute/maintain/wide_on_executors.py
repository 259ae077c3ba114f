"""Maintains some views by tasks of executors that are processes of their own, in a session of this process. Prints what
is wrong, and then what has happened, as JSON.

    python -m tests.compute.maintain.wide_on_executors SCRATCH 'local-cluster[2,1,1024]' NAME…
    python -m tests.compute.maintain.wide_on_executors SCRATCH standalone NAME…

The first kills no executor. The second has a Spark master with two workers, and state in blob; executors are killed in
a wide tick before and after each job's work, and then a wide tick begins while there is no executor at all.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import pyarrow as pa
import structlog
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.blob.cache import BlockCache
from compute.arrangement.blob.states import BlobStates
from compute.arrangement.checkpoint import ArrangementStore, local_store
from compute.arrangement.layout import Layout
from compute.arrangement.stores import BatchPlace, BatchStore
from compute.executors.export_task import ExportTask, TaskExport
from compute.executors.step_task import StepTask
from compute.executors.task_done import ExportDone, StepDone
from compute.executors.task_pool import Task
from compute.maintain.change import literal_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import Queries
from compute.maintain.spark_pool import SparkPool
from compute.maintain.tick import TickResult
from compute.maintain.wide import SegmentRows, WideBounds, WideSteps
from compute.spark.session import SparkOptions, profile_sessions, start_session, stop_session
from model.ids.global_id import GlobalId
from model.time.clock import SystemRandomness
from model.time.timestamp import Timestamp
from planner.rules.pipeline import optimize
from storage.persist.files import FileBlob
from tests.compute.maintain.histories import course_of, differences, random_cuts, random_history
from tests.compute.maintain.relations import RELATIONS, TABLES
from tests.polling import polls
from tests.ports import free_port
from tests.storage.memory import MemoryConsensus

_TIMES = 5
_VIEW = GlobalId.user(9)
_CORES = ["--cores", "1", "--memory", "1g"]


@dataclass(frozen=True)
class _Trap:
    """A place whose attempts kill the executor that makes them: the first of each job before it has begun, the first
    that is left after it has written. An attempt outlives its executor by a moment."""

    place: BatchPlace
    marks: str

    @contextlib.contextmanager
    def store(self, token: str) -> Iterator[BatchStore]:
        job = "-".join(token.split("-")[:2])
        self._spring(f"{job} before")
        with self.place.store(token) as store:
            yield store
        self._spring(f"{job} after")

    def remove(self, token: str) -> None:
        self.place.remove(token)

    def _spring(self, point: str) -> None:
        _spring(Path(self.marks) / point)


@dataclass(frozen=True)
class _ExportTrap:
    """An export whose attempts do the same, before and after they write."""

    export: TaskExport
    marks: str

    @property
    def layout(self) -> Layout:
        return self.export.layout

    def keyed(self, updates: pa.Table) -> pa.Table:
        return self.export.keyed(updates)

    def write(self, rows: Arrangement, attempt: str) -> ExportDone:
        job = "-".join(attempt.split("-")[:2])
        _spring(Path(self.marks) / f"{job} before")
        done = self.export.write(rows, attempt)
        _spring(Path(self.marks) / f"{job} after")
        return done

    def remove(self, attempt: str, done: ExportDone | None) -> None:
        self.export.remove(attempt, done)


def _spring(mark: Path) -> None:
    """Kills the executor of this process, unless the mark is there."""
    with contextlib.suppress(FileExistsError), mark.open("x"):
        for parent in psutil.Process().parents():
            if parent.name() == "java":
                parent.kill()
                parent.wait()
                return
        raise AssertionError("no executor has begun this process")


class _Pool:
    """Counts the attempts that count, and sets traps for those of one tick."""

    def __init__(self, pool: SparkPool, marks: Path) -> None:
        self._pool = pool
        self._marks = marks
        self.tasks = 0
        self._ticks: list[str] = []
        self.trapped: int | None = None
        """The number of the tick with traps."""

    def run(self, task: Task, rows: SegmentRows | None) -> list[StepDone]:
        tick = task.token.partition("-")[0]
        merges = isinstance(task, StepTask) and task.merges
        if tick not in self._ticks and not merges:
            self._ticks.append(tick)
        if self.trapped is not None and tick in self._ticks[self.trapped : self.trapped + 1]:
            task = self._with_traps(task)
        done = self._pool.run(task, rows)
        self.tasks += len(done)
        return done

    def _with_traps(self, task: Task) -> Task:
        marks = str(self._marks)
        match task:
            case StepTask():
                return replace(task, place=_Trap(task.place, marks))
            case ExportTask():
                return replace(task, exports={name: _ExportTrap(each, marks) for name, each in task.exports.items()})
            case _:
                return task


class Standalone:
    """A Spark master and its workers on this machine's loopback."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._port = free_port()
        ports = ["--port", str(self._port), "--webui-port", "0"]
        self._master = self._process("master", "--host", "127.0.0.1", *ports)
        self._workers: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        return f"spark://127.0.0.1:{self._port}"

    def add_worker(self) -> None:
        work = ["--work-dir", str(self._scratch / f"work{len(self._workers)}")]
        self._workers.append(
            self._process("worker", "--host", "127.0.0.1", *_CORES, "--webui-port", "0", *work, self.url)
        )

    def end_workers(self) -> None:
        """Ends all workers, and their executors with them."""
        for worker in self._workers:
            executors = psutil.Process(worker.pid).children(recursive=True)
            worker.kill()
            worker.wait()
            for each in executors:
                with contextlib.suppress(psutil.Error):
                    each.kill()
        self._workers.clear()

    def close(self) -> None:
        self.end_workers()
        self._master.kill()
        self._master.wait()

    def _process(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "compute.spark.standalone", *arguments]
        with (self._scratch / f"{arguments[0]}.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log)


class _Session:
    """A session, and dataflows whose steps are all wide in it."""

    def __init__(self, scratch: Path, master: str, *, in_blob: bool) -> None:
        self._scratch = scratch
        options = SparkOptions(scratch / "spark", master, memory="1g", warm=False, log_path=scratch / "spark.log")
        self.spark = start_session(options)
        self.sessions = profile_sessions(self.spark)
        self.pools: list[_Pool] = []
        (scratch / "marks").mkdir()
        url = str(scratch / "blob")
        cache = BlockCache(scratch / "cache", 1 << 30)
        places = MemoryConsensus(), FileBlob(Path(url))
        self._blob = BlobStates("r1", lambda: places, dict, cache, SystemRandomness(), url) if in_blob else None

    def store(self, place: Path) -> ArrangementStore:
        """Returns a store of a state that no other dataflow has."""
        return local_store(place / "state") if self._blob is None else self._blob.store(place.name)

    def steps(self, queries: Queries) -> WideSteps:
        self.pools.append(_Pool(SparkPool(self.sessions, queries), self._scratch / "marks"))
        return WideSteps(self.pools[-1], lambda: 3, *(WideBounds(0, -1),) * 4)

    def close(self) -> None:
        stop_session(self.spark)
        if self._blob is not None:
            self._blob.close()


def _courses(session: _Session, scratch: Path, names: list[str], trapped: int | None) -> None:
    """Prints what is wrong with the maintenance of some views."""
    for name in names:
        relation, dice = optimize(RELATIONS[name]), random.Random(name)
        history = random_history(dice, TABLES, _TIMES)
        plan = plan_maintenance(((_VIEW, relation),), (_VIEW,))
        cuts = random_cuts(dice, _TIMES)
        place = scratch / f"course{len(session.pools)}"
        place.mkdir()

        def steps(queries: Queries) -> WideSteps:
            made = session.steps(queries)
            session.pools[-1].trapped = trapped
            return made

        course = course_of(plan, history, session.sessions, place, cuts, steps, session.store)
        for line in differences(_VIEW, relation, history, course, range(cuts[0], _TIMES)):
            print(f"{name}, cuts {cuts}: {line}")


def _wait_for_executors(session: _Session, cluster: Standalone, scratch: Path) -> tuple[bool, bool]:
    """Begins two wide ticks without executors, cancels one, lets a narrow one pass by, and adds a worker; returns
    whether the other one ended after all of this, and not before, and whether the cancelled one ended at once, without
    leaving anything."""
    history = random_history(random.Random(3), TABLES, _TIMES)
    plan = plan_maintenance(((_VIEW, optimize(RELATIONS["inner join"])),), (_VIEW,))

    def flow(name: str, wide: bool) -> Dataflow:
        made = Dataflow(
            plan, history.descs, session.sessions, scratch / name, session.steps if wide else lambda _: None
        )
        store = session.store(scratch / name)
        made.begin({key: store.arrangement(layout) for key, layout in made.layouts.items()}, upper=None)
        return made

    def tick(flow: Dataflow) -> TickResult:
        changes = {id_: literal_change(table) for id_, table in history.snapshot(3).items()}
        return flow.tick(changes, Timestamp(3), Timestamp(4))

    wide, dropped, narrow = flow("waits", True), flow("dropped", True), flow("passes", False)
    cluster.end_workers()
    context = session.spark.sparkContext

    def drop() -> None:
        context.addJobTag("dropped")
        with contextlib.suppress(PySparkException, Py4JError):
            tick(dropped)
            return
        ended.set()

    ended = threading.Event()
    dropping = threading.Thread(target=drop)
    dropping.start()
    while dropping.is_alive():
        # A job that begins later is another one.
        context.cancelJobsWithTag("dropped")
        dropping.join(1)
    left = [path for path in (scratch / "dropped").rglob("*") if path.is_file()]
    found: list[TickResult] = []
    waiting = threading.Thread(target=lambda: found.append(tick(wide)))
    waiting.start()
    tracker = context.statusTracker()
    for _ in polls(60):
        if tracker.getActiveJobsIds():
            break
    passed = tick(narrow)
    waited = not found
    cluster.add_worker()
    waiting.join()
    rows = [sum(chunk.num_rows for chunk in each.outputs[_VIEW]) for each in (passed, *found)]
    for each in (wide, narrow):
        each.seal()
    for each in (wide, dropped, narrow):
        each.close()
    return waited and len(found) == 1 and rows[0] == rows[1], ended.is_set() and not left


def main(scratch: Path, master: str, names: list[str]) -> None:
    cluster = None
    if master == "standalone":
        cluster = Standalone(scratch)
        for _ in range(2):
            cluster.add_worker()
    try:
        session = _Session(scratch, master if cluster is None else cluster.url, in_blob=cluster is not None)
        _courses(session, scratch, names, None if cluster is None else 3)
        told: dict[str, object] = {"tasks": sum(pool.tasks for pool in session.pools)}
        if cluster is not None:
            told["killed"] = len(list((scratch / "marks").iterdir()))
            told["waited"], told["dropped"] = _wait_for_executors(session, cluster, scratch)
        session.close()
        print(json.dumps(told))
    finally:
        if cluster is not None:
            cluster.close()


def on_executors(place: Path, master: str, names: Sequence[str]) -> dict[str, int]:
    """Runs this module in a process of its own, and returns what has happened; AssertionError if anything is wrong."""
    command = [sys.executable, "-m", __name__, str(place), master, *names]
    *wrong, told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    assert not wrong, "\n".join(wrong)
    found: dict[str, int] = json.loads(told)
    return found


if __name__ == "__main__":
    # What is printed is what is wrong, and what was told.
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
