"""CASE, COALESCE, GREATEST and LEAST, ARRAY constructors, subscripts and fields."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.scalar_type import INT4, UNKNOWN, TypeName, array_of
from model.sqlstate import Sqlstate
from planner.ir.scalar import ArrayOf, Case, Coalesce, Literal, Scalar, scalar_type
from planner.sql.coercion import known, to_common_type
from planner.sql.expressions.calls import call_function, call_operator
from planner.sql.expressions.columns import field_of
from planner.sql.expressions.planner import Expressions, handles
from planner.sql.function_table import syntax_rows
from planner.sql.names import location_of
from planner.sql.resolution import candidates_for, resolve


@handles("case_expr")
def plan_case(expressions: Expressions, node: Any) -> Scalar:
    analysis = expressions.analysis
    expressions = expressions.within("CASE")
    test = expressions.plan(node.arg) if node.HasField("arg") else None
    if test is not None:
        test = known(analysis, test)
    conditions: list[Scalar] = []
    values: list[Scalar] = []
    places: list[int] = []
    for item in node.args:
        when = item.case_when
        if test is None:
            conditions.append(expressions.plan_boolean(when.expr, "CASE/WHEN"))
        else:
            place = location_of(when.expr)
            operands = [test, expressions.plan(when.expr)]
            conditions.append(call_operator(analysis, "=", operands, place, [place, place]))
        values.append(expressions.plan(when.result))
        places.append(location_of(when.result))
    if node.HasField("defresult"):
        values.append(expressions.plan(node.defresult))
        places.append(location_of(node.defresult))
    else:
        values.append(Literal(None, UNKNOWN))
        places.append(-1)
    # The ELSE branch is the first that the common type is asked of.
    order = [len(values) - 1, *range(len(values) - 1)]
    cast, type_ = to_common_type(analysis, [values[i] for i in order], "CASE", [places[i] for i in order])
    return Case(tuple(zip(conditions, cast[1:], strict=True)), cast[0], type_)


@handles("coalesce_expr")
def plan_coalesce(expressions: Expressions, node: Any) -> Scalar:
    expressions = expressions.within("COALESCE")
    values = [expressions.plan(item) for item in node.args]
    cast, type_ = to_common_type(expressions.analysis, values, "COALESCE", [location_of(item) for item in node.args])
    return Coalesce(cast, type_)


@handles("min_max_expr")
def plan_extreme(expressions: Expressions, node: Any) -> Scalar:
    word = "greatest" if node.op == tree.IS_GREATEST else "least"
    values = [expressions.plan(item) for item in node.args]
    places = [location_of(item) for item in node.args]
    cast, type_ = to_common_type(expressions.analysis, values, word.upper(), places)
    candidate = resolve(candidates_for(syntax_rows(word), len(cast)), [type_] * len(cast))
    assert candidate is not None, f"{word} takes every type"
    return call_function(expressions.analysis, candidate, cast, places)


@handles("a_array_expr")
def plan_array(expressions: Expressions, node: Any) -> Scalar:
    analysis = expressions.analysis
    if any(item.WhichOneof("node") == "a_array_expr" for item in node.elements):
        raise analysis.unsupported("an array of more than one dimension", node.location)
    if not node.elements:
        raise analysis.error(
            Sqlstate.INDETERMINATE_DATATYPE,
            "cannot determine type of empty array",
            node.location,
            hint="Explicitly cast to the desired type, for example ARRAY[]::integer[].",
        )
    values = [expressions.plan(item) for item in node.elements]
    cast, type_ = to_common_type(analysis, values, "ARRAY", [location_of(item) for item in node.elements])
    if type_.name is TypeName.ARRAY:
        raise analysis.unsupported("an array of more than one dimension", node.location)
    return ArrayOf(cast, array_of(type_.plain()))


@handles("a_indirection")
def plan_indirection(expressions: Expressions, node: Any) -> Scalar:
    value = expressions.plan_known(node.arg)
    for item in node.indirection:
        kind = item.WhichOneof("node")
        if kind == "string":
            value = field_of(expressions.analysis, value, item.string.sval, location_of(node.arg))
        elif kind == "a_indices":
            value = _subscript(expressions, value, item.a_indices, location_of(node.arg))
        else:
            raise expressions.analysis.unsupported("row expansion via *", location_of(node.arg))
    return value


def _subscript(expressions: Expressions, value: Scalar, indices: Any, location: int) -> Scalar:
    analysis = expressions.analysis
    type_ = scalar_type(value)
    if type_.name not in (TypeName.ARRAY, TypeName.INT2VECTOR, TypeName.OIDVECTOR, TypeName.JSONB):
        message = f"cannot subscript type {type_.plain()} because it does not support subscripting"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
    if type_.name is TypeName.JSONB:
        operands = [value, expressions.plan(indices.uidx)]
        return call_operator(analysis, "->", operands, location, [location, location])
    bounds: list[Scalar] = []
    for name in ("lidx", "uidx") if indices.is_slice else ("uidx",):
        if indices.HasField(name):
            part = expressions.plan(getattr(indices, name))
            bounds.append(expressions.to_type(part, INT4, "array subscript", location))
        else:
            bounds.append(Literal(None, INT4) if not indices.is_slice else _open_end(name))
    word = "slice" if indices.is_slice else "subscript"
    operands = [value, *bounds]
    candidate = resolve(candidates_for(syntax_rows(word), len(operands)), [scalar_type(o) for o in operands])
    if candidate is None:
        raise analysis.unsupported(f"a {word} of {type_.plain()}", location)
    return call_function(analysis, candidate, operands, [location] * len(operands))


def _open_end(name: str) -> Literal:
    return Literal(-(2**31) if name == "lidx" else 2**31 - 1, INT4)
