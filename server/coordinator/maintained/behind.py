"""Reads by key of an index that is behind: what it holds, and what commits have done since to rows with the key.

Each commit moves the time of strict reads, and an index follows when its dataflow has ticked. Who reads by key need not
wait for that. What the index held at its last complete time, and the updates of such rows in later commits, which the
environment has made itself and remembers for a while, are the rows as of any later time:

    rows(key, t) = rows(key, u - 1) + updates(key, u .. t)      u: the index's upper, as far as has been told
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from server.coordinator.environment import Environment
from timeline.footprint import ReadKeys


@dataclass(frozen=True, slots=True)
class IndexTime:
    """An index is asked for rows as of `as_of`; `updates` makes of them what they are when they are wanted."""

    as_of: Timestamp
    updates: Sequence[pa.Table] = field(default=())


def index_time(
    environment: Environment, index: GlobalId, keys: ReadKeys, arity: int, timestamp: Timestamp
) -> IndexTime:
    """When to ask an index on a table, of so many columns, for the rows that have one of the `keys`, wanted as of
    `timestamp`: at that time where it has it, or where it is not known what has happened since."""
    frontiers = environment.dataflows.controller.frontiers(index)
    upper = frontiers.upper.time
    if upper is None or upper > timestamp or len(keys) != 1 or not frontiers.since.less_equal(Timestamp(upper - 1)):
        return IndexTime(timestamp)
    ((key, identities),) = keys.items()
    updates = environment.committer.recent.between(key, identities, Timestamp(upper - 1), timestamp, arity)
    return IndexTime(timestamp) if updates is None else IndexTime(Timestamp(upper - 1), updates)
