"""Tells whether expressions may fail or vary: others may be evaluated earlier, and for more rows, than asked."""

from __future__ import annotations

from planner.functions.registry import AGGREGATES, TABLE_FUNCTIONS
from planner.interpret.reach import certain_itself, infallible, is_equality
from planner.ir.aggregate import Aggregate
from planner.ir.columns import own_columns
from planner.ir.relation import Filter, FlatMap, Let, Map, Project, Reduce, Relation, TopK, Window
from planner.ir.scalar import (
    Call,
    Exists,
    Literal,
    Scalar,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
)
from planner.ir.visit import operands_of, scalars_of, subqueries_in, walk_relation
from planner.rules.decorrelation.frame import reads_outside


def has_subquery(scalar: Scalar) -> bool:
    """Tells whether the expression contains a subquery."""
    if isinstance(scalar, Exists | SubqueryValue | SubqueryArray | SubqueryCompare):
        return True
    return any(map(has_subquery, operands_of(scalar)))


def safe(scalar: Scalar) -> bool:
    """Tells whether an expression can't fail or vary, nor what its subqueries evaluate."""
    return _safe_itself(scalar) and all(map(safe_relation, subqueries_in(scalar)))


def _safe_itself(scalar: Scalar) -> bool:
    """Tells as `safe` does, without the relations of its subqueries, which the caller checks."""
    match scalar:
        case SubqueryValue():
            return at_most_one(scalar.relation)
        case Exists() | SubqueryArray():
            return True
        case SubqueryCompare():
            return _safe_itself(scalar.condition)
        case _:
            return certain_itself(scalar) and all(map(_safe_itself, operands_of(scalar)))


_INTEGER_SUMS = frozenset(f"{name}_{type_}" for name in ("sum", "avg") for type_ in ("int2", "int4", "int8"))
"""They overflow only over more rows than there can be."""


def safe_aggregate(aggregate: Aggregate) -> bool:
    """Tells whether neither the aggregate nor its arguments can fail."""
    parts = [*aggregate.arguments, *(key.expression for key in aggregate.order)]
    if aggregate.condition is not None:
        parts.append(aggregate.condition)
    fallible = AGGREGATES[aggregate.function].fallible and aggregate.function not in _INTEGER_SUMS
    return not fallible and all(map(infallible, parts))


def safe_relation(relation: Relation) -> bool:
    """Returns whether no expression in the relation can fail or vary."""
    for node in walk_relation(relation):
        if isinstance(node, FlatMap) and TABLE_FUNCTIONS[node.function].fallible:
            return False
        if isinstance(node, Reduce) and any(AGGREGATES[each.function].fallible for each in node.aggregates):
            return False
        if isinstance(node, Window) or not all(map(_safe_itself, scalars_of(node))):
            return False
    return True


def sides(scalar: Scalar) -> tuple[Scalar, Scalar] | None:
    """Returns an infallible equality as (of its own row alone, of the rows outside alone); None for everything else."""
    if not is_equality(scalar) and not _is_sameness(scalar):
        return None
    assert isinstance(scalar, Call)
    if not infallible(scalar):
        return None
    left, right = scalar.arguments
    for own, outer in ((left, right), (right, left)):
        if own_columns(own) and not reads_outside(own) and not own_columns(outer) and reads_outside(outer):
            return own, outer
    return None


def _is_sameness(scalar: Scalar) -> bool:
    return isinstance(scalar, Call) and scalar.function.startswith("not_distinct_") and len(scalar.arguments) == 2


def at_most_one(relation: Relation) -> bool:
    """Tells whether the relation surely has no second row."""
    match relation:
        case Reduce():
            return not relation.key
        case Map() | Project() | Filter():
            return at_most_one(relation.input)
        case Let():
            return at_most_one(relation.body)
        case TopK(_, group, _, limit):
            least = isinstance(limit, Literal) and isinstance(limit.value, int) and limit.value <= 1
            return (least and not group) or at_most_one(relation.input)
        case _:
            return False
