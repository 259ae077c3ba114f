"""Law: for each touched key, at each time with a change of its count or a sum: sums before go out, sums after come in.

An update holds in a0… the total contribution of its diff rows. A key with count 0 has no sums; the one group of an
aggregation without keys always has sums. Sums are exact modulo 2^64: the caller splits contributions into limbs so
small (32 bits, say) that the true sums of any possible number of rows lie within int64, and recombines them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from compute.arrangement.arrangement import CHUNK_ROWS, Arrangement
from compute.arrangement.equality import Indices, Mask, ints
from compute.arrangement.layout import COUNT_COLUMN, HASH_COLUMN, Layout
from compute.kernels.chunks import coalesced
from compute.kernels.groups import Groups, touched_groups
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN


def accumulate_changes(
    arrangement: Arrangement,
    lower: int,
    *,
    one_group: bool = False,
    start: bool = False,
    chunk_rows: int = CHUNK_ROWS,
) -> Iterator[pa.Table]:
    """Yields changed sums as h, k0…, n (the count), a0… (the sums), time, diff (-1 or 1).

    With `one_group`, which has no key, a tick that is the `start` asserts sums at `lower` even when nothing comes in.
    """
    tables = _one_group(arrangement, lower, start) if one_group else _many_groups(arrangement, lower, chunk_rows)
    return coalesced(tables, chunk_rows)


@dataclass(frozen=True, slots=True)
class _Steps:
    """The course of the groups' sums: before and after each change; row 0 of `before` is the count."""

    group: Indices
    times: Indices
    before: Indices
    after: Indices


def _many_groups(arrangement: Arrangement, lower: int, chunk_rows: int) -> Iterator[pa.Table]:
    for groups in touched_groups(arrangement, lower, chunk_rows):
        steps = _steps(groups, arrangement.layout)
        yield _emitted(arrangement.layout, groups.keys, steps, steps.before[0] != 0, steps.after[0] != 0)


def _one_group(arrangement: Arrangement, lower: int, start: bool) -> Iterator[pa.Table]:
    layout = arrangement.layout
    assert not layout.key, "the one group has no key"
    if start:
        sums = np.zeros((1 + layout.sums, 1), np.int64)
        hashes = pa.chunked_array([np.zeros(1, np.int64)])
        yield _output(layout, [hashes], sums, np.array([lower], np.int64), np.ones(1, np.int64))
    for groups in touched_groups(arrangement, lower, CHUNK_ROWS):
        steps = _steps(groups, layout)
        always = np.ones(len(steps.times), np.bool_)
        yield _emitted(layout, groups.keys, steps, always, always)


def _steps(groups: Groups, layout: Layout) -> _Steps:
    columns = (DIFF_COLUMN, *layout.sum_names)
    initial = np.zeros((len(columns), groups.count), np.int64)
    change = np.stack([ints(groups.change.column(name)) for name in columns])
    for totals, name in zip(initial, columns):
        np.add.at(totals, groups.base_group, ints(groups.base.column(name)))
    running = np.cumsum(change, axis=1)
    first = np.searchsorted(groups.change_group, np.arange(groups.count))
    offset = initial - (running[:, first] - change[:, first])
    after = running + offset[:, groups.change_group]
    return _Steps(groups.change_group, ints(groups.change.column(TIME_COLUMN)), after - change, after)


def _emitted(layout: Layout, keys: pa.Table, steps: _Steps, before: Mask, after: Mask) -> pa.Table:
    group = np.concatenate([steps.group[before], steps.group[after]])
    sums = np.concatenate([steps.before[:, before], steps.after[:, after]], axis=1)
    times = np.concatenate([steps.times[before], steps.times[after]])
    diffs = np.repeat(np.array([-1, 1], np.int64), [np.count_nonzero(before), np.count_nonzero(after)])
    return _output(layout, keys.take(pa.array(group)).columns, sums, times, diffs)


def _output(layout: Layout, keys: list[pa.ChunkedArray], sums: Indices, times: Indices, diffs: Indices) -> pa.Table:
    names = [HASH_COLUMN, *layout.key_names, COUNT_COLUMN, *layout.sum_names, TIME_COLUMN, DIFF_COLUMN]
    return pa.table([*keys, *map(pa.array, sums), pa.array(times), pa.array(diffs)], names=names)
