"""The contents of a shard at a time, split by the best way to read each part.

Parts whose diffs are all 1 are files that Spark reads as they are. The rest, usually little, is decoded and
consolidated here: inline batches, and parts with retractions. Rows with a negative sum cancel rows of the plain files;
rows with a positive sum are added to them.

    contents = (plain files ⊖ cancelled) ⊎ added

When the rest is too large to read here, it stays in files too, and Spark consolidates everything. When a good part of
the plain rows may be retracted, the plain parts are read here as well: Spark would need all cancelled rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_schema
from model.time.timestamp import Timestamp
from model.updates.consolidate import consolidate
from storage.persist.batch import decode_piece
from storage.persist.location import Blob
from storage.persist.snapshot import Snapshot
from storage.persist.state import InlineBatch, Part, Piece

LOCAL_ROWS_MAX = 20_000
LOCAL_BYTES_MAX = 8 << 20
MIXED_ROWS_MAX = 500_000
MIXED_BYTES_MAX = 64 << 20
"""Contents up to both LOCAL limits are read here as a whole: Spark then plans them as literal rows, without reading
files. Of larger ones, parts with other diffs than 1 are read here up to both MIXED limits."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a shard. `plain` parts have diffs of 1 only, `mixed` parts any; `added` and `cancelled` are
    tables of rows with a positive `diff`: so many copies more, or fewer, than the parts have."""

    plain: tuple[Part, ...]
    mixed: tuple[Part, ...]
    added: pa.Table
    cancelled: pa.Table

    @property
    def files(self) -> tuple[Part, ...]:
        """Returns the parts that Spark reads."""
        return (*self.plain, *self.mixed)

    @property
    def rows_here(self) -> int:
        """Returns the number of rows held in memory."""
        return int(self.added.num_rows + self.cancelled.num_rows)

    @property
    def size(self) -> tuple[int, int]:
        """Returns (rows, bytes) of files and of rows in memory, with multiplicities: an upper bound of the contents."""
        rows, bytes_ = sum(part.rows for part in self.files), sum(part.bytes for part in self.files)
        copies, expanded = expanded_size(self.added)
        return rows + copies + self.cancelled.num_rows, bytes_ + expanded + self.cancelled.nbytes


def contents_key(snapshot: Snapshot) -> Hashable:
    """Returns a key that is equal for snapshots with equal contents as far as the pieces tell."""
    pieces: tuple[Piece, ...] = (*snapshot.parts, *snapshot.inline)
    cut = any(piece.time_max is not None and piece.time_max > snapshot.as_of for piece in pieces)
    inline = tuple((p.time_min, p.time_max, p.rows, p.bytes, p.checksum) for p in snapshot.inline)
    as_of = snapshot.as_of if cut else None
    return snapshot.shard, snapshot.desc.types, tuple(p.key for p in snapshot.parts), inline, as_of


def left_to_spark(snapshot: Snapshot) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Returns the plain and the mixed parts for Spark; all other pieces are read here."""
    pieces: tuple[Piece, ...] = (*snapshot.parts, *snapshot.inline)
    plain = tuple(part for part in snapshot.parts if part.diff == 1)
    others = [piece for piece in pieces if piece.diff != 1 or not isinstance(piece, Part)]
    if snapshot.desc.arity == 0 or few(pieces, LOCAL_ROWS_MAX, LOCAL_BYTES_MAX):
        return (), ()
    if _mostly_history(plain, others) and few(pieces, MIXED_ROWS_MAX, MIXED_BYTES_MAX):
        return (), ()
    mixed = tuple(part for part in snapshot.parts if part.diff != 1)
    return plain, () if few(mixed, MIXED_ROWS_MAX, MIXED_BYTES_MAX) else mixed


def _mostly_history(plain: Sequence[Piece], others: Sequence[Piece]) -> bool:
    """Returns whether few of the rows may be left: retractions are of rows that came before."""
    retracting = sum(piece.rows for piece in others if piece.retracts)
    return 4 * retracting >= sum(piece.rows for piece in plain)


def few(pieces: Sequence[Piece], rows_max: int, bytes_max: int) -> bool:
    """Returns whether the pieces are within both limits."""
    return sum(piece.rows for piece in pieces) <= rows_max and sum(piece.bytes for piece in pieces) <= bytes_max


async def read_contents(snapshot: Snapshot, blob: Blob) -> Contents:
    """Reads and consolidates all but what is left to Spark. Raises SqlError naming the shard: missing, unreadable or
    corrupt."""
    plain, mixed = left_to_spark(snapshot)
    table = await read_summed(snapshot, blob, frozenset(part.key for part in (*plain, *mixed)))
    return contents_of(snapshot, plain, mixed, table)


