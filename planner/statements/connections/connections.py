"""CREATE, ALTER and VALIDATE CONNECTION: options as written to texts, and names of secrets to secrets."""

from __future__ import annotations

from collections.abc import Iterable

from connectors.systems import CONNECTIONS
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.connections import ConnectionOptions, ConnectionValue
from planner.plans.connection_plans import (
    AlterConnectionPlan,
    CreateConnectionPlan,
    ValidateConnectionPlan,
)
from planner.plans.plan import Plan
from planner.scope.analysis import Analysis
from planner.statements.connections.access_objects import access_object, plan_owner, plan_rename
from planner.statements.new_names import new_object_name
from planner.syntax.connection_statements import (
    AlterOwnObject,
    ChangedOptions,
    CreateConnection,
    OwnedByRole,
    RenamedTo,
    ValidateConnection,
)
from planner.syntax.options import Option, SecretName
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement

_TRUTHS = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}


def plan_create(analysis: Analysis, statement: ParsedStatement) -> CreateConnectionPlan:
    node: CreateConnection = statement.node
    name = new_object_name(analysis, node.name.parts, node.name.location)
    kind = CONNECTIONS.get(node.of)
    if kind is None:
        hint = f"Connections can be made to {', '.join(CONNECTIONS)}."
        raise analysis.unsupported(f"a connection to {node.of}", node.name.location, hint=hint)
    options = _options(analysis, node.options)
    places = {option.name: option.location for option in node.options}
    try:
        checked = kind.checked(options)
    except SqlError as error:
        named = next((place for name, place in places.items() if f'"{name}"' in error.message), node.name.location)
        error.position = statement.position(named)
        raise
    return CreateConnectionPlan(name, node.if_not_exists, node.of, checked, _validates(analysis, node.conditions))


def plan_alter(analysis: Analysis, statement: ParsedStatement) -> Plan:
    node: AlterOwnObject = statement.node
    match node.action:
        case RenamedTo(name):
            return plan_rename(node, name)
        case OwnedByRole() as owned:
            return plan_owner(node, owned)
        case ChangedOptions(changes, resets, conditions):
            options, gone = _options(analysis, changes), tuple(option.name for option in resets)
            validates = _validates(analysis, conditions)
            return AlterConnectionPlan(node.name.parts, node.if_exists, options, gone, validates)
    raise AssertionError("a connection has no value")


def plan_validate(analysis: Analysis, statement: ParsedStatement) -> ValidateConnectionPlan:
    node: ValidateConnection = statement.node
    return ValidateConnectionPlan(node.name.parts)


def _options(analysis: Analysis, options: Iterable[Option]) -> ConnectionOptions:
    return tuple((option.name, _value(analysis, option)) for option in options)


def _value(analysis: Analysis, option: Option) -> ConnectionValue:
    match option.value:
        case SecretName(place):
            return access_object(analysis, "secret", place).id
        case Place(parts):
            return ".".join(parts)
        case str(text):
            return text
        case int(number):
            return str(number)
        case tuple(members) if all(isinstance(member, str | Place) for member in members):
            return tuple(member if isinstance(member, str) else ".".join(member.parts) for member in members)  # type: ignore[union-attr]
        case None:
            message = f'option "{option.name}" needs a value'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, option.location)
        case _:
            message = f'option "{option.name}" takes a text'
            raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, option.location)


def _validates(analysis: Analysis, conditions: Iterable[Option]) -> bool:
    """Returns the option VALIDATE, true when it is not given."""
    for option in conditions:
        word = "true" if option.value is None else _value(analysis, option)
        truth = _TRUTHS.get(word.lower()) if isinstance(word, str) else None
        if truth is None:
            message = f'option "{option.name}" requires a Boolean value'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, option.location)
        return truth
    return True
