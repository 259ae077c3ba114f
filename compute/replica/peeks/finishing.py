"""Finishes the rows of an index: sort, offset, limit, project. Columns only; no expressions.

Orders are PostgreSQL's (model.order): each sort key becomes a column of ranks, and ranks are sorted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from compute.replica.dataflows.exports.index_key import PLACE_COLUMN
from model.order.datum_order import key_function
from model.physical.columns import DIFF_COLUMN, column_from_arrow, column_name
from model.types.scalar_type import ScalarType, TypeName
from planner.ir.relation import Finishing
from planner.ir.scalar import Column, Literal, Scalar

Numbers = npt.NDArray[np.int64]
_ORDERED_ROWS_MAX = 1024
_NULL_LAST = np.iinfo(np.int64).max
_NULL_FIRST = np.iinfo(np.int64).min


def bounded(finishing: Finishing) -> bool:
    """Returns whether a limit bounds the answer."""
    return _number(finishing.limit) is not None


def narrowed(rows: pa.Table, types: Sequence[ScalarType], finishing: Finishing) -> pa.Table:
    """Returns the rows (c0…, diff) that may be in a bounded answer, judging by these rows alone."""
    offset, limit = _number(finishing.offset) or 0, _number(finishing.limit)
    assert limit is not None, "an answer without bound"
    order = _order(rows, types, finishing)
    counts = rows.column(DIFF_COLUMN).to_numpy()[order]
    enough = int(np.searchsorted(np.cumsum(counts), offset + limit)) + 1
    return rows.take(pa.array(order[:enough]))


def by_key(chunks: Iterable[pa.Table], types: Sequence[ScalarType], key: Sequence[int]) -> Iterator[pa.Table]:
    """Yields an index's rows in the order of its key where they are few; many come as they are. People who ask for no
    order expect that in which the rows were written, which mostly is the key's."""
    few: list[pa.Table] = []
    chunks = iter(chunks)
    for chunk in chunks:
        few.append(chunk)
        if sum(each.num_rows for each in few) > _ORDERED_ROWS_MAX:
            yield from itertools.chain(few, chunks)
            return
    if few:
        rows = pa.concat_tables(few)
        ranks = [_ranks(rows, index, types, False, False) for index in key]
        yield rows.take(pa.array(np.lexsort(ranks[::-1]))) if ranks else rows


def finish_numbered(rows: pa.Table, finishing: Finishing) -> pa.Table:
    """Projects the rows of a lookup of several keys (c0…, PLACE_COLUMN, diff), in no order, with each row as often as
    `diff` says. The last column is the place of the row's key."""
    names = [*(column_name(index) for index in finishing.project), PLACE_COLUMN]
    columns = [rows.column(name) for name in names]
    counts = rows.column(DIFF_COLUMN).to_numpy()
    answer = pa.table(columns, names=[column_name(i) for i in range(len(columns))])
    return answer if (counts == 1).all() else answer.take(pa.array(np.repeat(np.arange(len(counts)), counts)))


def finish(rows: pa.Table, types: Sequence[ScalarType], finishing: Finishing) -> pa.Table:
    """Returns the answer's rows, in order and without the skipped ones, as columns c0, c1, … (`z` when there are none).

    `rows` has columns c0… of `types`, and `diff`: how often each counts, more than zero.
    """
    offset, limit = _number(finishing.offset) or 0, _number(finishing.limit)
    counts = rows.column(DIFF_COLUMN).to_numpy()
    places = _order(rows, types, finishing)
    if not (counts == 1).all():
        places = np.repeat(places, counts[places])
    places = places[offset : None if limit is None else offset + limit]
    if not finishing.project:
        return pa.table({"z": pa.array(np.zeros(len(places), np.int32))})
    projected = rows.select([column_name(index) for index in finishing.project])
    projected = projected.rename_columns([column_name(i) for i in range(len(finishing.project))])
    whole = len(places) == rows.num_rows and bool((places == np.arange(len(places))).all())
    return projected if whole else projected.take(pa.array(places))


def _number(scalar: Scalar | None) -> int | None:
    if scalar is None:
        return None
    assert isinstance(scalar, Literal), "a limit of an index is a literal"
    return None if scalar.value is None else int(str(scalar.value))


def _order(rows: pa.Table, types: Sequence[ScalarType], finishing: Finishing) -> Numbers:
    """Returns the rows' positions in the wanted order. If a limit or an offset selects rows, the whole row breaks
    ties."""
    if not finishing.order:
        return np.arange(rows.num_rows)
    ranks = []
    for key in finishing.order:
        assert isinstance(key.expression, Column), "an index is ordered by columns only"
        ranks.append(_ranks(rows, key.expression.index, types, key.descending, key.nulls_first))
    if bounded(finishing) or _number(finishing.offset):
        ranks += [_ranks(rows, index, types, False, False) for index in range(len(types))]
    return np.lexsort(ranks[::-1])


def _ranks(rows: pa.Table, index: int, types: Sequence[ScalarType], descending: bool, nulls_first: bool) -> Numbers:
    column = rows.column(column_name(index)).combine_chunks()
    ranks = _dense(column, types[index])
    if descending:
        ranks = -ranks
    if column.null_count:
        null = _NULL_FIRST if nulls_first else _NULL_LAST
        ranks = np.where(column.is_null().to_numpy(zero_copy_only=False), null, ranks)
    return ranks


def _dense(column: pa.Array, type_: ScalarType) -> Numbers:
    """Returns numbers for a column's values in their order: equal for equal values, greater for greater values. The
    number of a NULL means nothing."""
    key = key_function(type_)
    if type_.name in (TypeName.FLOAT4, TypeName.FLOAT8):
        values = column.to_numpy(zero_copy_only=False) + 0.0
        _, codes = np.unique(values, return_inverse=True)  # to numpy, too, NaN is one value, and the greatest
        return codes.astype(np.int64)
    if key is not None and type_.name is not TypeName.NUMERIC:
        keys = [None if value is None else key(value) for value in column_from_arrow(column, type_)]
        places = {each: place for place, each in enumerate(sorted({each for each in keys if each is not None}))}
        return np.array([0 if each is None else places[each] for each in keys], np.int64)
    dense: Numbers = pc.rank(column, sort_keys="ascending", tiebreaker="dense").to_numpy().astype(np.int64)
    return dense
