"""The groups that a tick touches: their keys, their changes, and their rows before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.equality import Indices, flat, ints
from compute.arrangement.layout import HASH_COLUMN
from compute.arrangement.sorting import grouped
from model.physical.columns import TIME_COLUMN


@dataclass(frozen=True, slots=True)
class Groups:
    """Some whole groups, numbered from 0.

    `keys` has a row of h, k0… for each. `change` and `base` are of the layout's schema; `change_group[i]` is the group
    of change's row i, ascending, and times ascend within equal rows of a group. Only `change` is consolidated.
    """

    keys: pa.Table
    change: pa.Table
    change_group: Indices
    base: pa.Table
    base_group: Indices

    @property
    def count(self) -> int:
        return int(self.keys.num_rows)


def touched_groups(arrangement: Arrangement, lower: int, chunk_rows: int) -> Iterator[Groups]:
    """Yields the groups with changes of this tick, all at times from `lower` on.

    A portion has about `chunk_rows` rows, changed and found, or is a single larger group.
    """
    for keys, change, group in changed_groups(arrangement, lower, chunk_rows):
        counts = np.bincount(group) + arrangement.count_matches(ints(keys.column(HASH_COLUMN)))
        for first, stop in portions(counts, chunk_rows):
            mine = keys.slice(first, stop - first)
            found = arrangement.lookup(mine, provisional=False)
            begin, end = (int(i) for i in np.searchsorted(group, [first, stop]))
            own = change.slice(begin, end - begin)
            yield Groups(mine, own, group[begin:end] - first, found.rows, found.probe)


def changed_groups(
    arrangement: Arrangement, lower: int, chunk_rows: int
) -> Iterator[tuple[pa.Table, pa.Table, Indices]]:
    """Yields `keys`, `change` and `change_group` of Groups, for some groups at a time."""
    names = [HASH_COLUMN, *arrangement.layout.key_names]
    for change in arrangement.changes(chunk_rows=chunk_rows, whole_hashes=True):
        assert int(ints(change.column(TIME_COLUMN)).min()) >= lower, "a change of times that have passed"
        columns = [flat(change.column(name)) for name in arrangement.layout.key_names]
        order, starts = grouped((ints(change.column(HASH_COLUMN)),), columns, sorted_pieces=True)
        group = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(order))))
        by_key = change.take(pa.array(order))
        yield by_key.select(names).take(pa.array(starts)), by_key, group


def portions(sizes: Indices, most: int) -> Iterator[tuple[int, int]]:
    """Yields ranges of places whose sizes add up to at most `most`, or single places."""
    totals = np.cumsum(sizes)
    first = 0
    while first < len(totals):
        before = int(totals[first - 1]) if first else 0
        stop = max(first + 1, int(np.searchsorted(totals, before + most, "right")))
        yield first, stop
        first = stop
