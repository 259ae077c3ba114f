"""INSERT INTO t (a, b[1], c.f): the columns, or parts of columns, that an INSERT's list names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType
from planner.catalog_view import ItemView
from planner.expressions.planner import Expressions
from planner.ir.scalar import Literal, Scalar
from planner.scope.analysis import Analysis
from planner.statements.changes.assignment import assign, column_position
from planner.statements.changes.part_assignment import PartAssignment, end_type


@dataclass(frozen=True, slots=True)
class InsertTarget:
    """The column at `position`, or the part of it at the end of `path`."""

    position: int
    name: str
    path: tuple[Any, ...]
    location: int

    def type_in(self, item: ItemView) -> ScalarType | None:
        """The type of what is assigned; None where the column has no such part."""
        return end_type(item.desc.columns[self.position].type, self.path)

    def with_part(self, expressions: Expressions, item: ItemView, earlier: Scalar | None, value: Scalar) -> Scalar:
        """The column with its part assigned: put into what earlier targets made of it, or into NULL."""
        column = item.desc.columns[self.position]
        parts = PartAssignment(expressions, self.name, self.location)
        made = parts.assigned(earlier or Literal(None, column.type), self.path, value)
        return assign(expressions.analysis, made, column, self.location)


def insert_targets(analysis: Analysis, item: ItemView, nodes: Sequence[Any]) -> tuple[InsertTarget, ...]:
    """The targets of the list, all columns without one; 42701 when a column is named twice, but for its parts."""
    if not nodes:
        return tuple(InsertTarget(at, item.desc.columns[at].name, (), -1) for at in item.visible)
    targets: list[InsertTarget] = []
    for node in nodes:
        target = node.res_target
        at = column_position(analysis, item, target.name, target.location)
        path = tuple(target.indirection)
        if any(other.position == at and not (path and other.path) for other in targets):
            message = f'column "{target.name}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, target.location)
        targets.append(InsertTarget(at, target.name, path, target.location))
    return tuple(targets)
