"""ALTER … RENAME, ALTER … SET SCHEMA, ALTER … SWAP WITH, ALTER … SET (RETAIN HISTORY FOR …), ALTER TABLE."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from planner.plans.alter_table import AlterTablePlan
from planner.plans.constraints import RenameConstraintPlan
from planner.plans.objects import AlterRetainHistoryPlan, MovePlan, ObjectKind, RenamePlan, SwapPlan
from planner.plans.plan import NoOpPlan
from planner.plans.policies import RenamePolicyPlan
from planner.plans.roles import OwnerPlan, RenameRolePlan
from planner.plans.types import AlterCompositePlan, AlterDomainPlan, RenamedCheck
from planner.plans.views import ViewOptionsPlan
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts, strings
from planner.statements.functions.function_names import ROUTINES, function_ref
from planner.statements.history_interval import retain_history_ms
from planner.statements.roles.owners import owner_of_relation
from planner.statements.tables.alter_table import plan_alter_table
from planner.statements.tables.policies import plan_rename as plan_rename_policy
from planner.statements.types.composite_type import plan_attributes, plan_rename_attribute
from planner.statements.views.view_options import plan_view_options
from planner.syntax.parse import ParsedStatement
from planner.syntax.statement_words import object_words

_KINDS = {
    tree.OBJECT_TABLE: ObjectKind.TABLE,
    tree.OBJECT_VIEW: ObjectKind.VIEW,
    tree.OBJECT_MATVIEW: ObjectKind.MATERIALIZED_VIEW,
    tree.OBJECT_INDEX: ObjectKind.INDEX,
    tree.OBJECT_SEQUENCE: ObjectKind.SEQUENCE,
    tree.OBJECT_TYPE: ObjectKind.TYPE,
    tree.OBJECT_DOMAIN: ObjectKind.DOMAIN,
    tree.OBJECT_SCHEMA: ObjectKind.SCHEMA,
    tree.OBJECT_DATABASE: ObjectKind.DATABASE,
}


_SWAPPED = (ObjectKind.TABLE, ObjectKind.VIEW, ObjectKind.MATERIALIZED_VIEW, ObjectKind.SCHEMA)

_Renaming = (
    RenamePlan
    | SwapPlan
    | AlterDomainPlan
    | AlterCompositePlan
    | RenameConstraintPlan
    | RenamePolicyPlan
    | RenameRolePlan
)


def plan_rename(
    analysis: Analysis, statement: ParsedStatement
) -> (
    RenamePlan
    | SwapPlan
    | AlterDomainPlan
    | AlterCompositePlan
    | RenameConstraintPlan
    | RenamePolicyPlan
    | RenameRolePlan
):
    node = statement.node
    if node.rename_type == tree.OBJECT_ROLE:
        return RenameRolePlan(node.subname, node.newname)
    routine = ROUTINES.get(node.rename_type)
    if routine is not None:
        return RenamePlan(routine, (), node.newname, False, function=function_ref(analysis, node.object, routine))
    if node.rename_type == tree.OBJECT_POLICY:
        return plan_rename_policy(analysis, node)
    if node.rename_type == tree.OBJECT_TABCONSTRAINT:
        return RenameConstraintPlan(range_parts(node.relation), node.subname, node.newname, node.missing_ok)
    if node.rename_type == tree.OBJECT_COLUMN:
        kind = _KINDS.get(node.relation_type, ObjectKind.TABLE)
        return RenamePlan(kind, range_parts(node.relation), node.newname, node.missing_ok, node.subname)
    if node.rename_type == tree.OBJECT_ATTRIBUTE and node.relation_type == tree.OBJECT_TYPE:
        return plan_rename_attribute(node)
    if node.rename_type == tree.OBJECT_DOMCONSTRAINT:
        return AlterDomainPlan(strings(node.object.list.items), RenamedCheck(node.subname, node.newname))
    found = _KINDS.get(node.rename_type)
    if found is None:
        raise analysis.unsupported(f"ALTER {object_words(node.rename_type)} RENAME")
    if statement.extension.swap:
        if found not in _SWAPPED or node.missing_ok:
            raise analysis.unsupported("this form of SWAP WITH")
        return SwapPlan(found, _name(node, found), node.newname)
    return RenamePlan(found, _name(node, found), node.newname, node.missing_ok)


def plan_move(analysis: Analysis, statement: ParsedStatement) -> MovePlan:
    node = statement.node
    routine = ROUTINES.get(node.object_type)
    if routine is not None:
        return MovePlan(routine, (), node.newschema, False, function_ref(analysis, node.object, routine))
    kind = _KINDS.get(node.object_type)
    if kind is None:
        raise analysis.unsupported(f"ALTER {object_words(node.object_type)} SET SCHEMA")
    return MovePlan(kind, _name(node, kind), node.newschema, node.missing_ok)


def _name(node: Any, kind: ObjectKind) -> tuple[str, ...]:
    if kind in (ObjectKind.SCHEMA, ObjectKind.DATABASE):
        return (node.subname,)
    if kind in (ObjectKind.TYPE, ObjectKind.DOMAIN):
        return strings(node.object.list.items)
    return range_parts(node.relation)


def plan(
    analysis: Analysis, statement: ParsedStatement
) -> AlterRetainHistoryPlan | AlterTablePlan | AlterCompositePlan | ViewOptionsPlan | NoOpPlan | OwnerPlan:
    node = statement.node
    if node.objtype == tree.OBJECT_TYPE:
        return plan_attributes(analysis, node)
    kind = _KINDS.get(node.objtype)
    owned = None if kind is None else owner_of_relation(node, kind)
    if owned is not None:
        return owned
    viewed = plan_view_options(analysis, node) if kind is ObjectKind.VIEW and not statement.extension.retains else None
    if viewed is not None:
        return viewed
    others = kind is ObjectKind.TABLE and not statement.extension.retains
    altered = plan_alter_table(analysis, node) if others else None
    if altered is not None:
        return altered
    if kind is None or not statement.extension.retains:
        raise analysis.unsupported(f"this form of ALTER {object_words(node.objtype)}")
    history = retain_history_ms(analysis, statement.extension)
    return AlterRetainHistoryPlan(kind, range_parts(node.relation), history, node.missing_ok)
