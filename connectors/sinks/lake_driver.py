"""The base of drivers of lake tables: a transaction's documents are collected in a file, then written by one commit of
the table.

The commit holds the frontier, and fails where another session has committed since this one opened. A transaction
without documents makes no commit: the recovery log then holds the new frontier, with the one that the table has.
"""

from __future__ import annotations

import shutil
import tempfile
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from connectors.sinks.documents import duplicate_key
from connectors.sinks.fences import not_as_expected
from connectors.sinks.lake_columns import documents_of, lake_schema, lake_table
from connectors.sinks.messages import DELETED, EXISTS, DriverState, Open
from connectors.sinks.table_driver import TableDriver
from model.physical.columns import column_name
from model.time.timestamp import Timestamp

GONE = "headwater_gone"
"""A column beside the table's own, of what is merged into it: whether the row is to go."""
_AT = "at"
_IN_MEMORY: Mapping[pa.DataType, pa.DataType] = {
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.binary_view(): pa.binary(),
}
"""Of types that a table doesn't tell apart, the one that is written."""


class _Spool:
    """A file with a transaction's documents. `changed` counts the documents of rows that the table already has."""

    def __init__(self, directory: Path, schema: pa.Schema) -> None:
        self.changed = 0
        self._path = directory / "documents.arrow"
        self._file = self._path.open("wb")
        self._writer = pa.ipc.new_stream(self._file, schema)

    def add(self, table: pa.Table) -> None:
        self._writer.write_table(table)

    def reader(self) -> pa.RecordBatchReader:
        """Returns a reader of all documents added."""
        self.close()
        return pa.ipc.open_stream(pa.memory_map(str(self._path)))

    def close(self) -> None:
        """Closes the file: no document is added any more. Idempotent."""
        if not self._file.closed:
            self._writer.close()
            self._file.close()


class LakeDriver(TableDriver):
    """The base of drivers of lake tables. `at` is the frontier that the table holds."""

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self._within = directory
        self._directory: Path | None = None
        self._spool: _Spool | None = None
        self.at = Timestamp(0)

    def abort(self) -> None:
        """Does nothing: every operation of the libraries ends by itself."""

    def close(self) -> None:
        if self._spool is not None:
            self._spool.close()
            self._spool = None
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None

    def open(self, request: Open) -> None:
        self.at = self.take_over(request)
        position = Timestamp(0) if request.anew else self.at
        if position > 0 and position == request.state.get(_AT):
            # Since then there was nothing to be written.
            position = max(position, request.frontier)
        self.own = replace(self.own, frontier=position)

    def store(self, documents: pa.Table) -> None:
        sink = self.written
        if self._directory is None:
            self._directory = Path(tempfile.mkdtemp(prefix="sink-", dir=self._within))
        schema = lake_schema(sink)
        if sink.key is not None:
            schema = schema.append(pa.field(GONE, pa.bool_()))
        if self._spool is None:
            self._spool = _Spool(self._directory, schema)
        table = lake_table(documents, sink)
        if sink.key is None:
            self._spool.add(table)
            return
        gone, exists = documents.column(DELETED), documents.column(EXISTS)
        if self.replaces:
            kept = pc.invert(gone)
            self._spool.add(table.append_column(GONE, gone).filter(kept))
            return
        if sink.enforced:
            self._require_new(documents.filter(pc.invert(exists)))
        self._spool.changed += pc.sum(exists).as_py() or 0
        self._spool.add(table.append_column(GONE, gone))

    def _require_new(self, documents: pa.Table) -> None:
        """Raises 23505 where the table already has one of the documents' keys."""
        if documents.num_rows:
            sink = self.written
            names = [column_name(place) for place in sink.key or ()]
            found = self.load(documents.select(names).rename_columns([column_name(at) for at in range(len(names))]))
            if found.num_rows:
                raise duplicate_key(found, sink)

    def load(self, keys: pa.Table) -> pa.Table:
        sink = self.written
        desc = sink.documents
        of_key = replace(
            sink,
            columns=tuple(sink.columns[place] for place in sink.key or ()),
            names=tuple(sink.names[place] for place in sink.key or ()),
        )
        wanted = lake_table(keys, replace(of_key, key=()))
        found = self.rows_of(wanted)
        return documents_of(found.join(wanted, wanted.column_names, join_type="left semi"), desc)

    def commit(self, frontier: Timestamp) -> DriverState:
        spool, self._spool = self._spool, None
        if spool is None and not self.replaces:
            return {_AT: self.at}
        if spool is None:
            self.overwrite(lake_schema(self.written).empty_table().to_reader(), frontier)
        elif self.replaces:
            names = lake_schema(self.written).names
            self.overwrite(_columns(spool.reader(), names), frontier)
        elif spool.changed:
            self.merge(spool.reader(), frontier)
        else:
            names = lake_schema(self.written).names
            self.append(_columns(spool.reader(), names), frontier)
        self.at = frontier
        return {_AT: frontier}

    @property
    def key_names(self) -> list[str]:
        """Returns the names of the key's columns."""
        return [self.written.names[place] for place in self.written.key or ()]

    @abstractmethod
    def take_over(self, request: Open) -> Timestamp:
        """Opens the table, or creates it, fences other sessions off, and returns the table's frontier."""

    @abstractmethod
    def rows_of(self, keys: pa.Table) -> pa.Table:
        """Returns rows of the table that include all those with these keys."""

    @abstractmethod
    def overwrite(self, rows: pa.RecordBatchReader, frontier: Timestamp) -> None:
        """Commits rows in place of all rows of the table."""

    @abstractmethod
    def append(self, rows: pa.RecordBatchReader, frontier: Timestamp) -> None:
        """Commits more rows."""

    @abstractmethod
    def merge(self, rows: pa.RecordBatchReader, frontier: Timestamp) -> None:
        """Commits rows in place of those with the same keys; rows marked GONE are deleted."""


def _columns(reader: pa.RecordBatchReader, names: list[str]) -> pa.RecordBatchReader:
    """Returns a reader of the named columns only."""
    schema = pa.schema([reader.schema.field(name) for name in names])
    return pa.RecordBatchReader.from_batches(schema, (batch.select(names) for batch in reader))


def require_lake_columns(shown: str, wanted: pa.Schema, there: pa.Schema) -> None:
    """Raises 42804 where a column is missing in an existing table, or has another type: other types would round
    values, or fail at the first value that doesn't fit."""
    for field in wanted:
        at = there.get_field_index(field.name)
        if at < 0:
            raise not_as_expected(shown, f'there is no column "{field.name}"')
        found = _IN_MEMORY.get(there.field(at).type, there.field(at).type)
        if found != field.type:
            hint = "A sink writes to a table with columns of its own types, or makes it."
            raise not_as_expected(shown, f'column "{field.name}" is {found}, and not {field.type}', hint=hint)
