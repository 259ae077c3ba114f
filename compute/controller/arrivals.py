"""Exports on their way into another cluster, which runs them already, beside the one that has run them so far.

Both write the shard, each leaving out what the other has written, as the replicas of one cluster do. What the new
cluster says is told of nobody but those who wait for the change-over: until then everything goes by the former one.
"""

from __future__ import annotations

from collections.abc import Mapping

from compute.controller.exports import ServedCluster, TrackedExport, TrackedExports
from compute.controller.progress import ExportProgress
from compute.protocol.response import DataflowMeasures, DataflowReport, DataflowStatus, Frontiers
from model.ids.global_id import GlobalId


class ArrivingExports(TrackedExports):
    """The exports on their way. `present` are those that there are; `progress` is that of the arriving ones."""

    def __init__(self, present: TrackedExports, clusters: Mapping[int, ServedCluster]) -> None:
        super().__init__()
        self._present = present
        self.progress = ExportProgress(self, clusters)

    def found(self, id_: GlobalId) -> TrackedExport | None:
        """Returns the export where it arrives, else where it is: what arrives may read what stays."""
        return self.get(id_) or self._present.get(id_)

    def take(self, cluster: ServedCluster, replica: str, response: DataflowReport) -> None:
        """Takes a report of a replica. Reports about exports that don't arrive there are ignored."""
        tracked = self.get(response.id)
        if tracked is None or tracked.cluster is not cluster:
            return
        if isinstance(response, Frontiers):
            if tracked.said.take(replica, response):
                tracked.wake_waiting()
        elif isinstance(response, DataflowStatus) and replica == cluster.leader:
            tracked.status = response
            self.progress.give_up_waiting()
        elif isinstance(response, DataflowMeasures):
            # The holds that it began with keep all files that it reads, until it has changed over.
            tracked.said.take_versions(replica, dict(response.versions))
            if replica == cluster.leader:
                tracked.measures = response

    def forget(self, cluster: ServedCluster, replica: str) -> None:
        """Forgets what a replica has said that is gone, and fails those who wait for a cluster without any."""
        for tracked in self.values():
            if tracked.cluster is cluster and tracked.said.forget(replica):
                tracked.wake_waiting()
        if not cluster.replicas:
            self.progress.give_up_waiting()
