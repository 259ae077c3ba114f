"""Writes a table of Apache Iceberg in a directory of the server, with a SQLite file in the directory as catalog.

Each transaction is one snapshot of the table, whose summary holds the frontier, and one commit of the catalog, which
fails where the table is not as this session left it. A session begins with an empty snapshot; earlier sessions then
find the table changed, and fail.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError, ResolveError, ValidationException
from pyiceberg.expressions import AlwaysTrue, And, BooleanExpression, GreaterThanOrEqual, In, LessThanOrEqual, Reference
from pyiceberg.expressions.literals import literal
from pyiceberg.io.pyarrow import ArrowScan, schema_to_pyarrow, write_file
from pyiceberg.manifest import DataFile
from pyiceberg.schema import Schema
from pyiceberg.table import FileScanTask, Table, WriteTask
from pyiceberg.table.snapshots import ancestors_of
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from connectors.iceberg.commits import FencedTransaction, MergingOverwrite
from connectors.iceberg.table import IcebergPlace
from connectors.sinks.fences import another_sinks, fenced_off, not_as_expected, not_empty
from connectors.sinks.lake_columns import lake_schema
from connectors.sinks.lake_driver import GONE, LakeDriver, require_lake_columns
from connectors.sinks.messages import Open
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import SystemRandomness
from model.time.timestamp import Timestamp

CATALOG, CATALOG_FILE = "headwater", "catalog.db"
"""What readers of the directory call its catalog, and where it is."""

FRONTIER = "headwater.frontier"
"""Of a snapshot's summary, and of the table: all updates at times before it are there."""

_OWNER = "headwater.sink"
_FILE_BYTES = 64 << 20
"""Of a data file, before it is encoded: one is in memory at a time."""

_MADE_WITH = {
    "format-version": "2",
    "write.target-file-size-bytes": str(_FILE_BYTES),
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "20",
    "commit.manifest-merge.enabled": "true",
}
_NAMED_MOST = 200
"""Beyond so many keys files are chosen by the range of these."""


class IcebergDriver(LakeDriver):
    """A session with one table of Iceberg."""

    failures = (
        SQLAlchemyError,
        OSError,
        ValueError,
        pa.ArrowException,
        CommitFailedException,
        NoSuchTableError,
        ResolveError,
        ValidationException,
    )

    def __init__(self, place: IcebergPlace, directory: Path) -> None:
        super().__init__(directory)
        self._place = place
        self._catalog: SqlCatalog | None = None
        self._opened: Table | None = None
        self._name = ""

    @property
    def _table(self) -> Table:
        assert self._opened is not None, "it is open"
        return self._opened

    def close(self) -> None:
        super().close()
        if self._catalog is not None:
            self._catalog.close()
            self._catalog = None

    def take_over(self, request: Open) -> Timestamp:
        self._name = request.sink.name
        self._catalog = catalog = _catalog_in(Path(self._place.path).absolute())
        schema = lake_schema(request.sink)
        namespace, name = self._place.table
        catalog.create_namespace_if_not_exists(namespace)
        try:
            self._opened = table = catalog.load_table((namespace, name))
        except NoSuchTableError:
            # Another session may make it at this moment.
            told = {**_MADE_WITH, _OWNER: self._name}
            self._opened = table = catalog.create_table_if_not_exists((namespace, name), schema, properties=told)
        self._require_ours(schema)
        at = _frontier_of(table)
        first = at == 0 and request.frontier == 0 and not request.anew
        if (first or _OWNER not in table.properties) and table.scan().count():
            raise not_empty(self._shown)
        self._commit((), (), at)
        return at

    @property
    def _shown(self) -> str:
        return ".".join(self._place.table)

    def _require_ours(self, schema: pa.Schema) -> None:
        table = self._table
        owner = table.properties.get(_OWNER, self._name)
        if owner != self._name:
            raise another_sinks(self._shown, owner)
        require_lake_columns(self._shown, schema, table.schema().as_arrow())
        if not table.spec().is_unpartitioned():
            raise not_as_expected(self._shown, "it is partitioned")

    def rows_of(self, keys: pa.Table) -> pa.Table:
        schema = lake_schema(self.written)
        found = [schema.empty_table()]
        for task in self._table.scan(_may_hold(keys)).plan_files():
            rows = self._rows(task, schema)
            found.append(rows.take(_matching(rows, keys, "left semi")))
        return pa.concat_tables(found)

    def overwrite(self, rows: pa.RecordBatchReader, frontier: Timestamp) -> None:
        replaced = [task.file for task in self._table.scan().plan_files()]
        self._commit(self._files(rows), replaced, frontier)

    def append(self, rows: pa.RecordBatchReader, frontier: Timestamp) -> None:
        self._commit(self._files(rows), (), frontier)

    def merge(self, rows: pa.RecordBatchReader, frontier: Timestamp) -> None:
        """Rewrites the data files that contain these keys, without the keys' old rows, and adds the new rows, in one
        commit."""
        key, columns = self.key_names, lake_schema(self.written).names
        keys: list[pa.RecordBatch] = []
        replaced: list[DataFile] = []

        def written() -> Iterator[pa.RecordBatch]:
            for batch in rows:
                keys.append(batch.select(key))
                yield batch.filter(pc.invert(batch.column(GONE))).select(columns)
            yield from self._left(pa.Table.from_batches(keys), replaced)

        added = self._files(written())
        self._commit(added, replaced, frontier)

    def _left(self, keys: pa.Table, replaced: list[DataFile]) -> Iterator[pa.RecordBatch]:
        """Yields the rows that stay of the files that contain these keys; the files are added to `replaced`."""
        whole = schema_to_pyarrow(self._table.schema(), include_field_ids=False)
        for task in self._table.scan(_may_hold(keys)).plan_files():
            known = self._rows(task, keys.schema)
            staying = _matching(known, keys, "left anti")
            if len(staying) < known.num_rows:
                replaced.append(task.file)
                yield from self._rows(task, whole).take(staying).to_batches()

    def _rows(self, task: FileScanTask, schema: pa.Schema) -> pa.Table:
        """Returns the columns of a schema, of all rows of a file, in their order."""
        table = self._table
        projected = table.schema().select(*schema.names)
        rows = ArrowScan(table.metadata, table.io, projected, AlwaysTrue()).to_table([task])
        return rows.select(schema.names).cast(schema)

    def _files(self, batches: Iterable[pa.RecordBatch]) -> list[DataFile]:
        """Writes rows to data files, which no snapshot names yet."""
        table, write = self._table, uuid.UUID(SystemRandomness().token())
        schema = table.schema()
        files: list[DataFile] = []
        for number, part in zip(count(), _parts(batches, schema), strict=False):
            task = WriteTask(write, number, schema, part)
            files += write_file(table.io, table.metadata, iter((task,)))
        return files

    def _commit(self, added: Iterable[DataFile], replaced: Iterable[DataFile], frontier: Timestamp) -> None:
        """Commits one snapshot, with the frontier in its summary and in the table's properties (for the time when
        snapshots have expired)."""
        told = {FRONTIER: str(int(frontier))}
        transaction = FencedTransaction(self._table)
        added, replaced = tuple(added), tuple(replaced)
        changes = transaction.update_snapshot(told)
        producer = MergingOverwrite(transaction, self._table.io, told) if replaced else changes.merge_append()
        for file in added:
            producer.append_data_file(file)
        for file in replaced:
            producer.delete_data_file(file)
        producer.commit()
        transaction.set_properties({**told, _OWNER: self._name})
        try:
            transaction.commit_transaction()
        except CommitFailedException:
            for file in added:
                self._table.io.delete(file.file_path)
            raise

    def failed(self, error: Exception) -> SqlError:
        if isinstance(error, CommitFailedException):
            return fenced_off()
        said = " ".join(str(error).split())
        return SqlError(Sqlstate.CONNECTION_FAILURE, f'Iceberg table "{self._shown}": {said}')


