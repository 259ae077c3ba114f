"""LIMIT, OFFSET, FETCH FIRST."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.scalar_type import INT8
from model.sqlstate import Sqlstate
from planner.ir.columns import own_columns
from planner.ir.scalar import Literal, Scalar
from planner.rules.fold_constants import fold
from planner.sql.analysis import Analysis
from planner.sql.environment import Environment
from planner.sql.expressions.planner import Expressions, Place
from planner.sql.names import location_of
from planner.sql.scope import NamespaceItem, Scope


def plan_limits(
    analysis: Analysis, select: Any, environment: Environment, items: tuple[NamespaceItem, ...] = ()
) -> tuple[Scalar | None, Scalar | None]:
    """(limit, offset), bigint expressions that see no columns; they may not name those of `items` either."""
    scope = Scope(items, environment.outer)
    if select.limit_option == tree.LIMIT_OPTION_WITH_TIES:
        raise analysis.unsupported("FETCH FIRST … WITH TIES")
    limit = _plan(analysis, select, "limit_count", Place.LIMIT, environment, scope)
    offset = _plan(analysis, select, "limit_offset", Place.OFFSET, environment, scope)
    return limit, offset


def _plan(
    analysis: Analysis, select: Any, part: str, place: Place, environment: Environment, scope: Scope
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
