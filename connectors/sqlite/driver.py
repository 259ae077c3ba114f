"""Writes tables of a SQLite database. Rows and checkpoints commit together, so the destination holds the frontier.

A type that SQLite lacks becomes text in PostgreSQL's form: a numeric stays exact, and timestamps sort correctly.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from connectors.sinks.description import SinkDescription
from connectors.sinks.documents import duplicate_key
from connectors.sinks.fences import (
    CHECKPOINTS,
    PARTS,
    SplitCheckpoint,
    another_sinks,
    fenced_off,
    not_as_expected,
    not_empty,
    opened_at,
)
from connectors.sinks.messages import (
    DELETED,
    EXISTS,
    KeyRange,
    Open,
)
from connectors.sinks.plain_columns import CHANGE_COLUMNS, written_text
from connectors.sinks.table_driver import TableDriver
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import SqliteTable
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_from_arrow, column_name, rows_to_arrow
from model.physical.shown_numerics import shown_name
from model.text.dispatch import formatter, parser
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import INT8, ScalarType, TypeName

_BUSY_S = 10.0
_INTEGERS = frozenset(
    (
        TypeName.BOOL,
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.UINT2,
        TypeName.UINT4,
        TypeName.OID,
    )
)
_FLOATS = frozenset((TypeName.FLOAT4, TypeName.FLOAT8))
_NO_NUMBERS = frozenset(
    (TypeName.BYTEA, TypeName.DATE, TypeName.TIME, TypeName.TIMETZ, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ)
)
"""Types of whose values none looks like a number to SQLite."""
_AFFINITIES = (
    ("INTEGER", ("INT",)),
    ("TEXT", ("CHAR", "CLOB", "TEXT")),
    ("BLOB", ("BLOB",)),
    ("REAL", ("REAL", "FLOA", "DOUB")),
)
"""The first of whose words is in a type's name; else it is NUMERIC, and BLOB of a column without a type."""
_ANY = ("INTEGER", "TEXT", "BLOB", "REAL", "NUMERIC")


