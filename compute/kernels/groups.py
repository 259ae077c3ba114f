"""The groups that a tick touches: their keys, what changed in them and what was in them before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.equality import Indices, flat, ints
from compute.arrangement.layout import HASH_COLUMN
from compute.arrangement.sorting import grouped
from model.physical import TIME_COLUMN


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
    """The groups with changes of this tick, all of whose times are at or after `lower`.

    About `chunk_rows` rows at a time, changed and found, or one group that has more.
    """
    for change in arrangement.changes(chunk_rows=chunk_rows, whole_hashes=True):
        assert int(ints(change.column(TIME_COLUMN)).min()) >= lower, "a change of times that have passed"
        yield from _divided(arrangement, _by_key(arrangement, change), chunk_rows)


def _by_key(arrangement: Arrangement, change: pa.Table) -> tuple[pa.Table, Indices]:
    """The change with each key's rows together, and where each key begins."""
    columns = [flat(change.column(name)) for name in arrangement.layout.key_names]
    order, starts = grouped((ints(change.column(HASH_COLUMN)),), columns, sorted_pieces=True)
    return change.take(pa.array(order)), starts


def _divided(arrangement: Arrangement, by_key: tuple[pa.Table, Indices], chunk_rows: int) -> Iterator[Groups]:
    change, starts = by_key
    keys = change.select([HASH_COLUMN, *arrangement.layout.key_names]).take(pa.array(starts))
    ends = np.append(starts[1:], change.num_rows)
    sizes = np.cumsum(ends - starts + arrangement.count_matches(ints(keys.column(HASH_COLUMN))))
    first = 0
    while first < len(starts):
        before = int(sizes[first - 1]) if first else 0
        stop = max(first + 1, int(np.searchsorted(sizes, before + chunk_rows, "right")))
        mine = keys.slice(first, stop - first)
        found = arrangement.lookup(mine, provisional=False)
        begin, end = int(starts[first]), int(ends[stop - 1])
        group = np.repeat(np.arange(stop - first), (ends - starts)[first:stop])
        yield Groups(mine, change.slice(begin, end - begin), group, found.rows, found.probe)
        first = stop
