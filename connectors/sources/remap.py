"""The remap collection: assigns upstream's records to times of the server. Pure.

An update (partition, t, +n) says that the next n offsets of the partition belong to t. So the collection, accumulated
at t, is the upstream frontier that is bound by t:

    (1, 1000, +42)  (2, 1000, +40)  (1, 1003, +3)      at 1002: {1: 42, 2: 40}      at 1003: {1: 45, 2: 40}

The reclocked collection at t is the result of the records below that frontier. Bindings are monotone: no frontier goes
back, so no record ever changes its time.

A diff has 64 bits. Where bounds have more (`Gauge.wide`), a bound is written in base 10**18, and an update increments
one digit: (partition, place, t, +n), with the digit's place in the row. Digits add up independently, so the sum is
exact for any number of digits, and consolidates as usual. An increment of a lower digit may be negative, because of
carries.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import pyarrow as pa

from connectors.gauge import Gauge, Partition, UpstreamFrontier, is_note
from model.physical.columns import DIFF_COLUMN, arrow_type, column_name

_BASE = 10**18


class NotMonotone(ValueError):
    """Raised for an upstream frontier that is behind the bound so far."""


def bound_frontier(contents: pa.Table) -> dict[Partition, int]:
    """Returns the upstream frontier of a remap collection's contents at a time: the columns of its rows, and `diff`."""
    frontier: dict[Partition, int] = {}
    for partition, increment in zip(contents.column(column_name(0)).to_pylist(), increments_of(contents), strict=True):
        frontier[partition] = frontier.get(partition, 0) + increment
    return {partition: bound for partition, bound in frontier.items() if bound}


def increments_of(updates: pa.Table) -> list[int]:
    """Returns the increment of its partition's bound for each update of a remap collection."""
    diffs: list[int] = updates.column(DIFF_COLUMN).to_pylist()
    if column_name(1) not in updates.column_names:
        return diffs
    places: list[int] = updates.column(column_name(1)).to_pylist()
    return [diff * _BASE**place for diff, place in zip(diffs, places, strict=True)]


def new_binding(before: UpstreamFrontier, after: UpstreamFrontier, gauge: Gauge) -> pa.Table:
    """Returns the increments that move the remap collection from one upstream frontier to a later one.

    Partitions that `after` does not name stand still. Raises NotMonotone when a partition that is no note would go
    back.
    """
    moved: list[tuple[Partition, int, int]] = []
    for partition, bound in sorted_bounds(after):
        known = before.get(partition, 0)
        if bound < known and not (bound == 0 and isinstance(partition, str) and is_note(partition)):
            raise NotMonotone(f"partition {partition} is bound up to {known}, not {bound}")
        places = zip_longest(_places(known), _places(bound), fillvalue=0) if gauge.wide else [(known, bound)]
        moved += [(partition, place, new - old) for place, (old, new) in enumerate(places) if new != old]
    partitions, at, increments = map(list, zip(*moved, strict=True)) if moved else ([], [], [])
    columns = (partitions, at) if gauge.wide else (partitions,)
    desc = gauge.remap_desc
    return pa.table(
        [
            *(pa.array(held, arrow_type(column.type)) for held, column in zip(columns, desc.columns, strict=True)),
            pa.array(increments, pa.int64()),
        ],
        [*(column_name(number) for number in range(len(columns))), DIFF_COLUMN],
    )


def _places(bound: int) -> Iterator[int]:
    """Yields a bound's digits, the lowest first."""
    while bound:
        bound, digit = divmod(bound, _BASE)
        yield digit


def sorted_bounds(frontier: UpstreamFrontier) -> list[tuple[Partition, int]]:
    """Returns the partitions, sorted, with their bounds."""
    return sorted(frontier.items(), key=lambda each: (str(type(each[0])), each[0]))
