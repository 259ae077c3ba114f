"""A sink's sessions with its destination: one for each range of its keys, which are asked alike, and at once.

    Open, Acknowledge, FlushLoads, StartCommit   each session is told
    Load, Store                                  each session is told of its own keys

So all ranges close at the same times, and the runtime reads, and combines, once for all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from compute.replica.sinks.driver_thread import DriverChannel
from compute.replica.sinks.key_ranges import RangeStand, within
from storage.sinks.description import SinkDescription
from storage.sinks.messages import DriverResponse, KeyRange, Load, Open, Opened, Request, Store
from storage.sinks.ordering import Ordering


@dataclass(frozen=True, slots=True)
class _Session:
    keys: KeyRange
    channel: DriverChannel
    ordering: Ordering = field(default_factory=Ordering)

    async def answer(self, request: Request) -> tuple[DriverResponse, ...]:
        responses = await self.channel.ask(request)
        for response in responses:
            self.ordering.responded(response)
        return responses


class Sessions:
    """`open` them before they are asked, and `close` them before they are opened again."""

    def __init__(self, sink: SinkDescription, open_channel: Callable[[], DriverChannel]) -> None:
        self._sink = sink
        self._open_channel = open_channel
        self._sessions: list[_Session] = []
        self.partial = False
        """Whether the destination may have parts of a transaction that never ended."""

    @property
    def count(self) -> int:
        return len(self._sessions)

    async def open(self, request: Open, ranges: Sequence[KeyRange]) -> tuple[RangeStand, ...]:
        """Opens one for each range, one after the other: where these are."""
        self.partial = False
        stands = []
        for keys in ranges:
            session = _Session(keys, self._open_channel())
            self._sessions.append(session)
            own = replace(request, keys=keys)
            session.ordering.requested(own)
            (opened,) = await session.answer(own)
            assert isinstance(opened, Opened), "the rules say so"
            self.partial |= opened.partial
            stands.append(RangeStand(keys, request.frontier if opened.frontier is None else opened.frontier))
        return tuple(stands)

    async def ask(self, *requests: Request) -> tuple[DriverResponse, ...]:
        """The responses of all sessions to requests, none of which waits for the answer to the one before it."""
        told = [each for request in requests for each in self._told(request)]
        for session, request in told:
            session.ordering.requested(request)
        return tuple(chain.from_iterable(await asyncio.gather(*(session.answer(own) for session, own in told))))

    def _told(self, request: Request) -> Iterator[tuple[_Session, Request]]:
        for session in self._sessions:
            own = request if self.count == 1 else self._own(request, session.keys)
            if own is not None:
                yield session, own

    def _own(self, request: Request, keys: KeyRange) -> Request | None:
        """What of a request is about these keys; None: nothing."""
        match request:
            case Load(wanted):
                own = within(wanted, range(wanted.num_columns), keys)
                return Load(own) if own.num_rows else None
            case Store(documents):
                own = within(documents, self._sink.key or (), keys)
                return Store(own) if own.num_rows else None
            case _:
                return request

    async def close(self) -> None:
        """Ends them. Idempotent."""
        sessions, self._sessions = self._sessions, []
        await asyncio.gather(*(session.channel.close() for session in sessions))