def _catalog_in(directory: Path) -> SqlCatalog:
    directory.mkdir(parents=True, exist_ok=True)
    file = URL.create("sqlite", database=str(directory / CATALOG_FILE))
    uri = file.render_as_string(hide_password=False)
    return SqlCatalog(CATALOG, uri=uri, warehouse=f"file://{directory}")


def _frontier_of(table: Table) -> Timestamp:
    """Returns the frontier of the newest snapshot, or of its newest ancestor that has one: other programs may have
    rewritten files since. The table's property is used when no snapshot of the sink is left."""
    current = table.current_snapshot()
    if current is None:
        return Timestamp(0)
    for snapshot in ancestors_of(current, table.metadata):
        if snapshot.summary is not None and FRONTIER in snapshot.summary.additional_properties:
            return Timestamp(int(snapshot.summary.additional_properties[FRONTIER]))
    return Timestamp(int(table.properties.get(FRONTIER, 0)))


def _may_hold(keys: pa.Table) -> BooleanExpression:
    """Returns a condition that every file containing these keys satisfies, on the first column of the key: its
    values, or their range."""
    column, values = Reference(keys.column_names[0]), pc.unique(keys.column(0).combine_chunks())
    if not len(values) or not (pa.types.is_integer(values.type) or pa.types.is_string(values.type)):
        return AlwaysTrue()
    if len(values) <= _NAMED_MOST:
        return In(term=column, values=set(map(literal, values.to_pylist())))
    ends = pc.min_max(values).as_py()
    least, most = literal(ends["min"]), literal(ends["max"])
    return And(GreaterThanOrEqual(term=column, value=least), LessThanOrEqual(term=column, value=most))


def _matching(rows: pa.Table, keys: pa.Table, join: str) -> pa.ChunkedArray:
    """Returns the places of the rows whose key is among the given keys ("left semi"), or is not ("left anti")."""
    at = "headwater_at"
    known = rows.select(keys.column_names).append_column(at, pa.array(range(rows.num_rows), pa.int64()))
    found = known.join(keys, keys.column_names, join_type=join).sort_by(at).column(at)
    return found


def _parts(batches: Iterable[pa.RecordBatch], schema: Schema) -> Iterator[list[pa.RecordBatch]]:
    """Splits rows into parts of a data file's size, with all of the table's columns: columns that other programs
    have added are NULL."""
    wanted = schema_to_pyarrow(schema, include_field_ids=False)
    part: list[pa.RecordBatch] = []
    for batch in batches:
        if not batch.num_rows:
            continue
        names = batch.schema.names
        columns = [
            batch.column(field.name).cast(field.type) if field.name in names else pa.nulls(batch.num_rows, field.type)
            for field in wanted
        ]
        part.append(pa.RecordBatch.from_arrays(columns, schema=wanted))
        if sum(each.nbytes for each in part) >= _FILE_BYTES:
            yield part
            part = []
    if part:
        yield part
