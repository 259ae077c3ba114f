"""The timestamp oracle's state and its four operations, as pure functions (source: seed 2, "Timelines").

    write_ts'  = max(write_ts + 1, now)                      a timestamp for a write, never given before
    peek_write_ts                                            the last one given
    read_ts                                                  every write at or before it has been applied
    apply_write(t):  write_ts' = max(write_ts, t),  read_ts' = max(read_ts, t)

Law: read_ts <= write_ts, and neither ever decreases. A write's timestamp is greater than every read_ts before it.
"""

from __future__ import annotations

import msgspec

from model.time.timestamp import TIMESTAMP_MIN, Timestamp


class OracleState(msgspec.Struct, frozen=True, kw_only=True):
    """The oracle's durable state, one for each timeline."""

    read_ts: Timestamp = TIMESTAMP_MIN
    write_ts: Timestamp = TIMESTAMP_MIN

    @property
    def peek_write_ts(self) -> Timestamp:
        return self.write_ts


def allocate_write(state: OracleState, now_ms: int) -> tuple[OracleState, Timestamp]:
    """Returns a timestamp for a write; `now_ms` is the clock, which only ever pulls forward."""
    timestamp = Timestamp(max(state.write_ts + 1, now_ms))
    return OracleState(read_ts=state.read_ts, write_ts=timestamp), timestamp


def apply_write(state: OracleState, timestamp: Timestamp) -> OracleState:
    """Notes that the writes at `timestamp` are durable and may be read."""
    return OracleState(
        read_ts=max(state.read_ts, timestamp),
        write_ts=max(state.write_ts, timestamp),
    )
