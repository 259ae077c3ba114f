"""Writes tables of a PostgreSQL database. Rows and checkpoints commit together, so the destination holds the frontier.

Documents arrive by COPY; those that replace others go through a temporary table. New ones are plain inserts, so that a
key that is not unique is an error, and never overwrites another row.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from psycopg import sql

from connectors.postgres.driver_columns import FOUND_COLUMNS, require_columns, table_columns
from connectors.postgres.table import PostgresTable
from connectors.sinks.description import SinkDescription
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
from connectors.sinks.messages import (
    ALL_KEYS,
    DELETED,
    EXISTS,
    KeyRange,
    Open,
)
from connectors.sinks.plain_columns import quick_text_columns
from connectors.sinks.table_driver import TableDriver
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import rows_to_arrow
from model.text.dispatch import parser
from model.time.timestamp import Timestamp

_Connection = psycopg.Connection[tuple[Any, ...]]
_STAGE = sql.Identifier("pg_temp", "headwater_stage")
_OPEN_ATTEMPTS = 5
_ENDING_S = 10
_LOCKED_S = 5
"""How long a range waits for a lock. Another range may have it, which commits only when this one has stored."""
_ABORT_S = 2.0
_UNDIVIDED = "One session for all keys waits for nobody: ALTER SINK … SET (PARALLELISM 1)."


class PostgresDriver(TableDriver):
    """A session with one database of PostgreSQL."""

    failures = psycopg.Error

    def __init__(self, place: PostgresTable) -> None:
        super().__init__()
        self._place = place
        self._connected: _Connection | None = None
        self._begun = False

    def abort(self) -> None:
        """Cancels the statement that is running."""
        if self._connected is not None:
            with contextlib.suppress(psycopg.Error):
                self._connected.cancel_safe(timeout=_ABORT_S)

    def close(self) -> None:
        if self._connected is not None:
            self._connected.close()
            self._connected = None

    @property
    def _connection(self) -> _Connection:
        assert self._connected is not None, "it is open"
        return self._connected

    @property
    def _table(self) -> sql.Composable:
        return sql.Identifier(*self._place.table)

    @property
    def _checkpoints(self) -> sql.Composable:
        """The checkpoints' table, in the schema of the sink's table."""
        return sql.Identifier(*self._place.table[:-1], CHECKPOINTS)

    def _on_checkpoints(self, text: str, *values: object) -> psycopg.Cursor[tuple[Any, ...]]:
        """Runs a statement with the table's name for `{}`; a percent sign in the name is none of a value's place."""
        name = self._checkpoints.as_string(self._connection).replace("%", "%%")
        return self._connection.execute(text.format(name).encode(), values)

    # Opening

    def examine(self, sink: SinkDescription, secrets: Mapping[str, str], timeout_s: int) -> None:
        """Looks at the table, if it is there, as `open` does, and changes nothing. Raises SqlError, psycopg's
        errors."""
        connection = self._connect(secrets, connect_timeout=timeout_s, tcp_user_timeout=1000 * timeout_s)
        connection.execute(sql.SQL("SET statement_timeout = {}").format(sql.Literal(f"{timeout_s}s")))
        oid = self._oid()
        if oid is not None:
            self._require_fit(sink, oid)

    def _connect(self, secrets: Mapping[str, str], **more: Any) -> _Connection:
        settings: dict[str, Any] = {**dict(self._place.settings), **secrets, **more}
        self._connected = psycopg.connect(**settings, autocommit=True)
        return self._connected

    def open(self, request: Open) -> None:
        connection = self._connect(request.secrets)
        for attempt in range(_OPEN_ATTEMPTS):
            try:
                with connection.transaction():
                    others = self._take_over(request)
                break
            except (psycopg.errors.UniqueViolation, psycopg.errors.SerializationFailure):
                # Another session opens at this moment; one of the two is fenced off by the other.
                if attempt == _OPEN_ATTEMPTS - 1:
                    raise
        for keys in (request.keys, *others):
            self._end_others(keys)
        if request.keys != ALL_KEYS:
            connection.execute(sql.SQL("SET lock_timeout = {}").format(sql.Literal(f"{_LOCKED_S}s")))

    def _end_others(self, keys: KeyRange) -> None:
        """Ends the sessions that have a transaction open on a split, and returns when they have ended."""
        connection, lock = self._connection, self._lock(keys)
        connection.execute(
            "SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
            " WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND a.usename = current_user"
            " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " AND (l.classid::bigint << 32) | l.objid::bigint = %s::bigint",
            (lock,),
        )
        with connection.transaction():
            connection.execute(sql.SQL("SET LOCAL lock_timeout = {}").format(sql.Literal(f"{_ENDING_S}s")))
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (lock,))

    def _lock(self, keys: KeyRange) -> int:
        """Returns the number of the advisory lock of a split."""
        digest = hashlib.sha256(transaction_lock(self.written.name, keys).encode()).digest()
        return int.from_bytes(digest[:8], signed=True)

    def _take_over(self, request: Open) -> tuple[KeyRange, ...]:
        """Raises the fence of a sink, so that drivers of earlier sessions can't write; returns the splits that are
        thereby fenced off."""
        connection, keys, name = self._connection, request.keys, request.sink.name
        connection.execute(
            sql.SQL(
                "CREATE TABLE IF NOT EXISTS {} (sink text, key_begin bigint, key_end bigint, fence bigint,"
                " frontier bigint, target text, PRIMARY KEY (sink, key_begin, key_end))"
            ).format(self._checkpoints)
        )
        # Locked: a session that is about to commit ends first, and is heard.
        query = "SELECT key_begin, key_end, fence, frontier FROM {} WHERE sink = %s FOR UPDATE"
        rows = self._on_checkpoints(query, name).fetchall()
        known = [SplitCheckpoint(KeyRange(begin, end), fence, frontier) for begin, end, fence, frontier in rows]
        self.own = opened_at(keys, known)
        if request.anew:
            self.own = replace(self.own, frontier=Timestamp(0))
        self._make_table(request.sink, begins=request.frontier == 0 and not request.anew)
        parts = PARTS.format(begin=keys.begin, end=keys.end)
        self._on_checkpoints(f"DELETE FROM {{}} WHERE sink = %s AND {parts}", name)
        fence = "UPDATE {} SET fence = %s WHERE sink = %s AND key_end >= %s AND key_begin <= %s"
        self._on_checkpoints(fence, self.own.fence, name, keys.begin, keys.end)
        entry = name, keys.begin, keys.end, self.own.fence, self.own.frontier, ".".join(self._place.table)
        self._on_checkpoints(
            "INSERT INTO {} VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (sink, key_begin, key_end)"
            " DO UPDATE SET frontier = excluded.frontier",
            *entry,
        )
        return tuple(row.keys for row in known if row.keys != keys and overlap(row.keys, keys))

    def _make_table(self, sink: SinkDescription, *, begins: bool) -> None:
        """Creates the table; requires an existing one to fit, and to be the sink's own."""
        connection, wanted, shown = self._connection, table_columns(sink), self._shown
        oid = self._oid()
        if oid is None:
            columns = [sql.SQL("{} " + type_).format(sql.Identifier(name)) for name, type_ in wanted]
            if sink.key is not None and sink.enforced:
                columns.append(sql.SQL("PRIMARY KEY ({})").format(self._key_columns(sink)))
            connection.execute(sql.SQL("CREATE TABLE {} ({})").format(self._table, sql.SQL(", ").join(columns)))
            self._on_checkpoints("DELETE FROM {} WHERE target = %s AND sink <> %s", shown, sink.name)
            self.own = replace(self.own, frontier=Timestamp(0))
            return
        self._require_fit(sink, oid)
        others = "SELECT sink FROM {} WHERE target = %s AND sink <> %s"
        other = self._on_checkpoints(others, shown, sink.name).fetchone()
        if other is not None:
            raise another_sinks(shown, other[0])
        if begins and self.own.frontier == 0:
            query = sql.SQL("SELECT 1 FROM {} LIMIT 1").format(self._table)
            if connection.execute(query).fetchone() is not None:
                raise not_empty(shown)

    @property
    def _shown(self) -> str:
        return ".".join(self._place.table)

    def _oid(self) -> int | None:
        """Returns the number that PostgreSQL knows the table by; None where there is no table."""
        found = self._connection.execute("SELECT to_regclass(%s)::oid", (self._table.as_string(self._connection),))
        row = found.fetchone()
        assert row is not None
        return None if row[0] is None else int(row[0])

    def _require_fit(self, sink: SinkDescription, oid: int) -> None:
        """Raises 42804 where the table would change what is written, or does not hold the key."""
        require_columns(self._shown, sink, self._connection.execute(FOUND_COLUMNS, (oid,)).fetchall())
        if sink.key is not None and sink.enforced and not self._has_key(oid, sink):
            raise not_as_expected(self._shown, "its key is not unique there")
        if sink.policy.parallelism > 1 and (found := self._unique_indexes(oid, besides=sink)):
            why = "something besides the key is unique there, for which ranges of keys would wait for each other:"
            why += f" index {', '.join(found)}"
            raise not_as_expected(self._shown, why, hint=_UNDIVIDED)

    def _unique_indexes(self, oid: int, *, besides: SinkDescription) -> list[str]:
        """Returns the unique indexes other than those on the key's columns."""
        names = sorted(besides.documents.columns[place].name for place in besides.key or ())
        found = self._connection.execute(
            "SELECT quote_ident(relname) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE i.indrelid = %s AND (i.indisunique OR i.indisexclusion)"
            " AND (SELECT array_agg(a.attname::text ORDER BY a.attname::text) FROM pg_attribute a"
            " WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)) IS DISTINCT FROM %s ORDER BY 1",
            (oid, names),
        )
        return [name for (name,) in found.fetchall()]

    def _has_key(self, oid: int, sink: SinkDescription) -> bool:
        names = sorted(sink.documents.columns[place].name for place in sink.key or ())
        rows = self._connection.execute(
            "SELECT array_agg(a.attname::text ORDER BY a.attname::text) FROM pg_index i JOIN pg_attribute a"
            " ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) WHERE i.indrelid = %s AND i.indisunique"
            " AND i.indpred IS NULL AND i.indexprs IS NULL GROUP BY i.indexrelid",
            (oid,),
        )
        return any(sorted(columns) == names for (columns,) in rows)

    def _key_columns(self, sink: SinkDescription) -> sql.Composable:
        return _names([sink.documents.columns[place].name for place in sink.key or ()])

    # Transactions

    def _begin(self) -> None:
        """Begins a transaction, at its first documents. The first transaction that replaces everything deletes all
        rows."""
        if self._begun:
            return
        connection = self._connection
        connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        self._begun = True
        if connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (self._lock(self.own.keys),)).fetchone() != (
            True,
        ):
            raise fenced_off()
        if self.replaces:
            connection.execute(sql.SQL("DELETE FROM {}").format(self._table))

    def store(self, documents: pa.Table) -> None:
        self._begin()
        sink = self.written
        if sink.key is None:
            self._copy(self._table, quick_text_columns(documents, sink), [name for name, _ in table_columns(sink)])
            return
        deleted, exists = documents.column(DELETED), documents.column(EXISTS)
        there = pc.and_(exists, not self.replaces)
        self._delete(documents.filter(pc.and_(deleted, there)))
        self._replace(documents.filter(pc.and_(pc.invert(deleted), there)))
        new = documents.filter(pc.and_(pc.invert(deleted), pc.invert(there)))
        self._copy(self._table, quick_text_columns(new, sink), [column.name for column in sink.documents.columns])

    def load(self, keys: pa.Table) -> pa.Table:
        """Loads documents by their keys. Values travel as texts, in PostgreSQL's own form."""
        sink = self.written
        desc, places = sink.documents, sink.key or ()
        self._begin()
        chosen = [(sink.columns[place], sink.names[place]) for place in places]
        of_key = replace(sink, columns=tuple(at for at, _ in chosen), names=tuple(name for _, name in chosen))
        names = [desc.columns[place].name for place in places]
        self._stage_columns(quick_text_columns(keys, of_key), names)
        columns = [column.name for column in desc.columns]
        shown = sql.SQL(", ").join(sql.SQL("format('%s', t.{0})").format(sql.Identifier(name)) for name in columns)
        nulls = sql.SQL(", ").join(sql.SQL("t.{0} IS NULL").format(sql.Identifier(name)) for name in columns)
        query = "SELECT {shown}, {nulls} FROM {table} t JOIN {stage} s ON " + self._same_key(sink)
        parts = {"shown": shown, "nulls": nulls, "table": self._table, "stage": _STAGE}
        found = self._connection.execute(sql.SQL(query).format(**parts)).fetchall()
        parsers = [parser(type_) for type_ in desc.types]
        rows = (
            tuple(
                None if null else parse(text)
                for text, null, parse in zip(row[: desc.arity], row[desc.arity :], parsers, strict=True)
            )
            for row in found
        )
        return rows_to_arrow(rows, desc)

    def _delete(self, documents: pa.Table) -> None:
        if documents.num_rows:
            sink = self.written
            self._stage(documents)
            self._execute(
                "DELETE FROM {table} t USING {stage} s WHERE " + self._same_key(sink), table=self._table, stage=_STAGE
            )

    def _replace(self, documents: pa.Table) -> None:
        if not documents.num_rows:
            return
        sink = self.written
        names = [column.name for column in sink.documents.columns]
        self._stage(documents)
        if not sink.enforced:
            self._execute(
                "DELETE FROM {table} t USING {stage} s WHERE " + self._same_key(sink), table=self._table, stage=_STAGE
            )
            insert = "INSERT INTO {table} ({names}) SELECT {names} FROM {stage}"
            self._execute(insert, table=self._table, stage=_STAGE, names=_names(names))
            return
        # Of equal numerics, which are one key, the new one may show other decimals.
        others = [name for at, name in enumerate(names) if at not in (sink.key or ()) or at in sink.shown]
        assigned = sql.SQL(", ").join(sql.SQL("{0} = excluded.{0}").format(sql.Identifier(name)) for name in others)
        done = sql.SQL("UPDATE SET {}").format(assigned) if others else sql.SQL("NOTHING")
        insert = "INSERT INTO {table} ({names}) SELECT {names} FROM {stage} ON CONFLICT ({key}) DO {done}"
        self._execute(
            insert, table=self._table, stage=_STAGE, names=_names(names), key=self._key_columns(sink), done=done
        )

    def _stage(self, documents: pa.Table) -> None:
        """Puts documents into the temporary table, alone."""
        names = [column.name for column in self.written.documents.columns]
        self._stage_columns(quick_text_columns(documents, self.written), names)

    def _stage_columns(self, texts: pa.Table, names: Sequence[str]) -> None:
        self._execute("DROP TABLE IF EXISTS {stage}", stage=_STAGE)
        create = "CREATE TEMPORARY TABLE headwater_stage ON COMMIT DROP AS SELECT {names} FROM {table} LIMIT 0"
        self._execute(create, names=_names(names), table=self._table)
        self._copy(_STAGE, texts, names)

    def _copy(self, table: sql.Composable, texts: pa.Table, names: Sequence[str]) -> None:
        if not texts.num_rows:
            return
        data = io.BytesIO()
        pyarrow.csv.write_csv(texts, data, pyarrow.csv.WriteOptions(include_header=False))
        command = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT csv)").format(table, _names(names))
        with self._connection.cursor().copy(command) as copy:
            copy.write(data.getbuffer())

    def _execute(self, text: str, **parts: sql.Composable) -> None:
        self._connection.execute(sql.SQL(text).format(**parts))

    @staticmethod
    def _same_key(sink: SinkDescription) -> str:
        names = (sql.Identifier(sink.documents.columns[place].name).as_string(None) for place in sink.key or ())
        return " AND ".join(f"t.{name} = s.{name}".replace("{", "{{").replace("}", "}}") for name in names)

    def commit(self, frontier: Timestamp) -> None:
        self._begin()
        connection, own = self._connection, self.own
        move = "UPDATE {} SET frontier = %s WHERE sink = %s AND key_begin = %s AND key_end = %s AND fence = %s"
        moved = self._on_checkpoints(move, frontier, self.written.name, own.keys.begin, own.keys.end, own.fence)
        if moved.rowcount != 1:
            connection.execute("ROLLBACK")
            raise fenced_off()
        connection.execute("COMMIT")
        self._begun = False

    def failed(self, error: Exception) -> SqlError:
        """Turns an error into one for users: with the destination's message, or, for a key that exists already, this
        server's own."""
        assert isinstance(error, psycopg.Error), "it is the destination's"
        said = error.diag.message_primary or str(error).strip() or type(error).__name__
        if isinstance(error, psycopg.errors.UniqueViolation):
            detail = (error.diag.message_detail or "").replace("already exists", "is not unique")
            hint = "Choose a key that is unique."
            return SqlError(Sqlstate.UNIQUE_VIOLATION, "duplicate key in a sink", detail=detail, hint=hint)
        message = f'PostgreSQL table "{".".join(self._place.table)}": {said}'
        if isinstance(error, psycopg.errors.LockNotAvailable) and self.own.keys != ALL_KEYS:
            # Opened again, the sink is told which index it is, if it is one.
            detail = "Another session has the lock, which may be that of another range of keys."
            return SqlError(Sqlstate.CONNECTION_FAILURE, message, detail=detail, hint=_UNDIVIDED)
        return SqlError(Sqlstate.CONNECTION_FAILURE, message, detail=error.diag.message_detail)


def _names(names: Sequence[str]) -> sql.Composable:
    return sql.SQL(", ").join(map(sql.Identifier, names))
