"""Writes tables of a MySQL or MariaDB server. Rows and checkpoints commit together, so the destination holds the
frontier.

In MySQL a DDL statement commits. So tables are created while the session opens, under a named lock of the server,
before any transaction. Documents that replace others are found by a temporary table of their keys, deleted and inserted
again: a key that is not unique is then an error, and never overwrites another row.

Sessions of several ranges of keys write one table in parallel. So rows are found by the primary key only, which locks
just these rows, under READ COMMITTED, which does not lock the gaps between them: a session never waits for rows of
another range, whose session might be waiting for it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pymysql
from pymysql.constants import ER

from connectors.mysql.mysql_columns import (
    EXACT_COLLATIONS,
    FoundColumn,
    key_literals,
    key_of_texts,
    literals,
    reader,
    require_columns,
    table_columns,
)
from connectors.mysql.mysql_connections import MysqlConnection, connected, reason_of
from connectors.mysql.settings import DATABASE
from connectors.mysql.table import MysqlTable
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
    overlap,
    transaction_lock,
)
from connectors.sinks.messages import ALL_KEYS, DELETED, EXISTS, KeyRange, Open
from connectors.sinks.table_driver import TableDriver
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import column_name, rows_to_arrow
from model.time.timestamp import Timestamp

_LOCK, _LOCK_S, _LOCK_LENGTH = "headwater_opens", 20, 64
_ABORT_S = 2
_STAGE = "headwater_stage"
_ROWS_AT_ONCE, _BYTES_AT_ONCE = 5_000, 1 << 20
"""A statement is shorter than servers allow, unless a row alone is longer."""
_ENGINE = "InnoDB"
_PRIMARY = "PRIMARY"


class MysqlDriver(TableDriver):
    """A session with one MySQL or MariaDB server."""

    failures = (pymysql.Error, OSError)

    def __init__(self, place: MysqlTable) -> None:
        super().__init__()
        self._place = place
        self._settings: Mapping[str, str] = dict(place.settings)
        self._connected: MysqlConnection | None = None
        self._begun = False
        self._divided = False

    def abort(self) -> None:
        """Ends this session by a KILL from a second session."""
        if self._connected is not None:
            with contextlib.suppress(*self.failures):
                other = connected(self._settings, _ABORT_S)
                with contextlib.closing(other), other.cursor() as cursor:
                    cursor.execute("KILL %s", (self._connected.thread_id(),))

    def close(self) -> None:
        connection, self._connected = self._connected, None
        if connection is not None:
            with contextlib.suppress(*self.failures):
                connection.close()

    def _execute(self, statement: str, *values: object) -> int:
        """Runs a statement and returns the number of rows it found. In a statement with values a percent sign must
        be written twice."""
        assert self._connected is not None, "it is open"
        with self._connected.cursor() as cursor:
            # Without values nothing in the text stands for one.
            return int(cursor.execute(statement, values or None))

    def _query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        assert self._connected is not None, "it is open"
        with self._connected.cursor() as cursor:
            cursor.execute(statement, values or None)
            return [*cursor.fetchall()]

    @property
    def _names(self) -> tuple[str, str]:
        """Returns the names of the database and of the table."""
        table = self._place.table
        return table[-2] if len(table) > 1 else self._settings[DATABASE], table[-1]

    @property
    def _shown(self) -> str:
        return ".".join(self._names)

    @property
    def _table(self) -> str:
        return ".".join(map(_quoted, self._names))

    @property
    def _checkpoints(self) -> str:
        """The checkpoints' table, in the database of the sink's table; quoted for statements with values, where a
        percent sign is doubled."""
        return self._made_checkpoints.replace("%", "%%")

    @property
    def _made_checkpoints(self) -> str:
        """The checkpoints' table, quoted for statements without values."""
        return f"{_quoted(self._names[0])}.{_quoted(CHECKPOINTS)}"

    # Opening

    def examine(self, sink: SinkDescription, secrets: Mapping[str, str], timeout_s: int) -> None:
        """Looks at the table, if it is there, as `open` does, and changes nothing. Raises SqlError, or `failures`."""
        self._settings = {**dict(self._place.settings), **secrets}
        self._connected = connected(self._settings, timeout_s, answer_s=timeout_s)
        self._divided = sink.policy.parallelism > 1
        self._collation(sink)
        if self._columns():
            self._require_table(sink)

    def open(self, request: Open) -> None:
        self._settings = {**dict(self._place.settings), **request.secrets}
        self._connected = connected(self._settings)
        # One session opens at a time: what one finds there no other changes meanwhile.
        if self._query("SELECT GET_LOCK(%s, %s)", _LOCK, _LOCK_S) != [("1",)]:
            message = f'MySQL table "{self._shown}": another session is opening'
            raise SqlError(Sqlstate.CONNECTION_FAILURE, message)
        self._divided = request.sink.policy.parallelism > 1 or request.keys != ALL_KEYS
        if self._divided:
            self._execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
        collation = self._collation(request.sink)
        self._execute(
            f"CREATE TABLE IF NOT EXISTS {self._made_checkpoints} (sink VARCHAR(200), key_begin BIGINT, key_end BIGINT,"
            " fence BIGINT, frontier BIGINT, target VARCHAR(200), PRIMARY KEY (sink, key_begin, key_end))"
            f" ENGINE = {_ENGINE} DEFAULT CHARACTER SET utf8mb4 COLLATE {collation}"
        )
        self._require_transactions(CHECKPOINTS)
        there = bool(self._columns())
        if there:
            self._require_table(request.sink)
        others = self._take_over(request, there=there)
        if not there:
            self._make_table(request.sink, collation)
        self._make_stage(request.sink)
        self._end_others(others)
        self._query("SELECT RELEASE_LOCK(%s)", _LOCK)

    @property
    def _own_lock(self) -> str:
        return self._lock(self.own.keys)

    def _lock(self, keys: KeyRange) -> str:
        return transaction_lock(self.written.name, keys)[:_LOCK_LENGTH]

    def _end_others(self, others: Sequence[KeyRange]) -> None:
        """Ends the sessions that have a transaction open on this split or on those that it takes over from, and
        returns when they have ended."""
        for lock in map(self._lock, (self.own.keys, *others)):
            ((other,),) = self._query("SELECT IS_USED_LOCK(%s)", lock)
            if other is not None:
                with contextlib.suppress(pymysql.Error):
                    self._execute(f"KILL {int(other)}")
                self._query("SELECT GET_LOCK(%s, %s)", lock, _LOCK_S)
                self._query("SELECT RELEASE_LOCK(%s)", lock)

    def _collation(self, sink: SinkDescription) -> str:
        """Returns a collation in which different texts are never equal; raises 0A000 where the server has none and
        the key contains texts."""
        marks = ", ".join(["%s"] * len(EXACT_COLLATIONS))
        query = f"SELECT COLLATION_NAME FROM information_schema.COLLATIONS WHERE COLLATION_NAME IN ({marks})"
        found = self._query(query, *EXACT_COLLATIONS)
        if found:
            return str(found[0][0])
        if key_of_texts(sink):
            message = "texts can't be of the key of a sink into this server"
            detail = f"By none of its collations are only equal texts equal: it lacks {' and '.join(EXACT_COLLATIONS)}."
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=detail)
        return "utf8mb4_bin"

    def _columns(self) -> dict[str, FoundColumn]:
        """Returns the table's columns by lower-case name, none where the table does not exist; MySQL's column names
        don't differ by case alone."""
        rows = self._query(
            "SELECT COLUMN_NAME, DATA_TYPE, COALESCE(NUMERIC_SCALE, DATETIME_PRECISION), COLLATION_NAME"
            " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s",
            *self._names,
        )
        return {
            name.lower(): FoundColumn(name, type_.lower(), None if decimals is None else int(decimals), collation)
            for name, type_, decimals, collation in rows
        }

    def _require_transactions(self, table: str) -> None:
        """Requires a table's engine to support transactions: without, rows and checkpoint would not commit together."""
        query = "SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s"
        ((engine,),) = self._query(query, self._names[0], table)
        if engine != _ENGINE:
            raise not_as_expected(f"{self._names[0]}.{table}", f"its engine is {engine}, and not {_ENGINE}")

    def _require_table(self, sink: SinkDescription) -> None:
        """Requires an existing table to fit the sink."""
        self._require_transactions(self._names[1])
        require_columns(self._shown, sink, self._columns())
        names = sorted(sink.documents.columns[place].name.lower() for place in sink.key or ())
        unique = self._unique_indexes()
        if sink.key is not None and sink.enforced and names not in unique.values():
            raise not_as_expected(self._shown, "its key is not unique there")
        if self._divided and unique != {_PRIMARY: names}:
            why = "ranges of keys would wait for each other where something besides its primary key is unique"
            raise not_as_expected(self._shown, why)

    def _unique_indexes(self) -> dict[str, list[str]]:
        """Returns the columns of each unique index, sorted by name; an empty name stands for an expression or a
        prefix of a column."""
        rows = self._query(
            "SELECT INDEX_NAME, COLUMN_NAME, SUB_PART FROM information_schema.STATISTICS"
            " WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s AND NON_UNIQUE = 0",
            *self._names,
        )
        indexes: dict[str, list[str]] = {}
        for index, column, part in rows:
            indexes.setdefault(index, []).append("" if column is None or part is not None else column.lower())
        return {index: sorted(columns) for index, columns in indexes.items()}

    def _take_over(self, request: Open, *, there: bool) -> tuple[KeyRange, ...]:
        """Raises the fence of a sink, so that drivers of earlier sessions can't write; returns the splits that are
        thereby fenced off. For a table that is about to be created, the checkpoint first says that the table is
        empty."""
        keys, name, target = request.keys, request.sink.name, self._shown
        self._execute("BEGIN")
        # Locked: a session that is about to commit ends first, and is heard.
        query = f"SELECT key_begin, key_end, fence, frontier FROM {self._checkpoints} WHERE sink = %s FOR UPDATE"
        rows = [tuple(map(int, row)) for row in self._query(query, name)]
        known = [
            SplitCheckpoint(KeyRange(begin, end), fence, Timestamp(frontier)) for begin, end, fence, frontier in rows
        ]
        self.own = opened_at(keys, known)
        if request.anew or not there:
            self.own = replace(self.own, frontier=Timestamp(0))
        if there:
            others = f"SELECT sink FROM {self._checkpoints} WHERE target = %s AND sink <> %s"
            for (other,) in self._query(others, target, name):
                raise another_sinks(target, other)
            begins = request.frontier == 0 and not request.anew and self.own.frontier == 0
            if begins and self._query(f"SELECT 1 FROM {self._table} LIMIT 1"):
                raise not_empty(target)
        else:
            self._execute(f"DELETE FROM {self._checkpoints} WHERE target = %s AND sink <> %s", target, name)
        parts = PARTS.format(begin=keys.begin, end=keys.end)
        self._execute(f"DELETE FROM {self._checkpoints} WHERE sink = %s AND {parts}", name)
        self._execute(
            f"UPDATE {self._checkpoints} SET fence = %s WHERE sink = %s AND key_end >= %s AND key_begin <= %s",
            *(self.own.fence, name, keys.begin, keys.end),
        )
        self._execute(
            f"INSERT INTO {self._checkpoints} VALUES (%s, %s, %s, %s, %s, %s)"
            " ON DUPLICATE KEY UPDATE frontier = VALUES(frontier), target = VALUES(target)",
            *(name, keys.begin, keys.end, self.own.fence, self.own.frontier, target),
        )
        self._execute("COMMIT")
        return tuple(row.keys for row in known if row.keys != keys and overlap(row.keys, keys))

    def _make_table(self, sink: SinkDescription, collation: str) -> None:
        columns = [f"{_quoted(name)} {type_}" for name, type_ in table_columns(sink)]
        if sink.key is not None and sink.enforced:
            columns.append(f"PRIMARY KEY ({', '.join(_key_names(sink))})")
        self._execute(
            f"CREATE TABLE {self._table} ({', '.join(columns)})"
            f" ENGINE = {_ENGINE} DEFAULT CHARACTER SET utf8mb4 COLLATE {collation}"
        )

    def _make_stage(self, sink: SinkDescription) -> None:
        """Creates the temporary table for keys, which only this session sees."""
        if sink.key is not None:
            names = ", ".join(_key_names(sink))
            made = f"CREATE TEMPORARY TABLE {_STAGE} ENGINE = {_ENGINE} AS SELECT {names} FROM {self._table} LIMIT 0"
            self._execute(made)

    # Transactions

    def _begin(self) -> None:
        """Begins a transaction, at its first documents. The first transaction that replaces everything deletes all
        rows."""
        if not self._begun:
            if self._query("SELECT GET_LOCK(%s, 0)", self._own_lock) != [("1",)]:
                raise fenced_off()
            self._execute("BEGIN")
            self._begun = True
            if self.replaces:
                self._execute(f"DELETE FROM {self._table}")

    def store(self, documents: pa.Table) -> None:
        self._begin()
        sink = self.written
        if sink.key is None:
            self._insert(documents)
            return
        if not self.replaces:
            self._delete(documents.filter(documents.column(EXISTS)))
        self._insert(documents.filter(pc.invert(documents.column(DELETED))))

    def load(self, keys: pa.Table) -> pa.Table:
        self._begin()
        sink = self.written
        desc = sink.documents
        self._stage(keys.columns)
        names = ", ".join(f"t.{_quoted(column.name)}" for column in desc.columns)
        found = self._query(f"SELECT {names} FROM {_STAGE} s STRAIGHT_JOIN {self._table} t ON {_same_key(sink)}")
        readers = [reader(type_) for type_ in desc.types]
        rows = (
            tuple(None if value is None else read(value) for value, read in zip(row, readers, strict=True))
            for row in found
        )
        return rows_to_arrow(rows, desc)

    def _delete(self, documents: pa.Table) -> None:
        sink = self.written
        if documents.num_rows:
            self._stage([documents.column(column_name(place)) for place in sink.key or ()])
            hint = f"FORCE INDEX ({_PRIMARY})" if self._divided else ""
            self._execute(f"DELETE t FROM {_STAGE} s STRAIGHT_JOIN {self._table} t {hint} ON {_same_key(sink)}")

    def _stage(self, keys: list[pa.ChunkedArray]) -> None:
        """Puts keys into the temporary table, alone."""
        sink = self.written
        types = [sink.documents.types[place] for place in sink.key or ()]
        self._execute(f"DELETE FROM {_STAGE}")
        table = pa.table(keys, names=[column_name(at) for at in range(len(keys))])
        for part in _parts(table):
            for rows, _ in _statements(key_literals(part.columns, types)):
                self._execute(f"INSERT INTO {_STAGE} VALUES {rows}")

    def _insert(self, documents: pa.Table) -> None:
        sink = self.written
        names = ", ".join(_quoted(name) for name, _ in table_columns(sink))
        for part in _parts(documents):
            done = 0
            for rows, count in _statements(literals(part, sink)):
                try:
                    self._execute(f"INSERT INTO {self._table} ({names}) VALUES {rows}")
                except pymysql.err.IntegrityError as error:
                    raise self._refused(part.slice(done, count), error) from error
                done += count

    def _refused(self, documents: pa.Table, error: pymysql.err.IntegrityError) -> SqlError:
        """Returns the error for documents that the server refused: the duplicate key where one of them exists
        already."""
        sink = self.written
        if error.args[0] != ER.DUP_ENTRY or sink.key is None:
            return self.failed(error)
        there = self.load(documents.select([column_name(place) for place in sink.key]))
        return duplicate_key(there, sink) if there.num_rows else self.failed(error)

    def commit(self, frontier: Timestamp) -> None:
        self._begin()
        own = self.own
        moved = self._execute(
            f"UPDATE {self._checkpoints} SET frontier = %s"
            " WHERE sink = %s AND key_begin = %s AND key_end = %s AND fence = %s",
            *(frontier, self.written.name, own.keys.begin, own.keys.end, own.fence),
        )
        if moved != 1:
            self._execute("ROLLBACK")
        else:
            self._execute("COMMIT")
        self._begun = False
        self._query("SELECT RELEASE_LOCK(%s)", self._own_lock)
        if moved != 1:
            raise fenced_off()

    def failed(self, error: Exception) -> SqlError:
        return SqlError(Sqlstate.CONNECTION_FAILURE, f'MySQL table "{self._shown}": {reason_of(error)}')


def _key_names(sink: SinkDescription) -> list[str]:
    return [_quoted(sink.documents.columns[place].name) for place in sink.key or ()]


def _same_key(sink: SinkDescription) -> str:
    return " AND ".join(f"t.{name} = s.{name}" for name in _key_names(sink))


def _parts(documents: pa.Table) -> Iterator[pa.Table]:
    """Yields a few thousand rows at a time."""
    for start in range(0, documents.num_rows, _ROWS_AT_ONCE):
        yield documents.slice(start, _ROWS_AT_ONCE)


def _statements(rows: pa.Array) -> Iterator[tuple[str, int]]:
    """Joins rows into parts of a statement's preferred size; yields each with its number of rows."""
    waiting: list[str] = []
    length = 0
    for row in rows.to_pylist():
        size = len(row.encode())
        if waiting and length + size > _BYTES_AT_ONCE:
            yield ",".join(waiting), len(waiting)
            waiting, length = [], 0
        waiting.append(row)
        length += size
    if waiting:
        yield ",".join(waiting), len(waiting)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
