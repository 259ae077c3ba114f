"""Aggregate calls: handed to the SELECT whose rows they are over, with a placeholder where they stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from model.errors.sqlstate import Sqlstate
from planner.expressions.calls import cast_arguments, held_by_result, not_unique, twin_of, type_list, with_names_written
from planner.expressions.columns import scopes
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.numbers.shown_scales import with_shown_scale
from planner.functions.registry import AGGREGATES
from planner.functions.signature import AggregateFunction, WindowFunction
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.columns import awaited_by, nearest_depth, own_columns, surface
from planner.ir.placeholder import AggregateValue, GroupingNumber, Placeholder
from planner.ir.scalar import Scalar, SessionValue, scalar_type
from planner.scope.names import location_of
from planner.scope.ordering import sort_directions
from planner.scope.scope import Scope
from planner.types.coercion import known
from planner.types.comparability import check_equality, check_order
from planner.types.function_table import aggregates_named
from planner.types.resolution import Ambiguous, Candidate, candidates_for, resolve

GROUPED_PLACES = frozenset(
    (
        ClausePlace.SELECT,
        ClausePlace.HAVING,
        ClausePlace.ORDER_BY,
        ClausePlace.DISTINCT_ON,
        ClausePlace.WINDOW,
        ClausePlace.WINDOW_DEFINITION,
    )
)
"""Clauses that see groups."""


def plan_aggregate(expressions: Expressions, node: Any, name: str) -> Scalar:
    """Plans the call of an aggregate; raises 42803 where no group is there for it."""
    analysis = expressions.analysis
    inner = expressions.at(ClausePlace.AGGREGATE)
    places_before = dict(expressions.scope.select.column_places) if expressions.scope.select else {}
    arguments = [inner.plan(item) for item in node.args]
    locations = [location_of(item) for item in node.args]
    condition = (
        inner.at(ClausePlace.FILTER).plan_boolean(node.agg_filter, "FILTER") if node.HasField("agg_filter") else None
    )
    row, cast = choose(expressions, node, name, overloads(expressions, node, name), arguments, locations)
    cast = with_names_written(analysis, row, cast, locations)
    order = _order(inner, node, cast)
    if row.ordered and not order and not node.agg_distinct and any(map(own_columns, cast)):
        order = _order_of_source(expressions.scope)
    if node.agg_distinct:
        for argument, location in zip(cast, locations, strict=True):
            check_equality(analysis, scalar_type(argument), location)
        order = _distinct_order(expressions, node, arguments, cast, order)
    types = tuple(scalar_type(argument) for argument in cast)
    result = with_shown_scale(row.key, cast, row.result(types) if callable(row.result) else row.result)
    session = tuple(SessionValue(value) for value in row.session)
    aggregate = Aggregate(row.key, (*cast, *session), result, node.agg_distinct, condition, order)
    if expressions.scope.select is not None:
        expressions.scope.select.column_places.clear()
        expressions.scope.select.column_places.update(places_before)
    return register(expressions, aggregate, node.location)


def overloads(expressions: Expressions, node: Any, name: str) -> tuple[AggregateFunction, ...]:
    """Returns the aggregates that a call may mean; those without an argument are called with `*`."""
    rows = aggregates_named(name)
    if node.agg_star:
        return tuple(row for row in rows if not row.arguments)
    if not node.args and any(not row.arguments for row in rows):
        message = f"{name}(*) must be used to call a parameterless aggregate function"
        raise expressions.analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    return tuple(row for row in rows if row.arguments)


Chosen = TypeVar("Chosen", AggregateFunction, WindowFunction)


def choose(
    expressions: Expressions,
    node: Any,
    name: str,
    rows: tuple[Chosen, ...],
    arguments: list[Scalar],
    locations: list[int],
) -> tuple[Chosen, tuple[Scalar, ...]]:
    """Chooses the overload that a call means; returns it with the arguments converted for it. Raises 42883, 42725, and
    42809 for an ordered-set aggregate."""
    analysis = expressions.analysis
    types = [scalar_type(argument) for argument in arguments]
    shown = "*" if node.agg_star else type_list(types)
    candidate: Candidate[Chosen] | None
    try:
        candidate = resolve(candidates_for(rows, len(arguments)), types)
    except Ambiguous:
        raise not_unique(analysis, name, shown, node.location) from None
    if candidate is None:
        message = f"function {name}({shown}) does not exist"
        hint = "No function matches the given name and argument types. You might need to add explicit type casts."
        raise analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, node.location, hint=hint)
    if isinstance(candidate.overload, AggregateFunction) and candidate.overload.direct is not None:
        message = f"WITHIN GROUP is required for ordered-set aggregate {name}"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    if isinstance(candidate.overload, AggregateFunction):
        candidate = twin_of(candidate, AGGREGATES, arguments)
        cast = cast_arguments(analysis, candidate.declared, arguments, locations)
        return candidate.overload, held_by_result(candidate, cast)
    return candidate.overload, cast_arguments(analysis, candidate.declared, arguments, locations)


def _order(expressions: Expressions, node: Any, arguments: tuple[Scalar, ...]) -> tuple[SortKey, ...]:
    keys: list[SortKey] = []
    for item in node.agg_order:
        value = known(expressions.analysis, expressions.plan(item.sort_by.node))
        check_order(expressions.analysis, scalar_type(value), location_of(item.sort_by.node))
        descending, nulls_first = sort_directions(expressions.analysis, item.sort_by)
        keys.append(SortKey(value, descending, nulls_first))
    return tuple(keys)


def _order_of_source(scope: Scope) -> tuple[SortKey, ...]:
    """Returns the ORDER BY of a subquery in FROM: PostgreSQL aggregates rows of a subquery in its order, and users rely
    on the order.
    """
    return scope.items[0].order if len(scope.items) == 1 else ()


def _distinct_order(
    expressions: Expressions,
    node: Any,
    arguments: Sequence[Scalar],
    cast: tuple[Scalar, ...],
    order: tuple[SortKey, ...],
) -> tuple[SortKey, ...]:
    """Returns the order in terms of the arguments as the function takes them; raises 42P10 for a key that is none of
    the arguments."""
    written = dict(zip(arguments, cast, strict=True))
    for key, item in zip(order, node.agg_order, strict=True):
        if key.expression not in written:
            message = "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list"
            place = location_of(item.sort_by.node)
            raise expressions.analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, place)
    return tuple(replace(key, expression=written[key.expression]) for key in order)


def _parts(aggregate: Aggregate) -> list[Scalar]:
    condition = () if aggregate.condition is None else (aggregate.condition,)
    return [*aggregate.arguments, *condition, *(key.expression for key in aggregate.order)]


def _level(aggregate: Aggregate) -> int:
    """Returns the depth of the query that computes an aggregate: the query of the nearest column in its arguments; the
    aggregate's own SELECT if there is no column.
    """
    depths = [depth for depth in map(nearest_depth, _parts(aggregate)) if depth is not None]
    return min(depths, default=0)


def _nested(aggregate: Aggregate, depth: int) -> list[AggregateValue | GroupingNumber]:
    """Returns the aggregates and the GROUPING calls that it reads of the groups so many queries outside."""
    awaited = [each for part in _parts(aggregate) for each in awaited_by(part, depth)]
    return [each for each in awaited if isinstance(each, AggregateValue | GroupingNumber)]


def register(expressions: Expressions, aggregate: Aggregate, location: int) -> Scalar:
    """Adds an aggregate to the SELECT that computes it, and returns its placeholder; raises 42803 for nested
    aggregates.
    """
    depth = _level(aggregate)
    scope = next(scope for at, scope in scopes(expressions.scope) if at == depth)
    nested = _nested(aggregate, depth)
    if scope.select is not None and nested:
        message = "aggregate function calls cannot be nested"
        inner = nested[0]
        place = scope.select.aggregate_places[inner.number] if isinstance(inner, AggregateValue) else location
        raise expressions.analysis.error(Sqlstate.GROUPING_ERROR, message, place)
    _check_place(expressions, scope, depth, location)
    assert scope.select is not None
    if depth:
        aggregate = _surface(aggregate, depth)
    if aggregate not in scope.select.aggregates:
        scope.select.aggregates.append(aggregate)
        scope.select.aggregate_places.append(location)
    return Placeholder(AggregateValue(scope.select.aggregates.index(aggregate)), aggregate.type, depth)


def _check_place(expressions: Expressions, scope: Scope, depth: int, location: int) -> None:
    place = expressions.place
    if scope.select is not None and (depth > 0 or place in GROUPED_PLACES):
        return
    analysis = expressions.analysis
    if place is ClausePlace.AGGREGATE and depth == 0:
        message = "aggregate function calls cannot be nested"
    elif place is ClausePlace.FROM_FUNCTION:
        message = "aggregate functions are not allowed in functions in FROM"
    elif depth > 0:
        message = "aggregate functions are not allowed in FROM clause of their own query level"
    else:
        message = f"aggregate functions are not allowed in {place.value}"
    raise analysis.error(Sqlstate.GROUPING_ERROR, message, location)


def _surface(aggregate: Aggregate, depth: int) -> Aggregate:
    condition = aggregate.condition
    return replace(
        aggregate,
        arguments=tuple(surface(argument, depth) for argument in aggregate.arguments),
        condition=None if condition is None else surface(condition, depth),
        order=tuple(SortKey(surface(k.expression, depth), k.descending, k.nulls_first) for k in aggregate.order),
    )
