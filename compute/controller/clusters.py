"""The clusters of an environment: a controller for each, over the dataflows of all.

A query is answered by the cluster that it names, an index by the cluster that maintains it. The first cluster is there
from the beginning, with the replicas of the server's options; others come and go, and begin without replicas.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Mapping

import pyarrow as pa

from compute.controller.asked import NO_REPLICA
from compute.controller.controller import ComputeController, ControllerOptions
from compute.controller.dataflows import DataflowController
from compute.controller.link import Host
from compute.controller.pending import IndexPeekRequest, PeekRequest
from compute.controller.replica_status import ObservedReplica
from compute.protocol.dataflow import DataflowDescription
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.cluster_id import FIRST_CLUSTER
from model.time.clock import Clock, Randomness
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from storage.subscription import SubscriptionEvent


class ComputeClusters:
    """The environment's only access to compute. Call `start` first, `stop` last. `hosts` are those of the first
    cluster's replicas, by name."""

    def __init__(
        self, options: ControllerOptions, hosts: Mapping[str, Host], clock: Clock, randomness: Randomness
    ) -> None:
        self.dataflows = DataflowController()
        self._options = options
        self._clock = clock
        self._randomness = randomness
        self._clusters = {FIRST_CLUSTER: self._controller(FIRST_CLUSTER, hosts)}
        self._started = False

    def _controller(self, cluster: int, hosts: Mapping[str, Host]) -> ComputeController:
        return ComputeController(self._options, hosts, self._clock, self._randomness, cluster, self.dataflows)

    async def start(self) -> None:
        """Begins to connect, and returns at once."""
        self._started = True
        for cluster in self._clusters.values():
            cluster.start()

    def add_cluster(self, cluster: int) -> None:
        """Adds a cluster, which has no replicas yet."""
        controller = self._clusters[cluster] = self._controller(cluster, {})
        if self._started:
            controller.start()

    def remove_cluster(self, cluster: int) -> None:
        """Removes a cluster whose replicas have been removed, and whose dataflows have been dropped."""
        self._clusters.pop(cluster).remove()

    def add_replica(self, cluster: int, name: str, host: Host) -> None:
        """Adds a replica to a cluster (see ComputeController)."""
        self._clusters[cluster].add_replica(name, host)

    def remove_replica(self, cluster: int, name: str) -> Awaitable[None]:
        """Removes a replica at once. What is returned ends its process."""
        return self._clusters[cluster].remove_replica(name)

    def configure(self, cluster: int, parameters: dict[str, str]) -> None:
        """Sets parameters of every replica of a cluster, now and later."""
        self._clusters[cluster].configure(parameters)

    async def stop(self, *, leave_replica: bool = False) -> None:
        """Ends all clusters at once (see ComputeController). Once a newer environment has a replica of one, those of
        all are left to it."""
        clusters = list(self._clusters.values())
        left = leave_replica or any(cluster.superseded for cluster in clusters)
        await asyncio.gather(*(cluster.stop(leave_replica=left) for cluster in clusters))

    def peek(self, request: PeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        """Asks the request's cluster (see ComputeController)."""
        return self._answering(request.cluster).peek(request)

    def peek_index(self, request: IndexPeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        """Asks the cluster of the index (see ComputeController)."""
        return self._of_index(request).peek_index(request)

    async def look_up(self, request: IndexPeekRequest, desc: RelationDesc) -> list[Row] | None:
        """Asks the cluster of the index (see ComputeController)."""
        return await self._of_index(request).look_up(request, desc)

    def subscribe(
        self, description: DataflowDescription, cluster: int = FIRST_CLUSTER
    ) -> AsyncGenerator[SubscriptionEvent]:
        """Has a cluster follow changes (see ComputeController)."""
        return self._answering(cluster).subscribe(description)

    def statuses(self) -> tuple[ObservedReplica, ...]:
        """Returns the present state of each replica of each cluster."""
        return tuple(status for cluster in self._clusters.values() for status in cluster.statuses())

    def leading(self) -> tuple[ObservedReplica, ...]:
        """Returns the present state of the replica that leads, of each cluster that has replicas."""
        return tuple(cluster.status() for cluster in self._clusters.values() if cluster.statuses())

    def _answering(self, cluster: int) -> ComputeController:
        """Returns a cluster's controller; raises SqlError 0A000 for one that is not committed yet, or gone."""
        if cluster not in self._clusters:
            hint = "A cluster answers once the transaction that makes it has committed."
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, NO_REPLICA, hint=hint)
        return self._clusters[cluster]

    def _of_index(self, request: IndexPeekRequest) -> ComputeController:
        return self._clusters[self.dataflows.cluster_of(request.index)]
