"""One tick: queries and arranges each step's inputs, runs its kernel, and lets exports read the resulting streams.

A query over no rows is not run; neither is a kernel, unless it has output without any input.

    t has (1, 10) and (1, 20); at time 7 comes (1, 5), and the view is SELECT k, sum(x) FROM t GROUP BY k

    queried     the changes of t since the last tick: +(1, 5)
    arranged    the rows of the changed keys in the step's arrangement: (1, count 2, sum 30)
    kernel      the group's row before and after: -(1, 30) +(1, 35), at time 7
    exported    as updates of the view's shard, or rows of an index

A tick is a coroutine of questions: it yields a query, and goes on with the answer. The caller may therefore answer the
questions of several ticks together. Before it begins jobs of its own, for a wide step, it says so.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.kernels.rares import rare_rows
from compute.maintain.change import Change, gathered_change
from compute.maintain.outputs import exported
from compute.maintain.program import TickProgram
from compute.maintain.queries import ERRORS, Queries, profile_for, split
from compute.maintain.reading import Reading
from compute.maintain.segments import SegmentQuery
from compute.maintain.stages.stage import StageInput, TickStage, Turn
from compute.maintain.step_times import StepTimes
from compute.maintain.task_trust import TaskTrust
from compute.maintain.wide import (
    FIRST,
    LATER,
    ExportResult,
    ExportTarget,
    SegmentRows,
    WideResult,
    WideSteps,
    WideTick,
)
from compute.spark.prepared import Asked
from compute.spark.session import Profile
from compute.spark.spool import Spool
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.updates.consolidate import consolidate

FIRST_ROWS_MAX = 5_000
"""A first tick's question over more rows is asked as a job."""


@dataclass(frozen=True, slots=True)
class StepCount:
    """Counts of one step in a tick.

    `rows_in`: rows added to the step's arrangements.
    `rows_read`: rows read and looked up.
    `rows_out`: rows of the step's output. The first step counts shared work.
    `tasks`, `task_seconds`: the tasks of a wide step, and their processor time; 0 of a narrow one.
    `narrow`: why a step was narrow over so many rows that it might have been wide; else empty.
    """

    rows_in: int
    rows_read: int
    rows_out: int
    tasks: int = 0
    task_seconds: float = 0.0
    narrow: str = ""


@dataclass(frozen=True, slots=True)
class TickResult:
    """The result of a tick. `outputs` are chunks of c0…, time, diff, each consolidated, to be read before the tick is
    sealed or discarded. `errors` are err (text), time, diff, consolidated. `rows_read` counts rows that queries and
    kernels read, `rows_written` rows put into arrangements. `step_ms` are milliseconds by step. `exported`: what tasks
    have written of outputs, of which no chunks are here."""

    outputs: Mapping[GlobalId, Iterable[pa.Table]]
    errors: Mapping[GlobalId, pa.Table]
    rows_read: int
    rows_written: int
    steps: tuple[StepCount, ...]
    step_ms: tuple[float, ...]
    exported: Mapping[GlobalId, ExportResult]


Targets = Callable[[GlobalId], Mapping[str, ExportTarget]]
"""The exports of an output that tasks may write, by name; none where its rows are needed here."""


def no_targets(_output: GlobalId) -> Mapping[str, ExportTarget]:
    """Returns no exports: all rows are needed here."""
    return {}


@dataclass(frozen=True, slots=True)
class TickMachine:
    """The surroundings of a dataflow's ticks.

    `program`: returns the program of a session, for a tick that begins at as_of or for a later tick.
    `empty_answer`: returns a stage's answer for a group without rows, as one row of c0…, err.
    `wide`: where wide steps run; None: all steps are narrow. `trust` tells whether tasks may be given any.
    """

    sessions: Mapping[Profile, SparkSession]
    program: Callable[[Profile, Timestamp | None], TickProgram]
    empty_answer: Callable[[int], pa.Table]
    queries: Queries
    arrangements: Mapping[str, Arrangement]
    scratch: Path
    reading: Reading
    wide: WideSteps | None = None
    trust: TaskTrust = field(default_factory=TaskTrust)


@dataclass(frozen=True, slots=True)
class Question:
    """A query that a tick wants answered, over changes of its views with `rows` rows in all."""

    name: str
    query: SegmentQuery
    changes: Mapping[str, Change | None]
    rows: int


