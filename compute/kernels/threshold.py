"""Law: each row comes out max(n, 0) times, where n is the number of equal rows in the input.

Rows are equal when their keys are, though their values may differ (0.0 and -0.0). Rows that came in more often than
they went out then give their values, the least by text first, until n are given: the output depends on nothing but the
contents at the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from compute.arrangement.arrangement import CHUNK_ROWS, Arrangement
from compute.arrangement.equality import Indices, Mask, flat, ints
from compute.arrangement.layout import Layout
from compute.arrangement.sorting import grouped
from compute.kernels.chunks import coalesced
from compute.kernels.groups import Groups, touched_groups
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from storage.persist.row_hash import row_hash


def threshold_changes(arrangement: Arrangement, lower: int, *, chunk_rows: int = CHUNK_ROWS) -> Iterator[pa.Table]:
    """Yields c0…, time, diff of the rows that count more than zero. The key is made of the whole row."""
    tables = (
        table
        for groups in touched_groups(arrangement, lower, chunk_rows)
        for table in _thresholds(groups, arrangement.layout)
    )
    return coalesced(tables, chunk_rows)


def _thresholds(groups: Groups, layout: Layout) -> Iterator[pa.Table]:
    several = _several_kinds(groups, layout)
    yield _of_one_kind(groups, layout, ~several)
    for group in np.flatnonzero(several):
        yield _of_several_kinds(groups, layout, int(group))


def _several_kinds(groups: Groups, layout: Layout) -> Mask:
    """Returns a mask of groups that have rows with different values."""
    group = np.concatenate([groups.change_group, groups.base_group])
    names = layout.value_names
    both = pa.concat_tables([groups.change.select(names), groups.base.select(names)])
    values = [flat(column) for column in both.columns]
    order, starts = grouped((group, row_hash(values, len(group))), values)
    several: Mask = np.bincount(group[order[starts]], minlength=groups.count) > 1
    return several


def _of_one_kind(groups: Groups, layout: Layout, wanted: Mask) -> pa.Table:
    initial = np.zeros(groups.count, np.int64)
    np.add.at(initial, groups.base_group, ints(groups.base.column(DIFF_COLUMN)))
    diffs = ints(groups.change.column(DIFF_COLUMN))
    running = np.cumsum(diffs)
    first = np.searchsorted(groups.change_group, np.arange(groups.count))
    after = running + (initial - running[first] + diffs[first])[groups.change_group]
    moved = np.maximum(after, 0) - np.maximum(after - diffs, 0)
    out = np.flatnonzero((moved != 0) & wanted[groups.change_group])
    rows = groups.change.select([*layout.value_names, TIME_COLUMN]).take(pa.array(out))
    return rows.append_column(DIFF_COLUMN, pa.array(moved[out]))


def _of_several_kinds(groups: Groups, layout: Layout, group: int) -> pa.Table:
    base = groups.base.filter(pa.array(groups.base_group == group))
    change = groups.change.filter(pa.array(groups.change_group == group))
    both = pa.concat_tables([base, change]).select([*layout.value_names, TIME_COLUMN, DIFF_COLUMN])
    kinds = [repr(row) for row in both.select(layout.value_names).to_pylist()]
    place = {kind: i for i, kind in enumerate(kinds)}
    counts: Counter[str] = Counter()
    for kind, diff in zip(kinds, ints(base.column(DIFF_COLUMN)).tolist()):
        counts[kind] += diff
    given = _given(counts)
    updates: list[tuple[int, int, int]] = []
    times, diffs = ints(change.column(TIME_COLUMN)), ints(change.column(DIFF_COLUMN))
    for time in np.unique(times).tolist():
        for i in np.flatnonzero(times == time).tolist():
            counts[kinds[base.num_rows + i]] += int(diffs[i])
        before, given = given, _given(counts)
        updates += [(place[k], time, d) for k in sorted({*before, *given}) if (d := given[k] - before[k])]
    return _table(both, layout, np.array(updates, np.int64).reshape(-1, 3))


def _given(counts: Counter[str]) -> Counter[str]:
    left = max(sum(counts.values()), 0)
    given: Counter[str] = Counter()
    for kind in sorted(kind for kind, count in counts.items() if count > 0):
        given[kind] = min(counts[kind], left)
        left -= given[kind]
    return given


def _table(both: pa.Table, layout: Layout, updates: Indices) -> pa.Table:
    rows = both.select(layout.value_names).take(pa.array(np.ascontiguousarray(updates[:, 0])))
    rows = rows.append_column(TIME_COLUMN, pa.array(np.ascontiguousarray(updates[:, 1])))
    return rows.append_column(DIFF_COLUMN, pa.array(np.ascontiguousarray(updates[:, 2])))
