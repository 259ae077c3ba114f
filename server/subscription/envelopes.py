"""The updates of complete timestamps, as the statement wants to see them. Pure.

In: columns c0, c1, …, `time`, `diff`; consolidated, in order of time. Out: `time` and the columns that the plan's desc
has after its timestamp and progress, named c0, c1, … again; in order of time.

For a key at a timestamp, with p rows asserted and m retracted:

    p  m      UPSERT            DEBEZIUM
    1  0      upsert            insert
    1  1      upsert            upsert
    0  1      delete            delete
    otherwise key_violation     key_violation
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name, rows_from_arrow
from model.physical.shown_numerics import with_shown_numerics
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import INT8
from model.updates.consolidate import key_array
from planner.interpret.context import EvaluationContext
from planner.interpret.flows import interpretation
from planner.interpret.sorting import sorter
from planner.ir.aggregate import SortKey
from planner.plans.subscribing import Debezium, Differences, SubscribeOutput, Upsert
from storage.persist.snapshot import in_order_of_time

Envelope = Callable[[pa.Table], pa.Table]

_PLUS, _MINUS, _AFTER, _BEFORE = "plus", "minus", "after", "before"
_VIOLATION = "key_violation"


def envelope_of(
    output: SubscribeOutput, desc: RelationDesc, context: EvaluationContext, told: Sequence[tuple[int, int]] = ()
) -> Envelope:
    """Returns the envelope's function for updates of `desc`; `context` is for expressions in an order. Numerics come
    out as texts where columns tell their decimals: `told` has pairs of positions, of a numeric and of such a column
    behind all others."""
    seen = RelationDesc(desc.columns[: desc.arity - len(told)])

    def shown(table: pa.Table) -> pa.Table:
        return with_shown_numerics(table, told)

    match output:
        case Differences(order=()):
            return lambda table: _differences(shown(table))
        case Differences(order=order):
            return lambda table: _differences(_sorted(shown(table), order, seen, context))
        case Upsert(keys=keys):
            return lambda table: _upserts(_by_key(table, keys), shown(table), keys)
        case Debezium(keys=keys):
            return lambda table: _befores_and_afters(_by_key(table, keys), shown(table), keys)
        case _:
            assert_never(output)


def _table(time: pa.ChunkedArray, columns: Sequence[pa.ChunkedArray | pa.Array]) -> pa.Table:
    names = [TIME_COLUMN, *(column_name(at) for at in range(len(columns)))]
    return pa.Table.from_arrays([time, *columns], names=names)


def _differences(table: pa.Table) -> pa.Table:
    rows = [table.column(column_name(at)) for at in range(table.num_columns - 2)]
    return _table(table.column(TIME_COLUMN), [table.column(DIFF_COLUMN), *rows])


def _sorted(table: pa.Table, order: Sequence[SortKey], desc: RelationDesc, context: EvaluationContext) -> pa.Table:
    """Sorts rows within each timestamp by `order`, whose column 0 is the diff; ties are sorted by the whole row."""
    diffs, times = table.column(DIFF_COLUMN).to_pylist(), table.column(TIME_COLUMN).to_pylist()
    rows = rows_from_arrow(table, desc)
    sort = sorter(order, (INT8, *desc.types, INT8), interpretation(context))
    places: list[int] = []
    start = 0
    while start < len(rows):
        end = start + times[start:].count(times[start])
        numbered: list[Row] = [(diffs[at], *rows[at], at) for at in range(start, end)]
        places.extend(int(str(row[-1])) for row in sort(numbered, ()))
        start = end
    return table.take(places)


def _by_key(table: pa.Table, keys: Sequence[int]) -> pa.Table:
    """Returns a row for each time and key: how many rows were asserted and retracted, and where the last of each
    stands."""
    diffs = table.column(DIFF_COLUMN).to_numpy()
    places = np.arange(table.num_rows)
    asserted, retracted = diffs > 0, diffs < 0
    names = [column_name(key) for key in keys]
    counted = pa.table(
        [table.column(TIME_COLUMN), *(key_array(table.column(name)) for name in names)]
        + [pa.array(np.where(asserted, diffs, 0)), pa.array(np.where(retracted, -diffs, 0))]
        + [pa.array(places, mask=~asserted), pa.array(places, mask=~retracted)],
        names=[TIME_COLUMN, *names, _PLUS, _MINUS, _AFTER, _BEFORE],
    )
    grouped = counted.group_by([TIME_COLUMN, *names], use_threads=False).aggregate(
        [(_PLUS, "sum"), (_MINUS, "sum"), (_AFTER, "max"), (_BEFORE, "max")]
    )
    columns = [grouped.column(TIME_COLUMN), grouped.column(f"{_PLUS}_sum"), grouped.column(f"{_MINUS}_sum")]
    columns += [grouped.column(f"{_AFTER}_max"), grouped.column(f"{_BEFORE}_max")]
    return in_order_of_time(pa.table(columns, names=[TIME_COLUMN, _PLUS, _MINUS, _AFTER, _BEFORE]))


def _states(groups: pa.Table, inserted: str) -> pa.ChunkedArray:
    plus, minus = groups.column(_PLUS), groups.column(_MINUS)
    one_plus, one_minus = pc.equal(plus, 1), pc.equal(minus, 1)
    no_plus, no_minus = pc.equal(plus, 0), pc.equal(minus, 0)
    cases = pc.make_struct(pc.and_(one_plus, no_minus), pc.and_(one_plus, one_minus), pc.and_(no_plus, one_minus))
    return pc.case_when(cases, inserted, "upsert", "delete", _VIOLATION)


def _upserts(groups: pa.Table, table: pa.Table, keys: Sequence[int]) -> pa.Table:
    states = _states(groups, "upsert")
    after = _where(pc.equal(states, "upsert"), groups.column(_AFTER))
    columns = [*_keys(table, keys, groups), *_values(table, keys, after)]
    return _table(groups.column(TIME_COLUMN), [states, *columns])


def _befores_and_afters(groups: pa.Table, table: pa.Table, keys: Sequence[int]) -> pa.Table:
    states = _states(groups, "insert")
    sound = pc.not_equal(states, _VIOLATION)
    before, after = _where(sound, groups.column(_BEFORE)), _where(sound, groups.column(_AFTER))
    columns = [*_keys(table, keys, groups), *_values(table, keys, before), *_values(table, keys, after)]
    return _table(groups.column(TIME_COLUMN), [states, *columns])


def _where(condition: pa.ChunkedArray, places: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.if_else(condition, places, pa.scalar(None, places.type))


def _keys(table: pa.Table, keys: Sequence[int], groups: pa.Table) -> list[pa.ChunkedArray]:
    places = pc.coalesce(groups.column(_AFTER), groups.column(_BEFORE))
    return [table.column(column_name(key)).take(places) for key in keys]


def _values(table: pa.Table, keys: Sequence[int], places: pa.ChunkedArray) -> list[pa.ChunkedArray]:
    """Returns the columns that are not keys, at `places`; NULL where a place is NULL."""
    others = [at for at in range(table.num_columns - 2) if at not in keys]
    return [table.column(column_name(at)).take(places) for at in others]
