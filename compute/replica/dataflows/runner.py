"""One dataflow, run: opened or begun anew, ticked whenever its inputs have moved, checkpointed, retried when it fails.

    open ─▶ kept state? ──yes──────────────────────────▶ tick [upper, inputs' upper) … ─▶ until: finished
                 └──no──▶ tick of the contents at as_of ──┘

A tick is all or nothing: the shard's append comes before anything is sealed, and leaves out what is there already when
the tick is repeated. When no input changed, frontiers move and nothing runs.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, assert_never

import structlog

from compute.protocol.dataflow import DataflowDescription, ShardExport
from compute.protocol.response import DataflowMeasures, DataflowPhase, Frontiers
from compute.replica.dataflows.index_sink import IndexDropped, IndexSink
from compute.replica.dataflows.maintained import Company, Input, TickRows
from compute.replica.dataflows.opening import OpenedDataflow, Surroundings, open_dataflow
from compute.replica.dataflows.reporter import Report, Reporter
from compute.replica.dataflows.shard_sink import ShardSink
from compute.replica.dataflows.shard_writer import FencedOut, ShardGone, WriteRefused
from compute.replica.dataflows.subscribe_sink import EmitBatch, SubscribeSink
from model.antichain import EMPTY, Antichain
from model.backing_off import BackOff, kept_going
from model.errors import SqlError
from model.global_id import GlobalId
from model.timestamp import TIMESTAMP_MAX, Timestamp, step_forward
from storage.persist.snapshot import Changes, Snapshot, snapshot, updates_between
from storage.sources.progress import counted_changes, counted_snapshot

log = structlog.get_logger()

_BACK_OFF = BackOff(0.1, 10.0)
_PROGRESS_S = 1.0
_ATTENTION_S = 10.0
"""Who has been read is kept at the present for so long: it may be read again."""
_NO_TURN = contextlib.nullcontext()

Work = tuple[Mapping[GlobalId, Input], Antichain]
"""The inputs of a tick, and where it ends."""
Turn = contextlib.AbstractAsyncContextManager[None]


class DataflowRunner:
    """`start` it, and `stop` it at the end. `report` and `emit` are told what the environment is to know.

    It waits for `after` to be done first.
    """

    def __init__(
        self,
        number: int,
        description: DataflowDescription,
        around: Surroundings,
        after: tuple[asyncio.Task[None], ...],
        report: Report,
        emit: EmitBatch,
    ) -> None:
        self._number = number
        self._description = description
        self._around = around
        self._after = after
        self._emit = emit
        self._reporter = Reporter(description.export_ids, report, self._measures)
        self._since = dict.fromkeys(description.export_ids, description.as_of)
        self._writable = not any(isinstance(export, ShardExport) for export in description.exports)
        self._wake = asyncio.Event()
        self._opened: OpenedDataflow | None = None
        self._open_event = asyncio.Event()
        self._upper = description.as_of
        self._total = 0
        self._reading: dict[str, int] | None = None
        self._versions_told: dict[str, int] = {}
        self._finished = False
        self._stopped = False
        self._failures = 0
        self._read_until_s = 0.0
        self._task: asyncio.Task[None] | None = None

    # Instructions

    def start(self) -> None:
        description = self._description
        writes = (export.shard for export in description.exports if isinstance(export, ShardExport))
        reads = (item.shard for item in description.imports)
        self._around.watch.observe(self._number, self._wake.set, reads, writes)
        work = kept_going(self._run, self._around.places.clock, self._log_defect)
        self._task = asyncio.create_task(work, name=f"dataflow {self._number}")

    async def stop(self, *, delete: bool) -> None:
        """Ends it; what it has done is kept, or deleted."""
        self._stopped = True
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
        """Ends it where it stands."""
        self._around.watch.unobserve(self._number)
        self._reporter.end()
        if self._task is not None:
            self._task.cancel()

    def compact(self, id_: GlobalId, since: Antichain) -> None:
        """Times of the export before `since` need not be told apart; the empty frontier: it is not wanted."""
        self._since[id_] = self._since[id_].join(since)
        self._open_event.set()
        if self._opened is not None:
            self._compact(self._opened, id_)
            self._report()

    def set_writable(self, writable: bool) -> None:
        has_shard = any(isinstance(export, ShardExport) for export in self._description.exports)
        self._writable = writable or not has_shard
        self._wake.set()

    def allow_batches(self, id_: GlobalId, batches: int) -> None:
        if self._opened is not None:
            sink = self._opened.exports.of(SubscribeSink).get(id_)
            if sink is not None:
                sink.allow(batches)

    def hurry(self, id_: GlobalId, time: Timestamp) -> None:
        """Someone waits until the export is complete at `time`."""
        self._reporter.expect(id_, time)
        self._read_until_s = asyncio.get_running_loop().time() + _ATTENTION_S
        self._wake.set()
        self._hurry_shards()

    async def index(self, id_: GlobalId) -> IndexSink:
        """The index, once the dataflow is open. It may be replaced later: see IndexReplaced."""
        while True:
            if self._stopped or self._since[id_].empty:
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
                self._reporter.status(DataflowPhase.FINISHED, message="its shard was dropped")
                self._finished = True
            except WriteRefused as refused:
                log.info("write refused", dataflow=self._number, reason=str(refused))
                await self._back_off()
            except Exception as error:  # noqa: BLE001  (it is reported, and tried again)
                await self._failed(error)
            if self._finished:
                await asyncio.get_running_loop().create_future()

    def _log_defect(self, error: Exception | None) -> None:
        log.error("a dataflow's task ended", dataflow=self._number, exc_info=error)

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
        """Ticks until it is finished, or something fails."""
        if self._opened is None:
            await self._open()
        assert self._opened is not None
        opened = self._opened
        while not self._finished:
            await self._wait_for_work(opened)
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
        self._opened = opened = await open_dataflow(
            self._number, self._description, self._around, self._advanced, self._kept, self._emit
        )
        self._upper = Antichain(opened.begin)
        for id_ in self._since:
            self._compact(opened, id_)
        self._open_event.set()
        self._report()
        self._reporter.measure_soon()

    def _target(self, opened: OpenedDataflow) -> Antichain:
        """Up to where a tick would go now."""
        return opened.input_upper().meet(self._description.until)

    async def _wait_for_work(self, opened: OpenedDataflow) -> None:
        while True:
            self._wake.clear()
            self._around.watch.attend(self._number, attends=self._attends(opened))
            target = self._target(opened)
            if self._writable and self._upper.precedes(target) and self._upper != target:
                return
            self._checkpoint(opened)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(opened.checkpoints.wait_s or None):
                    await self._wake.wait()

    def _attends(self, opened: OpenedDataflow) -> bool:
        """Whether it matters soon that time passes, though nothing comes."""
        return (
            not (opened.hydrated and opened.settled and self._description.until.empty)
            or asyncio.get_running_loop().time() < self._read_until_s
            or opened.maintained.next_due() is not None
            or bool(opened.exports.of(SubscribeSink))
            or self._around.watch.attended(self._number)
        )

    async def _hydrate(self, opened: OpenedDataflow) -> None:
        """The tick of the contents at as_of."""
        as_of = opened.begin
        self._reading = opened.versions()
        inputs = {item.id: snapshot(opened.state(item), as_of, item.stored) for item in self._description.imports}
        pieces = [piece for each in inputs.values() for piece in (*each.parts, *each.inline)]
        total = sum(piece.rows for piece in pieces)
        self._reporter.status(DataflowPhase.HYDRATING, rows_total=total)
        watching = asyncio.create_task(self._tell_progress(opened, total))
        try:
            await self._tick(opened, self._around.hydrations, as_of, lambda: (inputs, Antichain(step_forward(as_of))))
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
            rows = int(total * await opened.maintained.share_read())
            self._reporter.status(DataflowPhase.HYDRATING, rows=rows, rows_total=total)

    async def _advance(self, opened: OpenedDataflow) -> bool:
        """The tick of what has changed; whether anything did."""
        lower, target = self._upper.time, self._target(opened)
        assert lower is not None
        worked = bool(self._changes(opened, lower, target)) or self._is_due(opened, target) or not opened.settled
        if worked:

            def work() -> Work:
                # What has come while it waited for its turn is seen as much sooner.
                target = self._target(opened)
                self._reading = opened.versions()
                return self._changes(opened, lower, target), target

            await self._tick(opened, self._turn(opened.maintained.company), lower, work)
        else:
            opened.exports.advance(target)
            self._upper = target
            if opened.versions() != self._versions_told:
                self._reporter.measure_soon()
        self._running()
        self._hurry_shards()
        return worked

    def _turn(self, company: Company) -> Turn:
        match company:
            case Company.FREE:
                return _NO_TURN
            case Company.TOGETHER:
                return self._around.small_ticks
            case Company.ALONE:
                return self._around.ticks
            case _:
                assert_never(company)

    def _changes(self, opened: OpenedDataflow, lower: Timestamp, target: Antichain) -> dict[GlobalId, Changes]:
        """Of each import that changed what did, at times from `lower` until before `target`."""
        upper = TIMESTAMP_MAX if target.time is None else target.time
        imports = self._description.imports
        changes = {each.id: updates_between(opened.state(each), lower, upper, each.stored) for each in imports}
        return {id_: each for id_, each in changes.items() if each.parts or each.inline}

    async def _counted(self, opened: OpenedDataflow, inputs: Mapping[GlobalId, Input]) -> Mapping[GlobalId, Input]:
        """The inputs, with those of counted imports as rows that tell their multiplicities."""
        blob, runner = self._around.places.blob, self._around.places.runner
        counted = dict(inputs)
        for item in self._description.imports:
            if item.counted and item.id in counted:
                state, input_ = opened.state(item), counted[item.id]
                if isinstance(input_, Snapshot):
                    counted[item.id] = await counted_snapshot(state, input_.as_of, item.desc, blob, runner)
                else:
                    lower, upper = input_.lower, input_.upper
                    counted[item.id] = await counted_changes(state, lower, upper, item.desc, blob, runner)
        return counted

    def _is_due(self, opened: OpenedDataflow, target: Antichain) -> bool:
        """Whether exports may change before `target` though no import does."""
        due = opened.maintained.next_due()
        return due is not None and (target.time is None or due < target.time)

    def _running(self) -> None:
        self._reporter.status(DataflowPhase.RUNNING, rows=self._total, rows_total=self._total)

    async def _tick(self, opened: OpenedDataflow, turn: Turn, lower: Timestamp, work: Callable[[], Work]) -> None:
        """Of what `work` says when the turn has come. Who waits for a reader then keeps no other from its turn."""
        exports, maintained = opened.exports, opened.maintained
        try:
            async with turn:
                inputs, upper = work()
                inputs = await self._counted(opened, inputs)
                begun_s = asyncio.get_running_loop().time()
                exports.begin(lower, upper)
                before = TIMESTAMP_MAX if upper.time is None else upper.time
                rows = await maintained.tick(inputs, lower, before, exports)
                await exports.commit()
        except BaseException as error:
            exports.discard()
            maintained.discard()
            if isinstance(error, Exception):
                await self._recover(opened, error)
            raise
        finally:
            self._reading = None
        await _finish_uninterrupted(self._seal(opened, upper))
        elapsed_ms = (asyncio.get_running_loop().time() - begun_s) * 1000
        rows = TickRows(rows.read, rows.written + exports.rows)
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
        """Makes the next attempt begin with what is there now."""
        for sink in opened.exports.of(ShardSink).values():
            await sink.writer.open()
        refused = isinstance(error, WriteRefused) and not isinstance(error, FencedOut)
        if refused and not opened.settled:
            # What the shard lacks was found out of a state that it no longer has.
            await self._reset(opened)
        await self._around.watch.look()

    async def _reset(self, opened: OpenedDataflow) -> None:
        self._opened = None
        await opened.close(delete=True, dropped=False)

    async def _finish(self, opened: OpenedDataflow) -> None:
        """Nothing will change any more."""
        for subscribe in opened.exports.of(SubscribeSink).values():
            await subscribe.finish()
        opened.exports.advance(EMPTY)
        self._hurry_shards()
        self._finished = True
        self._reporter.status(DataflowPhase.FINISHED)

    # Telling

    def _report(self, *, at_once: bool = False) -> None:
        opened = self._opened
        if opened is None:
            return
        durable = Antichain(opened.checkpoints.durable or opened.begin)
        for id_, sink in opened.exports.sinks().items():
            self._reporter.frontiers(Frontiers(id_, sink.since, sink.upper, opened.input_upper(), durable))
        if at_once:
            self._reporter.flush()

    def _advanced(self, error: SqlError | None) -> None:
        """An upper has moved by itself. One that can't be recorded keeps readers from what is known already."""
        if error is not None:
            self._reporter.status(DataflowPhase.FAILING, message=error.message, retries=1)
        elif self._opened is not None and self._opened.hydrated:
            self._running()
        self._report()

    def _kept(self) -> None:
        """A checkpoint is durable. One that had nothing to write, as when nothing changes, is no news."""
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
        """Has an upper moved at once that someone waits for."""
        if self._opened is not None:
            for id_, sink in self._opened.exports.of(ShardSink).items():
                if self._reporter.awaits(id_, sink.writer.determined):
                    self._around.advances.hurry()

    def _compact(self, opened: OpenedDataflow, id_: GlobalId) -> None:
        if self._since[id_].empty:
            opened.exports.remove(id_)
        elif id_ in opened.exports.sinks():
            opened.exports.sinks()[id_].compact(self._since[id_])

    def _checkpoint(self, opened: OpenedDataflow) -> None:
        extent = opened.extent(self._upper)
        if extent is not None:
            opened.checkpoints.begin_if_due(*extent)


async def _finish_uninterrupted(work: Coroutine[Any, Any, None]) -> None:
    """Runs to its end, also when the caller is cancelled meanwhile; then the caller is."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
