"""INSERT INTO t (a, b[1], c.f): the columns, or parts of columns, that an INSERT's list names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType
from planner.catalog_view import ItemView
from planner.expressions.planner import Expressions
from planner.ir.scalar import Literal, Scalar
from planner.scope.analysis import Analysis
from planner.statements.changes.assignment import assign
from planner.statements.changes.part_assignment import PartAssignment, end_type
from planner.statements.changes.target import ChangedTarget, TargetColumn, refusal


@dataclass(frozen=True, slots=True)
class InsertTarget:
    """The column at `position`, or the part of it at the end of `path`. `number`: that of the column that the statement
    names, which may be a view's."""

    position: int
    number: int
    name: str
    path: tuple[Any, ...]
    location: int

    def type_in(self, item: ItemView) -> ScalarType | None:
        """Returns the type of what is assigned; None where the column has no such part."""
        return end_type(item.desc.columns[self.position].type, self.path)

    def with_part(self, expressions: Expressions, item: ItemView, earlier: Scalar | None, value: Scalar) -> Scalar:
        """Returns the column with its part assigned: put into what earlier targets made of it, or into NULL."""
        column = item.desc.columns[self.position]
        parts = PartAssignment(expressions, self.name, self.location)
        made = parts.assigned(earlier or Literal(None, column.type), self.path, value)
        return assign(expressions.analysis, made, column, self.location)


def insert_targets(analysis: Analysis, named: ChangedTarget, nodes: Sequence[Any]) -> tuple[InsertTarget, ...]:
    """Returns the targets of the list, all columns without one; raises 42701 when a column is named twice, but for its
    parts."""
    if not nodes:
        return tuple(InsertTarget(at, column.number, column.name, (), -1) for at, column in _whole(named))
    targets: list[InsertTarget] = []
    for node in nodes:
        target = node.res_target
        column = named.column(analysis, target.name, target.location, "insert into")
        at, path = column.position, tuple(target.indirection)
        assert at is not None, "others are refused"
        same = [other for other in targets if other.position == at and not (path and other.path)]
        if any(other.number == column.number for other in same):
            message = f'column "{target.name}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, target.location)
        if same:
            raise _assigned_twice(analysis, named, at)
        targets.append(InsertTarget(at, column.number, target.name, path, target.location))
    return tuple(targets)


def _assigned_twice(analysis: Analysis, named: ChangedTarget, position: int) -> SqlError:
    """Returns the error for two columns of a view that are one of the table."""
    message = f'multiple assignments to same column "{named.table.desc.columns[position].name}"'
    return analysis.error(Sqlstate.SYNTAX_ERROR, message)


def _whole(named: ChangedTarget) -> Iterator[tuple[int, TargetColumn]]:
    """Yields the columns with their places in the table, up to the first that an INSERT can give no value."""
    for column in named.columns:
        if column.position is None:
            return
        yield column.position, column


def check_count(
    analysis: Analysis, named: ChangedTarget, cols: Any, count: int, targets: tuple[InsertTarget, ...], location: int
) -> None:
    """Raises SqlError 42601 for more values than targets, and for fewer than `cols` names; raises 0A000 for a value for
    an expression of a view."""
    if not cols and len(targets) < min(count, len(named.columns)):
        raise refusal(analysis, named.columns[len(targets)], "insert into")
    places = [target.position for target in targets[:count]]
    if not cols and len(set(places)) < len(places):
        raise _assigned_twice(analysis, named, next(at for n, at in enumerate(places) if at in places[:n]))
    if count > len(targets):
        message = "INSERT has more expressions than target columns"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location)
    if cols and count < len(targets):
        message = "INSERT has more target columns than expressions"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, cols[count].res_target.location)
