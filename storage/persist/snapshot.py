"""Reads a shard: finds the pieces with its contents at a time, or with its updates between two times.

A Snapshot is plain data and can be sent to another process, which opens the parts by `blob.uri(part.key)`, keeps rows
with time <= as_of, and sums their diffs unless `consolidated`. The parts stay as long as a read hold stays that was
taken on the collection before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc
from msgspec.structs import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_schema, updates_schema
from model.time.timestamp import Timestamp
from model.types.narrow_columns import narrow_columns
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import consolidate
from storage.persist.batch import decode_piece, encode_inline
from storage.persist.location import Blob, Consensus
from storage.persist.runner import InlineRunner, Runner
from storage.persist.state import InlineBatch, Part, Piece, ShardState
from storage.persist.version import fold_versions, shard_key

INLINE = InlineRunner()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The collection at `as_of`: the sum of diffs of rows with time <= `as_of`.

    `consolidated`: every diff of these is 1, so the rows are the contents and nothing needs summing.
    """

    shard: str
    as_of: Timestamp
    desc: RelationDesc
    parts: tuple[Part, ...]
    inline: tuple[InlineBatch, ...]
    consolidated: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """The updates at times in [lower, upper): rows of the pieces with such a time."""

    shard: str
    lower: Timestamp
    upper: Timestamp
    desc: RelationDesc
    parts: tuple[Part, ...]
    inline: tuple[InlineBatch, ...]


async def read_state(consensus: Consensus, shard: str, known: ShardState | None = None) -> ShardState:
    """Returns the newest state of a shard; `known` (an earlier state of it) saves reading all. Raises SqlError when
    absent."""
    state = await find_state(consensus, shard, known)
    if state is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"shard {shard} does not exist")
    return state


async def find_state(consensus: Consensus, shard: str, known: ShardState | None = None) -> ShardState | None:
    """Reads the newest state, like `read_state`; None for a shard that was never created."""
    versions = await consensus.scan(shard_key(shard), 1 if known is None else known.seqno + 1)
    if known is not None and versions and versions[0].seqno != known.seqno + 1:
        known = None
    return fold_versions(shard, known, versions)


def snapshot(state: ShardState, as_of: Timestamp, desc: RelationDesc | None = None) -> Snapshot:
    """Returns the pieces that hold the collection at `as_of`; raises SqlError naming the since for an earlier `as_of`.

    `desc` may have fewer columns than the collection, or more, which read as NULL; the default is the collection's. The
    caller has made sure that the collection is complete at `as_of`.
    """
    if not state.since.less_equal(as_of):
        raise unreadable(state, as_of)
    _require_known_narrow(state, desc)
    pieces = [p for batch in state.batches for p in batch.pieces if p.time_min is not None and p.time_min <= as_of]
    parts, inline = _sorted_out(pieces)
    consolidated = all(piece.diff == 1 for piece in pieces)
    return Snapshot(state.shard, as_of, state.desc if desc is None else desc, parts, inline, consolidated)


def updates_between(state: ShardState, lower: Timestamp, upper: Timestamp, desc: RelationDesc | None = None) -> Changes:
    """Returns the updates at times in [lower, upper), exactly; raises SqlError when times before `lower` are not told
    from it. `desc` as in `snapshot`."""
    if lower > 0 and not state.since.less_equal(Timestamp(lower - 1)):
        raise unreadable(state, Timestamp(lower - 1))
    _require_known_narrow(state, desc)
    pieces = [
        p
        for batch in state.batches
        for p in batch.pieces
        if p.time_min is not None and p.time_max is not None and p.time_min < upper and lower <= p.time_max
    ]
    parts, inline = _sorted_out(pieces)
    return Changes(state.shard, lower, upper, state.desc if desc is None else desc, parts, inline)


def empty_snapshot(shard: str, as_of: Timestamp, desc: RelationDesc) -> Snapshot:
    """Returns the contents of a shard that is not there yet."""
    return Snapshot(shard, as_of, desc, (), (), consolidated=True)


def with_written(source: Snapshot, written: bytes | None, staged: Sequence[Part] = ()) -> Snapshot:
    """Returns the snapshot with updates that nobody has committed yet: an Arrow stream of columns c0, c1, … and `diff`,
    and parts that are staged."""
    table = None if written is None else pa.ipc.open_stream(written).read_all()
    inline = [] if table is None or not table.num_rows else [encode_inline(table, source.desc)]
    at = source.as_of
    parts = [replace(piece, time=at, time_min=at, time_max=at) for piece in staged]
    timed = [replace(piece, time=at, time_min=at, time_max=at) for piece in inline]
    consolidated = source.consolidated and all(piece.diff == 1 for piece in (*parts, *timed))
    return dataclasses.replace(
        source, parts=(*source.parts, *parts), inline=(*source.inline, *timed), consolidated=consolidated
    )


