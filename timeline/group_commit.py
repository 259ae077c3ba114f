"""Group commit: all waiting writes take one timestamp and become durable in one step.

One compare-and-set appends to all tables written, records catalog changes, moves the oracle and the timeline's upper,
with the fence as a precondition. Only after it are clients answered, so an acknowledged write survives any crash, and
no reader gets a timestamp before all writes of the timestamp are readable (source: seed 2, "Timelines").

    batch = every waiting request, up to the first exclusive request; a request that has read rows which another request
            in the batch writes, or the reverse, waits for the next batch; an exclusive request commits alone
    t     = oracle.write_ts(now), after a wait of at most THROTTLE_MAX_MS while t is ahead of the clock

    waiting: INSERT INTO a; a transaction that read b and writes a; UPDATE of b; CREATE TABLE c
    commits: INSERT and the transaction at t; UPDATE, which writes rows of b, at t + 1; CREATE at t + 2

Rows that are due at a time (INSERT ... AS OF) ride along with a commit, but never come between a request and its reads:
rows due before t are committed first, alone, and the request follows at the next timestamp.

A write-after-read request is valid at t iff no row of its reads changed after its read timestamp: its reads are then as
good as reads at t - 1. Several requests may share a timestamp while none has read rows that another writes: in any
order, each finds the rows it read. The validity of an exclusive request, such as DDL, depends on more.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence, Set
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Protocol

import pyarrow as pa
import structlog

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.clock import Clock
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from storage.persist.commit import CommitOutcome, Committed
from storage.persist.shard import PreparedWrite
from storage.persist.state import Part
from timeline.commit_part import CommitPart
from timeline.durable_oracle import DurableOracle, TimelineRecord
from timeline.fence import FENCE_KEY, Fence, Fenced
from timeline.footprint import Footprint, ReadKeys, WrittenRows, written_rows
from timeline.recent_changes import RecentChanges
from timeline.waiting import Blocker, LockOwner, WaitGraph
from timeline.write_locks import WriteLocks

_log = structlog.get_logger()

THROTTLE_MAX_MS = 1_000
KEEP_ALIVE_MS = 1_000
HOLD_MAX_S = 30.0
_ATTEMPTS_MAX = 8
CARRY_S = 0.02
_READERS_MAX = _PASSED_OVER_MAX = 64
"""So many requests of a batch may have read, and so many are passed over for it: each is compared with all."""
_LOOKED_FORWARD_S = 0.1
"""So long others wait for a commit that they need not wait for."""
_LOOKED_AT_MAX = 256
_LOOKED_AT_ROWS_MAX = 1_000
"""So many requests, and rows of them, are looked at to find those that are worth waiting for."""
_NO_TIME_PASSED = 0
"""As the clock's time: the next timestamp is the one after the last."""


class TableStore(Protocol):
    """The part of storage that group commit needs."""

    async def prepare_append(
        self, id: GlobalId, updates: Sequence[pa.Table | Part], lower: Antichain, upper: Antichain
    ) -> PreparedWrite: ...

    async def commit(
        self,
        prepared: Sequence[PreparedWrite],
        preconditions: Mapping[str, int | None],
        extra_writes: Mapping[str, tuple[int | None, bytes]],
        *,
        doubtful: Callable[[], None],
    ) -> CommitOutcome: ...

    def advance_timeline(self, upper: Antichain) -> None: ...


class Riders(Protocol):
    """Updates that are due at a time: they ride along with the next commit after the time has come."""

    def due(self, timestamp: Timestamp) -> dict[GlobalId, list[pa.Table]]: ...

    def due_before(self, timestamp: Timestamp) -> bool:
        """Returns whether rows are due before `timestamp`, which a commit at `timestamp` must find in the
        collections."""
        ...

    def applied(self, timestamp: Timestamp) -> None: ...


