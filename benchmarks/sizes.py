"""How much each measurement does: at full size what the targets speak of, at small size a few minutes in all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Rows unless the name says otherwise. `bases` ascend; `views` and `rates` are those of
    freshness.

    W3 stops after `reading_s`, whatever has been read. `peers`: only those in whose name one of these words is; empty
    for all, as `record_kinds`.
    """

    aggregates: tuple[int, ...]
    changes: int
    reads: int
    reading_s: float
    bases: tuple[int, ...]
    delta_views: tuple[str, ...]
    arranged: int
    looked_up: int
    changed_by_key: int
    branches: int
    encoded: int
    events: int
    event_slices: int
    views: tuple[int, ...]
    rates: tuple[int, ...]
    idle_views: int
    records: int
    streamed: int
    written: int
    backed: int
    hydrated: int
    ticked: int
    record_rates: tuple[int, ...]
    seconds: float
    peers: tuple[str, ...] = ()
    record_kinds: tuple[str, ...] = ()


FULL = Sizes(
    aggregates=(10_000, 1_000_000, 10_000_000),
    changes=1_000_000,
    reads=100_000,
    reading_s=300.0,
    bases=(100_000, 1_000_000, 10_000_000),
    delta_views=("group", "join", "top"),
    arranged=1_000_000,
    looked_up=1_000_000,
    changed_by_key=100_000,
    branches=50,
    encoded=100_000,
    events=1_000_000,
    event_slices=10,
    views=(1, 14, 100),
    rates=(1, 100, 10_000),
    idle_views=1_000,
    records=10_000_000,
    streamed=100_000,
    written=1_000_000,
    backed=100_000_000,
    hydrated=30_000_000,
    ticked=10_000_000,
    record_rates=(100, 1_000, 10_000),
    seconds=10.0,
)
SMALL = Sizes(
    aggregates=(10_000,),
    changes=20_000,
    reads=1_000,
    reading_s=60.0,
    bases=(10_000, 100_000),
    delta_views=("group", "join", "top"),
    arranged=20_000,
    looked_up=20_000,
    changed_by_key=10_000,
    branches=1,
    encoded=10_000,
    events=5_000,
    event_slices=2,
    views=(1, 3),
    rates=(100,),
    idle_views=10,
    records=100_000,
    streamed=5_000,
    written=20_000,
    backed=100_000,
    hydrated=40_000,
    ticked=40_000,
    record_rates=(100,),
    seconds=2.0,
)
