"""Changes of clusters: replicas come and go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from catalog.changes.change import CreateReplica, DropReplica
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID, Cluster, ClusterReplica
from catalog.state import edits
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate


def with_cluster_change(state: CatalogState, change: CreateReplica | DropReplica) -> CatalogState:
    match change:
        case CreateReplica():
            return _with_replica(state, change)
        case DropReplica():
            return _without_replica(state, change)
        case _:
            assert_never(change)


def _with_replica(state: CatalogState, change: CreateReplica) -> CatalogState:
    """Returns the state with one more replica; raises SqlError 42710 when the cluster has one of this name."""
    cluster = _cluster(state, change.cluster)
    if cluster.replica_named(change.replica.name) is not None:
        message = f'cluster replica "{cluster.name}.{change.replica.name}" already exists'
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, message)
    return edits.with_cluster(state, replace(cluster, replicas=(*cluster.replicas, change.replica)))


def _without_replica(state: CatalogState, change: DropReplica) -> CatalogState:
    cluster = _cluster(state, change.cluster)
    if cluster.replica_with(change.replica) is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "the cluster replica was dropped by a concurrent statement")
    kept = tuple(each for each in cluster.replicas if each.oid != change.replica)
    return edits.with_cluster(state, replace(cluster, replicas=kept))


def given_replicas(
    state: CatalogState, names: Iterable[str], allocator: IdAllocator
) -> Iterator[CreateReplica | DropReplica]:
    """Yields what makes the given replicas of the cluster `default` those with these names, which SQL gives to none."""
    cluster, names = _cluster(state, DEFAULT_CLUSTER_OID), tuple(names)
    for replica in cluster.replicas:
        if replica.given and replica.name not in names:
            yield DropReplica(cluster.oid, replica.oid)
    for name in names:
        if cluster.replica_named(name) is None:
            yield CreateReplica(cluster.oid, ClusterReplica(allocator.oid(), name, given=True))


def _cluster(state: CatalogState, oid: int) -> Cluster:
    cluster = state.clusters.get(oid)
    if cluster is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "the cluster was dropped by a concurrent statement")
    return cluster
