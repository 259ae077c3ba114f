"""Compaction: batches become one that means the same from since on, in fewer and larger pieces.

    { (row, max(time, since), sum of diff) }        for the batches chosen

Any choice of batches is sound, since a shard's meaning is the sum of its updates. Memory is bounded: what is too large
to sum at once is read piece by piece, divided among buckets on disk, and summed bucket by bucket. The replacement is
one compare-and-set; it refuses itself when another compaction was first, and does not mind appends.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, updates_schema
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp, step_forward
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import consolidate
from storage.persist.batch import decode_piece, encode_inline
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.shard import INLINE_BYTES, PreparedWrite, ShardMachine
from storage.persist.snapshot import read_piece
from storage.persist.spill import Spill
from storage.persist.state import Batch, InlineBatch, Part, ShardState
from storage.persist.transition import Compacted
from storage.persist.write import PART_BYTES

INLINE_BATCHES_MAX = 64
INLINE_TOTAL_BYTES_MAX = 1024 * 1024
SMALL_BATCHES_MAX = 8
SMALL_BATCH_BYTES = 8 * 1024 * 1024
BUCKET_BYTES = 8 * 1024 * 1024
"""What is consolidated at once; several times as much is needed while it is."""
_SETTLED_SHARE = 4
_EXPANDED_ROWS = 2


def choose_batches(state: ShardState) -> tuple[Batch, ...]:
    """Returns the batches to compact now; none when compaction is not worth the effort."""
    if state.since.time is None:
        return ()
    if _retractions_due(state, state.since.time):
        return state.batches
    inline = tuple(batch for batch in state.batches if not batch.parts)
    inline_bytes = sum(piece.bytes for batch in inline for piece in batch.pieces)
    small = tuple(batch for batch in state.batches if batch.parts and _bytes(batch) < SMALL_BATCH_BYTES)
    if len(small) > SMALL_BATCHES_MAX:
        return (*small, *inline)
    if len(inline) > INLINE_BATCHES_MAX or inline_bytes > INLINE_TOTAL_BYTES_MAX:
        return inline
    return ()


def _retractions_due(state: ShardState, since: Timestamp) -> bool:
    """Returns whether retractions that can cancel by now are a good share of the rows that a read has to sum."""
    settled = cancelling = 0
    for batch in state.batches:
        for piece in batch.pieces:
            assert piece.time_max is not None
            if piece.time_max <= since:
                settled += piece.rows
                cancelling += piece.rows if piece.retracts else 0
    # A single batch that was compacted to this since has nothing left to cancel.
    fresh = any(batch.since != state.since for batch in state.batches)
    return fresh and cancelling > 0 and cancelling * _SETTLED_SHARE >= settled


def _bytes(batch: Batch) -> int:
    return sum(piece.bytes for piece in batch.pieces)


@dataclass(frozen=True, slots=True)
class _Work:
    machine: ShardMachine
    blob: Blob
    runner: Runner
    desc: RelationDesc
    since: Timestamp
    batches: tuple[Batch, ...]

    @property
    def memory(self) -> int:
        return sum(piece.memory for batch in self.batches for piece in batch.pieces)


async def prepare_compaction(
    machine: ShardMachine, blob: Blob, runner: Runner, batches: tuple[Batch, ...], bucket_bytes: int = BUCKET_BYTES
) -> PreparedWrite:
    """Reads `batches` of the machine's state and stages their replacement; raises SqlError when a piece is corrupt."""
    state = machine.state
    assert state.since.time is not None, "an unreadable shard has nothing to compact"
    work = _Work(machine, blob, runner, state.desc, state.since.time, batches)
    buckets = max(1, -(-work.memory // bucket_bytes))
    parts: list[Part] = []
    inline: InlineBatch | None = None
    try:
        async for table in _consolidated(work, buckets):
            if buckets == 1 and table.num_rows > 0 and table.nbytes <= INLINE_BYTES:
                inline = encode_inline(table, work.desc)
                continue
            for chunk in await runner.run(partial(_divided, table, work.since, work.desc)):
                parts.append(await machine.stage.stage_part(machine.shard, work.desc, chunk))
    except BaseException:
        machine.stage.settle([part.key for part in parts])
        raise
    replacement = _replacement(work, tuple(parts), inline)
    compacted = Compacted(replaced=tuple(batch.id for batch in batches), batch=replacement)
    return PreparedWrite(machine, (compacted,), tuple(part.key for part in parts))


def _replacement(work: _Work, parts: tuple[Part, ...], inline: InlineBatch | None) -> Batch | None:
    if not parts and inline is None:
        return None
    lower, upper = EMPTY, Antichain(step_forward(work.since))
    for batch in work.batches:
        lower, upper = lower.meet(batch.lower), upper.join(batch.upper)
    return Batch(id=0, lower=lower, upper=upper, since=Antichain(work.since), parts=parts, inline=inline)


async def _consolidated(work: _Work, buckets: int) -> AsyncIterator[pa.Table]:
    """Yields the updates, advanced to since and consolidated, a bucket at a time."""
    if buckets == 1:
        tables = [table async for table in _advanced_tables(work)]
        yield await work.runner.run(lambda: consolidate(pa.concat_tables(tables)))
        return
    spill = await work.runner.run(lambda: Spill(updates_schema(work.desc), buckets))
    try:
        async for table in _advanced_tables(work):
            await work.runner.run(partial(spill.add, table))
        for bucket in range(buckets):
            yield await work.runner.run(partial(_taken, spill, bucket))
    finally:
        await work.runner.run(spill.close)


def _taken(spill: Spill, bucket: int) -> pa.Table:
    return consolidate(spill.take(bucket))


async def _advanced_tables(work: _Work) -> AsyncIterator[pa.Table]:
    inline = [batch.inline for batch in work.batches if batch.inline is not None]
    if inline:
        # One piece of work for all of them: there may be a thousand, of a few rows each.
        yield await work.runner.run(lambda: pa.concat_tables(_advanced(table, work.since) for table in _decoded(work)))
    for batch in work.batches:
        for part in batch.parts:
            table = await read_piece(part, work.desc, work.machine.shard, work.blob, work.runner)
            yield await work.runner.run(partial(_advanced, table, work.since))


def _decoded(work: _Work) -> Iterator[pa.Table]:
    for batch in work.batches:
        if batch.inline is not None:
            name = "an inline batch"
            yield decode_piece(batch.inline, batch.inline.payload, work.desc, work.machine.shard, name)


def _advanced(table: pa.Table, since: Timestamp) -> pa.Table:
    index = table.column_names.index(TIME_COLUMN)
    times = pc.max_element_wise(table.column(TIME_COLUMN), pa.scalar(since, pa.int64()))
    return table.set_column(index, TIME_COLUMN, times)


def _divided(table: pa.Table, since: Timestamp, desc: RelationDesc) -> list[pa.Table]:
    """Divides rows among tables for parts.

    Rows at since lie apart from later rows, and so need no time column. Retracted rows lie apart from asserted rows:
    readers have to sum the former, but can take the latter as stored.
    """
    chunks = []
    settled = pc.equal(table.column(TIME_COLUMN), since)
    asserted = pc.greater(table.column(DIFF_COLUMN), 0)
    for times in (settled, pc.invert(settled)):
        for diffs in (asserted, pc.invert(asserted)):
            share = _expanded(table.filter(pc.and_(times, diffs)), desc)
            rows_a_part = max(1, share.num_rows * PART_BYTES // max(share.nbytes, 1))
            for start in range(0, share.num_rows, rows_a_part):
                chunks.append(share.slice(start, rows_a_part))
    return chunks


def _expanded(table: pa.Table, desc: RelationDesc) -> pa.Table:
    """Returns the table with each row as often as its diff says, if the result is little larger: reads then need not
    sum."""
    diffs = table.column(DIFF_COLUMN).to_numpy()
    if desc.arity == 0 or len(diffs) == 0 or diffs.min() < 1 or diffs.sum() > _EXPANDED_ROWS * len(diffs):
        return table
    if diffs.max() == 1:
        return table
    repeated = table.take(pa.array(np.repeat(np.arange(len(diffs)), diffs)))
    ones = pa.array(np.ones(repeated.num_rows, np.int64))
    return repeated.set_column(repeated.column_names.index(DIFF_COLUMN), DIFF_COLUMN, ones)
