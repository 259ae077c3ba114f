"""Answers from an index: its rows as of a time, looked up or all, in the order and number that are asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from compute.neighbours.nearest import nearest_rows, of_blocks, of_rows
from compute.protocol.command import Nearest, PeekIndex
from compute.replica.dataflows.exports.index_sink import IndexReplaced, IndexSink
from compute.replica.peeks.finishing import bounded, by_key, finish, finish_numbered, narrowed
from compute.replica.tasks.dataflows import Dataflows
from compute.scalars.failure import decode_error
from compute.spark.spool import Spool
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp

_AT_ONCE_ROWS_MAX = 4096


async def fill_from_index(peek: PeekIndex, dataflows: Dataflows, spool: Spool) -> None:
    """Waits until the index is complete at the peek's time, and puts the answer into the spool. Raises SqlError."""
    index = await complete_index(peek.index, peek.as_of, dataflows)
    if peek.nearest is not None:
        nearest, updates = peek.nearest, None if peek.keys is None else await index.lookup(peek.keys, peek.as_of)
        await dataflows.places.runner.run(lambda: _fill_nearest(spool, updates, peek, nearest, index, dataflows))
    elif peek.keys is None:
        await dataflows.places.runner.run(lambda: _fill(spool, rows_by_key(index, peek.as_of), peek, index))
    else:
        rows = await index.lookup(peek.keys, peek.as_of)
        if rows.num_rows <= _AT_ONCE_ROWS_MAX:
            _fill(spool, iter([rows]), peek, index)
        else:
            await dataflows.places.runner.run(lambda: _fill(spool, iter([rows]), peek, index))
    spool.finish()


def rows_by_key(index: IndexSink, as_of: Timestamp) -> Iterator[pa.Table]:
    """Yields all rows of an index at `as_of`, in chunks; few of them in the order of the key."""
    return by_key(index.all_rows(as_of), index.types, index.key_columns)


async def complete_index(id_: GlobalId, as_of: Timestamp, dataflows: Dataflows) -> IndexSink:
    """Returns the index once complete at `as_of`. SqlError: the least error live then, or a missing index."""
    while True:
        index = await dataflows.index(id_)
        try:
            await index.wait(as_of)
        except IndexReplaced:
            continue
        error = index.least_error(as_of)
        if error is not None:
            raise decode_error(error)
        return index


def _fill_nearest(
    spool: Spool, found: pa.Table | None, peek: PeekIndex, nearest: Nearest, index: IndexSink, dataflows: Dataflows
) -> None:
    """Puts the nearest of the rows `found` into the spool, or of all rows of the index. Raises SqlError."""
    if found is None:
        pieces = of_blocks(index.blocks(), nearest, peek.as_of, dataflows.matrices)
    else:
        pieces = of_rows(found, nearest)
    for rows in nearest_rows(list(pieces), nearest, index.types):
        _append(spool, finish(rows, index.types, peek.finishing))


def _fill(spool: Spool, chunks: Iterator[pa.Table], peek: PeekIndex, index: IndexSink) -> None:
    finishing = peek.finishing
    if peek.numbered:
        for chunk in chunks:
            _append(spool, finish_numbered(chunk, finishing))
        return
    if not finishing.order and not bounded(finishing):
        for chunk in chunks:
            _append(spool, finish(chunk, index.types, finishing))
        return
    held: list[pa.Table] = []
    for chunk in chunks:
        held.append(chunk)
        if bounded(finishing):
            held = [narrowed(pa.concat_tables(held), index.types, finishing)]
    if held:
        _append(spool, finish(pa.concat_tables(held), index.types, finishing))


def _append(spool: Spool, rows: pa.Table) -> None:
    for batch in rows.combine_chunks().to_batches():
        if batch.num_rows:
            spool.append(batch)
