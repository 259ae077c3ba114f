"""TABLESAMPLE: a share of a table's rows.

Rows lie in no blocks, so SYSTEM takes rows as BERNOULLI does. With REPEATABLE the values of a row and the seed decide,
so equal rows are taken together.

A bad share is refused where there are no rows, too: unless the planner sees that the arguments are good, a row that
tests them and is never taken stands beside the table's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, FLOAT4, FLOAT8, XID
from planner.catalog_view import ItemKind
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.numbers.sampling import REFUSED, SAMPLED, SAMPLED_AGAIN
from planner.functions.types.row_version import ROW_VERSION
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Filter, Relation, Union
from planner.ir.scalar import Call, Column, Literal, Scalar
from planner.query.from_items import FromItem
from planner.rules.fold_constants import fold
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of, strings
from planner.scope.scope import Scope

_METHODS = ("system", "bernoulli")


def sampled(analysis: Analysis, node: Any, table: FromItem, environment: QueryEnvironment) -> FromItem:
    """Returns a share of the rows of an item of FROM. Raises SqlError 0A000 for what is no table, 42704 for another
    method, 2202H for another number of arguments."""
    source = table.items[0].source
    if source is None or source.kind not in (ItemKind.TABLE, ItemKind.MATERIALIZED_VIEW):
        message = "TABLESAMPLE clause can only be applied to tables and materialized views"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location_of(node.relation))
    method = strings(node.method)[-1]
    if method not in _METHODS:
        message = f"tablesample method {method} does not exist"
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message, node.location)
    if len(node.args) != 1:
        message = f"tablesample method {method} requires 1 argument, not {len(node.args)}"
        raise analysis.error(Sqlstate.INVALID_TABLESAMPLE_ARGUMENT, message, node.location)
    expressions = Expressions(analysis, Scope((), environment.outer), environment, ClausePlace.FROM_FUNCTION)
    (argument,) = node.args
    share = fold(expressions.to_type(expressions.plan(argument), FLOAT4, "TABLESAMPLE", location_of(argument)))
    seed: Scalar = Literal(0.0, FLOAT8)
    chosen = Call(SAMPLED.key, (share,), BOOL)
    if node.HasField("repeatable"):
        planned = expressions.plan(node.repeatable)
        seed = fold(expressions.to_type(planned, FLOAT8, "REPEATABLE", location_of(node.repeatable)))
        columns = tuple(Column(at, type_) for at, type_ in enumerate(relation_desc_of(table.relation).types))
        chosen = Call(SAMPLED_AGAIN.key, (share, seed, Call(ROW_VERSION.key, columns, XID)), BOOL)
    return replace(table, relation=_tested(Filter(table.relation, (chosen,)), share, seed))


def _tested(rows: Relation, share: Scalar, seed: Scalar) -> Relation:
    """Returns the rows, with a test of the arguments that fails where there are none, too."""
    match share, seed:
        case Literal(value=float(percent)), Literal(value=float()) if 0 <= percent <= 100:
            return rows
    desc = relation_desc_of(rows)
    nothing = Constant((((None,) * desc.arity, 1),), desc)
    return Union((rows, Filter(nothing, (Call(REFUSED.key, (share, seed), BOOL),))))
