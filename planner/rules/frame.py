"""What decorrelation knows of the rows outside a relation, and small relations it builds again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.relation_desc import RelationDesc
from model.scalar_type import BOOL, ScalarType, TypeName
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Join, JoinKind, Project, Reduce, Relation
from planner.ir.scalar import Call, Column, OuterColumn, Scalar
from planner.ir.visit import rewrite_scalar

NO_COLUMNS = Constant((((), 1),), RelationDesc(()))
"""One row without columns: what surrounds a query that nothing surrounds."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The rows outside, as a relation of distinct rows, and where each outer column stands in it: (depth, index) to
    position."""

    outer: Relation
    positions: Mapping[tuple[int, int], int]

    @property
    def width(self) -> int:
        return relation_desc_of(self.outer).arity

    def inside(self, scalar: Scalar, row_at: int) -> Scalar:
        """The expression over the frame's columns followed by its own row, which begins at `row_at`."""

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


TOP = Frame(NO_COLUMNS, {})

_COMPARED_AS = {
    TypeName.VARCHAR: "text",
    TypeName.JSON: "text",
    TypeName.UNKNOWN: "text",
    TypeName.INT2VECTOR: "oidvector",
    TypeName.XID: "oid",
    TypeName.REGCLASS: "oid",
    TypeName.REGTYPE: "oid",
    TypeName.REGPROC: "oid",
    TypeName.REGNAMESPACE: "oid",
    TypeName.REGROLE: "oid",
    TypeName.ARRAY: "anyarray",
}


def same(left: Scalar, right: Scalar, type_: ScalarType) -> Scalar:
    """Whether two values of one type are the same, NULL being the same as NULL."""
    word = _COMPARED_AS.get(type_.name, type_.name.value)
    return Call(f"not_distinct_{word}_{word}", (left, right), BOOL)


def joined(kind: JoinKind, left: Relation, right: Relation, pairs: Sequence[tuple[int, int]]) -> Join:
    """Left and right side by side where the columns of each pair (in left, in right) are the same."""
    left_types = relation_desc_of(left).types
    width = len(left_types)
    on = tuple(same(Column(i, left_types[i]), Column(width + j, left_types[i]), left_types[i]) for i, j in pairs)
    return Join(kind, left, right, on)


def distinct_columns(relation: Relation, columns: Sequence[int]) -> Relation:
    """The distinct rows of some columns."""
    desc = relation_desc_of(relation)
    if not columns:
        return NO_COLUMNS
    keys = tuple(Column(index, desc.types[index]) for index in columns)
    return Reduce(relation, keys, (), tuple(desc.names[index] for index in columns))


def crossed(outer: Relation, relation: Relation) -> Relation:
    """Every row of `relation` behind every row of `outer`."""
    if outer == NO_COLUMNS:
        return relation
    return Join(JoinKind.INNER, outer, relation, ())


def first_columns(relation: Relation, count: int) -> Relation:
    """The relation's first `count` columns."""
    if relation_desc_of(relation).arity == count:
        return relation
    return Project(relation, tuple(range(count)))
