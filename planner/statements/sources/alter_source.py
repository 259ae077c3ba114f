"""DROP SOURCE, ALTER SOURCE … RENAME TO and SET (RETAIN HISTORY), COMMENT ON SOURCE."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind
from planner.plans.objects import AlterRetainHistoryPlan, CommentPlan, DropPlan, ObjectKind, RenamePlan
from planner.plans.replicas import SetClusterPlan
from planner.plans.roles import OwnerPlan
from planner.plans.sources import AddTablesPlan, FindUpstreamPlan, RefreshTablesPlan
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.statements.cluster import new_cluster
from planner.statements.connections.access_objects import plan_owner
from planner.statements.sources.added_tables import plan_subsources
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.connection_statements import (
    AddedSubsources,
    AlterOwnObject,
    ChangedOptions,
    ClusterSet,
    CommentOnOwnObject,
    DropOwnObjects,
    DroppedSubsources,
    OwnedByRole,
    RefreshedSubsources,
    RenamedTo,
)
from planner.syntax.parse import ParsedStatement

_RETAIN_HISTORY = "RETAIN HISTORY"


def plan_drop(_analysis: Analysis, statement: ParsedStatement) -> DropPlan:
    node: DropOwnObjects = statement.node
    return DropPlan(ObjectKind.SOURCE, tuple(name.parts for name in node.names), node.if_exists, node.cascade)


def plan_alter(
    analysis: Analysis, statement: ParsedStatement
) -> (
    RenamePlan
    | OwnerPlan
    | AlterRetainHistoryPlan
    | SetClusterPlan
    | AddTablesPlan
    | RefreshTablesPlan
    | FindUpstreamPlan
    | DropPlan
):
    node: AlterOwnObject = statement.node
    name = node.name.parts
    match node.action:
        case RenamedTo(new_name):
            return RenamePlan(ObjectKind.SOURCE, name, new_name, node.if_exists)
        case ChangedOptions(changes, resets):
            others = [option for option in (*changes, *resets) if option.name != _RETAIN_HISTORY]
            if others:
                raise analysis.unsupported(f"ALTER SOURCE with the option {others[0].name}", others[0].location)
            retained = ClauseOptions(analysis, changes).interval_ms(_RETAIN_HISTORY)
            return AlterRetainHistoryPlan(ObjectKind.SOURCE, name, retained, node.if_exists)
        case ClusterSet(cluster):
            return SetClusterPlan(ObjectKind.SOURCE, name, new_cluster(analysis, cluster), node.if_exists)
        case OwnedByRole() as owned:
            return plan_owner(node, owned)
        case AddedSubsources() | DroppedSubsources() | RefreshedSubsources():
            return plan_subsources(analysis, statement)
        case _:
            raise analysis.unsupported("this ALTER SOURCE", node.name.location)


def plan_comment(analysis: Analysis, statement: ParsedStatement) -> CommentPlan:
    node: CommentOnOwnObject = statement.node
    item = find_relation(analysis, node.name.parts, node.name.location)
    if item.kind is not ItemKind.SOURCE:
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name.name}" is not a source', node.name.location)
    return CommentPlan(item.oid, 0, node.text or None)