@dataclass(slots=True, eq=False)
class WriteRequest:
    """A transaction's writes, waiting for their timestamp.

    tables     updates to append, by collection; rows without a time column get the commit's timestamp
    parts      further parts of the same step: each may veto the commit, and adds writes
    exclusive  commits alone
    reads      rows and tables read before the commit; no other request in the batch may write them
    rewritten  tables of which all rows may change, beside the rows in `tables`
    foreseen   rows that a later request will change, which this one prepares: it waits as if it changed them
    prepared   the end of a prepared transaction, which no lock keeps waiting: who reads under locks reads again
    dropped    collections that end with the commit, asked once the request is valid; rows due for them are not appended
    owner      the transaction, which its own write locks never keep waiting
    done       resolves when the commit has ended; `heard` resolves once the waiting client has been told
    """

    tables: dict[GlobalId, list[pa.Table | Part]] = field(default_factory=dict)
    parts: Sequence[CommitPart] = ()
    exclusive: bool = False
    reads: Footprint = field(default_factory=Footprint)
    rewritten: frozenset[GlobalId] = frozenset()
    foreseen: Mapping[GlobalId, WrittenRows] = field(default_factory=dict)
    prepared: bool = False
    dropped: Callable[[], Set[GlobalId]] = frozenset
    owner: LockOwner = field(default_factory=LockOwner)
    done: asyncio.Future[Timestamp] | None = None
    heard: asyncio.Future[None] | None = None
    _written: dict[GlobalId, WrittenRows] | None = None

    @property
    def written(self) -> Mapping[GlobalId, WrittenRows]:
        """Returns the rows that the request changes, by table."""
        if self._written is None:
            self._written = written_rows(self.tables)
            self._written.update({id_: WrittenRows((), whole=True) for id_ in self.rewritten})
        return self._written

    def meets(self, other: WriteRequest) -> bool:
        """Returns whether either of two requests has read rows that the other writes."""
        return self.reads.meets(other.written) or other.reads.meets(self.written)

    def succeed(self, timestamp: Timestamp) -> None:
        """Tells the waiting client that the request is durable at `timestamp`, unless an outcome was told before."""
        assert self.done is not None
        if not self.done.done():
            self.done.set_result(timestamp)
            self._let_hear()

    def fail(self, error: BaseException) -> None:
        """Tells the waiting client that the request never commits, unless an outcome was told before."""
        assert self.done is not None
        if not self.done.done():
            self.done.set_exception(error)
            # A caller that was cancelled never looks at it.
            self.done.exception()
            self._let_hear()

    def _let_hear(self) -> None:
        if self.heard is not None and not self.heard.done():
            self.heard.set_result(None)


@dataclass(slots=True)
class CommitCounts:
    """Commits with transactions, since the environment began, and how long consensus took for the commits."""

    commits: int = 0
    transactions: int = 0
    elapsed_ms: int = 0


