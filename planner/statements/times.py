"""Expressions that name a time of the timeline: AS OF's, UP TO's, those of read holds; and intervals of options."""

from __future__ import annotations

from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.dispatch import parse_datum
from model.types.datum import Interval
from model.types.scalar_type import INT8, INTERVAL, MZ_TIMESTAMP, TEXT, TIMESTAMPTZ, UNKNOWN, bare_text
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.signature import CastContext
from planner.ir.columns import own_columns
from planner.ir.scalar import Literal, Scalar, scalar_type
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of
from planner.scope.scope import Scope
from planner.types.coercion import coerce


def plan_time(analysis: Analysis, node: Any, clause: str) -> Scalar:
    """Returns the expression as an mz_timestamp: milliseconds since 1970, or anything that is a point in time."""
    expressions = Expressions(analysis, Scope(()), QueryEnvironment(), ClausePlace.AS_OF)
    location = location_of(node)
    value = expressions.plan(node)
    if own_columns(value):
        raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, f"{clause} must not contain variables", location)
    time = to_timestamp(analysis, value, location)
    if time is None:
        message = f"{clause} must be a point in time, not of type {bare_text(scalar_type(value))}"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
    return time


def to_timestamp(analysis: Analysis, value: Scalar, location: int) -> Scalar | None:
    """Reads a time. Numbers are milliseconds; text is milliseconds when it is digits, else a timestamptz."""
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


def interval_ms(text: str, option: str, *, zero: bool = False) -> int:
    """Returns an option's interval in milliseconds; raises 22023 when it counts months or isn't positive (`zero`: or
    zero)."""
    value = parse_datum(text, INTERVAL)
    assert isinstance(value, Interval)
    if value.months or value.span() < (0 if zero else 1):
        hint = "Write a positive interval without months or years."
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'invalid {option}: "{text}"', hint=hint)
    return value.span() // 1000