async def read_summed(
    snapshot: Snapshot, blob: Blob, left: frozenset[str], base: pa.Table | None = None, after: Timestamp | None = None
) -> pa.Table:
    """Reads columns c0, … and `diff`: the sum of `base` and of the snapshot's updates at times later than `after`,
    without those in the parts that are `left` out."""
    read = later_pieces(snapshot, left, after)
    pieces = [(p, await _read(p, snapshot, blob) if isinstance(p, Part) else p.payload) for p in read]
    decode = _decoder(snapshot, pieces, base, after)
    inline = not any(isinstance(piece, Part) for piece in read)
    small = inline and (base is None or base.num_rows <= LOCAL_ROWS_MAX)
    return decode() if small else await asyncio.to_thread(decode)


def contents_of(snapshot: Snapshot, plain: tuple[Part, ...], mixed: tuple[Part, ...], table: pa.Table) -> Contents:
    """Returns the contents of parts and of a sum of updates. XX001 when the sum retracts rows and no part holds
    them."""
    diffs = table.column(DIFF_COLUMN)
    negative = table.filter(pc.less(diffs, 0))
    added = table.filter(pc.greater(diffs, 0)) if negative.num_rows else table
    index = negative.schema.get_field_index(DIFF_COLUMN)
    cancelled = negative.set_column(index, DIFF_COLUMN, pc.negate(negative.column(DIFF_COLUMN)))
    if cancelled.num_rows and not (plain or mixed):
        raise SqlError(
            Sqlstate.DATA_CORRUPTED,
            f"shard {snapshot.shard} retracts rows at {snapshot.as_of} that it does not hold",
            hint="ALTER TABLE or ALTER MATERIALIZED VIEW … REPAIR mends it; a table of a source is created again.",
        )
    return Contents(plain, mixed, added, cancelled)


def later_pieces(snapshot: Snapshot, left: frozenset[str], after: Timestamp | None) -> list[Part | InlineBatch]:
    """Returns the pieces that may have updates later than `after`, except the `left` parts."""
    pieces: list[Part | InlineBatch] = [*(part for part in snapshot.parts if part.key not in left), *snapshot.inline]
    return [p for p in pieces if after is None or (p.time_max is not None and p.time_max > after)]


def expanded_size(table: pa.Table) -> tuple[int, int]:
    """Returns (rows, bytes) of `expand(table)`, about: a few long rows may be there very often."""
    diffs = table.column(DIFF_COLUMN).to_numpy()
    lengths = np.zeros(table.num_rows, np.int64)
    others = 0
    for column in table.columns:
        if pa.types.is_binary(column.type) or pa.types.is_string(column.type):
            lengths += pc.fill_null(pc.binary_length(column), 0).to_numpy()
        else:
            others += column.nbytes
    copies = int(diffs.sum())
    return copies, int(np.dot(lengths, diffs)) + others * copies // max(1, table.num_rows)


def expand(table: pa.Table) -> pa.Table:
    """Returns each row as often as its `diff` says, without `diff`."""
    diffs = table.column(DIFF_COLUMN).to_numpy()
    rows = table.drop_columns([DIFF_COLUMN])
    if table.num_columns == 1:
        return pa.Table.from_struct_array(pa.array([{}] * int(diffs.sum()), pa.struct([])))
    if (diffs == 1).all():
        return rows
    return rows.take(pa.array(np.repeat(np.arange(len(diffs)), diffs)))


async def _read(part: Part, snapshot: Snapshot, blob: Blob) -> bytes:
    try:
        data = await blob.get(part.key)
    except OSError as error:
        raise unreadable_part(part, snapshot.shard, str(error)) from error
    if data is None:
        raise missing_part(part, snapshot.shard)
    return data


def _decoder(
    snapshot: Snapshot,
    pieces: list[tuple[Part | InlineBatch, bytes]],
    base: pa.Table | None,
    after: Timestamp | None,
) -> Callable[[], pa.Table]:
    def decode() -> pa.Table:
        schema = arrow_schema(snapshot.desc).append(pa.field(DIFF_COLUMN, pa.int64()))
        tables = [schema.empty_table() if base is None else base]
        for piece, data in pieces:
            name = f"part {piece.key}" if isinstance(piece, Part) else "an inline batch"
            table = decode_piece(piece, data, snapshot.desc, snapshot.shard, name)
            if piece.time_max is not None and piece.time_max > snapshot.as_of:
                table = table.filter(pc.less_equal(table.column(TIME_COLUMN), snapshot.as_of))
            if after is not None and piece.time_min is not None and piece.time_min <= after:
                table = table.filter(pc.greater(table.column(TIME_COLUMN), after))
            tables.append(table.drop_columns([TIME_COLUMN]))
        table = pa.concat_tables(tables)
        summed = base is None and snapshot.consolidated and snapshot.desc.arity
        return table if summed or not pieces else consolidate(table)

    return decode


def missing_part(part: Part, shard: str) -> SqlError:
    return SqlError(Sqlstate.IO_ERROR, f"part {part.key} of shard {shard} is missing")


def unreadable_part(part: Part, shard: str, detail: str) -> SqlError:
    return SqlError(Sqlstate.IO_ERROR, f"could not read part {part.key} of shard {shard}", detail=detail)
