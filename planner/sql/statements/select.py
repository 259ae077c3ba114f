"""SELECT, VALUES, TABLE, with AS OF."""

from __future__ import annotations

from model.scalar_type import INT8, MZ_TIMESTAMP, TEXT, TIMESTAMPTZ, UNKNOWN
from model.sqlstate import Sqlstate
from planner.functions.signature import CastContext
from planner.ir.columns import own_columns
from planner.ir.scalar import Literal, Scalar, scalar_type
from planner.plans import AsOf, SelectPlan
from planner.sql.analysis import Analysis
from planner.sql.coercion import coerce
from planner.sql.environment import Environment
from planner.sql.expressions.planner import Expressions, Place
from planner.sql.names import location_of
from planner.sql.parse import ParsedStatement
from planner.sql.query import plan_query
from planner.sql.scope import Scope


def plan(analysis: Analysis, statement: ParsedStatement) -> SelectPlan:
    query = plan_query(analysis, statement.node, Environment())
    return SelectPlan(query.finished(), plan_as_of(analysis, statement))


def plan_as_of(analysis: Analysis, statement: ParsedStatement) -> AsOf | None:
    """AS OF's expression as an mz_timestamp: milliseconds since 1970, or anything that is a point in time."""
    extension = statement.extension
    if extension.as_of is None:
        return None
    expressions = Expressions(analysis, Scope(()), Environment(), Place.AS_OF)
    location = location_of(extension.as_of)
    value = expressions.plan(extension.as_of)
    if own_columns(value):
        raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, "AS OF must not contain variables", location)
    time = to_timestamp(analysis, value, location)
    if time is None:
        message = f"AS OF must be a point in time, not of type {scalar_type(value).plain()}"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
    return AsOf(time, extension.at_least)


def to_timestamp(analysis: Analysis, value: Scalar, location: int) -> Scalar | None:
    """Numbers are milliseconds; text is milliseconds when it is digits, else a timestamptz."""
    if isinstance(value, Literal) and scalar_type(value) == UNKNOWN and isinstance(value.value, str):
        target = MZ_TIMESTAMP if value.value.strip().isdigit() else TIMESTAMPTZ
        literal = coerce(analysis, value, target, CastContext.EXPLICIT, location)
        assert literal is not None, "a string constant becomes any type"
        value = literal
    direct = coerce(analysis, value, MZ_TIMESTAMP, CastContext.EXPLICIT, location)
    if direct is not None:
        return direct
    for step in (TIMESTAMPTZ, INT8, TEXT):
        between = coerce(analysis, value, step, CastContext.IMPLICIT, location)
        if between is not None:
            time = coerce(analysis, between, MZ_TIMESTAMP, CastContext.EXPLICIT, location)
            if time is not None:
                return time
    return None