@dataclass(frozen=True, slots=True)
class OwnJobs:
    """Says that a tick goes on with jobs of its own, which nobody should wait for but those who wait for the tick."""


@dataclass(frozen=True, slots=True)
class TickAnswer:
    """The rows of an answer, and the query in the form that ran. `seconds` is Java's work on a query asked alone,
    without a job."""

    query: SegmentQuery
    rows: Spool
    seconds: float = 0.0


def _small(question: Question) -> bool:
    """Returns whether a first tick's question can be asked without a job. The rows of constants stand in the queries of
    jobs alone. A question that may take long is a job too, since Spark cancels a job at any point of it, and runs it on
    all cores."""
    return question.rows <= FIRST_ROWS_MAX and not question.query.constants and not question.query.multiplies


def _rows_of(changes: Mapping[str, Change | None]) -> int:
    return sum(change.rows for change in changes.values() if change is not None)


T = TypeVar("T")
Course = Generator[Question | OwnJobs, TickAnswer | None, T]


class Tick:
    """A tick that covers times from `lower` until before `upper`; `starts` marks the first tick."""

    def __init__(
        self,
        machine: TickMachine,
        changes: Mapping[GlobalId, Change],
        lower: Timestamp,
        upper: Timestamp,
        *,
        starts: bool,
        now: Callable[[], float],
        targets: Targets = no_targets,
    ) -> None:
        self.times = StepTimes(now)
        self._targets = targets
        self._machine = machine
        self._lower = lower
        self._upper = upper
        self._starts = starts
        self._imports = changes
        self._changes: dict[str, Change] = {}
        self._import_rows: dict[str, int] = {}
        self._rows_in: dict[str, int] = {}
        self._errors: dict[str, list[pa.Table]] = {}
        self._rows_read = 0
        self.wide: WideTick | None = None
        """The tick's wide steps; None before the first step with so many rows that it may be one."""
        self.went_without = False
        """Whether steps were narrow because tasks are not trusted with any."""

    def course(self) -> Course[TickResult]:
        """Runs the whole tick: yields a question whenever rows are needed from Spark, and before a wide step OwnJobs,
        which is not answered; returns the tick's result. Raises PySpark's exceptions and OSError."""
        program = self._structure()
        self._import_rows = {program.imports[id_]: change.rows for id_, change in self._imports.items()}
        self._machine.reading.begin([self._imported(program.views_of(query)) for query in program.queries.values()])
        self._changes |= {program.imports[id_]: change for id_, change in self._imports.items()}
        before = self._arrangements_read()
        counts = []
        for number, stage in enumerate(program.stages):
            counts.append((yield from self._counted(number, stage)))
        self.times.enter(None)
        outputs: dict[GlobalId, Iterable[pa.Table]] = {}
        written: dict[GlobalId, ExportResult] = {}
        errors = {}
        for id_, query in program.outputs:
            outputs[id_] = ()
            by_tasks = yield from self._exported(id_, query)
            if by_tasks is not None:
                written[id_] = by_tasks
            else:
                rows = yield from self._rows(str(id_), query)
                outputs[id_] = exported(rows, self._machine.scratch / f"output-{id_}.arrow")
            failed = [self._errors.get(below, []) for below in (str(id_), *program.inputs_below(query))]
            errors[id_] = consolidate(pa.concat_tables([ERRORS.empty_table(), *(t for part in failed for t in part)]))
        read = self._rows_read + self._arrangements_read() - before
        step_ms = tuple(self.times.ms(number) for number in range(len(counts)))
        return TickResult(outputs, errors, read, sum(self._rows_in.values()), tuple(counts), step_ms, written)

    def asked(self, question: Question | OwnJobs) -> Asked | None:
        """Returns the question in the form that needs no job; None when a job is needed."""
        if isinstance(question, OwnJobs) or (self._starts and not _small(question)):
            return None
        return self._machine.queries.prepared(question.query, question.changes)

    def answered(self, question: Question, batches: Iterable[pa.RecordBatch]) -> TickAnswer:
        """Returns an answer made without a job, in the form that the tick expects."""
        return TickAnswer(question.query, self._machine.queries.spooled(batches))

    def answer(self, question: Question) -> TickAnswer:
        """Asks Spark. Raises PySpark's exceptions, OSError."""
        queries = self._machine.queries
        asked = self.asked(question)
        if asked is not None:
            return TickAnswer(question.query, *queries.run_prepared(asked))
        profile = profile_for(question.rows)
        query = self._program(profile).queries[question.name]
        return TickAnswer(query, queries.run(query, profile, question.changes))

    def _arrangements_read(self) -> int:
        return sum(each.rows_read for each in self._machine.arrangements.values())

    def _structure(self) -> TickProgram:
        # Of the first tick too: only the rows of constants are others then.
        return self._machine.program(Profile.PREPARED, None)

    def _program(self, profile: Profile) -> TickProgram:
        return self._machine.program(profile, self._lower if self._starts else None)

    def _counted(self, number: int, stage: TickStage) -> Course[StepCount]:
        self.times.enter(number)
        before = self._rows_read + self._arrangements_read()
        narrow = self._why_narrow(stage)
        if narrow is None:
            assert self.wide is not None, "the step is wide"
            made, rows_out = yield from self._by_tasks(number, stage, self.wide)
            rows_in, tasks, seconds = made.rows_in, made.tasks, made.task_seconds
            narrow = "" if tasks else "few rows left of those read"
        else:
            rows_in, rows_out = yield from self._stage(number, stage)
            tasks, seconds = 0, 0.0
        read = self._rows_read + self._arrangements_read() - before
        return StepCount(rows_in, read, rows_out, tasks, seconds, narrow or "")

    def _why_narrow(self, stage: TickStage) -> str | None:
        """Returns why a stage is narrow, None of a wide one; nothing need be told of few rows."""
        machine = self._machine
        if machine.wide is None:
            least = FIRST if self._starts else LATER
        else:
            least = machine.wide.least(starts=self._starts)
        if not stage.layouts or self._rows_to_come(stage) < least.rows:
            return ""
        if machine.wide is None:
            return ""
        if machine.trust.reason:
            self.went_without = True
            return machine.trust.reason
        return self._begun_wide(machine.wide).why_narrow(stage, self._rows_in)

    def _begun_wide(self, steps: WideSteps) -> WideTick:
        if self.wide is None:
            machine = self._machine
            self.wide = WideTick(steps, machine.arrangements, machine.scratch, self._lower, starts=self._starts)
        return self.wide

    def _rows_to_come(self, stage: TickStage) -> int:
        """Returns how many rows a stage works on, as far as is known: those that its inputs read, or have given."""
        inputs = {each.name: each.query for each in stage.inputs}
        return sum(
            self._rows_in[name] if name in self._rows_in else _rows_of(self._changes_of(query))
            for name, query in inputs.items()
        )

    def _by_tasks(self, number: int, stage: TickStage, wide: WideTick) -> Course[tuple[WideResult, int]]:
        yield OwnJobs()
        views = {each.name: self._structure().views_of(each.query) for each in stage.inputs}
        imported = sum(self._imported(read) for name, read in views.items() if name not in self._rows_in)
        if not wide.begun:
            self._machine.trust.begin()
        with self._machine.reading.reads(imported):
            made = wide.run(stage, self._segment_rows, self._take_errors)
        self._rows_in |= wide.rows_in
        self._rows_read += made.rows_read
        self._changes[stage.stream.view] = made.change
        return made, (yield from self._answered(number, stage, made.change.rows))

    def _exported(self, id_: GlobalId, query: SegmentQuery) -> Course[ExportResult | None]:
        """Has tasks write an output's rows; returns None where the rows are few, or needed here."""
        steps = self._machine.wide
        if steps is None:
            return None
        least = steps.exports if self.wide is not None and self.wide.tasks else steps.least(starts=self._starts)
        changes = self._changes_of(query)
        rows = _rows_of(changes)
        if not rows or rows < least.rows:
            return None
        targets = self._targets(id_)
        if not targets:
            return None
        if self._machine.trust.reason:
            self.went_without = True
            return None
        yield OwnJobs()
        wide = self._begun_wide(steps)
        if not wide.begun:
            self._machine.trust.begin()
        self._rows_read += rows
        profile = profile_for(rows)
        asked = SegmentRows(self._program(profile).queries[str(id_)], profile, changes)
        with self._machine.reading.reads(self._imported(changes)):
            return wide.export(targets, asked, least.few_bytes, partial(self._take_errors, str(id_)))

    def _take_errors(self, name: str, errors: pa.Table) -> None:
        self._errors.setdefault(name, []).append(errors)

    def _segment_rows(self, each: StageInput) -> SegmentRows | None:
        """Returns the rows of an input for tasks, None where there are none; Spark's job begins when this returns."""
        changes = self._changes_of(each.query)
        rows = _rows_of(changes)
        if not rows and not (self._starts and each.query.constants):
            return None
        self._rows_read += rows
        profile = profile_for(rows)
        return SegmentRows(self._program(profile).queries[each.name], profile, changes)

    def _changes_of(self, query: SegmentQuery) -> dict[str, Change | None]:
        return {view: self._changes.get(view) for view in self._structure().views_of(query)}

    def _stage(self, number: int, stage: TickStage) -> Course[tuple[int, int]]:
        rows_in = 0
        for each in stage.inputs:
            if each.layout is not None:
                rows_in += yield from self._arrange(each)
        stream = stage.stream
        made = yield from self._made(number, stage, rows_in > 0)
        change = gathered_change(made, stream.schema, self._machine.scratch)
        self._changes[stream.view] = change
        return rows_in, (yield from self._answered(number, stage, change.rows))

    def _answered(self, number: int, stage: TickStage, rows_out: int) -> Course[int]:
        """Asks for the answers that several readers of a stage's stream share; returns the rows of the stage's
        output."""
        answers = stage.stream.answers
        if answers is None:
            return rows_out
        rows = yield from self._run(f"{number}.answers", answers.query, stage.stream.made)
        change = gathered_change(rows, answers.schema, self._machine.scratch)
        self._changes[answers.view] = change
        return change.rows

    def _arrange(self, each: StageInput) -> Course[int]:
        """Returns the number of rows added to the input's arrangement in this tick."""
        known = self._rows_in.get(each.name)
        if known is not None:
            return known
        assert each.layout is not None, "what is arranged has a layout"
        rows = 0
        for table in (yield from self._rows(each.name, each.query)):
            if each.rares:
                self._machine.arrangements[each.rares_name].insert(rare_rows(table, each.layout, each.rare_columns))
            self._machine.arrangements[each.name].insert(table.select(each.layout.schema.names))
            rows += table.num_rows
        self._rows_in[each.name] = rows
        return rows

    def _rows(self, name: str, query: SegmentQuery) -> Course[Iterator[pa.Table]]:
        """Returns the rows of the named query, if it reads any; error rows are set aside on the way."""
        return self._run(name, query, self._structure().views_of(query))

    def _run(self, name: str, query: SegmentQuery, views: Iterable[str]) -> Course[Iterator[pa.Table]]:
        changes = {view: self._changes.get(view) for view in views}
        rows = _rows_of(changes)
        if not rows and not (self._starts and query.constants):
            return iter(())
        self._rows_read += rows
        with self._machine.reading.reads(self._imported(changes)):
            answer = yield Question(name, query, changes, rows)
            assert answer is not None, "a question is answered"
        return self._sorted_out(name, answer)

    def _sorted_out(self, name: str, answer: TickAnswer) -> Iterator[pa.Table]:
        try:
            yield from split(answer.query, answer.rows, self._errors.setdefault(name, []))
        finally:
            answer.rows.close()

    def _imported(self, views: Iterable[str]) -> int:
        """Returns the number of import rows that a query over the views reads."""
        return sum(self._import_rows.get(view, 0) for view in views)

    def _made(self, number: int, stage: TickStage, touched: bool) -> Course[Iterator[pa.Table]]:
        """Returns the stage's change; a stage without arrangements gives the rows of its single query."""
        if not stage.layouts:
            (rows,) = stage.inputs
            return (yield from self._rows(rows.name, rows.query))
        return stage.changes(self._turn(number, touched))

    def _turn(self, number: int, touched: bool) -> Turn:
        return Turn(
            touched,
            self._lower,
            self._upper,
            self._starts,
            self._machine.arrangements,
            self._machine.sessions,
            self._machine.scratch,
            self._changes.__setitem__,
            partial(self._machine.empty_answer, number),
        )
