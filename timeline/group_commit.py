"""Group commit: everything that is waiting to be written takes one timestamp and becomes durable in one step.

One compare-and-set appends to all tables written, records catalog changes, moves the oracle and the timeline's upper,
with the fence as a precondition. Only after it are clients answered, so an acknowledged write survives any crash, and
no reader can be given a timestamp whose writes are not all there (source: seed 2, "Timelines").

    batch = every waiting request, up to the first exclusive one; an exclusive request commits alone
    t     = oracle.write_ts(now), after a wait of at most THROTTLE_MAX_MS while it is ahead of the clock

Exclusive requests are those whose validity depends on what was written before: write-after-read transactions, whose
[read, write) intervals are disjoint because each has its timestamp to itself, and DDL. A write-after-read request is
valid at t iff nothing that it read changed after its read timestamp: its reads are then as good as reads at t - 1.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from model.antichain import Antichain
from model.clock import Clock
from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate
from model.timestamp import Timestamp
from storage.persist.commit import CommitOutcome, Committed
from storage.persist.shard import PreparedWrite
from storage.persist.state import Part
from timeline.durable_oracle import DurableOracle
from timeline.fence import FENCE_KEY, Fence, Fenced
from timeline.write_locks import WriteLocks

THROTTLE_MAX_MS = 1_000
KEEP_ALIVE_MS = 1_000
_ATTEMPTS_MAX = 8


class TableStore(Protocol):
    """What group commit needs of storage."""

    async def prepare_append(
        self, id: GlobalId, updates: Sequence[pa.Table | Part], lower: Antichain, upper: Antichain
    ) -> PreparedWrite: ...

    async def commit(
        self,
        prepared: Sequence[PreparedWrite],
        preconditions: Mapping[str, int | None],
        extra_writes: Mapping[str, tuple[int | None, bytes]],
    ) -> CommitOutcome: ...

    def advance_timeline(self, upper: Antichain) -> None: ...


class Riders(Protocol):
    """Updates whose time has come: they ride on whichever commit is next."""

    def due(self, timestamp: Timestamp) -> dict[GlobalId, list[pa.Table]]: ...

    def applied(self, timestamp: Timestamp) -> None: ...


async def _nothing_more(_timestamp: Timestamp) -> Sequence[PreparedWrite]:
    return ()


def _always_valid(_timestamp: Timestamp) -> None:
    return


@dataclass(slots=True, eq=False)
class WriteRequest:
    """A transaction's writes, waiting for their timestamp.

    tables     updates to append, by collection; rows without a time column get the commit's timestamp
    prepare    further writes that belong to the same step (the catalog's), given the timestamp
    validate   raises SqlError when the request may not commit at this timestamp
    applied    called once durable, before anyone is answered or any later request is looked at
    exclusive  commits alone
    holding    collections whose write locks it holds
    """

    tables: dict[GlobalId, list[pa.Table | Part]] = field(default_factory=dict)
    prepare: Callable[[Timestamp], Awaitable[Sequence[PreparedWrite]]] = _nothing_more
    validate: Callable[[Timestamp], None] = _always_valid
    applied: Callable[[Timestamp], None] = _always_valid
    exclusive: bool = False
    holding: frozenset[GlobalId] = frozenset()
    done: asyncio.Future[Timestamp] | None = None


class GroupCommitter:
    """One for each timeline. `run` is its task; it ends by raising Fenced."""

    def __init__(
        self,
        fence: Fence,
        oracle: DurableOracle,
        tables: TableStore,
        clock: Clock,
        locks: WriteLocks,
        riders: Riders,
        keep_alive_ms: int = KEEP_ALIVE_MS,
    ) -> None:
        self._fence = fence
        self._oracle = oracle
        self._tables = tables
        self._clock = clock
        self._locks = locks
        self._riders = riders
        self._keep_alive_ms = keep_alive_ms
        self._queue: list[WriteRequest] = []
        self._arrived = asyncio.Event()
        self._committing = asyncio.Lock()
        self._stopped: BaseException | None = None

    async def submit(self, request: WriteRequest) -> Timestamp:
        """The timestamp at which the request became durable. SqlError: it did not commit, and never will.

        A caller that is cancelled while the request waits takes it back; once its commit is under way, it is told how
        that ended in spite of the cancellation.
        """
        if self._stopped is not None:
            raise self._stopped
        request.done = asyncio.get_running_loop().create_future()
        self._queue.append(request)
        self._arrived.set()
        while True:
            try:
                return await asyncio.shield(request.done)
            except asyncio.CancelledError:
                if request in self._queue:
                    self._queue.remove(request)
                    raise
                if request.done.done():
                    return request.done.result()

    async def settle(self) -> None:
        """Returns when no commit is under way that began before this call."""
        async with self._committing:
            pass

    def wake(self) -> None:
        """Looks at the queue again, since locks were released."""
        self._arrived.set()

    async def run(self) -> None:
        """Commits until fenced (raises Fenced) or cancelled."""
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    # Unlike wait_for, this never loses a cancellation that comes together with the event.
                    async with asyncio.timeout(self._keep_alive_ms / 1000):
                        await self._arrived.wait()
                self._arrived.clear()
                await self._commit_next()
        except BaseException as error:
            self._stop(error)
            raise

    def _stop(self, error: BaseException) -> None:
        self._stopped = (
            error
            if isinstance(error, Fenced)
            else SqlError(Sqlstate.ADMIN_SHUTDOWN, "terminating connection due to administrator command")
        )
        queue, self._queue = self._queue, []
        for request in queue:
            _fail(request, self._stopped)

    def _may_commit(self, request: WriteRequest) -> bool:
        return not self._locks.locked(frozenset(request.tables) - request.holding)

    def _next_batch(self) -> list[WriteRequest]:
        batch: list[WriteRequest] = []
        for request in list(self._queue):
            if not self._may_commit(request):
                continue
            if request.exclusive and batch:
                break
            batch.append(request)
            self._queue.remove(request)
            if request.exclusive:
                break
        return batch

    async def _commit_next(self) -> None:
        """Commits the next batch; with none, moves the upper."""
        await self._throttle()
        async with self._committing:
            batch = self._next_batch()
            try:
                await self._commit(batch)
            except BaseException as error:
                # Whether the batch is durable is not known: the next environment will find out.
                told = error if isinstance(error, SqlError) else _interrupted()
                for request in batch:
                    _fail(request, told)
                raise
        if any(self._may_commit(request) for request in self._queue):
            self._arrived.set()

    async def _throttle(self) -> None:
        ahead_ms = self._oracle.peek_write_ts + 1 - self._clock.now_ms()
        if ahead_ms > 0:
            await self._clock.sleep(min(ahead_ms, THROTTLE_MAX_MS) / 1000)

    async def _commit(self, batch: list[WriteRequest]) -> None:
        for _ in range(_ATTEMPTS_MAX):
            record, timestamp = self._oracle.propose(self._clock.now_ms())
            accepted = [request for request in batch if _validated(request, timestamp)]
            try:
                prepared = await self._prepare(accepted, timestamp)
            except SqlError as error:
                for request in accepted:
                    _fail(request, error)
                return
            outcome = await self._tables.commit(prepared, self._fence.precondition, self._oracle.write_of(record))
            if isinstance(outcome, Committed):
                await self._oracle.adopt(record)
                self._tables.advance_timeline(self._oracle.upper)
                self._riders.applied(timestamp)
                for request in accepted:
                    request.applied(timestamp)
                for request in accepted:
                    assert request.done is not None
                    if not request.done.done():
                        request.done.set_result(timestamp)
                return
            for write in prepared:
                write.abandon()
            if FENCE_KEY in outcome.refusals or self._oracle.key in outcome.refusals:
                raise Fenced
            batch = accepted
        refused = SqlError(
            Sqlstate.SERIALIZATION_FAILURE, "could not commit: the tables written were changed again and again"
        )
        for request in batch:
            _fail(request, refused)

    async def _prepare(self, requests: Sequence[WriteRequest], timestamp: Timestamp) -> list[PreparedWrite]:
        by_table: dict[GlobalId, list[pa.Table | Part]] = {}
        prepared: list[PreparedWrite] = []
        for request in requests:
            for id_, updates in request.tables.items():
                by_table.setdefault(id_, []).extend(updates)
            prepared.extend(await request.prepare(timestamp))
        for id_, tables in self._riders.due(timestamp).items():
            by_table.setdefault(id_, []).extend(tables)
        upper = Antichain.at(timestamp + 1)
        for id_, updates in by_table.items():
            prepared.append(await self._tables.prepare_append(id_, updates, self._oracle.upper, upper))
        return prepared


def _validated(request: WriteRequest, timestamp: Timestamp) -> bool:
    """Whether the request may commit; one that may not is told so here."""
    try:
        request.validate(timestamp)
    except SqlError as error:
        _fail(request, error)
        return False
    return True


def _interrupted() -> SqlError:
    return SqlError(
        Sqlstate.STATEMENT_COMPLETION_UNKNOWN,
        "the server stopped while the transaction was committing; whether it did commit is not known",
        hint="Read what it wrote before writing it again.",
    )


def _fail(request: WriteRequest, error: BaseException) -> None:
    assert request.done is not None
    if not request.done.done():
        request.done.set_exception(error)
        # A caller that was cancelled never looks at it.
        request.done.exception()
