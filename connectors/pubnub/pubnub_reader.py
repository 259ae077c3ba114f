"""Listens to a PubNub channel in a separate thread.

The frontier is the cursor of the last poll: of its region, the timetoken + 1. The messages of a poll are never split,
because upstream resumes only at its own cursors; so all messages with one timetoken are bound together. Another region,
with its own clock, may answer from one poll to the next. Reading resumes at the greatest timetoken of all regions; when
a poll's cursor is not beyond that, its messages wait for a poll whose cursor is.

Upstream keeps messages for some minutes, and only a limited number; it does not report dropped ones. Messages may be
lost when nobody has listened for longer than upstream keeps them, or when its queue is full at the place where reading
resumes. The source's status then says so.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from connectors.gauge import Partition, UpstreamFrontier
from connectors.pubnub.channel import PubnubChannel
from connectors.pubnub.http_client import PubnubHttp
from connectors.pubnub.protocol import (
    RECORDS_SCHEMA,
    TIME_PATH,
    HeardMessages,
    PubnubCursor,
    PubnubMessage,
    heard,
    records_of_messages,
    subscribe_path,
    time_told,
)
from connectors.sources.read_ahead import BUFFER_BYTES, ReadAhead
from connectors.unreachable import Unreachable
from connectors.upstream import Arrived, FetchedRange, UpstreamStatus
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.backing_off import BackOff
from model.time.clock import Clock

KEPT_S, QUEUE_MESSAGES = 300, 100
"""What upstream promises to keep of a channel: messages of five minutes, and a hundred of them."""
_TOLD_NS = 60_000_000_000
"""How long a gap is the status; it stays in the status history."""
_TICKS_PER_S = 10_000_000
_BACK_OFF = BackOff(0.1, 10.0)
_IDLE_S = 0.5
"""Between polls that are answered at once, and with nothing."""


@dataclass(frozen=True, slots=True)
class _Poll:
    """The messages that a poll has made ready, and the bound of its region at which reading can resume behind them."""

    region: int
    bound: int
    messages: tuple[PubnubMessage, ...]
    size: int


class PubnubReader(ReadAhead[_Poll]):
    """Listens to a channel; `arrived` is called in the reader's thread."""

    def __init__(self, place: PubnubChannel, clock: Clock, arrived: Arrived) -> None:
        super().__init__(f"pubnub {place.channel}", arrived)
        self._place = place
        self._clock = clock
        self._taken: dict[Partition, int] | None = None
        self._gap: tuple[int, str] | None = None
        self._http: PubnubHttp | None = None
        self._start()

    # The ingestion's side

    def beginning(self) -> UpstreamFrontier:
        """Returns the channel's current position."""
        client = PubnubHttp(self._place.origin)
        try:
            cursor = self._poll(client, None).cursor
        except Unreachable as failure:
            message = f'channel "{self._place.channel}" can\'t be listened to: {failure.reason}'
            raise SqlError(Sqlstate.CONNECTION_EXCEPTION, message, hint=f"{self._place.origin} is asked.") from None
        finally:
            client.close()
        return {cursor.region: cursor.timetoken + 1}

    def begin(self, frontier: UpstreamFrontier) -> None:
        with self._changed:
            if self._failure is None and dict(frontier) == self._taken:
                return  # what was heard comes next, and upstream may not have it any more
            super().begin(frontier)
            self._taken = dict(frontier)
            client = self._http
        if client is not None:
            client.interrupt()

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        messages: list[PubnubMessage] = []
        frontier: dict[Partition, int] = {}
        with self._changed:
            size = 0
            while self._pieces and len(messages) < records_max and size < bytes_max:
                poll = self._pieces.popleft()
                messages += poll.messages
                size += poll.size
                frontier[poll.region] = poll.bound
            self._buffered -= size
            self._taken = (self._taken or {}) | frontier
            if self._failure is not None and not frontier:
                raise self._failure
            self._changed.notify_all()
        if not frontier:
            return None
        return FetchedRange(records_of_messages(messages) if messages else _NO_RECORDS, frontier)

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        """Does nothing: PubNub does not need to know how far messages have been made durable."""

    def status(self) -> UpstreamStatus:
        with self._changed:
            trouble = self._trouble
            if trouble is None and self._gap is not None and self._clock.elapsed_ns() < self._gap[0]:
                trouble = self._gap[1]
            return UpstreamStatus(dict(self._known), trouble)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            client = self._http
        if client is not None:
            client.interrupt()
        super().close()

    # The thread's side

    def _follow(self, frontier: dict[Partition, int]) -> None:
        listening, failures = _Listening(frontier), 0
        while True:
            client = PubnubHttp(self._place.origin)
            with self._changed:
                self._require_stay()
                self._http = client
            try:
                self._look_for_gap(time_told(client.get(TIME_PATH)), listening.cursor)
                anew = True
                while True:
                    answer = self._poll(client, listening.cursor)
                    failures = 0
                    self._heard(listening, answer, anew=anew)
                    anew = False
            except Unreachable as failure:
                failures += 1
                self._say(failure.reason)
                self._pause(_BACK_OFF.delay_s(failures))
            finally:
                with self._changed:
                    self._http = None
                client.close()

    def _poll(self, client: PubnubHttp, cursor: PubnubCursor | None) -> HeardMessages:
        place = self._place
        return heard(client.get(subscribe_path(place.subscribe_key, place.channel, place.listener, cursor)))

    def _heard(self, listening: _Listening, answer: HeardMessages, *, anew: bool) -> None:
        still = answer.cursor == listening.cursor
        if anew and answer.queued >= QUEUE_MESSAGES:
            self._tell_gap(f"{answer.queued} messages were waiting, which is as many as PubNub keeps")
        poll = listening.heard(answer)
        with self._changed:
            self._require_stay()
            if poll is not None:
                self._known[poll.region] = poll.bound
        self._say(None)
        if poll is not None:
            self._put(poll)
        if still:
            self._pause(_IDLE_S)
        self._wait_for_room()

    def _look_for_gap(self, now: int, cursor: PubnubCursor) -> None:
        if now - cursor.timetoken > KEPT_S * _TICKS_PER_S:
            since, until = _utc(cursor.timetoken), _utc(now)
            self._tell_gap(f"nobody has listened from {since} to {until}, and PubNub keeps messages for some minutes")

    def _tell_gap(self, why: str) -> None:
        with self._changed:
            self._trouble = None
            text = f'messages of channel "{self._place.channel}" may be missing: {why}'
            self._gap = self._clock.elapsed_ns() + _TOLD_NS, text
        self._arrived()


