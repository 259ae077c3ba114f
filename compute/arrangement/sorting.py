"""Sorts one chunk of updates by (h, o, r, time), and consolidates it.

Law: for every row and every time >= since, the sum of the updates up to the time stays the same; no two remaining
updates have equal row and time, and no update is zero (in its diff and all sums).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from compute.arrangement.equality import Indices, Mask, equal_rows, flat, ints, row_codes
from compute.arrangement.layout import Layout
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from storage.persist.row_hash import row_hash

Numbers = tuple[Indices, ...]


def hashed(table: pa.Table, layout: Layout) -> pa.RecordBatch:
    """Converts a table of `layout.schema` to one record batch of `layout.stored`."""
    columns = [flat(column) for column in table.columns]
    values = [flat(table.column(name)) for name in layout.value_names]
    return pa.RecordBatch.from_arrays([*columns, pa.array(row_hash(values, table.num_rows))], schema=layout.stored)


def consolidated(
    pieces: Sequence[pa.RecordBatch], layout: Layout, since: int | None, *, sorted_pieces: bool
) -> pa.RecordBatch:
    """Consolidates pieces (of `layout.stored`, at least one) into one batch; times below `since` are advanced to it.

    With `sorted_pieces`, each piece is sorted by h, and the work is linear.
    """
    rows = pa.concat_batches(pieces) if len(pieces) > 1 else pieces[0]
    times = ints(rows.column(TIME_COLUMN))
    if since is not None and len(times) and int(times.min()) < since:
        times = np.maximum(times, since)
        rows = replaced(rows, TIME_COLUMN, times)
    columns = [rows.column(name) for name in (*layout.key_names, *layout.value_names)]
    numbers = (*(ints(rows.column(name)) for name in layout.sort_names), times)
    order, starts = grouped(numbers, columns, sorted_pieces=sorted_pieces)
    if len(starts) == len(order):
        live = order[_live(rows, layout, None)[order]] if len(order) else order
        return rows if _is_identity(live, rows.num_rows) else rows.take(pa.array(live))
    sums = {name: np.add.reduceat(ints(rows.column(name))[order], starts) for name in (DIFF_COLUMN, *layout.sum_names)}
    live_groups = np.flatnonzero(_live(rows, layout, sums))
    rows = rows.take(pa.array(order[starts[live_groups]]))
    for name, totals in sums.items():
        rows = replaced(rows, name, totals[live_groups])
    return rows


def replaced(rows: pa.RecordBatch, name: str, values: Indices) -> pa.RecordBatch:
    """Replaces the values of an int64 column."""
    index = rows.schema.get_field_index(name)
    return rows.set_column(index, rows.schema.field(index), pa.array(values))


def _live(rows: pa.RecordBatch, layout: Layout, sums: dict[str, Indices] | None) -> Mask:
    live: Mask | None = None
    for name in (DIFF_COLUMN, *layout.sum_names):
        values = ints(rows.column(name)) if sums is None else sums[name]
        live = values != 0 if live is None else live | (values != 0)
    assert live is not None
    return live


def _is_identity(order: Indices, count: int) -> bool:
    return len(order) == count and bool((order == np.arange(count)).all())


def grouped(numbers: Numbers, columns: Sequence[pa.Array], *, sorted_pieces: bool = False) -> tuple[Indices, Indices]:
    """Brings rows together that are equal in all of `numbers` and `columns`, in the order of `numbers`.

    Gives the rows' positions in that order, and where in it each group of equal rows starts. Rows whose first number is
    equal are expected to be few or to differ in the next; columns are compared only where all numbers are equal.
    """
    order = _order(numbers, sorted_pieces)
    alike = np.zeros(len(order), np.bool_)
    alike[1:] = True
    for values in numbers:
        in_order = values[order]
        alike[1:] &= in_order[1:] == in_order[:-1]
    places = np.flatnonzero(alike)
    if len(places):
        equal = _equal_to_previous(columns, order, places)
        if not equal.all():
            _untangle(columns, order, alike)
            equal = _equal_to_previous(columns, order, places)
        alike[places] = equal
    return order, np.flatnonzero(~alike)


def _order(numbers: Numbers, sorted_pieces: bool) -> Indices:
    """Returns the positions in the order of the numbers. Few share the first: only those are looked at twice."""
    first = numbers[0]
    order = np.argsort(first, kind="stable" if sorted_pieces else None)
    in_order = first[order]
    tied = np.zeros(len(order), np.bool_)
    same = in_order[1:] == in_order[:-1]
    tied[1:] |= same
    tied[:-1] |= same
    places = np.flatnonzero(tied)
    if len(places):
        among = order[places]
        order[places] = among[np.lexsort([values[among] for values in reversed(numbers)])]
    return order


def _equal_to_previous(columns: Sequence[pa.Array], order: Indices, places: Indices) -> Mask:
    here, before = pa.array(order[places]), pa.array(order[places - 1])
    return equal_rows([c.take(here) for c in columns], [c.take(before) for c in columns], len(places))


def _untangle(columns: Sequence[pa.Array], order: Indices, alike: Mask) -> None:
    """Brings equal rows together within each run of equal numbers, where different ones collide."""
    in_run = alike.copy()
    in_run[:-1] |= alike[1:]
    places = np.flatnonzero(in_run)
    among = order[places]
    run = np.cumsum(~alike)[places]
    taken = pa.array(among)
    codes = row_codes([column.take(taken) for column in columns], len(places))
    order[places] = among[np.lexsort((codes, run))]
