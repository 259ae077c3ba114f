"""VALUES lists."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import NUMERIC, UNKNOWN, ScalarType, shown_numeric
from planner.expressions.planner import ClausePlace, Expressions
from planner.expressions.rows import expanded
from planner.functions.numbers.shown_scales import common_shown_scale
from planner.functions.signature import CastContext
from planner.ir.properties import alike
from planner.ir.relation import Constant, Map, Relation, Union
from planner.ir.scalar import Literal, Scalar, scalar_type
from planner.ir.unit import UNIT
from planner.query.limits import plan_limits
from planner.query.locking import refuse_locking
from planner.query.targets import check_target_count
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of
from planner.scope.planned_query import PlannedQuery
from planner.scope.scope import Scope
from planner.types.coercion import coerce, common_type, known
from planner.types.set_order import order_by_columns


def plan_rows(
    analysis: Analysis, lists: Any, environment: QueryEnvironment
) -> tuple[list[list[Scalar]], list[list[int]]]:
    """Returns the expressions and where they stand, row by row; raises 42601 when rows differ in length."""
    expressions = Expressions(analysis, Scope((), environment.outer), environment, ClausePlace.VALUES)
    rows: list[list[Scalar]] = []
    places: list[list[int]] = []
    for node in lists:
        items = node.list.items
        row = [(scalar, location_of(item)) for item in items for scalar in expanded(expressions, item)]
        if rows and len(row) != len(rows[0]):
            message = "VALUES lists must all be the same length"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location_of(items[0]) if items else -1)
        rows.append([scalar for scalar, _ in row])
        places.append([place for _, place in row])
    return rows, places


def rows_relation(rows: list[list[Scalar]], names: tuple[str, ...], types: tuple[ScalarType, ...]) -> Relation:
    """Makes a relation of rows of scalars that see no columns; constants stay together."""
    desc = RelationDesc(tuple(ColumnDesc(name, type_) for name, type_ in zip(names, types, strict=True)))
    if all(isinstance(item, Literal) for row in rows for item in row):
        data = tuple((tuple(item.value for item in row if isinstance(item, Literal)), 1) for row in rows)
        return Constant(data, desc)
    inputs = tuple(Map(UNIT, tuple(row), names) for row in rows)
    return inputs[0] if len(inputs) == 1 else Union(inputs)


class ValuesDraft:
    """VALUES as a query: columns are named column1, column2 …; each takes the common type of its values."""

    def __init__(self, analysis: Analysis, select: Any, environment: QueryEnvironment) -> None:
        self._analysis = analysis
        refuse_locking(analysis, select, "cannot be applied to VALUES")
        self._rows, self._places = plan_rows(analysis, select.values_lists, environment)
        check_target_count(analysis, len(self._rows[0]))
        self.names = tuple(f"column{at + 1}" for at in range(len(self._rows[0])))
        self._select = select
        self._types = [self._settle(column) for column in range(len(self.names))]
        self._limits = plan_limits(analysis, select, environment)

    @property
    def types(self) -> tuple[ScalarType, ...]:
        return tuple(self._types)

    def location(self, column: int) -> int:
        return self._places[0][column]

    def cast(self, column: int, target: ScalarType, context: CastContext) -> bool:
        for row, places in zip(self._rows, self._places, strict=True):
            value = coerce(self._analysis, row[column], target, context, places[column])
            if value is None:
                return False
            row[column] = value
        self._types[column] = target
        return True

    def _settle(self, column: int) -> ScalarType:
        """Settles a column's type: unknown when every value is; then the user of the query decides."""
        found = [scalar_type(row[column]) for row in self._rows]
        if all(type_ == UNKNOWN for type_ in found):
            return UNKNOWN
        places = [place[column] for place in self._places]
        type_ = common_type(self._analysis, found, "VALUES", places)
        if type_ == NUMERIC and (scale := common_shown_scale([row[column] for row in self._rows])) is not None:
            type_ = shown_numeric(scale)
        for row, place in zip(self._rows, places, strict=True):
            value = coerce(self._analysis, row[column], type_, CastContext.IMPLICIT, place)
            if value is None:
                source = scalar_type(row[column]).plain()
                message = f"VALUES could not convert type {source} to {type_}"
                raise self._analysis.error(Sqlstate.CANNOT_COERCE, message, place)
            row[column] = value
        return type_

    def finish(self) -> PlannedQuery:
        for row in self._rows:
            row[:] = [known(self._analysis, item) for item in row]
        types = tuple(alike([scalar_type(item) for item in column]) for column in zip(*self._rows, strict=True))
        relation = rows_relation(self._rows, self.names, types)
        order = order_by_columns(self._analysis, self._select, self.names, types, "VALUES")
        return self._limits.applied(relation, self.names, order)
