"""A sink's sessions with its destination: one for each range of keys, all asked alike and at once.

    Open, Acknowledge, FlushLoads, StartCommit   go to each session
    Load, Store                                  go to the session of the keys

All ranges therefore close at the same times, and the runtime reads, and combines, once for all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from compute.replica.sinks.driver_thread import DriverChannel
from compute.replica.sinks.key_ranges import RangeStand, within
from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import (
    ALL_KEYS,
    DriverResponse,
    KeyRange,
    Load,
    Open,
    Opened,
    Request,
    StartCommit,
    Store,
)
from connectors.sinks.ordering import Ordering
from model.time.timestamp import Timestamp


@dataclass(slots=True)
class _Session:
    """One session. `frontier` is that of its range; `partial` tells whether the destination may have parts of a
    transaction that never ended."""

    keys: KeyRange
    channel: DriverChannel
    ordering: Ordering = field(default_factory=Ordering)
    frontier: Timestamp = Timestamp(0)  # noqa: RUF009 - a number
    partial: bool = False

    async def answer(self, request: Request) -> tuple[DriverResponse, ...]:
        responses = await self.channel.ask(request)
        for response in responses:
            self.ordering.responded(response)
        if isinstance(request, StartCommit):
            self.frontier, self.partial = request.frontier, False
        return responses


class Sessions:
    """All sessions: `open` before asking, `close` before opening again."""

    def __init__(self, sink: SinkDescription, open_channel: Callable[[], DriverChannel]) -> None:
        self._sink = sink
        self._open_channel = open_channel
        self._sessions: list[_Session] = []
        self.knows = False
        """Whether the destination says by itself how far it is."""

    @property
    def count(self) -> int:
        return len(self._sessions)

    @property
    def partial(self) -> bool:
        """Returns whether the destination may have parts of a transaction that never ended."""
        return any(session.partial for session in self._sessions)

    def with_parts(self) -> Iterator[tuple[Timestamp, Sessions]]:
        """Yields each session with such parts, alone, and its frontier."""
        for session in self._sessions:
            if session.partial:
                alone = Sessions(self._sink, self._open_channel)
                alone._sessions = [session]
                yield session.frontier, alone

    async def open(self, request: Open, ranges: Sequence[KeyRange]) -> tuple[RangeStand, ...]:
        """Opens a session for each range, one after the other; returns their frontiers."""
        self.knows = True
        stands = []
        for keys in ranges:
            session = _Session(keys, self._open_channel())
            self._sessions.append(session)
            own = replace(request, keys=keys)
            session.ordering.requested(own)
            (opened,) = await session.answer(own)
            assert isinstance(opened, Opened), "the rules say so"
            self.knows &= opened.frontier is not None
            session.partial = opened.partial
            session.frontier = request.frontier if opened.frontier is None else opened.frontier
            stands.append(RangeStand(keys, session.frontier))
        return tuple(stands)

    async def ask(self, *requests: Request) -> tuple[DriverResponse, ...]:
        """Returns the responses of all sessions to requests; requests are sent without waiting for earlier answers."""
        told = [each for request in requests for each in self._told(request)]
        for session, request in told:
            session.ordering.requested(request)
        return tuple(chain.from_iterable(await asyncio.gather(*(session.answer(own) for session, own in told))))

    def _told(self, request: Request) -> Iterator[tuple[_Session, Request]]:
        for session in self._sessions:
            own = request if session.keys == ALL_KEYS else self._own(request, session.keys)
            if own is not None:
                yield session, own

    def _own(self, request: Request, keys: KeyRange) -> Request | None:
        """Returns the part of a request about these keys; None without one."""
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
        """Ends all sessions. Idempotent."""
        sessions, self._sessions = self._sessions, []
        await asyncio.gather(*(session.channel.close() for session in sessions))
