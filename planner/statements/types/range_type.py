"""CREATE TYPE … AS RANGE. The order of bounds is their type's own: an operator class of PostgreSQL's and a collation
are checked and told, and change nothing, since all texts are ordered by code points."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import FLOAT8, ScalarType, TypeName, bare_text
from model.types.type_table import TYPES
from planner.catalog_view import QualifiedName
from planner.expressions.casts import check_collation
from planner.plans.types import CreateRangePlan, RangeOptions
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.new_names import new_object_name
from planner.statements.views.operator_classes import check_class_name
from planner.syntax.parse import ParsedStatement
from planner.types.categories import polymorphic
from planner.types.function_table import functions_named
from planner.types.resolution import candidates_for, resolve
from planner.types.type_names import type_from_node

_NAME_BYTES_MAX = 63
_OPTIONS = frozenset(("subtype", "subtype_opclass", "collation", "canonical", "subtype_diff", "multirange_type_name"))
_COLLATABLE = (TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR, TypeName.NAME)
_CLASS_HINT = (
    "You must specify an operator class for the range type or define a default operator class for the subtype."
)


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateRangePlan:
    """Plans CREATE TYPE … AS RANGE. Errors are PostgreSQL's; a canonical function is 42P17, as it is there for a type
    that no shell was made for."""
    node = statement.node
    name = new_object_name(analysis, strings(node.type_name))
    options = _options(analysis, node)
    if "canonical" in options:
        message = "cannot specify a canonical function without a pre-created shell type"
        hint = "Shell types are not supported: ranges of users have no canonical form."
        raise analysis.error(Sqlstate.INVALID_OBJECT_DEFINITION, message, hint=hint)
    if "subtype" not in options:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, 'type attribute "subtype" is required')
    subtype = _subtype(analysis, options["subtype"])
    written = options.get("multirange_type_name")
    if written is None:
        multirange = QualifiedName(name.database, name.schema, multirange_name(name.name))
    else:
        multirange = new_object_name(analysis, _parts(written))
    told = RangeOptions(
        _operator_class(analysis, options.get("subtype_opclass"), subtype),
        _collation(analysis, options.get("collation"), subtype),
        _distance(analysis, options.get("subtype_diff"), subtype),
    )
    return CreateRangePlan(name, subtype, multirange, written is not None, told)


def multirange_name(name: str) -> str:
    """Returns the name that PostgreSQL gives the multirange type of a range type: `span_multirange`, and
    `mymultirange` for `myrange`."""
    made = name.replace("range", "multirange", 1) if "range" in name else None
    if made is not None:
        return made.encode()[:_NAME_BYTES_MAX].decode(errors="ignore")
    ending = "_multirange"
    return name.encode()[: _NAME_BYTES_MAX - len(ending)].decode(errors="ignore") + ending


def _options(analysis: Analysis, node: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in node.params:
        option = item.def_elem
        if option.defname in found:
            raise analysis.error(Sqlstate.SYNTAX_ERROR, "conflicting or redundant options", option.location)
        if option.defname not in _OPTIONS:
            raise analysis.error(Sqlstate.SYNTAX_ERROR, f'type attribute "{option.defname}" not recognized')
        found[option.defname] = option.arg
    return found


def _subtype(analysis: Analysis, node: Any) -> ScalarType:
    if node.WhichOneof("node") == "string":
        raise analysis.unsupported("a SUBTYPE in quotes", hint="Write the type's name without them.")
    if node.WhichOneof("node") != "type_name":
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "argument of subtype must be a type name")
    subtype = replace(type_from_node(analysis, node.type_name), modifier=-1)
    if polymorphic(subtype) or (TYPES[subtype.name].category == "P" and subtype.composite is None):
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, f"range subtype cannot be {bare_text(subtype)}")
    return subtype


def _parts(node: Any) -> tuple[str, ...]:
    match node.WhichOneof("node"):
        case "type_name":
            return strings(node.type_name.names)
        case "list":
            return strings(node.list.items)
        case _:
            return (node.string.sval,)


def _operator_class(analysis: Analysis, node: Any, subtype: ScalarType) -> str | None:
    if node is not None:
        return check_class_name(analysis, _parts(node), subtype.base())
    if not TYPES[subtype.name].classes:
        message = f'data type {bare_text(subtype)} has no default operator class for access method "btree"'
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message, hint=_CLASS_HINT)
    return None


def _collation(analysis: Analysis, node: Any, subtype: ScalarType) -> str | None:
    if node is None:
        return None
    if subtype.name not in _COLLATABLE:
        message = "range collation specified but subtype does not support collation"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message)
    check_collation(analysis, _parts(node))
    return _parts(node)[-1]


def _distance(analysis: Analysis, node: Any, subtype: ScalarType) -> str | None:
    if node is None:
        return None
    parts = _parts(node)
    candidate = resolve(candidates_for(functions_named(parts[-1]), 2), (subtype, subtype))
    if candidate is None or candidate.declared != (subtype.plain(), subtype.plain()):
        raise _no_distance(analysis, parts, subtype)
    if candidate.overload.result != FLOAT8:
        message = f"range subtype diff function {'.'.join(parts)} must return type double precision"
        raise analysis.error(Sqlstate.INVALID_OBJECT_DEFINITION, message)
    return parts[-1]


def _no_distance(analysis: Analysis, parts: tuple[str, ...], subtype: ScalarType) -> SqlError:
    shown = bare_text(subtype)
    return analysis.error(Sqlstate.UNDEFINED_FUNCTION, f"function {'.'.join(parts)}({shown}, {shown}) does not exist")
