"""A cursor: a position among a query's rows, which moves forward, and backward if SCROLL allows.

A scrollable cursor keeps the rows already passed, in bounded memory (KeptRows). Any other cursor can't even return its
current row again, as in PostgreSQL. Rows are read in batches on demand, so FETCH ALL holds no more than a batch.
"""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from catalog.declared.snapshot import CursorStatus
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.datum import Row
from planner.syntax.secret_texts import public_text
from server.cursors.kept_rows import KeptRows
from server.cursors.portals import RowSource, UnreadRows
from server.pgwire.backend import Rows

_BATCH_ROWS = 1024


@dataclass(frozen=True, slots=True)
class ScannedTable:
    """A table with one row in each row of a cursor; all stored columns of the table stand at `columns`."""

    table: GlobalId
    columns: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Cursor:
    """A cursor. `own`: the transaction that declared it is still open, and a rollback would close it. `position` is
    0 before the first row, then the number of the current row, and one more than the last at the end. `reads`: the
    relations that it reads.

    For WHERE CURRENT OF: `scanned` are the tables with rows behind the columns of `result`; `locking`: tables locked by
    FOR UPDATE or the like; `writes_before`: the number of the transaction's writes before the cursor."""

    name: str
    sql: str
    hold: bool
    scroll: bool
    binary: bool
    declared_at: datetime.datetime
    result: Rows
    source: RowSource
    kept: KeptRows
    position: int = 0
    own: bool = True
    reads: frozenset[GlobalId] = frozenset()
    scanned: tuple[ScannedTable, ...] = ()
    locking: bool = False
    writes_before: int = 0

    @property
    def status(self) -> CursorStatus:
        """Returns the row of pg_cursors."""
        return CursorStatus(self.name, public_text(self.sql), self.hold, self.binary, self.scroll, self.declared_at)

    async def fill(self) -> None:
        """Reads all rows, because their source will end."""
        await self._reach(None)

    async def close(self) -> None:
        try:
            await self.source.close()
        finally:
            self.kept.close()

    async def forward(self, count: int | None, timeout_s: float | None = None) -> AsyncGenerator[Sequence[Row]]:
        """Yields the next `count` rows (from 1), fewer at the end, or when the time is over; None for all."""
        deadline = None if timeout_s is None else asyncio.get_running_loop().time() + timeout_s
        if self.result.live is not None:
            await self._gather(count, deadline)
            count = self.kept.count - self.position if count is None else min(count, self.kept.count - self.position)
            deadline = None
        left = count
        while left is None or left > 0:
            rows = await self._next(_BATCH_ROWS if left is None else min(left, _BATCH_ROWS), deadline)
            if not rows:
                return
            if left is not None:
                left -= len(rows)
            yield rows

    async def forward_to_now(self, now: Timestamp) -> AsyncGenerator[Sequence[Row]]:
        """Yields all rows of live rows with times up to `now`, and the rows that already wait behind them."""
        live = self.result.live
        assert live is not None, "only live rows have a now"
        await live.catch_up(now)
        await self.kept.append(await self.source.take_while(lambda: live.waiting))
        while self.position < self.kept.count:
            yield await self._next(_BATCH_ROWS, None)

    async def backward(self, count: int | None) -> AsyncGenerator[Sequence[Row]]:
        """Yields the `count` rows (from 1) before the current one, nearest first; None for all."""
        self._require_scroll()
        lowest = 1 if count is None else max(self.position - count, 1)
        before = self.position
        while self.position > lowest:
            first = max(lowest, self.position - _BATCH_ROWS)
            rows = await self.kept.slice(first, self.position - 1)
            self.position = first
            yield rows[::-1]
        if count is None or before <= count:
            self.position = 0

    async def absolute(self, position: int) -> list[Row]:
        """Returns the row at `position` (from 1; negative counts from the end), if there is one."""
        if position < 0:
            self._require_scroll()
            await self._reach(None)
            position = max(self.kept.count + 1 + position, 0)
        if 0 < position <= self.position or position == 0 < self.position:
            self._require_scroll()
        await self._reach(position)
        self._move(min(position, self.kept.count + 1))
        return await self._row()

    async def current(self, *, backward: bool = False, moved: bool = False) -> list[Row]:
        """Returns the current row, if there is one. Except for MOVE this counts as going back."""
        if not moved and (backward or self._on_row):
            self._require_scroll()
        return await self._row() if not moved or self.scroll else [()] * self._on_row

    async def here(self) -> Row | None:
        """Returns the current row with all columns; None before the first row, and behind the last."""
        rows = await self._row()
        return rows[0] if rows else None

    def shown(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Returns rows for the client, without the tables' rows."""
        return [row[: self.result.desc.arity] for row in rows] if self.scanned else rows

    async def relative(self, count: int) -> list[Row]:
        """Returns the row `count` rows further, which is not 0."""
        if count < 0:
            self._require_scroll()
        return await self.absolute(max(self.position + count, 0))

    def unread(self) -> UnreadRows:
        """Returns the rows behind the current one, for a portal of the cursor's name."""
        return _Onwards(self)

    @property
    def ended(self) -> bool:
        """Tells whether the cursor is behind its last row, with no more to come."""
        return self.source.drained and self.position > self.kept.count

    async def next_rows(self, most: int) -> list[Row]:
        """Returns the next rows, at least one; none at the end."""
        return await self._next(most, None)

    async def _gather(self, count: int | None, deadline: float | None) -> None:
        """Keeps the next `count` rows as they come: whoever gives up waiting for live rows has taken none."""
        wanted = None if count is None else self.position + count
        while not self.source.drained and (wanted is None or self.kept.count < wanted):
            missing = _BATCH_ROWS if wanted is None else min(_BATCH_ROWS, wanted - self.kept.count)
            rows = await self.source.some(missing, deadline)
            await self.kept.append(rows)
            if not rows and deadline is not None and asyncio.get_running_loop().time() >= deadline:
                return

    async def _next(self, most: int, deadline: float | None) -> list[Row]:
        """Returns rows as `next_rows` does; none also when `deadline` has passed."""
        if self.position < self.kept.count:
            rows = await self.kept.slice(self.position + 1, min(self.position + most, self.kept.count))
            self._move(self.position + len(rows))
            return rows
        while not self.source.drained:
            rows = await self.source.some(most, deadline)
            if rows:
                await self.kept.append(rows)
                self._move(self.position + len(rows))
                return rows
            if deadline is not None and asyncio.get_running_loop().time() >= deadline:
                return []
        self._move(self.kept.count + 1)
        return []

    async def _reach(self, position: int | None) -> None:
        """Keeps rows up to `position`, or all."""
        while not self.source.drained and (position is None or self.kept.count < position):
            missing = _BATCH_ROWS if position is None else min(_BATCH_ROWS, position - self.kept.count)
            await self.kept.append(await self.source.some(missing))
            if not self.scroll and not self.hold:
                self.kept.forget_before(self.kept.count)

    @property
    def _on_row(self) -> bool:
        return 0 < self.position <= self.kept.count

    async def _row(self) -> list[Row]:
        return await self.kept.slice(self.position, self.position) if self._on_row else []

    def _move(self, position: int) -> None:
        self.position = position
        if not self.scroll:
            self.kept.forget_before(position)

    def _require_scroll(self) -> None:
        if not self.scroll:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                "cursor can only scan forward",
                hint="Declare it with SCROLL option to enable backward scan.",
            )


class _Onwards:
    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor

    async def some(self, most: int) -> list[Row]:
        return list(self._cursor.shown(await self._cursor.next_rows(most)))

    @property
    def drained(self) -> bool:
        return self._cursor.ended
