"""CREATE DOMAIN, ALTER DOMAIN."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import ScalarType, type_text
from planner.catalog_view import DomainCheck, DomainRules
from planner.ir.scalar import Column
from planner.plans.types import (
    AddedCheck,
    AlterDomainPlan,
    ChangedDomainDefault,
    ChangedNullability,
    CreateDomainPlan,
    DomainChange,
    DroppedCheck,
    ValidatedCheck,
)
from planner.query.kept_expressions import try_domain_check
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.changes.assignment import qualified_default
from planner.statements.expression_text import expression_text
from planner.statements.new_names import new_object_name
from planner.statements.tables.create_table import pseudo_type
from planner.syntax.parse import ParsedStatement
from planner.syntax.renamed_text import with_columns_as
from planner.types.bound_relations import bind_relations
from planner.types.domains import rules_of
from planner.types.type_names import type_from_node

_IMPOSSIBLE = {
    tree.CONSTR_UNIQUE: "unique",
    tree.CONSTR_PRIMARY: "primary key",
    tree.CONSTR_EXCLUSION: "exclusion",
    tree.CONSTR_FOREIGN: "foreign key",
}


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateDomainPlan:
    node = statement.node
    name = new_object_name(analysis, strings(node.domainname))
    base = type_from_node(analysis, node.type_name)
    _refuse_base(analysis, base)
    if node.HasField("coll_clause"):
        raise analysis.unsupported("COLLATE in CREATE DOMAIN", node.coll_clause.location)
    said: bool | None = None
    default: str | None = None
    checks: list[DomainCheck] = []
    for item in node.constraints:
        constraint = item.constraint
        match constraint.contype:
            case tree.CONSTR_NOTNULL | tree.CONSTR_NULL:
                nullable = constraint.contype == tree.CONSTR_NULL
                if said is not None and said != nullable:
                    raise analysis.error(Sqlstate.SYNTAX_ERROR, "conflicting NULL/NOT NULL constraints")
                said = nullable
            case tree.CONSTR_DEFAULT:
                if default is not None:
                    raise analysis.error(Sqlstate.SYNTAX_ERROR, "multiple default expressions")
                default = _default(analysis, constraint.raw_expr, name.name, base)
            case tree.CONSTR_CHECK:
                checks.append(_check(analysis, constraint, name.name, base, [check.name for check in checks]))
            case _:
                raise _impossible(analysis, constraint)
    numbered = [replace(check, number=number) for number, check in enumerate(checks)]
    return CreateDomainPlan(name, DomainRules(base, said is not False, default, by_name(numbered)))


def by_name(checks: Sequence[DomainCheck]) -> tuple[DomainCheck, ...]:
    """Sorts checks into the order in which they are tested."""
    return tuple(sorted(checks, key=lambda check: check.name))


def _refuse_base(analysis: Analysis, base: ScalarType) -> None:
    if pseudo_type("", base) is not None and base.composite is None:
        message = f'"{type_text(base)}" is not a valid base type for a domain'
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message)


def _impossible(analysis: Analysis, constraint: Any) -> Exception:
    word = _IMPOSSIBLE.get(constraint.contype)
    if word is None:
        message = "specifying constraint deferrability not supported for domains"
        return analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, constraint.location)
    message = f"{word} constraints not possible for domains"
    return analysis.error(Sqlstate.SYNTAX_ERROR, message, constraint.location)


def _default(analysis: Analysis, node: Any, name: str, base: ScalarType) -> str | None:
    bound = bind_relations(analysis, node)
    text = qualified_default(analysis.context, expression_text(analysis, bound), ColumnDesc(name, base), calls=False)
    return None if text == "NULL" and base.domain is None else text


def _check(analysis: Analysis, constraint: Any, domain: str, base: ScalarType, taken: Sequence[str]) -> DomainCheck:
    """Plans a domain's CHECK; raises 42710 for a name that is taken."""
    if constraint.conname in taken:
        message = f'constraint "{constraint.conname}" for domain "{domain}" already exists'
        raise analysis.error(Sqlstate.DUPLICATE_OBJECT, message)
    sql = with_columns_as(expression_text(analysis, constraint.raw_expr), {"value": "VALUE"})
    try_domain_check(analysis.context, sql, Column(0, base))
    return DomainCheck(constraint.conname or free_name(domain, taken), sql, not constraint.skip_validation)


def free_name(domain: str, taken: Sequence[str]) -> str:
    """Returns a free name: `d_check`, `d_check1`, …"""
    name, number = f"{domain}_check", 0
    while name in taken:
        number += 1
        name = f"{domain}_check{number}"
    return name


def plan_alter(analysis: Analysis, statement: ParsedStatement) -> AlterDomainPlan:
    node = statement.node
    parts = strings(node.type_name)
    return AlterDomainPlan(parts, _change(analysis, node, parts))


def _change(analysis: Analysis, node: Any, parts: tuple[str, ...]) -> DomainChange:
    match node.subtype:
        case "T":
            if node.HasField("def"):
                return ChangedDomainDefault(_default(analysis, getattr(node, "def"), *_domain(analysis, parts)))
            return ChangedDomainDefault(None)
        case "N":
            return ChangedNullability(True)
        case "O":
            return ChangedNullability(False)
        case "C":
            constraint = getattr(node, "def").constraint
            if constraint.contype == tree.CONSTR_NOTNULL:
                return ChangedNullability(False)
            if constraint.contype != tree.CONSTR_CHECK:
                raise _impossible(analysis, constraint)
            name, type_ = _domain(analysis, parts)
            taken = [check.name for check in rules_of(analysis.context, type_).checks]
            return AddedCheck(_check(analysis, constraint, name, type_.base(), taken))
        case "X":
            return DroppedCheck(node.name, node.missing_ok)
        case _:
            return ValidatedCheck(node.name)


def _domain(analysis: Analysis, parts: tuple[str, ...]) -> tuple[str, ScalarType]:
    """Returns the domain's name and type; raises 42704 and 42809 when there is none of this name."""
    context = analysis.context
    item = context.catalog.resolve_type(parts, context.search_path, context.database)
    type_ = None if item is None else item.value_type
    if item is None or type_ is None:
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, f'type "{".".join(parts)}" does not exist')
    if item.domain is None:
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, f"{type_} is not a domain")
    return item.name.name, type_
