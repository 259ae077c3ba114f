"""CREATE SEQUENCE and ALTER SEQUENCE."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT8
from planner.plans.sequences import AlterSequencePlan, CreateSequencePlan, NewOwner
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts, strings
from planner.sequence_rules import SEQUENCE_TYPES, Limit, Restart, SequenceOptions
from planner.statements.new_names import new_relation_name
from planner.syntax.parse import ParsedStatement
from planner.types.type_names import type_from_node

_OWNER, _NAME = "owned_by", "sequence_name"


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateSequencePlan:
    node = statement.node
    name = new_relation_name(analysis, node.sequence)
    options, owner = _options_and_owner(analysis, node.options)
    return CreateSequencePlan(name, options, owner, node.if_not_exists)


def plan_alter(analysis: Analysis, statement: ParsedStatement) -> AlterSequencePlan:
    node = statement.node
    options, owner = _options_and_owner(analysis, node.options)
    return AlterSequencePlan(range_parts(node.sequence), options, owner, node.missing_ok)


def _options_and_owner(analysis: Analysis, nodes: Any) -> tuple[SequenceOptions, NewOwner | None]:
    owner: NewOwner | None = None
    for node in nodes:
        option = node.def_elem
        if option.defname == _NAME:
            message = "invalid sequence option SEQUENCE NAME"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, option.location)
        if option.defname == _OWNER:
            if owner is not None:
                raise _redundant(analysis, option)
            owner = _owner(analysis, strings(option.arg.list.items))
    return sequence_options(analysis, nodes), owner


def sequence_options(analysis: Analysis, nodes: Any) -> SequenceOptions:
    """Returns the options but for OWNED BY and SEQUENCE NAME; raises 42601 for one that comes twice."""
    options = SequenceOptions()
    seen: set[str] = set()
    for node in nodes:
        option = node.def_elem
        if option.defname in (_OWNER, _NAME):
            continue
        if option.defname in seen:
            raise _redundant(analysis, option)
        seen.add(option.defname)
        options = _with_option(analysis, options, option)
    return options


def sequence_name(nodes: Any) -> str | None:
    """Returns the name given by SEQUENCE NAME."""
    named = [node.def_elem for node in nodes if node.def_elem.defname == _NAME]
    return strings(named[0].arg.list.items)[-1] if named else None


def _with_option(analysis: Analysis, options: SequenceOptions, option: Any) -> SequenceOptions:
    match option.defname:
        case "as":
            type_ = type_from_node(analysis, option.arg.type_name)
            if type_ not in SEQUENCE_TYPES:
                message = "sequence type must be smallint, integer, or bigint"
                raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)
            return replace(options, type=type_)
        case "increment":
            return replace(options, increment=_number(analysis, option))
        case "start":
            return replace(options, start=_number(analysis, option))
        case "cache":
            return replace(options, cache=_number(analysis, option))
        case "cycle":
            return replace(options, cycle=bool(option.arg.boolean.boolval))
        case "minvalue":
            return replace(options, minimum=Limit(_optional_number(analysis, option)))
        case "maxvalue":
            return replace(options, maximum=Limit(_optional_number(analysis, option)))
        case "restart":
            return replace(options, restart=Restart(_optional_number(analysis, option)))
        case other:
            raise analysis.unsupported(f"sequence option {other}", option.location)


def _optional_number(analysis: Analysis, option: Any) -> int | None:
    return _number(analysis, option) if option.HasField("arg") else None


def _number(analysis: Analysis, option: Any) -> int:
    """Returns a number; the grammar has one beyond 32 bits as a float."""
    if option.arg.WhichOneof("node") == "integer":
        return int(option.arg.integer.ival)
    text = option.arg.float.fval
    try:
        value = int(text)
    except ValueError:
        message = f'invalid input syntax for type bigint: "{text}"'
        raise analysis.error(Sqlstate.INVALID_TEXT_REPRESENTATION, message) from None
    if not -(1 << 63) <= value < 1 << 63:
        message = f'value "{text}" is out of range for type {INT8}'
        raise analysis.error(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message)
    return value


def _owner(analysis: Analysis, parts: tuple[str, ...]) -> NewOwner:
    if len(parts) > 1:
        return NewOwner(parts[:-1], parts[-1])
    if parts != ("none",):
        hint = "Specify OWNED BY table.column or OWNED BY NONE."
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "invalid OWNED BY option", hint=hint)
    return NewOwner(None, "")


def _redundant(analysis: Analysis, option: Any) -> Exception:
    return analysis.error(Sqlstate.SYNTAX_ERROR, "conflicting or redundant options", option.location)
