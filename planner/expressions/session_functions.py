"""Functions whose value is the session's, the statement's or the transaction's, not one computed of arguments."""

from __future__ import annotations

from typing import Any

from model.types.scalar_type import BOOL
from planner.expressions.calls import call_syntax
from planner.expressions.planner import Expressions
from planner.functions.session_functions import SESSION_FUNCTIONS
from planner.ir.scalar import Case, Literal, Scalar, SessionName, SessionValue, scalar_type
from planner.types.coercion import coerce


def session_function(expressions: Expressions, node: Any, name: str) -> Scalar | None:
    """Plans the call of a function of the session, like current_user; returns None for another call."""
    if name == "current_schemas" and len(node.args) == 1:
        implicit = coerce(expressions.analysis, expressions.plan(node.args[0]), BOOL)
        return None if implicit is None else _current_schemas(expressions, implicit)
    if node.args or name not in SESSION_FUNCTIONS:
        return None
    return SessionValue(SESSION_FUNCTIONS[name])


def _current_schemas(expressions: Expressions, implicit: Scalar) -> Scalar:
    """Returns the schemas that are searched: where `implicit` also those that are without being named; NULL for
    NULL."""
    searched, named = SessionValue(SessionName.CURRENT_SCHEMAS_IMPLICIT), SessionValue(SessionName.CURRENT_SCHEMAS)
    if isinstance(implicit, Literal) and implicit.value is not None:
        return searched if implicit.value else named
    explicit = call_syntax(expressions.analysis, "not", [implicit], -1)
    type_ = scalar_type(named)
    return Case(((implicit, searched), (explicit, named)), Literal(None, type_), type_)
