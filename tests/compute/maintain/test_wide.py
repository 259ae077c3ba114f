"""The law of maintenance where tasks work on steps of any tick, however they fare: nobody sees a difference."""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from structlog.testing import capture_logs

from compute.arrangement.batch_file import BatchDirectory, DirectoryPlace
from compute.arrangement.checkpoint import local_store
from compute.executors.step_task import StepTask
from compute.executors.task_pool import LostTask
from compute.maintain import change, tick, wide
from compute.maintain.change import Change, literal_change
from compute.maintain.dataflow import Dataflow
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import Queries
from compute.maintain.spark_pool import SparkPool
from compute.maintain.task_trust import TaskTrust
from compute.maintain.wide import WideBounds, WideSteps
from compute.spark.session import Profile, profile_sessions
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from planner.rules.pipeline import optimize
from tests.compute.executors.pools import FATES
from tests.compute.maintain.coins import Coin
from tests.compute.maintain.histories import course_of, differences, random_cuts, random_history
from tests.compute.maintain.planning.views import Views
from tests.compute.maintain.relations import RELATIONS, TABLES
from tests.compute.maintain.test_random_views import _TABLES
from tests.compute.maintain.test_task_trust import Note

_TIMES = 7
_VIEW = GlobalId.user(9)

TableChanges = Mapping[GlobalId, Change]


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[Profile, SparkSession]:
    return profile_sessions(spark)


