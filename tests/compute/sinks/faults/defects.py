"""Drivers with a defect, which a case has to see: each stands before a real one, whichever that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyarrow as pa

from connectors.sinks.driver import Driver
from connectors.sinks.messages import (
    Acknowledge,
    Acknowledged,
    DriverResponse,
    Flushed,
    FlushLoads,
    Load,
    Loaded,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import Clock
from model.time.timestamp import Timestamp

_DROPPED_EACH = 7
_LEASE_MS = 1_000


class Sound:
    """No defect: what the others are made of. `fresh` makes another driver of the same destination."""

    def __init__(self, inner: Driver, clock: Clock, fresh: Callable[[], Driver]) -> None:
        self.inner = inner
        self.clock = clock
        self.fresh = fresh
        self.position = Timestamp(0)
        self.opened: Open | None = None
        self.stored: list[pa.Table] = []

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        if isinstance(request, Open):
            self.opened = request
        if isinstance(request, Store):
            self.stored.append(request.documents)
        for response in self.said(request):
            match request, response:
                case Open(), Opened():
                    self.position = request.frontier if response.frontier is None else response.frontier
                case StartCommit(frontier), StartedCommit():
                    self.position = frontier
            yield response
        if isinstance(request, StartCommit):
            self.stored = []

    def said(self, request: Request) -> Iterator[DriverResponse]:
        yield from self.inner.answer(request)

    def done(self, request: Request) -> tuple[DriverResponse, ...]:
        """Something that nobody has asked for."""
        return tuple(self.inner.answer(request))

    def abort(self) -> None:
        self.inner.abort()

    def close(self) -> None:
        self.inner.close()


class DropsDocuments(Sound):
    """Of many documents some are lost."""

    passed = 0

    def said(self, request: Request) -> Iterator[DriverResponse]:
        if isinstance(request, Store):
            kept = []
            for _ in range(request.documents.num_rows):
                DropsDocuments.passed += 1
                kept.append(DropsDocuments.passed % _DROPPED_EACH != 0)
            request = Store(request.documents.filter(pa.array(kept)))
        yield from self.inner.answer(request)


class CommitsWhileStoring(Sound):
    """Documents show before all of their transaction have come."""

    def said(self, request: Request) -> Iterator[DriverResponse]:
        yield from self.inner.answer(request)
        if isinstance(request, Store) and self.position > 0:
            self.done(StartCommit(self.position))


class _Promises(Sound):
    """Says that it is further than it is: what comes next is already done."""

    when: type[Request]

    def said(self, request: Request) -> Iterator[DriverResponse]:
        yield from self.inner.answer(request)
        if type(request) is self.when and self.position > 0:
            self.done(StartCommit(Timestamp(self.position + 20)))


class PromisesWhenOpened(_Promises):
    when = Open


class PromisesWhenFlushed(_Promises):
    when = FlushLoads


class TrustsTheLog(Sound):
    """However far the destination is, the log's word counts."""

    def said(self, request: Request) -> Iterator[DriverResponse]:
        for response in self.inner.answer(request):
            yield Opened(None) if isinstance(response, Opened) else response


class GoesOnWhenFenced(Sound):
    """What was refused is tried again by a session that takes over."""

    def said(self, request: Request) -> Iterator[DriverResponse]:
        try:
            yield from self.inner.answer(request)
        except SqlError:
            if not isinstance(request, Store | StartCommit) or self.opened is None:
                raise
            self.inner.close()
            self.inner = self.fresh()
            self.done(self.opened)
            self.done(Acknowledge())
            self.done(FlushLoads())
            for documents in self.stored:
                self.done(Store(documents))
            if isinstance(request, StartCommit):
                yield from self.inner.answer(request)


class AppliesAtOnce(Sound):
    """What is staged is applied before the log has it."""

    def said(self, request: Request) -> Iterator[DriverResponse]:
        yield from self.inner.answer(request)
        if isinstance(request, StartCommit):
            self.done(Acknowledge())


