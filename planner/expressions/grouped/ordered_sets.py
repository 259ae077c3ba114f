"""WITHIN GROUP: ordered-set aggregates, and hypothetical-set aggregates, which give the rank of a row among the others.

    rank(d) WITHIN GROUP (ORDER BY x)       the rows before d, and one
    dense_rank …                            the distinct rows before d, and one
    percent_rank …                          the rows before d / all rows
    cume_dist …                             (the rows before or beside d, and one) / (all rows, and one)

A row is before d if its first differing key is before d's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, FLOAT8, INT8, ScalarType, TypeName
from planner.expressions.calls import call_syntax, cast_arguments, held_by_result, not_unique, type_list
from planner.expressions.comparisons import compare
from planner.expressions.grouped.aggregates import register
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.aggregates.ordered import is_fraction
from planner.functions.signature import AggregateFunction
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.columns import own_columns
from planner.ir.placeholder import DirectArgument, Placeholder
from planner.ir.scalar import TRUE, And, Call, Case, Literal, Or, RowOf, Scalar, scalar_type
from planner.scope.names import location_of
from planner.scope.ordering import sort_directions
from planner.scope.scope import SelectState
from planner.types.coercion import to_common_type
from planner.types.function_table import aggregates_named
from planner.types.resolution import Ambiguous, candidates_for, resolve

HYPOTHETICAL = frozenset(("rank", "dense_rank", "percent_rank", "cume_dist"))


def plan_ordered_set(expressions: Expressions, node: Any, name: str) -> Scalar:
    """Returns a call with WITHIN GROUP; raises 42809 for an aggregate that is none of these, 42883 for arguments that
    do not fit."""
    analysis = expressions.analysis
    inner = expressions.at(ClausePlace.AGGREGATE)
    direct = [inner.plan(item) for item in node.args]
    locations = [location_of(item) for item in node.args]
    as_written = direct
    select = expressions.scope.select
    if select is not None:
        direct = [_of_group(select, argument) for argument in direct]
    places = dict(select.column_places) if select is not None else {}
    sorts = [item.sort_by for item in node.agg_order]
    values = [inner.plan(sort.node) for sort in sorts]
    locations += [location_of(sort.node) for sort in sorts]
    directions = [sort_directions(analysis, sort) for sort in sorts]
    condition = (
        inner.at(ClausePlace.FILTER).plan_boolean(node.agg_filter, "FILTER") if node.HasField("agg_filter") else None
    )
    if select is not None:
        select.column_places.clear()
        select.column_places.update(places)
    if name in HYPOTHETICAL:
        keys = [SortKey(value, *direction) for value, direction in zip(values, directions, strict=True)]
        return _Hypothetical(expressions, node, name, condition).plan(direct, keys, locations)
    row, cast = _chosen(expressions, node, name, direct, values, locations)
    own = cast[len(direct) :]
    order = tuple(SortKey(value, *direction) for value, direction in zip(own, directions, strict=True))
    types = tuple(map(scalar_type, cast))
    result = row.result(types) if callable(row.result) else row.result
    value = register(expressions, Aggregate(row.key, cast, result, False, condition, order), node.location)
    if not as_written or row.arguments[0] != FLOAT8:
        return value
    (fraction,) = cast_arguments(analysis, (FLOAT8,), as_written, locations[:1])
    return _with_fraction_checked(value, fraction)


def _with_fraction_checked(value: Scalar, fraction: Scalar) -> Scalar:
    """Returns the percentile of a group; its fraction is checked also where none of the rows counts, as PostgreSQL
    checks a single one, and no array of them."""
    if isinstance(fraction, Literal) and isinstance(fraction.value, float) and is_fraction(fraction.value):
        return value
    valid = Call("check_fraction_float8_bool", (fraction, Call("is_null_any", (value,), BOOL)), BOOL)
    return Case(((valid, value),), Literal(None, scalar_type(value)), scalar_type(value))


def _of_group(select: SelectState, argument: Scalar) -> Scalar:
    """Returns the placeholder of a direct argument that reads the row: it is computed per group, where keys may be
    left out."""
    if not own_columns(argument):
        return argument
    if argument not in select.direct_arguments:
        select.direct_arguments.append(argument)
    return Placeholder(DirectArgument(select.direct_arguments.index(argument)), scalar_type(argument))


def _chosen(
    expressions: Expressions,
    node: Any,
    name: str,
    direct: Sequence[Scalar],
    values: Sequence[Scalar],
    locations: Sequence[int],
) -> tuple[AggregateFunction, tuple[Scalar, ...]]:
    arguments = [*direct, *values]
    types = [scalar_type(argument) for argument in arguments]
    fitting = [row for row in aggregates_named(name) if row.direct in (None, len(direct))]
    try:
        candidate = resolve(candidates_for(fitting, len(arguments)), types)
    except Ambiguous:
        raise not_unique(expressions.analysis, name, type_list(types), node.location) from None
    if candidate is None:
        hint = "No function matches the given name and argument types. You might need to add explicit type casts."
        raise _missing(expressions, node, name, types, hint)
    if candidate.overload.direct is None:
        message = f"{name} is not an ordered-set aggregate, so it cannot have WITHIN GROUP"
        raise expressions.analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    cast = cast_arguments(expressions.analysis, candidate.declared, arguments, locations)
    return candidate.overload, held_by_result(candidate, cast)


def _missing(expressions: Expressions, node: Any, name: str, types: Sequence[ScalarType], hint: str) -> Exception:
    message = f"function {name}({type_list(types)}) does not exist"
    return expressions.analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, node.location, hint=hint)


class _Hypothetical:
    """One call; `condition` is FILTER's."""

    def __init__(self, expressions: Expressions, node: Any, name: str, condition: Scalar | None) -> None:
        self._expressions = expressions
        self._node = node
        self._name = name
        self._condition = condition

    def plan(self, direct: Sequence[Scalar], keys: Sequence[SortKey], locations: Sequence[int]) -> Scalar:
        if len(direct) != len(keys):
            types = [scalar_type(each) for each in (*direct, *(key.expression for key in keys))]
            hint = (
                f"To use the hypothetical-set aggregate {self._name}, the number of hypothetical direct arguments "
                f"(here {len(direct)}) must match the number of ordering columns (here {len(keys)})."
            )
            raise _missing(self._expressions, self._node, self._name, types, hint)
        pairs = [
            to_common_type(self._expressions.analysis, (key.expression, own), "WITHIN GROUP", (at, place))[0]
            for key, own, at, place in zip(keys, direct, locations[len(direct) :], locations)
        ]
        before, beside = self._before(pairs, keys)
        match self._name:
            case "rank":
                return _add_one(self._count(before))
            case "dense_rank":
                return _add_one(self._count(before, distinct=[value for value, _ in pairs]))
            case "percent_rank":
                return _share(self._count(before), self._count(TRUE))
            case _:
                reached = self._count(Or((before, beside)))
                return _share(_add_one(reached), _add_one(self._count(TRUE)))

    def _before(self, pairs: Sequence[Sequence[Scalar]], keys: Sequence[SortKey]) -> tuple[Scalar, Scalar]:
        """Returns conditions that are never NULL: whether a row precedes the direct arguments, and whether it is
        their peer."""
        cases: list[Scalar] = []
        same: list[Scalar] = []
        for (value, own), key in zip(pairs, keys, strict=True):
            less = compare(self._expressions, ">" if key.descending else "<", value, own, self._node.location)
            nulls = (value, own) if key.nulls_first else (own, value)
            earlier = And((self._null(nulls[0]), _not(self._null(nulls[1]))))
            cases.append(And((*same, Or((earlier, _true(less))))))
            same.append(call_syntax(self._expressions.analysis, "not_distinct", (value, own), self._node.location))
        return Or(tuple(cases)), And(tuple(same))

    def _null(self, scalar: Scalar) -> Scalar:
        return Call("is_null_any", (scalar,), BOOL)

    def _count(self, condition: Scalar, distinct: Sequence[Scalar] = ()) -> Scalar:
        parts = [condition] if self._condition is None else [self._condition, condition]
        if distinct:
            fields = tuple((f"f{at}", scalar_type(value)) for at, value in enumerate(distinct))
            row = RowOf(tuple(distinct), ScalarType(TypeName.RECORD, fields=fields))
            aggregate = Aggregate("count_any", (row,), INT8, True, And(tuple(parts)))
        else:
            aggregate = Aggregate("count_star", (), INT8, False, And(tuple(parts)))
        return register(self._expressions, aggregate, self._node.location)


def _not(scalar: Scalar) -> Scalar:
    return Call("not_bool", (scalar,), BOOL)


def _true(scalar: Scalar) -> Scalar:
    """Returns a condition that is false where `scalar` is NULL, and else equals `scalar`."""
    return Case(((scalar, TRUE),), Literal(False, BOOL), BOOL)


def _add_one(count: Scalar) -> Scalar:
    return Call("add_int8_int8", (count, Literal(1, INT8)), INT8)


def _share(part: Scalar, whole: Scalar) -> Scalar:
    """Returns a share of rows, 0 of nothing."""
    floats = tuple(Call("cast_int8_float8", (count,), FLOAT8) for count in (part, whole))
    some = Call("gt_int8_int8", (whole, Literal(0, INT8)), BOOL)
    return Case(((some, Call("divide_float8_float8", floats, FLOAT8)),), Literal(0.0, FLOAT8), FLOAT8)
