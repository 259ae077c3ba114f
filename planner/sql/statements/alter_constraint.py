"""ALTER TABLE … ADD and DROP CONSTRAINT."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.sqlstate import Sqlstate
from planner.catalog_view import ItemKind
from planner.constraint_plans import AddConstraintPlan, DropConstraintPlan
from planner.plans import NoOpPlan
from planner.sql.analysis import Analysis
from planner.sql.from_clause import resolve_table
from planner.sql.names import range_parts
from planner.sql.statements.table_constraints import declared_constraint


def plan_constraint(analysis: Analysis, node: Any) -> AddConstraintPlan | DropConstraintPlan | NoOpPlan | None:
    """None for an ALTER TABLE that does something else."""
    commands = [item.alter_table_cmd for item in node.cmds]
    if not any(command.subtype in (tree.AT_AddConstraint, tree.AT_DropConstraint) for command in commands):
        return None
    if len(commands) > 1:
        hint = "Write a statement for each; BEGIN and COMMIT make them one."
        raise analysis.unsupported("several actions in one ALTER TABLE", hint=hint)
    (command,) = commands
    if command.subtype == tree.AT_DropConstraint:
        return DropConstraintPlan(range_parts(node.relation), command.name, node.missing_ok, command.missing_ok)
    context, parts = analysis.context, range_parts(node.relation)
    if node.missing_ok and context.catalog.resolve_item(parts, context.search_path, context.database) is None:
        return NoOpPlan("ALTER TABLE", f'relation "{node.relation.relname}" does not exist, skipping')
    return _added(analysis, node, getattr(command, "def").constraint)


def _added(analysis: Analysis, node: Any, constraint: Any) -> AddConstraintPlan:
    item = resolve_table(analysis, range_parts(node.relation), node.relation.location)
    if item.kind is ItemKind.SYSTEM:
        message = f'permission denied: "{item.name.name}" is a system catalog'
        raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
    if item.kind is not ItemKind.TABLE:
        message = f'ALTER action ADD CONSTRAINT cannot be performed on relation "{item.name.name}"'
        detail = f"This operation is not supported for {item.kind.value}s."
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, detail=detail)
    declared = declared_constraint(analysis, item.name.name, item.desc, constraint)
    if constraint.skip_validation:
        raise analysis.unsupported("NOT VALID", constraint.location)
    return AddConstraintPlan(item.id, declared)
