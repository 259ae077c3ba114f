"""The rows that VALUES of INSERT and MERGE make for a table: values cast, defaults filled in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.expressions.planner import Expressions
from planner.ir.scalar import Scalar
from planner.scope.names import location_of
from planner.statements.changes.assignment import assign, default_scalar
from planner.statements.changes.insert_targets import InsertTarget, check_count
from planner.statements.changes.overriding import taken
from planner.statements.changes.parameters_assigned import ParametersAssigned
from planner.statements.changes.part_assignment import refuse_default
from planner.statements.changes.target import ChangedTarget


class InsertedRows:
    """Plans rows of one INSERT for the columns `targets`; `clause` has the statement's OVERRIDING, `cols` the list of
    columns as written."""

    def __init__(
        self, expressions: Expressions, clause: Any, cols: Any, named: ChangedTarget, targets: tuple[InsertTarget, ...]
    ) -> None:
        self._expressions = expressions
        self._clause = clause
        self._cols = cols
        self._named = named
        self._item = item = named.shown
        self._targets = targets
        self._defaults: dict[int, Scalar] = {}
        self._given_as = ParametersAssigned(expressions.analysis, item)

    def row(self, items: Sequence[Any]) -> list[Scalar]:
        """Returns the table's row for these values. Raises SqlError 42601 for a wrong number of values."""
        analysis, targets = self._expressions.analysis, self._targets
        extra = location_of(items[len(targets)]) if len(items) > len(targets) else -1
        check_count(analysis, self._named, self._cols, len(items), targets, extra)
        row: list[Scalar | None] = [None] * self._item.desc.arity
        for target, value in zip(targets, items, strict=False):
            row[target.position] = self._value(target, value, row[target.position])
        return [self._default(at) if value is None else value for at, value in enumerate(row)]

    def _value(self, target: InsertTarget, node: Any, earlier: Scalar | None) -> Scalar:
        """Returns the value of the target's column. `earlier` is the column's value after the targets before this one,
        which may have set other parts of the same column."""
        expressions, item, at = self._expressions, self._item, target.position
        if node.WhichOneof("node") == "set_to_default":
            if target.path:
                raise refuse_default(expressions.analysis, target.path, location_of(node))
            return self._default(at)
        if target.path:
            return target.with_part(expressions, item, earlier, expressions.plan(node))
        given = self._given_as.value_of(node, at) or assign(
            expressions.analysis, expressions.plan(node), item.desc.columns[at], location_of(node)
        )
        return given if taken(expressions.analysis, self._clause, item, at) else self._default(at)

    def _default(self, at: int) -> Scalar:
        if at not in self._defaults:
            self._defaults[at] = default_scalar(self._expressions.analysis, self._item, at)
        return self._defaults[at]
