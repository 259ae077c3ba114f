"""A subscribe's export: a tick's updates, consolidated, to the environment in batches, as fast as it takes them.

It ends with the empty upper, or at the first time with a live error.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.executors.task_done import ExportDone
from compute.maintain.wide import ExportTarget
from compute.protocol.dataflow import SubscribeExport
from compute.protocol.framing import batches_to_payload
from compute.protocol.response import PeekFailed, SubscribeBatch
from compute.replica.contents.fallible import ERROR_COLUMN
from compute.replica.dataflows.exports.tick_updates import TickUpdates
from compute.replica.running.places import Places
from compute.spark.spool import CHUNK_BYTES
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, updates_schema
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp, step_forward
from model.types.relation_desc import RelationDesc

EmitBatch = Callable[[SubscribeBatch, bytes], None]


class SubscribeSink:
    """Sends the changes of a dataflow to a subscriber. `as_of` is where the dataflow begins; `emit` sends."""

    def __init__(
        self, export: SubscribeExport, desc: RelationDesc, places: Places, as_of: Antichain, emit: EmitBatch
    ) -> None:
        self._export = export
        self._places = places
        self._schema = updates_schema(desc)
        self._emit = emit
        self._room = export.window
        self._told = Antichain.at(0)
        self._roomy = asyncio.Event()
        self.since = as_of
        self._upper = as_of
        self._begun = False
        self._from = as_of if export.with_snapshot or as_of.time is None else Antichain(step_forward(as_of.time))
        self._lower = Timestamp(0)
        self._next = as_of
        self._updates: TickUpdates | None = None
        self._errors: list[tuple[int, str, int]] = []
        self._live: Counter[str] = Counter()
        self._failed = False

    @property
    def upper(self) -> Antichain:
        return self._upper

    def allow(self, batches: int, told: Antichain) -> None:
        """Allows as many updates more as the environment has room for. What is `told` need not be sent any more."""
        self._room += batches
        self._told = self._told.join(told)
        self._roomy.set()

    def begin(self, lower: Timestamp, upper: Antichain) -> None:
        self._lower, self._next = lower, upper
        self._updates = TickUpdates(self._schema, self._places.directory)
        self._errors = []

    def take(self, updates: pa.Table) -> None:
        assert self._updates is not None
        if not self._from.less_equal(self._lower):
            assert self._from.time is not None
            updates = updates.filter(pc.greater_equal(updates.column(TIME_COLUMN), self._from.time))
        self._updates.take(updates)

    def target(self) -> ExportTarget | None:
        """Returns None: all updates go to the client by way of this process."""
        return None

    def adopt(self, done: Sequence[ExportDone]) -> None:
        raise AssertionError("tasks write nothing for a client")

    def take_errors(self, errors: pa.Table) -> None:
        columns = [errors.column(name).to_pylist() for name in (TIME_COLUMN, ERROR_COLUMN, DIFF_COLUMN)]
        self._errors += zip(*columns, strict=True)

    async def commit(self, forgo: Callable[[], None]) -> None:
        return

    async def seal(self) -> None:
        return

    def discard(self) -> None:
        if self._updates is not None:
            self._updates.close()
            self._updates = None

    async def deliver(self) -> None:
        """Sends the tick's updates; waits while the environment has no room."""
        if self._failed or self._updates is None:
            return
        failure = self._first_failure()
        try:
            await self._send_updates(None if failure is None else failure[0])
        finally:
            self.discard()
        if failure is None:
            await self._send(self._next, b"", None)
            return
        time, error = failure
        self._failed = True
        await self._send(Antichain(time), b"", error)

    def advance(self, upper: Antichain) -> None:
        """Reports progress, unless the environment has no room: the next report then covers both."""
        if not self._failed and self._upper != upper and self._room > 0:
            self._emit_now(upper, b"", None)

    async def finish(self) -> None:
        """Tells the client that nothing will change any more."""
        if not self._failed and not self._upper.empty:
            await self._send(EMPTY, b"", None)

    def compact(self, since: Antichain) -> None:
        self.since = self.since.join(since)

    def end(self, *, dropped: bool) -> None:
        self.discard()

    async def _send_updates(self, before: Timestamp | None) -> None:
        assert self._updates is not None
        async for table in self._places.each(self._updates.rows, self._updates.tables()):
            if before is not None:
                table = table.filter(pc.less(table.column(TIME_COLUMN), before))
            for chunk in _cut(table):
                await self._has_room()
                if self._next.precedes(self._told):
                    # Another replica has been faster. All of a snapshot would be sent to be thrown away.
                    return
                self._emit_now(self._upper, batches_to_payload(self._schema, chunk.to_batches()), None)

    async def _send(self, upper: Antichain, payload: bytes, error: PeekFailed | None) -> None:
        await self._has_room()
        self._emit_now(upper, payload, error)

    async def _has_room(self) -> None:
        while self._room <= 0:
            self._roomy.clear()
            await self._roomy.wait()

    def _emit_now(self, upper: Antichain, payload: bytes, error: PeekFailed | None) -> None:
        self._room -= 1
        lower, self._upper = self._upper, upper
        begun, self._begun = self._begun, True
        self._emit(SubscribeBatch(self._export.id, lower, upper, error, first=not begun), payload)

    def _first_failure(self) -> tuple[Timestamp, PeekFailed] | None:
        """Returns the first time of the tick with a live error, and the least error then."""
        self._errors.sort()
        for time in sorted({time for time, _, _ in self._errors}):
            for at, error, diff in self._errors:
                if at == time:
                    self._live[error] += diff
            live = [error for error, count in self._live.items() if count > 0]
            if live:
                state, _, message = min(live).partition(" ")
                return Timestamp(time), PeekFailed(state, message)
        return None


def _cut(table: pa.Table) -> Iterator[pa.Table]:
    """Yields slices of about CHUNK_BYTES, none empty."""
    if table.num_rows == 0:
        return
    pieces = int(np.ceil(table.nbytes / CHUNK_BYTES)) or 1
    step = -(-table.num_rows // pieces)
    for start in range(0, table.num_rows, step):
        yield table.slice(start, step)
