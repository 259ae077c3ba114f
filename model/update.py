"""Changes to a collection: (row, time, diff), one by one or as columns.

The meaning of updates is their accumulation: a collection at t holds each row as often as the diffs of its
updates at times <= t add up to (source: seed 2, "Time-varying collections").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from model.datum import Row
from model.physical import DIFF_COLUMN, TIME_COLUMN, rows_from_arrow, rows_to_arrow
from model.relation_desc import RelationDesc
from model.timestamp import Timestamp


@dataclass(frozen=True, slots=True)
class Update:
    """`diff` changes the multiplicity of `row` from `time` on; never 0 in a consolidated batch."""

    row: Row
    time: Timestamp
    diff: int


def updates_to_arrow(updates: Iterable[Update], desc: RelationDesc) -> pa.Table:
    """Updates as an Arrow table of `updates_schema(desc)`."""
    updates = list(updates)
    table = rows_to_arrow((update.row for update in updates), desc)
    times = pa.array([update.time for update in updates], pa.int64())
    diffs = pa.array([update.diff for update in updates], pa.int64())
    return table.append_column(TIME_COLUMN, times).append_column(DIFF_COLUMN, diffs)


def updates_from_arrow(table: pa.Table, desc: RelationDesc) -> list[Update]:
    """The updates of an Arrow table of `updates_schema(desc)`."""
    rows = rows_from_arrow(table, desc)
    times = table.column(TIME_COLUMN).to_pylist()
    diffs = table.column(DIFF_COLUMN).to_pylist()
    return [Update(row, Timestamp(time), diff) for row, time, diff in zip(rows, times, diffs, strict=True)]
