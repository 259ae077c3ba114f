"""Law: the versions of groups, reduced to each version's first rows by `o`: a given number at least, or all of them.

Operators that read no more rows compute the same from prefixes as from whole versions: min and max from the first row,
an ordered LIMIT from as many rows as it skips and returns. A tick's work grows with the change, not with the group.

A tick removes at most as many rows from a group as its retractions count, so that many more rows are read of the
contents before. All versions are then known up to the same place.
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
    """Yields versions like `gather_versions`, with at least the first `first_rows` rows of each; rows equal in o stay
    together.

    The layout is ordered. Changes beyond the rows yielded begin no version.
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
    """Returns the groups with changes in their known prefix, and the rows of the prefix."""
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
