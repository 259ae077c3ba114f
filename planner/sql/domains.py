"""Values as values of a domain: cast to its base type, then checked, one constraint after the other by name.

A check stands in the plan as its expression, with the value in the place of VALUE; so the value stands there more than
once, and one that is different each time it is computed is refused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import postgast

from model.errors import NotSupported, SqlError
from model.scalar_type import BOOL, TEXT, ScalarType
from model.sqlstate import Sqlstate
from planner.catalog_view import DomainRules, PlanningContext
from planner.functions.domains import CHECKED, NOT_NULL
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.scalar import (
    ArrayOf,
    Call,
    Case,
    Coalesce,
    Column,
    Literal,
    OuterColumn,
    Parameter,
    RowOf,
    Scalar,
    SubqueryArray,
    SubqueryValue,
)
from planner.ir.visit import has_subquery, operands_of
from planner.sql.analysis import Analysis
from planner.sql.environment import Environment
from planner.sql.scope import Field, NamespaceItem, Scope

_SELECT = "SELECT "
_VALUE = "value"
_TYPED = (
    Column
    | OuterColumn
    | Literal
    | Parameter
    | Call
    | Case
    | Coalesce
    | ArrayOf
    | RowOf
    | SubqueryValue
    | SubqueryArray
)


def rules_of(context: PlanningContext, type_: ScalarType) -> DomainRules:
    """What the domain that `type_` is demands."""
    assert type_.domain is not None
    item = context.catalog.item(type_.domain.id)
    assert item is not None and item.domain is not None, f"{type_} is a domain of this catalog"
    return item.domain


def without_domain(scalar: Scalar, type_: ScalarType) -> Scalar:
    """A value of the domain `type_` as one of its base type, which is held alike."""
    return _retyped(scalar, type_.base())


def _retyped(scalar: Scalar, type_: ScalarType) -> Scalar:
    """The expression under another type that is held alike; conditions are boolean without saying so."""
    return replace(scalar, type=type_) if isinstance(scalar, _TYPED) else scalar


def checked(analysis: Analysis, value: Scalar, target: ScalarType, rules: DomainRules) -> Scalar:
    """A value of the base type as one of the domain `target`; errors at execution: 23502, 23514."""
    assert target.domain is not None
    name = Literal(target.domain.name, TEXT)
    if not rules.nullable:
        value = Call(NOT_NULL.key, (value, name), target)
    if rules.checks and _varies(value):
        raise analysis.unsupported("a value that is computed anew each time, as a value of a domain with CHECK")
    source = value
    for check in rules.checks:
        condition = plan_check(analysis.context, check.sql, source)
        value = Call(CHECKED.key, (value, condition, name, Literal(check.name, TEXT)), target)
    return _retyped(value, target)


def plan_check(context: PlanningContext, sql: str, value: Scalar) -> Scalar:
    """The condition of a check, of `value`."""
    return _planned_check(context, sql, value)[0]


def try_check(context: PlanningContext, sql: str, value: Scalar) -> None:
    """The errors of a condition when it is declared; 0A000 for users' types in it, which a rename would leave."""
    condition, analysis = _planned_check(context, sql, value)
    if has_subquery(condition):
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "cannot use subquery in check constraint")
    if analysis.used_items:
        raise NotSupported("a user's type in CHECK of a domain")


def qualified_text(analysis: Analysis, sql: str) -> str:
    """An expression that was planned behind SELECT, with the schema before each name of a user's type that lacks it."""
    from planner.sql.statements.new_names import quoted

    data = sql.encode()
    for (location, parts), item in sorted(analysis.used_items.items(), key=lambda used: -used[0][0]):
        if parts == 1:
            at = location - len(_SELECT)
            data = data[:at] + (quoted(item.name.schema) + ".").encode() + data[at:]
    return data.decode()


def _planned_check(context: PlanningContext, sql: str, value: Scalar) -> tuple[Scalar, Analysis]:
    from planner.sql.expressions.planner import Expressions, Place
    from planner.sql.query import plan_query

    source = _SELECT + sql
    analysis = Analysis(context, source, plan_query)
    node: Any = postgast.parse(source).stmts[0].stmt.select_stmt.target_list[0].res_target.val
    scope = Scope((NamespaceItem(None, (Field(_VALUE, value),)),))
    expressions = Expressions(analysis, scope, Environment(), Place.CHECK)
    return expressions.to_type(expressions.plan(node), BOOL, "CHECK", -1), analysis


def _varies(value: Scalar) -> bool:
    """Whether computing it twice may give two values."""
    volatile = isinstance(value, Call) and FUNCTIONS[value.function].volatility is Volatility.VOLATILE
    return volatile or any(map(_varies, operands_of(value)))
