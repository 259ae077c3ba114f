"""Clusters as rows of the catalog (see durable), and back."""

from __future__ import annotations

from typing import Any

from catalog.nouns.clusters import Cluster, ClusterReplica


def cluster_value(cluster: Cluster) -> dict[str, Any]:
    value = {"name": cluster.name, "owner": cluster.owner, "replicas": list(map(_replica_value, cluster.replicas))}
    return value if cluster.partitions is None else {**value, "partitions": cluster.partitions}


def _replica_value(replica: ClusterReplica) -> list[Any]:
    """Writes a list of the replica's fields, without the last ones that are not given: of three, where none is."""
    own = [replica.memory, replica.master, replica.address]
    while own and own[-1] is None:
        own.pop()
    return [replica.oid, replica.name, replica.given, *own]


def cluster_of(key: str, value: dict[str, Any]) -> Cluster:
    replicas = tuple(ClusterReplica(*each) for each in value["replicas"])
    return Cluster(int(key), value["name"], value["owner"], replicas, value.get("partitions"))
