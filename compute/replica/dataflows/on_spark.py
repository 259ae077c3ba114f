"""Dataflows computed by Spark and the kernels, over kept arrangements."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import structlog
from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import CheckpointSize
from compute.kernels.delay import next_due
from compute.maintain.arranged import delayed_names
from compute.maintain.dataflow import Dataflow
from compute.maintain.plan import MaintenancePlan
from compute.maintain.plan_names import name_of
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import Queries, profile_for
from compute.maintain.spark_pool import SparkPool
from compute.maintain.task_trust import TaskTrust
from compute.maintain.ticking import Ticking
from compute.maintain.wide import WideSteps
from compute.protocol.dataflow import DataflowDescription
from compute.protocol.measures import StepMeasure
from compute.replica.contents.parts import PartFiles
from compute.replica.dataflows.dataflow_note import DataflowNote
from compute.replica.dataflows.direct import Direct
from compute.replica.dataflows.kept import KeptState, open_found, open_kept
from compute.replica.dataflows.maintained import Company, Input, Kept, Maintained, Outputs, StateMisfits, TickRows
from compute.replica.dataflows.outputs import Computation, computes_nothing
from compute.replica.dataflows.shelf import Shelf
from compute.replica.dataflows.spark_changes import ImportChange, ImportReader
from compute.replica.dataflows.states import LocalStates, States
from compute.replica.dataflows.together import Member, Together
from compute.replica.running.failures import failure_of
from compute.replica.running.places import Places
from compute.replica.running.supervision import LIMITS, PlanningTooLong, SparkWork
from compute.replica.running.worker import SparkWorker
from compute.spark.session import Profile
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp

_TOGETHER_ROWS_MAX = 2_000
"""A tick over more changes goes by itself."""
_log = structlog.get_logger()


_AGAIN_S = 60.0
_AGAIN_MAX_S = 3600.0
"""How long after Spark's start a dataflow is planned that ended a JVM before; each time twice as long."""


@dataclass(frozen=True, slots=True)
class _Made:
    """The computation of a dataflow, available once Spark is up. `merging`: one dataflow at a time has its batches
    merged by tasks, so that threads stay free for ticks."""

    dataflow: Dataflow
    worker: SparkWorker
    together: Together
    merging: asyncio.Semaphore


