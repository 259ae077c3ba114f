"""IS JSON, and the constructors JSON_ARRAY and JSON_OBJECT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, BYTEA, JSON, JSONB, TEXT, ScalarType, bare_text
from planner.expressions.calls import call_syntax
from planner.expressions.casts import explicit_cast
from planner.expressions.functions import call_by_name
from planner.expressions.planner import Expressions, handles
from planner.functions.signature import CastContext
from planner.ir.scalar import Literal, Scalar, scalar_type
from planner.scope.names import location_of
from planner.types.categories import STRING, category
from planner.types.coercion import coerce, known
from planner.types.type_names import type_from_node

_KINDS = {
    tree.JS_TYPE_ANY: "value",
    tree.JS_TYPE_OBJECT: "object",
    tree.JS_TYPE_ARRAY: "array",
    tree.JS_TYPE_SCALAR: "scalar",
}


@handles("json_is_predicate")
def plan_is_json(expressions: Expressions, node: Any) -> Scalar:
    """Plans IS JSON; raises 42804 for a value that is neither a string nor JSON."""
    analysis = expressions.analysis
    value = known(analysis, expressions.plan(node.expr))
    type_ = scalar_type(value)
    text = coerce(analysis, value, TEXT, CastContext.EXPLICIT, node.location)
    if text is None or (category(type_) != STRING and type_ not in (JSON, JSONB)):
        if type_ == BYTEA:
            raise analysis.unsupported("IS JSON of bytea", node.location)
        message = f"cannot use type {bare_text(type_)} in IS JSON predicate"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message)
    arguments = (text, Literal(_KINDS[node.item_type], TEXT), Literal(node.unique_keys, BOOL))
    return call_syntax(analysis, "is_json", arguments, node.location)


@handles("json_array_constructor")
def plan_array(expressions: Expressions, node: Any) -> Scalar:
    values = [_value(expressions, item.json_value_expr) for item in node.exprs]
    flags = (Literal(node.absent_on_null, BOOL),)
    return _returned(expressions, node, "sql_json_array", flags, values)


@handles("json_object_constructor")
def plan_object(expressions: Expressions, node: Any) -> Scalar:
    flags = (Literal(node.absent_on_null, BOOL), Literal(node.unique, BOOL))
    members: list[Scalar] = []
    for item in node.exprs:
        pair = item.json_key_value
        key = known(expressions.analysis, expressions.plan(pair.key))
        members += [key, _value(expressions, pair.value)]
    return _returned(expressions, node, "sql_json_object", flags, members)


def _value(expressions: Expressions, node: Any) -> Scalar:
    """Plans a value; with FORMAT JSON it is parsed from text."""
    value = known(expressions.analysis, expressions.plan(node.raw_expr))
    if node.format.format_type == tree.JS_FORMAT_DEFAULT:
        return value
    place = location_of(node.raw_expr)
    return explicit_cast(expressions, value, JSON, place, place)


def _returned(
    expressions: Expressions, node: Any, word: str, flags: tuple[Scalar, ...], values: Sequence[Scalar]
) -> Scalar:
    """Plans the call with the type that RETURNING names; without RETURNING the type is json, or jsonb if a value is."""
    value = call_syntax(expressions.analysis, word, (*flags, *values), node.location)
    target = returning_type(expressions, node)
    if target is None:
        target = JSONB if any(scalar_type(each) == JSONB for each in values) else JSON
    return as_returned(expressions, value, target, node.location)


def returning_type(expressions: Expressions, node: Any) -> ScalarType | None:
    """Returns the type that RETURNING names; None without it."""
    return type_from_node(expressions.analysis, node.output.type_name) if node.HasField("output") else None


def as_returned(expressions: Expressions, value: Scalar, target: ScalarType, location: int) -> Scalar:
    """Returns JSON as the type that RETURNING says; bytea holds its text in UTF8."""
    if target != BYTEA:
        return explicit_cast(expressions, value, target, location, location)
    text = explicit_cast(expressions, value, TEXT, location, location)
    return call_by_name(expressions, "convert_to", [text, Literal("UTF8", TEXT)], location, [location, location])
