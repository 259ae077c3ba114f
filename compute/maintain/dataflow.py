"""A maintained dataflow: what its inputs' changes do to what it exports, tick by tick.

Law: what a tick gives, added to what the ticks before gave, is what the exported relations hold, at each time that is
covered; and an export has an error at a time exactly when evaluating it then fails.

A tick is all or nothing. It leaves what it changed provisional until `seal`; `discard` takes it back, and then the same
tick can be run again. The first tick hydrates: its changes are the inputs' contents at as_of, and it covers that time
alone.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.kernels.delay import next_due
from compute.maintain.change import Change
from compute.maintain.plan import MaintenancePlan
from compute.maintain.program import TickProgram, write_program
from compute.maintain.queries import Queries
from compute.maintain.reading import Reading
from compute.maintain.tick import Tick, TickMachine, TickResult
from compute.maintain.ticking import Ticking
from compute.spark.session import Profile
from model.ids.global_id import GlobalId
from model.physical.columns import updates_schema
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc

_NUMBERS = count()


class Dataflow:
    """Renders its queries when it is made; `begin` before the first tick. One thread at a time.

    `sessions` are those of the process, by profile. `scratch` is a directory that Spark's executors see too. `reading`
    tells how far a tick is.
    """

    def __init__(
        self,
        plan: MaintenancePlan,
        imports: Mapping[GlobalId, RelationDesc],
        sessions: Mapping[Profile, SparkSession],
        scratch: Path,
    ) -> None:
        self._plan = plan
        self._imports = imports
        self._sessions = sessions
        self._prefix = f"flow_{next(_NUMBERS)}"
        self._scratch = scratch / self._prefix
        self._scratch.mkdir(parents=True)
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
        )
        self._upper: Timestamp | None = None
        self._provisional: Timestamp | None = None

    @property
    def layouts(self) -> Mapping[str, Layout]:
        """What it arranges, by names that are the same whenever the plan is."""
        return {name: layout for stage in self._steady.stages for name, layout in stage.layouts}

    @property
    def asks_only(self) -> bool:
        """Whether all that its ticks want of Spark is asked, so that they can go together with others."""
        return all(stage.asks_only for stage in self._steady.stages)

    @property
    def arrangements(self) -> Mapping[str, Arrangement]:
        """What it was begun with."""
        return self._arrangements

    def prepare(self) -> None:
        """Plans what ticks ask, of which the first would wait for all of it. PySpark's exceptions."""
        for query, views in self._steady.asked():
            self._queries.prepare(query, views)

    def begin(self, arrangements: Mapping[str, Arrangement], *, upper: Timestamp | None) -> None:
        """`arrangements` are empty; or hold what a dataflow of this plan has sealed of all times before `upper`."""
        self._arrangements = arrangements
        self._machine = replace(self._machine, arrangements=arrangements)
        self._upper = upper

    def tick(self, changes: Mapping[GlobalId, Change], lower: Timestamp, upper: Timestamp) -> TickResult:
        """What the changes of imports at times from `lower` until before `upper` make of the exports.

        When it raises (PySpark's exceptions, OSError), it has left nothing behind.
        """
        ticking = self.begin_tick(changes, lower, upper)
        try:
            return ticking.finish()
        except BaseException:
            self.discard()
            raise

    def begin_tick(self, changes: Mapping[GlobalId, Change], lower: Timestamp, upper: Timestamp) -> Ticking:
        """As `tick`, for the caller to drive; when it has failed, it is to be discarded."""
        self._provisional = upper
        return Ticking(Tick(self._machine, changes, lower, upper, starts=self._upper is None), time.thread_time)

    def seal(self) -> None:
        """What the last tick did is done."""
        assert self._provisional is not None, "there was no tick"
        self._upper = self._provisional
        for arrangement in self._arrangements.values():
            arrangement.seal()
            # The next tick looks back no further than the time before it.
            arrangement.allow_compaction(self._upper - 1)
        self._programs = {key: program for key, program in self._programs.items() if key[1] is None}
        self._forget()

    def discard(self) -> None:
        """The last tick did not happen."""
        for arrangement in self._arrangements.values():
            arrangement.discard()
        self._forget()

    def next_due(self) -> Timestamp | None:
        """The time at which the exports may change though no import does: what is delayed until then is due."""
        upper = self._upper if self._provisional is None else self._provisional
        if upper is None:
            return None
        delays = [stage for stage in self._steady.stages if stage.waits_for_times]
        names = [name for stage in delays for name, _ in stage.layouts]
        times = [next_due(self._arrangements[name], upper) for name in names]
        return min((Timestamp(time) for time in times if time is not None), default=None)

    def close(self) -> None:
        self._queries.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _forget(self) -> None:
        self._provisional = None
        self._queries.forget()
        for each in self._scratch.iterdir():
            if each.is_dir():
                shutil.rmtree(each)
            else:
                each.unlink()

    def _program(self, profile: Profile, as_of: Timestamp | None) -> TickProgram:
        """Each session is told of a program's functions and constants once."""
        key = profile, as_of
        if key not in self._programs:
            self._programs[key] = write_program(self._sessions[profile], self._plan, self._imports, self._prefix, as_of)
        return self._programs[key]

    def _empty_answer(self, number: int) -> pa.Table:
        if number not in self._empty_answers:
            empty = self._steady.stages[number].stream.empty
            assert empty is not None, "a group without rows answers nothing"
            self._empty_answers[number] = self._sessions[Profile.SMALL].sql(empty.query).toArrow()
        return self._empty_answers[number]


def _schemas(program: TickProgram, imports: Mapping[GlobalId, RelationDesc]) -> dict[str, pa.Schema]:
    schemas = {program.imports[id_]: updates_schema(desc) for id_, desc in imports.items()}
    for stage in program.stages:
        schemas |= stage.stream.schemas
    return schemas
