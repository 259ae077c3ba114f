"""Law: d(L ⋈ R) = dL ⋈ R before + L after ⋈ dR; the time of a pair is the later of the two, diffs multiply.

A row with a NULL in its key matches nothing. L and R may be one arrangement (a self join).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.arrangement import CHUNK_ROWS, Arrangement
from compute.arrangement.equality import ints
from compute.arrangement.layout import Layout
from compute.kernels.chunks import coalesced
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name


def join_changes(left: Arrangement, right: Arrangement, *, chunk_rows: int = CHUNK_ROWS) -> Iterator[pa.Table]:
    """Yields c0… of left's columns then right's, time, diff; at most `chunk_rows` rows a chunk; not consolidated.

    Both arrangements have keys of the same types.
    """
    assert left.layout.key == right.layout.key, f"{left.layout.key} can't be joined with {right.layout.key}"
    return coalesced(_pairs(left, right, chunk_rows), chunk_rows)


def _pairs(left: Arrangement, right: Arrangement, chunk_rows: int) -> Iterator[pa.Table]:
    for change in left.changes(chunk_rows=chunk_rows):
        rows = _without_null_keys(change, left.layout)
        for found in right.find(rows, provisional=False, chunk_rows=chunk_rows):
            yield _joined(left.layout, rows.take(pa.array(found.probe)), right.layout, found.rows)
    for change in right.changes(chunk_rows=chunk_rows):
        rows = _without_null_keys(change, right.layout)
        for found in left.find(rows, provisional=True, chunk_rows=chunk_rows):
            yield _joined(left.layout, found.rows, right.layout, rows.take(pa.array(found.probe)))


def _without_null_keys(change: pa.Table, layout: Layout) -> pa.Table:
    for name in layout.key_names:
        key = change.column(name)
        if key.null_count:
            change = change.filter(pc.is_valid(key))
    return change


def _joined(left_layout: Layout, left: pa.Table, right_layout: Layout, right: pa.Table) -> pa.Table:
    columns = [*left.select(left_layout.value_names).columns, *right.select(right_layout.value_names).columns]
    times = np.maximum(ints(left.column(TIME_COLUMN)), ints(right.column(TIME_COLUMN)))
    diffs = ints(left.column(DIFF_COLUMN)) * ints(right.column(DIFF_COLUMN))
    names = [*(column_name(i) for i in range(len(columns))), TIME_COLUMN, DIFF_COLUMN]
    return pa.table([*columns, pa.array(times), pa.array(diffs)], names=names)
