"""The processes of the replicas: those of the catalog run, and no others.

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
from model.time.timestamp import Timestamp
from server.ledgers.committed_catalog import CatalogCommit
from timeline.commit_part import CommitPart


class ReplicaPlaces(Protocol):
    """Where replicas run. A replica's place is its own: it is found again by the replica's oid."""

    def host(self, replica: ClusterReplica) -> Host: ...

    async def clear(self, replica: ClusterReplica) -> None:
        """Removes what a dropped replica, whose process has ended, has left."""
        ...

    async def sweep(self, kept: Sequence[ClusterReplica]) -> None:
        """Removes files of replicas that were dropped while the server ended."""
        ...


class ReplicaController(Protocol):
    """The part of the controller that adds replicas and takes them away."""

    def add_replica(self, name: str, host: Host) -> None: ...

    def remove_replica(self, name: str) -> Awaitable[None]: ...


@dataclass(slots=True)
class Replicas:
    """Keeps the controller's replicas those of the catalog. Without `places` there are none but the given ones."""

    compute: ReplicaController
    places: ReplicaPlaces | None
    _running: dict[int, ClusterReplica] | None = None
    _ending: set[asyncio.Task[None]] = field(default_factory=set)

    async def begin(self, state: CatalogState) -> None:
        """Begins with the given replicas, which the controller has, and adds the others."""
        replicas = state.clusters[DEFAULT_CLUSTER_OID].replicas
        self._running = {replica.oid: replica for replica in replicas if replica.given}
        if self.places is not None:
            await self.places.sweep(replicas)
        self.follow(state)

    def follow(self, state: CatalogState) -> None:
        """Starts and ends replicas until the running replicas are the state's.

        Does nothing before `begin`: until then the catalog learns of the given replicas, which start by themselves.
        """
        if self.places is None or self._running is None:
            return
        wanted = {replica.oid: replica for replica in state.clusters[DEFAULT_CLUSTER_OID].replicas}
        for oid in self._running.keys() - wanted.keys():
            replica = self._running.pop(oid)
            ended = self.compute.remove_replica(replica.name)
            task = asyncio.create_task(_end(replica, ended, self.places), name=f"end of replica {replica.name}")
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
        for oid in wanted.keys() - self._running.keys():
            replica = self._running[oid] = wanted[oid]
            self.compute.add_replica(replica.name, self.places.host(replica))

    async def close(self) -> None:
        """Returns when the processes of dropped replicas have ended."""
        await asyncio.gather(*self._ending, return_exceptions=True)


async def _end(replica: ClusterReplica, ended: Awaitable[None], places: ReplicaPlaces) -> None:
    await ended
    await places.clear(replica)


@dataclass(slots=True)
class ReplicasCommit(CommitPart):
    """Replicas that come and go with a commit."""

    catalog: CatalogCommit
    replicas: Replicas

    def applied(self, timestamp: Timestamp) -> None:
        if self.catalog.before.clusters != self.catalog.after.clusters:
            self.replicas.follow(self.catalog.after)
