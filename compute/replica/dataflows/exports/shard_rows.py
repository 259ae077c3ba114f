"""A materialized view's rows as tasks write them: sorted by a hash of the row, added up, and staged as parts."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.blob.remote_place import RemoteBlob
from compute.arrangement.layout import HASH_COLUMN, Layout
from compute.executors.task_done import ExportDone
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_schema
from model.time.clock import SystemClock, SystemRandomness
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from storage.persist.row_hash import row_hash
from storage.persist.runner import InlineRunner
from storage.persist.snapshot import in_order_of_time
from storage.persist.state import Part
from storage.persist.write import PartWriter, Stage

T = TypeVar("T")
_CHUNK_ROWS = 1 << 18


@dataclass(frozen=True, slots=True)
class ShardRows:
    """The updates of a shard, whose last column holds errors and is NULL here: those at times from `least` on; or all,
    as updates at the time `at`."""

    blob: RemoteBlob
    shard: str
    desc: RelationDesc
    least: Timestamp | None
    at: Timestamp | None

    @property
    def layout(self) -> Layout:
        """Returns a layout without key: rows are sorted by their own hash."""
        return Layout((), tuple(field.type for field in arrow_schema(self.desc))[:-1])

    def keyed(self, updates: pa.Table) -> pa.Table:
        """Returns the updates that are the shard's, in the layout."""
        if self.least is not None:
            updates = updates.filter(pc.greater_equal(updates.column(TIME_COLUMN), self.least))
        layout, count = self.layout, updates.num_rows
        rows = [updates.column(name).combine_chunks() for name in layout.value_names]
        times = updates.column(TIME_COLUMN) if self.at is None else pa.array(np.full(count, self.at, np.int64))
        columns = [pa.array(row_hash(rows, count)), *rows, times, updates.column(DIFF_COLUMN)]
        return pa.table(columns, names=layout.schema.names).cast(layout.schema)

    def write(self, rows: Arrangement, attempt: str) -> ExportDone:
        """Stages the rows as parts. Raises SqlError; then none stays staged."""

        async def written(stage: Stage) -> ExportDone:
            writer, count = PartWriter(stage, self.shard, self.desc), 0
            try:
                for chunk in rows.changes(chunk_rows=_CHUNK_ROWS):
                    count += chunk.num_rows
                    await writer.add(in_order_of_time(self._updates(chunk)))
                updates = await writer.finish()
                parts = [each for each in updates if isinstance(each, Part)]
                rest = [each for each in updates if not isinstance(each, Part)]
                if rest:
                    parts.append(await stage.stage_part(self.shard, self.desc, pa.concat_tables(rest)))
            except BaseException:
                await stage.discard(list(stage.underway))
                raise
            return ExportDone(count, None, tuple(parts))

        return self._with_stage(written)

    def remove(self, attempt: str, done: ExportDone | None) -> None:
        """Removes the parts of an attempt that has written them all, as far as possible; those of one that was killed
        are swept."""
        if done is None or not done.parts:
            return
        keys = [part.key for part in done.parts]
        with contextlib.suppress(OSError):
            self._with_stage(lambda stage: stage.discard(keys))

    def _updates(self, chunk: pa.Table) -> pa.Table:
        rows = chunk.drop_columns([HASH_COLUMN])
        *_, error = arrow_schema(self.desc)
        return rows.add_column(len(self.layout.values), error, pa.nulls(chunk.num_rows, error.type))

    def _with_stage(self, work: Callable[[Stage], Awaitable[T]]) -> T:
        async def worked() -> T:
            blob = self.blob.opened()
            try:
                return await work(Stage(blob, SystemClock(), SystemRandomness(), InlineRunner()))
            finally:
                await blob.close()

        return asyncio.run(worked())
