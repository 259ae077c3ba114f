"""Prepared statements, portals and cursors of one session."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from catalog.declared.snapshot import PreparedStatus
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.types.datum import Datum, Row
from model.types.scalar_type import ScalarType, declared_modifier, declared_oid, type_oid
from planner.syntax.parse import ParsedStatement
from planner.syntax.secret_texts import public_text
from server.pgwire.backend import ResultDescription, Rows, StatementResult

_BATCH_ROWS = 4096


@dataclass(slots=True)
class Prepared:
    """A prepared statement.

    `statement`: None for an empty text
    `parameter_types`, `rows`: as the client was told; they stay, whatever happens to the objects named
    `by`: the text of the PREPARE that made it, None for the extended protocol
    """

    name: str
    sql: str
    statement: ParsedStatement | None
    parameter_types: tuple[ScalarType, ...]
    rows: ResultDescription | None
    prepared_at: datetime.datetime
    by: str | None

    @property
    def status(self) -> PreparedStatus:
        """Returns the row of pg_prepared_statements."""
        types = tuple(declared_oid(type_) for type_ in self.parameter_types)
        return PreparedStatus(self.name, public_text(self.by or self.sql), self.prepared_at, types, self.by is not None)


class UnreadRows(Protocol):
    """Rows that a portal reads a few at a time."""

    async def some(self, most: int) -> list[Row]:
        """Returns the next rows, at most `most`; none when the next batch is empty, and at the end."""
        ...

    @property
    def drained(self) -> bool:
        """Tells whether there will be no more rows."""
        ...


class RowSource:
    """A result's rows, read in pieces of any size. Closing it stops the work behind it. `exhausted`: all rows are
    here. `failed`: an error came in place of rows, and no more will come."""

    def __init__(self, batches: AsyncIterator[Sequence[Row]], *, exhausted: bool = False) -> None:
        self._batches = batches
        self._rest: list[Row] = []
        self._taken = 0
        self._pending: asyncio.Future[Sequence[Row]] | None = None
        self.exhausted = exhausted
        self.failed = False

    async def take_while(self, waiting: Callable[[], bool]) -> list[Row]:
        """Returns all rows that come while more are `waiting`."""
        while not self.exhausted and (waiting() or (self._pending is not None and self._pending.done())):
            await self._more(None)
        return self._cut(None)

    async def some(self, most: int, deadline: float | None = None) -> list[Row]:
        """Returns rows as UnreadRows does; none also when they do not arrive before `deadline`, by the loop's clock."""
        if not self._rest and not self.exhausted:
            await self._more(deadline)
        return self._cut(most)

    @property
    def drained(self) -> bool:
        return self.exhausted and not self._rest

    async def close(self) -> None:
        self.exhausted = True
        self._rest, self._taken = [], 0
        await self._cancel_pending()
        closing = getattr(self._batches, "aclose", None)
        if closing is not None:
            await closing()

    def _cut(self, count: int | None) -> list[Row]:
        if count is None:
            taken, self._rest, self._taken = self._rest[self._taken :], [], 0
        else:
            # Who takes row by row copies what is left of a batch now and then, not each time.
            end = self._taken + count
            taken, self._taken = self._rest[self._taken : end], min(end, len(self._rest))
            if 2 * self._taken >= len(self._rest):
                del self._rest[: self._taken]
                self._taken = 0
        return taken

    async def _more(self, deadline: float | None) -> bool:
        """Takes the next batch; returns False if the batch does not arrive in time. A late batch is the next call's."""
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
        except SqlError:
            self.failed = True
            raise
        return True

    async def _cancel_pending(self) -> None:
        if self._pending is not None:
            pending, self._pending = self._pending, None
            pending.cancel()
            await asyncio.gather(pending, return_exceptions=True)


def portal_rows(source: UnreadRows, result: Rows, max_rows: int) -> Rows:
    """Returns the rows of one Execute of a portal whose statement returned `result`: at most `max_rows`, 0 for all."""
    served = 0

    async def batches() -> AsyncIterator[Sequence[Row]]:
        nonlocal served
        while not source.drained:
            wanted = _BATCH_ROWS if max_rows == 0 else min(_BATCH_ROWS, max_rows - served)
            if wanted == 0:
                return
            rows = await source.some(wanted)
            served += len(rows)
            yield rows

    def tag() -> str:
        words = result.tag().split(" ")
        return " ".join([*words[:-1], str(served)]) if words[-1].isdigit() else result.tag()

    def suspended() -> bool:
        return not source.drained and max_rows > 0

    return replace(result, batches=batches(), tag=tag, suspended=suspended, live=None, whole=None)


def told_alike(now: ResultDescription | None, then: ResultDescription | None) -> bool:
    """Tells whether a client was told the same description when the statement was prepared; types are compared by
    oid."""
    if now is None or then is None:
        return now is then
    return now.desc is then.desc or _told(now) == _told(then)


def _told(rows: ResultDescription) -> list[tuple[str, int, int]]:
    return [(column.name, type_oid(column.type), declared_modifier(column.type)) for column in rows.desc.columns]


@dataclass(slots=True)
class Portal:
    """A bound statement. `source` and `result` are set when it begins to run; `spent`: it can't run any more; `reads`:
    the relations that stay as they are while it is open, none of a statement that runs to its end at once."""

    name: str
    prepared: Prepared
    parameters: tuple[Datum, ...]
    source: RowSource | None = None
    result: StatementResult | None = None
    rows: ResultDescription | None = None
    spent: bool = False
    reads: frozenset[GlobalId] = frozenset()

    async def abandon(self) -> None:
        """Ends the running statement, when its transaction has failed."""
        self.spent = True
        self.reads = frozenset()
        if self.source is not None:
            await self.source.close()
