"""A maintained dataflow: turns changes of its inputs into changes of its exports, tick by tick.

Law: the sum of all ticks' results is the contents of the exported relations, at each time covered so far; and an export
has an error at a time exactly when evaluating the export then fails.

A tick is all or nothing. Its changes stay provisional until `seal`; `discard` takes them back, and the same tick can be
run again. The first tick hydrates: its changes are the inputs' contents at as_of, and it covers as_of alone.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

import pyarrow as pa
import structlog
from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.kernels.delay import next_due
from compute.maintain.arranged import delayed_names
from compute.maintain.change import Change
from compute.maintain.plan import MaintenancePlan
from compute.maintain.program import TickProgram, write_program
from compute.maintain.queries import Queries
from compute.maintain.reading import Reading
from compute.maintain.segments import has_constants
from compute.maintain.task_merges import merge_by_tasks, merges_due
from compute.maintain.task_trust import TaskTrust
from compute.maintain.tick import Targets, Tick, TickMachine, TickResult, no_targets
from compute.maintain.ticking import Ticking
from compute.maintain.wide import WideSteps
from compute.spark.session import Profile
from model.ids.global_id import GlobalId
from model.physical.columns import updates_schema
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc

_NUMBERS = count()
_GONE = ".gone"
_log = structlog.get_logger("dataflows")


def _narrow(_queries: Queries) -> None:
    """Makes no step wide."""


class Dataflow:
    """A dataflow with its queries and arrangements; `begin` before the first tick. One thread at a time.

    `sessions`: the process's Spark sessions, by profile.
    `scratch`: a directory that Spark's executors can read and write.
    `wide`: returns where wide steps over the dataflow's queries run; None: all steps are narrow.
    `trust`: tells how tasks have fared at its ticks.
    `reading`: tells how far a tick has come.
    """

    def __init__(
        self,
        plan: MaintenancePlan,
        imports: Mapping[GlobalId, RelationDesc],
        sessions: Mapping[Profile, SparkSession],
        scratch: Path,
        wide: Callable[[Queries], WideSteps | None] = _narrow,
        trust: TaskTrust | None = None,
    ) -> None:
        self._plan = plan
        self._imports = imports
        self._sessions = sessions
        self._prefix = f"flow_{next(_NUMBERS)}"
        self._scratch = scratch / self._prefix
        self._scratch.mkdir(parents=True)
        self._merging = self._scratch.with_name(f"{self._prefix}-merges")
        segments = [segment for step in plan.steps for segment in step.segments]
        self._constants = has_constants(*segments, *(segment for _, segment in plan.outputs))
        self._programs: dict[tuple[Profile, Timestamp | None], TickProgram] = {}
        self._steady = self._program(Profile.PREPARED, None)
        self._queries = Queries(sessions, _schemas(self._steady, imports), self._scratch)
        self._empty_answers: dict[int, pa.Table] = {}
        self._arrangements: Mapping[str, Arrangement] = {}
        self.reading = Reading()
        self._machine = TickMachine(
            sessions,
            self._program,
            self._empty_answer,
            self._queries,
            self._arrangements,
            self._scratch,
            self.reading,
            wide(self._queries),
            trust or TaskTrust(),
        )
        self._upper: Timestamp | None = None
        self._provisional: Timestamp | None = None
        self._tick: Tick | None = None
        """The tick under way."""

    @property
    def layouts(self) -> Mapping[str, Layout]:
        """Returns the layouts of all arrangements, by names that are equal whenever the plans are equal."""
        return {name: layout for stage in self._steady.stages for name, layout in stage.layouts}

    @property
    def asks_only(self) -> bool:
        """Returns whether ticks need answers to prepared queries alone, so that several dataflows can tick together."""
        return all(stage.asks_only for stage in self._steady.stages)

    @property
    def arrangements(self) -> Mapping[str, Arrangement]:
        """Returns the arrangements given to `begin`."""
        return self._arrangements

    def prepare(self) -> None:
        """Plans all queries of ticks, so that the first tick need not wait for Spark's planner. PySpark's
        exceptions."""
        for query, views in self._steady.asked():
            self._queries.prepare(query, views)

    def begin(self, arrangements: Mapping[str, Arrangement], *, upper: Timestamp | None) -> None:
        """Takes the arrangements: empty for a new dataflow, else as a dataflow of an equal plan sealed them before
        `upper`."""
        self._arrangements = arrangements
        self._machine = replace(self._machine, arrangements=arrangements)
        self._upper = upper

    def tick(
        self,
        changes: Mapping[GlobalId, Change],
        lower: Timestamp,
        upper: Timestamp,
        targets: Targets = no_targets,
    ) -> TickResult:
        """Returns the changes of exports that the imports' changes, at times from `lower` until before `upper`, lead
        to. Tasks may write the `targets`.

        When an exception is raised (PySpark's exceptions, OSError), nothing of the tick is left.
        """
        ticking = self.begin_tick(changes, lower, upper, targets)
        try:
            return ticking.finish()
        except BaseException:
            self.discard()
            raise

    def begin_tick(
        self,
        changes: Mapping[GlobalId, Change],
        lower: Timestamp,
        upper: Timestamp,
        targets: Targets = no_targets,
    ) -> Ticking:
        """Begins a tick for the caller to drive; a failed tick is to be discarded."""
        self._provisional = upper
        starts = self._upper is None
        self._tick = Tick(self._machine, changes, lower, upper, starts=starts, now=time.monotonic, targets=targets)
        return Ticking(self._tick, time.thread_time)

    def seal(self) -> None:
        """Makes the last tick's changes final."""
        assert self._provisional is not None, "there was no tick"
        self._upper = self._provisional
        tick, trust, steps = self._taken_tick(), self._machine.trust, self._machine.wide
        wide = None if tick is None else tick.wide
        awaited_rows = steps.merges.rows if steps is not None and wide is not None and wide.tasks else None
        for arrangement in self._arrangements.values():
            arrangement.seal(awaited_rows)
            # The next tick looks back no further than the time before it.
            arrangement.allow_compaction(self._upper - 1)
        self._programs = {key: program for key, program in self._programs.items() if key[1] is None}
        self._forget()
        if tick is not None and tick.went_without:
            trust.went_without()
        if wide is not None:
            wide.end(sealed=True)
            if wide.tasks:
                trust.done()
            elif wide.begun:
                trust.undone()

    def discard(self, *, blames_tasks: bool = True) -> None:
        """Discards the last tick, which did not happen. What tasks have failed at is tried again without them, if it
        `blames_tasks`: those of a cancelled tick end with errors, too."""
        for arrangement in self._arrangements.values():
            arrangement.discard()
        tick, trust = self._taken_tick(), self._machine.trust
        wide = None if tick is None else tick.wide
        try:
            self._forget()
        finally:
            if wide is not None:
                wide.end(sealed=False)
                if wide.failure is not None and blames_tasks:
                    kind = type(wide.failure).__name__
                    # Java says in the second line what has happened, and then where.
                    reason = f"{kind}: {' '.join(str(wide.failure).splitlines()[:2])}"
                    trust.failed(kind)
                    _log.warning("a tick is tried again without tasks", dataflow=self._prefix, reason=reason)
                elif wide.begun:
                    trust.undone()

    @property
    def merges_due(self) -> bool:
        """Returns whether `merge` has something to do."""
        return merges_due(self._arrangements)

    def merge(self) -> None:
        """Has tasks merge what is due behind ticks that had tasks. Ticks may go on meanwhile, in another thread; one
        call at a time. Raises what ended the tasks: this process merges then, beside its next ticks."""
        assert self._machine.wide is not None, "only ticks with tasks leave merges to others"
        merge_by_tasks(self._machine.wide, self._arrangements, self._merging)

    def next_due(self) -> Timestamp | None:
        """Returns the next time at which exports may change without a change of any import, because a delayed row is
        due."""
        upper = self._upper if self._provisional is None else self._provisional
        if upper is None:
            return None
        times = [next_due(self._arrangements[name], upper) for name in delayed_names(self._plan)]
        return min((Timestamp(time) for time in times if time is not None), default=None)

    def close(self) -> None:
        self._queries.close()
        shutil.rmtree(self._scratch, ignore_errors=True)
        shutil.rmtree(self._merging, ignore_errors=True)

    def _taken_tick(self) -> Tick | None:
        """Returns the tick under way, which is under way no longer."""
        tick, self._tick = self._tick, None
        return tick

    def _forget(self) -> None:
        self._provisional = None
        _empty(self._scratch)
        self._queries.forget()

    def _program(self, profile: Profile, as_of: Timestamp | None) -> TickProgram:
        """Returns the program for a profile; each session is told of a program's functions and constants once. Without
        constants the first tick's is that of all others."""
        key = profile, as_of if self._constants else None
        if key not in self._programs:
            self._programs[key] = write_program(
                self._sessions[profile], self._plan, self._imports, self._prefix, key[1]
            )
        return self._programs[key]

    def _empty_answer(self, number: int) -> pa.Table:
        if number not in self._empty_answers:
            empty = self._steady.stages[number].stream.empty
            assert empty is not None, "a group without rows answers nothing"
            self._program(Profile.SMALL, None)  # the session knows its functions then
            self._empty_answers[number] = self._sessions[Profile.SMALL].sql(empty.query).toArrow()
        return self._empty_answers[number]


def _empty(directory: Path) -> None:
    """Removes what is in the directory, as far as possible: tasks that nobody waits for may still write there, and
    remove what is theirs. What is left goes after the next tick."""
    with contextlib.suppress(OSError):
        for each in list(directory.iterdir()):
            with contextlib.suppress(OSError):
                if each.is_dir():
                    shutil.rmtree(_renamed(each), ignore_errors=True)
                else:
                    each.unlink()


def _renamed(directory: Path) -> Path:
    """Renames the directory: whoever still works in it finds nothing from here on, however long its removal takes."""
    if directory.name.endswith(_GONE):
        return directory
    return directory.rename(directory.with_name(f"{directory.name}{_GONE}"))


def _schemas(program: TickProgram, imports: Mapping[GlobalId, RelationDesc]) -> dict[str, pa.Schema]:
    schemas = {program.imports[id_]: updates_schema(desc) for id_, desc in imports.items()}
    for stage in program.stages:
        schemas |= stage.stream.schemas
    return schemas
