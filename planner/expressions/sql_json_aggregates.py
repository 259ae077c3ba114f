"""JSON_ARRAYAGG, JSON_OBJECTAGG and JSON_ARRAY over a query: written as calls of PostgreSQL's aggregates for them."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import JSON, JSONB, UNKNOWN
from planner.expressions.planner import ClausePlace, Expressions, handles
from planner.expressions.sql_json import as_returned, returning_type
from planner.ir.scalar import Scalar, scalar_type
from planner.types.coercion import known

_COLUMN = "a"


@handles("json_array_agg")
def plan_array_aggregate(expressions: Expressions, node: Any) -> Scalar:
    name = "agg_strict" if node.absent_on_null else "agg"
    return _called(expressions, node.constructor, name, [_argument(node.arg)])


@handles("json_object_agg")
def plan_object_aggregate(expressions: Expressions, node: Any) -> Scalar:
    name = "object_agg" + ("_unique" if node.unique else "") + ("_strict" if node.absent_on_null else "")
    return _called(expressions, node.constructor, name, [node.arg.key, _argument(node.arg.value)])


@handles("json_array_query_constructor")
def plan_array_of_query(expressions: Expressions, node: Any) -> Scalar:
    """Plans JSON_ARRAY of a query: JSON_ARRAYAGG of the query's one column, in the query's order."""
    analysis = expressions.analysis
    query = analysis.plan_query(analysis, node.query, expressions.environment.within(expressions.scope))
    if query.arity != 1:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "subquery must return only one column", node.location)
    reference = tree.ColumnRef(fields=[tree.Node(string=tree.String(sval=_COLUMN))], location=node.location)
    aggregate = tree.JsonArrayAgg(absent_on_null=node.absent_on_null)
    aggregate.arg.raw_expr.column_ref.CopyFrom(reference)
    aggregate.arg.format.CopyFrom(node.format)
    aggregate.constructor.location = node.location
    if node.HasField("output"):
        aggregate.constructor.output.CopyFrom(node.output)
    alias = tree.Alias(aliasname="q", colnames=[tree.Node(string=tree.String(sval=_COLUMN))])
    source = tree.RangeSubselect(subquery=node.query, alias=alias)
    select = tree.SelectStmt(op=tree.SETOP_NONE, limit_option=tree.LIMIT_OPTION_DEFAULT)
    select.target_list.add().res_target.val.json_array_agg.CopyFrom(aggregate)
    select.from_clause.add().range_subselect.CopyFrom(source)
    link = tree.SubLink(sub_link_type=tree.EXPR_SUBLINK, location=node.location)
    link.subselect.select_stmt.CopyFrom(select)
    return expressions.plan(tree.Node(sub_link=link))


def _argument(node: Any) -> Any:
    """Returns the value's expression, with FORMAT JSON as a cast to json."""
    if node.format.format_type == tree.JS_FORMAT_DEFAULT:
        return node.raw_expr
    return _cast(node.raw_expr, "json")


def _cast(item: Any, type_: str) -> Any:
    names = [tree.Node(string=tree.String(sval=part)) for part in ("pg_catalog", type_)]
    cast = tree.TypeCast(type_name=tree.TypeName(names=names, typemod=-1, location=-1))
    cast.arg.CopyFrom(item)
    return tree.Node(type_cast=cast)


def _as_text(expressions: Expressions, item: Any) -> Any:
    """Takes a constant or a parameter whose type nothing tells as a text, as PostgreSQL does in these aggregates."""
    bare = item.WhichOneof("node") in ("a_const", "param_ref")
    return _cast(item, "text") if bare and scalar_type(expressions.plan(item)) == UNKNOWN else item


def _called(expressions: Expressions, constructor: Any, name: str, arguments: list[Any]) -> Scalar:
    """Returns the aggregate, which makes jsonb where that is returned, or nothing is said and some is given; else
    json."""
    target = returning_type(expressions, constructor)
    inner = expressions.at(ClausePlace.AGGREGATE)
    arguments = [_as_text(inner, item) for item in arguments]
    if target is None:
        values = [known(expressions.analysis, inner.plan(item)) for item in arguments]
        target = JSONB if any(scalar_type(value) == JSONB for value in values) else JSON
    kind = "jsonb" if target == JSONB else "json"
    call = tree.FuncCall(args=arguments, agg_order=constructor.agg_order, location=constructor.location)
    call.funcname.add().string.sval = f"{kind}_{name}"
    if constructor.HasField("agg_filter"):
        call.agg_filter.CopyFrom(constructor.agg_filter)
    if constructor.HasField("over"):
        call.over.CopyFrom(constructor.over)
    value = expressions.plan(tree.Node(func_call=call))
    return as_returned(expressions, value, target, constructor.location)
