"""Replaces subqueries that read no rows by the selected expression: (SELECT t.x + 1) is t.x + 1.

The expression is written once for each use, so a subquery stays if its expressions would grow long.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from planner.functions.volatility import calls_volatile, volatile
from planner.ir.columns import map_columns, surface
from planner.ir.relation import Constant, Map, Project, Relation
from planner.ir.scalar import Column, OuterColumn, Scalar, SubqueryValue
from planner.ir.visit import operands_of, rewrite_relation, rewrite_scalar, scalars_of, subqueries_in, walk_relation

_SIZE_MAX = 100


def inline_subqueries(relation: Relation) -> Relation:
    """Replaces subqueries that read no rows by the selected expression, at every depth of the relation."""
    return rewrite_relation(relation, _visit, 0)


def _visit(node: Scalar, level: int) -> Scalar | None:
    if not isinstance(node, SubqueryValue):
        return None
    # The inner subqueries first, and once: what they come to counts in the length of what is written around them.
    relation = inline_subqueries(node.relation)
    values = values_of_row(relation, _SIZE_MAX)
    # A subquery is evaluated once where it refers to nothing outside, so that all rows see the same random number.
    if values is None or volatile(values[0]):
        return replace(node, relation=relation)
    return surface(values[0], 1)


def reads_no_rows(relation: Relation) -> bool:
    """Tells whether a relation has exactly one row because it reads no rows."""
    while isinstance(relation, Map | Project):
        relation = relation.input
    return isinstance(relation, Constant) and relation.rows == (((), 1),)


def value_of_row(relation: Relation) -> Scalar | None:
    """Returns the only column of a relation that reads no rows, as an expression over rows outside. None for other
    relations, and where the expression would grow long, or call volatile functions another number of times, because
    columns are used several times or never."""
    if not reads_no_rows(relation):
        return None
    below, top = _written_out(relation)
    uses = [0] * len(below)
    uses[top[0]] = 1
    plain = long = 0
    for at in range(len(below) - 1, -1, -1):
        scalar, columns = below[at]
        if calls_volatile(scalar) and uses[at] != 1:
            return None
        plain, long = plain + _size(scalar), long + uses[at] * _size(scalar)
        for column in _columns_in(scalar):
            uses[columns[column]] += uses[at]
    if long > plain + _SIZE_MAX:
        return None
    values: list[Scalar] = []
    for scalar, columns in below:
        values.append(map_columns(scalar, partial(_value_at, values, columns)))
    return values[top[0]]


def _written_out(relation: Relation) -> tuple[list[tuple[Scalar, tuple[int, ...]]], tuple[int, ...]]:
    """Returns the expressions of a relation that reads no rows, the inner ones first, each with what its columns are:
    positions among the expressions before it. Then what the relation's columns are."""
    match relation:
        case Map():
            below, columns = _written_out(relation.input)
            own = tuple(range(len(below), len(below) + len(relation.scalars)))
            return [*below, *((scalar, columns) for scalar in relation.scalars)], (*columns, *own)
        case Project():
            below, columns = _written_out(relation.input)
            return below, tuple(columns[at] for at in relation.columns)
        case _:
            return [], ()


def _columns_in(scalar: Scalar) -> list[int]:
    """Returns the columns of the row that an expression is over, each as often as it stands there."""
    found: list[int] = []

    def visit(node: Scalar, level: int) -> Scalar | None:
        if (isinstance(node, Column) and level == 0) or (isinstance(node, OuterColumn) and node.depth == level):
            found.append(node.index)
        return None

    rewrite_scalar(scalar, visit)
    return found


def _value_at(values: list[Scalar], columns: tuple[int, ...], column: Column) -> Scalar:
    return values[columns[column.index]]


def values_of_row(relation: Relation, size_max: int) -> tuple[Scalar, ...] | None:
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
            too_long = any(_size(scalar) > size_max for scalar in scalars)
            return None if too_long else (*below, *scalars)
        case Project():
            values = values_of_row(relation.input, size_max)
            return None if values is None else tuple(values[at] for at in relation.columns)
        case _:
            return None


def _size(scalar: Scalar) -> int:
    within = (
        each for relation in subqueries_in(scalar) for node in walk_relation(relation) for each in scalars_of(node)
    )
    return _parts(scalar) + sum(map(_parts, within))


def _parts(scalar: Scalar) -> int:
    return 1 + sum(map(_parts, operands_of(scalar)))
