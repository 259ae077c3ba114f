"""Window: values of a row's place in its group. Spark's own window functions over three selects, as Reduce has them:
the inputs of the calls, Spark's windows over them, the answers from those.

What Spark's windows can't say (GROUPS, EXCLUDE, distances in RANGE, aggregates without a lowering) goes to Python
workers, a group at a time, between the first select and the second.

What rows carry (the version that they belong to) tells groups apart as well. The order is total, as in TopK.
"""

from __future__ import annotations

from dataclasses import replace

from compute.operators.aggregates import BUILT_IN, lower_built_in
from compute.operators.context import Context
from compute.operators.group_columns import GroupColumns, exact
from compute.operators.linear import settled
from compute.operators.order import sort_item, whole_row
from compute.operators.rendered import Form, Rendered, decimals_name, error_column, select, select_list
from compute.operators.top_k import group_columns
from compute.operators.union import multiset
from compute.operators.window_frames import FrameRows, frame_bounds, spark_frame
from compute.operators.window_python import PythonCalls
from compute.scalars.failure import first_error
from compute.scalars.layers import Layers
from compute.scalars.numerics import decimals_of
from compute.scalars.spark_sql import Sql, when
from compute.scalars.value import Value, column, derived
from model.physical.columns import column_name
from model.types.scalar_type import BOOL, FLOAT8, INT4, INT8, ScalarType, TypeName
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Window
from planner.ir.scalar import Case, Literal, Scalar, scalar_type
from planner.ir.window import WindowCall

_PLACES: dict[str, ScalarType] = {
    "row_number": INT8,
    "rank": INT8,
    "dense_rank": INT8,
    "percent_rank": FLOAT8,
    "cume_dist": FLOAT8,
}
_INT_MAX = (1 << 31) - 1


def render_window(node: Window, context: Context) -> Rendered:
    input_ = multiset(context.rendered(node.input))
    layers = Layers()
    groups = GroupColumns(context.lowering(input_.values(), layers), layers, context.python, context.shown)
    keys = settled(layers, [groups.lowering.lower(key.expression) for key in node.order])
    named = [column(f"o{i}", key.type, key.decimal) for i, key in enumerate(keys)]
    items = [sort_item(key, spec.descending, spec.nulls_first) for key, spec in zip(named, node.order, strict=True)]
    partition = [*group_columns(input_, node.group), *input_.carried]
    rows = FrameRows(partition, items, whole_row(input_.forms, input_.shown))
    python = PythonCalls(groups, node, context.python)
    answers = [_built_in(groups, call, rows) or python.answer(call) for call in node.calls]

    error = first_error(input_.error, *(key.error for key in keys), *groups.input_errors)
    below = None if error is None else error_column(error)
    columns = [column_name(i) for i in range(input_.arity)]
    inputs = [select_list(columns, error, input_.carried)]
    inputs += [f"{key.sql} AS {name.sql}" for key, name in zip(keys, named, strict=True)]
    inputs += [*map(decimals_name, sorted(input_.shown)), *(f"{sql} AS {name}" for name, sql in groups.inputs)]
    text = f"SELECT {', '.join(inputs)} FROM {layers.over(input_.source)}"
    if rows.placed or python.calls:
        place, rank = f"row_number() OVER ({rows.total}) AS place", f"rank() OVER ({rows.peers}) AS rank"
        text = f"SELECT *, {place}, {rank} FROM ({text})"
    if python.calls:
        text, below = python.answered(text, partition, below)

    listed = [select_list(columns, below, input_.carried)]
    listed += [*map(decimals_name, sorted(input_.shown)), *(f"{sql} AS {name}" for name, sql in groups.partials)]
    values = list(input_.values())
    partials = Rendered(
        Sql(f"SELECT {', '.join(listed)} FROM ({text})"),
        tuple(Form(value.type, value.decimal) for value in (*values, *answers)),
        None if below is None else error_column(below),
        input_.carried,
        shown=input_.shown,
    )
    outputs = settled(groups.finals, answers)
    total = first_error(partials.error, *(answer.error for answer in outputs))
    return select(partials, groups.finals, [*values, *outputs], total, with_shown=context.shown)


