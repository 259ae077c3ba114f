"""Chooses the time from which a maintained item is readable. Pure.

hard    not before any input's since: earlier contents are unknown
        at most its own shard's upper - 1, so that no time of the shard is left out (its since while it is empty)
soft    a time at which all inputs are complete, so that it hydrates at once
        earlier by the time of RETAIN HISTORY
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MIN, Timestamp


@dataclass(frozen=True, slots=True)
class Bounds:
    """An input, or the shard written, readable at times in [since, upper)."""

    since: Antichain
    upper: Antichain


def as_of_anew(inputs: Sequence[Bounds], now: Timestamp, retain_ms: int | None) -> Timestamp:
    """Returns the time for a new item. `now` is for items without inputs; `retain_ms` None asks for no past."""
    complete = now
    for each in inputs:
        if each.upper.time is not None:
            complete = min(complete, Timestamp(max(each.upper.time - 1, TIMESTAMP_MIN)))
    return Timestamp(max(_readable(inputs), complete - (retain_ms or 0), TIMESTAMP_MIN))


def as_of_again(inputs: Sequence[Bounds], now: Timestamp, own: Bounds | None) -> Timestamp:
    """Returns the time for an item that an earlier environment maintained; `own` is the shard of a materialized view.

    An index begins at the latest time at which its inputs are complete: a replica that still has the index goes on with
    it.
    """
    if own is None or own.upper.time is None or own.since.time is None:
        return as_of_anew(inputs, now, None)
    if own.upper == own.since:
        return Timestamp(max(own.since.time, _readable(inputs)))
    return Timestamp(max(own.upper.time - 1, _readable(inputs)))


def _readable(inputs: Sequence[Bounds]) -> Timestamp:
    """Returns the least time at which all inputs are readable; raises SqlError when an input will never be readable
    again."""
    least = TIMESTAMP_MIN
    for each in inputs:
        if each.since.time is None:
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, "an input can no longer be read")
        least = max(least, each.since.time)
    return Timestamp(least)
