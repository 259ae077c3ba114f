"""The options of CREATE FUNCTION and its kin, and the actions of ALTER FUNCTION: attributes, and settings of SET."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.plans.functions import AlterRoutinePlan, RoutineAttributes, SettingChange
from planner.plans.objects import ObjectKind
from planner.plans.session import ResetAllPlan, SetVariablePlan
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.functions.function_names import ROUTINES, function_ref
from planner.statements.session.variables import plan_set_node
from planner.syntax.parse import ParsedStatement

_REFUSED = {"support": "SUPPORT", "transform": "TRANSFORM", "window": "window functions of users"}
_ONLY_FUNCTIONS = frozenset(("window", "volatility", "strict", "leakproof", "cost", "rows", "support", "parallel"))
_FIXED = frozenset(("role", "session_authorization"))
"""Settings that a routine can't have."""
_PARALLEL = {"safe": "s", "restricted": "r", "unsafe": "u"}


def plan_alter(analysis: Analysis, statement: ParsedStatement) -> AlterRoutinePlan:
    """Plans ALTER FUNCTION, PROCEDURE and ROUTINE of attributes and settings."""
    node = statement.node
    kind = ROUTINES[node.objtype]
    procedure = kind is ObjectKind.PROCEDURE
    options = options_of(analysis, node.actions, procedure=procedure)
    function = function_ref(analysis, _named(node), kind)
    return AlterRoutinePlan(function, attributes_of(analysis, options), settings_of(analysis, node.actions))


def _named(node: Any) -> Any:
    """Returns the name of a routine as other statements have it."""
    named = tree.Node()
    named.object_with_args.CopyFrom(node.func)
    return named


def options_of(analysis: Analysis, nodes: Any, *, procedure: bool) -> dict[str, str]:
    """Returns the options but for settings as texts; raises 42601 for one that stands twice, 42P13 for one that
    procedures can't have, 0A000 for one that Headwater has not."""
    found: dict[str, str] = {}
    for each in nodes:
        option = each.def_elem
        name = option.defname
        if name == "set":
            continue
        if name in found:
            raise analysis.error(Sqlstate.SYNTAX_ERROR, "conflicting or redundant options", option.location)
        if procedure and name in _ONLY_FUNCTIONS:
            message = "invalid attribute in procedure definition"
            raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message, option.location)
        if name in _REFUSED:
            raise analysis.unsupported(_REFUSED[name], option.location)
        match option.arg.WhichOneof("node"):
            case "boolean":
                found[name] = "t" if option.arg.boolean.boolval else "f"
            case "integer":
                found[name] = str(option.arg.integer.ival)
            case "float":
                found[name] = option.arg.float.fval
            case "list":
                found[name] = _only_text(analysis, option)
            case _:
                found[name] = option.arg.string.sval
    return found


def _only_text(analysis: Analysis, option: Any) -> str:
    texts = strings(option.arg.list.items)
    if len(texts) > 1:
        message = 'only one AS item needed for language "sql"'
        raise analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message)
    return texts[0]


def attributes_of(analysis: Analysis, options: dict[str, str]) -> RoutineAttributes:
    """Returns the attributes that options name. Raises SqlError 22023 for numbers that are none of a cost, 42601 for an
    unknown word after PARALLEL."""
    return RoutineAttributes(
        strict=_flag(options, "strict"),
        volatility=options["volatility"][0] if "volatility" in options else None,
        parallel=_parallel(analysis, options["parallel"]) if "parallel" in options else None,
        leakproof=_flag(options, "leakproof"),
        definer=_flag(options, "security"),
        cost=_positive(analysis, options, "cost"),
        rows=_positive(analysis, options, "rows"),
    )


def _flag(options: dict[str, str], name: str) -> bool | None:
    return options[name] == "t" if name in options else None


def _parallel(analysis: Analysis, word: str) -> str:
    if word not in _PARALLEL:
        message = 'parameter "parallel" must be SAFE, RESTRICTED, or UNSAFE'
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message)
    return _PARALLEL[word]


def _positive(analysis: Analysis, options: dict[str, str], name: str) -> float | None:
    if name not in options:
        return None
    number = float(options[name])
    if number <= 0:
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, f"{name.upper()} must be positive")
    return number


def settings_of(analysis: Analysis, nodes: Any) -> tuple[SettingChange, ...]:
    """Returns the settings that options change. Raises SqlError 0A000 for those that a routine can't have."""
    nodes = (each.def_elem.arg.variable_set_stmt for each in nodes if each.def_elem.defname == "set")
    return tuple(_setting(analysis, node) for node in nodes)


def _setting(analysis: Analysis, node: Any) -> SettingChange:
    if node.name.lower() in _FIXED or node.name.lower().startswith("transaction_"):
        raise analysis.unsupported(f"SET {node.name} of a routine")
    if node.kind == tree.VAR_SET_CURRENT:
        return SettingChange(node.name, current=True)
    match plan_set_node(analysis, node):
        case SetVariablePlan(name, value):
            return SettingChange(name, value)
        case ResetAllPlan():
            return SettingChange(None)
        case _:
            raise analysis.unsupported("SET TRANSACTION of a routine")
