"""Constants, parameters and the values that SQL writes as keywords: CURRENT_DATE, CURRENT_USER …"""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.types.scalar_type import DATE, TIME, TIMESTAMP, TIMESTAMPTZ, TIMETZ, ScalarType
from planner.expressions.planner import Expressions, handles
from planner.functions.signature import CastContext
from planner.ir.scalar import Scalar, SessionName, SessionValue
from planner.types.coercion import cast_error, coerce
from planner.types.literals import constant

_SESSION_VALUES = {
    tree.SVFOP_CURRENT_ROLE: SessionName.CURRENT_USER,
    tree.SVFOP_CURRENT_USER: SessionName.CURRENT_USER,
    tree.SVFOP_USER: SessionName.CURRENT_USER,
    tree.SVFOP_SESSION_USER: SessionName.SESSION_USER,
    tree.SVFOP_CURRENT_CATALOG: SessionName.CURRENT_DATABASE,
    tree.SVFOP_CURRENT_SCHEMA: SessionName.CURRENT_SCHEMA,
}
_TIMES = {
    tree.SVFOP_CURRENT_DATE: DATE,
    tree.SVFOP_CURRENT_TIME: TIMETZ,
    tree.SVFOP_CURRENT_TIME_N: TIMETZ,
    tree.SVFOP_CURRENT_TIMESTAMP: TIMESTAMPTZ,
    tree.SVFOP_CURRENT_TIMESTAMP_N: TIMESTAMPTZ,
    tree.SVFOP_LOCALTIME: TIME,
    tree.SVFOP_LOCALTIME_N: TIME,
    tree.SVFOP_LOCALTIMESTAMP: TIMESTAMP,
    tree.SVFOP_LOCALTIMESTAMP_N: TIMESTAMP,
}


@handles("a_const")
def plan_constant(expressions: Expressions, node: Any) -> Scalar:
    return constant(expressions.analysis, node)


@handles("param_ref")
def plan_parameter(expressions: Expressions, node: Any) -> Scalar:
    return expressions.analysis.parameter(node.number, node.location)


@handles("sqlvalue_function")
def plan_value_function(expressions: Expressions, node: Any) -> Scalar:
    if node.op in _SESSION_VALUES:
        return SessionValue(_SESSION_VALUES[node.op])
    type_ = _TIMES[node.op]
    target = ScalarType(type_.name, node.typmod) if node.typmod >= 0 else type_
    value = coerce(expressions.analysis, SessionValue(SessionName.NOW), target, CastContext.EXPLICIT, node.location)
    if value is None:
        raise cast_error(expressions.analysis, TIMESTAMPTZ, target, node.location)
    return value
