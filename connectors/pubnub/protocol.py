"""Encodes requests of PubNub's subscribe API, and decodes its answers. Pure.

A timetoken is a time in units of 100 ns, by one region's clock. A poll names the timetoken up to which all messages
were received, and waits for more; its answer has the messages after it, and the new timetoken.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

import msgspec
import pyarrow as pa

from connectors.unreachable import Unreachable
from connectors.upstream import OFFSET, PARTITION, TIMESTAMP, VALUE

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
    """A position in a channel: all messages up to and including `timetoken` were received; the token is of the clock
    of `region`."""

    timetoken: int
    region: int


class _Place(msgspec.Struct, frozen=True):
    t: str | int
    r: int = 0


class PubnubMessage(msgspec.Struct, frozen=True):
    """A message: `p` is the time and place of publishing, `d` the payload as JSON, `e` the kind of a message that is
    not a plain one."""

    p: _Place
    d: msgspec.Raw
    e: int | None = None

    @property
    def size(self) -> int:
        """The approximate size of the message in memory."""
        return 64 + len(self.d)


class _Answer(msgspec.Struct, frozen=True):
    t: _Place
    m: list[PubnubMessage]


_ANSWER, _TIME = msgspec.json.Decoder(_Answer), msgspec.json.Decoder(list[int | str])


@dataclass(frozen=True, slots=True)
class HeardMessages:
    """The result of a poll: messages in order, and where the next poll goes on. `queued` counts all entries of the
    answer, other kinds of messages included."""

    messages: tuple[PubnubMessage, ...]
    cursor: PubnubCursor
    queued: int


def subscribe_path(subscribe_key: str, channel: str, listener: str, cursor: PubnubCursor | None) -> str:
    """Returns the path of a poll; without a cursor, of the first one, which asks for the channel's current position."""
    asked = {"tt": "0"} if cursor is None else {"tt": str(cursor.timetoken), "tr": str(cursor.region)}
    place = f"{quote(subscribe_key, safe='')}/{quote(channel, safe='')}"
    return f"/v2/subscribe/{place}/0?{urlencode({**asked, 'uuid': listener})}"


TIME_PATH = "/time/0"


def heard(body: bytes) -> HeardMessages:
    """Decodes the answer to a poll. Raises Unreachable when it is no answer of PubNub."""
    try:
        answer = _ANSWER.decode(body)
        cursor = PubnubCursor(int(answer.t.t), answer.t.r)
    except (msgspec.DecodeError, ValueError) as error:
        raise Unreachable(f"the answer is none of PubNub's: {error}") from None
    plain = tuple(message for message in answer.m if message.e in (None, _PLAIN_MESSAGE))
    return HeardMessages(plain, cursor, len(answer.m))


def time_told(body: bytes) -> int:
    """Returns the timetoken of now. Raises Unreachable as `heard`."""
    try:
        (now,) = _TIME.decode(body)
        return int(now)
    except (msgspec.DecodeError, ValueError) as error:
        raise Unreachable(f"the answer is none of PubNub's: {error}") from None


def records_of_messages(messages: list[PubnubMessage]) -> pa.Table:
    """Returns a row for each message, in order, with the payload as the JSON that was sent."""
    timetokens = [int(message.p.t) for message in messages]
    columns = [
        pa.array([message.p.r for message in messages], pa.int64()),
        pa.array(timetokens, pa.int64()),
        pa.array([each // _TICKS_PER_MS for each in timetokens], pa.timestamp("ms", tz="UTC")),
        pa.array([bytes(message.d) for message in messages], pa.binary()),
    ]
    return pa.table(columns, schema=RECORDS_SCHEMA)
