"""Clusters, and the processes of their replicas: those of the catalog run, and no others.

The replicas of the server's options run from the start. One that CREATE CLUSTER REPLICA made begins once it is
committed, and hydrates; one that DROP CLUSTER REPLICA took leads no longer from then on, and its process ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from catalog.nouns.clusters import DEFAULT_CLUSTER_OID, ClusterReplica
from catalog.state.catalog_state import CatalogState
from compute.controller.link import Host
from compute.protocol.command import PARTITIONS
from model.time.timestamp import Timestamp
from server.ledgers.committed_catalog import CatalogCommit
from timeline.commit_part import CommitPart


class ReplicaPlaces(Protocol):
    """The places where replicas run. A replica's place is its own: it is found again by the replica's oid."""

    def host(self, replica: ClusterReplica) -> Host: ...

    async def clear(self, replica: ClusterReplica) -> None:
        """Removes what a dropped replica, whose process has ended, has left."""
        ...

    async def sweep(self, kept: Sequence[ClusterReplica]) -> None:
        """Removes files of replicas that were dropped while the server ended."""
        ...


class ReplicaController(Protocol):
    """The part of the controllers that adds clusters and replicas, and takes them away."""

    def add_cluster(self, cluster: int) -> None: ...

    def remove_cluster(self, cluster: int) -> None: ...

    def add_replica(self, cluster: int, name: str, host: Host) -> None: ...

    def remove_replica(self, cluster: int, name: str) -> Awaitable[None]: ...

    def configure(self, cluster: int, parameters: dict[str, str]) -> None: ...


@dataclass(slots=True)
class Replicas:
    """Keeps the controllers' clusters and replicas those of the catalog. Without `places` there are no replicas but the
    given ones."""

    compute: ReplicaController
    places: ReplicaPlaces | None
    _clusters: set[int] = field(default_factory=lambda: {DEFAULT_CLUSTER_OID})
    _partitions: dict[int, int | None] = field(default_factory=dict)
    _running: dict[int, tuple[int, ClusterReplica]] | None = None
    _ending: set[asyncio.Task[None]] = field(default_factory=set)

    def add_clusters(self, state: CatalogState) -> None:
        """Adds the clusters that there are, without replicas, and tells them their options: before their dataflows are
        installed."""
        for oid in state.clusters.keys() - self._clusters:
            self.compute.add_cluster(oid)
            self._clusters.add(oid)
        for oid, cluster in state.clusters.items():
            # A replica that outlives its server has heard of another number, perhaps, also where now none is given.
            if oid not in self._partitions or self._partitions[oid] != cluster.partitions:
                self.compute.configure(oid, {PARTITIONS: str(cluster.partitions or 0)})
                self._partitions[oid] = cluster.partitions

    async def begin(self, state: CatalogState, *, sweep: bool = True) -> None:
        """Begins with the given replicas, which the controller has, and adds the others. With `sweep`, what dropped
        ones have left is removed."""
        replicas = [replica for cluster in state.clusters.values() for replica in cluster.replicas]
        self._running = {oid: each for oid, each in _replicas(state).items() if each[1].given}
        if self.places is not None and sweep:
            await self.places.sweep(replicas)
        self.follow(state)

    def follow(self, state: CatalogState) -> None:
        """Starts and ends replicas until the running replicas are the state's, and forgets dropped clusters, whose
        dataflows have been dropped.

        Starts and ends none before `begin`: until then the catalog learns of the given replicas, which start by
        themselves.
        """
        if self.places is not None and self._running is not None:
            self._follow_replicas(_replicas(state), self._running, self.places)
        for oid in self._clusters - state.clusters.keys():
            self.compute.remove_cluster(oid)
            self._clusters.discard(oid)
            self._partitions.pop(oid, None)

    def _follow_replicas(
        self,
        wanted: dict[int, tuple[int, ClusterReplica]],
        running: dict[int, tuple[int, ClusterReplica]],
        places: ReplicaPlaces,
    ) -> None:
        for oid in running.keys() - wanted.keys():
            cluster, replica = running.pop(oid)
            ended = self.compute.remove_replica(cluster, replica.name)
            task = asyncio.create_task(_end(replica, ended, places), name=f"end of replica {replica.name}")
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
        for oid in sorted(wanted.keys() - running.keys()):
            cluster, replica = running[oid] = wanted[oid]
            self.compute.add_replica(cluster, replica.name, places.host(replica))

    async def close(self) -> None:
        """Waits until the processes of dropped replicas have ended."""
        await asyncio.gather(*self._ending, return_exceptions=True)


def _replicas(state: CatalogState) -> dict[int, tuple[int, ClusterReplica]]:
    """Returns the replicas of all clusters by oid, each with its cluster's."""
    return {replica.oid: (oid, replica) for oid, cluster in state.clusters.items() for replica in cluster.replicas}


async def _end(replica: ClusterReplica, ended: Awaitable[None], places: ReplicaPlaces) -> None:
    await ended
    await places.clear(replica)


@dataclass(slots=True)
class NewClustersCommit(CommitPart):
    """Clusters that come with a commit, before dataflows begin in them."""

    catalog: CatalogCommit
    replicas: Replicas

    def applied(self, timestamp: Timestamp) -> None:
        self.replicas.add_clusters(self.catalog.after)


@dataclass(slots=True)
class ReplicasCommit(CommitPart):
    """Replicas that come and go with a commit, and clusters that go, once their dataflows are dropped."""

    catalog: CatalogCommit
    replicas: Replicas

    def applied(self, timestamp: Timestamp) -> None:
        if self.catalog.before.clusters != self.catalog.after.clusters:
            self.replicas.follow(self.catalog.after)
