"""Writes the query for a delay's input: each update at its due time, and the retraction at the end of its time."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from compute.arrangement.layout import HASH_COLUMN
from compute.maintain.segments import SegmentQuery, query_of, row_columns
from compute.maintain.steps.delay import TimeBound
from compute.operators.context import Context
from compute.operators.rendered import TIMED, Form, Rendered, error_column, select_list
from compute.scalars.failure import Error
from compute.scalars.layers import Layers
from compute.scalars.lower import Lowering
from compute.scalars.spark_sql import Sql, when
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name
from planner.ir.relation import Relation

_LAST = 2**63 - 1


def delayed(
    context: Context, segment: Relation, since: tuple[TimeBound, ...], until: tuple[TimeBound, ...]
) -> tuple[SegmentQuery, tuple[Form, ...]]:
    """Writes the query for columns h (the time), c0…, and returns the forms of c0…. An error row is due at its own
    time."""
    input_ = context.rendered(segment)
    if since or until:
        input_ = _happening(context, input_, since, until)
    layers = Layers()
    columns, errors = row_columns(layers, list(input_.values()))
    by_time = (HASH_COLUMN, Sql(TIME_COLUMN), pa.int64())
    return query_of(segment, input_, layers, [by_time, *columns], errors), input_.forms


def _happening(
    context: Context, input_: Rendered, since: tuple[TimeBound, ...], until: tuple[TimeBound, ...]
) -> Rendered:
    layers = Layers()
    lowering = context.lowering(input_.values(), layers)
    error = input_.error
    starts = [_bound(lowering, layers, bound) for bound in since]
    ends = [_bound(lowering, layers, bound) for bound in until]
    end = _of_all("least", ends)
    listed = select_list([column_name(i) for i in range(input_.arity)], error)
    item = f"explode({_updates(_of_all('greatest', [TIME_COLUMN, *starts]), end, error)}) AS item"
    exploded = f"SELECT {listed}, {item} FROM {layers.over(input_.source)}"
    below = error_column(error) if error is not None else None
    shown = select_list([column_name(i) for i in range(input_.arity)], below)
    text = f"SELECT {shown}, item.time AS {TIME_COLUMN}, item.diff AS {DIFF_COLUMN} FROM ({exploded})"
    return replace(input_, sql=Sql(text), error=below, carried=TIMED)


def _bound(lowering: Lowering, layers: Layers, bound: TimeBound) -> str:
    """Returns a bound's time; NULL where nothing is bounded."""
    value = layers.once(lowering.lower(bound.at))
    time = f"least({value.sql}, {_LAST - 1}L) + 1L" if bound.after else value.sql
    failed = [] if value.error is None else [f"{value.error.sql} IS NULL"]
    return when((" AND ".join([f"{value.sql} IS NOT NULL", *failed]), time))


def _of_all(word: str, times: list[str]) -> str | None:
    """Returns the greatest or the least of the times, ignoring NULLs."""
    if len(times) < 2:
        return times[0] if times else None
    return f"{word}({', '.join(times)})"


def _updates(start: str | None, until: str | None, error: Error | None) -> str:
    """Returns an array of structs of time and diff for one update."""
    happens = f"named_struct('time', {start}, 'diff', {DIFF_COLUMN})"
    branches = [] if error is None else [(f"{error.sql} IS NOT NULL", f"array({_as_it_is()})")]
    if until is not None:
        end = f"greatest({TIME_COLUMN}, {until})"
        ends = f"named_struct('time', {end}, 'diff', (- {DIFF_COLUMN}))"
        branches.append((f"{until} IS NULL", f"array({happens})"))
        branches.append((f"{end} > {start}", f"array({happens}, {ends})"))
        return when(*branches)
    return when(*branches, otherwise=f"array({happens})") if branches else f"array({happens})"


def _as_it_is() -> str:
    return f"named_struct('time', {TIME_COLUMN}, 'diff', {DIFF_COLUMN})"
