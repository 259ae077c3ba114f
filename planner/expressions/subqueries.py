"""Subqueries in expressions: scalar, EXISTS, IN, op ANY and ALL, ARRAY(…)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sql_error import NotSupported
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, INT8, TypeName, array_of, type_text
from planner.expressions.comparisons import compare, compare_rows, refuse_sets
from planner.expressions.planner import ClausePlace, Expressions, handles
from planner.expressions.row_order import numbered_rows
from planner.expressions.rows import row_fields
from planner.functions.rows import ANYARRAY, ANYNONARRAY
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.columns import deepen
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Map, Project, Reduce, Relation, TopK
from planner.ir.scalar import (
    Coalesce,
    Column,
    Exists,
    Literal,
    Quantifier,
    RowOf,
    Scalar,
    SubqueryCompare,
    SubqueryValue,
    scalar_type,
)
from planner.scope.names import location_of, strings
from planner.scope.planned_query import PlannedQuery
from planner.types.coercion import as_wide
from planner.types.function_table import aggregates_named

WITHOUT_SUBQUERIES = {
    ClausePlace.DEFAULT: "DEFAULT expression",
    ClausePlace.EXECUTE: "EXECUTE parameter",
    ClausePlace.CALL: "CALL argument",
    ClausePlace.SECRET: "the value of a secret",
    ClausePlace.COPY_WHERE: "COPY FROM WHERE condition",
}


@handles("sub_link")
def plan_subquery(expressions: Expressions, node: Any) -> Scalar:
    analysis = expressions.analysis
    if expressions.place in WITHOUT_SUBQUERIES:
        message = f"cannot use subquery in {WITHOUT_SUBQUERIES[expressions.place]}"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, node.location)
    query = analysis.plan_query(analysis, node.subselect, expressions.environment.within(expressions.scope))
    match node.sub_link_type:
        case tree.EXISTS_SUBLINK:
            return Exists(_rows_alone(query.closed()))
        case tree.EXPR_SUBLINK:
            _require_one_column(expressions, query, node.location)
            analysis.subquery_columns[node.location] = query.desc.names[0]
            return SubqueryValue(query.closed(), query.desc.types[0])
        case tree.ARRAY_SUBLINK:
            _require_one_column(expressions, query, node.location)
            return _array(query)
        case tree.ANY_SUBLINK | tree.ALL_SUBLINK:
            return _quantified(expressions, node, query)
        case _:
            raise analysis.unsupported("this kind of subquery", node.location)


def _rows_alone(relation: Relation) -> Relation:
    """Returns the rows without the selected expressions, which EXISTS does not evaluate."""
    while isinstance(relation, Map | Project):
        relation = relation.input
    return relation


def _require_one_column(expressions: Expressions, query: PlannedQuery, location: int) -> None:
    if query.arity != 1:
        message = "subquery must return only one column"
        raise expressions.analysis.error(Sqlstate.SYNTAX_ERROR, message, location)


def _array(query: PlannedQuery) -> Scalar:
    """Plans ARRAY(…): array_agg in the subquery's order, and an empty array of no rows; of arrays one dimension
    more."""
    element = query.desc.types[0]
    if element.member is not None:
        raise NotSupported(f"an array of {element}", hint="Use list_agg.")
    nested = element.name is TypeName.ARRAY
    relation, order = query.relation, query.order
    numbered = None if order else numbered_rows(relation)
    if numbered is not None:
        relation = numbered
        order = (SortKey(Column(relation_desc_of(numbered).arity - 1, INT8), False, False),)
    if query.limit is not None or query.offset is not None:
        relation = TopK(relation, (), order, query.limit, query.offset)
    wanted = (ANYARRAY,) if nested else (ANYNONARRAY,)
    row = next(r for r in aggregates_named("array_agg") if r.arguments == wanted)
    value = as_wide(Column(0, element))
    type_ = scalar_type(value).plain() if nested else array_of(scalar_type(value).plain())
    aggregate = Aggregate(row.key, (value,), type_, order=order)
    collected = Reduce(relation, (), (aggregate,), ("array",))
    return Coalesce((SubqueryValue(collected, type_), Literal((), type_)), type_)


def _quantified(expressions: Expressions, node: Any, query: PlannedQuery) -> Scalar:
    """Plans `left op ANY (subquery)`; IN is = ANY."""
    analysis = expressions.analysis
    symbol = strings(node.oper_name)[-1] if node.oper_name else "="
    symbol = "<>" if symbol == "!=" else symbol
    left = _left_fields(expressions, node.testexpr)
    place = location_of(node.testexpr)
    _check_count(expressions, query, len(left), node.location if node.location >= 0 else place)
    refuse_sets(expressions, left, node.location)
    outside = [deepen(value, 1) for value in left]
    columns = [Column(at, type_) for at, type_ in enumerate(query.desc.types)]
    if len(columns) == 1:
        condition = compare(expressions, symbol, outside[0], columns[0], node.location)
    else:
        condition = compare_rows(expressions, symbol, outside, columns, node.location)
    if scalar_type(condition) != BOOL:
        message = f"operator {symbol} must return type boolean, not type {type_text(scalar_type(condition))}"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, node.location)
    quantifier = Quantifier.ANY if node.sub_link_type == tree.ANY_SUBLINK else Quantifier.ALL
    return SubqueryCompare(quantifier, condition, query.closed())


def compare_with_row(expressions: Expressions, symbol: str, left: Sequence[Scalar], node: Any, location: int) -> Scalar:
    """Plans `(a, b) op (subquery)`: NULL if the subquery has no row, 21000 if there are two rows or more."""
    analysis = expressions.analysis
    query = analysis.plan_query(analysis, node.subselect, expressions.environment.within(expressions.scope))
    _check_count(expressions, query, len(left), location)
    columns = [Column(at, type_) for at, type_ in enumerate(query.desc.types)]
    refuse_sets(expressions, left, location)
    condition = compare_rows(expressions, symbol, [deepen(value, 1) for value in left], columns, location)
    compared = Map(query.closed(), (condition,), ("compared",))
    return SubqueryValue(Project(compared, (query.arity,)), BOOL)


def _check_count(expressions: Expressions, query: PlannedQuery, count: int, location: int) -> None:
    if count != query.arity:
        many = "too many" if query.arity > count else "too few"
        raise expressions.analysis.error(Sqlstate.SYNTAX_ERROR, f"subquery has {many} columns", location)


def _left_fields(expressions: Expressions, node: Any) -> Sequence[Scalar]:
    """Returns the fields on the left: the row of a table is one value, which is compared with one column of records."""
    if node.WhichOneof("node") == "row_expr":
        return row_fields(expressions, node.row_expr)
    value = expressions.plan(node)
    is_column = node.WhichOneof("node") == "column_ref"
    return value.fields if isinstance(value, RowOf) and not is_column else [value]