class OnSpark:
    """A dataflow on Spark. `make` returns the computation once Spark is up and has planned the dataflow: kept state
    can be read before. `delayed` names the arrangements whose rows wait for times. `note` counts the failures of
    planning in earlier processes."""

    def __init__(
        self,
        piece: Callable[[], SparkWork],
        description: DataflowDescription,
        computation: Computation,
        make: Callable[[], Awaitable[_Made]],
        made: _Made | None,
        state: KeptState,
        delayed: Sequence[str],
        note: DataflowNote,
        places: Places,
        reader: ImportReader,
    ) -> None:
        self._piece = piece
        self._imports = {item.id: item for item in description.imports}
        self._computation = computation
        self._make = make
        self._making: asyncio.Task[None] | None = None
        self._merging: asyncio.Task[None] | None = None
        self._made = made
        self._state = state
        self._delayed = delayed
        self._note = note
        self._places = places
        self._reader = reader
        self._hydrated = state.kept is not None
        self._slow = False
        self._query = 0
        self._under_way = 0
        self._stuck = False
        self._cancelled = False
        if made is not None:
            self._begin(made)
        else:
            self._start_making()

    def _start_making(self) -> None:
        self._making = asyncio.create_task(self._have_made())
        self._making.add_done_callback(_seen)

    async def _have_made(self) -> None:
        made = await self._make()
        self._begin(made)
        self._made = made

    def _begin(self, made: _Made) -> None:
        upper = None if self._state.kept is None else self._state.kept[0]
        found, layouts = self._state.arrangements, made.dataflow.layouts
        if any(each not in found or found[each].layout != layout for each, layout in layouts.items()):
            raise StateMisfits("the kept state has other arrangements than its plan")
        arranged = {each: found[each] for each in layouts}
        made.dataflow.begin(arranged, upper=upper)

    async def prepared(self) -> None:
        if self._made is None:
            if self._making is None or self._making.done():
                self._start_making()
            assert self._making is not None, "it has just been started"
            await asyncio.shield(self._making)

    @property
    def stuck(self) -> bool:
        return self._stuck

    @property
    def kept(self) -> Kept | None:
        return self._state.kept

    @property
    def copied_from(self) -> str:
        return self._state.copied_from

    @property
    def consolidates(self) -> bool:
        return True

    @property
    def company(self) -> Company:
        return Company.TOGETHER if self._small else Company.ALONE

    @property
    def _small(self) -> bool:
        return self._made is not None and self._made.dataflow.asks_only and not self._slow

    @property
    def arrangements(self) -> Mapping[str, Arrangement]:
        return self._state.arrangements

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        await self.prepared()
        made = self._made
        assert made is not None, "it is prepared"
        dataflow, worker = made.dataflow, made.worker
        changes = {id_: await self._reader.read(self._imports[id_], input_) for id_, input_ in inputs.items()}
        size = sum(each.change.rows for each in changes.values())
        profile = profile_for(size)
        member = Member(
            lambda: dataflow.begin_tick(
                {id_: each.change for id_, each in changes.items()}, lower, upper, outputs.targets
            ),
            lambda ticking: self._taken(ticking, changes, outputs, worker.sessions[profile]),
        )
        here = all(each.change.table is not None for each in changes.values())
        small = self._small and self._hydrated and here and size <= _TOGETHER_ROWS_MAX
        try:
            rows = await made.together.go(member) if small else None
            if rows is None:
                piece = self._piece()
                piece.on_stuck = self._is_stuck
                rows = await worker.run(piece, profile, lambda *_: member.end(), for_dataflow=True)
            # A hydration takes longer than the ticks after it.
            self._slow = self._hydrated and member.slow
            return rows
        except SqlError:
            raise
        except asyncio.CancelledError:
            self._cancelled = True
            raise
        except Exception as error:
            raise await _told(error, worker) from error
        finally:
            self._stuck = False

    def _is_stuck(self) -> None:
        self._stuck = True

    def _taken(
        self,
        ticking: Ticking,
        changes: Mapping[GlobalId, ImportChange],
        outputs: Outputs,
        session: SparkSession,
    ) -> TickRows:
        result = ticking.finish()
        for output, tables in result.outputs.items():
            for table in tables:
                outputs.take(output, table)
        for output, written in result.exported.items():
            outputs.adopt(output, written.exports)
        for output, errors in result.errors.items():
            outputs.take_errors(output, errors)
        for id_, each in changes.items():
            if each.errors is not None:
                errors = each.errors(session)
                for output, imports in self._computation.imports_of.items():
                    if id_ in imports:
                        outputs.take_errors(output, errors)
        steps = tuple(
            StepMeasure(
                each.rows_in, each.rows_read, each.rows_out, ms, each.tasks, each.task_seconds * 1000, each.narrow
            )
            for each, ms in zip(result.steps, result.step_ms, strict=True)
        )
        export_tasks = sum(each.tasks for each in result.exported.values())
        return TickRows(result.rows_read, result.rows_written, steps, export_tasks)

    async def share_read(self) -> float:
        made = self._made
        if made is None:
            return 0.0
        reading = made.dataflow.reading
        if reading.query != self._query:
            self._query, self._under_way = reading.query, 0
        name = self._piece().name
        rows = await self._places.runner.run(lambda: made.worker.records_read(name))
        # What its stages have read that have ended is not told any more.
        self._under_way = max(self._under_way, rows)
        return reading.share(self._under_way)

    async def waits_for(self) -> str:
        made = self._made
        if made is None:
            return ""
        name = self._piece().name
        lacks = await self._places.runner.run(lambda: made.worker.lacks_executors(name))
        return "Spark has no executor" if lacks else ""

    async def seal(self) -> None:
        assert self._made is not None, "there was a tick"
        await self._places.runner.run(self._made.dataflow.seal)
        self._hydrated = True
        if self._note.read():
            await self._places.runner.run(lambda: self._note.put(0))
        if self._made.dataflow.merges_due and (self._merging is None or self._merging.done()):
            self._merging = asyncio.create_task(self._merge(self._made))

    async def _merge(self, made: _Made) -> None:
        """Has tasks merge what is due, beside the ticks."""
        piece = self._piece()
        piece.name += "-merges"
        piece.subject = f"merges of the {piece.subject}"
        try:
            while made.dataflow.merges_due:
                async with made.merging:
                    await made.worker.run(piece, Profile.LARGE, lambda *_: made.dataflow.merge(), for_dataflow=True)
        except Exception as error:  # noqa: BLE001  (what tasks don't merge is merged beside the next ticks)
            _log.warning("batches are not merged by tasks", work=piece.subject, reason=str(error))

    async def discard(self) -> None:
        made, cancelled = self._made, self._cancelled
        self._cancelled = False
        if made is not None:
            await self._places.runner.run(lambda: made.dataflow.discard(blames_tasks=not cancelled))

    def next_due(self) -> Timestamp | None:
        if self._made is not None:
            return self._made.dataflow.next_due()
        if self._state.kept is None:
            return None
        arrangements = [self._state.arrangements[name] for name in self._delayed]
        times = [next_due(each, self._state.kept[0]) for each in arrangements]
        return min((Timestamp(time) for time in times if time is not None), default=None)

    def take(self, name: str, arrangement: Arrangement) -> Arrangement:
        return self._state.take(name, arrangement)

    def drop(self, names: Iterable[str]) -> None:
        self._state.drop(names)

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        return await self._state.checkpoint(upper, sinces)

    async def close(self) -> None:
        for task in (self._making, self._merging):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        if self._made is not None:
            await self._places.runner.run(self._made.dataflow.close)

    async def delete(self) -> None:
        await self.close()
        await self._state.delete()


