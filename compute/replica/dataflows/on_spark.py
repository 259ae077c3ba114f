"""Dataflows that Spark and the kernels compute, over arrangements that are kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from pyspark.sql import SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import CheckpointSize
from compute.maintain.dataflow import Dataflow
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import profile_for
from compute.maintain.ticking import Ticking
from compute.protocol.dataflow import DataflowDescription
from compute.replica.dataflows.direct import Direct
from compute.replica.dataflows.kept import KeptState, give_up, has_given_up, open_kept, retain_only
from compute.replica.dataflows.maintained import Company, Input, Kept, Maintained, Outputs, TickRows
from compute.replica.dataflows.outputs import Computation, computes_nothing
from compute.replica.dataflows.places import Places
from compute.replica.dataflows.shelf import Shelf
from compute.replica.dataflows.spark_changes import ImportChange, ImportReader
from compute.replica.dataflows.together import Member, Together
from compute.replica.failures import failure_of
from compute.replica.parts import PartFiles
from compute.replica.worker import PlanningTooLong, SparkWorker
from compute.spark.session import Profile
from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate
from model.timestamp import Timestamp

_TOGETHER_ROWS_MAX = 2_000
"""A tick over more changes goes by itself."""


class OnSpark:
    """`name` tells its jobs apart."""

    def __init__(
        self,
        name: str,
        description: DataflowDescription,
        computation: Computation,
        dataflow: Dataflow,
        state: KeptState,
        worker: SparkWorker,
        together: Together,
        places: Places,
        reader: ImportReader,
    ) -> None:
        self._name = name
        self._imports = {item.id: item for item in description.imports}
        self._computation = computation
        self._dataflow = dataflow
        self._state = state
        self._worker = worker
        self._places = places
        self._together = together
        self._reader = reader
        self._hydrated = state.kept is not None
        self._slow = False
        self._query = 0
        self._under_way = 0
        upper = None if state.kept is None else state.kept[0]
        dataflow.begin({each: state.arrangements[each] for each in dataflow.layouts}, upper=upper)

    @property
    def kept(self) -> Kept | None:
        return self._state.kept

    @property
    def consolidates(self) -> bool:
        return True

    @property
    def company(self) -> Company:
        return Company.TOGETHER if self._small else Company.ALONE

    @property
    def _small(self) -> bool:
        return self._dataflow.asks_only and not self._slow

    @property
    def arrangements(self) -> Mapping[str, Arrangement]:
        return self._state.arrangements

    async def tick(
        self, inputs: Mapping[GlobalId, Input], lower: Timestamp, upper: Timestamp, outputs: Outputs
    ) -> TickRows:
        if self._state.given_up:
            raise PlanningTooLong
        changes = {id_: await self._reader.read(self._imports[id_], input_) for id_, input_ in inputs.items()}
        size = sum(each.change.rows for each in changes.values())
        profile = profile_for(size)
        member = Member(
            lambda: self._dataflow.begin_tick({id_: each.change for id_, each in changes.items()}, lower, upper),
            lambda ticking: self._taken(ticking, changes, outputs, self._worker.sessions[profile]),
        )
        here = all(each.change.table is not None for each in changes.values())
        small = self._small and self._hydrated and here and size <= _TOGETHER_ROWS_MAX
        try:
            rows = await self._together.go(member) if small else None
            if rows is None:
                rows = await self._worker.run(
                    self._name, profile, lambda *_: member.end(), for_dataflow=True, gave_up=self._state.give_up
                )
            self._slow = member.slow
            return rows
        except SqlError:
            raise
        except Exception as error:
            if await self._worker.lost():
                # The process ends in a moment, and the dataflow goes on in another.
                await asyncio.Event().wait()
            failure = failure_of(error, {})
            raise SqlError(Sqlstate(failure.sqlstate), failure.message, detail=failure.detail) from error

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
        for output, errors in result.errors.items():
            outputs.take_errors(output, errors)
        for id_, each in changes.items():
            if each.errors is not None:
                errors = each.errors(session)
                for output, imports in self._computation.imports_of.items():
                    if id_ in imports:
                        outputs.take_errors(output, errors)
        return TickRows(result.rows_read, result.rows_written)

    async def share_read(self) -> float:
        reading = self._dataflow.reading
        if reading.query != self._query:
            self._query, self._under_way = reading.query, 0
        rows = await self._places.runner.run(lambda: self._worker.records_read(self._name))
        # What its stages have read that have ended is not told any more.
        self._under_way = max(self._under_way, rows)
        return reading.share(self._under_way)

    async def seal(self) -> None:
        await self._places.runner.run(self._dataflow.seal)
        self._hydrated = True

    def discard(self) -> None:
        self._dataflow.discard()

    def next_due(self) -> Timestamp | None:
        return self._dataflow.next_due()

    def take(self, name: str, arrangement: Arrangement) -> Arrangement:
        return self._state.take(name, arrangement)

    def drop(self, names: Iterable[str]) -> None:
        self._state.drop(names)

    async def checkpoint(self, upper: Timestamp, sinces: Mapping[str, Timestamp]) -> CheckpointSize:
        return await self._state.checkpoint(upper, sinces)

    async def close(self) -> None:
        await self._places.runner.run(self._dataflow.close)

    async def delete(self) -> None:
        await self.close()
        await self._state.delete()


class SparkMaintenance:
    """State lies below `root`; `scratch` is a directory that Spark's executors see too."""

    def __init__(self, places: Places, root: Path, scratch: Path) -> None:
        self._places = places
        self._root = root
        self._scratch = scratch
        self._reader = ImportReader(places, PartFiles(places.blob, scratch / "parts"))
        self._together: Together | None = None
        self._worker: asyncio.Future[SparkWorker] = asyncio.get_running_loop().create_future()

    def worker_ready(self, worker: SparkWorker) -> None:
        """Spark is up: what waited for it goes on."""
        self._worker.set_result(worker)

    async def open(
        self, number: int, description: DataflowDescription, computation: Computation, shelf: Shelf
    ) -> Maintained:
        """What needs no Spark does not wait for it."""
        runner = self._places.runner
        if computes_nothing(computation):
            state = await open_kept(self._root, shelf, {}, runner)
            return Direct(description, computation, state, self._places)
        if await runner.run(lambda: has_given_up(self._root, description)):
            raise PlanningTooLong
        plan = plan_maintenance(computation.objects, computation.outputs)
        worker = await asyncio.shield(self._worker)
        name = f"dataflow-{number}"
        imports = {item.id: item.desc for item in description.imports}

        def make(_session: SparkSession, _stop: threading.Event) -> Dataflow:
            dataflow = Dataflow(plan, imports, worker.sessions, self._scratch)
            dataflow.prepare()
            return dataflow

        def gave_up() -> None:
            give_up(self._root, description)

        dataflow = await worker.run(name, Profile.SMALL, make, for_dataflow=True, gave_up=gave_up)
        state = await open_kept(self._root, shelf, dataflow.layouts, runner)
        together = self._round(worker)
        return OnSpark(name, description, computation, dataflow, state, worker, together, self._places, self._reader)

    def _round(self, worker: SparkWorker) -> Together:
        if self._together is None:
            self._together = Together(worker, self._scratch / "together")
        return self._together

    async def retain(self, descriptions: tuple[DataflowDescription, ...]) -> None:
        await self._places.runner.run(lambda: retain_only(self._root, descriptions))
