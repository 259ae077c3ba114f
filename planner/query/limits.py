"""LIMIT, OFFSET, FETCH FIRST."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, INT8
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.aggregate import SortKey
from planner.ir.columns import own_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Filter, Relation, Window
from planner.ir.scalar import (
    And,
    Call,
    Coalesce,
    Column,
    Literal,
    Or,
    Parameter,
    Scalar,
)
from planner.ir.visit import has_subquery, parts_of
from planner.ir.window import WindowCall
from planner.rules.decorrelation.frame import reads_outside
from planner.rules.fold_constants import fold
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of
from planner.scope.planned_query import PlannedQuery
from planner.scope.scope import NamespaceItem, Scope


@dataclass(frozen=True, slots=True)
class Limits:
    """bigint expressions that see no columns. `ties`: rows that tie with the last are within the limit. `in_function`:
    parameters may become columns."""

    limit: Scalar | None
    offset: Scalar | None
    ties: bool
    in_function: bool = False

    def applied(self, relation: Relation, names: tuple[str, ...], order: tuple[SortKey, ...]) -> PlannedQuery:
        """Returns the query of these rows in this order, with the limits."""
        limit, offset = self.limit, self.offset
        if self.ties and limit is not None:
            relation, limit = self._with_ties(relation, order, limit), None
        late = self.in_function and any(each is not None and _has_parameter(each) for each in (limit, offset))
        if late or any(map(_reads_rows, (limit, offset))):
            relation, limit, offset = _numbered(relation, order, limit, offset), None, None
        return PlannedQuery(relation, names, order, limit, offset)

    def _with_ties(self, relation: Relation, order: tuple[SortKey, ...], limit: Scalar) -> Relation:
        """Returns the rows whose rank is within offset and limit: a tie has the rank of its first row."""
        rank = Column(relation_desc_of(relation).arity, INT8)
        ranked = Window(relation, (), order, (WindowCall("rank", (), INT8),), ("rank",))
        return Filter(ranked, (_within(rank, limit, _skipped(self.offset)),))


def _skipped(offset: Scalar | None) -> Scalar:
    zero = Literal(0, INT8)
    return zero if offset is None else Coalesce((Call("offset_rows_int8", (offset,), INT8), zero), INT8)


def _within(place: Scalar, limit: Scalar, skipped: Scalar) -> Scalar:
    """Returns the condition that a place (from 1) is among the first `limit` after the skipped ones."""
    count = Call("limit_rows_int8", (limit,), INT8)
    reach = Call("add_int8_int8", (skipped, count), INT8)
    within = (Call("le_int8_int8", (place, reach), BOOL), Call("gt_int8_int8", (count, Literal(0, INT8)), BOOL))
    return Or((Call("is_null_any", (limit,), BOOL), And(within)))


def _numbered(relation: Relation, order: tuple[SortKey, ...], limit: Scalar | None, offset: Scalar | None) -> Relation:
    """Returns the rows within limit and offset by their numbers: what these are is only known when rows have been
    read."""
    number = Column(relation_desc_of(relation).arity, INT8)
    skipped = _skipped(offset)
    predicates: list[Scalar] = [Call("gt_int8_int8", (number, skipped), BOOL)]
    if limit is not None:
        predicates.append(_within(number, limit, skipped))
    return Filter(Window(relation, (), order, (WindowCall("row_number", (), INT8),), ("number",)), tuple(predicates))


def _has_parameter(scalar: Scalar) -> bool:
    return any(isinstance(part, Parameter) for part in parts_of(scalar))


def _reads_rows(scalar: Scalar | None) -> bool:
    """Tells whether a value depends on subqueries, or on a row outside."""
    return scalar is not None and (has_subquery(scalar) or reads_outside(scalar))


def plan_limits(
    analysis: Analysis, select: Any, environment: QueryEnvironment, items: tuple[NamespaceItem, ...] = ()
) -> Limits:
    """Plans LIMIT and OFFSET, whose expressions may not name the columns of `items`."""
    scope = Scope(items, environment.outer)
    limit = _plan(analysis, select, "limit_count", ClausePlace.LIMIT, environment, scope)
    offset = _plan(analysis, select, "limit_offset", ClausePlace.OFFSET, environment, scope)
    ties = select.limit_option == tree.LIMIT_OPTION_WITH_TIES
    if ties and limit is None:
        message = "row count cannot be null in FETCH FIRST ... WITH TIES clause"
        raise analysis.error(Sqlstate.INVALID_ROW_COUNT_IN_LIMIT_CLAUSE, message)
    return Limits(limit, offset, ties, analysis.in_function)


def _plan(
    analysis: Analysis, select: Any, part: str, place: ClausePlace, environment: QueryEnvironment, scope: Scope
) -> Scalar | None:
    if not select.HasField(part):
        return None
    node = getattr(select, part)
    expressions = Expressions(analysis, scope, environment, place)
    value = fold(expressions.to_type(expressions.plan(node), INT8, place.value, location_of(node)))
    if own_columns(value):
        message = f"argument of {place.value} must not contain variables"
        raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, location_of(node))
    if isinstance(value, Literal) and value.value is None:
        return None
    return value
