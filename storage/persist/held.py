"""Finds rows that updates retract although the collection does not hold them.

    -1 (0.0, 'a')   held if the collection has (0.0, 'a') and no other update retracts the row; -0.0 is another row

A retraction of a missing row can never be undone: afterwards nobody can say what the collection holds. Retractions are
therefore checked before they are written. Rows are compared by a hash of their stored bytes. Memory bounds the number
of hashes; more rows take several passes over the collection. A check of few rows hashes only rows of the collection
that share a value with them in some column.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_schema
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import consolidate, with_one_nan
from storage.persist.location import Blob
from storage.persist.row_hash import row_hash
from storage.persist.runner import Runner
from storage.persist.snapshot import Snapshot, read_pieces, read_staged
from storage.persist.state import Part

ROWS_AT_ONCE = 1 << 21
"""Of updates: some 100 MiB with what is counted for them."""
SHOWN_MAX = 10
_FEW = 200_000
"""So many values of a column are looked for before rows are hashed."""

_Hashes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Hashes of retracted rows, sorted, and how many retractions of each are still to be found in the collection.
    `among`: a column and the values of the rows in it, when the values are few."""

    hashes: _Hashes
    missing: _Hashes
    among: tuple[int, pa.Array] | None

    def find(self, table: pa.Table, arity: int) -> None:
        """Counts the wanted rows in a table of `arity` columns and `diff`."""
        if self.among is not None:
            column, values = self.among
            table = table.filter(pc.is_in(table.column(column), value_set=values))
        hashes, diffs = hashed(table, arity)
        at = np.searchsorted(self.hashes, hashes)
        at[at == len(self.hashes)] = 0
        found = self.hashes[at] == hashes
        np.subtract.at(self.missing, at[found], diffs[found])


