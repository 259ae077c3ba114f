"""The remap collection: which of upstream's records belong to which of our times. Pure.

An update (partition, t, +n) says that the next n offsets of the partition belong to t. So the collection, accumulated
at t, is the upstream frontier that is bound by t:

    (1, 1000, +42)  (2, 1000, +40)  (1, 1003, +3)      at 1002: {1: 42, 2: 40}      at 1003: {1: 45, 2: 40}

The reclocked collection at t is what the records below that frontier amount to. Bindings are monotone: no increment is
negative, so no record ever changes its time.
"""

from __future__ import annotations

import pyarrow as pa

from model.physical import DIFF_COLUMN, arrow_type, column_name
from storage.sources.gauge import Gauge, Partition, UpstreamFrontier


class NotMonotone(ValueError):
    """An upstream frontier is behind what is bound already."""


def bound_frontier(contents: pa.Table) -> dict[Partition, int]:
    """The upstream frontier of a remap collection's contents (c0, diff) at a time."""
    partitions, increments = contents.column(column_name(0)).to_pylist(), contents.column(DIFF_COLUMN).to_pylist()
    frontier: dict[Partition, int] = {}
    for partition, increment in zip(partitions, increments, strict=True):
        frontier[partition] = frontier.get(partition, 0) + increment
    return {partition: bound for partition, bound in frontier.items() if bound}


def new_binding(before: UpstreamFrontier, after: UpstreamFrontier, gauge: Gauge) -> pa.Table:
    """The increments (c0, diff) that carry the remap collection from one upstream frontier to a later one.

    Partitions that `after` does not name stand still. NotMonotone when one would go back.
    """
    increments = {partition: bound - before.get(partition, 0) for partition, bound in sorted_bounds(after)}
    for partition, increment in increments.items():
        if increment < 0:
            raise NotMonotone(f"partition {partition} is bound up to {before[partition]}, not {after[partition]}")
    moved = {partition: increment for partition, increment in increments.items() if increment}
    return pa.table(
        [
            pa.array(list(moved), arrow_type(gauge.partition.type)),
            pa.array(list(moved.values()), pa.int64()),
        ],
        [column_name(0), DIFF_COLUMN],
    )


def sorted_bounds(frontier: UpstreamFrontier) -> list[tuple[Partition, int]]:
    """Partitions in order, with their bounds."""
    return sorted(frontier.items(), key=lambda each: (str(type(each[0])), each[0]))
