"""Prepared statements, portals and cursors of one session."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from model.datum import Datum, Row
from model.errors import SqlError
from model.relation_desc import RelationDesc
from model.scalar_type import ScalarType
from model.sqlstate import Sqlstate
from planner.sql.parse import ParsedStatement
from server.pgwire.backend import Rows, StatementResult


@dataclass(slots=True)
class Prepared:
    """`statement` is None for an empty text. `parameter_types` and `desc` are what a client was told."""

    name: str
    sql: str
    statement: ParsedStatement | None
    declared_types: tuple[ScalarType | None, ...]
    parameter_types: tuple[ScalarType, ...]
    desc: RelationDesc | None
    prepared_at: datetime.datetime
    from_sql: bool


class RowSource:
    """Rows on their way, read in pieces of any size. Closing it stops the work behind it."""

    def __init__(self, batches: AsyncIterator[Sequence[Row]]) -> None:
        self._batches = batches
        self._rest: list[Row] = []
        self.exhausted = False

    async def take(self, count: int | None) -> list[Row]:
        """The next `count` rows, fewer at the end; None for all."""
        while not self.exhausted and (count is None or len(self._rest) < count):
            try:
                self._rest.extend(await anext(self._batches))
            except StopAsyncIteration:
                self.exhausted = True
        if count is None:
            taken, self._rest = self._rest, []
        else:
            taken, self._rest = self._rest[:count], self._rest[count:]
        return taken

    @property
    def drained(self) -> bool:
        return self.exhausted and not self._rest

    async def close(self) -> None:
        self.exhausted = True
        self._rest = []
        closing = getattr(self._batches, "aclose", None)
        if closing is not None:
            await closing()


@dataclass(slots=True)
class Portal:
    """A bound statement; `source` and `result` are set once it has begun to run."""

    name: str
    prepared: Prepared
    parameters: tuple[Datum, ...]
    source: RowSource | None = None
    result: StatementResult | None = None
    desc: RelationDesc | None = None


@dataclass(slots=True)
class Cursor:
    """DECLARE's: rows are kept as they are fetched when the cursor may go back. `position` counts from 0, before the
    first row; it is on row `position` otherwise, or one past the last."""

    name: str
    sql: str
    hold: bool
    scroll: bool
    binary: bool
    declared_at: datetime.datetime
    result: Rows
    source: RowSource
    kept: list[Row] = field(default_factory=list)
    position: int = 0

    async def _reach(self, position: int | None) -> None:
        """Keeps rows up to `position`, or all."""
        if not self.source.drained:
            missing = None if position is None else position - len(self.kept)
            if missing is None or missing > 0:
                self.kept.extend(await self.source.take(missing))

    async def forward(self, count: int | None) -> list[Row]:
        await self._reach(None if count is None else self.position + count)
        end = len(self.kept) if count is None else min(self.position + count, len(self.kept))
        rows = self.kept[self.position : end]
        wanted_more = count is None or self.position + count > len(self.kept)
        self.position = len(self.kept) + 1 if wanted_more and count != 0 else self.position + (count or 0)
        return rows

    async def absolute(self, position: int) -> list[Row]:
        """The row at `position` (from 1; negative counts from the end), if there is one."""
        if position < 0:
            await self._reach(None)
            position = max(len(self.kept) + 1 + position, 0)
        self._require_scroll(position)
        await self._reach(position)
        self.position = min(position, len(self.kept) + 1)
        return [self.kept[position - 1]] if 0 < position <= len(self.kept) else []

    async def relative(self, count: int) -> list[Row]:
        return await self.absolute(max(self.position + count, 0)) if count < 0 or self.position + count > 0 else []

    async def backward(self, count: int | None) -> list[Row]:
        """The rows before the current one, nearest first."""
        first = 0 if count is None else max(self.position - 1 - count, 0)
        self._require_scroll(first)
        before = self.kept[: max(self.position - 1, 0)]
        rows = before[first:][::-1]
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