async def rows_not_held(
    source: Snapshot, updates: Sequence[pa.Table | Part], blob: Blob, runner: Runner, at_once: int = ROWS_AT_ONCE
) -> pa.Table | None:
    """Returns the first few rows that the updates together retract more often than the collection holds them.

    None when all retracted rows are held. SqlError as of `read_snapshot`.
    """
    arity = source.desc.arity
    rows = sum(each.rows if isinstance(each, Part) else each.num_rows for each in updates)
    portions = max(1, -(-rows // at_once))
    for portion in range(portions):
        taken = [(hashes, diffs) async for hashes, diffs in _portion(source, updates, blob, runner, portion, portions)]
        wanted = await runner.run(partial(_wanted, taken, updates, arity))
        if not len(wanted.hashes):
            continue
        async for table in read_pieces(source, blob, runner):
            await runner.run(partial(wanted.find, table, arity))
        lacking = wanted.hashes[wanted.missing > 0]
        if len(lacking):
            return await _shown(source, updates, blob, runner, lacking)
    return None


async def overdrawn_rows(source: Snapshot, blob: Blob, runner: Runner, at_once: int = ROWS_AT_ONCE) -> pa.Table:
    """Returns the rows that a broken collection retracts more often than asserts: c0, c1, …, and a negative `diff`.

    SqlError as of `read_snapshot`.
    """
    arity = source.desc.arity
    rows = sum(piece.rows for piece in (*source.parts, *source.inline) if piece.retracts)
    portions = max(1, -(-rows // at_once))
    found = [arrow_schema(source.desc).append(pa.field(DIFF_COLUMN, pa.int64())).empty_table()]
    for portion in range(portions):
        taken: list[tuple[_Hashes, _Hashes]] = []
        async for table in read_pieces(source, blob, runner):
            hashes, diffs = await runner.run(partial(_of_portion, table, arity, portion, portions))
            taken.append((hashes[diffs < 0], diffs[diffs < 0]))
        wanted = await runner.run(partial(_wanted, taken, (), arity))
        if not len(wanted.hashes):
            continue
        async for table in read_pieces(source, blob, runner):
            asserted = table.filter(pc.greater(table.column(DIFF_COLUMN), 0))
            await runner.run(partial(wanted.find, asserted, arity))
        lacking = wanted.hashes[wanted.missing > 0]
        if not len(lacking):
            continue
        async for table in read_pieces(source, blob, runner):
            found.append(await runner.run(partial(_having, table, arity, lacking)))
    table = consolidate(pa.concat_tables(found))
    return table.filter(pc.less(table.column(DIFF_COLUMN), 0))


def _having(table: pa.Table, arity: int, hashes: _Hashes) -> pa.Table:
    return table.filter(pa.array(np.isin(hashed(table, arity)[0], hashes)))


def _of_portion(table: pa.Table, arity: int, portion: int, portions: int) -> tuple[_Hashes, _Hashes]:
    """The hashes and diffs of the rows that are of a portion."""
    hashes, diffs = hashed(table, arity)
    if portions == 1:
        return hashes, diffs
    own = hashes.view(np.uint64) % np.uint64(portions) == portion
    return hashes[own], diffs[own]


async def _portion(
    source: Snapshot, updates: Sequence[pa.Table | Part], blob: Blob, runner: Runner, portion: int, portions: int
) -> AsyncIterator[tuple[_Hashes, _Hashes]]:
    """The hashes and diffs of the updates that are of a portion."""
    async for table in _tables(source, updates, blob, runner):
        yield await runner.run(partial(_of_portion, table, source.desc.arity, portion, portions))


async def _tables(
    source: Snapshot, updates: Sequence[pa.Table | Part], blob: Blob, runner: Runner
) -> AsyncIterator[pa.Table]:
    """The updates as tables of the collection's columns and `diff`."""
    for each in updates:
        if isinstance(each, Part):
            table = await read_staged(each, source.desc, source.shard, blob, runner)
            yield table.drop_columns([TIME_COLUMN])
        else:
            yield _as_stored(each, source.desc)


def _as_stored(table: pa.Table, desc: RelationDesc) -> pa.Table:
    if DIFF_COLUMN not in table.column_names:
        table = table.append_column(DIFF_COLUMN, pa.array(np.ones(table.num_rows, np.int64)))
    schema = arrow_schema(desc).append(pa.field(DIFF_COLUMN, pa.int64()))
    return with_one_nan(table.select(schema.names).cast(schema))


def _wanted(taken: Sequence[tuple[_Hashes, _Hashes]], updates: Sequence[pa.Table | Part], arity: int) -> _Wanted:
    """Returns the rows that the updates retract, net of the rows that the same updates add."""
    hashes, net = net_of(taken)
    gone = net < 0
    return _Wanted(hashes[gone], -net[gone], _among(updates, arity))


def _among(updates: Sequence[pa.Table | Part], arity: int) -> tuple[int, pa.Array] | None:
    """Returns the flat column with the most distinct values, and the values; None for many rows, and for rows in
    parts."""
    tables = [each for each in updates if isinstance(each, pa.Table)]
    if not tables or len(tables) < len(updates) or sum(each.num_rows for each in tables) > _FEW:
        return None
    found: list[tuple[int, pa.Array]] = []
    for at in range(arity):
        type_ = tables[0].column(at).type
        if not (pa.types.is_nested(type_) or pa.types.is_floating(type_)):
            values = pa.concat_arrays([chunk for each in tables for chunk in each.column(at).cast(type_).chunks])
            found.append((at, values.unique()))
    return max(found, key=lambda each: len(each[1]), default=None)


async def _shown(
    source: Snapshot, updates: Sequence[pa.Table | Part], blob: Blob, runner: Runner, lacking: _Hashes
) -> pa.Table:
    """Returns the first updates that retract rows with the lacking hashes."""
    shown = []
    async for table in _tables(source, updates, blob, runner):
        hashes, diffs = hashed(table, source.desc.arity)
        shown.append(table.filter(pa.array(np.isin(hashes, lacking) & (diffs < 0))).slice(0, SHOWN_MAX))
    return pa.concat_tables(shown).slice(0, SHOWN_MAX)


def net_of(several: Sequence[tuple[_Hashes, _Hashes]]) -> tuple[_Hashes, _Hashes]:
    """Returns the distinct hashes in order, and the sum of the diffs for each."""
    none = np.zeros(0, np.int64)
    hashes, inverse = np.unique(np.concatenate([none, *(each for each, _ in several)]), return_inverse=True)
    net = np.zeros(len(hashes), np.int64)
    np.add.at(net, inverse, np.concatenate([none, *(diffs for _, diffs in several)]))
    return hashes, net


def hashed(table: pa.Table, arity: int) -> tuple[_Hashes, _Hashes]:
    """The hashes of a table's rows, of `arity` columns and `diff`, and their diffs."""
    columns = [table.column(at).combine_chunks() for at in range(arity)]
    flat = [pa.concat_arrays(each.chunks) if isinstance(each, pa.ChunkedArray) else each for each in columns]
    return row_hash(flat, table.num_rows), table.column(DIFF_COLUMN).to_numpy()
