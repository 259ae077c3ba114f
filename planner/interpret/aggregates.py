"""Reduce: groups by keys that are not distinct, and the aggregates of each group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from model.order.datum_order import identity_key
from model.types.datum import Row
from model.types.scalar_type import has_own_decimals
from planner.functions.numbers.decimals import decimals_if_finite
from planner.functions.registry import AGGREGATES
from planner.interpret.execution import Interpretation, RowSource, Scopes
from planner.interpret.scalars import compile_scalar, compile_scalars
from planner.interpret.sorting import order_key, tie_breaker
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Reduce
from planner.ir.scalar import scalar_type

AggregateEvaluator = Callable[[list[Row], Scopes], Any]


def compile_reduce(reduce: Reduce, execution: Interpretation) -> RowSource:
    """Compiles a Reduce: one row a group; without a key one group, even over no rows."""
    source = execution.compile_relation(reduce.input, execution)
    keys = compile_scalars(reduce.key, execution)
    aggregates = [compile_aggregate(aggregate, execution) for aggregate in reduce.aggregates]
    types = [scalar_type(key) for key in reduce.key]
    identity = identity_key(types)
    told_by_values = [at for at, type_ in enumerate(types) if has_own_decimals(type_)]

    def evaluate(scopes: Scopes) -> list[Row]:
        groups: dict[Any, tuple[Row, list[Row]]] = {}
        if not keys:
            groups[()] = ((), source(scopes))
        else:
            for row in source(scopes):
                key = tuple([part(row, scopes) for part in keys])
                same = identity(key)
                found = groups.setdefault(same, (key, []))
                found[1].append(row)
                if told_by_values and found[0] is not key:
                    groups[same] = (with_most_decimals(found[0], key, told_by_values), found[1])
        return [key + tuple([aggregate(rows, scopes) for aggregate in aggregates]) for key, rows in groups.values()]

    return evaluate


def with_most_decimals(key: Row, other: Row, numerics: Sequence[int]) -> Row:
    """Returns a row in which each numeric shows the most decimals of two equal rows, so that the answer doesn't depend
    on the order of rows."""
    shown = list(key)
    for at in numerics:
        one, another = key[at], other[at]
        if isinstance(one, Decimal) and isinstance(another, Decimal):
            shown[at] = max(one, another, key=decimals_if_finite)
    return tuple(shown)


def _distinct(inputs: list[Row], identity: Callable[[Row], Any], numerics: Sequence[int]) -> list[Row]:
    """Returns the first of equal inputs, in their order; numerics show the most decimals of those that are equal."""
    found: dict[Any, Row] = {}
    for values in inputs:
        same = identity(values)
        known = found.setdefault(same, values)
        if numerics and known is not values:
            found[same] = with_most_decimals(known, values, numerics)
    return list(found.values())


def compile_aggregate(aggregate: Aggregate, execution: Interpretation) -> AggregateEvaluator:
    """Returns the aggregate of the rows of a group: FILTER, then DISTINCT, then ORDER BY (or the arguments' own order).

    Rows that tie in ORDER BY go by the arguments, as in Spark: which other columns rows have hangs on the plan."""
    function = AGGREGATES[aggregate.function]
    own = aggregate.arguments[: len(function.arguments)]
    arguments = compile_scalars(own, execution)
    types = tuple(map(scalar_type, own))
    condition = compile_scalar(aggregate.condition, execution) if aggregate.condition is not None else None
    place = order_key(aggregate.order, execution) if aggregate.order else None
    identity, by_value = identity_key(types), tie_breaker(types)
    evaluate: Callable[..., Any] = partial(function.evaluate, types) if function.typed else function.evaluate
    session = [execution.context.session_value(name) for name in function.session]
    numerics = [at for at, type_ in enumerate(types) if has_own_decimals(type_)]

    def run(rows: list[Row], scopes: Scopes) -> Any:
        if condition is not None:
            rows = [row for row in rows if condition(row, scopes) is True]
        inputs = [tuple([argument(row, scopes) for argument in arguments]) for row in rows]
        if place is not None:
            places = [(place(row, scopes), by_value(values)) for row, values in zip(rows, inputs, strict=True)]
            inputs = [inputs[at] for at in sorted(range(len(inputs)), key=places.__getitem__)]
        if function.skips_nulls:
            inputs = [values for values in inputs if None not in values]
        if place is None and function.ordered:
            inputs.sort(key=by_value)
        if aggregate.distinct:
            inputs = _distinct(inputs, identity, numerics)
        return evaluate(inputs, *session)

    return run
