"""Runs one dataflow: opens or begins it, ticks when inputs have moved, makes checkpoints, retries after failures.

    open ─▶ kept state? ──yes──────────────────────────▶ tick [upper, inputs' upper) … ─▶ until: finished
                 └──no──▶ tick of the contents at as_of ──┘

A tick is all or nothing: the shard's append comes before anything is sealed, and a repeated tick leaves out updates
already in the shard. When no input changed, frontiers move and nothing runs.

A runner may have several members, with equal computations (see `sharing`). They tick, fail and are checkpointed as one;
each has its own since, and comes and goes alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

import structlog

from compute.protocol.response import DataflowMeasures, DataflowPhase, Frontiers
from compute.replica.dataflows.attention import Attention
from compute.replica.dataflows.exports.index_sink import IndexDropped, IndexSink
from compute.replica.dataflows.exports.shard_sink import ShardSink
from compute.replica.dataflows.exports.subscribe_sink import SubscribeSink
from compute.replica.dataflows.former_places import FormerPlaces
from compute.replica.dataflows.maintained import Input, TickRows
from compute.replica.dataflows.members import DataflowMember, DataflowMembers
from compute.replica.dataflows.opening import OpenedDataflow, Surroundings, open_dataflow
from compute.replica.dataflows.sharing import PATIENCE_S, Sharers
from compute.replica.dataflows.shelf import computed_name
from compute.replica.dataflows.tick_inputs import changed_inputs, counted_inputs
from compute.replica.dataflows.turns import Turn
from compute.replica.running.reporter import Reporter
from compute.replica.running.shard_writer import FencedOut, RetractionNotHeld, ShardGone, WriteRefused
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.backing_off import BackOff, kept_going
from model.time.timestamp import TIMESTAMP_MAX, Timestamp, step_forward
from model.time.uninterrupted import finish_uninterrupted

log = structlog.get_logger()

_BACK_OFF = BackOff(0.1, 10.0)
_PROGRESS_S = 1.0

Work = tuple[Mapping[GlobalId, Input], Antichain]
"""The inputs of a tick, and where it ends."""


class DataflowRunner:
    """The runner of a dataflow: `start` first, `stop` at the end. It waits for the tasks in `after` before starting.

    `sharers`: the runners with equal computations.
    `shared`: whether the state lies in the common directory of the sharers.
    `part`: begins a runner for a member without kept state here.
    """

    def __init__(
        self,
        member: DataflowMember,
        shelf_name: str,
        around: Surroundings,
        after: tuple[asyncio.Task[None], ...],
        sharers: Sharers[DataflowRunner],
        part: Callable[[DataflowMember], None],
        *,
        shared: bool,
    ) -> None:
        self._number = member.number
        self._description = member.description
        self.members = DataflowMembers([member])
        self._shelf_name = shelf_name
        self._around = around
        self._after = after
        self._sharers = sharers
        self._part = part
        self._emit = member.emit
        self._reporter = Reporter(member.description.export_ids, self.members.report, self._measures)
        self._attention = Attention(around.watch, self._reporter)
        self.shared = shared
        self.forming = shared
        self._resting = False
        self._heading: Antichain | None = None
        self._durable_of: dict[GlobalId, Antichain] = {}
        self._former = FormerPlaces()
        self._to_be_deleted: asyncio.Future[bool] | None = None
        self._wake = asyncio.Event()
        self._opened: OpenedDataflow | None = None
        self._open_event = asyncio.Event()
        self._upper = member.description.as_of
        self._total = 0
        self._reading: dict[str, int] | None = None
        self._versions_told: dict[str, int] = {}
        self._finished = False
        self._stopped = False
        self._failures = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def computed(self) -> str:
        """Returns the name of the computation."""
        return computed_name(self._description)

    # Instructions

    def start(self) -> None:
        self._observe()
        work = kept_going(self._run, self._around.places.clock, self._log_defect)
        self._task = asyncio.create_task(work, name=f"dataflow {self._number}")

    def _observe(self) -> None:
        """Registers with the watch, by the number of a present member: a parted member is another observer."""
        reads = (item.shard for item in self._description.imports)
        self._around.watch.unobserve(self._number)
        if self.members and all(member.number != self._number for member in self.members):
            self._number = self.members[0].number
        self._around.watch.observe(self._number, self._told, reads, self.members.written_shards())

    def _told(self) -> None:
        self._wake.set()
        if self._opened is not None and self._attention.awaited(self._number, self._opened):
            self._around.turns.hurry(self)

    async def stop(self, *, delete: bool) -> None:
        """Ends the runner; its state is kept, or deleted."""
        self._stopped = True
        if delete:
            self._former.delete()
        self._sharers.leave(self)
        self._open_event.set()
        self._around.watch.unobserve(self._number)
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._reporter.end()
        opened, self._opened = self._opened, None
        if opened is None:
            return
        extent = opened.extent(self._upper)
        if not delete and extent is not None:
            await opened.checkpoints.last(*extent)
        await opened.close(delete=delete, dropped=delete)

    def kill(self) -> None:
        """Ends the runner at once."""
        self._around.watch.unobserve(self._number)
        self._reporter.end()
        if self._task is not None:
            self._task.cancel()

    def found(self, member: DataflowMember) -> None:
        """Adds a member before the kept state is known."""
        assert self.forming
        self.members.append(member)
        self._reporter.add(member.description.export_ids)
        self._observe()

    def leave(self, number: int) -> bool:
        """Removes a member. False for the only member, which stays."""
        if len(self.members) == 1:
            return False
        for member in [each for each in self.members if each.number == number]:
            self._let_go(member)
            self._former.delete([number])
            if self._opened is not None:
                for id_ in member.since:
                    self._opened.drop(id_)
                self._opened.checkpoints.hasten()
        self._open_event.set()
        self._wake.set()
        return True

    def _let_go(self, member: DataflowMember) -> None:
        self.members.remove(member)
        for id_ in member.since:
            self._reporter.drop(id_)
            self._durable_of.pop(id_, None)
        self._observe()

    def compact(self, id_: GlobalId, since: Antichain) -> None:
        """Times of the export before `since` need not be told apart; the empty frontier: it is not wanted."""
        self.members.compact(id_, since)
        self._open_event.set()
        if self._opened is not None:
            self._compact(self._opened, id_)
            self._report()

    def set_writable(self, number: int, writable: bool) -> None:
        self.members.set_writable(number, writable)
        self._wake.set()

    def allow_batches(self, id_: GlobalId, batches: int) -> None:
        if self._opened is not None:
            sink = self._opened.exports.of(SubscribeSink).get(id_)
            if sink is not None:
                sink.allow(batches)

    def begin_anew(self) -> None:
        """Somebody doubts the state: it is made anew from the inputs, after the tick under way."""
        if self._opened is not None:
            self._opened.doubted = True
        self._wake.set()

    def hurry(self, id_: GlobalId, time: Timestamp) -> None:
        """Someone waits until the export is complete at `time`."""
        self._reporter.expect(id_, time)
        self._attention.note_reader()
        self._wake.set()
        if self._attention.soon(time):
            self._around.turns.hurry(self)
        self._hurry_shards()

    async def index(self, id_: GlobalId) -> IndexSink:
        """The index, once the dataflow is open. It may be replaced later: see IndexReplaced."""
        while True:
            if self._stopped or self.members.since(id_).empty:
                raise IndexDropped(id_)
            if self._opened is not None:
                return self._opened.exports.of(IndexSink)[id_]
            self._open_event.clear()
            await self._open_event.wait()

    # Running

    async def _run(self) -> None:
        if self._after:
            await asyncio.wait(self._after)
        while True:
            try:
                await self._run_ticks()
            except FencedOut as fenced:
                self._reporter.status(DataflowPhase.RUNNING, message="waits for the newest environment")
                await self._around.places.fencing.changed(fenced.preconditions)
            except ShardGone:
                await self._lose_shards()
            except WriteRefused as refused:
                log.info("write refused", dataflow=self._number, reason=str(refused))
                await self._back_off()
            except Exception as error:  # noqa: BLE001  (it is reported, and tried again)
                await self._failed(error)
            if self._finished:
                await asyncio.get_running_loop().create_future()

    def _log_defect(self, error: Exception | None) -> None:
        log.error("a dataflow's task ended", dataflow=self._number, exc_info=error)

    async def _lose_shards(self) -> None:
        """Ends the exports whose shards were dropped, and the runner without any other."""
        message = "its shard was dropped"
        shards = {} if self._opened is None else self._opened.exports.of(ShardSink)
        gone = [id_ for id_, sink in shards.items() if sink.writer.machine.state.dropped]
        if self._opened is not None and not gone:
            # It was dropped while its shard was written: those that stay go on.
            await self._back_off()
        elif self._opened is None or len(gone) == len(self._opened.exports.sinks()):
            self._reporter.status(DataflowPhase.FINISHED, message=message)
            self._finished = True
        else:
            for id_ in gone:
                self._opened.exports.remove(id_)
                self._reporter.finished(id_, message)

    async def _failed(self, error: Exception) -> None:
        message = error.message if isinstance(error, SqlError) else f"{type(error).__name__}: {error}"
        detail = error.detail if isinstance(error, SqlError) else None
        log.warning("dataflow failed", dataflow=self._number, error=message, detail=detail, retries=self._failures + 1)
        self._reporter.status(DataflowPhase.FAILING, message=message, retries=self._failures + 1)
        await self._back_off()

    async def _back_off(self) -> None:
        self._failures += 1
        await _BACK_OFF.wait(self._around.places.clock, self._failures)

    async def _run_ticks(self) -> None:
        """Ticks until the dataflow is finished, or something fails."""
        while self._opened is None:
            await self._open()
        opened = self._opened
        while not self._finished:
            await self._wait_for_work(opened)
            if opened.distrusted:
                return await self._reset(opened)
            if not opened.hydrated:
                await self._hydrate(opened)
                worked = True
            else:
                worked = await self._advance(opened)
            self._failures = 0
            if self._description.until.precedes(self._upper):
                await self._finish(opened)
            self._report(at_once=worked or self._finished)
            self._checkpoint(opened)

    async def _open(self) -> None:
        descriptions = [member.description for member in self.members]
        own = self._number, descriptions, self._shelf_name, self._around
        try:
            opened, taken = await open_dataflow(*own, self._advanced, self._kept, self._emit)
        except SqlError as error:
            if error.sqlstate == Sqlstate.UNDEFINED_OBJECT:
                # One of them lacks its shard: the others are not to fail for that.
                self._part_from(self.members[1:])
            raise
        if not any(member.description is one for member in self.members for one in taken):
            # Those whose state it is were dropped meanwhile, and others have come.
            await opened.close(delete=True, dropped=True)
            return
        self._opened = opened
        self._upper = Antichain(opened.begin)
        for id_ in [id_ for id_ in opened.exports.sinks() if id_ not in self.members.exports]:
            opened.drop(id_)
        self._part_from([each for each in self.members if not any(each.description is one for one in taken)])
        self.forming = False
        for id_ in list(opened.exports.sinks()):
            self._compact(opened, id_)
        self._open_event.set()
        self._report()
        self._reporter.measure_soon()

    def _part_from(self, members: Iterable[DataflowMember]) -> None:
        """Lets members go on alone."""
        for member in list(members):
            self._let_go(member)
            self._former.leave([member.number])
            self._part(member)

    def _target(self, opened: OpenedDataflow) -> Antichain:
        """Up to where a tick would go now."""
        return opened.input_upper().meet(self._description.until).meet(self._sharers.bound(self))

    async def _wait_for_work(self, opened: OpenedDataflow) -> None:
        while True:
            self._wake.clear()
            self._attention.tell(self._number, opened)
            if not self._sharers.meet(self):
                # Its task is about to be cancelled.
                await asyncio.get_running_loop().create_future()
            target = self._target(opened)
            behind = self.members.writable and self._upper.precedes(target) and self._upper != target
            if opened.distrusted or (behind and not self._sharers.waits(self)):
                return
            self._checkpoint(opened)
            self._sharers.call(self)
            await self._rest(PATIENCE_S if behind else opened.checkpoints.wait_s or None)

    async def _rest(self, seconds: float | None) -> None:
        self._resting = True
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            pass
        finally:
            self._resting = False

    async def _hydrate(self, opened: OpenedDataflow) -> None:
        """The tick of the contents at as_of."""
        as_of = opened.begin
        self._reading = opened.versions()
        inputs, total = opened.contents()
        self._reporter.status(DataflowPhase.HYDRATING, rows_total=total)
        watching = asyncio.create_task(self._tell_progress(opened, total))
        try:
            awaited = self._attention.awaited(self._number, opened)
            turn = self._around.turns.hydration(self, awaited=awaited)
            await self._tick(opened, turn, as_of, lambda: (inputs, Antichain(step_forward(as_of))))
        finally:
            watching.cancel()
            # Whatever hindered it from telling: the tick itself says what is wrong.
            await asyncio.gather(watching, return_exceptions=True)
        opened.hydrated = True
        self._total = total
        self._running()

    async def _tell_progress(self, opened: OpenedDataflow, total: int) -> None:
        while True:
            await self._around.places.clock.sleep(_PROGRESS_S)
            if opened.maintained.stuck:
                self._around.turns.forgo(self)
            rows = int(total * await opened.maintained.share_read())
            self._reporter.status(DataflowPhase.HYDRATING, rows=rows, rows_total=total)

    async def _advance(self, opened: OpenedDataflow) -> bool:
        """Ticks over all changes; returns whether there were any."""
        lower, target = self._upper.time, self._target(opened)
        assert lower is not None
        self._heading = target
        worked = bool(changed_inputs(opened, lower, target)) or opened.is_due(target) or not opened.settled
        if worked:
            await opened.maintained.prepared()

            def work() -> Work:
                # What has come while it waited for its turn is seen as much sooner.
                target = self._heading = self._target(opened)
                self._reading = opened.versions()
                return changed_inputs(opened, lower, target), target

            turn = self._around.turns.turn(
                opened.maintained.company, self, awaited=self._attention.awaited(self._number, opened)
            )
            await self._tick(opened, turn, lower, work)
        else:
            opened.exports.advance(target)
            self._upper = target
            self._heading = None
            if opened.versions() != self._versions_told:
                self._reporter.measure_soon()
        self._running()
        self._hurry_shards()
        return worked

    def _running(self) -> None:
        self._reporter.status(DataflowPhase.RUNNING, rows=self._total, rows_total=self._total)

    async def _tick(self, opened: OpenedDataflow, turn: Turn, lower: Timestamp, work: Callable[[], Work]) -> None:
        """Ticks over the inputs that `work` returns when the turn has come. While delivery waits for a slow reader,
        the next dataflow gets its turn."""
        exports, maintained = opened.exports, opened.maintained
        try:
            async with turn:
                await exports.look()
                inputs, upper = work()
                inputs = await counted_inputs(opened, inputs)
                begun_s = asyncio.get_running_loop().time()
                exports.begin(lower, upper)
                before = TIMESTAMP_MAX if upper.time is None else upper.time
                rows = await maintained.tick(inputs, lower, before, exports)
                await exports.commit(lambda: self._around.turns.forgo(self))
        except BaseException as error:
            exports.discard()
            maintained.discard()
            if isinstance(error, Exception):
                await self._recover(opened, error)
            raise
        finally:
            self._reading = None
            self._heading = None
        await finish_uninterrupted(self._seal(opened, upper))
        elapsed_ms = (asyncio.get_running_loop().time() - begun_s) * 1000
        rows = TickRows(rows.read, rows.written + exports.rows, rows.steps)
        opened.ticks.note(elapsed_ms, rows, self._around.places.clock.now_ms())
        self._reporter.measure_soon()
        try:
            await exports.deliver()
        except Exception:
            # What was to be delivered is nowhere else: only from the beginning can it be told again.
            await self._reset(opened)
            raise

    async def _seal(self, opened: OpenedDataflow, upper: Antichain) -> None:
        await opened.maintained.seal()
        await opened.exports.seal()
        self._upper = upper
        opened.checkpoints.note(opened.exports.rows)

    async def _recover(self, opened: OpenedDataflow, error: Exception) -> None:
        """Refreshes states after a failure, so that the next attempt begins from present facts."""
        for sink in opened.exports.of(ShardSink).values():
            await sink.writer.open()
        misfits = opened.doubtful or (isinstance(error, WriteRefused) and not isinstance(error, FencedOut))
        if isinstance(error, RetractionNotHeld) or (misfits and not opened.settled):
            # The state is wrong; or what the shard lacks was found out of a state that it no longer has.
            await self._reset(opened)
        await self._around.watch.look()

    async def _reset(self, opened: OpenedDataflow) -> None:
        self._part_from(self.members[1:])
        self._opened = None
        await opened.close(delete=True, dropped=False)

    async def _finish(self, opened: OpenedDataflow) -> None:
        """Ends the exports of a dataflow whose inputs are complete: nothing will change any more."""
        for subscribe in opened.exports.of(SubscribeSink).values():
            await subscribe.finish()
        opened.exports.advance(EMPTY)
        self._hurry_shards()
        self._finished = True
        self._reporter.status(DataflowPhase.FINISHED)

    # Sharing

    @property
    def upper(self) -> Antichain:
        return self._upper

    @property
    def heading(self) -> Antichain:
        return self._upper if self._heading is None else self._heading

    @property
    def resting(self) -> bool:
        return self._resting

    @property
    def keeping(self) -> bool:
        return self._opened is not None and self._opened.checkpoints.busy

    @property
    def joinable(self) -> bool:
        opened = self._opened
        return (
            opened is not None
            and opened.hydrated
            and opened.settled
            and opened.errors == 0
            and self.members.writable
            and not (self._finished or self._stopped or self._failures or self._upper.empty)
            and self.members.wanted
        )

    def wake(self) -> None:
        self._wake.set()

    def take(self, other: DataflowRunner) -> None:
        assert self._opened is not None and other._opened is not None and self._upper.time is not None
        other._stopped = True
        other._around.watch.unobserve(other._number)
        other._to_be_deleted = self._former.add(other._number)
        self._opened.take(other._opened, self._upper.time, self._advanced)
        self.members += other.members
        self._reporter.take(other._reporter)
        # It is kept where it was until it is kept here.
        durable = other._opened.durable
        self._durable_of |= {id_: other._durable_of.get(id_, durable) for id_ in other._opened.exports.sinks()}
        self._attention.take(other._attention)
        self._opened.checkpoints.hasten()
        self._observe()
        self._reporter.measure_soon()
        self._wake.set()
        log.info("dataflows became one", dataflow=self._number, other=other._number, members=len(self.members))

    async def end_taken(self) -> None:
        """Ends a runner whose exports another has taken. The state here is deleted once kept there, or wanted no
        more."""
        self._reporter.end()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        opened, self._opened = self._opened, None
        assert opened is not None and self._to_be_deleted is not None
        await opened.leave()
        if await self._to_be_deleted:
            await opened.maintained.delete()

    def _report(self, *, at_once: bool = False) -> None:
        opened = self._opened
        if opened is None:
            return
        for id_, sink in opened.exports.sinks().items():
            kept = self._durable_of.get(id_, opened.durable)
            upper = sink.upper if self._finished else sink.upper.meet(self._upper)  # without what others have written
            self._reporter.frontiers(Frontiers(id_, sink.since, upper, opened.input_upper(), kept))
        if at_once:
            self._reporter.flush()

    def _advanced(self, error: SqlError | None) -> None:
        """Handles an automatic move of an upper. A failure to record it keeps readers from known results."""
        if error is not None:
            self._reporter.status(DataflowPhase.FAILING, message=error.message, retries=1)
        elif self._opened is not None and self._opened.hydrated:
            self._running()
        self._report()

    def _kept(self) -> None:
        """Handles a durable checkpoint. A checkpoint without written bytes is no news."""
        self._durable_of.clear()
        self._former.delete()
        if len(self._sharers.members) > 1:
            self._wake.set()
        self._report()
        if self._opened is not None and self._opened.checkpoints.measure is not None:
            if self._opened.checkpoints.measure.written_bytes:
                self._reporter.measure_soon()

    def _measures(self, id_: GlobalId) -> DataflowMeasures | None:
        if self._opened is None:
            return None
        # A tick under way may read what was there when it began.
        self._versions_told = self._opened.versions() if self._reading is None else self._reading
        return self._opened.measures(id_, self._versions_told)

    def _hurry_shards(self) -> None:
        """Has uppers recorded at once if a reader waits for them."""
        if self._opened is not None:
            for id_, sink in self._opened.exports.of(ShardSink).items():
                if self._reporter.awaits(id_, sink.writer.determined):
                    self._around.advances.hurry()

    def _compact(self, opened: OpenedDataflow, id_: GlobalId) -> None:
        if self.members.since(id_).empty:
            opened.exports.remove(id_)
        elif id_ in opened.exports.sinks():
            opened.exports.sinks()[id_].compact(self.members.since(id_))

    def _checkpoint(self, opened: OpenedDataflow) -> None:
        extent = opened.extent(self._upper)
        if extent is not None:
            opened.checkpoints.begin_if_due(*extent)
