"""Frames of the streaming replication protocol, and WAL positions. Pure.

w  start:int64 end:int64 sent:int64 message     a message of the output plugin
k  end:int64 sent:int64 reply:byte              a keepalive: how far the server has come with its WAL
r  written:int64 flushed:int64 applied:int64 time:int64 reply:byte     what we answer
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_LOW_BITS = 32
_KEEPALIVE = struct.Struct("!cQqb")
_STATUS = struct.Struct("!cQQQqb")
_MESSAGE, _ALIVE = ord("w"), ord("k")
_MESSAGE_AT = 25
_EPOCH_US = 946_684_800_000_000
"""The year 2000, in microseconds since 1970."""


@dataclass(frozen=True, slots=True)
class PluginMessage:
    data: memoryview


@dataclass(frozen=True, slots=True)
class Keepalive:
    """A message from upstream without changes. All changes before `wal_end` have been sent, or are of no concern; with
    `reply` upstream wants an answer at once."""

    wal_end: int
    reply: bool


def parse_frame(frame: memoryview) -> PluginMessage | Keepalive:
    """Parses a frame of the stream."""
    if frame[0] == _MESSAGE:
        return PluginMessage(frame[_MESSAGE_AT:])
    assert frame[0] == _ALIVE, "there are two kinds of frames"
    _, wal_end, _, reply = _KEEPALIVE.unpack(frame)
    return Keepalive(wal_end, bool(reply))


def status_frame(written: int, durable: int, now_us: int) -> bytes:
    """Writes a status: the server may forget everything before `durable`. `now_us` counts from 1970."""
    return _STATUS.pack(b"r", written, durable, durable, now_us - _EPOCH_US, 0)


def parse_lsn(text: str) -> int:
    """Returns a log sequence number such as `16/B374D848` as a whole number."""
    high, low = text.split("/")
    return (int(high, 16) << _LOW_BITS) | int(low, 16)


def format_lsn(lsn: int) -> str:
    """Writes a WAL position as PostgreSQL does."""
    return f"{lsn >> _LOW_BITS:X}/{lsn & ((1 << _LOW_BITS) - 1):X}"
