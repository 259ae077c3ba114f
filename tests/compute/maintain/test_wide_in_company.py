"""Wide steps beside the work of others: a tick that has one leaves the ticks that it went with before any task begins,
and its tasks leave slots of Spark's free."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark import TaskContext
from pyspark.sql import SparkSession

from compute.arrangement.batch_file import DirectoryPlace
from compute.arrangement.checkpoint import local_store
from compute.arrangement.layout import Layout
from compute.executors.step_task import StepTask
from compute.executors.task_done import StepDone
from compute.executors.task_pool import Task, run_task
from compute.maintain.change import literal_change
from compute.maintain.program import TickProgram
from compute.maintain.queries import Queries
from compute.maintain.reading import Reading
from compute.maintain.segments import SegmentQuery
from compute.maintain.spark_pool import SparkPool
from compute.maintain.stages.stage import StageInput
from compute.maintain.stages.streams import Stream
from compute.maintain.stages.threshold import ThresholdStage
from compute.maintain.tick import OwnJobs, Question, Tick, TickMachine
from compute.maintain.ticking import Ticking, tick_together
from compute.maintain.wide import ExportTarget, SegmentRows, WideBounds, WideSteps
from compute.operators.rendered import ERROR_COLUMN, Rendered
from compute.protocol.dataflow import IndexExport
from compute.replica.dataflows.exports.index import IndexRows, MaintainedIndex
from compute.scalars.spark_sql import Sql
from compute.spark.session import profile_sessions
from model.ids.global_id import GlobalId
from model.physical.columns import updates_schema
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8
from planner.ir.scalar import Column

_TABLE, _VIEW = GlobalId.user(1), GlobalId.user(9)
_LAYOUT = Layout((pa.int64(),), (pa.int64(),))
_LOWER = Timestamp(5)


@dataclass
class _Pool:
    """Makes each attempt at once, over the given rows; `asked` counts the queries whose rows it was given."""

    rows: pa.Table
    tasks: list[Task] = field(default_factory=list)
    asked: int = 0

    def run(self, task: Task, rows: SegmentRows | None) -> list[StepDone]:
        self.tasks.append(task)
        self.asked += rows is not None
        batches = [] if rows is None else self.rows.to_batches()
        return [run_task(task, partition, batches) for partition in range(task.partitions)]


def _tick(pool: _Pool, table: pa.Table, scratch: Path, *, starts: bool, constants: bool = False) -> Tick:
    """One DISTINCT, which is wide however few its rows are."""
    query = SegmentQuery(Sql("rows"), _LAYOUT.schema, False, frozenset({_TABLE}), constants)
    output = pa.schema([("c0", pa.int64()), ("time", pa.int64()), ("diff", pa.int64())])
    stream = Stream(Rendered(Sql(""), ()), "stream", output)
    stage = ThresholdStage((StageInput("rows", query, _LAYOUT),), stream)
    program = TickProgram({_TABLE: "t"}, (stage,), (), {"rows": query})
    always = WideBounds(0, -1)
    machine = TickMachine(
        {},
        lambda *_: program,
        lambda _: pa.table({}),
        Queries({}, {}, scratch),
        {"rows": local_store(scratch / "state").arrangement(_LAYOUT)},
        scratch,
        Reading(),
        WideSteps(pool, lambda: 2, always, always),
    )
    changes = {_TABLE: literal_change(table)}
    return Tick(machine, changes, _LOWER, Timestamp(6), starts=starts, now=time.monotonic)


def _rows(count: int) -> pa.Table:
    keys = list(range(count))
    columns = [[(key - count // 2) << 60 for key in keys], keys, keys, [_LOWER] * count, [1] * count]
    return pa.table([pa.array(each, pa.int64()) for each in columns], schema=_LAYOUT.schema)


def test_no_task_begins_among_others(tmp_path: Path) -> None:
    pool = _Pool(_rows(6))
    wide = Ticking(_tick(pool, pool.rows, tmp_path, starts=False), time.monotonic)
    (tmp_path / "other").mkdir()
    other = Ticking(_tick(pool, pool.rows, tmp_path / "other", starts=False), time.monotonic)
    tick_together([wide, other], tmp_path)
    assert (wide.result, wide.failure, pool.tasks) == (None, None, [])
    result = wide.finish()
    assert [(step.tasks, step.rows_in, step.rows_out) for step in result.steps] == [(2, 6, 6)]
    assert len(pool.tasks) == 1


@pytest.mark.parametrize("starts", [True, False])
def test_constants_are_asked_for_in_the_first_tick_alone(starts: bool, tmp_path: Path) -> None:
    pool = _Pool(_rows(2))
    ticking = Ticking(_tick(pool, _rows(0), tmp_path, starts=starts, constants=True), time.monotonic)
    (step,) = ticking.finish().steps
    assert (pool.asked, step.rows_in) == ((1, 2) if starts else (0, 0))


@dataclass(frozen=True)
class _Noting:
    """A place that notes by which of Spark's tasks an attempt is made."""

    path: str

    def store(self, token: str) -> Any:
        context = TaskContext.get()
        assert context is not None, "it is in a task"
        (Path(self.path) / f"{token}.task").write_text(str(context.taskAttemptId()))
        return DirectoryPlace(self.path).store(token)

    def remove(self, token: str) -> None:
        DirectoryPlace(self.path).remove(token)