class _Listening:
    """The state of listening to a channel: its cursor, and the messages that can't be bound yet."""

    def __init__(self, frontier: UpstreamFrontier) -> None:
        region, bound = max(frontier.items(), key=lambda each: each[1])
        self.cursor = PubnubCursor(bound - 1, int(region))
        self._bound = bound
        self._held: list[PubnubMessage] = []
        self._size = 0

    def heard(self, answer: HeardMessages) -> _Poll | None:
        """Handles an answer; returns the messages that can be bound now, or None while its cursor is not beyond all
        earlier ones."""
        self.cursor = answer.cursor
        self._held += answer.messages
        self._size += sum(message.size for message in answer.messages)
        bound = answer.cursor.timetoken + 1
        if bound <= self._bound:
            if self._size > BUFFER_BYTES:
                raise _stands_still(answer.cursor, self._bound)
            return None
        poll = _Poll(answer.cursor.region, bound, tuple(self._held), self._size)
        self._bound, self._held, self._size = bound, [], 0
        return poll


_NO_RECORDS = RECORDS_SCHEMA.empty_table()


def _utc(timetoken: int) -> str:
    try:
        return datetime.datetime.fromtimestamp(timetoken / _TICKS_PER_S, datetime.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, OSError, ValueError):
        return f"timetoken {timetoken}"


def _stands_still(cursor: PubnubCursor, bound: int) -> SqlError:
    return SqlError(
        Sqlstate.PROGRAM_LIMIT_EXCEEDED,
        f"region {cursor.region} stands at timetoken {cursor.timetoken}, and all below {bound} is bound already",
        detail=f"More than {BUFFER_BYTES} bytes of messages have come since.",
    )