def _built_in(groups: GroupColumns, call: WindowCall, rows: FrameRows) -> Value | None:
    """Returns a call that Spark's windows compute; None for all others."""
    if call.function in _PLACES:
        order = rows.total if call.function == "row_number" else rows.peers
        type_ = _PLACES[call.function]
        cast = "CAST({} AS BIGINT)" if type_ == INT8 else "{}"
        return groups.partial(cast.format(f"{call.function}() OVER ({order})"), type_)
    if call.function == "ntile_int4":
        return _ntile(groups, call.arguments[0], rows)
    word = call.function.partition("_")[0]
    if call.function.startswith(("lag_any", "lead_any")):
        return _neighbor(groups, word, call, rows)
    edges = {"first_value_anyelement": "min_by", "last_value_anyelement": "max_by"}
    if call.function not in edges and call.function not in BUILT_IN:
        return None
    frame = spark_frame(call.frame, frame_bounds(call.frame), rows)
    if frame is None:
        return None
    suffix = f" OVER ({frame})"
    if call.function in edges:
        rows.placed = True
        value = exact(groups, groups.lowering.lower(call.arguments[0]))
        edge = edges[call.function]
        found = groups.partial(f"{edge}({value.sql}, place){suffix}", value.type, value.decimal)
        told = None if value.shown is None else groups.partial(f"{edge}({value.shown}, place){suffix}", INT4).sql
        return replace(found, shown=told)
    return lower_built_in(groups, _unconditional(call), suffix)


def _unconditional(call: WindowCall) -> Aggregate:
    """Moves FILTER, unknown to Spark's windows, into the arguments: excluded rows get no argument."""
    if call.condition is None:
        return Aggregate(call.function, call.arguments, call.type)
    if not call.arguments:
        return Aggregate("count_any", (_where(call.condition, Literal(1, INT4)),), call.type)
    return Aggregate(call.function, tuple(_where(call.condition, each) for each in call.arguments), call.type)


def _where(condition: Scalar, value: Scalar) -> Scalar:
    type_ = scalar_type(value)
    return Case(((condition, value),), Literal(None, type_), type_)


def _ntile(groups: GroupColumns, buckets: Scalar, rows: FrameRows) -> Value | None:
    if not isinstance(buckets, Literal) or not isinstance(buckets.value, int) or buckets.value <= 0:
        return None
    return groups.partial(f"ntile({buckets.value}) OVER ({rows.total})", INT4)


def _neighbor(groups: GroupColumns, word: str, call: WindowCall, rows: FrameRows) -> Value | None:
    """Returns a neighbour's value; a struct tells whether the neighbour exists, whatever its value."""
    value, *options = call.arguments
    distance = options[0] if options else Literal(1, INT4)
    if not isinstance(distance, Literal) or not isinstance(distance.value, int) or abs(distance.value) >= _INT_MAX:
        return None
    taken = exact(groups, groups.lowering.lower(value))
    text = f"{word}(named_struct('v', {taken.sql}), {distance.value}) OVER ({rows.total})"
    found = groups.partial(text, BOOL)
    decimal = taken.decimal if taken.type.name is TypeName.NUMERIC else None
    shown = decimals_of(taken) if groups.with_decimals and taken.type.name is TypeName.NUMERIC else None
    told = None if shown is None else groups.partial(f"{word}({shown}, {distance.value}) OVER ({rows.total})", INT4).sql
    if len(options) < 2:
        return derived(f"{found.sql}.v", call.type, found, decimal=decimal, shown=told)
    default = exact(groups, groups.lowering.lower(options[1]))
    own = groups.partial(default.sql, default.type, default.decimal)
    text = when((f"{found.sql} IS NULL", own.sql), otherwise=f"{found.sql}.v")
    other = None if told is None else decimals_of(default)
    if told is not None and other is not None:
        told = when((f"{found.sql} IS NULL", groups.partial(other, INT4).sql), otherwise=told)
    return derived(text, call.type, found, own, decimal=decimal, shown=told)
