"""Expressions that the catalog keeps as text (DEFAULT, CHECK, keys of indexes), planned whenever they are used.

The grammar knows no bare expressions, so each is parsed as the only column of a SELECT:

    a > 0       SELECT a > 0
"""

from __future__ import annotations

from typing import Any

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL
from planner.catalog_view import ItemKind, PlanningContext
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.scalar import Scalar
from planner.ir.visit import has_subquery
from planner.query.query import plan_query
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.scope import Field, NamespaceItem, Scope
from planner.syntax.grammar import parse_tree
from planner.syntax.identifiers import quoted

_SELECT = "SELECT "
_VALUE = "value"


def new_analysis(context: PlanningContext, source: str) -> Analysis:
    """Returns the state of planning a text that is no statement of a client's."""
    return Analysis(context, source, plan_query, plan_domain_check)


def kept_expression(context: PlanningContext, sql: str, scope: Scope, place: ClausePlace) -> tuple[Expressions, Any]:
    """Returns a planner for an expression over the rows of `scope`, with its syntax tree."""
    source = _SELECT + sql
    node = parse_tree(source).stmts[0].stmt.select_stmt.target_list[0].res_target.val
    return Expressions(new_analysis(context, source), scope, QueryEnvironment(), place), node


def planned_condition(context: PlanningContext, sql: str, row: NamespaceItem) -> tuple[Scalar, Analysis]:
    """Plans the condition of a CHECK over a row; returns the condition and what its planning has used."""
    expressions, node = kept_expression(context, sql, Scope((row,)), ClausePlace.CHECK)
    condition = expressions.to_type(expressions.plan(node), BOOL, "CHECK", -1)
    refuse_reading(expressions.analysis, condition, "CHECK")
    return condition, expressions.analysis


def refuse_reading(analysis: Analysis, value: Scalar, place: str) -> None:
    """Raises 0A000 for an expression with a function of a user's that has become a subquery."""
    calls = any(item.kind is ItemKind.FUNCTION for item in analysis.used_items.values())
    if calls and has_subquery(value):
        raise NotSupported(f"a function that reads rows in {place}")


def planned_policy(context: PlanningContext, sql: str, row: NamespaceItem) -> tuple[Scalar, Analysis]:
    """Plans the condition of a policy over a row; returns the condition and what its planning has used."""
    expressions, node = kept_expression(context, sql, Scope((row,)), ClausePlace.POLICY)
    return expressions.to_type(expressions.plan(node), BOOL, "POLICY", -1), expressions.analysis


def plan_domain_check(context: PlanningContext, sql: str, value: Scalar) -> Scalar:
    """Returns the condition of a domain's CHECK, with `value` in the place of VALUE."""
    return planned_condition(context, sql, _value_row(value))[0]


def try_domain_check(context: PlanningContext, sql: str, value: Scalar) -> None:
    """Raises the errors of a condition when it is declared; raises 0A000 for users' types in it, which a rename would
    leave."""
    condition, analysis = planned_condition(context, sql, _value_row(value))
    require_keepable(condition, analysis, "a user's type or function in CHECK of a domain")


def require_keepable(condition: Scalar, analysis: Analysis, feature: str) -> None:
    """Raises 0A000 for a condition with a subquery, and for a condition that uses items like users' types; the error
    names `feature`."""
    if has_subquery(condition):
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "cannot use subquery in check constraint")
    if analysis.used_items:
        raise NotSupported(feature)


def require_keepable_in_table(condition: Scalar, analysis: Analysis) -> None:
    """Raises 0A000 for a CHECK with a subquery, and for a CHECK that names users' types, which a rename would leave."""
    if has_subquery(condition):
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "cannot use subquery in check constraint")
    if any(item.kind is not ItemKind.FUNCTION for item in analysis.used_items.values()):
        raise NotSupported("a user's type in CHECK of a table")


def qualified_text(analysis: Analysis, sql: str) -> str:
    """Returns a kept expression's text with the schema before each name of a user's type that lacks it."""
    data = sql.encode()
    for (location, parts), item in sorted(analysis.used_items.items(), key=lambda used: -used[0][0]):
        if parts == 1:
            at = location - len(_SELECT)
            data = data[:at] + (quoted(item.name.schema) + ".").encode() + data[at:]
    return data.decode()


def _value_row(value: Scalar) -> NamespaceItem:
    return NamespaceItem(None, (Field(_VALUE, value),))
