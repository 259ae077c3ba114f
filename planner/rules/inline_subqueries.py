"""Replaces subqueries that read no rows by the selected expression: (SELECT t.x + 1) is t.x + 1.

The expression is written once for each use, so a subquery stays if its expressions would grow long.
"""

from __future__ import annotations

from planner.functions.volatility import volatile
from planner.ir.columns import map_columns, surface
from planner.ir.relation import Constant, Map, Project, Relation
from planner.ir.scalar import Scalar, SubqueryValue
from planner.ir.visit import operands_of, rewrite_relation, rewrite_scalar

_SIZE_MAX = 100


def inline_subqueries(relation: Relation) -> Relation:
    """Replaces subqueries that read no rows by the selected expression, at every depth of the relation."""
    return rewrite_relation(relation, _visit, 0)


def _visit(node: Scalar, level: int) -> Scalar | None:
    if not isinstance(node, SubqueryValue):
        return None
    values = values_of_row(node.relation, _SIZE_MAX)
    if values is None:
        return None
    value = rewrite_scalar(values[0], _visit)
    # A subquery is evaluated once where it refers to nothing outside, so that all rows see the same random number.
    return None if volatile(value) else surface(value, 1)


def values_of_row(relation: Relation, size_max: int | None) -> tuple[Scalar, ...] | None:
    """Returns the columns of a relation that has exactly one row because it reads no rows, as expressions over rows
    outside; None for other relations, and where an expression would have more parts than `size_max`."""
    match relation:
        case Constant(rows=(((), 1),)):
            return ()
        case Map():
            below = values_of_row(relation.input, size_max)
            if below is None:
                return None
            scalars = [map_columns(scalar, lambda column: below[column.index]) for scalar in relation.scalars]
            too_long = size_max is not None and any(_size(scalar) > size_max for scalar in scalars)
            return None if too_long else (*below, *scalars)
        case Project():
            values = values_of_row(relation.input, size_max)
            return None if values is None else tuple(values[at] for at in relation.columns)
        case _:
            return None


def _size(scalar: Scalar) -> int:
    return 1 + sum(map(_size, operands_of(scalar)))
