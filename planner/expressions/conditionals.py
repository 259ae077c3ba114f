"""CASE, COALESCE, GREATEST and LEAST."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.types.scalar_type import UNKNOWN
from planner.expressions.calls import call_function, call_operator
from planner.expressions.planner import Expressions, handles
from planner.ir.scalar import Case, Coalesce, Literal, Scalar
from planner.scope.names import location_of
from planner.types.coercion import known, to_common_type
from planner.types.comparability import check_comparison
from planner.types.function_table import syntax_rows
from planner.types.resolution import candidates_for, resolve


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
    check_comparison(expressions.analysis, type_, node.location)
    candidate = resolve(candidates_for(syntax_rows(word), len(cast)), [type_] * len(cast))
    assert candidate is not None, f"{word} takes every type"
    return call_function(expressions.analysis, candidate, cast, places)
