"""ALTER SINK."""

from __future__ import annotations

from planner.plans.objects import ObjectKind, RenamePlan
from planner.plans.replicas import SetClusterPlan
from planner.plans.roles import OwnerPlan
from planner.plans.sinks import AlterSinkPlan, NewParallelism, NewSinkSource, SinkCommand
from planner.scope.analysis import Analysis
from planner.statements.cluster import new_cluster
from planner.statements.connections.access_objects import plan_owner, plan_rename
from planner.statements.sinks.create_sink import parallelism, written_relation
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.connection_statements import (
    AlterOwnObject,
    ClusterSet,
    OwnedByRole,
    RenamedTo,
    SinkSetFrom,
    SinkSetOptions,
    SinkTold,
)
from planner.syntax.parse import ParsedStatement


def plan(analysis: Analysis, statement: ParsedStatement) -> RenamePlan | AlterSinkPlan | OwnerPlan | SetClusterPlan:
    node: AlterOwnObject = statement.node
    match node.action:
        case RenamedTo(name):
            return plan_rename(node, name)
        case OwnedByRole() as owned:
            return plan_owner(node, owned)
        case ClusterSet(cluster):
            return SetClusterPlan(ObjectKind.SINK, node.name.parts, new_cluster(analysis, cluster), node.if_exists)
        case SinkTold(word):
            return AlterSinkPlan(node.name.parts, node.if_exists, SinkCommand[word])
        case SinkSetOptions(told):
            count = parallelism(ClauseOptions(analysis, told))
            return AlterSinkPlan(node.name.parts, node.if_exists, NewParallelism(count))
        case SinkSetFrom(source):
            item = written_relation(analysis, source)
            return AlterSinkPlan(node.name.parts, node.if_exists, NewSinkSource(item.id, item.visible))
        case _:
            raise AssertionError("a sink has no value")
