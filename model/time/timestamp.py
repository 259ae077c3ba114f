"""A point of a timeline's time: whole milliseconds, from zero up.

Only an oracle or a remap collection mints a timestamp. It is compared with other timestamps of the same
timeline, never with the wall clock (source: seed 2, "Timelines").
"""

from typing import NewType

Timestamp = NewType("Timestamp", int)
"""Unsigned 63-bit milliseconds of its timeline (63, since Arrow and SQL store it in a signed column)."""

TIMESTAMP_MIN = Timestamp(0)
TIMESTAMP_MAX = Timestamp(2**63 - 1)


def step_forward(time: Timestamp) -> Timestamp:
    """Returns the least time after `time`."""
    assert time < TIMESTAMP_MAX, "the timeline has no later time"
    return Timestamp(time + 1)


def step_back(time: Timestamp) -> Timestamp:
    """Returns the greatest time before `time`."""
    assert time > TIMESTAMP_MIN, "the timeline has no earlier time"
    return Timestamp(time - 1)
