"""Prepared statements, portals and cursors of one session."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from model.datum import Datum, Row
from model.errors import SqlError
from model.scalar_type import ScalarType
from model.sqlstate import Sqlstate
from model.timestamp import Timestamp
from planner.sql.parse import ParsedStatement
from server.pgwire.backend import ResultDescription, Rows, StatementResult


@dataclass(slots=True)
class Prepared:
    """`statement` is None for an empty text. `parameter_types` and `rows` are what a client was told. `by` is the
    PREPARE that made it, None for one of the extended protocol."""

    name: str
    sql: str
    statement: ParsedStatement | None
    declared_types: tuple[ScalarType | None, ...]
    parameter_types: tuple[ScalarType, ...]
    rows: ResultDescription | None
    prepared_at: datetime.datetime
    by: str | None


class UnreadRows(Protocol):
    """What a portal reads on, a few rows at a time."""

    async def some(self, most: int) -> list[Row]:
        """The next rows as they come, at most so many; none when the next batch has none, and at the end."""
        ...

    @property
    def drained(self) -> bool:
        """Whether there will be no more."""
        ...


class RowSource:
    """Rows on their way, read in pieces of any size. Closing it stops the work behind it."""

    def __init__(self, batches: AsyncIterator[Sequence[Row]]) -> None:
        self._batches = batches
        self._rest: list[Row] = []
        self._pending: asyncio.Future[Sequence[Row]] | None = None
        self.exhausted = False

    async def take(self, count: int | None, timeout_s: float | None = None) -> list[Row]:
        """The next `count` rows, fewer at the end, or when the time is over; None for all."""
        deadline = None if timeout_s is None else asyncio.get_running_loop().time() + timeout_s
        while not self.exhausted and (count is None or len(self._rest) < count):
            if not await self._more(deadline):
                break
        return self._cut(count)

    async def take_while(self, waiting: Callable[[], bool]) -> list[Row]:
        """All rows that come before nothing is `waiting`."""
        while not self.exhausted and (waiting() or (self._pending is not None and self._pending.done())):
            await self._more(None)
        return self._cut(None)

    async def some(self, most: int) -> list[Row]:
        """The next rows as they come, at most so many; none when the next batch has none, and at the end."""
        if not self._rest and not self.exhausted:
            await self._more(None)
        return self._cut(most)

    @property
    def drained(self) -> bool:
        return self.exhausted and not self._rest

    async def close(self) -> None:
        self.exhausted = True
        self._rest = []
        await self._cancel_pending()
        closing = getattr(self._batches, "aclose", None)
        if closing is not None:
            await closing()

    def _cut(self, count: int | None) -> list[Row]:
        if count is None:
            taken, self._rest = self._rest, []
        else:
            taken, self._rest = self._rest[:count], self._rest[count:]
        return taken

    async def _more(self, deadline: float | None) -> bool:
        """Takes in the next batch; False when it does not come in time, and then it will be the next."""
        try:
            if deadline is None and self._pending is None:
                self._rest.extend(await anext(self._batches))
                return True
            if self._pending is None:
                self._pending = asyncio.ensure_future(anext(self._batches))
            left = None if deadline is None else max(0.0, deadline - asyncio.get_running_loop().time())
            try:
                await asyncio.wait({self._pending}, timeout=left)
            except asyncio.CancelledError:
                await self._cancel_pending()
                raise
            if not self._pending.done():
                return False
            pending, self._pending = self._pending, None
            self._rest.extend(pending.result())
        except StopAsyncIteration:
            self.exhausted = True
        return True

    async def _cancel_pending(self) -> None:
        if self._pending is not None:
            pending, self._pending = self._pending, None
            pending.cancel()
            await asyncio.gather(pending, return_exceptions=True)


@dataclass(slots=True)
class Portal:
    """A bound statement; `source` and `result` are set once it has begun to run; `spent`: it can't run any more."""

    name: str
    prepared: Prepared
    parameters: tuple[Datum, ...]
    source: RowSource | None = None
    result: StatementResult | None = None
    rows: ResultDescription | None = None
    spent: bool = False

    async def abandon(self) -> None:
        """Ends what runs, when its transaction has failed."""
        self.spent = True
        if self.source is not None:
            await self.source.close()


