"""What a dataflow tells the environment: frontiers of its exports, its phase, measures of its work."""

from __future__ import annotations

from compute.protocol.response import DataflowMeasures, DataflowPhase, Frontiers
from compute.replica.dataflows.exports.shard_sink import ShardSink
from compute.replica.dataflows.members import DataflowMembers
from compute.replica.dataflows.opening import OpenedDataflow, Surroundings
from compute.replica.dataflows.standing import DataflowStanding
from compute.replica.running.reporter import Reporter
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain


class DataflowReports:
    """The reports of one runner's dataflow.

    `reporter`: passes reports on, not too often
    `total`: rows of the inputs when the dataflow was hydrated
    `durable_of`: where exports that came from another dataflow are kept, until they are kept here
    """

    def __init__(self, standing: DataflowStanding, members: DataflowMembers, around: Surroundings) -> None:
        self._standing = standing
        self._around = around
        self.reporter = Reporter(members[0].description.export_ids, members.report, self._measures)
        self.total = 0
        self.durable_of: dict[GlobalId, Antichain] = {}
        self._versions_told: dict[str, int] = {}

    def tell(self, *, at_once: bool = False) -> None:
        """Tells the frontiers of all exports."""
        opened = self._standing.opened
        if opened is None:
            return
        for id_, sink in opened.exports.sinks().items():
            kept = self.durable_of.get(id_, opened.durable)
            # Without what another writer of the shard has written.
            upper = sink.upper if self._standing.finished else sink.upper.meet(self._standing.upper)
            self.reporter.frontiers(Frontiers(id_, sink.since, upper, opened.input_upper(), kept))
        if at_once:
            self.reporter.flush()

    def running(self, waits: str = "") -> None:
        """Tells that the dataflow is hydrated and goes on, or what its tick waits for."""
        self.reporter.status(DataflowPhase.RUNNING, rows=self.total, rows_total=self.total, message=waits)

    def advanced(self, error: SqlError | None) -> None:
        """Handles an automatic move of an upper. A failure to record the move keeps readers from known results."""
        if error is not None:
            self.reporter.status(DataflowPhase.FAILING, message=error.message, retries=1)
        elif self._standing.opened is not None and self._standing.opened.hydrated:
            self.running()
        self.tell()

    def kept(self) -> None:
        """Tells of a durable checkpoint. A checkpoint without written bytes is no news for the measures."""
        self.durable_of.clear()
        self.tell()
        opened = self._standing.opened
        if opened is not None and opened.checkpoints.measure is not None and opened.checkpoints.measure.written_bytes:
            self.reporter.measure_soon()

    def drop(self, id_: GlobalId) -> None:
        """Forgets an export that is gone, or goes on elsewhere."""
        self.reporter.drop(id_)
        self.durable_of.pop(id_, None)

    def take(self, other: DataflowReports, taken: OpenedDataflow) -> None:
        """Takes over the exports of another dataflow; each is kept where it was until it is kept here."""
        self.reporter.take(other.reporter)
        self.durable_of |= {id_: other.durable_of.get(id_, taken.durable) for id_ in taken.exports.sinks()}

    def note_inputs(self, opened: OpenedDataflow) -> None:
        """Has the measures told soon, if inputs have come to new versions since."""
        if opened.versions() != self._versions_told:
            self.reporter.measure_soon()

    def hurry_shards(self) -> None:
        """Has uppers recorded at once if a reader waits for them."""
        if self._standing.opened is not None:
            for id_, sink in self._standing.opened.exports.of(ShardSink).items():
                if self.reporter.awaits(id_, sink.writer.determined):
                    self._around.advances.hurry()

    def _measures(self, id_: GlobalId) -> DataflowMeasures | None:
        opened, reading = self._standing.opened, self._standing.reading
        if opened is None:
            return None
        # A tick under way may read what was there when it began.
        self._versions_told = opened.versions() if reading is None else reading
        return opened.measures(id_, self._versions_told)
