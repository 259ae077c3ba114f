"""A sink's open transaction: read as changes come, while the transaction before commits.

    transaction N       Store … StartCommit ─ StartedCommit ─ log ─ Acknowledged
    transaction N + 1           [T, …) read, and combined by key once it is full ┆ closes ─ FlushLoads ─ Store …

The transaction begins at T, the end of the one before, which is known once that one stores its first document. Its own
end is decided only when the destination has the transaction before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from functools import partial

import pyarrow as pa

from compute.replica.running.places import Places
from compute.replica.running.watch import Watch
from compute.replica.sinks.input_updates import InputUpdates, closing_time, import_of, pieces_between
from compute.replica.sinks.key_ranges import RangeStand
from connectors.sinks.description import SinkDescription
from connectors.sinks.reduction import Reduction
from model.errors.sql_error import SqlError
from model.time.timestamp import Timestamp
from storage.persist.snapshot import updates_between
from storage.persist.state import ShardState


class OpenTransaction:
    """One open transaction: `start` to read ahead, `close_at` a time, then take the documents; `discard` last.

    `reads` is called with each version of the input that is read. `stands` are the frontiers of ranges of keys that
    have come apart.
    """

    def __init__(
        self,
        sink: SinkDescription,
        places: Places,
        watch: Watch,
        lower: Timestamp,
        reads: Callable[[ShardState], None],
        stands: Sequence[RangeStand] = (),
    ) -> None:
        self.updates = InputUpdates(sink, places, stands=stands)
        self.lower = lower
        self.upper = lower
        """All updates before it have been read."""
        self.full = False
        """Whether it has as many changes as a transaction is to have, and closes at `upper`."""
        self.begun_at = asyncio.get_running_loop().time()
        self._sink = sink
        self._places = places
        self._watch = watch
        self._reads = reads
        self._moved = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self._documents: AsyncGenerator[pa.Table, None] | None = None
        self._first: pa.Table | None = None
        self._reduction: Reduction | None = None

    def start(self, ended: Callable[[], None]) -> None:
        """Reads present and future changes until full or closed; then calls `ended`."""
        self._task = asyncio.create_task(self._read_ahead(), name=f"what sink {self._sink.sink} writes next")
        self._task.add_done_callback(lambda _: ended())

    def moved(self) -> None:
        """Notes that something may have come."""
        self._moved.set()

    async def close_at(self, upper: Timestamp) -> Timestamp:
        """Closes at `upper`, or at the time at which the transaction became full, or up to which it was read;
        returns the time. Raises the failure of reading."""
        self._closing = True
        self._moved.set()
        if self._task is not None:
            await self._task
        if self.upper < upper and not self.full:
            await self._read_to(self._watch.state(self._sink.input), upper)
        return self.upper

    async def documents(self, upper: Timestamp, *, touched: bool) -> AsyncGenerator[pa.Table, None]:
        """Yields the documents of `InputUpdates`, some perhaps made already."""
        made, first = self._documents, self._first
        self._documents = self._first = None
        if made is not None and (touched or upper != self.upper):
            await made.aclose()
            made = first = None
        if made is None:
            made = self.updates.documents(upper, touched=touched)
        async with aclosing(made):
            if first is not None:
                yield first
            async for each in made:
                yield each

    def reduced(self) -> Reduction | None:
        """Returns the reduction of all updates, if known before closing."""
        return self._reduction

    async def reduction(self, upper: Timestamp) -> Reduction:
        """Returns the reduction of the updates before `upper`."""
        made = self._reduction
        if made is None:
            return await self._made_reduction(upper)
        assert upper == self.upper, "nothing keeps it from closing where it is full"
        return made

    async def discard(self) -> None:
        """Ends the transaction, closed or not."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            if not self._task.cancelled():
                self._task.exception()
        if self._documents is not None:
            await self._documents.aclose()
        self.updates.close()

    async def _read_ahead(self) -> None:
        while not self._closing:
            self._moved.clear()
            state, upper = self._watch.state(self._sink.input), self._watch.upper(self._sink.input).time
            if upper is None or not pieces_between(state, self.upper, upper):
                await self._moved.wait()
                continue
            closing = max(self.upper, closing_time(state, self.lower, upper, self._sink.policy.rows_max))
            if self.upper < closing:
                await self._read_to(state, closing)
            if closing < upper:
                self.full = True
                await self._combine()
                return

    async def _read_to(self, state: ShardState, upper: Timestamp) -> None:
        self._reads(state)
        await self.updates.read(updates_between(state, self.upper, upper, import_of(self._sink).stored))
        self.upper = upper

    async def _combine(self) -> None:
        """Combines updates by key, up to the first message. Errors of keys are raised after closing."""
        if self.updates.failure() is not None:
            return
        with suppress(SqlError):
            if self._sink.sums:
                self._reduction = await self._made_reduction(self.upper)
                return
            documents = self.updates.documents(self.upper)
            self._first = await anext(documents, None)
            self._documents = documents

    async def _made_reduction(self, upper: Timestamp) -> Reduction:
        reduction = Reduction(self._sink)
        async with aclosing(self.updates.portions(upper, timed=True)) as portions:
            async for portion in portions:
                await self._places.work(portion.num_rows, partial(reduction.take, portion))
        return reduction
