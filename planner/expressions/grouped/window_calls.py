"""Calls with OVER: handed to the SELECT over whose rows they are, with a placeholder where they stood."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import UNKNOWN
from planner.expressions.grouped.aggregates import choose, overloads
from planner.expressions.grouped.ordered_sets import HYPOTHETICAL
from planner.expressions.grouped.windows import definition_of
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.numbers.shown_scales import with_shown_scale
from planner.functions.rows import ANYELEMENT
from planner.functions.session_functions import SESSION_FUNCTIONS
from planner.functions.signature import AggregateFunction, WindowFunction
from planner.ir.columns import awaited_by
from planner.ir.placeholder import Placeholder, WindowValue
from planner.ir.scalar import Scalar, SessionValue, scalar_type
from planner.ir.window import WindowCall
from planner.scope.names import location_of
from planner.scope.window_use import WindowUse
from planner.types.function_table import (
    aggregates_named,
    functions_named,
    table_functions_named,
    window_functions_named,
)

_ALLOWED = frozenset((ClausePlace.SELECT, ClausePlace.ORDER_BY, ClausePlace.DISTINCT_ON))
_FRAMES = frozenset((ClausePlace.FRAME_ROWS, ClausePlace.FRAME_RANGE, ClausePlace.FRAME_GROUPS))


def plan_window_call(expressions: Expressions, node: Any, name: str) -> Scalar:
    """Returns a window function or an aggregate with OVER; raises 42P20 where there are no rows to look at."""
    _require_windowed(expressions, node, name)
    inner = expressions.at(ClausePlace.WINDOW)
    arguments = [inner.plan(item) for item in node.args]
    locations = [location_of(item) for item in node.args]
    condition = (
        inner.at(ClausePlace.FILTER).plan_boolean(node.agg_filter, "FILTER") if node.HasField("agg_filter") else None
    )
    row, cast = _choose(expressions, node, name, arguments, locations)
    if ANYELEMENT in row.arguments[:1] and scalar_type(arguments[0]) == UNKNOWN:
        message = "could not determine polymorphic type because input has type unknown"
        raise expressions.analysis.error(Sqlstate.DATATYPE_MISMATCH, message)
    _check_syntax(expressions, node, name, row)
    _check_place(expressions, node.location, [*cast, *([] if condition is None else [condition])])
    definition = definition_of(expressions, node.over)
    result = row.result(tuple(map(scalar_type, cast))) if callable(row.result) else row.result
    result = with_shown_scale(row.key, cast, result)
    session = row.session if isinstance(row, AggregateFunction) else ()
    given = (*cast, *(SessionValue(value) for value in session))
    call = WindowCall(row.key, given, result, condition, definition.frame)
    use = WindowUse(definition.partition, definition.order, call)
    select = expressions.scope.select
    assert select is not None, "the place allows window functions"
    if use not in select.windows:
        select.windows.append(use)
    return Placeholder(WindowValue(select.windows.index(use)), result)


def _require_windowed(expressions: Expressions, node: Any, name: str) -> None:
    """Raises 42809 for functions of single rows."""
    if window_functions_named(name) or aggregates_named(name):
        return
    if functions_named(name) or table_functions_named(name) or name in SESSION_FUNCTIONS:
        message = f"OVER specified, but {name} is not a window function nor an aggregate function"
        raise expressions.analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)


def _choose(
    expressions: Expressions, node: Any, name: str, arguments: list[Scalar], locations: list[int]
) -> tuple[AggregateFunction | WindowFunction, tuple[Scalar, ...]]:
    ordered_set = name in HYPOTHETICAL or any(row.direct is not None for row in aggregates_named(name))
    if node.agg_within_group and ordered_set:
        message = f"OVER is not supported for ordered-set aggregate {name}"
        raise expressions.analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, node.location)
    if arguments and name in HYPOTHETICAL:
        message = f"WITHIN GROUP is required for ordered-set aggregate {name}"
        raise expressions.analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    rows = window_functions_named(name)
    if rows:
        return choose(expressions, node, name, rows, arguments, locations)
    return choose(expressions, node, name, overloads(expressions, node, name), arguments, locations)


def _check_syntax(expressions: Expressions, node: Any, name: str, row: AggregateFunction | WindowFunction) -> None:
    analysis = expressions.analysis
    if isinstance(row, WindowFunction) and node.agg_within_group:
        message = f"window function {name} cannot have WITHIN GROUP"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    refused = [
        ("DISTINCT is not implemented for window functions", node.agg_distinct),
        ("aggregate ORDER BY is not implemented for window functions", bool(node.agg_order)),
        (
            "FILTER is not implemented for non-aggregate window functions",
            isinstance(row, WindowFunction) and node.HasField("agg_filter"),
        ),
    ]
    for message, present in refused:
        if present:
            raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, node.location)


def _check_place(expressions: Expressions, location: int, operands: list[Scalar]) -> None:
    analysis, place = expressions.analysis, expressions.place
    nested = any(isinstance(each, WindowValue) for operand in operands for each in awaited_by(operand))
    if nested or place is ClausePlace.WINDOW:
        raise analysis.error(Sqlstate.WINDOWING_ERROR, "window function calls cannot be nested", location)
    if place is ClausePlace.AGGREGATE:
        message = "aggregate function calls cannot contain window function calls"
        raise analysis.error(Sqlstate.GROUPING_ERROR, message, location)
    if place not in _ALLOWED or expressions.scope.select is None:
        where = "window definitions" if place in _FRAMES else place.value
        raise analysis.error(Sqlstate.WINDOWING_ERROR, f"window functions are not allowed in {where}", location)
