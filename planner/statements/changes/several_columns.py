"""SET (a, b) = ROW(x, y), SET (a, b) = (SELECT …): what each of several columns is assigned."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, TypeName
from planner.expressions.columns import field_at
from planner.expressions.planner import Expressions
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Map, Project, Relation
from planner.ir.scalar import Column, RowOf, Scalar, SubqueryValue
from planner.scope.names import location_of


class SeveralColumns:
    """The subqueries that an UPDATE of rows of `arity` columns assigns from; each is evaluated once a row."""

    def __init__(self, expressions: Expressions, arity: int) -> None:
        self._expressions = expressions
        self._arity = arity
        self._rows: list[SubqueryValue] = []

    def source(self, reference: Any) -> Any | Scalar:
        """Returns the source of a MultiAssignRef: an item of ROW(…), still a syntax tree, or a column of a subquery's
        row.

        The references to one source come one after the other, the first column's first.
        """
        kind = reference.source.WhichOneof("node")
        if kind == "row_expr":
            items = reference.source.row_expr.args
            self._check_count(reference, len(items))
            return items[reference.colno - 1]
        if kind != "sub_link" or reference.source.sub_link.sub_link_type != tree.EXPR_SUBLINK:
            message = "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression"
            place = location_of(reference.source)
            raise self._expressions.analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, place)
        if reference.colno == 1:
            self._rows.append(self._row(reference))
        type_ = self._rows[-1].type
        row = Column(self._arity + len(self._rows) - 1, type_)
        at = reference.colno - 1
        return field_at(self._expressions.analysis, row, at, type_.fields[at][1], location_of(reference.source))

    def extended(self, relation: Relation) -> Relation:
        """Returns the rows, followed by the rows of the subqueries."""
        if not self._rows:
            return relation
        return Map(relation, tuple(self._rows), ("source",) * len(self._rows))

    def _row(self, reference: Any) -> SubqueryValue:
        """Returns the subquery's row as one value, NULL where it has none."""
        expressions = self._expressions
        environment = expressions.environment.within(expressions.scope)
        query = expressions.analysis.plan_query(expressions.analysis, reference.source.sub_link.subselect, environment)
        self._check_count(reference, query.arity)
        relation = query.closed()
        columns = relation_desc_of(relation).columns
        type_ = ScalarType(TypeName.RECORD, fields=tuple((column.name, column.type) for column in columns))
        row = RowOf(tuple(Column(at, column.type) for at, column in enumerate(columns)), type_)
        return SubqueryValue(Project(Map(relation, (row,), ("row",)), (len(columns),)), type_)

    def _check_count(self, reference: Any, count: int) -> None:
        if count != reference.ncolumns:
            message = "number of columns does not match number of values"
            raise self._expressions.analysis.error(Sqlstate.SYNTAX_ERROR, message, location_of(reference.source))