class AppliesAgain(Sound):
    """What is acknowledged again is applied again."""

    def __init__(self, inner: Driver, clock: Clock, fresh: Callable[[], Driver]) -> None:
        super().__init__(inner, clock, fresh)
        self.last: list[pa.Table] = []
        self.applied = True

    def said(self, request: Request) -> Iterator[DriverResponse]:
        if isinstance(request, StartCommit):
            self.last, self.applied = list(self.stored), False
        if isinstance(request, Acknowledge):
            if self.applied:
                for documents in self.last:
                    self.done(Store(documents))
                self.done(StartCommit(Timestamp(self.position + 1)))
            self.applied = True
        yield from self.inner.answer(request)


class ForgetsItsState(Sound):
    """What it has told the log to remember, it does not look at."""

    def said(self, request: Request) -> Iterator[DriverResponse]:
        if isinstance(request, Open):
            request = Open(request.sink, request.keys, request.frontier, {}, request.secrets, request.anew)
        yield from self.inner.answer(request)


class AppliesWhatIsNamed(Sound):
    """What the log names is applied when a session begins, whether it was or not."""

    last: list[pa.Table] = []

    def said(self, request: Request) -> Iterator[DriverResponse]:
        if isinstance(request, StartCommit):
            AppliesWhatIsNamed.last = list(self.stored)
        yield from self.inner.answer(request)
        if isinstance(request, Acknowledge) and self.opened is not None:
            named, self.opened = self.opened.state.get("staged"), None
            if named:
                for documents in self.last:
                    self.done(Store(documents))
                self.done(StartCommit(Timestamp(self.position + 1)))
                self.done(Acknowledge())


class SkipsEmptyTransactions(Sound):
    """Without documents there is nothing to commit, it thinks."""

    def said(self, request: Request) -> Iterator[DriverResponse]:
        if isinstance(request, StartCommit) and not self.stored and self.position > 0:
            yield StartedCommit()
            return
        yield from self.inner.answer(request)


class LeasesByTheClock(Sound):
    """A session ends, it thinks, some time after its last commit by the clock on the wall: no other opens before."""

    until: dict[str, int] = {}

    def said(self, request: Request) -> Iterator[DriverResponse]:
        if isinstance(request, Open) and self.clock.now_ms() < self.until.get(request.sink.name, 0):
            raise SqlError(Sqlstate.OBJECT_IN_USE, "somebody else has a lease")
        yield from self.inner.answer(request)
        if isinstance(request, StartCommit) and self.opened is not None:
            self.until[self.opened.sink.name] = self.clock.now_ms() + _LEASE_MS


# What must not be said when it is.


class _Says(Sound):
    """Says something more, once it has begun."""

    when: type[Request]
    more: DriverResponse
    before = True

    def said(self, request: Request) -> Iterator[DriverResponse]:
        struck = type(request) is self.when and self.position > 0
        if struck and self.before:
            yield self.more
        yield from self.inner.answer(request)
        if struck and not self.before:
            yield self.more


class LoadsBeforeAcknowledged(_Says):
    when, more = Acknowledge, Loaded(pa.table({}))


class FlushesBeforeFlush(_Says):
    when, more = Load, Flushed()


class AcknowledgesTwice(_Says):
    when, more, before = Acknowledge, Acknowledged(), False


class SpeaksWhileStoring(_Says):
    when, more = Store, Flushed()


class CommitsTwice(_Says):
    when, more, before = StartCommit, StartedCommit(), False


class LoadsTwice(Sound):
    """Of each key there are two documents."""

    def said(self, request: Request) -> Iterator[DriverResponse]:
        for response in self.inner.answer(request):
            yield response
            if isinstance(response, Loaded) and response.documents.num_rows:
                yield response


class LoadsWhatNobodyAskedFor(Sound):
    """A document of another key."""

    def said(self, request: Request) -> Iterator[DriverResponse]:
        for response in self.inner.answer(request):
            if isinstance(response, Loaded) and response.documents.num_rows:
                strange = response.documents.set_column(
                    0, "c0", pa.array([-1] * response.documents.num_rows, response.documents.schema.field(0).type)
                )
                response = Loaded(strange)
            yield response
