"""The wide steps of a tick: their rows go from Spark's tasks to tasks that sort and work on them, and never come here.

A step is wide when all of this holds; each other step is narrow, in the same tick:

    its inputs read many rows: FIRST        fewer are worked on sooner here than tasks have begun; so is what is left of
      in the first tick, LATER after it     many, if it is little: then the pool does the work, and no task begins
    tasks are trusted (see task_trust)      the next attempt at a tick at which they have failed has narrow steps alone
    its kernel works by ranges of hashes    no step without a key, no delay, no recomputation
    its state lies where tasks can write    in a directory that Spark's executors see
    no input of it has been arranged here   by a narrow step before, with which it shares the input

    segment ─▶ rows by range of h ─▶ P tasks ─▶ P sorted files = one batch      adopted, sealed, named by the manifest
    files of the batches before ────────┴─────▶ P files of output = the change  read by the next segments

A task opens the files of its arrangements' batches by their footers, and reads the blocks that its kernel's probes
touch. Batches in memory become files before. Any batch may have any number of files, so ticks with any number of
partitions follow one on the other, and on narrow ones.

What a tick exports goes the same way: tasks sort the rows of an output, and write files of an index, or parts of a
view's shard. They do where it reads many rows, or EXPORTS in a tick that had tasks before.

Where a tick fails or is discarded, the files of its tasks are removed. Narrow steps go on where a disk is full, or no
task can run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch, BatchFile
from compute.arrangement.layout import Layout
from compute.arrangement.partition import files_by_partition
from compute.arrangement.stores import BatchPlace, BatchStore, open_batch
from compute.executors.export_task import ExportTask, TaskExport
from compute.executors.step_task import StepTask, TaskFiles, TaskKernel, TaskRows, TaskState
from compute.executors.task_done import ExportDone, StepDone
from compute.executors.task_pool import TaskPool, counted
from compute.maintain.change import Change, few_rows, filed_change, literal_change
from compute.maintain.queries import ERRORS
from compute.maintain.segments import SegmentQuery
from compute.maintain.stages.stage import StageInput, TickStage
from compute.operators.rendered import ERROR_COLUMN
from compute.spark.session import Profile
from model.time.clock import SystemRandomness
from model.time.timestamp import Timestamp


@dataclass(frozen=True, slots=True)
class WideBounds:
    """The bounds from which on tasks are worth it: `rows` that a step's inputs read; and more than `few_bytes` that are
    left of them, as files of Spark's."""

    rows: int
    few_bytes: int


FIRST = WideBounds(3_000_000, 32 << 20)
"""Of a first tick, on two cores: the processes of tasks take seconds to begin."""
LATER = WideBounds(2_000_000, 20 << 20)
"""Of a later one: of 300,000 changes narrow steps took less time on two cores, of a million as much."""
MERGES = WideBounds(2_000_000, 20 << 20)
"""Of merges behind a tick that had tasks, whose processes are there: this process merges a million updates in 0.6 s."""


EXPORTS = WideBounds(500_000, 8 << 20)
"""Of what a tick exports whose steps had tasks: this process sorts and writes 500,000 rows in half a second."""


@dataclass(frozen=True, slots=True)
class SegmentRows:
    """The rows that a segment's query gives over changes, to be asked for in the session of a profile."""

    query: SegmentQuery
    profile: Profile
    changes: Mapping[str, Change | None]


@dataclass(frozen=True, slots=True)
class WideSteps:
    """The place where wide steps run, on how many partitions, and from how much on: in a first tick, and in a later
    one; and from how much on tasks do the merges that are due behind such ticks."""

    pool: TaskPool[SegmentRows]
    partitions: Callable[[], int]
    first: WideBounds = FIRST
    later: WideBounds = LATER
    merges: WideBounds = MERGES
    exports: WideBounds = EXPORTS

    def least(self, *, starts: bool) -> WideBounds:
        """Returns from how much on the steps of a tick are wide, which is the first if it `starts`."""
        return self.first if starts else self.later


@dataclass(frozen=True, slots=True)
class WideResult:
    """The result of a wide step: rows added to its arrangements, rows that its kernel has read, its change, how many
    tasks there were, and how long those have worked together. Without tasks, all was done here after all."""

    rows_in: int
    rows_read: int
    change: Change
    tasks: int
    task_seconds: float


@dataclass(frozen=True, slots=True)
class ExportTarget:
    """An export for tasks to write. `store` takes the export's files, None of an export without files."""

    task: TaskExport
    store: BatchStore | None


