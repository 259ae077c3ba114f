"""A sink's recovery log: a shard whose upper is the sink's frontier, and whose rows are the driver's state.

Equation: at every time before its upper, all updates of the sink's input up to that time are in the destination, or
staged, and named by the driver's state. One compare-and-append per transaction, fenced by the environment.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from connectors.sinks.messages import DriverState
from model.physical.columns import DIFF_COLUMN, rows_to_arrow
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import TEXT

LOG_DESC = relation_desc(("key", TEXT, False), ("value", TEXT, False))
"""One row a member of what is remembered: its name, and its value as JSON."""

DRIVER, INPUT, FRONTIER, RANGES = "driver", "input", "frontier", "ranges"
"""The members: the driver's state; the collection that was written, since a sink may come to write another;
where the last transaction closed, for who reads the log as a relation; and in how many ranges of keys the destination
is opened next."""


def merged(state: DriverState, patch: DriverState | None) -> dict[str, Any]:
    """Returns the state with a merge patch applied (RFC 7396): NULL takes a member away."""
    changed = dict(state)
    for name, value in ({} if patch is None else patch).items():
        if value is None:
            changed.pop(name, None)
        elif isinstance(value, Mapping):
            below = changed.get(name)
            changed[name] = merged(below if isinstance(below, Mapping) else {}, value)
        else:
            changed[name] = value
    return changed


def log_entry(before: DriverState, after: DriverState) -> pa.Table:
    """Returns the updates (rows and diffs, without a time yet) that turn one state into another."""
    old, new = set(_rows(before)), set(_rows(after))
    gone, come = sorted(old - new), sorted(new - old)
    table = rows_to_arrow([*gone, *come], LOG_DESC)
    return table.append_column(DIFF_COLUMN, pa.array([-1] * len(gone) + [1] * len(come), pa.int64()))


def logged_state(contents: pa.Table) -> dict[str, Any]:
    """Reads the state from the rows of a log."""
    names, values = contents.column(0).to_pylist(), contents.column(1).to_pylist()
    return {name: json.loads(value) for name, value in zip(names, values, strict=True)}


def _rows(state: DriverState) -> list[Row]:
    return [(name, json.dumps(value, sort_keys=True)) for name, value in state.items()]