@pytest.mark.spark
@pytest.mark.parametrize("at_once", [1, 2, 9])
def test_many_partitions_are_worked_on_by_few_tasks(at_once: int, spark: SparkSession, tmp_path: Path) -> None:
    sessions = profile_sessions(spark)
    pool = SparkPool(sessions, Queries(sessions, {}, tmp_path), lambda: at_once)
    done = pool.run(StepTask("job", 5, _Noting(str(tmp_path)), str(tmp_path), None, few_bytes=-1), None)
    assert sorted(each.partition for each in done) == list(range(5))
    notes = [path.read_text() for path in tmp_path.glob("*.task")]
    assert (len(notes), len(set(notes))) == (5, min(5, at_once))


@pytest.mark.parametrize("least", [6, 7])
def test_what_a_tick_exports_goes_to_tasks_where_it_is_much(least: int, tmp_path: Path) -> None:
    """Six rows: written by tasks, or else handed on; and errors among them are told once."""
    columns = updates_schema(relation_desc(("k", INT8)))
    query = SegmentQuery(Sql("rows"), columns, True, frozenset({_TABLE}), False)
    index = MaintainedIndex(IndexExport(_VIEW, _TABLE, (Column(0, INT8),)), relation_desc(("k", INT8)))
    rows = pa.table(
        [list(range(6)), [5] * 6, [1] * 6, [None] * 5 + ["22012 division by zero"]],
        schema=columns.append(pa.field(ERROR_COLUMN, pa.string())),
    )
    pool = _Pool(rows)
    program = TickProgram({_TABLE: "t"}, (), ((_VIEW, query),), {str(_VIEW): query})
    bounds = WideBounds(least, -1)
    queries = Queries({}, {}, tmp_path)
    steps = WideSteps(pool, lambda: 2, bounds, bounds)
    machine = TickMachine({}, lambda *_: program, lambda _: pa.table({}), queries, {}, tmp_path, Reading(), steps)
    store = local_store(tmp_path / "state").arrangement(index.layout).store
    assert store is not None and store.elsewhere is not None
    targets = {"u9": ExportTarget(IndexRows(index, store.elsewhere), store)}
    changes = {_TABLE: literal_change(_rows(6))}
    tick = Tick(machine, changes, _LOWER, Timestamp(6), starts=False, now=time.monotonic, targets=lambda _: targets)
    course = tick.course()
    asked = next(course)
    if least == 7:
        assert isinstance(asked, Question) and not pool.tasks
        return
    assert isinstance(asked, OwnJobs)
    with pytest.raises(StopIteration) as ended:
        next(course)
    result = ended.value.value
    (done,) = result.exported.values()
    assert (sum(each.rows for each in done.exports["u9"]), done.tasks, result.outputs) == (5, 2, {_VIEW: ()})
    assert result.errors[_VIEW].num_rows == 1
    assert tick.wide is not None
    tick.wide.end(sealed=False)
    assert not [each for each in (tmp_path / "state").iterdir() if each.suffix == ".arrow"]
