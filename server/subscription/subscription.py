"""One subscription: takes the events of its source, and returns complete timestamps.

    source ─▶ updates that wait for their times ─▶ envelope ─▶ buffer ─▶ reader
           ─▶ progress ───────┘

The source is followed at its own pace, whatever the reader does; inputs are held at the source's time, not at the
reader's. A timestamp's rows are returned when all of them are known, followed by progress.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import structlog

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import TIME_COLUMN
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp, step_back
from model.types.datum import Row
from server.subscription.buffer import Buffer
from server.subscription.envelopes import Envelope
from server.subscription.rows import RowMaker
from storage.holds import StorageReadHold
from storage.persist.runner import Runner
from storage.persist.snapshot import in_order_of_time
from storage.subscription import Progress, SubscriptionEvent, Updates

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Course:
    """The range and form of a subscription.

    `as_of`, `until`: from the one on, before the other (None: for ever)
    `progress`: rows state progress
    `plain`: a row per update, unordered within a timestamp, so the contents need not be complete before the first row
    """

    as_of: Timestamp
    until: Timestamp | None
    progress: bool
    plain: bool


class Subscription:
    """A subscription: `start`, then read its batches of rows; `aclose` at any time, repeatedly if need be, releases
    everything.

    The first batch, which may be empty, marks the beginning. An error is raised after all rows of earlier times.

    `events`: updates between two progress statements are consolidated
    `holds`: on the inputs, at as_of
    `ended`: returns the error, if any, for a source that has ended
    `given_up`: is called with the reader's error when the reader was too slow
    """

    def __init__(
        self,
        events: AsyncGenerator[SubscriptionEvent],
        course: Course,
        envelope: Envelope,
        maker: RowMaker,
        buffer: Buffer,
        runner: Runner,
        holds: Sequence[StorageReadHold],
        ended: Callable[[], SqlError | None],
        given_up: Callable[[SqlError], None],
    ) -> None:
        self._events = events
        self._course = course
        self._envelope = envelope
        self._maker = maker
        self._buffer = buffer
        self._runner = runner
        self._holds = holds
        self._ended = ended
        self._given_up = given_up
        self._unsealed: list[pa.Table] = []
        self._frontier = Antichain(course.as_of)
        self._moved = asyncio.Event()
        self._over = False
        self._opened = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._follow())

    @property
    def active(self) -> bool:
        """Tells whether the subscription has begun, and is not closed."""
        return self._task is not None

    # The reader's side

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Sequence[Row]:
        """Returns the next batch. Safe to cancel: the batch comes at the next call."""
        if not self._opened:
            await self._buffer.until(lambda: self._begun)
            self._opened = True
            return [self._maker.progress(self._course.as_of)] if self._course.progress else []
        item = await self._buffer.next()
        if item is None:
            raise StopAsyncIteration
        return self._maker.rows(item) if isinstance(item, pa.Table) else [self._maker.progress(item)]

    async def aclose(self) -> None:
        if self._task is not None:
            task, self._task = self._task, None
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self._buffer.fail(SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, "the subscription was closed"))
        self._release()
        await self._buffer.forget()

    @property
    def waiting(self) -> bool:
        """Tells whether the next batch is there already."""
        return self._buffer.waiting if self._opened else self._begun

    async def catch_up(self, time: Timestamp) -> None:
        """Waits until all changes up to `time` wait for the reader, or the last one that there will be.

        A subscription with an earlier end waits for that.
        """
        goal = time if self._course.until is None else step_back(self._course.until)
        while not self._over and self._frontier.less_equal(goal):
            self._moved.clear()
            await self._moved.wait()

    @property
    def _begun(self) -> bool:
        return self._over or self._frontier != Antichain(self._course.as_of) or self._buffer.waiting

    # The source's side

    async def _follow(self) -> None:
        try:
            async with contextlib.aclosing(self._events) as events:
                async for event in events:
                    match event:
                        case Updates(table):
                            await self._take(table)
                        case Progress(frontier):
                            if await self._advance(frontier):
                                break
            self._buffer.end()
        except SqlError as error:
            self._buffer.fail(error)
            if error.sqlstate is Sqlstate.CONFIGURATION_LIMIT_EXCEEDED:
                await self._buffer.forget()
                self._given_up(error)
        except Exception as defect:  # noqa: BLE001 - a defect ends the subscription, and its reader is told
            _log.exception("subscription failed")
            self._buffer.fail(SqlError(Sqlstate.INTERNAL_ERROR, f"internal error: {type(defect).__name__}: {defect}"))
        finally:
            self._over = True
            self._unsealed.clear()
            self._release()
            self._moved.set()
            self._buffer.wake()

    async def _take(self, updates: pa.Table) -> None:
        """Keeps updates until their times are complete; contents at as_of, the first time, need not wait."""
        as_of = self._course.as_of
        if self._course.plain and self._frontier == Antichain(as_of) and self._course.until != as_of:
            first = pc.equal(updates.column(TIME_COLUMN), as_of)
            contents, updates = updates.filter(first), updates.filter(pc.invert(first))
            if contents.num_rows:
                await self._buffer.put(self._envelope(contents), patient=True)
        if updates.num_rows:
            self._unsealed.append(updates)

    async def _advance(self, frontier: Antichain) -> bool:
        """Notes that all updates at times before `frontier` have come. Whether this was the end."""
        until = Antichain(self._course.until)
        reached = frontier.meet(until)
        if reached == self._frontier and not reached.empty:
            return reached == until
        await self._seal(reached)
        if reached.time is not None:
            for hold in self._holds:
                hold.downgrade(hold.frontier.join(Antichain(step_back(reached.time))))
            if self._course.progress:
                self._buffer.advance(reached.time)
        self._frontier = reached
        self._moved.set()
        self._buffer.wake()
        if frontier.empty and (error := self._ended()) is not None:
            raise error
        return reached == until or frontier.empty

    async def _seal(self, frontier: Antichain) -> None:
        """Gives the updates at times before `frontier`."""
        if not self._unsealed:
            return
        unsealed = pa.concat_tables(self._unsealed)
        self._unsealed.clear()
        complete = unsealed
        if frontier.time is not None:
            early = pc.less(unsealed.column(TIME_COLUMN), frontier.time)
            complete, rest = unsealed.filter(early), unsealed.filter(pc.invert(early))
            if rest.num_rows:
                self._unsealed.append(rest)
        if complete.num_rows:
            table = await self._runner.run(lambda: self._envelope(in_order_of_time(complete)))
            await self._buffer.put(table)

    def _release(self) -> None:
        for hold in self._holds:
            hold.release()
