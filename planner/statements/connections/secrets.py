"""CREATE SECRET and ALTER SECRET. What is wrong with a value is said without it."""

from __future__ import annotations

from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BYTEA, TEXT, TypeName, bare_text
from planner.expressions.planner import ClausePlace, Expressions
from planner.ir.scalar import Scalar, scalar_type
from planner.plans.connection_plans import AlterSecretPlan, CreateSecretPlan
from planner.plans.plan import Plan
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of
from planner.scope.scope import Scope
from planner.statements.connections.access_objects import plan_owner, plan_rename
from planner.statements.new_names import new_object_name
from planner.syntax.connection_statements import AlterOwnObject, CreateSecret, NewSecretValue, OwnedByRole, RenamedTo
from planner.syntax.parse import ParsedStatement
from planner.types.coercion import coerce

_HINT = "Write a constant, or an expression of constants, such as decode('c2VjcmV0', 'base64')."


def plan_create(analysis: Analysis, statement: ParsedStatement) -> CreateSecretPlan:
    node: CreateSecret = statement.node
    name = new_object_name(analysis, node.name.parts, node.name.location)
    return CreateSecretPlan(name, node.if_not_exists, _value(analysis, node.value))


def plan_alter(analysis: Analysis, statement: ParsedStatement) -> Plan:
    node: AlterOwnObject = statement.node
    match node.action:
        case RenamedTo(name):
            return plan_rename(node, name)
        case NewSecretValue(value):
            return AlterSecretPlan(node.name.parts, node.if_exists, _value(analysis, value))
        case OwnedByRole() as owned:
            return plan_owner(node, owned)
    raise AssertionError("a secret has no options")


def _value(analysis: Analysis, node: Any) -> Scalar:
    """Plans a secret's value, text or bytea. Errors leave out PostgreSQL's message, which may contain the secret."""
    try:
        expressions = Expressions(analysis, Scope(()), QueryEnvironment(), ClausePlace.SECRET)
        value = expressions.plan(node)
        if scalar_type(value).name is TypeName.BYTEA:
            return value
        text = coerce(analysis, value, TEXT)
    except SqlError as error:
        raise _wrong(analysis, error.sqlstate, node) from None
    if text is None:
        raise _wrong(analysis, Sqlstate.DATATYPE_MISMATCH, node)
    return text


def _wrong(analysis: Analysis, sqlstate: Sqlstate, node: Any) -> SqlError:
    message = f"the value of a secret must be of type {bare_text(TEXT)} or {bare_text(BYTEA)}, and not read anything"
    return analysis.error(sqlstate, message, location_of(node), hint=_HINT)
