"""Chooses the time of a binding. Pure.

    t = max(now, what the timeline is complete up to, the remap's upper, a time that someone waits for)

So no binding has a time at which the timeline's tables were already complete, and all sources and tables share one
time. `now` comes from another process's clock than the oracle's: it counts for at most AHEAD_MAX_MS beyond the
timeline, so that a wrong clock cannot move the timeline far ahead.
"""

from __future__ import annotations

from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MIN, Timestamp

AHEAD_MAX_MS = 1_000


def binding_time(
    now_ms: int, timeline_upper: Antichain, remap_upper: Antichain, awaited: Timestamp | None = None
) -> Timestamp:
    """Returns the binding's time. The remap's upper is not empty: the source is not dropped."""
    assert remap_upper.time is not None, "nothing can be bound any more"
    timeline = TIMESTAMP_MIN if timeline_upper.time is None else timeline_upper.time
    now = min(now_ms, timeline + AHEAD_MAX_MS)
    return Timestamp(max(now, timeline, remap_upper.time, TIMESTAMP_MIN if awaited is None else awaited))
