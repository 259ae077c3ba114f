"""Changes of clusters: they, and their replicas, come and go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from catalog.changes.change import (
    CreateCluster,
    CreateReplica,
    DropCluster,
    DropReplica,
    RenameCluster,
    SetCluster,
    SetPartitions,
    SwapClusters,
)
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID, Cluster, ClusterReplica
from catalog.nouns.items import Definition, Index, Item, MaterializedView, cluster_of
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import Source
from catalog.state import edits
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId

ClusterChange = CreateCluster | RenameCluster | SetPartitions | SwapClusters | DropCluster | CreateReplica | DropReplica


def with_cluster_change(state: CatalogState, change: ClusterChange) -> CatalogState:
    match change:
        case CreateCluster(cluster):
            _require_free(state, cluster.name)
            return edits.with_cluster(state, cluster)
        case RenameCluster(oid, name):
            _require_free(state, name)
            return edits.with_cluster(state, replace(_cluster(state, oid), name=name))
        case SetPartitions(oid, partitions):
            return edits.with_cluster(state, replace(_cluster(state, oid), partitions=partitions))
        case SwapClusters(oid, other):
            one, two = _cluster(state, oid), _cluster(state, other)
            return edits.with_cluster(
                edits.with_cluster(state, replace(one, name=two.name)), replace(two, name=one.name)
            )
        case DropCluster(oid):
            return _without_cluster(state, oid)
        case CreateReplica():
            return _with_replica(state, change)
        case DropReplica():
            return _without_replica(state, change)
        case _:
            assert_never(change)


def _require_free(state: CatalogState, name: str) -> None:
    if state.cluster_named(name) is not None:
        raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'cluster "{name}" already exists')


def _without_cluster(state: CatalogState, oid: int) -> CatalogState:
    """Returns the state without a cluster, its comments and its privileges; raises SqlError 2BP01 while anything runs
    in it."""
    cluster = _cluster(state, oid)
    if run_by(state, oid):
        message = f'cannot drop cluster "{cluster.name}" because other objects depend on it'
        raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, message)
    gone = {oid, *(replica.oid for replica in cluster.replicas)}
    return replace(
        state,
        clusters={each: kept for each, kept in state.clusters.items() if each != oid},
        comments={place: text for place, text in state.comments.items() if place[0] not in gone},
        acls={place: acl for place, acl in state.acls.items() if place[0] not in gone},
    )


def run_by(state: CatalogState, oid: int) -> list[Item]:
    """Returns what a cluster runs, by age."""
    found = (item for item in state.items.values() if cluster_of(item.definition) == oid)
    return sorted(found, key=lambda item: item.oid)


def require_clusters(state: CatalogState, definition: Definition) -> None:
    """Raises SqlError 42704 where the cluster of a new definition is gone, 40001 where the source that tells of its
    transactions has moved to another one."""
    oid = cluster_of(definition)
    if oid is not None:
        _cluster(state, oid)
    head = _head(definition) if isinstance(definition, Source) else None
    teller = None if head is None else state.items.get(head)
    if teller is not None and cluster_of(teller.definition) != oid:
        raise SqlError(Sqlstate.SERIALIZATION_FAILURE, f'source "{teller.name}" was moved by a concurrent statement')


def bound_with(state: CatalogState, item: Item) -> list[Item]:
    """Returns the item, and the sources that one ingestion binds with it, by age."""
    if not isinstance(item.definition, Source):
        return [item]
    head = _head(item.definition) or item.id
    found = (
        each
        for each in state.items.values()
        if isinstance(each.definition, Source) and (_head(each.definition) or each.id) == head
    )
    return sorted(found, key=lambda each: each.oid)


def _head(source: Source) -> GlobalId | None:
    """Returns the id of the source that tells of a source's transactions, if one does."""
    return None if source.transactions is None else source.transactions.source


def with_set_cluster(state: CatalogState, change: SetCluster) -> CatalogState:
    """Returns the state in which another cluster runs an item, with the sources that are bound together with it;
    raises SqlError 42704 where either is gone."""
    _cluster(state, change.cluster)
    item = state.items.get(change.id)
    if item is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "what was to move was dropped by a concurrent statement")
    for each in bound_with(state, item):
        definition = each.definition
        assert isinstance(definition, Source | Sink | MaterializedView | Index), "it is what a cluster runs"
        if isinstance(definition, Index) and definition.cluster != change.cluster:
            assert change.collection is not None and definition.rule is None, "keys stay where they are"
            definition = replace(definition, collection=change.collection)
        state = edits.with_item(state, replace(each, definition=replace(definition, cluster=change.cluster)))
    return state


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