class SparkMaintenance:
    """State lies in `states`, notes of planning below `root`; `scratch` is a directory that Spark's executors see
    too."""

    def __init__(self, places: Places, root: Path, states: States, scratch: Path) -> None:
        self._places = places
        self._root = root
        self._states = states
        self._scratch = scratch
        self._reader = ImportReader(places, PartFiles(places.blob, scratch / "parts"), scratch / "changes")
        self._together: Together | None = None
        self._merging = asyncio.Semaphore(1)
        self._ready_ns = 0
        self._worker: asyncio.Future[SparkWorker] = asyncio.get_running_loop().create_future()

    def worker_ready(self, worker: SparkWorker) -> None:
        """Lets waiting dataflows go on, now that Spark is up."""
        self._ready_ns = self._places.clock.elapsed_ns()
        self._worker.set_result(worker)

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Maintained:
        """Opens a dataflow. State that needs no Spark is opened before Spark is up, so that kept contents can be
        read at once."""
        runner = self._places.runner
        if computes_nothing(computation):
            state = await open_kept(self._states, shelf, {}, runner)
            return Direct(description, computation, state, self._places)
        plan = plan_maintenance(computation.objects, computation.outputs)
        shelf = replace(shelf, carried_out=name_of(plan))
        note = DataflowNote(self._root, description, "stuck")
        times = await runner.run(note.read)
        subject = f"dataflow of {', '.join(map(str, description.export_ids))}"

        def piece() -> SparkWork:
            return SparkWork(f"dataflow-{number}", subject, blamed=note.once_more, patience=2.0**times)

        make = partial(self._make, description, plan, note, piece)
        found = await open_found(self._states, shelf, runner)
        made = None
        if found is None:
            made = await make()
            found = await open_kept(self._states, shelf, made.dataflow.layouts, runner)
        delayed = delayed_names(plan)
        return OnSpark(piece, description, computation, make, made, found, delayed, note, self._places, self._reader)

    async def _make(
        self,
        description: DataflowDescription,
        plan: MaintenancePlan,
        note: DataflowNote,
        piece: Callable[[], SparkWork],
    ) -> _Made:
        """Plans the dataflow once Spark is up, and returns its computation. Raises SqlError when the dataflow can't be
        planned."""
        worker = await asyncio.shield(self._worker)
        self._check_patience(note)
        imports = {item.id: item.desc for item in description.imports}

        def make(_session: SparkSession, _stop: threading.Event) -> Dataflow:
            trust = TaskTrust(DataflowNote(self._root, description, "tasks"))
            dataflow = Dataflow(plan, imports, worker.sessions, self._scratch, partial(_wide_steps, worker), trust)
            dataflow.prepare()
            return dataflow

        try:
            dataflow = await worker.run(piece(), Profile.SMALL, make, for_dataflow=True)
        except SqlError:
            raise
        except Exception as error:
            raise await _told(error, worker) from error
        return _Made(dataflow, worker, self._round(worker), self._merging)

    def _check_patience(self, note: DataflowNote) -> None:
        """Raises PlanningTooLong while dataflows that never ended a JVM go first."""
        if not note.read():
            return
        waited_s = (self._places.clock.elapsed_ns() - self._ready_ns) / 1e9
        due_s = min(_AGAIN_S * 2.0 ** (note.read() - 1), _AGAIN_MAX_S)
        if waited_s < due_s:
            raise PlanningTooLong(
                LIMITS.own_s * 2.0 ** (note.read() - 1), f"It is tried again in {due_s - waited_s:.0f} s."
            )

    def _round(self, worker: SparkWorker) -> Together:
        if self._together is None:
            self._together = Together(worker, self._scratch / "together")
        return self._together

    async def retain(self, descriptions: tuple[DataflowDescription, ...]) -> None:
        await self._places.runner.run(lambda: LocalStates(self._root).retain(descriptions))
        if not isinstance(self._states, LocalStates):
            await self._places.runner.run(lambda: self._states.retain(descriptions))


def _wide_steps(worker: SparkWorker, queries: Queries) -> WideSteps | None:
    """Returns where wide steps run: nowhere, where no two tasks run at once."""
    if worker.wide_tasks_max == 1:
        return None
    pool = SparkPool(worker.sessions, queries, lambda: worker.wide_tasks_max)
    return WideSteps(pool, lambda: worker.partitions)


async def _told(error: Exception, worker: SparkWorker) -> SqlError:
    """Returns the error in PostgreSQL's fields. Never returns after the end of Java: this process is about to end,
    and the dataflow goes on in another."""
    if await worker.lost(error):
        await asyncio.Event().wait()
    failure = failure_of(error, {})
    return SqlError(Sqlstate(failure.sqlstate), failure.message, detail=failure.detail)


def _seen(task: asyncio.Task[None]) -> None:
    """Marks the task's exception as seen; callers of `prepared` get the exception again."""
    if not task.cancelled():
        task.exception()
