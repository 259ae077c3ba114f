"""A shard as it was at an earlier time, which its state still tells from others.

    updates of the cut state = { (row, time, diff) of the state | time <= t }        upper = min(upper, t + 1)

Pieces whose updates are all at times up to t stay as they are, later ones go, and those that have both are written
anew. Capabilities to write go back to t + 1, as if nothing had been written since.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc
from msgspec.structs import replace

from model.physical.columns import TIME_COLUMN
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from storage.persist.batch import encode_inline
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.snapshot import read_piece, unreadable
from storage.persist.state import Batch, CapabilityKind, InlineBatch, Part, Piece, ShardState

P = TypeVar("P", bound=Piece)

WritePart = Callable[[ShardState, Part, pa.Table], Awaitable[Part]]
"""Writes the updates that are left of a part of the shard, in its new place."""


async def cut(state: ShardState, at: Timestamp, place: Blob, runner: Runner, write: WritePart) -> ShardState:
    """Returns the shard as it was at `at`; `place` has its parts. Raises SqlError naming the since when that is later,
    or a part that is missing or damaged."""
    if not state.since.less_equal(at):
        raise unreadable(state, at)
    end = Antichain.at(at + 1)
    batches = []
    for batch in state.batches:
        parts = [await _cut_part(state, part, at, place, runner, write) for part in batch.parts if _begun(part, at)]
        inline = None if batch.inline is None or not _begun(batch.inline, at) else batch.inline
        if inline is not None and not _ended(inline, at):
            inline = await _cut_inline(state, inline, at, place, runner)
        kept = Batch(
            id=batch.id,
            lower=batch.lower.meet(end),
            upper=batch.upper.meet(end),
            since=batch.since,
            parts=tuple(part for part in parts if part is not None),
            inline=inline,
        )
        if kept.pieces:
            batches.append(kept)
    held = tuple(
        replace(each, frontier=each.frontier.meet(end)) if each.kind is CapabilityKind.WRITE else each
        for each in state.held
    )
    return replace(state, batches=tuple(batches), upper=state.upper.meet(end), held=held)


def _begun(piece: Piece, at: Timestamp) -> bool:
    return piece.time_min is not None and piece.time_min <= at


def _ended(piece: Piece, at: Timestamp) -> bool:
    return piece.time_max is not None and piece.time_max <= at


async def _cut_part(
    state: ShardState, part: Part, at: Timestamp, place: Blob, runner: Runner, write: WritePart
) -> Part | None:
    if _ended(part, at):
        return part
    table = await _until(state, part, at, place, runner)
    return await write(state, part, table) if table.num_rows else None


async def _cut_inline(
    state: ShardState, inline: InlineBatch, at: Timestamp, place: Blob, runner: Runner
) -> InlineBatch | None:
    table = await _until(state, inline, at, place, runner)
    return encode_inline(table, state.desc) if table.num_rows else None


async def _until(state: ShardState, piece: Piece, at: Timestamp, place: Blob, runner: Runner) -> pa.Table:
    table = await read_piece(piece, state.desc, state.shard, place, runner)
    return table.filter(pc.less_equal(table.column(TIME_COLUMN), at))
