"""A materialized view without permission to write, beside the shard, written by somebody else.

The dataflow of a standby computes the view while the leader's replica writes the shard, perhaps with other code. At the
dataflow's upper, the follower keeps

    difference = contents computed by the dataflow - contents of the shard

The difference is empty as long as both compute alike. The dataflow goes no further than the shard: nothing computed has
to be written later except the difference. With permission to write, at the shard's end, the dataflow writes the
difference.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.protocol.dataflow import ShardExport
from compute.replica.contents.difference import Difference
from compute.replica.dataflows.exports.tick_updates import TickUpdates
from compute.replica.running.places import Places
from compute.replica.running.watch import Watch
from compute.spark.spool import Spool
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, updates_schema
from model.time.antichain import Antichain
from model.time.timestamp import TIMESTAMP_MAX, Timestamp
from storage.persist.snapshot import Changes, Snapshot, read_piece, snapshot, updates_between
from storage.persist.state import Piece, ShardState


class ShardFollower:
    """Follows the shard of an export: `begin` first, `close` last.

    `until`: the shard's upper when writes were allowed; None before.
    """

    def __init__(self, export: ShardExport, places: Places, watch: Watch) -> None:
        self.until: Antichain | None = None
        self._export = export
        self._places = places
        self._watch = watch
        self._schema = updates_schema(export.desc)
        self._compared = pa.schema([field for field in self._schema if field.name != TIME_COLUMN])
        self._held: Spool | None = None
        self._next: Spool | None = None
        self._followed = False

    async def begin(self) -> None:
        """Begins to follow. Raises SqlError without such a shard."""
        await self._watch.follow(self._export.shard)
        self._followed = True

    @property
    def _state(self) -> ShardState:
        return self._watch.state(self._export.shard)

    def adopt(self, state: ShardState) -> None:
        """Takes a newer state of the shard."""
        self._watch.adopt(state)

    @property
    def bound(self) -> Antichain:
        """Returns the known end of the shard."""
        return self._state.write_frontier

    @property
    def agrees(self) -> bool:
        """Returns whether the difference is empty at the end of the sealed contents."""
        return self._held is None or self._held.rows == 0

    def moves(self, lower: Timestamp, upper: Antichain) -> bool:
        """Returns whether the shard has updates at times in [lower, upper). Raises SqlError after compaction beyond
        `lower`."""
        changes = self._changes(lower, upper)
        return bool(changes.parts or changes.inline)

    def reaches(self, begin: Timestamp) -> bool:
        """Returns whether the shard can still be read at `begin`."""
        since = self._state.since
        return since.time is None or since.less_equal(begin)

    def _changes(self, lower: Timestamp, upper: Antichain) -> Changes:
        before = TIMESTAMP_MAX if upper.time is None else upper.time
        return updates_between(self._state, lower, before, self._export.desc)

    async def compare(self, own: TickUpdates, lower: Timestamp, upper: Antichain, *, whole: bool) -> None:
        """Finds the difference at the end of a tick of [lower, upper) with the updates `own`; with `whole`, `own` are
        the contents at `lower`. Raises SqlError."""
        if whole:
            theirs: Snapshot | Changes = snapshot(self._state, lower, self._export.desc)
        else:
            theirs = self._changes(lower, upper)
        pieces: tuple[Piece, ...] = (*theirs.parts, *theirs.inline)
        rows = own.rows + sum(each.rows for each in pieces) + (0 if self._held is None else self._held.rows)
        difference = Difference(self._compared, self._places.directory, rows)
        self.discard()
        self._next = Spool(self._places.directory, None)
        try:
            if self._held is not None:
                for batch in self._held.chunks():
                    difference.add(pa.Table.from_batches([batch]))
            for chunk in own.chunks():
                difference.add(chunk.select(self._compared.names))
            for piece in pieces:
                difference.add(await self._negated(piece, theirs))
            async for table in self._places.each(rows, difference.tables()):
                for batch in table.to_batches():
                    self._next.append(batch)
        finally:
            difference.close()
        self._next.finish()

    async def _negated(self, piece: Piece, of: Snapshot | Changes) -> pa.Table:
        table = await read_piece(piece, of.desc, of.shard, self._places.blob, self._places.runner)
        times = table.column(TIME_COLUMN)
        if isinstance(of, Snapshot):
            wanted = pc.less_equal(times, of.as_of)
        else:
            wanted = pc.and_(pc.greater_equal(times, of.lower), pc.less(times, of.upper))
        rows = table.filter(wanted).select(self._compared.names)
        index = rows.schema.get_field_index(DIFF_COLUMN)
        return rows.set_column(index, rows.schema.field(index), pc.negate(rows.column(DIFF_COLUMN)))

    def correction(self, at: Timestamp) -> Iterator[pa.Table]:
        """Yields the difference as updates at a time, in tables."""
        for batch in () if self._held is None else self._held.chunks():
            table = pa.Table.from_batches([batch])
            times = pa.array(np.full(table.num_rows, at, np.int64))
            yield table.append_column(TIME_COLUMN, times).select(self._schema.names)

    @property
    def rows(self) -> int:
        """Returns how many distinct rows the difference has."""
        return 0 if self._held is None else self._held.rows

    def seal(self) -> None:
        """Seals the difference found by the tick."""
        if self._next is not None:
            self._held, before, self._next = self._next, self._held, None
            if before is not None:
                before.close()

    def discard(self) -> None:
        """Forgets the difference found by a failed tick; idempotent."""
        if self._next is not None:
            self._next.close()
            self._next = None

    def close(self) -> None:
        """Ends to follow; idempotent."""
        self.discard()
        if self._held is not None:
            self._held.close()
            self._held = None
        if self._followed:
            self._followed = False
            self._watch.leave(self._export.shard)
