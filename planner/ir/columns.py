"""Moving expressions between rows: shifting columns, counting depths, finding what an expression refers to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from planner.ir.placeholder import Placeholder, StandsFor
from planner.ir.relation import Relation
from planner.ir.scalar import Column, OuterColumn, Scalar
from planner.ir.visit import rewrite_relation, rewrite_scalar


def map_columns(scalar: Scalar, place: Callable[[Column], Scalar]) -> Scalar:
    """Returns the expression with `place(column)` for each column of its own row; in subqueries the answer is moved
    outward."""

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Column) and level == 0:
            return place(node)
        if isinstance(node, OuterColumn) and node.depth == level:
            return deepen(place(Column(node.index, node.type)), level)
        return None

    return rewrite_scalar(scalar, visit)


def shift_columns(scalar: Scalar, by: int) -> Scalar:
    """Returns the expression over a row that has `by` more columns in front."""
    return scalar if by == 0 else map_columns(scalar, lambda column: Column(column.index + by, column.type))


def remap_columns(scalar: Scalar, positions: Mapping[int, int]) -> Scalar:
    """Returns the expression over a row in which column i stands at positions[i]."""
    return map_columns(scalar, lambda column: Column(positions[column.index], column.type))


def _deepen(by: int) -> Callable[[Scalar, int], Scalar | None]:
    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Column) and level == 0:
            return OuterColumn(by, node.index, node.type)
        if isinstance(node, OuterColumn) and node.depth >= max(level, 1):
            depth = node.depth + by
            return OuterColumn(depth, node.index, node.type)
        if isinstance(node, Placeholder) and node.depth >= level:
            return Placeholder(node.stands_for, node.type, node.depth + by)
        return None

    return visit


def deepen(scalar: Scalar, by: int) -> Scalar:
    """Returns the expression as seen from `by` rows further in: its columns become columns of an enclosing row."""
    return scalar if by == 0 else rewrite_scalar(scalar, _deepen(by))


def surface(scalar: Scalar, by: int) -> Scalar:
    """Returns the inverse of `deepen`; the expression refers to nothing nearer than `by` rows out."""

    def visit(node: Scalar, level: int) -> Scalar | None:
        if not isinstance(node, OuterColumn | Placeholder) or node.depth <= level:
            return None
        depth = node.depth - by
        assert depth >= level, "the expression refers to a row that is left behind"
        if isinstance(node, Placeholder):
            return Placeholder(node.stands_for, node.type, depth)
        return Column(node.index, node.type) if depth == 0 else OuterColumn(depth, node.index, node.type)

    return scalar if by == 0 else rewrite_scalar(scalar, visit)


def shift_depths(relation: Relation, by: int) -> Relation:
    """Returns the relation with `by` more rows (fewer, when negative) between it and all the rows outside that it
    refers to."""

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, OuterColumn) and node.depth > level:
            return OuterColumn(node.depth + by, node.index, node.type)
        if isinstance(node, Placeholder) and node.depth > level:
            return Placeholder(node.stands_for, node.type, node.depth + by)
        return None

    return relation if by == 0 else rewrite_relation(relation, visit, 0)


def own_columns(scalar: Scalar) -> set[int]:
    """Returns the positions of the columns of its own row that an expression reads, from inside subqueries too."""
    found: set[int] = set()

    def visit(node: Scalar, level: int) -> Scalar | None:
        if (isinstance(node, Column) and level == 0) or (isinstance(node, OuterColumn) and node.depth == level):
            found.add(node.index)
        return None

    rewrite_scalar(scalar, visit)
    return found


def awaited_by(scalar: Scalar, depth: int = 0) -> list[StandsFor]:
    """Returns the objects behind the placeholders in an expression that belong to the row `depth` scopes out,
    subqueries included."""
    found: list[StandsFor] = []

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Placeholder) and node.depth == level + depth:
            found.append(node.stands_for)
        return None

    rewrite_scalar(scalar, visit)
    return found


def outer_references(relation: Relation, depth: int) -> set[int]:
    """Returns the positions of the columns that a relation reads of the row `depth` scopes out."""
    found: set[int] = set()

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, OuterColumn) and node.depth == level + depth:
            found.add(node.index)
        return None

    rewrite_relation(relation, visit, 0)
    return found


def refers_outward(relation: Relation) -> bool:
    """Tells whether the relation reads any row around it."""
    outward = False

    def visit(node: Scalar, level: int) -> Scalar | None:
        nonlocal outward
        outward = outward or (isinstance(node, OuterColumn | Placeholder) and node.depth > level)
        return None

    rewrite_relation(relation, visit, 0)
    return outward


def nearest_depth(scalar: Scalar) -> int | None:
    """Returns how far out the nearest row is that an expression reads: 0 for its own row; None if no row is read.

    A placeholder reads the row of its own query.
    """
    nearest: list[int] = []

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Column) and level == 0:
            nearest.append(0)
        elif isinstance(node, OuterColumn | Placeholder) and node.depth >= level:
            nearest.append(node.depth - level)
        return None

    rewrite_scalar(scalar, visit)
    return min(nearest, default=None)
