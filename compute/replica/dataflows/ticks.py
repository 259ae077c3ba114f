"""The ticks of one dataflow: the contents at as_of first, then all changes of the inputs, from one upper to the next.

    turn comes ─▶ inputs of [upper, target) ─▶ exports commit ─▶ state is sealed, upper moves ─▶ exports deliver
       └── anything fails before the seal: nothing has happened, and the next attempt begins from present facts

A tick is all or nothing: the shard's append comes before anything is sealed, and a repeated tick leaves out updates
already in the shard. When no input changed, frontiers move and nothing runs.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any

import structlog

from compute.protocol.response import DataflowPhase
from compute.replica.dataflows.attention import Attention
from compute.replica.dataflows.exports.shard_sink import ShardSink
from compute.replica.dataflows.exports.subscribe_sink import SubscribeSink
from compute.replica.dataflows.maintained import Input, StateMisfits
from compute.replica.dataflows.opening import OpenedDataflow, Surroundings
from compute.replica.dataflows.reports import DataflowReports
from compute.replica.dataflows.standing import DataflowStanding
from compute.replica.dataflows.tick_inputs import changed_inputs, counted_inputs
from compute.replica.dataflows.turns import Turn
from compute.replica.running.shard_writer import FencedOut, RetractionNotHeld, WriteRefused
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import TIMESTAMP_MAX, Timestamp, step_forward
from model.time.uninterrupted import finish_uninterrupted

log = structlog.get_logger()
_PROGRESS_S = 1.0

Work = tuple[Mapping[GlobalId, Input], Antichain]
"""The inputs of a tick, and where it ends."""


class DataflowTicks:
    """The ticks of one runner's dataflow; `turns` knows the dataflow by this object.

    `until`: no tick goes further
    `writable`: returns whether the dataflow may write
    `bound`: returns the latest end of a tick that still meets a dataflow of equal computation
    `part_others`: lets all members but the first go on alone, since the state is of no use to them
    """

    def __init__(
        self,
        standing: DataflowStanding,
        reports: DataflowReports,
        attention: Attention,
        around: Surroundings,
        until: Antichain,
        bound: Callable[[], Antichain],
        writable: Callable[[], bool],
        part_others: Callable[[], None],
    ) -> None:
        self._standing = standing
        self._reports = reports
        self._attention = attention
        self._around = around
        self._until = until
        self._bound = bound
        self._writable = writable
        self._part_others = part_others

    async def go_on(self, opened: OpenedDataflow) -> bool:
        """Makes the next tick; returns whether there was anything to do."""
        if not await opened.choose_writers(self._standing.upper, writable=self._writable()):
            await self.reset(opened)
            return False
        if opened.hydrated and self.target(opened).precedes(self._standing.upper):
            # What is to be corrected is written with the next tick.
            return False
        if opened.bound.precedes(self._standing.upper):
            # Who writes its shard is not there yet.
            return False
        if not opened.hydrated:
            await self._hydrate(opened)
            worked = True
        else:
            worked = await self._advance(opened)
        if self._until.precedes(self._standing.upper):
            await self._finish(opened)
        return worked

    def target(self, opened: OpenedDataflow) -> Antichain:
        """Returns the time before which a tick would end now."""
        return opened.input_upper().meet(self._until).meet(self._bound()).meet(opened.bound)

    async def _hydrate(self, opened: OpenedDataflow) -> None:
        """Makes the tick of the contents at as_of."""
        as_of = opened.begin
        self._standing.reading = opened.versions()
        inputs, total = opened.contents()
        self._reports.reporter.status(DataflowPhase.HYDRATING, rows_total=total)
        awaited = self._attention.awaited(self._standing.number, opened)
        turn = self._around.turns.hydration(self, awaited=awaited)
        async with _beside(self._tell_progress(opened, total)):
            await self._tick(opened, turn, as_of, lambda: (inputs, Antichain(step_forward(as_of))))
        opened.hydrated = True
        self._reports.total = total
        self._reports.running()

    async def _tell_progress(self, opened: OpenedDataflow, total: int) -> None:
        while True:
            await self._around.places.clock.sleep(_PROGRESS_S)
            waits = await opened.maintained.waits_for()
            if waits or opened.maintained.stuck:
                self._around.turns.forgo(self)
            rows = int(total * await opened.maintained.share_read())
            self._reports.reporter.status(DataflowPhase.HYDRATING, rows=rows, rows_total=total, message=waits)

    async def _tell_waits(self, opened: OpenedDataflow) -> None:
        """Tells what a tick waits for that takes long, and lets others have their turn meanwhile."""
        before = ""
        while True:
            await self._around.places.clock.sleep(_PROGRESS_S)
            waits = await opened.maintained.waits_for()
            if waits:
                self._around.turns.forgo(self)
            if waits != before:
                self._reports.running(waits)
            before = waits

    async def _advance(self, opened: OpenedDataflow) -> bool:
        """Ticks over all changes; returns whether there were any."""
        lower, target = self._standing.upper.time, self.target(opened)
        assert lower is not None
        self._standing.heading = target
        worked = bool(changed_inputs(opened, lower, target)) or opened.is_due(target) or opened.unwritten
        worked = worked or opened.shards_move(lower, target)
        if worked:
            try:
                await opened.maintained.prepared()
            except StateMisfits:
                await self.reset(opened)
                raise

            def work() -> Work:
                # What has come while it waited for its turn is seen as much sooner.
                target = self._standing.heading = self.target(opened)
                self._standing.reading = opened.versions()
                return changed_inputs(opened, lower, target), target

            turn = self._around.turns.turn(
                opened.maintained.company, self, awaited=self._attention.awaited(self._standing.number, opened)
            )
            async with _beside(self._tell_waits(opened)):
                await self._tick(opened, turn, lower, work)
        else:
            opened.exports.advance(target)
            self._standing.upper = target
            self._standing.heading = None
            self._reports.note_inputs(opened)
        self._reports.running()
        self._reports.hurry_shards()
        return worked

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
            discarding = _Discarding(opened)
            await finish_uninterrupted(discarding.run())
            if isinstance(error, Exception):
                await self._recover(opened, error, discarded=discarding.done)
            raise
        finally:
            self._standing.end_tick()
        await finish_uninterrupted(self._seal(opened, upper))
        elapsed_ms = (asyncio.get_running_loop().time() - begun_s) * 1000
        rows = replace(rows, written=rows.written + exports.rows)
        opened.ticks.note(elapsed_ms, rows, self._around.places.clock.now_ms())
        self._reports.reporter.measure_soon()
        try:
            await exports.deliver()
        except Exception:
            # What was to be delivered is nowhere else: only from the beginning can it be told again.
            await self.reset(opened)
            raise

    async def _seal(self, opened: OpenedDataflow, upper: Antichain) -> None:
        await opened.maintained.seal()
        await opened.exports.seal()
        self._standing.upper = upper
        opened.checkpoints.note(opened.exports.rows)

    async def _recover(self, opened: OpenedDataflow, error: Exception, *, discarded: bool) -> None:
        """Refreshes states after a failure, so that the next attempt begins from present facts. A state of which the
        tick could not be `discarded` is given up."""
        for sink in opened.exports.of(ShardSink).values():
            await sink.writer.open()
            if isinstance(error, WriteRefused):
                await sink.follow_again()
        misfits = opened.doubtful or (isinstance(error, WriteRefused) and not isinstance(error, FencedOut))
        if not discarded or isinstance(error, RetractionNotHeld) or (misfits and opened.unwritten):
            # The state is wrong; or what the shard lacks was found out of a state that it no longer has.
            await self.reset(opened)
        await self._around.watch.look()

    async def reset(self, opened: OpenedDataflow) -> None:
        """Gives the state up: the dataflow is to be opened anew."""
        self._part_others()
        self._standing.opened = None
        await opened.close(delete=True, dropped=False)

    async def _finish(self, opened: OpenedDataflow) -> None:
        """Ends the exports of a dataflow whose inputs are complete: nothing will change any more."""
        for subscribe in opened.exports.of(SubscribeSink).values():
            await subscribe.finish()
        opened.exports.advance(EMPTY)
        self._reports.hurry_shards()
        self._standing.finished = True
        self._reports.reporter.status(DataflowPhase.FINISHED)


@contextlib.asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Does work beside the block, until that ends."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        # Whatever hindered it: the tick itself says what is wrong.
        await asyncio.gather(task, return_exceptions=True)


class _Discarding:
    """Discards the tick under way; `done`: all of it is discarded. Raises nothing: what ended the tick counts."""

    def __init__(self, opened: OpenedDataflow) -> None:
        self.done = True
        self._opened = opened

    async def run(self) -> None:
        try:
            self._opened.exports.discard()
        except Exception:
            log.exception("could not discard what a tick exports")
            self.done = False
        try:
            await self._opened.maintained.discard()
        except Exception:
            log.exception("could not discard a tick")
            self.done = False
