"""Law: as the versions of groups, but of each version's rows only the first by `o`: at least so many, or all it has.

What depends on no more than these is the same for the prefixes as for the whole versions: min and max on the first row,
an ordered LIMIT on as many as it passes over and gives. The work of a tick grows with the change, not with the group.

A tick takes at most as many rows from a group as its retractions count, so that many more are read of what was there
before. Then all versions are known up to the same place.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from compute.arrangement.arrangement import CHUNK_ROWS, Arrangement
from compute.arrangement.equality import Indices, ints
from compute.arrangement.layout import ORDER_COLUMN
from compute.kernels.groups import Groups, changed_groups, portions
from compute.kernels.versions import versions_of
from model.physical.columns import DIFF_COLUMN


def gather_prefixes(
    arrangement: Arrangement, first_rows: int, lower: int, *, chunk_rows: int = CHUNK_ROWS
) -> Iterator[pa.Table]:
    """As `gather_versions`, with at least the first `first_rows` rows of each version, those equal in o together.

    The layout is ordered. Changes beyond the rows that are given begin no version.
    """
    for keys, change, group in changed_groups(arrangement, lower, chunk_rows):
        retracted = np.zeros(keys.num_rows, np.int64)
        np.add.at(retracted, group, np.maximum(-ints(change.column(DIFF_COLUMN)), 0))
        needed = first_rows + retracted
        for first, stop in portions(needed + np.bincount(group), chunk_rows):
            begin, end = (int(i) for i in np.searchsorted(group, [first, stop]))
            own = change.slice(begin, end - begin)
            mine = keys.slice(first, stop - first)
            groups = _prefixes(arrangement, mine, own, group[begin:end] - first, needed[first:stop])
            if groups.count:
                yield from versions_of(groups, arrangement.layout, chunk_rows)


def _prefixes(arrangement: Arrangement, keys: pa.Table, change: pa.Table, group: Indices, needed: Indices) -> Groups:
    """The groups with changes before the place up to which they are known, and what lies before it."""
    prefix = arrangement.find_first(keys, needed)
    near = ints(change.column(ORDER_COLUMN)) <= prefix.last[group]
    touched = np.unique(group[near])
    number = np.full(keys.num_rows, -1)
    number[touched] = np.arange(len(touched))
    base_group = number[prefix.found.probe]
    return Groups(
        keys.take(pa.array(touched)),
        change.filter(pa.array(near)),
        number[group[near]],
        prefix.found.rows.filter(pa.array(base_group >= 0)),
        base_group[base_group >= 0],
    )