class GroupCommitter:
    """The committer of one timeline. `run` is its task, and ends by raising Fenced."""

    def __init__(
        self,
        fence: Fence,
        oracle: DurableOracle,
        tables: TableStore,
        clock: Clock,
        locks: WriteLocks,
        riders: Riders,
        keep_alive_ms: int = KEEP_ALIVE_MS,
        graph: WaitGraph | None = None,
    ) -> None:
        self._fence = fence
        self._oracle = oracle
        self._tables = tables
        self._clock = clock
        self._locks = locks
        self._riders = riders
        self.recent = RecentChanges()
        self.counts = CommitCounts()
        self._keep_alive_ms = keep_alive_ms
        self._queue: list[WriteRequest] = []
        self._batch: list[WriteRequest] = []
        self._arrived = asyncio.Event()
        self._ended = asyncio.Event()
        self._ended.set()
        self._stopped: BaseException | None = None
        self._in_doubt = False
        self._stalled = False
        self._holder: LockOwner | None = None
        self._let_go = asyncio.Event()
        self._let_go.set()
        self._carried = TIMESTAMP_MIN
        self._carrying = False
        self._graph = graph or WaitGraph()
        self._graph.add(self._waits)

    async def submit(self, request: WriteRequest) -> Timestamp:
        """Queues a request and returns the timestamp at which it became durable. SqlError: the request never commits.

        Cancelling the caller withdraws a waiting request; once the commit is under way, the caller gets the outcome
        instead.
        """
        if self._stopped is not None:
            raise self._stopped
        if self._in_doubt:
            raise _silent()
        request.done = asyncio.get_running_loop().create_future()
        self._queue.append(request)
        try:
            self._graph.refuse_cycle(request.owner)
        except SqlError:
            self._queue.remove(request)
            raise
        self._arrived.set()
        while True:
            # What a cancellation cancels is this alone. shield() would do as much, and take a turn of the loop more.
            request.heard = asyncio.get_running_loop().create_future()
            try:
                await request.heard
                return request.done.result()
            except asyncio.CancelledError:
                if request in self._queue:
                    self._queue.remove(request)
                    raise
                if request.done.done():
                    return request.done.result()

    @asynccontextmanager
    async def hold(self, owner: LockOwner) -> AsyncIterator[None]:
        """Keeps everybody else from committing while the body runs, for HOLD_MAX_S at most.

        The oracle's time stands still meanwhile, so nothing comes between the owner's reads and its write. The body
        must wait for no commit but the owner's.
        """
        while self._holder is not None:
            await self._let_go.wait()
        self._holder = owner
        self._let_go.clear()
        limit = asyncio.get_running_loop().call_later(HOLD_MAX_S, self._release, owner)
        try:
            await self.settle()
            yield
        finally:
            limit.cancel()
            self._release(owner)

    def _release(self, owner: LockOwner) -> None:
        if self._holder is owner:
            self._holder = None
            self._let_go.set()
            self.wake()

    def _waits(self, owner: LockOwner) -> list[Blocker]:
        """Returns the owners of the locks that keep the owner's requests waiting."""
        return [each for request in self._queue if request.owner is owner for each in self._locked(request)]

    def _locked(self, request: WriteRequest) -> list[Blocker]:
        """Returns the owners of the locks that keep the request waiting."""
        if request.prepared:
            return []
        written = {id_: request.written[id_] for id_ in request.tables}
        return self._locks.owners(request.owner, {**written, **request.foreseen})

    async def settle(self) -> None:
        """Waits until every commit that was under way at the call has ended. The next commit may begin meanwhile."""
        await self._ended.wait()

    async def told_until(self, timestamp: Timestamp) -> None:
        """Waits until `recent` knows all commits up to `timestamp`, or soon after.

        Consensus may give a reader the time of a commit before the committer hears that the commit is durable.
        """
        if not self.recent.told_until(timestamp):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOKED_FORWARD_S):
                    await self.settle()

    async def changed_soon(self, keys: ReadKeys) -> None:
        """Waits until the waiting requests that change rows with these keys have ended, or soon after.

        A statement that read the rows now and then wrote them would conflict with the requests. The wait is an
        optimisation, so only the first requests of a long queue are looked at.
        """
        read, ahead, rows = Footprint(keys=keys), [], 0
        for each in islice(chain(self._batch, self._queue), _LOOKED_AT_MAX):
            rows += sum(each.written[key.table].rows_to_look_at(key) for key in keys if key.table in each.written)
            if rows > _LOOKED_AT_ROWS_MAX:
                break
            if each.done and read.meets(each.written):
                ahead.append(each.done)
        if ahead:
            await asyncio.wait(ahead, timeout=_LOOKED_FORWARD_S)

    def carry(self, time: Timestamp) -> None:
        """Carries the timeline to `time` soon, because a source or a view is complete there: with the next commit,
        or with an empty commit. At most one empty commit is made in CARRY_S."""
        if time <= self._oracle.peek_write_ts:
            return
        self._carried = max(self._carried, time)
        if not self._carrying:
            self._carrying = True
            asyncio.get_running_loop().call_later(CARRY_S, self._carry)

    def _carry(self) -> None:
        self._carrying = False
        if self._carried > self._oracle.peek_write_ts:
            self.wake()

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
            request.fail(self._stopped)

    def _may_commit(self, request: WriteRequest) -> bool:
        if self._holder is not None and request.owner is not self._holder:
            return False
        return not self._locked(request)

    def _next_batch(self) -> list[WriteRequest]:
        batch: list[WriteRequest] = []
        later: list[WriteRequest] = []
        readers: list[WriteRequest] = []
        for request in list(self._queue):
            if not self._may_commit(request):
                continue
            if (request.exclusive and (batch or later)) or len(later) == _PASSED_OVER_MAX:
                break
            # Of two that have read nothing neither meets the other, and there may be thousands of them.
            if any(request.meets(other) for other in ((*batch, *later) if request.reads else (*readers, *later))):
                # Nor does it come after one that comes later.
                later.append(request)
                continue
            if request.reads:
                if len(readers) == _READERS_MAX:
                    break
                readers.append(request)
            batch.append(request)
            if request.exclusive:
                break
        taken = set(map(id, batch))
        self._queue = [request for request in self._queue if id(request) not in taken]
        return batch

    async def _commit_next(self) -> None:
        """Commits the next batch of requests. When no request waits, commits an empty batch, so that the upper of the
        shards follows the clock."""
        await self._throttle()
        batch = self._next_batch()
        if self._holder is not None and not batch:
            return
        self._batch = batch
        self._ended.clear()
        try:
            await self._commit(batch)
        except BaseException as error:
            # Whether the batch is durable is not known: the next environment will find out.
            told = error if isinstance(error, SqlError) else _interrupted()
            for request in batch:
                request.fail(told)
            raise
        finally:
            self._batch = []
            self._ended.set()
        if any(self._may_commit(request) for request in self._queue):
            self._arrived.set()

    async def _throttle(self) -> None:
        ahead_ms = self._oracle.peek_write_ts + 1 - self._clock.now_ms()
        if ahead_ms > 0:
            await self._clock.sleep(min(ahead_ms, THROTTLE_MAX_MS) / 1000)

    async def _commit(self, batch: list[WriteRequest]) -> None:
        """Commits the valid requests of a batch. A request whose own parts fail gets its error alone."""
        for _ in range(_ATTEMPTS_MAX):
            now_ms = _NO_TIME_PASSED if self._holder is not None else max(self._clock.now_ms(), self._carried)
            record, timestamp = self._oracle.propose(now_ms)
            if any(each.exclusive or each.reads for each in batch) and self._riders.due_before(timestamp):
                await self._commit([])
                if self._riders.due_before(timestamp):
                    # They could not be written.
                    continue
                record, timestamp = self._oracle.propose(_NO_TIME_PASSED)
            accepted = [request for request in batch if _validated(request, timestamp)]
            prepared: list[PreparedWrite] = []
            try:
                written = await self._prepare(accepted, timestamp, prepared)
            except Exception as error:  # noqa: BLE001  (of whoever is to blame, and told so)
                await self._told_apart(_abandon(prepared, accepted), error)
                return
            began_ms = self._clock.now_ms()
            try:
                outcome = await self._write(prepared, record, accepted)
            except SqlError as error:
                if error.sqlstate is Sqlstate.STATEMENT_COMPLETION_UNKNOWN:
                    raise
                # Nothing was written, and never will be.
                batch = _abandon(prepared, accepted)
                await self._told_apart(batch, error, together=error.sqlstate is Sqlstate.IO_ERROR)
                return
            if isinstance(outcome, Committed):
                if accepted:
                    self.counts.commits += 1
                    self.counts.transactions += len(accepted)
                    self.counts.elapsed_ms += self._clock.now_ms() - began_ms
                self._committed(record, accepted, timestamp, written)
                return
            batch = _abandon(prepared, accepted)
            if FENCE_KEY in outcome.refusals or self._oracle.key in outcome.refusals:
                raise Fenced
        refused = SqlError(
            Sqlstate.SERIALIZATION_FAILURE, "could not commit: the tables written were changed again and again"
        )
        for request in batch:
            request.fail(refused)

    async def _write(
        self, prepared: Sequence[PreparedWrite], record: TimelineRecord, requests: Sequence[WriteRequest]
    ) -> CommitOutcome:
        """Returns the outcome, however long consensus takes. SqlError: nothing was written."""
        try:
            return await self._tables.commit(
                prepared,
                self._fence.precondition,
                self._oracle.write_of(record),
                doubtful=lambda: self._doubt(requests),
            )
        finally:
            self._in_doubt = False

    def _committed(
        self,
        record: TimelineRecord,
        accepted: Sequence[WriteRequest],
        timestamp: Timestamp,
        written: Mapping[GlobalId, list[WrittenRows]],
    ) -> None:
        """Follows a durable commit: adopts the oracle's record, tells parts and clients.

        A defect on the way ends the server, because memory would differ from the durable state. Clients get the true
        outcome in any case.
        """
        if self._stalled:
            self._stalled = False
            _log.info("the timeline moves on")
        try:
            self._oracle.adopt(record)
            self._tables.advance_timeline(self._oracle.upper)
            self.recent.committed(timestamp, written)
            self._riders.applied(timestamp)
            for request in accepted:
                for part in request.parts:
                    part.applied(timestamp)
        finally:
            for request in accepted:
                request.succeed(timestamp)

    async def _told_apart(self, requests: Sequence[WriteRequest], error: Exception, *, together: bool = False) -> None:
        """Handles a commit that failed as a whole.

        Several requests are tried again one by one, so that the blameless commit; with `together`, when consensus does
        not answer, all get the error.
        """
        if len(requests) > 1 and not together:
            for request in requests:
                await self._commit([request])
            return
        told = _as_told(error)
        for request in requests:
            request.fail(told)
        if not requests and not self._stalled:
            self._stalled = True
            _log.warning("the timeline can't move on", error=told.message, detail=told.detail)

    def _doubt(self, requests: Sequence[WriteRequest]) -> None:
        """Fails all requests while consensus does not say whether the commit took place. Consensus is asked on until
        the outcome is known; clients don't wait for the answer."""
        _log.error("consensus does not answer: whether a commit took place is not known", requests=len(requests))
        self._in_doubt = True
        for request in requests:
            request.fail(_unanswered())
        queue, self._queue = self._queue, []
        for request in queue:
            request.fail(_silent())

    async def _prepare(
        self, requests: Sequence[WriteRequest], timestamp: Timestamp, prepared: list[PreparedWrite]
    ) -> Mapping[GlobalId, list[WrittenRows]]:
        """Appends the commit's writes to `prepared`, and returns the changed rows by table.

        After a failure, the caller abandons whatever `prepared` holds.
        """
        by_table: dict[GlobalId, list[pa.Table | Part]] = {}
        written: dict[GlobalId, list[WrittenRows]] = {}
        for request in requests:
            for id_, updates in request.tables.items():
                by_table.setdefault(id_, []).extend(updates)
            for id_, rows in request.written.items():
                written.setdefault(id_, []).append(rows)
            for part in request.parts:
                prepared.extend(await part.prepare(timestamp))
        dropped = {id_ for request in requests for id_ in request.dropped()}
        for id_, tables in self._riders.due(timestamp).items():
            if id_ not in dropped:
                by_table.setdefault(id_, []).extend(tables)
                written.setdefault(id_, []).append(WrittenRows((), whole=True))
        upper = Antichain.at(timestamp + 1)
        for id_, updates in by_table.items():
            prepared.append(await self._tables.prepare_append(id_, updates, self._oracle.upper, upper))
        return written


