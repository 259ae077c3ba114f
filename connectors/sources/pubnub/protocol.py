"""What PubNub's subscribe API is asked, and what it answers. Pure.

A timetoken is a time in units of 100 ns, of one region's clock. A poll names the one up to which all has been heard,
and waits until there is more; its answer has the messages after it, and the timetoken up to which all is heard then.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

import msgspec
import pyarrow as pa

from connectors.sources.upstream import OFFSET, PARTITION, TIMESTAMP, VALUE
from connectors.unreachable import Unreachable

_TICKS_PER_MS = 10_000
_PLAIN_MESSAGE = 0
RECORDS_SCHEMA = pa.schema(
    [
        (PARTITION, pa.int64()),
        (OFFSET, pa.int64()),
        (TIMESTAMP, pa.timestamp("ms", tz="UTC")),
        (VALUE, pa.binary()),
    ]
)


@dataclass(frozen=True, slots=True)
class PubnubCursor:
    """All of a channel up to `timetoken`, and with it, was heard; `region` is whose clock that is of."""

    timetoken: int
    region: int


class _Place(msgspec.Struct, frozen=True):
    t: str | int
    r: int = 0


class PubnubMessage(msgspec.Struct, frozen=True):
    """`p` says when and where it was published, `d` is what, as JSON; `e` is the kind of what is no plain message."""

    p: _Place
    d: msgspec.Raw
    e: int | None = None

    @property
    def size(self) -> int:
        """About what it takes in memory."""
        return 64 + len(self.d)


class _Answer(msgspec.Struct, frozen=True):
    t: _Place
    m: list[PubnubMessage]


_ANSWER, _TIME = msgspec.json.Decoder(_Answer), msgspec.json.Decoder(list[int | str])


@dataclass(frozen=True, slots=True)
class HeardMessages:
    """What a poll has brought: messages in their order, and where the next poll goes on. `queued`: how much of
    upstream's queue was in the answer, what is no plain message included."""

    messages: tuple[PubnubMessage, ...]
    cursor: PubnubCursor
    queued: int


def subscribe_path(subscribe_key: str, channel: str, listener: str, cursor: PubnubCursor | None) -> str:
    """Of a poll; without a cursor of the first one, which asks where the channel is now."""
    asked = {"tt": "0"} if cursor is None else {"tt": str(cursor.timetoken), "tr": str(cursor.region)}
    place = f"{quote(subscribe_key, safe='')}/{quote(channel, safe='')}"
    return f"/v2/subscribe/{place}/0?{urlencode({**asked, 'uuid': listener})}"


TIME_PATH = "/time/0"


def heard(body: bytes) -> HeardMessages:
    """What a poll was answered. Unreachable when that is none of PubNub's answers."""
    try:
        answer = _ANSWER.decode(body)
        cursor = PubnubCursor(int(answer.t.t), answer.t.r)
    except (msgspec.DecodeError, ValueError) as error:
        raise Unreachable(f"the answer is none of PubNub's: {error}") from None
    plain = tuple(message for message in answer.m if message.e in (None, _PLAIN_MESSAGE))
    return HeardMessages(plain, cursor, len(answer.m))


def time_told(body: bytes) -> int:
    """The timetoken of now. Unreachable as `heard`."""
    try:
        (now,) = _TIME.decode(body)
        return int(now)
    except (msgspec.DecodeError, ValueError) as error:
        raise Unreachable(f"the answer is none of PubNub's: {error}") from None


def records_of_messages(messages: list[PubnubMessage]) -> pa.Table:
    """A row for each, in their order: its payload is JSON as it was sent."""
    timetokens = [int(message.p.t) for message in messages]
    columns = [
        pa.array([message.p.r for message in messages], pa.int64()),
        pa.array(timetokens, pa.int64()),
        pa.array([each // _TICKS_PER_MS for each in timetokens], pa.timestamp("ms", tz="UTC")),
        pa.array([bytes(message.d) for message in messages], pa.binary()),
    ]
    return pa.table(columns, schema=RECORDS_SCHEMA)
