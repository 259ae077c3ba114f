"""The rows outside a relation, as decorrelation carries them, and how expressions refer to them from inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.types.relation_desc import RelationDesc
from planner.functions.numbers.shown_scales import decimals_of_value
from planner.functions.sameness import same
from planner.ir.placeholder import Placeholder
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Join, JoinKind, Project, Reduce, Relation
from planner.ir.scalar import Column, OuterColumn, Scalar, scalar_type
from planner.ir.visit import rewrite_relation, rewrite_scalar

NO_COLUMNS = Constant((((), 1),), RelationDesc(()))
"""One row without columns: what surrounds a query that nothing surrounds."""


@dataclass(frozen=True, slots=True)
class OuterFrame:
    """The rows outside, as a relation, and where each outer column stands in it: (depth, index) to position."""

    outer: Relation
    positions: Mapping[tuple[int, int], int]

    @property
    def width(self) -> int:
        return relation_desc_of(self.outer).arity

    def inside(self, scalar: Scalar, row_at: int) -> Scalar:
        """Returns the expression over the frame's columns followed by its own row, which begins at `row_at`."""

        def visit(node: Scalar, level: int) -> Scalar | None:
            match node:
                case Column(index, type_) if level == 0:
                    return Column(row_at + index, type_)
                case OuterColumn(depth, index, type_) if depth == level and level > 0:
                    return OuterColumn(level, row_at + index, type_)
                case OuterColumn(depth, index, type_) if depth > level:
                    position = self.positions[(depth - level, index)]
                    return Column(position, type_) if level == 0 else OuterColumn(level, position, type_)
                case _:
                    return None

        return rewrite_scalar(scalar, visit)

    def around(self, relation: Relation, row_at: int) -> Relation:
        """Returns a lateral relation, where the row that it serves has become the frame's columns and itself at
        `row_at`."""

        def visit(node: Scalar, level: int) -> Scalar | None:
            match node:
                case OuterColumn(depth, index, type_) if depth == level + 1:
                    return OuterColumn(depth, row_at + index, type_)
                case OuterColumn(depth, index, type_) if depth > level + 1:
                    return OuterColumn(level + 1, self.positions[(depth - level - 1, index)], type_)
                case _:
                    return None

        return rewrite_relation(relation, visit, 0)


TOP = OuterFrame(NO_COLUMNS, {})


def beside(scalar: Scalar, width: int) -> Scalar:
    """Returns an expression over a row and one outer row as an expression over the outer row (of `width` columns)
    followed by the row.
    """

    def visit(node: Scalar, level: int) -> Scalar | None:
        match node:
            case Column(index, type_) if level == 0:
                return Column(width + index, type_)
            case OuterColumn(depth, index, type_) if depth == level and level > 0:
                return OuterColumn(level, width + index, type_)
            case OuterColumn(depth, index, type_) if depth == level + 1:
                return Column(index, type_) if level == 0 else OuterColumn(level, index, type_)
            case _:
                return None

    return rewrite_scalar(scalar, visit)


def correlated(relation: Relation) -> bool:
    """Tells whether the relation refers to any row outside."""
    found = False

    def visit(node: Scalar, level: int) -> Scalar | None:
        nonlocal found
        found = found or (isinstance(node, OuterColumn) and node.depth > level)
        return None

    rewrite_relation(relation, visit, 0)
    return found


def reads_outside(scalar: Scalar) -> bool:
    """Tells whether the expression refers to a row outside its own."""
    found = False

    def visit(node: Scalar, level: int) -> Scalar | None:
        nonlocal found
        found = found or (isinstance(node, OuterColumn | Placeholder) and node.depth > level)
        return None

    rewrite_scalar(scalar, visit)
    return found


def same_columns(relation: Relation, columns: Sequence[int], at: int, shown: Sequence[int] = ()) -> tuple[Scalar, ...]:
    """Returns conditions that the columns of `relation` at `columns` are the same as those that begin at `at`, and that
    behind these stand the decimals of the numerics at `shown`."""
    types = relation_desc_of(relation).types
    values = [Column(column, types[column]) for column in columns]
    decimals = [decimals_of_value(Column(column, types[column])) for column in shown]
    return tuple(
        same(own, Column(at + i, scalar_type(own)), scalar_type(own)) for i, own in enumerate((*values, *decimals))
    )


def distinct_columns(relation: Relation, columns: Sequence[int], shown: Sequence[int] = ()) -> Relation:
    """Returns the distinct rows of some columns, and of the decimals of the numerics at `shown`: 1.0 and 1.00 are
    equal, and two rows for who reads their zeros. Without columns, a single empty row."""
    if not columns:
        return NO_COLUMNS
    desc = relation_desc_of(relation)
    keys = tuple(Column(index, desc.types[index]) for index in columns)
    decimals = tuple(decimals_of_value(Column(index, desc.types[index])) for index in shown)
    names = (*(desc.names[index] for index in columns), *("decimals" for _ in shown))
    return Reduce(relation, (*keys, *decimals), (), names)


def crossed(outer: Relation, relation: Relation) -> Relation:
    """Puts every row of `relation` behind every row of `outer`."""
    if outer == NO_COLUMNS:
        return relation
    if relation == NO_COLUMNS:
        return outer
    return Join(JoinKind.INNER, outer, relation, ())


def projected(relation: Relation, columns: Sequence[int]) -> Relation:
    """Returns a projection to `columns`; the relation itself if `columns` are all of its columns in order."""
    if tuple(columns) == tuple(range(relation_desc_of(relation).arity)):
        return relation
    return Project(relation, tuple(columns))