@pytest.mark.in_part(8)
@pytest.mark.spark
@pytest.mark.parametrize("seed", range(12))
def test_random_views_are_maintained(
    seed: int, sessions: dict[Profile, SparkSession], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outputs lie in files, or are literal rows."""
    dice = random.Random(seed)
    relation = optimize(Views(dice).relation(3))
    history = random_history(dice, _TABLES, _TIMES)
    plan = plan_maintenance(((_VIEW, relation),), (_VIEW,))
    cuts = random_cuts(dice, _TIMES)
    coin = Coin(dice, dice.choice(list(FATES)))
    monkeypatch.setattr(change, "LITERAL_ROWS_MAX", dice.choice((0, change.LITERAL_ROWS_MAX)))
    course = course_of(plan, history, sessions, tmp_path, cuts, coin)
    wrong = differences(_VIEW, relation, history, course, range(cuts[0], _TIMES))
    assert not wrong, f"seed {seed}, cuts {cuts}, {coin}: " + "\n".join(wrong)


def _flow(
    name: str, sessions: dict[Profile, SparkSession], place: Path, coin: Coin, note: Note | None = None
) -> tuple[Dataflow, TableChanges]:
    """A dataflow whose state lies in `place`/state, and the changes of its first tick, at time 3."""
    history = random_history(random.Random(3), TABLES, _TIMES)
    plan = plan_maintenance(((_VIEW, optimize(RELATIONS[name])),), (_VIEW,))
    dataflow = Dataflow(plan, history.descs, sessions, place / "scratch", coin, TaskTrust(note))
    store = local_store(place / "state")
    dataflow.begin({name: store.arrangement(layout) for name, layout in dataflow.layouts.items()}, upper=None)
    return dataflow, {id_: literal_change(table) for id_, table in history.snapshot(3).items()}


def _always(fate: str) -> Coin:
    coin = Coin(random.Random(1), fate, (2,))
    coin.first = coin.later = WideBounds(0, -1)
    return coin


def _tasks(dataflow: Dataflow, changes: TableChanges) -> int:
    return sum(step.tasks for step in dataflow.tick(changes, Timestamp(3), Timestamp(4)).steps)


@pytest.mark.spark
def test_a_tick_that_failed_elsewhere_is_wide_again_and_leaves_no_files(
    sessions: dict[Profile, SparkSession], tmp_path: Path
) -> None:
    coin = _always("both answer")
    dataflow, changes = _flow("inner join", sessions, tmp_path, coin)
    for _ in range(2):
        assert _tasks(dataflow, changes) == 4
        assert list((tmp_path / "state").iterdir())
        dataflow.discard()
        assert not list((tmp_path / "state").iterdir())
    dataflow.close()


@pytest.mark.spark
def test_what_tasks_failed_at_is_told_and_leaves_no_files(
    sessions: dict[Profile, SparkSession], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    coin = _always("no answer")
    dataflow, changes = _flow("inner join", sessions, tmp_path, coin)
    with capture_logs() as logs, pytest.raises(LostTask):
        _tasks(dataflow, changes)
    assert [each["reason"] for each in logs if each["event"] == "a tick is tried again without tasks"] == [
        "LostTask: partitions [0] of 2 have no answer"
    ]
    assert not list((tmp_path / "state").iterdir())
    monkeypatch.setattr(tick, "FIRST", WideBounds(0, 0))
    steps = dataflow.tick(changes, Timestamp(3), Timestamp(4)).steps
    assert {(step.tasks, step.narrow) for step in steps} == {(0, "tasks that failed (LostTask)")}
    dataflow.seal()
    dataflow.close()


@pytest.mark.spark
@pytest.mark.parametrize("ended", ["sealed", "cancelled", "refused elsewhere", "killed", "failed"])
def test_what_becomes_of_a_tick_with_tasks_is_known_to_the_next_process(
    ended: str, sessions: dict[Profile, SparkSession], tmp_path: Path
) -> None:
    note, bad = Note(), ended in ("cancelled", "failed")
    coin, seen = _always("no answer" if bad else "once"), list[int]()
    dataflow, changes = _flow("inner join", sessions, tmp_path, coin, note)
    coin.pools[0].begun = lambda: seen.append(note.number)
    if bad:
        # Tasks of a cancelled tick end with errors, too.
        with pytest.raises(LostTask):
            dataflow.begin_tick(changes, Timestamp(3), Timestamp(4)).finish()
        dataflow.discard(blames_tasks=ended == "failed")
    else:
        assert _tasks(dataflow, changes)
        match ended:
            case "sealed":
                dataflow.seal()
            case "refused elsewhere":
                dataflow.discard()
    assert set(seen) == {1}, "a process that is killed by its tasks tells nothing any more"
    dataflow.close()
    (tmp_path / "next").mkdir()
    following, changes = _flow("inner join", sessions, tmp_path / "next", _always("once"), note)
    wide = _tasks(following, changes) > 0
    assert wide == (ended not in ("killed", "failed"))
    following.seal()
    following.close()


@pytest.mark.spark
def test_a_discard_beside_tasks_that_still_write_raises_nothing(
    sessions: dict[Profile, SparkSession], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Directories that are never empty when they are to be removed: tasks find them under no name that they know."""
    coin = _always("once")
    dataflow, changes = _flow("inner join", sessions, tmp_path, coin)
    assert _tasks(dataflow, changes)
    exchange = {Path(task.exchange) for pool in coin.pools for task in pool.tasks}

    def not_empty(path: str, **_: object) -> None:
        raise OSError(errno.ENOTEMPTY, "directory not empty", path)

    assert [path.is_dir() for path in exchange] == [True]
    with monkeypatch.context() as patched:
        patched.setattr(os, "rmdir", not_empty)
        dataflow.discard()
    assert [path.is_dir() for path in exchange] == [False]
    assert _tasks(dataflow, changes)
    dataflow.seal()
    dataflow.close()
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.spark
@pytest.mark.parametrize("name", ["inner join", "group by key, 1", "group failing"])
def test_what_little_is_left_of_many_rows_is_worked_on_here(
    name: str, sessions: dict[Profile, SparkSession], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No task begins, and the output becomes literal rows again."""

    def begun(*_given: object) -> None:
        raise AssertionError("tasks have begun")

    changes: list[Change] = []

    def literal(table: pa.Table) -> Change:
        changes.append(literal_change(table))
        return changes[-1]

    monkeypatch.setattr(SparkPool, "_by_tasks", begun)
    monkeypatch.setattr(wide, "literal_change", literal)
    relation = optimize(RELATIONS[name])
    history = random_history(random.Random(5), TABLES, _TIMES)
    plan = plan_maintenance(((_VIEW, relation),), (_VIEW,))
    few = WideBounds(0, 1 << 20)

    def steps(queries: Queries) -> WideSteps:
        return WideSteps(SparkPool(sessions, queries), lambda: 2, few, few)

    course = course_of(plan, history, sessions, tmp_path, [3, _TIMES], steps)
    wrong = differences(_VIEW, relation, history, course, range(3, _TIMES))
    assert not wrong, "\n".join(wrong)
    assert changes


@dataclass(frozen=True)
class _Noting:
    """A place that notes the processes of its attempts."""

    path: str

    def store(self, token: str) -> AbstractContextManager[BatchDirectory]:
        (Path(self.path) / f"{token}.pid").write_text(str(os.getpid()))
        return DirectoryPlace(self.path).store(token)

    def remove(self, token: str) -> None:
        DirectoryPlace(self.path).remove(token)


@pytest.mark.spark
def test_the_processes_of_tasks_go_on_from_job_to_job(sessions: dict[Profile, SparkSession], tmp_path: Path) -> None:
    dataflow, _ = _flow("inner join", sessions, tmp_path, Coin(random.Random(1)))
    pool = SparkPool(sessions, dataflow._queries)
    jobs = 24  # more than processes that tests before have left idle, any of which may be next
    for job in range(jobs):
        pool.run(StepTask(f"job-{job}", 1, _Noting(str(tmp_path)), str(tmp_path), None, few_bytes=-1), None)
    pids = [path.read_text() for path in tmp_path.glob("*.pid")]
    assert len(pids) == jobs
    assert len(set(pids)) < jobs and str(os.getpid()) not in pids
    dataflow.close()