async def read_snapshot(source: Snapshot, blob: Blob, runner: Runner = INLINE) -> pa.Table:
    """Returns the contents: columns c0, c1, … and `diff`, each distinct row once with its multiplicity.

    Raises SqlError naming the shard: data_corrupted for a part with wrong bytes, io_error for a missing part.
    """
    schema = arrow_schema(source.desc).append(pa.field(DIFF_COLUMN, pa.int64()))
    table = pa.concat_tables([schema.empty_table(), *[each async for each in read_pieces(source, blob, runner)]])
    return await runner.run(lambda: consolidate(table))


async def read_pieces(source: Snapshot, blob: Blob, runner: Runner = INLINE) -> AsyncIterator[pa.Table]:
    """Yields tables whose sum the contents are, each as large as a piece: columns c0, c1, … and `diff`. Errors as
    `read_snapshot`."""
    for piece in (*source.parts, *source.inline):
        table = await read_piece(piece, source.desc, source.shard, blob, runner)
        assert piece.time_max is not None, "a piece that holds something has times"
        kept = table if piece.time_max <= source.as_of else _until(table, source.as_of)
        yield kept.drop_columns([TIME_COLUMN])


async def read_changes(source: Changes, blob: Blob, runner: Runner = INLINE) -> pa.Table:
    """Returns the updates as `updates_schema(desc)`, consolidated, in order of time. Errors as `read_snapshot`."""
    tables = []
    for piece in (*source.parts, *source.inline):
        table = await read_piece(piece, source.desc, source.shard, blob, runner)
        times = table.column(TIME_COLUMN)
        tables.append(table.filter(pc.and_(pc.greater_equal(times, source.lower), pc.less(times, source.upper))))
    table = pa.concat_tables([updates_schema(source.desc).empty_table(), *tables])
    return await runner.run(lambda: in_order_of_time(consolidate(table)))


async def read_piece(piece: Piece, desc: RelationDesc, shard: str, blob: Blob, runner: Runner = INLINE) -> pa.Table:
    """Returns all updates of a piece, as `updates_schema(desc)`. Errors as `read_snapshot`."""
    if isinstance(piece, InlineBatch):
        payload = piece.payload
        return await runner.run(lambda: decode_piece(piece, payload, desc, shard, "an inline batch"))
    assert isinstance(piece, Part)
    name = f"part {piece.key}"
    try:
        data = await blob.get(piece.key)
    except OSError as error:
        raise SqlError(Sqlstate.IO_ERROR, f"could not read {name} of shard {shard}", detail=str(error)) from error
    if data is None:
        raise SqlError(Sqlstate.IO_ERROR, f"{name} of shard {shard} is missing")
    return await runner.run(partial(decode_piece, piece, data, desc, shard, name))


async def read_staged(part: Part, desc: RelationDesc, shard: str, blob: Blob, runner: Runner = INLINE) -> pa.Table:
    """Returns the updates of a part that no state names yet, at time 0 if the commit is to assign the time."""
    timed = replace(part, time=0, time_min=0, time_max=0) if part.timeless else part
    return await read_piece(timed, desc, shard, blob, runner)


def in_order_of_time(table: pa.Table) -> pa.Table:
    return table.take(pc.sort_indices(table, sort_keys=[(TIME_COLUMN, "ascending")]))


def _require_known_narrow(state: ShardState, desc: RelationDesc | None) -> None:
    """Raises SqlError 40001 for a reader to whom a narrow column (`model/types/narrow_columns.py`) is one with values:
    later values are in the wide column, and compaction moves earlier ones."""
    if desc is None or desc.arity >= state.desc.arity:
        return
    known = desc.columns
    for narrow in narrow_columns(state.desc.columns):
        if narrow.at < desc.arity and known[narrow.at].name != state.desc.columns[narrow.at].name:
            raise SqlError(
                Sqlstate.SERIALIZATION_FAILURE,
                "could not serialize access due to concurrent update",
                detail=f'Numerics of column "{known[narrow.at].name}" have become wider.',
                hint="The transaction might succeed if retried.",
            )


def unreadable(state: ShardState, as_of: Timestamp) -> SqlError:
    """Returns the error for a read before since."""
    return SqlError(
        Sqlstate.INVALID_PARAMETER_VALUE,
        f"collection {state.shard} can't be read at {as_of}: its since is {state.since}",
        detail="History before since was compacted away.",
    )


def _sorted_out(pieces: list[Piece]) -> tuple[tuple[Part, ...], tuple[InlineBatch, ...]]:
    parts = tuple(piece for piece in pieces if isinstance(piece, Part))
    return parts, tuple(piece for piece in pieces if isinstance(piece, InlineBatch))


def _until(table: pa.Table, as_of: Timestamp) -> pa.Table:
    return table.filter(pc.less_equal(table.column(TIME_COLUMN), as_of))
