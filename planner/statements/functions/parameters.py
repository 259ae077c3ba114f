"""The parameters of CREATE FUNCTION and CREATE PROCEDURE, and the columns of RETURNS TABLE."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, TypeName, type_text
from planner.expressions.users.bodies import default_argument
from planner.function_rules import FunctionParameter, gathered_element
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.expression_text import expression_text
from planner.syntax.identifiers import quoted
from planner.types.categories import polymorphic
from planner.types.polymorphic_routines import polymorphic_named
from planner.types.type_names import type_from_node

_WITHOUT_VALUES = ("any", "anycompatiblenonarray", "anycompatiblerange", "anycompatiblemultirange")
"""Types that stand for others, which functions of users can't have."""
_IN = (tree.FUNC_PARAM_DEFAULT, tree.FUNC_PARAM_IN)
_MODES = {tree.FUNC_PARAM_OUT: "o", tree.FUNC_PARAM_INOUT: "b", tree.FUNC_PARAM_VARIADIC: "v"}
_CLASHING = {"i": "ibv", "v": "ibv", "b": "iobv", "o": "ob"}
"""For each mode those of the parameters before that may not have its name."""


def parameters_of(analysis: Analysis, nodes: Any, *, procedure: bool) -> tuple[FunctionParameter, ...]:
    """Reads the parameters. Raises SqlError 42P13 for two of one name, for defaults where none may be, and for a
    VARIADIC one that is no array, or not the last."""
    found: list[FunctionParameter] = []
    for each in nodes:
        node = each.function_parameter
        if node.mode == tree.FUNC_PARAM_TABLE:
            continue
        mode = "i" if node.mode in _IN else _MODES[node.mode]
        type_ = plain_type(analysis, node.arg_type)
        if mode != "o" and any(other.mode == "v" for other in found):
            message = "VARIADIC parameter must be the last input parameter"
            raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message, node.location)
        if procedure and polymorphic(type_):
            raise analysis.unsupported(f"procedures of type {type_text(type_)}", node.location)
        if mode == "v" and gathered_element(type_) is None:
            message = "VARIADIC parameter must be an array"
            raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message, node.location)
        if node.name and any(node.name == other.name and other.mode in _CLASHING[mode] for other in found):
            message = f'parameter name "{node.name}" used more than once'
            raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message, node.location)
        default = _default(analysis, node, type_, mode, found, procedure=procedure)
        found.append(FunctionParameter(node.name or None, type_, default, mode))
    if len(found) > 100:
        message = f"{'procedures' if procedure else 'functions'} cannot have more than 100 arguments"
        raise analysis.error(Sqlstate.TOO_MANY_ARGUMENTS, message)
    return tuple(found)


def _default(
    analysis: Analysis, node: Any, type_: ScalarType, mode: str, before: list[FunctionParameter], *, procedure: bool
) -> str | None:
    """Returns the text of a default. Raises SqlError 42P13 where none may be, or where one must be."""
    follows = any(each.default is not None for each in before)
    message = None
    if node.HasField("defexpr") and mode == "o":
        message = "only input parameters can have default values"
    elif mode == "o" and follows and procedure:
        message = "procedure OUT parameters cannot appear after one with a default value"
    elif follows and mode != "o" and not node.HasField("defexpr"):
        message = "input parameters after one with a default value must also have defaults"
    if message is not None:
        raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message, node.location)
    if not node.HasField("defexpr"):
        return None
    if polymorphic(type_):
        raise analysis.unsupported("the default of a polymorphic parameter", node.location)
    text = expression_text(analysis, node.defexpr)
    _, named = default_argument(analysis.context, text, type_)
    analysis.depends_on |= named
    return text


def columns_of(analysis: Analysis, nodes: Any) -> tuple[tuple[str, ScalarType], ...]:
    """Returns the columns of RETURNS TABLE. Raises SqlError 42P13 for two of one name."""
    found: dict[str, ScalarType] = {}
    for each in nodes:
        node = each.function_parameter
        if node.mode != tree.FUNC_PARAM_TABLE:
            continue
        if node.name in found:
            message = f'parameter name "{node.name}" used more than once'
            raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message, node.location)
        found[node.name] = plain_type(analysis, node.arg_type)
    return tuple(found.items())


def plain_type(analysis: Analysis, node: Any) -> ScalarType:
    """Returns a type as functions have it, without a modifier."""
    type_ = parameter_type(analysis, node)
    return type_ if type_.domain is not None else type_.plain()


def parameter_type(analysis: Analysis, node: Any) -> ScalarType:
    """Returns a type as parameters of functions may have it, a polymorphic one, too."""
    parts = strings(node.names)
    if parts[-1] in _WITHOUT_VALUES and parts[:-1] in ((), ("pg_catalog",)):
        raise analysis.unsupported(f"functions of type {quoted(parts[-1])}", node.location)
    named = None if node.array_bounds else polymorphic_named(parts)
    type_ = named or type_from_node(analysis, node)
    if type_.name is TypeName.ANY:
        raise analysis.unsupported(f"functions of type {type_text(type_)}", node.location)
    return type_
