"""Dataflows of the environment that run as one: each keeps its own number and since."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compute.protocol.dataflow import DataflowDescription, ShardExport
from compute.protocol.response import DataflowReport
from compute.replica.dataflows.exports.subscribe_sink import EmitBatch
from compute.replica.running.reporter import Report
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain


@dataclass(slots=True)
class DataflowMember:
    """A dataflow of the environment.

    `number`: the environment's number.
    `since`: the time from which each export is to be readable.
    `report`, `emit`: pass responses to the environment.
    """

    number: int
    description: DataflowDescription
    report: Report
    emit: EmitBatch
    since: dict[GlobalId, Antichain] = field(init=False)
    writable: bool = field(init=False)

    def __post_init__(self) -> None:
        self.since = dict.fromkeys(self.description.export_ids, self.description.as_of)
        self.set_writable(False)

    def set_writable(self, writable: bool) -> None:
        """Sets whether the dataflow may write; a dataflow without a shard always may."""
        self.writable = writable or not any(isinstance(each, ShardExport) for each in self.description.exports)


class DataflowMembers(list[DataflowMember]):
    """The members of one runner; all compute the same."""

    @property
    def writable(self) -> bool:
        """Returns whether all members may write."""
        return all(member.writable for member in self)

    @property
    def exports(self) -> set[GlobalId]:
        """Returns the exports of all members."""
        return {id_ for member in self for id_ in member.since}

    @property
    def wanted(self) -> bool:
        """Returns whether all exports are still wanted."""
        return all(not since.empty for member in self for since in member.since.values())

    def written_shards(self) -> Iterator[str]:
        """Yields the shards to which members export."""
        for member in self:
            for export in member.description.exports:
                if isinstance(export, ShardExport):
                    yield export.shard

    def since(self, id_: GlobalId) -> Antichain:
        """Returns from when an export is to be readable; EMPTY for what is not exported any more."""
        return next((member.since[id_] for member in self if id_ in member.since), EMPTY)

    def compact(self, id_: GlobalId, since: Antichain) -> None:
        """Times of the export before `since` need not be told apart."""
        sinces = self._of(id_).since
        sinces[id_] = sinces[id_].join(since)

    def set_writable(self, number: int, writable: bool) -> None:
        """Sets whether the member with the number may write."""
        for member in self:
            if member.number == number:
                member.set_writable(writable)

    def report(self, report: DataflowReport) -> None:
        """Tells the environment of an export."""
        self._of(report.id).report(report)

    def _of(self, id_: GlobalId) -> DataflowMember:
        return next(member for member in self if id_ in member.since)
