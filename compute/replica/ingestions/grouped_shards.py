"""The shards of several sources bound together: one compare-and-set writes the bindings of all.

Equation: as for each source alone; and from the time at which all are bound, their contents at every time are of the
same transactions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa

from compute.replica.ingestions.reclocked_shards import ReclockedShards, Updates
from compute.replica.running.joined_bindings import JoinedBindings
from compute.replica.running.places import Places
from connectors.gauge import Partition, UpstreamFrontier
from connectors.sources.description import IngestionDescription, members
from connectors.sources.transactional_reader import member_partition, of_member
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from storage.persist.shard import PreparedWrite
from storage.persist.state import Part, ShardState


class GroupedShards:
    """Like ReclockedShards, with frontiers of all sources."""

    def __init__(self, description: IngestionDescription, places: Places, bindings: JoinedBindings) -> None:
        self._bindings = bindings
        sources = members(description)
        self._members = {each.source: ReclockedShards(each, places, bindings) for each in sources}
        self._source_of = {id_: each.source for each in sources for id_ in each.own_ids}

    async def open(self) -> None:
        for member in self._members.values():
            await member.open()

    @property
    def frontier(self) -> UpstreamFrontier:
        return _together({source: member.frontier for source, member in self._members.items()})

    @property
    def read_frontier(self) -> UpstreamFrontier:
        return _together({source: member.read_frontier for source, member in self._members.items()})

    def frontier_of(self, id_: GlobalId) -> UpstreamFrontier:
        return self._member_of(id_).frontier

    def named(self, id_: GlobalId, partition: Partition) -> Partition:
        return member_partition(self._source_of[id_], partition)

    @property
    def upper(self) -> Antichain:
        """Returns the time before which some source is written: sources differ until they are bound together."""
        return _latest(member.upper for member in self._members.values())

    @property
    def last_upper(self) -> Antichain:
        return _latest(member.last_upper for member in self._members.values())

    @property
    def begun(self) -> bool:
        return all(member.begun for member in self._members.values())

    def upper_of(self, id_: GlobalId) -> Antichain:
        return self._member_of(id_).upper_of(id_)

    def since(self, id_: GlobalId) -> Antichain:
        return self._member_of(id_).since(id_)

    def state(self, id_: GlobalId) -> ShardState:
        return self._member_of(id_).state(id_)

    async def retraction(self, id_: GlobalId) -> list[pa.Table | Part]:
        return await self._member_of(id_).retraction(id_)

    async def begin(self, beginning: UpstreamFrontier) -> list[ShardState]:
        """Begins each source without bindings, one by one."""
        states = []
        for source, member in self._members.items():
            if not member.begun:
                states += await member.begin(of_member(source, beginning))
        return states

    async def bind(self, time: Timestamp, frontier: UpstreamFrontier, rows: Updates) -> list[ShardState]:
        writes: list[PreparedWrite] = []
        parts = {source: of_member(source, frontier) for source in self._members}
        try:
            for source, member in self._members.items():
                writes += await member.prepare(time, parts[source], rows)
        except Exception:
            for write in writes:
                write.abandon()
            raise
        states = await self._bindings.commit(writes)
        for source, member in self._members.items():
            member.bound(parts[source])
        return states

    def _member_of(self, id_: GlobalId) -> ReclockedShards:
        return self._members[self._source_of[id_]]


def _together(frontiers: Mapping[GlobalId, UpstreamFrontier]) -> UpstreamFrontier:
    return {
        member_partition(source, partition): bound
        for source, frontier in frontiers.items()
        for partition, bound in frontier.items()
    }


def _latest(uppers: Iterable[Antichain]) -> Antichain:
    latest = Antichain.at(0)
    for upper in uppers:
        latest = latest.join(upper)
    return latest
