"""Finds rows that updates retract although the collection does not hold them.

    -1 (0.0, 'a')   held if the collection has (0.0, 'a') and no other update retracts the row; -0.0 is another row

A retraction of a missing row can never be undone: afterwards nobody can say what the collection holds. Retractions are
therefore checked before they are written. Rows are compared by a hash of their stored bytes, and the collection is read
once, however many rows are looked for: counts lie in files where they are many. A check of few rows hashes only rows of
the collection that share a value with them in some column.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_schema
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import consolidate, with_one_nan
from storage.persist.hash_counts import HashCounts, Hashes
from storage.persist.location import Blob
from storage.persist.row_hash import row_hash
from storage.persist.runner import Runner
from storage.persist.snapshot import Snapshot, read_pieces, read_staged
from storage.persist.state import Part

SHOWN_MAX = 10
_FEW = 200_000
"""So many values of a column are looked for before rows are hashed."""


async def rows_not_held(
    source: Snapshot, updates: Sequence[pa.Table | Part], blob: Blob, runner: Runner
) -> pa.Table | None:
    """Returns the first few rows that the updates together retract more often than the collection holds them.

    None when all retracted rows are held. Raises SqlError as of `read_snapshot`.
    """
    arity, net = source.desc.arity, HashCounts()
    async for table in _tables(source, updates, blob, runner):
        await runner.run(lambda: net.add(*hashed(table, arity)))  # noqa: B023
    wanted = await runner.run(lambda: _below_zero(net.ranges()))
    if not wanted.size:
        return None
    among, found = _among(updates, arity), HashCounts()
    async for table in read_pieces(source, blob, runner):
        await runner.run(lambda: _find(table, arity, wanted, among, found))  # noqa: B023
    lacking = await runner.run(lambda: _below_zero(_summed(wanted, found)))
    if not lacking.size:
        return None
    return await _shown(source, updates, blob, runner, lacking)


async def overdrawn_rows(source: Snapshot, blob: Blob, runner: Runner) -> pa.Table:
    """Returns the rows that a broken collection retracts more often than asserts: c0, c1, …, and a negative `diff`.

    Raises SqlError as of `read_snapshot`.
    """
    arity, wanted, found = source.desc.arity, HashCounts(), HashCounts()
    async for table in read_pieces(source, blob, runner):
        taken = table.filter(pc.less(table.column(DIFF_COLUMN), 0))
        await runner.run(lambda: wanted.add(*hashed(taken, arity)))  # noqa: B023
    rows = [arrow_schema(source.desc).append(pa.field(DIFF_COLUMN, pa.int64())).empty_table()]
    if not wanted.size:
        return rows[0]
    async for table in read_pieces(source, blob, runner):
        asserted = table.filter(pc.greater(table.column(DIFF_COLUMN), 0))
        await runner.run(lambda: _find(asserted, arity, wanted, None, found))  # noqa: B023
    lacking = await runner.run(lambda: _below_zero(_summed(wanted, found)))
    if not lacking.size:
        return rows[0]
    async for table in read_pieces(source, blob, runner):
        rows.append(await runner.run(lambda: table.filter(_within(lacking, hashed(table, arity)[0]))))  # noqa: B023
    total = consolidate(pa.concat_tables(rows))
    return total.filter(pc.less(total.column(DIFF_COLUMN), 0))


_Among = tuple[int, pa.Array]
"""A column, and values in it."""


def _find(table: pa.Table, arity: int, wanted: HashCounts, among: _Among | None, found: HashCounts) -> None:
    """Counts the wanted rows of a table of `arity` columns and `diff`; all of them have one of the values `among`."""
    if among is not None:
        column, values = among
        table = table.filter(pc.is_in(table.column(column), value_set=values))
    hashes, diffs = hashed(table, arity)
    asked = wanted.of(hashes) != 0
    found.add(hashes[asked], diffs[asked])


def _summed(wanted: HashCounts, found: HashCounts) -> Iterator[tuple[Hashes, Hashes]]:
    return ((hashes, counts + found.of(hashes)) for hashes, counts in wanted.ranges())


def _below_zero(ranges: Iterator[tuple[Hashes, Hashes]]) -> HashCounts:
    """Returns the negative counts."""
    below = HashCounts()
    for hashes, counts in ranges:
        below.add(hashes[counts < 0], counts[counts < 0])
    return below


def _within(counts: HashCounts, hashes: Hashes) -> pa.Array:
    return pa.array(counts.of(hashes) != 0)


async def _tables(
    source: Snapshot, updates: Sequence[pa.Table | Part], blob: Blob, runner: Runner
) -> AsyncIterator[pa.Table]:
    """Yields the updates as tables of the collection's columns and `diff`."""
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


def _among(updates: Sequence[pa.Table | Part], arity: int) -> _Among | None:
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
    source: Snapshot, updates: Sequence[pa.Table | Part], blob: Blob, runner: Runner, lacking: HashCounts
) -> pa.Table:
    """Returns the first updates that retract rows with the lacking hashes."""
    shown, rows = [], 0
    async for table in _tables(source, updates, blob, runner):
        hashes, diffs = hashed(table, source.desc.arity)
        taken = pc.and_(_within(lacking, hashes), pa.array(diffs < 0))
        shown.append(table.filter(taken).slice(0, SHOWN_MAX - rows))
        rows += shown[-1].num_rows
        if rows == SHOWN_MAX:
            break
    return pa.concat_tables(shown)


def hashed(table: pa.Table, arity: int) -> tuple[Hashes, Hashes]:
    """Returns the hashes of a table's rows, of `arity` columns and `diff`, and their diffs."""
    columns = [table.column(at).combine_chunks() for at in range(arity)]
    flat = [pa.concat_arrays(each.chunks) if isinstance(each, pa.ChunkedArray) else each for each in columns]
    return row_hash(flat, table.num_rows), table.column(DIFF_COLUMN).to_numpy()
