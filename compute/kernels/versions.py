"""Law: for each touched key, the rows of its group before the tick, and at each time of the tick with a change of them.

A version has a beginning (t; NULL: before the tick) and an end (u; NULL: still lasting). Results computed from a
version are asserted at t, unless NULL, and retracted at u, unless NULL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from compute.arrangement.arrangement import CHUNK_ROWS, Arrangement
from compute.arrangement.equality import Indices, flat, ints
from compute.arrangement.layout import Layout
from compute.arrangement.sorting import grouped
from compute.kernels.groups import Groups, portions, touched_groups
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from storage.persist.row_hash import row_hash

BEGIN_COLUMN = "t"
END_COLUMN = "u"


def gather_versions(arrangement: Arrangement, lower: int, *, chunk_rows: int = CHUNK_ROWS) -> Iterator[pa.Table]:
    """Yields c0…, k0…, t, u (int64, nullable), diff: how often the version holds the row, never 0.

    A version is never divided, so a chunk may have more than `chunk_rows` rows; a group's versions come in one chunk
    unless they are more than that. A version without rows has none here either.
    """
    for groups in touched_groups(arrangement, lower, chunk_rows):
        yield from versions_of(groups, arrangement.layout, chunk_rows)


def versions_of(groups: Groups, layout: Layout, chunk_rows: int) -> Iterator[pa.Table]:
    """Yields versions like `gather_versions`, of given groups, each of which has a change."""
    history = _history(groups, layout)
    rows = np.bincount(history.row_group, minlength=groups.count)
    for first, stop in portions(rows * history.versions, chunk_rows):
        yield from _portion(history, layout, groups.keys, first, stop, chunk_rows)


@dataclass(frozen=True, slots=True)
class _History:
    """The rows of changed groups before the tick, and their changes during the tick. `rows` are the distinct rows of
    the groups, ascending by `row_group`; update i changes `row[i]` from version `version[i]` of its group on by
    `diff[i]`. Version 0 is the base; version j > 0 of group g begins at `times[first_time[g] + j - 1]`; `versions[g]`
    is how many there are."""

    rows: pa.Table
    row_group: Indices
    row: Indices
    version: Indices
    diff: Indices
    times: Indices
    first_time: Indices
    versions: Indices


def _history(groups: Groups, layout: Layout) -> _History:
    group = np.concatenate([groups.base_group, groups.change_group])
    columns = [*layout.value_names, DIFF_COLUMN]
    both = pa.concat_tables([groups.base.select(columns), groups.change.select(columns)])
    values = [flat(both.column(name)) for name in layout.value_names]
    order, starts = grouped((group, row_hash(values, len(group))), values)
    row = np.empty(len(order), np.int64)
    row[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(order))))
    times, ranks, counts = _times(groups)
    return _History(
        rows=both.select(layout.value_names).take(pa.array(order[starts])),
        row_group=group[order[starts]],
        row=row,
        version=np.concatenate([np.zeros(len(groups.base_group), np.int64), ranks]),
        diff=ints(both.column(DIFF_COLUMN)),
        times=times,
        first_time=np.cumsum(counts) - counts,
        versions=counts + 1,
    )


def _times(groups: Groups) -> tuple[Indices, Indices, Indices]:
    """Returns the distinct times of each group, group by group; each change's rank in its group, from 1; the counts."""
    times = ints(groups.change.column(TIME_COLUMN))
    order, starts = grouped((groups.change_group, times), [])
    first_of_group = np.searchsorted(groups.change_group[order[starts]], np.arange(groups.count + 1))
    place = np.empty(len(order), np.int64)
    place[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(order))))
    return times[order[starts]], place - first_of_group[groups.change_group] + 1, np.diff(first_of_group)


def _portion(
    history: _History, layout: Layout, keys: pa.Table, first: int, stop: int, chunk_rows: int
) -> Iterator[pa.Table]:
    low, high = (int(i) for i in np.searchsorted(history.row_group, [first, stop]))
    mine = (history.row >= low) & (history.row < high)
    row, version, diff = history.row[mine] - low, history.version[mine], history.diff[mine]
    widths = history.versions[history.row_group[low:high]]
    window = max(1, chunk_rows // (high - low)) if stop - first == 1 else int(widths.max())
    counts = np.zeros(high - low, np.int64)
    for begin in range(0, int(widths.max()), window):
        inside = (version >= begin) & (version < begin + window)
        here = np.minimum(widths - begin, window)
        offsets = np.cumsum(here) - here
        course = np.zeros(int(here.sum()), np.int64)
        course[offsets] = counts
        np.add.at(course, offsets[row[inside]] + version[inside] - begin, diff[inside])
        running = np.cumsum(course)
        course = running - np.repeat(running[offsets] - course[offsets], here)
        counts = course[offsets + here - 1]
        held = np.flatnonzero(course)
        if len(held):
            row_of = np.repeat(np.arange(high - low), here)[held]
            yield _output(history, layout, keys, row_of + low, held - offsets[row_of] + begin, course[held])


def _output(
    history: _History, layout: Layout, keys: pa.Table, row: Indices, version: Indices, diff: Indices
) -> pa.Table:
    group = history.row_group[row]
    ended = version + 1 < history.versions[group]
    place = history.first_time[group] + version
    begin = pa.array(history.times[place - 1], mask=version == 0)
    end = pa.array(history.times[np.where(ended, place, 0)], mask=~ended)
    columns = [
        *history.rows.take(pa.array(row)).columns,
        *keys.select(layout.key_names).take(pa.array(group)).columns,
        begin,
        end,
        pa.array(diff),
    ]
    names = [*layout.value_names, *layout.key_names, BEGIN_COLUMN, END_COLUMN, DIFF_COLUMN]
    return pa.table(columns, names=names)