class SqliteDriver(TableDriver):
    """A session with one SQLite file."""

    failures = sqlite3.Error

    def __init__(self, place: SqliteTable) -> None:
        super().__init__()
        self._place = place
        self._connected: sqlite3.Connection | None = None

    def abort(self) -> None:
        """Interrupts the statement that is running."""
        if self._connected is not None:
            self._connected.interrupt()

    def close(self) -> None:
        if self._connected is not None:
            self._connected.close()
            self._connected = None

    # Opening

    def open(self, request: Open) -> None:
        self._connected = connection = sqlite3.connect(
            self._place.path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
        )
        sink = request.sink
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {CHECKPOINTS} (sink TEXT, key_begin INTEGER, key_end INTEGER, fence INTEGER,"
            " frontier INTEGER, target TEXT, PRIMARY KEY (sink, key_begin, key_end))"
        )
        rows = connection.execute(
            f"SELECT key_begin, key_end, fence, frontier FROM {CHECKPOINTS} WHERE sink = ?", (sink.name,)
        )
        known = [SplitCheckpoint(KeyRange(begin, end), fence, frontier) for begin, end, fence, frontier in rows]
        self.own = opened_at(request.keys, known)
        if request.anew:
            self.own = replace(self.own, frontier=Timestamp(0))
        self._make_table(sink, begins=request.frontier == 0 and not request.anew)
        parts = PARTS.format(begin=request.keys.begin, end=request.keys.end)
        connection.execute(f"DELETE FROM {CHECKPOINTS} WHERE sink = ? AND {parts}", (sink.name,))
        connection.execute(
            f"UPDATE {CHECKPOINTS} SET fence = ? WHERE sink = ? AND key_end >= ? AND key_begin <= ?",
            (self.own.fence, sink.name, request.keys.begin, request.keys.end),
        )
        connection.execute(
            f"INSERT OR REPLACE INTO {CHECKPOINTS} VALUES (?, ?, ?, ?, ?, ?)",
            (sink.name, request.keys.begin, request.keys.end, self.own.fence, self.own.frontier, self._place.table),
        )
        connection.execute("COMMIT")

    def _make_table(self, sink: SinkDescription, *, begins: bool) -> None:
        """Creates the table; requires an existing one to fit, and to be the sink's own."""
        connection, wanted = self._connection, table_columns(sink)
        table = _quoted(self._place.table)
        there = connection.execute("SELECT name, type FROM pragma_table_info(?)", (self._place.table,)).fetchall()
        if not there:
            columns = [f"{_quoted(name)} {type_}" for name, type_ in wanted]
            if sink.key is not None and sink.enforced:
                names = ", ".join(_quoted(sink.documents.columns[place].name) for place in sink.key)
                columns.append(f"PRIMARY KEY ({names})")
            rowid = " WITHOUT ROWID" if sink.key is not None and sink.enforced else ""
            connection.execute(f"CREATE TABLE {table} ({', '.join(columns)}){rowid}")
            connection.execute(
                f"DELETE FROM {CHECKPOINTS} WHERE target = ? AND sink <> ?", (self._place.table, sink.name)
            )
            self.own = replace(self.own, frontier=Timestamp(0))
            return
        _require_columns(self._place.table, sink, dict(there))
        query = f"SELECT sink FROM {CHECKPOINTS} WHERE target = ? AND sink <> ?"
        other = connection.execute(query, (self._place.table, sink.name)).fetchone()
        if other is not None:
            raise another_sinks(self._place.table, other[0])
        if begins and self.own.frontier == 0 and connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
            raise not_empty(self._place.table)

    # Transactions

    def load(self, keys: pa.Table) -> pa.Table:
        sink, connection = self.written, self._connection
        assert sink.key is not None, "what is loaded has a key"
        desc = sink.documents
        of_key = RelationDesc(tuple(desc.columns[place] for place in sink.key))
        names = [_quoted(column.name) for column in desc.columns]
        found = " AND ".join(f"{names[place]} = ?" for place in sink.key)
        query = f"SELECT {', '.join(names)} FROM {_quoted(self._place.table)} WHERE {found}"
        rows = (connection.execute(query, key).fetchone() for key in zip(*_values(keys, of_key), strict=True))
        columns = zip(*(row for row in rows if row is not None), strict=True)
        read = [[_read(value, type_) for value in column] for column, type_ in zip(columns, desc.types, strict=False)]
        return rows_to_arrow(zip(*read, strict=True), desc)

    def store(self, documents: pa.Table) -> None:
        connection, sink = self._begun(), self.written
        desc, table = sink.documents, _quoted(self._place.table)
        names = [_quoted(name) for name, _ in table_columns(sink)]
        marks = ", ".join("?" * len(names))
        if sink.key is None:
            rows = zip(*_values(documents, desc), *_plain(documents, TIME_COLUMN, DIFF_COLUMN), strict=True)
            connection.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)
            return
        # Keys are compared as texts: of 1.0 and 1.00 there is one.
        documents = documents.drop_columns([shown_name(place) for place in sink.key if place in sink.shown])
        key = [names[place] for place in sink.key]
        found = " AND ".join(f"{name} = ?" for name in key)
        gone = documents.filter(documents.column(EXISTS))
        if not self.replaces:
            of_key = _values(gone, desc, sink.key)
            connection.executemany(f"DELETE FROM {table} WHERE {found}", zip(*of_key, strict=True))
        come = documents.filter(pc.invert(documents.column(DELETED)))
        try:
            insert = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"
            connection.executemany(insert, zip(*_values(come, desc), strict=True))
        except sqlite3.IntegrityError as error:
            raise self._doubled(come, error) from error

    def _doubled(self, come: pa.Table, error: sqlite3.IntegrityError) -> SqlError:
        """Returns the error for the document whose key exists already."""
        sink, connection = self.written, self._connection
        names = [_quoted(name) for name, _ in table_columns(sink)]
        found = " AND ".join(f"{names[place]} = ?" for place in sink.key or ())
        for at, key in enumerate(zip(*_values(come, sink.documents, sink.key or ()), strict=True)):
            query = f"SELECT {', '.join(names)} FROM {_quoted(self._place.table)} WHERE {found}"
            row = connection.execute(query, key).fetchone()
            mine = next(iter(zip(*_values(come.slice(at, 1), sink.documents), strict=True)))
            if row is not None and tuple(row) != mine:
                return duplicate_key(come.slice(at, 1), sink)
        return self.failed(error)

    def commit(self, frontier: Timestamp) -> None:
        connection, sink = self._begun(), self.written
        moved = connection.execute(
            f"UPDATE {CHECKPOINTS} SET frontier = ? WHERE sink = ? AND key_begin = ? AND key_end = ? AND fence = ?",
            (frontier, sink.name, self.own.keys.begin, self.own.keys.end, self.own.fence),
        )
        if moved.rowcount != 1:
            connection.execute("ROLLBACK")
            raise fenced_off()
        connection.execute("COMMIT")

    def failed(self, error: Exception) -> SqlError:
        return SqlError(Sqlstate.CONNECTION_FAILURE, f'SQLite database "{self._place.path}": {error}')

    def _begun(self) -> sqlite3.Connection:
        """Returns the connection with a transaction open. The first transaction that replaces everything deletes all
        rows."""
        connection = self._connection
        if not connection.in_transaction:
            connection.execute("BEGIN IMMEDIATE")
            if self.replaces:
                connection.execute(f"DELETE FROM {_quoted(self._place.table)}")
        return connection

    @property
    def _connection(self) -> sqlite3.Connection:
        assert self._connected is not None, "it is open"
        return self._connected

    @property
    def _written(self) -> SinkDescription:
        assert self._sink is not None, "it is open"
        return self._sink


