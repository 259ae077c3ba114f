"""Reads by key from an index that lags: combines its rows with later commits' changes to rows with the key.

Each commit moves the time of strict reads, and an index follows after a tick of its dataflow. A read by key need not
wait: the index's rows at its last complete time, and the updates of such rows in later commits, which the environment
made itself and remembers for a while, give the rows at any later time:

    rows(key, t) = rows(key, u - 1) + updates(key, u .. t)      u: the index's upper, as last reported
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from server.environment.environment import Environment
from timeline.footprint import ReadKeys


@dataclass(frozen=True, slots=True)
class IndexTime:
    """A question to an index: rows as of `as_of`, to which `updates` are then added."""

    as_of: Timestamp
    updates: Sequence[pa.Table] = field(default=())


def index_time(
    environment: Environment, index: GlobalId, keys: ReadKeys, arity: int, timestamp: Timestamp
) -> IndexTime:
    """Returns the question to an index on a table of `arity` columns, for rows with one of the `keys` as of
    `timestamp`: at `timestamp` if the index has it or later changes are unknown, else at the index's last time."""
    frontiers = environment.dataflows.controller.frontiers(index)
    upper = frontiers.upper.time
    if upper is None or upper > timestamp or len(keys) != 1 or not frontiers.since.less_equal(Timestamp(upper - 1)):
        return IndexTime(timestamp)
    ((key, identities),) = keys.items()
    updates = environment.committer.recent.between(key, identities, Timestamp(upper - 1), timestamp, arity)
    return IndexTime(timestamp) if updates is None else IndexTime(Timestamp(upper - 1), updates)
