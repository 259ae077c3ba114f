"""Buffers a subscription's changes for its reader: in memory, then in files, up to a limit.

The writer does not wait for the reader, unless a write is too large for the limit. Order is that of writing. A progress
statement covers everything before it, so of several waiting ones only the last counts; it follows the waiting rows.
"""

from __future__ import annotations

import asyncio
import errno
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

import pyarrow as pa

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import Timestamp
from server.subscription.limits import BufferLimits
from server.subscription.spill import SpillQueue
from storage.persist.runner import Runner

T = TypeVar("T")

ROWS_AT_ONCE = 4096
_TABLE_OVERHEAD_BYTES = 2048
"""What a small table costs beside its values."""
_TABLES_APART_MAX = 64


class Buffer:
    """A buffer with one writer (`put`, `advance`, `end`, `fail`) and one reader (`next`); finally call `forget`."""

    def __init__(self, limits: BufferLimits, runner: Runner) -> None:
        self._limits = limits
        self._runner = runner
        self._tables: deque[list[pa.Table]] = deque()
        self._memory_bytes = 0
        self._spill = SpillQueue()
        self._spilled_bytes = 0
        self._files = asyncio.Lock()
        self._frontier: Timestamp | None = None
        self._ended = False
        self._failure: SqlError | None = None
        self._moved = asyncio.Event()
        self._taken = asyncio.Event()

    @property
    def waiting(self) -> bool:
        """Tells whether the reader would get something at once, even the end."""
        rows = bool(self._tables) or self._spilled_bytes > 0
        return rows or self._frontier is not None or self._ended or self._failure is not None

    async def put(self, table: pa.Table, *, patient: bool = False) -> None:
        """Adds rows. Raises SqlError 53400 when too many are waiting; a `patient` writer waits for the reader
        instead, and gets the error only when the reader takes nothing. Raises 53100 when the disk is full."""
        patient = patient or table.nbytes > self._limits.spill_bytes // 2
        for start in range(0, table.num_rows, ROWS_AT_ONCE):
            await self._put(table.slice(start, ROWS_AT_ONCE), patient)

    def advance(self, frontier: Timestamp) -> None:
        """Notes that all rows of earlier times have been put."""
        self._frontier = frontier
        self._moved.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Returns once the condition holds; it is asked whenever something is put, and at `wake`."""
        while not condition():
            self._moved.clear()
            await self._moved.wait()

    def wake(self) -> None:
        self._moved.set()

    def end(self) -> None:
        self._ended = True
        self._moved.set()

    def fail(self, error: SqlError) -> None:
        """Sets an error, which the reader gets after the rows that were added."""
        self._failure = error
        self._moved.set()

    async def next(self) -> pa.Table | Timestamp | None:
        """Returns rows, or a frontier; None at the end. Raises SqlError when it failed. Safe to cancel."""
        while True:
            if self._tables:
                return self._take()
            if self._spilled_bytes:
                table = await self._read()
                if table is not None:
                    return table
                continue
            if self._frontier is not None:
                frontier, self._frontier = self._frontier, None
                return frontier
            if self._failure is not None:
                raise self._failure
            if self._ended:
                return None
            self._moved.clear()
            await self._moved.wait()

    async def forget(self) -> None:
        """Drops the waiting rows; the reader still gets the end or the error."""
        self._tables.clear()
        self._frontier = None
        self._memory_bytes = self._spilled_bytes = 0
        async with self._files:
            self._spill.close()

    async def _put(self, table: pa.Table, patient: bool) -> None:
        cost = _cost(table)
        if not self._spilled_bytes and self._memory_bytes + cost <= self._limits.memory_bytes:
            self._hold(table, cost)
        else:
            record = _encode(table)
            while self._spilled_bytes + len(record) > self._limits.spill_bytes:
                await self._make_room(patient)
            await self._write(record)
        self._moved.set()

    async def _make_room(self, patient: bool) -> None:
        """Waits until the reader has taken something."""
        self._taken.clear()
        try:
            async with asyncio.timeout(self._limits.stall_s if patient else 0):
                await self._taken.wait()
        except TimeoutError:
            raise _too_slow(self._memory_bytes + self._spilled_bytes) from None

    def _hold(self, table: pa.Table, cost: int) -> None:
        self._memory_bytes += cost
        if not self._tables or _rows(self._tables[-1]) + table.num_rows > ROWS_AT_ONCE:
            self._tables.append([table])
            return
        small = self._tables[-1]
        small.append(table)
        if len(small) >= _TABLES_APART_MAX:
            before = sum(map(_cost, small))
            small[:] = [pa.concat_tables(small).combine_chunks()]
            self._memory_bytes -= before - _cost(small[0])

    def _take(self) -> pa.Table:
        tables = self._tables.popleft()
        self._memory_bytes -= sum(map(_cost, tables))
        self._taken.set()
        return pa.concat_tables(tables)

    async def _write(self, record: bytes) -> None:
        try:
            await self._with_files(lambda: self._spill.append(record))
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            state = Sqlstate.DISK_FULL if full else Sqlstate.IO_ERROR
            message = "could not write what waits for the subscription's reader"
            raise SqlError(state, message, detail=str(error)) from error
        self._spilled_bytes += len(record)

    async def _read(self) -> pa.Table | None:
        """Reads the oldest rows in files; None when they were dropped meanwhile."""
        record = await self._with_files(self._spill.first)
        async with self._files:
            if record is None or not self._spilled_bytes:
                return None
            self._spill.forget_first(record)
            self._spilled_bytes -= len(record)
        self._taken.set()
        return pa.ipc.open_stream(record).read_all()

    async def _with_files(self, work: Callable[[], T]) -> T:
        """Runs `work` in a thread. A cancelled caller leaves it running to the end, so files are never closed under
        it."""

        async def locked() -> T:
            async with self._files:
                return await self._runner.run(work)

        return await asyncio.shield(asyncio.ensure_future(locked()))


def _rows(tables: Sequence[pa.Table]) -> int:
    return sum(table.num_rows for table in tables)


def _cost(table: pa.Table) -> int:
    return int(table.nbytes) + _TABLE_OVERHEAD_BYTES


def _encode(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def _too_slow(waiting: int) -> SqlError:
    return SqlError(
        Sqlstate.CONFIGURATION_LIMIT_EXCEEDED,
        "the subscription was ended because its reader is too slow",
        detail=f"{waiting} bytes wait for it.",
        hint="Read faster, or raise subscribe_memory_bytes and subscribe_spill_bytes. "
        "To go on without a gap, hold the time with CREATE READ HOLD and subscribe AS OF it.",
    )
