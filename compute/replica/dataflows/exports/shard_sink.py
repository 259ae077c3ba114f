"""A materialized view's export: writes the ticks' updates to the shard, and corrects the shard after a new beginning.

A dataflow that begins anew at A knows the wanted contents at A. The shard knows its contents before its upper U. The
difference is written at max(A, U): at once if that is A; else, U being A + 1, together with the next tick's updates.

No write takes rows from the shard that it does not hold: the dataflow begins anew instead. A sink without permission to
write follows another writer (`shard_follower`), and corrects the shard with the first write.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.executors.task_done import ExportDone
from compute.maintain.wide import ExportTarget
from compute.replica.contents.difference import Difference
from compute.replica.contents.fallible import ERROR_COLUMN
from compute.replica.contents.held_counts import HeldCounts
from compute.replica.dataflows.exports.error_log import ErrorLog
from compute.replica.dataflows.exports.shard_follower import ShardFollower
from compute.replica.dataflows.exports.shard_rows import ShardRows
from compute.replica.dataflows.exports.tick_updates import TickUpdates
from compute.replica.dataflows.repairs import Repairs
from compute.replica.running.places import Places
from compute.replica.running.shard_writer import RetractionNotHeld, ShardWriter, WriteRefused
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, updates_schema
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp, step_back
from storage.persist.snapshot import read_piece
from storage.persist.state import Part, Piece, ShardState
from storage.persist.write import PartWriter

_READ_IN_TURN_ROWS_MAX = 10_000


class ShardSink:
    """The sink of a materialized view.

    `hydrating`: the dataflow has no state yet, and its first tick gives the whole contents.
    `consolidates`: each table of a tick is consolidated.
    `ended`: called at the end.
    `repairs`: told of what is wrong in the shard.
    `follower`: while another writes the shard, and until the correction is written.
    """

    def __init__(
        self,
        writer: ShardWriter,
        places: Places,
        errors: ErrorLog,
        since: Antichain,
        ended: Callable[[], None],
        repairs: Repairs,
        *,
        hydrating: bool,
        consolidates: bool,
    ) -> None:
        self.writer = writer
        self.since = since
        self._places = places
        self._errors = errors
        self._ended = ended
        self._repairs = repairs
        self._hydrating = hydrating
        self._consolidates = consolidates
        self._schema = updates_schema(writer.export.desc)
        self._error_column = f"c{writer.export.desc.arity - 1}"
        self._updates: TickUpdates | None = None
        self._lower = Timestamp(0)
        self._next = writer.upper
        self._correction: list[pa.Table | Part] = []
        self._adopted: list[Part] = []
        self._adopted_at = Timestamp(0)
        """The time of all updates that tasks have staged for the first tick."""
        self._held = HeldCounts(writer.export.shard, writer.export.desc, places)
        self._others = writer.look_for_others()
        self.follower: ShardFollower | None = None

    def moved(self, errors: ErrorLog, ended: Callable[[], None], *, consolidates: bool) -> ShardSink:
        """Returns the export for another dataflow, with that dataflow's error log; this sink, which is settled, is
        to end."""
        own = (self.writer, self._places, errors, self.since, ended, self._repairs)
        sink = ShardSink(*own, hydrating=False, consolidates=consolidates)
        sink._held = self._held
        return sink

    @property
    def upper(self) -> Antichain:
        """Returns the shard's upper; EMPTY beside another writer, whose upper tells nothing of the dataflow."""
        return EMPTY if self.follows else self.writer.upper

    @property
    def errors(self) -> int:
        """Returns the number of live errors at the end of the sealed contents."""
        return self._errors.live

    @property
    def settled(self) -> bool:
        """Returns whether the dataflow can go on from its state: no update is left that no later tick would give
        again."""
        return not self.unwritten and (self.follower is None or self.follower.agrees)

    @property
    def unwritten(self) -> bool:
        """Returns whether the next tick has something to write even without changed inputs."""
        return self._hydrating or bool(self._correction)

    @property
    def follows(self) -> bool:
        """Returns whether another writes the shard."""
        return self.follower is not None and not self._correction

    async def follow(self, follower: ShardFollower) -> None:
        """Begins to follow another writer; the state agrees with the shard. Raises SqlError."""
        assert self.follower is None and not self._correction, "nothing is left to be written"
        await follower.begin()
        self.follower = follower

    async def take_over(self, upper: Antichain) -> None:
        """Begins to write if the dataflow, complete up to `upper`, has reached the end of the former writer's shard;
        the next tick writes the correction. Raises SqlError."""
        follower = self.follower
        if follower is None or not self.follows:
            return
        await self.writer.open()
        follower.adopt(self.writer.machine.state)
        follower.until = follower.until or self.writer.upper
        if self._hydrating or (follower.agrees and follower.until.precedes(upper)):
            self._leave_off()
        elif self.writer.upper == upper and upper.time is not None:
            self._held = HeldCounts(self.writer.export.shard, self.writer.export.desc, self._places)
            self._others = self.writer.look_for_others()
            self._correction = await self._staged(self._places.each(follower.rows, follower.correction(upper.time)))
            self._repairs.corrected(self.writer.export.id, follower.rows)
            if not self._correction:
                self._leave_off()

    async def follow_again(self) -> None:
        """Goes back to following, because another has written before the correction was written."""
        if self.follower is not None:
            await self.give_back()

    def _leave_off(self) -> None:
        if self.follower is not None:
            self.follower.close()
            self.follower = None

    def begin(self, lower: Timestamp, upper: Antichain) -> None:
        self._lower, self._next = lower, upper
        if not self._correction:
            self._others = self.writer.look_for_others()
        self._updates = TickUpdates(self._schema, self._places.directory)
        self._adopted = []

    def take(self, updates: pa.Table) -> None:
        nulls = pa.nulls(updates.num_rows, pa.string())
        self._take(updates.append_column(self._error_column, nulls), consolidated=self._consolidates)

    def target(self) -> ExportTarget | None:
        """Returns the shard as tasks write it; None where they can't, or where the tick finds or writes what the
        shard lacks, which takes the contents of both."""
        export, remote, upper = self.writer.export, self._places.remote, self.writer.upper.time
        if remote is None or upper is None or self.follows:
            return None
        if not self._hydrating:
            least = upper if upper > self._lower else None
            return ExportTarget(ShardRows(remote, export.shard, export.desc, least, None), None)
        if _pieces_before(self.writer.machine.state):
            return None
        self._adopted_at = Timestamp(max(upper, self._lower))
        return ExportTarget(ShardRows(remote, export.shard, export.desc, None, self._adopted_at), None)

    def adopt(self, done: Sequence[ExportDone]) -> None:
        self._adopted = [part for each in done for part in each.parts]

    def take_errors(self, errors: pa.Table) -> None:
        self._errors.insert(errors)
        columns = [
            errors.column(ERROR_COLUMN) if field.name == self._error_column else pa.nulls(errors.num_rows, field.type)
            for field in self._schema
            if field.name not in (TIME_COLUMN, DIFF_COLUMN)
        ]
        columns += [errors.column(TIME_COLUMN), errors.column(DIFF_COLUMN)]
        self._take(pa.table(columns, schema=self._schema), consolidated=False)

    def _take(self, updates: pa.Table, *, consolidated: bool) -> None:
        assert self._updates is not None
        upper = self.writer.upper.time
        if not self._hydrating and not self.follows:
            if upper is None:
                return
            if upper > self._lower:
                updates = updates.filter(pc.greater_equal(updates.column(TIME_COLUMN), upper))
        self._updates.take(updates, consolidated=consolidated)

    async def commit(self, forgo: Callable[[], None]) -> None:
        assert self._updates is not None
        if self.follower is not None and self.follows:
            await self.follower.compare(self._updates, self._lower, self._next, whole=self._hydrating)
            return
        upper = self.writer.upper
        if upper.time is None:
            return
        if self._hydrating:
            if upper.time > self._lower + 1:
                raise WriteRefused("another has written what this dataflow was about to begin with")
            at = Timestamp(max(upper.time, self._lower))
            await self.give_back()
            self._others = self.writer.look_for_others()
            if self._adopted and (at != self._adopted_at or _pieces_before(self.writer.machine.state)):
                raise WriteRefused("another has written what tasks were to begin with")
            updates = [*await self._staged(self._beginning(at)), *self._taken_over()]
            if at > self._lower:
                # The shard is complete at `at` only after the next tick.
                self._correction = updates
                rows = sum(each.rows if isinstance(each, Part) else each.num_rows for each in updates)
                self._repairs.corrected(self.writer.export.id, rows)
                return
        else:
            updates = await self._staged(self._places.each(self._updates.rows, self._updates.tables()))
            updates += self._taken_over()
        if updates or self._correction:
            await self._write(updates, forgo)
            await self._held.wrote(self._next)
        else:
            self.writer.determine(self._next)

    def _taken_over(self) -> list[Part]:
        """Returns the parts that tasks have staged, which are this process's from here on. Where it never comes to
        that, no shard names them, and they are swept."""
        parts, self._adopted = self._adopted, []
        self._places.stage.underway.update(part.key for part in parts)
        return parts

    async def _write(self, updates: list[pa.Table | Part], forgo: Callable[[], None]) -> None:
        """Writes the correction and the tick's updates; where that fails, the tick's parts are deleted.
        RetractionNotHeld, WriteRefused, SqlError."""
        try:
            if not self._hydrating:
                await self._check([*self._correction, *updates], forgo)
            await self.writer.append([*self._correction, *updates], self._next, others=self._others)
        except BaseException:
            await self._discard(updates)
            raise
        self._correction = []
        self._leave_off()

    async def give_back(self) -> None:
        """Deletes the parts of a correction that will not be written any more."""
        correction, self._correction = self._correction, []
        await self._discard(correction)

    async def _discard(self, updates: list[pa.Table | Part]) -> None:
        keys = [each.key for each in updates if isinstance(each, Part)]
        if self.writer.doubtful:
            # The shard may name them: whoever collects what nothing names looks for that.
            self._places.stage.settle(keys)
        else:
            await self._places.stage.discard(keys)

    async def _check(self, updates: list[pa.Table | Part], forgo: Callable[[], None]) -> None:
        """Raises RetractionNotHeld where the updates take rows that the shard does not hold. WriteRefused, SqlError."""
        state = self.writer.machine.state
        unread = self._held.unread(state, updates)
        async with contextlib.AsyncExitStack() as stack:
            if unread > _READ_IN_TURN_ROWS_MAX:
                # Nothing of the tick is left to compute: others may begin theirs, however long this takes.
                forgo()
                await stack.enter_async_context(self._repairs.counting)
            if unread:
                # Parts of a state that was read long ago may have been compacted away.
                await self.writer.open()
                if self.writer.others != self._others:
                    raise WriteRefused("another has written the shard meanwhile")
                state = self.writer.machine.state
            lacking = await self._held.lacking(state, updates)
        if lacking:
            self._repairs.refused(self.writer.export.id, lacking)
            raise RetractionNotHeld(self.writer.export.shard, lacking)

    async def seal(self) -> None:
        self._hydrating = False
        if self.follower is not None:
            self.follower.seal()
        await self._places.work(self._errors.unsealed, self._errors.seal)
        if self._next.time is not None:
            self._errors.compact(step_back(self._next.time))
        self._close_updates()

    def discard(self) -> None:
        self._errors.discard()
        if self.follower is not None:
            self.follower.discard()
        self._close_updates()

    def _close_updates(self) -> None:
        if self._updates is not None:
            self._updates.close()
            self._updates = None

    async def deliver(self) -> None:
        return

    def advance(self, upper: Antichain) -> None:
        if not self._correction and not self.follows:
            self.writer.determine(upper)

    def compact(self, since: Antichain) -> None:
        """Does nothing: the shard's own since is for storage to keep."""
        self.since = self.since.join(since)

    def end(self, *, dropped: bool) -> None:
        self._leave_off()
        self._ended()

    async def _staged(self, tables: AsyncIterator[pa.Table]) -> list[pa.Table | Part]:
        """Stages large tables as parts; returns parts and the rest."""
        parts = PartWriter(self._places.stage, self.writer.export.shard, self.writer.export.desc)
        try:
            async for table in tables:
                await parts.add(table)
            return await parts.finish()
        except BaseException:
            await parts.abandon()
            raise

    async def _beginning(self, at: Timestamp) -> AsyncIterator[pa.Table]:
        """Yields the difference between wanted and actual contents, as updates at `at`."""
        assert self._updates is not None
        names = [name for name in self._schema.names if name != TIME_COLUMN]
        pieces = _pieces_before(self.writer.machine.state)
        rows_expected = self._updates.rows + sum(piece.rows for piece in pieces)
        schema = pa.schema([self._schema.field(name) for name in names])
        difference = Difference(schema, self._places.directory, rows_expected)
        try:
            for should in self._updates.chunks():
                difference.add(should.select(names))
            for piece in pieces:
                difference.add(_negated((await self._read(piece)).select(names)))
            async for table in self._places.each(rows_expected, difference.tables()):
                times = pa.array(np.full(table.num_rows, at, np.int64))
                yield table.append_column(TIME_COLUMN, times).select(self._schema.names)
        finally:
            difference.close()

    async def _read(self, piece: Piece) -> pa.Table:
        export, places = self.writer.export, self._places
        return await read_piece(piece, export.desc, export.shard, places.blob, places.runner)


def _pieces_before(state: ShardState) -> list[Piece]:
    """Returns all pieces of the shard: none has updates at or after its upper."""
    return [piece for batch in state.batches for piece in batch.pieces]


def _negated(table: pa.Table) -> pa.Table:
    index = table.schema.get_field_index(DIFF_COLUMN)
    return table.set_column(index, table.schema.field(index), pc.negate(table.column(DIFF_COLUMN)))