@dataclass(slots=True)
class Cursor:
    """DECLARE's: rows are kept as they are fetched when the cursor may go back, else only the current one.

    `own` is whether the transaction that declared it still goes on, and would take it along when it is rolled back.
    `position` counts from 0, before the first row; it is on row `position` otherwise, or one past the last. `kept` are
    the rows from number `dropped` + 1 on."""

    name: str
    sql: str
    hold: bool
    scroll: bool
    binary: bool
    declared_at: datetime.datetime
    result: Rows
    source: RowSource
    kept: list[Row] = field(default_factory=list)
    dropped: int = 0
    position: int = 0
    own: bool = True

    @property
    def _reached(self) -> int:
        """The number of the last row that has come."""
        return self.dropped + len(self.kept)

    def _rows(self, first: int, last: int) -> list[Row]:
        """The rows from number `first` to `last`."""
        return self.kept[max(first - 1 - self.dropped, 0) : max(last - self.dropped, 0)]

    def _move(self, position: int) -> None:
        self.position = position
        if not self.scroll:
            behind = min(max(position - 1 - self.dropped, 0), len(self.kept))
            del self.kept[:behind]
            self.dropped += behind

    async def _reach(self, position: int | None, timeout_s: float | None = None) -> None:
        """Keeps rows up to `position`, or all."""
        if not self.source.drained:
            missing = None if position is None else position - self._reached
            if missing is None or missing > 0:
                self.kept.extend(await self.source.take(missing, timeout_s))

    async def forward(self, count: int | None, timeout_s: float | None = None) -> list[Row]:
        """The next `count` rows, fewer at the end, or when the time is over; None for all."""
        await self._reach(None if count is None else self.position + count, timeout_s)
        return self._forward(count)

    async def forward_to_now(self, now: Timestamp) -> list[Row]:
        """All rows of live rows that belong to times up to `now`, and what more waits behind them."""
        live = self.result.live
        assert live is not None, "only live rows have a now"
        await live.catch_up(now)
        self.kept.extend(await self.source.take_while(lambda: live.waiting))
        return self._forward(None)

    def unread(self) -> UnreadRows:
        """The rows behind the current one, for a portal of the cursor's name."""
        return _Onwards(self)

    @property
    def ended(self) -> bool:
        """Whether it stands behind its last row, and no more will come."""
        return self.source.drained and self.position > self._reached

    def _forward(self, count: int | None) -> list[Row]:
        first = self.position + 1
        last = self._reached if count is None else min(self.position + count, self._reached)
        rows = self._rows(first, last)
        wanted_more = count is None or self.position + count > self._reached
        if wanted_more and count != 0 and self.source.drained:
            self._move(self._reached + 1)
        else:
            self._move(max(self.position, last))
        return rows

    async def absolute(self, position: int) -> list[Row]:
        """The row at `position` (from 1; negative counts from the end), if there is one."""
        if position < 0:
            await self._reach(None)
            position = max(self._reached + 1 + position, 0)
        self._require_scroll(position)
        await self._reach(position)
        self._move(min(position, self._reached + 1))
        return self._rows(position, position) if 0 < position <= self._reached else []

    async def relative(self, count: int) -> list[Row]:
        return await self.absolute(max(self.position + count, 0)) if count < 0 or self.position + count > 0 else []

    async def backward(self, count: int | None) -> list[Row]:
        """The rows before the current one, nearest first."""
        first = 0 if count is None else max(self.position - 1 - count, 0)
        self._require_scroll(first)
        rows = self._rows(first + 1, self.position - 1)[::-1]
        wanted_more = count is None or self.position - count <= 0
        self.position = 0 if wanted_more else self.position - count if count is not None else 0
        return rows

    def _require_scroll(self, position: int) -> None:
        if not self.scroll and position < self.position:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                "cursor can only scan forward",
                hint="Declare it with SCROLL option to enable backward scan.",
            )


class _Onwards:
    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor

    async def some(self, most: int) -> list[Row]:
        return await self._cursor.forward(most)

    @property
    def drained(self) -> bool:
        return self._cursor.ended
