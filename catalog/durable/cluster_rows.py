"""Clusters as rows of the catalog (see durable), and back."""

from __future__ import annotations

from typing import Any

from catalog.nouns.clusters import Cluster, ClusterReplica


def cluster_value(cluster: Cluster) -> dict[str, Any]:
    replicas = [[replica.oid, replica.name, replica.given] for replica in cluster.replicas]
    return {"name": cluster.name, "owner": cluster.owner, "replicas": replicas}


def cluster_of(key: str, value: dict[str, Any]) -> Cluster:
    replicas = tuple(ClusterReplica(*each) for each in value["replicas"])
    return Cluster(int(key), value["name"], value["owner"], replicas)
