"""What goes into a delay: each update at the time at which it happens, and its retraction when that ends."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from compute.arrangement.layout import HASH_COLUMN
from compute.maintain.segments import Query, query_of, row_columns
from compute.operators.context import Context
from compute.operators.rendered import TIMED, Form, Rendered, error_column, select_list
from compute.scalars.failure import Error, first_error
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql, when
from compute.scalars.value import Value
from model.physical import DIFF_COLUMN, TIME_COLUMN, column_name
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar


def delayed(
    context: Context, segment: Relation, since: Scalar | None, until: Scalar | None
) -> tuple[Query, tuple[Form, ...]]:
    """Columns h (the time), c0…, and the forms of c0…. A row that is an error is one from its own time on."""
    input_ = context.rendered(segment)
    if since is not None or until is not None:
        input_ = _happening(context, input_, since, until)
    layers = Layers()
    columns, errors = row_columns(layers, list(input_.values()))
    by_time = (HASH_COLUMN, Sql(TIME_COLUMN), pa.int64())
    return query_of(segment, input_, layers, [by_time, *columns], errors), input_.forms


def _happening(context: Context, input_: Rendered, since: Scalar | None, until: Scalar | None) -> Rendered:
    layers = Layers()
    lowering = context.lowering(input_.values(), layers)
    bounds = [None if scalar is None else layers.once(lowering.lower(scalar)) for scalar in (since, until)]
    error = first_error(input_.error, *(bound.error for bound in bounds if bound is not None))
    columns = [column_name(i) for i in range(input_.arity)]
    listed = select_list(columns, error)
    item = f"explode({_updates(bounds[0], bounds[1], error)}) AS item"
    exploded = f"SELECT {listed}, {item} FROM {layers.over(input_.source)}"
    below = error_column(error) if error is not None else None
    shown = select_list(columns, below)
    text = f"SELECT {shown}, item.time AS {TIME_COLUMN}, item.diff AS {DIFF_COLUMN} FROM ({exploded})"
    return replace(input_, sql=Sql(text), error=below, carried=TIMED)


def _updates(since: Value | None, until: Value | None, error: Error | None) -> str:
    """What becomes of one update, as an array of structs of time and diff; `greatest` passes over NULL."""
    start = TIME_COLUMN if since is None else f"greatest({TIME_COLUMN}, {since.sql})"
    happens = f"named_struct('time', {start}, 'diff', {DIFF_COLUMN})"
    branches = [] if error is None else [(f"{error.sql} IS NOT NULL", f"array({_as_it_is()})")]
    if until is not None:
        end = f"greatest({TIME_COLUMN}, {until.sql})"
        ends = f"named_struct('time', {end}, 'diff', (- {DIFF_COLUMN}))"
        branches.append((f"{until.sql} IS NULL", f"array({happens})"))
        branches.append((f"{end} > {start}", f"array({happens}, {ends})"))
        return when(*branches)
    return when(*branches, otherwise=f"array({happens})") if branches else f"array({happens})"


def _as_it_is() -> str:
    return f"named_struct('time', {TIME_COLUMN}, 'diff', {DIFF_COLUMN})"
