"""Keeps floats without limbs apart from their groups' sums: too large, too fine, or not finite.

Such floats are few, mostly none. They are looked up when a group's sums change and count some.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import HASH_COLUMN, Layout
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN


@dataclass(frozen=True, slots=True)
class RareColumn:
    """A column `name` of floats that sums can't take, NULL elsewhere; the sum `count` counts them in a group."""

    name: str
    count: str


def rare_layout(sums: Layout) -> Layout:
    """Returns the layout for rare floats: the key of the sums, the number of the column, and the float."""
    return Layout(sums.key, (pa.int32(), pa.float64()))


def rare_rows(keyed: pa.Table, sums: Layout, rares: Sequence[RareColumn]) -> pa.Table:
    """Returns the rows of `keyed` that hold floats which sums can't take (too large, too fine, not finite), in
    `rare_layout`."""
    layout = rare_layout(sums)
    parts = [layout.schema.empty_table()]
    for number, rare in enumerate(rares):
        there = keyed.filter(pc.is_valid(keyed.column(rare.name)))
        columns = [
            *there.select([HASH_COLUMN, *sums.key_names]).columns,
            pa.array(np.full(there.num_rows, number, np.int32)),
            there.column(rare.name),
            *there.select([TIME_COLUMN, DIFF_COLUMN]).columns,
        ]
        parts.append(pa.table(columns, schema=layout.schema))
    return pa.concat_tables(parts)


def with_rares(chunk: pa.Table, arranged: Arrangement, rares: Sequence[RareColumn]) -> pa.Table:
    """Adds one column for each of `rares` to an accumulation's output: the group's rare floats, as of before the
    time for retracted sums, and as of the time for asserted sums."""
    lists: list[list[list[float]]] = [[[] for _ in range(chunk.num_rows)] for _ in rares]
    counts = [chunk.column(rare.count).to_numpy() != 0 for rare in rares]
    places = np.flatnonzero(np.any(counts, axis=0))
    if len(places):
        probes = chunk.take(pa.array(places))
        for (place, number, bits), count in _live(probes, arranged).items():
            lists[number][places[place]] += [struct.unpack("<d", bits)[0]] * count
    for rare, values in zip(rares, lists, strict=True):
        chunk = chunk.append_column(rare.name, pa.array(values, pa.list_(pa.float64())))
    return chunk


def _live(probes: pa.Table, arranged: Arrangement) -> Counter[tuple[int, int, bytes]]:
    """Counts each rare float (its bytes) of each column in the group of each probe."""
    times, diffs = probes.column(TIME_COLUMN).to_pylist(), probes.column(DIFF_COLUMN).to_pylist()
    found = arranged.lookup(probes, provisional=True)
    columns = (*arranged.layout.value_names, TIME_COLUMN, DIFF_COLUMN)
    rows = zip(*(found.rows.column(name).to_pylist() for name in columns))
    counts: Counter[tuple[int, int, bytes]] = Counter()
    for place, (number, value, time, diff) in zip(found.probe.tolist(), rows):
        if time < times[place] or (time == times[place] and diffs[place] > 0):
            counts[place, number, struct.pack("<d", value)] += diff
    return +counts
