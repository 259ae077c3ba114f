"""An index: an object's updates, arranged by its key; rows are read as of a time without Spark."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.arrangement.search import Found
from compute.arrangement.stores import BatchPlace
from compute.executors.task_done import ExportDone
from compute.protocol.dataflow import IndexExport
from compute.replica.contents.shard_contents import expand
from compute.replica.dataflows.exports.index_key import PLACE_COLUMN, key_type, keyed, probes
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_type, column_name
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.updates.consolidate import consolidate
from planner.ir.relation import Get, Map, Relation
from planner.ir.scalar import Column, scalar_type

_NO_PARTS = 2
"""The columns of probes that are no parts of the key."""


def arranged_relation(export: IndexExport, desc: RelationDesc) -> Relation:
    """Returns the relation to compute for the index: the object's columns, then the parts of the key that are no
    columns."""
    computed = tuple(scalar for scalar in export.key if not isinstance(scalar, Column))
    rows = Get(export.on, desc)
    return Map(rows, computed, tuple(f"key{i}" for i in range(len(computed)))) if computed else rows


class MaintainedIndex:
    """An index that a dataflow maintains and lookups read. `desc` is the object's. Rows come and go as tables of `c0`…,
    those of `arranged_relation` on the way in."""

    def __init__(self, export: IndexExport, desc: RelationDesc) -> None:
        self.types = desc.types
        self._names = [column_name(i) for i in range(desc.arity)]
        self._key_types = tuple(scalar_type(scalar) for scalar in export.key)
        self._key_columns = tuple(_key_columns(export, desc))
        self.layout = Layout(tuple(map(key_type, self._key_types)), tuple(map(arrow_type, desc.types)))

    @property
    def key_columns(self) -> tuple[int, ...]:
        """Returns the object's columns that are parts of the key, up to the first part that is no column."""
        arity = len(self._names)
        return tuple(itertools.takewhile(lambda column: column < arity, self._key_columns))

    def keyed(self, updates: pa.Table) -> pa.Table:
        """Returns updates (the relation's columns, time, diff) in the index's layout."""
        keys = [updates.column(column_name(index)).combine_chunks() for index in self._key_columns]
        names = [*self._names, TIME_COLUMN, DIFF_COLUMN]
        columns = [*keyed(keys, self._key_types, updates.num_rows), *(updates.column(name) for name in names)]
        return pa.table(columns, schema=self.layout.schema)

    def probes(self, keys: Sequence[Row]) -> pa.Table:
        """Returns the probes for rows of key datums; PLACE_COLUMN has each probe's place in `keys`."""
        return probes(keys, self._key_types)

    def lookup(self, arrangement: Arrangement, probes: pa.Table, as_of: Timestamp) -> pa.Table:
        """Returns the rows with the keys, or with keys that begin so, at `as_of`: c0…, PLACE_COLUMN of the key,
        diff."""
        if self._whole(probes):
            return self._rows_of(arrangement.lookup(probes, provisional=False), probes, as_of)
        return self._rows_of(arrangement.lookup_prefixes(probes, probes.num_columns - _NO_PARTS), probes, as_of)

    def lookup_few(
        self, arrangement: Arrangement, probes: pa.Table, as_of: Timestamp, rows_max: int
    ) -> pa.Table | None:
        """Looks up like `lookup`; None for incomplete keys, and for more than `rows_max` updates."""
        found = arrangement.lookup_few(probes, rows_max) if self._whole(probes) else None
        return None if found is None else self._rows_of(found, probes, as_of)

    def _rows_of(self, found: Found, probes: pa.Table, as_of: Timestamp) -> pa.Table:
        places = probes.column(PLACE_COLUMN).to_numpy()[found.probe]
        columns = [*(found.rows.column(name) for name in self._names), pa.array(places), found.rows.column(DIFF_COLUMN)]
        rows = pa.table(columns, names=[*self._names, PLACE_COLUMN, DIFF_COLUMN])
        times = found.rows.column(TIME_COLUMN).to_numpy()
        if (times > as_of).any():
            rows = rows.filter(pa.array(times <= as_of))
        # Mostly there is nothing to add up: rows that are there several times may as well come several times.
        retracted = bool((rows.column(DIFF_COLUMN).to_numpy() < 0).any())
        return _positive(consolidate(rows)) if retracted else rows

    def _whole(self, probes: pa.Table) -> bool:
        """Returns whether the probes are whole keys."""
        return int(probes.num_columns) - _NO_PARTS == len(self._key_types)

    def rows(self, arrangement: Arrangement, as_of: Timestamp) -> Iterator[pa.Table]:
        """Yields all rows at `as_of`, in chunks: c0…, diff."""
        for chunk in arrangement.rows(as_of):
            yield _positive(chunk.select([*self._names, DIFF_COLUMN]))


@dataclass(frozen=True, slots=True)
class IndexRows:
    """An index's rows as tasks write them, to a file in `place`."""

    index: MaintainedIndex
    place: BatchPlace

    @property
    def layout(self) -> Layout:
        """Returns the index's layout."""
        return self.index.layout

    def keyed(self, updates: pa.Table) -> pa.Table:
        """Returns updates in the layout."""
        return self.index.keyed(updates)

    def write(self, rows: Arrangement, attempt: str) -> ExportDone:
        """Writes the rows inserted to a file, none without rows. Raises OSError."""
        with self.place.store(attempt) as store:
            batch = rows.write_changes(store)
        return ExportDone(batch.rows, next(iter(batch.files), None))

    def remove(self, attempt: str, done: ExportDone | None) -> None:
        """Removes the files of an attempt, as far as possible."""
        self.place.remove(attempt)


@dataclass(frozen=True, slots=True)
class IndexContents:
    """An index's rows as tasks read them: each as often as it is there, in the columns of `schema`."""

    index: MaintainedIndex
    schema: pa.Schema

    @property
    def layout(self) -> Layout:
        """Returns the index's layout."""
        return self.index.layout

    def rows(self, added_up: pa.RecordBatch) -> pa.Table:
        """Returns the rows of a chunk. Raises SqlError for a row that is there less often than never."""
        chunk = pa.Table.from_batches([added_up.select([*self.layout.value_names, DIFF_COLUMN])])
        return expand(_positive(chunk)).cast(self.schema)


def _key_columns(export: IndexExport, desc: RelationDesc) -> Iterator[int]:
    computed = desc.arity
    for scalar in export.key:
        if isinstance(scalar, Column):
            yield scalar.index
        else:
            yield computed
            computed += 1


def _positive(rows: pa.Table) -> pa.Table:
    if rows.num_rows and (pc.min(rows.column(DIFF_COLUMN)).as_py() or 0) < 0:
        raise SqlError(Sqlstate.DATA_CORRUPTED, "an index holds a row that was retracted more often than asserted")
    return rows
