"""The shards of one source, written together or not at all: the remap collection's and those of the data.

Equation: at every time t before the shards' upper, each data shard holds the result of the records below the remap's
frontier at t. One compare-and-set writes a binding and the rows of all its records, under the environment's fence, each
shard exactly from its upper on: so every bound record is there, whoever else ingests the source.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from compute.replica.running.joined_bindings import JoinedBindings
from compute.replica.running.places import Places
from connectors.gauge import Partition, UpstreamFrontier, joined_note, without_joined
from connectors.sources.description import IngestionDescription
from connectors.sources.remap import bound_frontier, new_binding
from connectors.systems import system_of_source
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp, step_back, step_forward
from model.updates.consolidate import consolidate
from storage.persist.retry import retried
from storage.persist.shard import PreparedWrite, ShardMachine
from storage.persist.snapshot import read_pieces, read_snapshot, snapshot
from storage.persist.state import Part, ShardState
from storage.persist.write import PartWriter

Rows = Mapping[GlobalId, list[pa.Table]]
"""What a range of records amounts to, by data collection."""
Updates = Mapping[GlobalId, Sequence[pa.Table | Part]]
"""The same, where some of it may have been staged already."""


class ReclockedShards:
    """The shards that a source writes. `open` must be called before use, and again after a refused write, because
    others have written."""

    def __init__(self, description: IngestionDescription, places: Places, bindings: JoinedBindings) -> None:
        self._description = description
        self._places = places
        self._bindings = bindings
        self._remap = ShardMachine(str(description.remapping), places.consensus, places.stage)
        self._descs = {each.id: each.desc for each in description.collections}
        self._data = {
            each.id: ShardMachine(str(each.id), places.consensus, places.stage) for each in description.collections
        }
        self.frontier: UpstreamFrontier = {}
        """How far it is bound, with the notes of collections."""

    async def open(self) -> None:
        """Reads how far the source is bound, while others may bind it further. Raises SqlError when a shard does not
        exist, or the shards disagree."""
        await self._refresh([self._remap])
        while True:
            upper = self.upper
            # The remap's once more, last: where it stands as before, nothing was bound while the others were read.
            await self._refresh([*self._data.values()])
            await self._refresh([self._remap])
            if self.upper == upper:
                break
        self.frontier = {}
        if self.begun:
            assert self.upper.time is not None
            places = self._places
            contents = snapshot(self._remap.state, step_back(self.upper.time))
            self.frontier = bound_frontier(await read_snapshot(contents, places.blob, places.runner))
        for id_, machine in self._data.items():
            if machine.state.write_frontier != upper and not _is_new(machine) and not self._waits(id_):
                ends = f"ends at {machine.state.write_frontier}, its remap collection at {upper}"
                raise SqlError(Sqlstate.DATA_CORRUPTED, f"shard {machine.shard} {ends}")

    def _waits(self, id_: GlobalId) -> bool:
        """Returns whether an added collection has not joined. The environment may complete such a collection before
        an older ingestion, which does not know it, has heard that it must make way: the older ingestion has bound
        the others further, and missed no row."""
        added = any(each.id == id_ and each.joins for each in self._description.collections)
        return added and not self.frontier.get(joined_note(id_))

    async def _refresh(self, machines: Sequence[ShardMachine]) -> None:
        """Refreshes machines in parallel: the longer it takes, the likelier are bindings by others meanwhile."""
        await asyncio.gather(*(retried(machine.refresh, self._places.clock) for machine in machines))
        for machine in machines:
            if not machine.exists or machine.state.dropped:
                raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"shard {machine.shard} does not exist")

    @property
    def upper(self) -> Antichain:
        """Returns the time up to which all shards are complete."""
        return self._remap.state.write_frontier

    @property
    def last_upper(self) -> Antichain:
        """Returns the time from which all shards can be bound: an added collection begins at its addition."""
        upper = self.upper
        for machine in self._data.values():
            upper = upper.join(machine.state.write_frontier)
        return upper

    @property
    def begun(self) -> bool:
        """Returns whether anything was bound: the first binding records the source's beginning."""
        return not _is_new(self._remap)

    @property
    def read_frontier(self) -> UpstreamFrontier:
        """Returns the frontier without notes unknown to upstream's reader."""
        return without_joined(self.frontier)

    def frontier_of(self, id_: GlobalId) -> UpstreamFrontier:
        """Returns the bound frontier of a collection's source."""
        return self.frontier

    def named(self, id_: GlobalId, partition: Partition) -> Partition:
        """Returns the name in `frontier` of a partition of a collection's source."""
        return partition

    def upper_of(self, id_: GlobalId) -> Antichain:
        """Returns the upper of a collection: the collection is complete at all times before."""
        return (self._data.get(id_) or self._remap).state.write_frontier

    def since(self, id_: GlobalId) -> Antichain:
        """Returns from when a collection is readable."""
        return (self._data.get(id_) or self._remap).state.since

    def state(self, id_: GlobalId) -> ShardState:
        """Returns the known state of a data collection."""
        return self._data[id_].state

    async def retraction(self, id_: GlobalId) -> list[pa.Table | Part]:
        """Returns updates that retract all rows of a data collection, made piece by piece, and staged if many. The
        source has bindings."""
        assert self.upper.time is not None
        places, desc = self._places, self._descs[id_]
        held = snapshot(self.state(id_), step_back(self.upper.time), desc)
        writer = PartWriter(places.stage, held.shard, desc)
        try:
            async for table in read_pieces(held, places.blob, places.runner):
                await writer.add(await places.runner.run(partial(_retracted, table)))
            return await writer.finish()
        except BaseException:
            await writer.abandon()
            raise

    async def begin(self, beginning: UpstreamFrontier) -> list[ShardState]:
        """Returns the first binding: where upstream begins, at the time at which the source was created."""
        created = self.upper.time
        assert created is not None, "a source that is open is not dropped"
        return await self.bind(created, beginning, {})

    async def bind(self, time: Timestamp, frontier: UpstreamFrontier, rows: Updates) -> list[ShardState]:
        """Binds the records between the present frontier and `frontier`, whose rows are `rows`, to `time`.

        Returns the resulting states. WriteRefused, FencedOut: nothing is written, and the parts of `rows` are still
        whole.
        """
        states = await self._commit(await self.prepare(time, frontier, rows))
        self.bound(frontier)
        return states

    async def prepare(self, time: Timestamp, frontier: UpstreamFrontier, rows: Updates) -> list[PreparedWrite]:
        """Returns the writes that `bind` commits; the caller either calls `bound` or abandons the writes."""
        upper, after = self.upper, Antichain(step_forward(time))
        binding = new_binding(self.frontier, frontier, system_of_source(self._description.place).gauge)
        writes: list[PreparedWrite] = []
        try:
            writes.append(await self._remap.prepare_append([binding], upper, after, exact=True))
            for id_, machine in self._data.items():
                lower = machine.state.write_frontier
                if after.precedes(lower) and _is_new(machine):
                    continue  # it was added later
                desc = self._descs[id_]  # the shard may have more columns by now
                writes.append(await machine.prepare_append(rows.get(id_, []), lower, after, exact=True, desc=desc))
        except Exception:
            for write in writes:
                write.abandon()
            raise
        return writes

    def bound(self, frontier: UpstreamFrontier) -> None:
        """Notes that the source is durably bound up to `frontier`."""
        moved = {**self.frontier, **frontier}
        self.frontier = {partition: upto for partition, upto in moved.items() if upto}

    async def _commit(self, writes: list[PreparedWrite]) -> list[ShardState]:
        return await self._bindings.commit(writes)


def _retracted(contents: pa.Table) -> pa.Table:
    """Returns updates that retract all of the contents."""
    held = consolidate(contents)
    gone = pc.negate(held.column(DIFF_COLUMN))
    return held.set_column(held.schema.get_field_index(DIFF_COLUMN), DIFF_COLUMN, gone)


def _is_new(machine: ShardMachine) -> bool:
    """Returns whether nothing was written since the shard's creation."""
    return machine.state.write_frontier.precedes(machine.state.since)
