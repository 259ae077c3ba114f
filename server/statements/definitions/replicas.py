"""CREATE and DROP CLUSTER REPLICA, as part of the transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from catalog.changes.change import CreateReplica, DropReplica
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID, Cluster, ClusterReplica
from compute.controller.replica_values import REPLICAS_MAX, checked_address, checked_master, checked_memory
from model.errors.sql_error import NotSupported, Severity, SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.replicas import CreateReplicaPlan, DropReplicasPlan, ReplicaName, ReplicaPlan, WrittenReplicaOptions
from server.pgwire.backend import Command
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution

_OF_THE_OPTIONS = frozenset(f"r{number}" for number in range(1, REPLICAS_MAX + 1))


def sequence_replica(plan: ReplicaPlan, execution: Execution, session: StatementSession) -> Command:
    match plan:
        case CreateReplicaPlan():
            return _create(plan, execution, session)
        case DropReplicasPlan():
            return _drop(plan, execution, session)
        case _:
            assert_never(plan)


def _create(plan: CreateReplicaPlan, execution: Execution, session: StatementSession) -> Command:
    execution.transaction.require_writable("CREATE CLUSTER REPLICA")
    if execution.environment.replicas.places is None:
        raise NotSupported("CREATE CLUSTER REPLICA by a server that starts no processes")
    name, tag = plan.replica, Command("CREATE CLUSTER REPLICA")
    cluster = _cluster(execution, name)
    if plan.if_not_exists and cluster.replica_named(name.name) is not None:
        session.notice(Severity.NOTICE, Sqlstate.DUPLICATE_OBJECT, f'cluster replica "{name}" already exists, skipping')
        return tag
    of_the_options = cluster.oid == DEFAULT_CLUSTER_OID and name.name in _OF_THE_OPTIONS
    if of_the_options and cluster.replica_named(name.name) is None:
        hint = f"--replicas gives the names r1 to r{REPLICAS_MAX}. Choose another one, or start the server with more."
        raise SqlError(Sqlstate.RESERVED_NAME, f'replica name "{name.name}" is reserved', hint=hint)
    if len(cluster.replicas) >= REPLICAS_MAX:
        message = f'cluster "{cluster.name}" has {REPLICAS_MAX} replicas, as many as it may have'
        raise SqlError(Sqlstate.CONFIGURATION_LIMIT_EXCEEDED, message)
    execution.change_catalog(CreateReplica(cluster.oid, new_replica(name.name, plan.options, execution)))
    return tag


def new_replica(name: str, options: WrittenReplicaOptions, execution: Execution) -> ClusterReplica:
    """Returns a replica with an oid of its own. Raises SqlError 22023 for options without a meaning, 42710 for an
    address at which another replica is."""
    memory, master = _valid(options.memory, checked_memory), _valid(options.master, checked_master)
    address = _valid(options.address, checked_address)
    if address is not None:
        _require_free(address, execution)
    return ClusterReplica(execution.environment.catalog.allocator.oid(), name, False, memory, master, address)


def _require_free(address: str, execution: Execution) -> None:
    """Raises SqlError 42710 where the catalog has a replica at the address: one process serves one cluster."""
    for cluster in execution.catalog.clusters.values():
        for replica in cluster.replicas:
            if replica.address == address:
                message = f'cluster replica "{cluster.name}.{replica.name}" is at {address} already'
                raise SqlError(Sqlstate.DUPLICATE_OBJECT, message)


def _valid(value: str | None, check: Callable[[str], str]) -> str | None:
    """Returns an option's value; raises SqlError 22023 where it is none."""
    try:
        return None if value is None else check(value)
    except ValueError as error:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, str(error)) from None


def _drop(plan: DropReplicasPlan, execution: Execution, session: StatementSession) -> Command:
    execution.transaction.require_writable("DROP CLUSTER REPLICA")
    for name in dict.fromkeys(plan.replicas):
        state = execution.catalog
        cluster = state.cluster_named(name.cluster) if plan.if_exists else _cluster(execution, name)
        replica = None if cluster is None else cluster.replica_named(name.name)
        if cluster is None or replica is None:
            message = f'cluster replica "{name}" does not exist'
            if not plan.if_exists:
                raise SqlError(Sqlstate.UNDEFINED_OBJECT, message)
            session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, f"{message}, skipping")
            continue
        if replica.given:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                f'cannot drop cluster replica "{name}" because the server\'s options ask for it',
                hint="Start the server with fewer --replicas.",
            )
        execution.change_catalog(DropReplica(cluster.oid, replica.oid))
    return Command("DROP CLUSTER REPLICA")


def _cluster(execution: Execution, name: ReplicaName) -> Cluster:
    cluster = execution.catalog.cluster_named(name.cluster)
    if cluster is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'cluster "{name.cluster}" does not exist')
    return cluster
