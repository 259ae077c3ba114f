"""The rows of a data collection by key: finds the row that a record of the key replaces (ENVELOPE UPSERT).

Equation: the state is the data shard's contents at its upper, arranged by key. It is made from the shard alone: bound
updates are added once durable, and bindings of others are read. The state may lag behind the shard, never lead; no
update is made from a lagging state. Large batches lie in files of a directory, mapped into memory: the state may exceed
memory. It is not kept: the next process reads the shard again.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.arrangement import Arrangement, ArrangementSize
from compute.arrangement.batch_file import BatchDirectory
from compute.arrangement.disk import LocalDisk
from compute.arrangement.equality import flat, ints
from compute.arrangement.layout import HASH_COLUMN, Layout
from compute.arrangement.sorting import consolidated, grouped, hashed
from compute.replica.running.places import Places
from connectors.sources.decode.keyed_rows import NO_KEY, KeyedRows
from connectors.sources.decode.records import are_key_errors
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_schema
from model.time.antichain import Antichain
from model.time.timestamp import step_back
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import consolidate
from storage.persist.row_hash import row_hash
from storage.persist.snapshot import read_piece, snapshot, updates_between
from storage.persist.state import Piece, ShardState

_ADDED_ROWS = 8192
SPILL_BYTES = 16 * 1024 * 1024
"""Batches of more lie in files. Merging doubles for a while what is in memory, so it is less than in dataflows."""


class KeyedState:
    """The state of the collection `desc`, whose first `keys` columns are the key and whose last column is the error."""

    def __init__(self, desc: RelationDesc, keys: int, places: Places) -> None:
        self._desc = desc
        self._keys = keys
        self._places = places
        self._schema = arrow_schema(desc)
        types = list(self._schema.types)
        # The first part of the key tells the key that is NULL from one of NULLs.
        self._layout = Layout((pa.bool_(), *types[:keys]), tuple(types[keys:]))
        self._files: BatchDirectory | None = None
        self._rows: Arrangement | None = None
        self._upper: Antichain | None = None

    # Following the shard

    def follows(self, state: ShardState) -> bool:
        """Returns whether the state equals the shard's contents."""
        return self._upper == state.write_frontier

    async def follow(self, state: ShardState) -> None:
        """Brings the state up to the shard's contents. Raises SqlError when they can't be read."""
        upper = state.write_frontier
        pieces, lower = self._missing(state)
        self._upper = None
        if lower is None:
            await self._places.runner.run(self._begin)
        for piece in pieces:
            updates = await read_piece(piece, state.desc, state.shard, self._places.blob, self._places.runner)
            if lower is not None:
                updates = updates.filter(pc.greater_equal(updates.column(TIME_COLUMN), lower))
            await self._places.work(updates.num_rows, partial(self._add, updates))
        self._upper = upper

    def _missing(self, state: ShardState) -> tuple[Sequence[Piece], int | None]:
        """Returns the pieces with missing updates, and the time from which they are missing; None for all times."""
        upper = state.write_frontier.time
        assert upper is not None, "the shard of a source that is ingested is not complete"
        known = None if self._upper is None else self._upper.time
        if known is not None and known < upper and state.since.less_equal(step_back(known)):
            changes = updates_between(state, known, upper)
            return (*changes.parts, *changes.inline), known
        if not state.since.less_equal(step_back(upper)):
            return (), None  # nothing is bound yet
        whole = snapshot(state, step_back(upper))
        return (*whole.parts, *whole.inline), None

    def _begin(self) -> None:
        """Begins with an empty state."""
        self.close()
        directory = Path(tempfile.mkdtemp(dir=self._places.directory, prefix="keyed-"))
        self._files = BatchDirectory(directory, LocalDisk(), self._places.randomness.token())
        self._rows = Arrangement(self._layout, self._files, spill_bytes=SPILL_BYTES)

    def close(self) -> None:
        """Removes the files."""
        self._rows = self._upper = None
        if self._files is not None:
            shutil.rmtree(self._files.path, ignore_errors=True)
            self._files = None

    async def begin_empty(self) -> None:
        """Makes the state of a collection without rows; `bound` adds rows."""
        await self._places.runner.run(self._begin)
        self._upper = Antichain.at(0)

    # Updates

    async def updates(self, told: KeyedRows) -> pa.Table:
        """Returns the updates of the collection: rows (c0, …) and `diff`. The state stays unchanged."""
        return await self._places.work(told.rows.num_rows, partial(self._updates, told))

    async def bound(self, tables: Sequence[pa.Table], lower: Antichain, upper: Antichain) -> None:
        """Adds durable updates, made when the shard was complete up to `lower`; the shard is now complete up to
        `upper`."""
        assert self._upper == lower, "it follows the shard"
        self._upper = None
        for updates in tables:
            await self._places.work(updates.num_rows, partial(self._add, updates))
        self._upper = upper

    @property
    def size(self) -> ArrangementSize:
        assert self._rows is not None, "it follows the shard"
        return self._rows.size

    def _updates(self, told: KeyedRows) -> pa.Table:
        assert self._upper is not None, "it follows the shard"
        keys = self._keys_of(told.rows)
        last = _last_of_each(keys)
        present = told.present.take(last)
        rows = told.rows.take(last).filter(present)
        pieces = [self._retracted(keys.take(last)), _counted(rows, 1), _counted(told.lasting, 1)]
        return consolidate(pa.concat_tables(pieces))

    def _retracted(self, keys: pa.Table) -> pa.Table:
        """Returns the rows of the keys, as retractions."""
        assert self._rows is not None, "it follows the shard"
        found = self._rows.lookup(keys, provisional=False).rows
        if found.num_rows == 0:
            return _counted(self._schema.empty_table(), -1)
        live = consolidated([hashed(found, self._layout)], self._layout, None, sorted_pieces=False)
        if live.num_rows > keys.num_rows or not (ints(live.column(DIFF_COLUMN)) == 1).all():
            raise SqlError(Sqlstate.DATA_CORRUPTED, "the source's collection has several rows of one key")
        columns = [live.column(name) for name in (*self._layout.key_names[1:], *self._layout.value_names)]
        return _counted(pa.table(columns, schema=self._schema), -1)

    def _keys_of(self, rows: pa.Table) -> pa.Table:
        """Returns the columns h, k0, … of keys."""
        keyless = pc.fill_null(pc.equal(rows.column(rows.num_columns - 1), NO_KEY), False)
        keys = [flat(keyless), *(flat(rows.column(at)) for at in range(self._keys))]
        return pa.table([pa.array(row_hash(keys, rows.num_rows)), *keys], [HASH_COLUMN, *self._layout.key_names])

    def _add(self, updates: pa.Table) -> None:
        """Adds durable updates (c0, …, diff), few at once, because merges go on in proportion."""
        assert self._rows is not None, "it has begun"
        assert self._files is not None, "it has begun"
        for begin in range(0, updates.num_rows, _ADDED_ROWS):
            self._rows.insert(self._keyed(updates.slice(begin, _ADDED_ROWS)))
            self._rows.seal()
        if self._rows.size.bytes > SPILL_BYTES:
            self._files.remove_garbage(())
        if updates.num_rows > _ADDED_ROWS:
            # Arrow's allocator keeps what work on many rows has had: as much again as all the state, and more.
            pa.default_memory_pool().release_unused()

    def _keyed(self, updates: pa.Table) -> pa.Table:
        """Returns the updates of keys in the arrangement's layout."""
        lasting = are_key_errors(updates.column(self._schema.names[-1]))
        if pc.any(lasting).as_py():
            updates = updates.filter(pc.invert(lasting))
        rows = updates.select(self._schema.names)
        keys = self._keys_of(rows)
        columns = [*keys.columns, *rows.columns[self._keys :], _zeros(rows.num_rows), updates.column(DIFF_COLUMN)]
        return pa.table(columns, schema=self._layout.schema)


def _last_of_each(keys: pa.Table) -> pa.Array:
    """Returns the position of the last row of each key."""
    columns = [flat(column) for column in keys.columns]
    order, starts = grouped((ints(columns[0]),), columns[1:], sorted_pieces=True)
    ends = np.append(starts[1:], len(order)) - 1 if len(order) else starts
    return pa.array(order[ends])


def _counted(rows: pa.Table, diff: int) -> pa.Table:
    return rows.append_column(DIFF_COLUMN, pa.array(np.full(rows.num_rows, diff, np.int64)))


def _zeros(count: int) -> pa.Array:
    return pa.array(np.zeros(count, np.int64))
