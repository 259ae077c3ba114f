"""CREATE, ALTER and DROP CLUSTER, as part of the transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import assert_never

from catalog.changes.change import (
    CreateCluster,
    CreateReplica,
    DropCluster,
    DropItems,
    DropReplica,
    RenameCluster,
    SetPartitions,
    SwapClusters,
)
from catalog.changes.clusters import run_by
from catalog.facts.roles.decide import require_owner
from catalog.facts.roles.securables import cluster_securable
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID, Cluster, ClusterReplica
from compute.controller.replica_values import REPLICAS_MAX
from model.errors.sql_error import NotSupported, Severity, SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.replicas import (
    AlterClusterPlan,
    ClusterPlan,
    CreateClusterPlan,
    DropClustersPlan,
    RenameClusterPlan,
    SwapClustersPlan,
)
from server.pgwire.backend import Command
from server.statements.definitions.replicas import new_replica
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution

_RESERVED = ("mz_", "pg_")


def sequence_cluster(plan: ClusterPlan, execution: Execution, session: StatementSession) -> Command:
    match plan:
        case CreateClusterPlan():
            return _create(plan, execution, session)
        case RenameClusterPlan():
            return _rename(plan, execution, session)
        case SwapClustersPlan():
            return _swap(plan, execution)
        case AlterClusterPlan():
            return _alter(plan, execution, session)
        case DropClustersPlan():
            return _drop(plan, execution, session)
        case _:
            assert_never(plan)


def _create(plan: CreateClusterPlan, execution: Execution, session: StatementSession) -> Command:
    execution.transaction.require_writable("CREATE CLUSTER")
    if execution.environment.replicas.places is None:
        raise NotSupported("CREATE CLUSTER by a server that starts no processes")
    if plan.if_not_exists and execution.catalog.cluster_named(plan.name) is not None:
        session.notice(Severity.NOTICE, Sqlstate.DUPLICATE_OBJECT, f'cluster "{plan.name}" already exists, skipping')
        return Command("CREATE CLUSTER")
    _require_allowed_name(plan.name)
    _require_once(f'cluster replica "{plan.name}.{each.name}"' for each in plan.replicas)
    addresses = (each.options.address for each in plan.replicas)
    _require_once(f"address {each}" for each in addresses if each is not None)
    if len(plan.replicas) > REPLICAS_MAX:
        message = f"a cluster has {REPLICAS_MAX} replicas at most"
        raise SqlError(Sqlstate.CONFIGURATION_LIMIT_EXCEEDED, message)
    allocator = execution.environment.catalog.allocator
    oid = allocator.oid()
    replicas = tuple(new_replica(each.name, each.options, execution) for each in plan.replicas)
    execution.change_catalog(CreateCluster(Cluster(oid, plan.name, execution.role, replicas, plan.partitions)))
    return Command("CREATE CLUSTER")


def _require_once(names: Iterable[str]) -> None:
    """Raises SqlError 42710 for the first name that comes twice."""
    for name, count in Counter(names).items():
        if count > 1:
            raise SqlError(Sqlstate.DUPLICATE_OBJECT, f"{name} specified more than once")


def _rename(plan: RenameClusterPlan, execution: Execution, session: StatementSession) -> Command:
    execution.transaction.require_writable("ALTER CLUSTER")
    cluster = _cluster(plan.name, execution, session, if_exists=plan.if_exists)
    if cluster is not None:
        _require_renamable(cluster)
        _require_allowed_name(plan.new_name)
        execution.change_catalog(RenameCluster(cluster.oid, plan.new_name))
    return Command("ALTER CLUSTER")


def _swap(plan: SwapClustersPlan, execution: Execution) -> Command:
    execution.transaction.require_writable("ALTER CLUSTER")
    one, other = (_known_cluster(name, execution) for name in (plan.name, plan.other))
    for each in (one, other):
        _require_renamable(each)
    if one is not other:
        execution.change_catalog(SwapClusters(one.oid, other.oid))
    return Command("ALTER CLUSTER")


def _alter(plan: AlterClusterPlan, execution: Execution, session: StatementSession) -> Command:
    execution.transaction.require_writable("ALTER CLUSTER")
    cluster = _cluster(plan.name, execution, session, if_exists=plan.if_exists)
    if cluster is None:
        return Command("ALTER CLUSTER")
    if (object_ := cluster_securable(execution.catalog, cluster.oid)) is not None:
        require_owner(execution.catalog, execution.role, object_)
    if plan.factor is not None:
        _set_factor(cluster, plan.factor, execution)
    if plan.partitions is not None:
        execution.change_catalog(SetPartitions(cluster.oid, plan.partitions or None))
    return Command("ALTER CLUSTER")


def _set_factor(cluster: Cluster, factor: int, execution: Execution) -> None:
    """Adds replicas like the newest one, or drops the last ones. Raises SqlError 55000 for a cluster whose replicas
    have other names than REPLICATION FACTOR gives."""
    names = [f"r{number}" for number in range(1, REPLICAS_MAX + 1)]
    if any(each.given or each.name not in names for each in cluster.replicas):
        message = f'the replicas of cluster "{cluster.name}" are not those of a REPLICATION FACTOR'
        hint = "CREATE CLUSTER REPLICA and DROP CLUSTER REPLICA change them by name."
        if cluster.oid == DEFAULT_CLUSTER_OID:
            hint = "Start the server with other --replicas."
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message, hint=hint)
    if factor > len(cluster.replicas) and execution.environment.replicas.places is None:
        raise NotSupported("more replicas for a server that starts no processes")
    by_name = {each.name: each for each in cluster.replicas}
    newest = cluster.replicas[-1] if cluster.replicas else None
    kept = [name for name in names if name in by_name][:factor]
    for each in cluster.replicas:
        if each.name not in kept:
            execution.change_catalog(DropReplica(cluster.oid, each.oid))
    for name in [name for name in names if name not in by_name][: factor - len(kept)]:
        oid = execution.environment.catalog.allocator.oid()
        own = (None, None) if newest is None else (newest.memory, newest.master)
        execution.change_catalog(CreateReplica(cluster.oid, ClusterReplica(oid, name, False, *own)))


def _require_renamable(cluster: Cluster) -> None:
    """Raises SqlError 55000 for the cluster in which sessions begin."""
    if cluster.oid == DEFAULT_CLUSTER_OID:
        message = f'cannot rename cluster "{cluster.name}", in which sessions begin'
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)


def _drop(plan: DropClustersPlan, execution: Execution, session: StatementSession) -> Command:
    execution.transaction.require_writable("DROP CLUSTER")
    for name in dict.fromkeys(plan.names):
        cluster = _cluster(name, execution, session, if_exists=plan.if_exists)
        if cluster is None:
            continue
        if cluster.oid == DEFAULT_CLUSTER_OID:
            message = f'cannot drop cluster "{name}" because it is required by the database system'
            raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, message)
        items = run_by(execution.catalog, cluster.oid)
        if items and not plan.cascade:
            raise SqlError(
                Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
                f'cannot drop cluster "{name}" because other objects depend on it',
                detail="\n".join(f"{item.kind.value} {item.name} depends on cluster {name}" for item in items),
                hint="Use DROP ... CASCADE to drop the dependent objects too.",
            )
        if items:
            execution.change_catalog(DropItems(tuple(item.id for item in items), cascade=True))
        execution.change_catalog(DropCluster(cluster.oid))
    return Command("DROP CLUSTER")


def _cluster(name: str, execution: Execution, session: StatementSession, *, if_exists: bool) -> Cluster | None:
    """Returns a cluster; None after a notice, where it need not exist. Raises SqlError 42704 where it must."""
    if if_exists and execution.catalog.cluster_named(name) is None:
        message = f'cluster "{name}" does not exist, skipping'
        session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, message)
        return None
    return _known_cluster(name, execution)


def _known_cluster(name: str, execution: Execution) -> Cluster:
    cluster = execution.catalog.cluster_named(name)
    if cluster is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'cluster "{name}" does not exist')
    return cluster


def _require_allowed_name(name: str) -> None:
    if name.startswith(_RESERVED):
        hint = 'Names that begin with "mz_" or "pg_" are reserved.'
        raise SqlError(Sqlstate.RESERVED_NAME, f'unacceptable cluster name "{name}"', hint=hint)