def _validated(request: WriteRequest, timestamp: Timestamp) -> bool:
    """Returns whether the request may commit; an invalid request is failed here."""
    try:
        for part in request.parts:
            part.validate(timestamp)
    except Exception as error:  # noqa: BLE001  (it is told)
        request.fail(_as_told(error))
        return False
    return True


def _abandon(prepared: Sequence[PreparedWrite], requests: Sequence[WriteRequest]) -> list[WriteRequest]:
    """Gives up an attempt that did not take place, and returns the requests that may still commit.

    A request whose client has been told that the outcome is unknown is not tried again.
    """
    for write in prepared:
        write.abandon()
    for request in requests:
        for part in request.parts:
            part.abandon()
    return [request for request in requests if request.done is not None and not request.done.done()]


def _as_told(error: Exception) -> SqlError:
    """Returns the error that the client gets; a defect becomes XX000, and is logged with its trace."""
    if isinstance(error, SqlError):
        return error
    _log.error("a defect kept a request from committing", exc_info=error)
    return SqlError(Sqlstate.INTERNAL_ERROR, f"internal error: {type(error).__name__}: {error}")


def _interrupted() -> SqlError:
    return SqlError(
        Sqlstate.STATEMENT_COMPLETION_UNKNOWN,
        "the server stopped while the transaction was committing; whether it did commit is not known",
        hint="Read what it wrote before writing it again.",
    )


def _unanswered() -> SqlError:
    return SqlError(
        Sqlstate.STATEMENT_COMPLETION_UNKNOWN,
        "the consensus store does not say whether the transaction committed",
        hint="Read what it wrote before writing it again.",
    )


def _silent() -> SqlError:
    return SqlError(Sqlstate.IO_ERROR, "the consensus store does not answer", detail="Nothing was written.")