def table_columns(sink: SinkDescription) -> list[tuple[str, str]]:
    """Returns name and SQLite's type of each column."""
    desc = sink.documents
    columns = [(column.name, _type(column.type)) for column in desc.columns]
    return columns if sink.key is not None else [*columns, *((name, "INTEGER") for name in CHANGE_COLUMNS)]


def _type(type_: ScalarType) -> str:
    if type_.name in _INTEGERS:
        return "INTEGER"
    if type_.name in _FLOATS:
        return "REAL"
    return "BLOB" if type_.name is TypeName.BYTEA else "TEXT"


def _require_columns(table: str, sink: SinkDescription, there: Mapping[str, str]) -> None:
    """Raises 42804 where a column is missing, or an existing column would change a value. SQLite turns a text that
    looks like a number into a number in every column except those of texts and bytes (1.10 becomes 1.1; of 38 digits
    15 remain), and a number into a text in columns of texts."""
    wanted: list[tuple[str, ScalarType]] = [(column.name, column.type) for column in sink.documents.columns]
    for name, type_ in wanted if sink.key is not None else [*wanted, *((name, INT8) for name in CHANGE_COLUMNS)]:
        if name not in there:
            raise not_as_expected(table, f'there is no column "{name}"')
        affinity = _affinity(there[name])
        if affinity not in _kept_by(type_):
            why = f'column "{name}" of type {there[name]} does not keep what a column of {_type(type_)} does'
            raise not_as_expected(table, why)


def _affinity(declared: str) -> str:
    """Returns the affinity of a declared type, by SQLite's rules."""
    said = declared.upper()
    for affinity, words in _AFFINITIES:
        if any(word in said for word in words):
            return affinity
    return "NUMERIC" if said else "BLOB"


def _kept_by(type_: ScalarType) -> tuple[str, ...]:
    """Returns the affinities that keep every value of a type unchanged."""
    if type_.name in _INTEGERS:
        return ("INTEGER", "NUMERIC", "BLOB")
    if type_.name in _FLOATS:
        return ("REAL", "NUMERIC", "BLOB")
    return _ANY if type_.name in _NO_NUMBERS else ("TEXT", "BLOB")


def _values(documents: pa.Table, desc: RelationDesc, places: Sequence[int] | None = None) -> list[list[Any]]:
    """Returns columns as values that SQLite stores."""
    chosen = range(desc.arity) if places is None else places
    return [_column(documents, at, desc.types[at]) for at in chosen]


def _column(documents: pa.Table, at: int, type_: ScalarType) -> list[Any]:
    if type_.name is TypeName.NUMERIC:
        return [*written_text(documents, at, type_).to_pylist()]
    values = column_from_arrow(documents.column(column_name(at)), type_)
    if type_.name in _INTEGERS or type_.name is TypeName.BYTEA:
        return values
    shown: Callable[[Any], Any] = _float if type_.name in _FLOATS else formatter(type_)
    return [None if value is None else shown(value) for value in values]


def _float(value: float) -> float | str:
    """Returns NaN as text, because SQLite would store NULL for it."""
    return "NaN" if value != value else value


def _read(value: Any, type_: ScalarType) -> Any:
    """Returns the inverse of `_column`."""
    if value is None or type_.name in _INTEGERS or type_.name is TypeName.BYTEA:
        return bool(value) if type_.name is TypeName.BOOL and value is not None else value
    return float(value) if type_.name in _FLOATS else parser(type_)(value)


def _plain(documents: pa.Table, *names: str) -> list[list[Any]]:
    return [documents.column(name).to_pylist() for name in names]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
