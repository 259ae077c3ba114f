"""CAST and `::`, COLLATE."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import FLOAT4, FLOAT8, UNKNOWN, ScalarType, TypeName, bare_text
from planner.expressions.arrays import plan_array_of
from planner.expressions.members import constructor_of, plan_constructor, plan_constructor_as
from planner.expressions.planner import Expressions, handles
from planner.functions.signature import CastContext
from planner.ir.scalar import ArrayOf, Literal, Scalar, scalar_type
from planner.scope.analysis import Analysis
from planner.scope.names import location_of, strings
from planner.types.coercion import cast_error, coerce, known
from planner.types.literals import constant_as_text
from planner.types.type_names import type_from_node

_COLLATIONS = frozenset(("C", "POSIX", "default", "ucs_basic", "C.UTF-8", "C.utf8"))


@handles("type_cast")
def plan_cast(expressions: Expressions, node: Any) -> Scalar:
    analysis = expressions.analysis
    if node.location < 0 and node.arg.WhichOneof("node") == "param_ref":
        # The grammar takes `date $1` for a constant of its type; PostgreSQL's takes only a text there.
        parameter = node.arg.param_ref
        message = f'syntax error at or near "${parameter.number}"'
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, parameter.location)
    target = type_from_node(analysis, node.type_name)
    if node.arg.WhichOneof("node") == "a_array_expr" and target.element is not None:
        value: Scalar = plan_array_of(expressions, node.arg.a_array_expr, target.base())
    elif target.member is not None and (members := constructor_of(expressions, node.arg)) is not None:
        made = plan_constructor_as(expressions, node.arg.func_call, members, target)
        value = plan_constructor(expressions, node.arg.func_call, members) if made is None else made
    elif target in (FLOAT4, FLOAT8) and node.arg.WhichOneof("node") == "a_const":
        value = constant_as_text(analysis, node.arg.a_const)
    else:
        value = expressions.plan(node.arg)
    return explicit_cast(expressions, value, target, location_of(node.arg), node.location)


def explicit_cast(expressions: Expressions, value: Scalar, target: ScalarType, inner: int, location: int) -> Scalar:
    """Plans an explicit cast; raises 42846 when there is none."""
    cast = coerce(expressions.analysis, value, target, CastContext.EXPLICIT, inner)
    if cast is None:
        cast = _element_wise(expressions, value, target)
    if cast is None:
        raise cast_error(expressions.analysis, scalar_type(value), target, location)
    return cast


def _element_wise(expressions: Expressions, value: Scalar, target: ScalarType) -> Scalar | None:
    if not isinstance(value, ArrayOf) or target.element is None:
        return None
    elements = [coerce(expressions.analysis, e, target.element, CastContext.EXPLICIT) for e in value.elements]
    if any(element is None for element in elements):
        return None
    return ArrayOf(tuple(element for element in elements if element is not None), target)


@handles("collate_clause")
def plan_collate(expressions: Expressions, node: Any) -> Scalar:
    check_collation(expressions.analysis, strings(node.collname), node.location)
    value = expressions.plan(node.arg)
    type_ = scalar_type(value)
    if type_ == UNKNOWN:
        return known(expressions.analysis, value) if not isinstance(value, Literal) else value
    check_collatable(expressions.analysis, type_, node.location)
    return value


def check_collation(analysis: Analysis, name: Sequence[str], location: int = -1) -> None:
    """Requires a collation to exist; all of them sort by code points."""
    if name[-1] not in _COLLATIONS:
        message = f'collation "{name[-1]}" for encoding "UTF8" does not exist'
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message, location)


def check_collatable(analysis: Analysis, type_: ScalarType, location: int = -1) -> None:
    collatable = (TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR, TypeName.NAME, TypeName.ARRAY)
    if type_.name not in collatable:
        message = f"collations are not supported by type {bare_text(type_)}"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
