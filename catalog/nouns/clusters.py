"""Clusters, and the replicas that run a cluster's dataflows and queries.

A cluster belongs to no database and to no schema, as a role doesn't. Each of its replicas is a process of its own; what
the server's options describe is `given`, and there at every start of a server with these options.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.cluster_id import FIRST_CLUSTER

DEFAULT_CLUSTER_OID = FIRST_CLUSTER
DEFAULT_CLUSTER = "default"
FIRST_REPLICA_OID = 16386


@dataclass(frozen=True, slots=True)
class ClusterReplica:
    """A replica.

    given    the server's options describe it
    memory   the heap of its JVM; None: what the options say
    master   the Spark master of its session; None: what the options say
    address  where the replica listens that somebody else starts and ends, `host:port` or `unix:/path`; None: it is a
             process of the server's
    """

    oid: int
    name: str
    given: bool
    memory: str | None = None
    master: str | None = None
    address: str | None = None

    @property
    def id(self) -> str:
        """Returns the replica's id in mz_cluster_replicas."""
        return str(self.oid)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster, with its replicas by age. `partitions`: how many tasks work on a large step of its dataflows; None:
    as many as the replica's machine has room for."""

    oid: int
    name: str
    owner: int
    replicas: tuple[ClusterReplica, ...]
    partitions: int | None = None

    @property
    def id(self) -> str:
        """Returns the cluster's id in mz_clusters."""
        return str(self.oid)

    def replica_with(self, oid: int) -> ClusterReplica | None:
        return next((replica for replica in self.replicas if replica.oid == oid), None)

    def replica_named(self, name: str) -> ClusterReplica | None:
        return next((replica for replica in self.replicas if replica.name == name), None)


def first_cluster(owner: int) -> Cluster:
    """Returns the cluster that a new catalog has, with the replica that every server has."""
    return Cluster(DEFAULT_CLUSTER_OID, DEFAULT_CLUSTER, owner, (ClusterReplica(FIRST_REPLICA_OID, "r1", True),))
