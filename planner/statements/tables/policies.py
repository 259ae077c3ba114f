"""CREATE, ALTER and DROP POLICY: a table, conditions over its rows, and the roles that they bind."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind, ItemView
from planner.ir.scalar import Column, OuterColumn, Scalar, SessionName, SessionValue
from planner.ir.visit import has_subquery, rewrite_scalar
from planner.plans.objects import RoleRef, RoleWord
from planner.plans.plan import NoOpPlan
from planner.plans.policies import AlterPolicyPlan, CreatePolicyPlan, DropPolicyPlan, NewCondition, RenamePolicyPlan
from planner.query.from_clause import find_relation
from planner.query.kept_expressions import planned_policy, qualified_text
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts, strings
from planner.scope.uses import needs_of
from planner.statements.expression_text import expression_text
from planner.statements.roles.role_names import role_refs
from planner.statements.tables.table_rules import table_row
from planner.syntax.parse import ParsedStatement
from planner.syntax.renamed_text import columns_named, with_new_columns
from planner.temporary_schema import is_temporary
from planner.types.literals import read_later

_COMMANDS = ("all", "select", "insert", "update", "delete")
_READING = ("select", "delete")
_HINT_OF_CONSTANTS = (
    "Write dates as in '2026-11-28', times with time zone as in '2026-11-28 00:00+01', and current_date or now()."
)


def plan_create(analysis: Analysis, statement: ParsedStatement) -> CreatePolicyPlan:
    node = statement.node
    command = node.cmd_name
    if command not in _COMMANDS:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "unrecognized policy command")
    using, check = node.HasField("qual"), node.HasField("with_check")
    if check and command in _READING:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "WITH CHECK cannot be applied to SELECT or DELETE")
    if using and command == "insert":
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "only WITH CHECK expression allowed for INSERT")
    item = _table(analysis, range_parts(node.table))
    return CreatePolicyPlan(
        item.id,
        node.policy_name,
        node.permissive,
        command,
        _roles(node),
        _condition(analysis, item, node.qual) if using else None,
        _condition(analysis, item, node.with_check) if check else None,
    )


def plan_alter(analysis: Analysis, statement: ParsedStatement) -> AlterPolicyPlan:
    node = statement.node
    item = _table(analysis, range_parts(node.table))
    return AlterPolicyPlan(
        item.id,
        node.policy_name,
        _roles(node) if node.roles else None,
        _condition(analysis, item, node.qual) if node.HasField("qual") else None,
        _condition(analysis, item, node.with_check) if node.HasField("with_check") else None,
    )


def plan_drop(analysis: Analysis, node: Any) -> DropPolicyPlan | NoOpPlan:
    """Plans DROP POLICY, which the grammar has in the form of all DROP statements."""
    *relation, name = strings(node.objects[0].list.items)
    context = analysis.context
    missing = context.catalog.resolve_item(tuple(relation), context.search_path, context.database) is None
    if missing and node.missing_ok:
        return NoOpPlan("DROP POLICY", f'relation "{relation[-1]}" does not exist, skipping')
    return DropPolicyPlan(_table(analysis, tuple(relation)).id, name, node.missing_ok)


def plan_rename(analysis: Analysis, node: Any) -> RenamePolicyPlan:
    """Plans ALTER POLICY … RENAME TO."""
    return RenamePolicyPlan(_table(analysis, range_parts(node.relation)).id, node.subname, node.newname)


def _table(analysis: Analysis, parts: tuple[str, ...]) -> ItemView:
    item = find_relation(analysis, parts, -1)
    if item.kind is ItemKind.SYSTEM:
        message = f'permission denied: "{item.name.name}" is a system catalog'
        raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
    if item.kind is not ItemKind.TABLE:
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name.name}" is not a table')
    return item


def _roles(node: Any) -> tuple[RoleRef, ...]:
    return role_refs(node.roles) or (RoleRef(RoleWord.PUBLIC),)


def _condition(analysis: Analysis, item: ItemView, node: Any) -> NewCondition:
    """Returns a condition. Raises 0A000 for whole rows, which a rename would leave behind, for temporary relations, for
    mz_now(), which new rows have not yet, and for constants that each reader's session would read in its own way."""
    sql = expression_text(analysis, node)
    condition, planned = planned_policy(analysis.context, sql, table_row(item.name.name, item.desc))
    parts, own = list[Scalar](), set[int]()

    def note(part: Scalar, level: int) -> None:
        parts.append(part)
        if (isinstance(part, Column) and level == 0) or (isinstance(part, OuterColumn) and part.depth == level):
            own.add(part.index)

    rewrite_scalar(condition, note)
    if SessionValue(SessionName.MZ_NOW) in parts:
        raise analysis.unsupported("mz_now() in a policy", hint="Use now().")
    if any(map(read_later, parts)):
        raise analysis.unsupported("a constant in a policy that depends on the session", hint=_HINT_OF_CONSTANTS)
    if has_subquery(condition) or planned.used_items:
        if any(is_temporary(each.name.schema) for each in planned.used_items.values()):
            raise analysis.unsupported("a temporary relation in a policy")
        read = {(need.item, number) for need in needs_of(planned.uses) for number in need.selected}
        read |= {(item.id, item.column_number(at)) for at in own}
        return NewCondition(qualified_text(planned, sql), True, frozenset(planned.depends_on), frozenset(read))
    names = item.visible_desc.names
    if not set(columns_named(sql)) <= set(names):
        raise analysis.unsupported("a whole row in a policy")
    return NewCondition(with_new_columns(sql, {name: name for name in names}))
