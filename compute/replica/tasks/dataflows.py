"""All dataflows of a replica, by number; carries out the state machine's instructions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, assert_never
from weakref import WeakValueDictionary

import structlog

from compute.neighbours.matrices import usual_matrices
from compute.protocol.dataflow import Installed
from compute.protocol.response import DataflowReport, SubscribeBatch
from compute.replica.dataflows.advances import Advances
from compute.replica.dataflows.checkpoints import Pace
from compute.replica.dataflows.exports.index_sink import IndexDropped, IndexSink
from compute.replica.dataflows.maintained import DataflowMaintenance
from compute.replica.dataflows.members import DataflowMember
from compute.replica.dataflows.opening import Surroundings
from compute.replica.dataflows.repairs import Repairs
from compute.replica.dataflows.runner import DataflowRunner
from compute.replica.dataflows.sharing import Sharers
from compute.replica.dataflows.shelf import alone_name, computed_name, is_followed, is_shared
from compute.replica.dataflows.turns import TickTurns
from compute.replica.ingestions.ingestion import IngestionRunner
from compute.replica.ingestions.opened_reader import OpenUpstream
from compute.replica.ingestions.ranges.ahead import Ranging
from compute.replica.running.joined_bindings import JoinedBindings
from compute.replica.running.places import Places
from compute.replica.running.secret_values import SecretValues
from compute.replica.running.shard_commits import ShardCommits
from compute.replica.running.watch import Watch
from compute.replica.sinks.driver_thread import driver_in_thread
from compute.replica.sinks.sink_runner import OpenDriver, SinkRunner
from compute.replica.tasks.events import (
    AllowBatches,
    BatchProduced,
    BeginAnew,
    CompactExport,
    DataflowInstruction,
    Event,
    Hurry,
    KeepSecrets,
    MoveTimeline,
    Reported,
    Retain,
    SetWritable,
    StartDataflow,
    StopDataflow,
)
from connectors.postgres.source.copies import retain_copies
from connectors.sinks.description import SinkDescription
from connectors.sources.description import IngestionDescription
from connectors.systems import open_upstream as open_place
from model.ids.global_id import GlobalId
from model.time.backing_off import kept_going

log = structlog.get_logger()


class Dataflows:
    """All dataflows of a replica: `start` first, `stop` last. `on` takes the dataflows' reports."""

    def __init__(
        self,
        places: Places,
        timeline_key: str,
        maintenance: DataflowMaintenance,
        on: Callable[[Event], None],
        open_upstream: OpenUpstream | None = None,
        open_driver: OpenDriver = driver_in_thread,
        *,
        ranging: Ranging,
    ) -> None:
        self.places = places
        self.matrices = usual_matrices()
        self._watch = Watch(places.consensus, timeline_key, places.clock)
        self._advances = Advances(places)
        self._commits = ShardCommits(places)
        self._bindings = JoinedBindings(places)
        self._around = Surroundings(
            places,
            self._watch,
            self._advances,
            self._commits,
            maintenance,
            Pace(),
            TickTurns(),
            Repairs(places.clock),
        )
        self._on = on
        self._open_upstream = open_upstream or partial(open_place, copies=places.copies)
        self._open_driver = open_driver
        self._ranging = ranging
        self._secrets = SecretValues()
        self._runners: dict[int, DataflowRunner | IngestionRunner | SinkRunner] = {}
        self._by_export: dict[GlobalId, DataflowRunner | IngestionRunner | SinkRunner] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._committing: list[asyncio.Task[None]] = []
        self._clearing: dict[asyncio.Task[None], str | None] = {}
        self._ending: dict[GlobalId, asyncio.Task[None]] = {}
        self._sharers: WeakValueDictionary[str, Sharers[DataflowRunner]] = WeakValueDictionary()

    def start(self) -> None:
        self._tasks = [self._keep_going(self._watch.run, "watch"), self._keep_going(self._advances.run, "advances")]
        self._committing = [
            self._keep_going(self._commits.run, "commits"),
            self._keep_going(self._bindings.run, "bindings"),
        ]

    def _keep_going(self, work: Callable[[], Awaitable[None]], name: str) -> asyncio.Task[None]:
        def told(error: Exception | None) -> None:
            log.error("a task of the dataflows ended", task=name, exc_info=error)

        return asyncio.create_task(kept_going(work, self.places.clock, told), name=name)

    async def stop(self) -> None:
        """Ends all dataflows; their state is kept for the next process."""
        ending = list(self._ending.values())
        for task in [*self._tasks, *self._clearing, *ending]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._clearing, *ending, return_exceptions=True)
        await asyncio.gather(*(runner.stop(delete=False) for runner in set(self._runners.values())))
        self._runners.clear()
        # Last: a dataflow that is writing ends with the outcome.
        for task in self._committing:
            task.cancel()
        await asyncio.gather(*self._committing, return_exceptions=True)

    def kill(self) -> None:
        """Cancels everything, like kill -9: no dataflow runs on, and none reports."""
        self._on = _ignore
        for task in [*self._tasks, *self._committing, *self._clearing, *self._ending.values()]:
            task.cancel()
        for runner in set(self._runners.values()):
            runner.kill()

    async def index(self, id_: GlobalId) -> IndexSink:
        """Returns the index once open. Raises SqlError without such an index."""
        runner = self._by_export.get(id_)
        if not isinstance(runner, DataflowRunner):
            raise IndexDropped(id_)
        return await runner.index(id_)

    def carry_out(self, instruction: DataflowInstruction) -> None:
        match instruction:
            case StartDataflow(number, description):
                self._start(number, description)
            case StopDataflow(number):
                self._stop(number)
            case CompactExport(number, id_, since):
                self._runners[number].compact(id_, since)
            case SetWritable(number, writable):
                writing = self._runners[number]
                if isinstance(writing, DataflowRunner):
                    writing.set_writable(number, writable)
                else:
                    writing.set_writable(writable)
            case AllowBatches(number, id_, batches, told):
                subscribed = self._runners.get(number)
                if isinstance(subscribed, DataflowRunner):
                    subscribed.allow_batches(id_, batches, told)
            case Hurry(number, id_, time):
                if number in self._runners:
                    self._runners[number].hurry(id_, time)
            case BeginAnew(number):
                computing = self._runners.get(number)
                if isinstance(computing, DataflowRunner):
                    computing.begin_anew()
            case MoveTimeline(upper):
                self._watch.hint(upper)
            case KeepSecrets(values):
                self._secrets.tell(dict(values))
            case Retain(descriptions):
                self._clear(self._forget_copies())
                self._clear(self._around.maintenance.retain(descriptions))
            case _:
                assert_never(instruction)

    def _start(self, number: int, description: Installed) -> None:
        def report(response: DataflowReport) -> None:
            self._on(Reported(number, response))

        def emit(batch: SubscribeBatch, payload: bytes) -> None:
            self._on(BatchProduced(number, batch, payload))

        runner: DataflowRunner | IngestionRunner | SinkRunner
        if isinstance(description, SinkDescription):
            own = (self._watch, self._bindings, self._secrets, self._open_driver)
            runner = SinkRunner(number, description, self.places, *own, report)
        elif isinstance(description, IngestionDescription):
            runner = IngestionRunner(
                number,
                description,
                self.places,
                self._watch,
                self._bindings,
                self._secrets,
                self._open_upstream,
                self._ranging,
                report,
            )
        else:
            self._start_computing(DataflowMember(number, description, report, emit))
            return
        self._runners[number] = runner
        self._by_export |= dict.fromkeys(description.export_ids, runner)
        runner.start()

    def _start_computing(self, member: DataflowMember, *, parted: bool = False) -> None:
        """Starts a dataflow. A dataflow joins another of equal computation whose kept state is not yet known, unless
        it has `parted` from the others."""
        name = computed_name(member.description)
        shares = is_shared(member.description)
        sharers = self._sharers.setdefault(name, Sharers(self._joined)) if shares else Sharers(self._joined)
        forming = next((each for each in sharers.members if each.forming), None) if not parted else None
        if forming is not None:
            forming.found(member)
            self._lead(member, forming)
            return
        shared = shares and not parted and not any(each.shared for each in sharers.members)
        (export, *_) = member.description.export_ids
        apart = (shares and not shared) or is_followed(member.description)
        shelf = alone_name(name, export) if apart else name
        # One that is still being deleted may have had the same place. Others may take long, and it is not theirs.
        same_place = (task for task, computed in self._clearing.items() if computed in (None, name))
        after = (*same_place, *([self._ending[export]] if export in self._ending else []))
        runner = DataflowRunner(member, shelf, self._around, after, sharers, self._part, shared=shared)
        sharers.members.append(runner)
        self._lead(member, runner)
        runner.start()

    def _lead(self, member: DataflowMember, runner: DataflowRunner) -> None:
        self._runners[member.number] = runner
        self._by_export |= dict.fromkeys(member.description.export_ids, runner)

    def _part(self, member: DataflowMember) -> None:
        self._start_computing(member, parted=True)

    def _joined(self, goes_on: DataflowRunner, ends: DataflowRunner) -> None:
        self._runners = {number: goes_on if each is ends else each for number, each in self._runners.items()}
        self._by_export = {id_: goes_on if each is ends else each for id_, each in self._by_export.items()}
        task = asyncio.create_task(ends.end_taken())
        for id_ in ends.members.exports:
            self._ending[id_] = task
        task.add_done_callback(self._ended)

    def _stop(self, number: int) -> None:
        runner = self._runners.pop(number)
        if isinstance(runner, DataflowRunner) and runner.leave(number):
            kept = runner.members.exports
            self._by_export = {id_: each for id_, each in self._by_export.items() if each is not runner or id_ in kept}
            return
        self._by_export = {id_: each for id_, each in self._by_export.items() if each is not runner}
        self._clear(self._stopped(runner), runner.computed if isinstance(runner, DataflowRunner) else "")

    async def _stopped(self, runner: DataflowRunner | IngestionRunner | SinkRunner) -> None:
        await runner.stop(delete=True)
        if isinstance(runner, IngestionRunner) and runner.slot is not None:
            # One that has made way for another leaves its copies to that.
            await self._forget_copies()

    async def _forget_copies(self) -> None:
        """Deletes copies made for sources that no longer exist."""
        slots = {each.slot for each in self._runners.values() if isinstance(each, IngestionRunner) and each.slot}
        await self.places.runner.run(partial(retain_copies, self.places.copies, slots))

    def _clear(self, work: Coroutine[Any, Any, None], computed: str | None = None) -> None:
        """Runs a clean-up. `computed` names the dataflows whose state is deleted; None: any."""
        task = asyncio.create_task(work)
        self._clearing[task] = computed
        task.add_done_callback(self._cleared)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._ending = {id_: each for id_, each in self._ending.items() if each is not task}
        self._tell_defect(task)

    def _cleared(self, task: asyncio.Task[None]) -> None:
        self._clearing.pop(task, None)
        self._tell_defect(task)

    def _tell_defect(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("what was dropped could not be cleared away", exc_info=error)


def _ignore(_event: Event) -> None:
    return