@dataclass(frozen=True, slots=True)
class ExportResult:
    """The results of tasks for the exports of an output: by the export's name, in the order of hashes. Without
    `tasks`, this process did the work."""

    exports: Mapping[str, tuple[ExportDone, ...]]
    tasks: int
    task_seconds: float


class WideTick:
    """The wide steps of one tick, which begins at `lower`, and is the dataflow's first if it `starts`. Raises what ends
    tasks, LostTask, OSError."""

    def __init__(
        self,
        steps: WideSteps,
        arrangements: Mapping[str, Arrangement],
        scratch: Path,
        lower: Timestamp,
        *,
        starts: bool,
    ) -> None:
        self.failure: BaseException | None = None
        """What ended the tasks, or kept what they did from being used."""
        self.begun = False
        """Whether tasks of the tick have begun, or might have."""
        self.tasks = 0
        """How many have worked on its steps."""
        self._steps = steps
        self._arrangements = arrangements
        self._lower = lower
        self._partitions = steps.partitions()
        self._few_bytes = steps.least(starts=starts).few_bytes
        self._token = SystemRandomness().token()
        self._exchange = scratch / f"wide-{self._token}"
        self._stores: list[tuple[BatchStore, BatchPlace]] = []
        """Where tasks of the tick have written, or may write."""
        self._sorted: dict[str, tuple[BatchFile | None, ...]] = {}
        self._jobs = 0
        self.rows_in: dict[str, int] = {}
        """How many rows each input has given."""

    def why_narrow(self, stage: TickStage, arranged: Collection[str]) -> str | None:
        """Returns why a stage is narrow whatever its inputs read, None where it need not be; `arranged` are the inputs
        that have been arranged in this tick."""
        if stage.work is None or not all(layout.key for _, layout in stage.layouts):
            return "work that no key divides"
        if any(each.name in arranged and each.name not in self._sorted for each in stage.inputs):
            return "an input that a narrow step has arranged"
        if any(self._place(name) is None for name, _ in stage.layouts):
            return "state where no task can write"
        return None

    def run(
        self,
        stage: TickStage,
        rows_of: Callable[[StageInput], SegmentRows | None],
        take_errors: Callable[[str, pa.Table], None],
    ) -> WideResult:
        """Runs the stage by tasks; its arrangements have the change, provisionally, when this returns. `rows_of`
        returns the rows of an input, None without any."""
        self.begun = True
        try:
            return self._run(stage, rows_of, take_errors)
        except BaseException as error:
            self.failure = error
            raise

    def export(
        self,
        targets: Mapping[str, ExportTarget],
        rows: SegmentRows,
        few_bytes: int,
        take_errors: Callable[[pa.Table], None],
    ) -> ExportResult:
        """Has tasks write the rows of an output for all of its exports; errors among them are taken. Of few bytes this
        process writes the rows itself."""
        self.begun = True
        try:
            self._exchange.mkdir(exist_ok=True)
            self._jobs += 1
            for each in targets.values():
                if each.store is not None:
                    self._expect(each.store)
            error = ERROR_COLUMN if rows.query.fallible else None
            exports = {name: each.task for name, each in targets.items()}
            token, exchange = f"{self._token}-{self._jobs}", str(self._exchange)
            task = ExportTask(token, self._partitions, exchange, rows.query.schema, error, exports, few_bytes)
            done = counted(self._partitions, self._steps.pool.run(task, rows))
            _told_errors(done, take_errors)
        except BaseException as failure:
            self.failure = failure
            raise
        tasks = [each for each in done if each.in_task]
        self.tasks += len(tasks)
        written = {name: tuple(each.exports[name] for each in done) for name in targets}
        return ExportResult(written, len(tasks), sum(each.seconds for each in tasks))

    def end(self, *, sealed: bool) -> None:
        """Ends the tick, after its scratch directory has been removed: a task that still runs finds that, and removes
        what it writes. What tasks have written into states is removed, as far as possible; or is left to whoever
        removes garbage, when the tick is `sealed`, and its arrangements use some of it."""
        for store, place in self._stores:
            if not sealed:
                place.remove(self._token)
            store.expect_no_more(self._token)

    def _run(
        self,
        stage: TickStage,
        rows_of: Callable[[StageInput], SegmentRows | None],
        take_errors: Callable[[str, pa.Table], None],
    ) -> WideResult:
        self._exchange.mkdir(exist_ok=True)
        new = list({each.name: each for each in stage.inputs if each.name not in self._sorted}.values())
        done: list[StepDone] = []
        for each in new[:-1]:
            done += self._job(each, rows_of(each), None, (), (), take_errors)
        work = stage.work
        assert work is not None, "the stage is wide"
        kernel = TaskKernel(work, stage.stream.schema, self._lower)
        known = self._known(stage, new[-1:])
        rows = rows_of(new[-1]) if new else None
        last = self._job(new[-1] if new else None, rows, kernel, known, self._state(stage), take_errors)
        done += last
        tasks = [each for each in done if each.in_task]
        self.tasks += len(tasks)
        return WideResult(
            sum(each.rows_in for each in done),
            sum(each.rows_read for each in done),
            _change(last, stage.stream.schema),
            len(tasks),
            sum(each.seconds for each in tasks),
        )

    def _known(self, stage: TickStage, new: Sequence[StageInput]) -> tuple[TaskFiles, ...]:
        coming = {name for each in new for name, _ in each.layouts}
        layouts = dict(stage.layouts)
        return tuple(
            TaskFiles(name, layout, self._sorted[name]) for name, layout in layouts.items() if name not in coming
        )

    def _state(self, stage: TickStage) -> tuple[TaskState, ...]:
        """Returns the files of what the stage has arranged before."""
        names = dict(stage.layouts)
        return tuple(
            TaskState(name, files_by_partition(self._arrangements[name].file_batches(), self._partitions))
            for name in names
        )

    def _job(
        self,
        input_: StageInput | None,
        rows: SegmentRows | None,
        kernel: TaskKernel | None,
        known: tuple[TaskFiles, ...],
        state: tuple[TaskState, ...],
        take_errors: Callable[[str, pa.Table], None],
    ) -> list[StepDone]:
        """Sorts an input, if there is one, and runs the kernel, if there is one, in one job."""
        partitions = self._partitions
        self._jobs += 1
        place = self._expected(input_.name if input_ is not None else known[0].name)
        task = StepTask(
            f"{self._token}-{self._jobs}",
            partitions,
            place,
            str(self._exchange),
            None if input_ is None or rows is None else _task_rows(input_, rows.query),
            known if input_ is None or rows is not None else (*known, *_nothing(input_, partitions)),
            kernel,
            state,
            self._few_bytes,
        )
        done = counted(partitions, self._steps.pool.run(task, rows))
        if input_ is not None:
            self.rows_in[input_.name] = sum(each.rows_in for each in done)
            for name, layout in input_.layouts:
                self._adopt(name, layout, done)
            _told_errors(done, partial(take_errors, input_.name))
        return done

    def _adopt(self, name: str, layout: Layout, done: Sequence[StepDone]) -> None:
        arrangement = self._arrangements[name]
        store = arrangement.store
        assert store is not None, "tasks have written there"
        self._sorted[name] = files = tuple(each.files.get(name) for each in done)
        arrangement.adopt(ArrangementBatch.joined(open_batch(store, layout, [each]) for each in files if each))

    def _expected(self, name: str) -> BatchPlace:
        """Returns where tasks write an arrangement, of which files are expected from here on."""
        store = self._arrangements[name].store
        assert store is not None, "the stage is wide"
        return self._expect(store)

    def _expect(self, store: BatchStore) -> BatchPlace:
        place = store.elsewhere
        assert place is not None, "tasks can write there"
        if all(store is not each for each, _ in self._stores):
            store.expect(self._token)
            self._stores.append((store, place))
        return place

    def _place(self, name: str) -> BatchPlace | None:
        store = self._arrangements[name].store
        return None if store is None else store.elsewhere


def _told_errors(done: Sequence[StepDone], take: Callable[[pa.Table], None]) -> None:
    for each in done:
        if each.errors is not None:
            take(pa.ipc.open_stream(each.errors).read_all().select(ERRORS.names).cast(ERRORS))


def _task_rows(input_: StageInput, query: SegmentQuery) -> TaskRows:
    assert input_.layout is not None, "what is arranged has a layout"
    error = ERROR_COLUMN if query.fallible else None
    return TaskRows(input_.name, input_.layout, query.schema, error, input_.rares_name, input_.rare_columns)


def _nothing(input_: StageInput, partitions: int) -> list[TaskFiles]:
    """Returns the files of an input without rows."""
    return [TaskFiles(name, layout, (None,) * partitions) for name, layout in input_.layouts]


def _change(done: Sequence[StepDone], schema: pa.Schema) -> Change:
    paths = [Path(each.output) for each in done if each.output is not None]
    rows = sum(each.rows_out for each in done)
    table = few_rows(rows, paths, schema)
    return filed_change(rows, paths, schema) if table is None else literal_change(table)
