"""CREATE, ALTER and DROP CLUSTER; CREATE and DROP CLUSTER REPLICA; SET CLUSTER of indexes and materialized views.

And ALTER SYSTEM PROMOTE.
"""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from planner.plans.objects import CommentPlan, ObjectKind
from planner.plans.replicas import (
    AlterClusterPlan,
    CreateClusterPlan,
    CreateReplicaPlan,
    DropClustersPlan,
    DropReplicasPlan,
    NewReplica,
    PromotePlan,
    RenameClusterPlan,
    ReplicaName,
    SetClusterPlan,
    SwapClustersPlan,
    WrittenReplicaOptions,
)
from planner.plans.roles import OwnerPlan
from planner.scope.analysis import Analysis
from planner.statements.cluster import new_cluster
from planner.statements.connections.access_objects import written_role
from planner.syntax.cluster_statements import (
    AlterClusterStatement,
    ClusterOwnerStatement,
    CommentOnClusterStatement,
    CreateClusterStatement,
    CreateReplicaStatement,
    DropClusterStatement,
    DropReplicaStatement,
    RenameClusterStatement,
    SetClusterStatement,
    SwapClustersStatement,
)
from planner.syntax.options import Option
from planner.syntax.own_statements import Place, PromoteStatement
from planner.syntax.parse import ParsedStatement

_MOST = {"REPLICATION FACTOR": 16, "PARTITIONS": 1024}
"""The greatest values of options that are numbers."""


def plan_create(analysis: Analysis, statement: ParsedStatement) -> CreateReplicaPlan:
    node: CreateReplicaStatement = statement.node
    return CreateReplicaPlan(_name(analysis, node.name), _own_options(analysis, node.options), node.if_not_exists)


def plan_drop(analysis: Analysis, statement: ParsedStatement) -> DropReplicasPlan:
    node: DropReplicaStatement = statement.node
    return DropReplicasPlan(tuple(_name(analysis, each) for each in node.names), node.if_exists)


def plan_create_cluster(analysis: Analysis, statement: ParsedStatement) -> CreateClusterPlan:
    """Plans a cluster whose replicas are named, or r1, r2, … up to REPLICATION FACTOR, which is 1 by itself."""
    node: CreateClusterStatement = statement.node
    if node.replicas is not None:
        replicas = tuple(NewReplica(each.name, _own_options(analysis, each.options)) for each in node.replicas)
        return CreateClusterPlan(node.name, replicas, node.if_not_exists)
    factor, partitions = _numbers(analysis, node.options)
    own = _own_options(analysis, tuple(each for each in node.options if each.name not in _MOST))
    replicas = tuple(NewReplica(f"r{number}", own) for number in range(1, (1 if factor is None else factor) + 1))
    return CreateClusterPlan(node.name, replicas, node.if_not_exists, partitions or None)


def _numbers(analysis: Analysis, options: tuple[Option, ...]) -> tuple[int | None, int | None]:
    """Returns the replication factor and the partitions. Raises SqlError 22023."""
    found: dict[str, int] = {}
    for option in options:
        if option.name in _MOST:
            most = _MOST[option.name]
            if not isinstance(option.value, int) or not 0 <= option.value <= most:
                message = f"{option.name} must be between 0 and {most}"
                raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)
            found[option.name] = option.value
    return found.get("REPLICATION FACTOR"), found.get("PARTITIONS")


def plan_alter_cluster(analysis: Analysis, statement: ParsedStatement) -> AlterClusterPlan:
    node: AlterClusterStatement = statement.node
    return AlterClusterPlan(node.name, *_numbers(analysis, node.options), node.if_exists)


def plan_cluster_owner(analysis: Analysis, statement: ParsedStatement) -> OwnerPlan:
    node: ClusterOwnerStatement = statement.node
    return OwnerPlan(ObjectKind.CLUSTER, (node.name,), written_role(node.role), node.if_exists)


def plan_comment_on_cluster(analysis: Analysis, statement: ParsedStatement) -> CommentPlan:
    node: CommentOnClusterStatement = statement.node
    return CommentPlan(new_cluster(analysis, node.name), 0, node.text or None)


def _own_options(analysis: Analysis, options: tuple[Option, ...]) -> WrittenReplicaOptions:
    """Returns the options; raises SqlError 42601 where the memory is said twice, or beside an address."""
    found = {each.name: _text(analysis, each) for each in options}
    if "SIZE" in found and "MEMORY" in found:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "SIZE and MEMORY say the same: one of them is enough")
    if "ADDRESS" in found and len(found) > 1:
        others = " and ".join(name for name in found if name != "ADDRESS")
        message = f"a replica with an ADDRESS has no {others}"
        hint = "What it may use is said where it is started: headwater replica --help."
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, hint=hint)
    return WrittenReplicaOptions(
        found.get("MEMORY", found.get("SIZE")), found.get("SPARK MASTER"), found.get("ADDRESS")
    )


def plan_rename_cluster(analysis: Analysis, statement: ParsedStatement) -> RenameClusterPlan:
    node: RenameClusterStatement = statement.node
    return RenameClusterPlan(node.name, node.new_name, node.if_exists)


def plan_swap_clusters(analysis: Analysis, statement: ParsedStatement) -> SwapClustersPlan:
    node: SwapClustersStatement = statement.node
    return SwapClustersPlan(node.name, node.other)


def plan_set_cluster(analysis: Analysis, statement: ParsedStatement) -> SetClusterPlan:
    node: SetClusterStatement = statement.node
    kind = ObjectKind.MATERIALIZED_VIEW if node.materialized_view else ObjectKind.INDEX
    return SetClusterPlan(kind, node.name.parts, new_cluster(analysis, node.cluster), node.if_exists)


def plan_drop_cluster(analysis: Analysis, statement: ParsedStatement) -> DropClustersPlan:
    node: DropClusterStatement = statement.node
    return DropClustersPlan(node.names, node.if_exists, node.cascade)


def _name(analysis: Analysis, place: Place) -> ReplicaName:
    if len(place.parts) != 2:
        raise analysis.error(
            Sqlstate.SYNTAX_ERROR, "a replica is named by its cluster: cluster.replica", place.location
        )
    return ReplicaName(*place.parts)


def _text(analysis: Analysis, option: Option) -> str:
    if not isinstance(option.value, str):
        message = f"{option.name} takes a text"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, option.location)
    return option.value


def plan_promotion(analysis: Analysis, statement: ParsedStatement) -> PromotePlan:
    node: PromoteStatement = statement.node
    return PromotePlan(node.standby, node.force)
