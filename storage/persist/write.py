"""Stages parts: Parquet files written before the append that names them, which keeps the append one small transaction.

A part's key tells when the part was staged, so that parts that no append ever named can be collected later.
"""

from __future__ import annotations

import contextlib
import errno

import pyarrow as pa

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, memory_of
from model.time.clock import Clock, Randomness
from model.types.relation_desc import RelationDesc
from storage.persist.batch import encode_part
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.state import Part

PART_BYTES = 16 * 1024 * 1024
"""Arrow bytes after which a writer begins another part."""
REST_BYTES = 2 * 1024 * 1024
"""A rest of a bulk load that is as large is staged too, so that its commit keeps nobody waiting."""
PART_PREFIX = "part/"
_FULL = (errno.ENOSPC, errno.EDQUOT)


def shard_of(key: str) -> str:
    """Returns the shard for which a part was staged."""
    return key.removeprefix(PART_PREFIX).partition("/")[0]


def staged_ms(key: str) -> int:
    """Returns when the part was staged, in milliseconds of wall time."""
    return int(key.rpartition("/")[2].partition("-")[0])


class Stage:
    """Writes parts to the blob store, and remembers the parts on their way to an append."""

    def __init__(self, blob: Blob, clock: Clock, randomness: Randomness, runner: Runner) -> None:
        self._blob = blob
        self._clock = clock
        self._randomness = randomness
        self._runner = runner
        self.underway: set[str] = set()

    async def stage_part(self, shard: str, desc: RelationDesc, table: pa.Table) -> Part:
        """Stages a part, durable on return. `table`: the row's columns, with or without `time` and `diff`; at least
        one row.

        Raises SqlError naming the shard: disk_full, io_error.
        """
        key = f"{PART_PREFIX}{shard}/{self._clock.now_ms():013d}-{self._randomness.token()}.parquet"
        part, data = await self._runner.run(lambda: encode_part(table, desc, key))
        # What encoding took goes back to the system: nothing else in this process needs as much.
        pa.default_memory_pool().release_unused()
        self.underway.add(key)
        try:
            await self._blob.put(key, data)
        except BaseException as error:
            self.underway.discard(key)
            if isinstance(error, OSError):
                raise write_failure(shard, error) from error
            raise
        return part

    async def stage_parts(self, shard: str, desc: RelationDesc, table: pa.Table) -> list[Part]:
        """Stages a table as one or more parts. Raises SqlError as of `stage_part`; then no part stays staged."""
        rows_a_part = max(1, table.num_rows * PART_BYTES // max(table.nbytes, 1))
        parts: list[Part] = []
        try:
            for start in range(0, table.num_rows, rows_a_part):
                parts.append(await self.stage_part(shard, desc, table.slice(start, rows_a_part)))
        except BaseException:
            await self.discard([part.key for part in parts])
            raise
        return parts

    def settle(self, keys: list[str]) -> None:
        """Settles parts that were appended, or never will be."""
        self.underway.difference_update(keys)

    async def discard(self, keys: list[str]) -> None:
        """Deletes parts that nothing will ever name; parts that can't be deleted now are swept later."""
        self.settle(keys)
        with contextlib.suppress(OSError):
            for key in keys:
                await self._blob.delete(key)


class PartWriter:
    """Collects rows, and stages a part whenever enough have come; for COPY and other bulk loads."""

    def __init__(self, stage: Stage, shard: str, desc: RelationDesc) -> None:
        self._stage = stage
        self._shard = shard
        self._desc = desc
        self._pending: list[pa.Table] = []
        self._pending_bytes = 0
        self._parts: list[Part] = []

    async def add(self, table: pa.Table) -> None:
        """Adds rows to write; the table must not change afterwards."""
        if table.num_rows == 0:
            return
        if not table.num_columns:
            # Arrow forgets how many rows there are where it puts tables without columns together.
            table = pa.table({DIFF_COLUMN: pa.array([table.num_rows], pa.int64())})
        self._pending.append(table)
        self._pending_bytes += memory_of(table)
        if self._pending_bytes >= PART_BYTES:
            await self._flush()

    async def finish(self) -> list[pa.Table | Part]:
        """Returns the updates for the append: staged parts, and the rest as tables."""
        if self._pending_bytes >= REST_BYTES:
            await self._flush()
        updates: list[pa.Table | Part] = [*self._parts, *self._pending]
        self._parts, self._pending, self._pending_bytes = [], [], 0
        return updates

    async def abandon(self) -> None:
        """Gives up: nothing will be appended, and staged parts are deleted."""
        parts, self._parts, self._pending, self._pending_bytes = self._parts, [], [], 0
        await self._stage.discard([part.key for part in parts])

    async def _flush(self) -> None:
        table = pa.concat_tables(self._pending)
        self._pending, self._pending_bytes = [], 0
        self._parts.append(await self._stage.stage_part(self._shard, self._desc, table))


def write_failure(shard: str, error: OSError) -> SqlError:
    """Returns the user's error for a write that the blob store refused."""
    if error.errno in _FULL:
        return SqlError(Sqlstate.DISK_FULL, f"no space left to write a part of shard {shard}", detail=str(error))
    return SqlError(Sqlstate.IO_ERROR, f"could not write a part of shard {shard}", detail=str(error))
