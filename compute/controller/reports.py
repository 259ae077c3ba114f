"""The statuses and measures of dataflows, as the leading replicas have reported them last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from compute.controller.exports import TrackedExport, TrackedExports
from compute.protocol.response import (
    DataflowMeasures,
    DataflowStatus,
    IngestionMeasures,
    Measures,
    SinkMeasures,
)
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain


class ExportReports:
    """The last reports about exports: system relations show them, and the environment acts on them."""

    def __init__(self, exports: TrackedExports) -> None:
        self._exports = exports

    def take(self, tracked: TrackedExport, response: DataflowStatus | Measures) -> None:
        """Notes the leader's status or measures of a dataflow."""
        match response:
            case DataflowStatus():
                tracked.status = response
            case DataflowMeasures():
                tracked.measures = response
            case IngestionMeasures():
                tracked.ingested = response
            case SinkMeasures():
                tracked.delivered = response
            case _:
                assert_never(response)

    def status(self, id_: GlobalId) -> DataflowStatus:
        """Returns the status of an export's dataflow. Raises SqlError (undefined_object) for an unknown export."""
        return self._exports.tracked(id_).status

    def measures(self, id_: GlobalId) -> DataflowMeasures | None:
        """Returns the export's last reported measures; None before the first. Raises SqlError like `status`."""
        return self._exports.tracked(id_).measures

    def ingested(self, source: GlobalId) -> IngestionMeasures | None:
        """Returns the last reported measures of a source's ingestion; None before the first, and without such a
        source."""
        tracked = self._exports.get(source)
        return None if tracked is None else tracked.ingested

    def delivered(self, sink: GlobalId) -> SinkMeasures | None:
        """Returns the last reported measures of a sink; None before the first, and without such a sink."""
        tracked = self._exports.get(sink)
        return None if tracked is None else tracked.delivered

    def statuses(self) -> dict[GlobalId, DataflowStatus]:
        """Returns the last reported status of each export."""
        return {id_: tracked.status for id_, tracked in self._exports.items()}

    def versions(self, id_: GlobalId) -> Mapping[str, int]:
        """Returns the shard versions from which an export's dataflow reads, as last reported."""
        tracked = self._exports.get(id_)
        return {} if tracked is None or tracked.measures is None else dict(tracked.measures.versions)

    def least_upper(self, id_: GlobalId) -> Antichain | None:
        """Returns the least upper of an export told by the replicas; None before every replica has told one. SqlError
        (undefined_object) for an unknown export."""
        return self._exports.tracked(id_).said.least_upper
