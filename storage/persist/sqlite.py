"""Consensus on one SQLite file: write-ahead log, every commit synced.

Writes run in order on a thread of their own, since a sync takes milliseconds. `head` reads on the caller's thread
through a second connection: readers never wait for the writer, and the change of threads would cost more than
the read. Only a head of many keys, of which each is a statement, goes to the writer's thread, through its connection.
Other processes of the same host may open the same file.
"""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from storage.persist.files import sync_directory
from storage.persist.location import Indeterminate, Versioned

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS versions (key TEXT NOT NULL, seqno INTEGER NOT NULL, data BLOB NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS versions_key_seqno ON versions (key, seqno);
"""
_BUSY_TIMEOUT_MS = 10_000
_HEADS_MAX = 64
"""Keys that a head reads on the caller's thread."""
_NEWEST = "SELECT seqno, data FROM versions WHERE key = ? ORDER BY seqno DESC LIMIT 1"


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


class SqliteConsensus:
    """Opened with `SqliteConsensus(path)`, which creates the file and its directory when absent, or raises OSError."""

    def __init__(self, path: str | Path) -> None:
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._writer = _connect(path)
            self._writer.executescript(_SCHEMA)
            sync_directory(path.parent)
            self._reader = _connect(path)
            self._reader.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            raise OSError(errno.EIO, f"{error}", str(path)) from error
        self._thread = ThreadPoolExecutor(1, "consensus")
        self._path = path

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        if len(keys) > _HEADS_MAX:
            return await self._on_thread(lambda: self._head(self._writer, list(keys)))
        return self._translating(lambda: self._head(self._reader, keys))

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        sql = "SELECT seqno, data FROM versions WHERE key = ? AND seqno >= ? ORDER BY seqno"
        rows = self._translating(lambda: self._reader.execute(sql, (key, from_seqno)).fetchall())
        return [Versioned(seqno, data) for seqno, data in rows]

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        assert writes.keys() <= expected.keys(), "every written key needs an expectation"
        return await self._on_thread(lambda: self._compare_and_set(dict(expected), dict(writes)))

    async def truncate(self, key: str, before_seqno: int) -> None:
        sql = (
            "DELETE FROM versions WHERE key = ?1 AND seqno < ?2"
            " AND seqno < (SELECT max(seqno) FROM versions WHERE key = ?1)"
        )
        await self._on_thread(lambda: self._writer.execute(sql, (key, before_seqno)))

    async def forget(self, keys: Sequence[str]) -> None:
        await self._on_thread(lambda: self._forget(list(keys)))

    async def list_keys(self, prefix: str) -> list[str]:
        # A range rather than LIKE, which would fold case and treat % and _ as patterns.
        sql = "SELECT DISTINCT key FROM versions WHERE key >= ?1 AND substr(key, 1, length(?1)) = ?1 ORDER BY key"
        rows = self._translating(lambda: self._reader.execute(sql, (prefix,)).fetchall())
        return [key for (key,) in rows]

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._writer.close)
        self._thread.shutdown()
        self._reader.close()

    @staticmethod
    def _head(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Versioned | None]:
        if len(keys) == 1:
            row = connection.execute(_NEWEST, (keys[0],)).fetchone()
            return {keys[0]: None if row is None else Versioned(*row)}
        connection.execute("BEGIN")
        try:
            rows = {key: connection.execute(_NEWEST, (key,)).fetchone() for key in keys}
        finally:
            connection.execute("COMMIT")
        return {key: None if row is None else Versioned(*row) for key, row in rows.items()}

    def _compare_and_set(self, expected: dict[str, int | None], writes: dict[str, bytes]) -> bool:
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            for key, seqno in expected.items():
                (newest,) = self._writer.execute("SELECT max(seqno) FROM versions WHERE key = ?", (key,)).fetchone()
                if newest != seqno:
                    self._writer.execute("ROLLBACK")
                    return False
            self._writer.executemany(
                "INSERT INTO versions (key, seqno, data) VALUES (?, ?, ?)",
                [(key, (expected[key] or 0) + 1, data) for key, data in writes.items()],
            )
        except BaseException:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise
        self._commit()
        return True

    def _forget(self, keys: list[str]) -> None:
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            self._writer.executemany("DELETE FROM versions WHERE key = ?", [(key,) for key in keys])
        except BaseException:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise
        self._commit()

    def _commit(self) -> None:
        try:
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
                raise
            if _full(error):
                raise  # SQLite has rolled back: what it could not write whole, it will never find
            raise Indeterminate(f"consensus {self._path}: {error}") from error

    async def _on_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: self._translating(work))

    def _translating(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.Error as error:
            raise _translated(error, self._path) from error


def _full(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith("SQLITE_FULL")


def _translated(error: sqlite3.Error, path: Path) -> SqlError:
    name = getattr(error, "sqlite_errorname", "")
    if _full(error):
        return SqlError(Sqlstate.DISK_FULL, f"no space left for consensus {path}", detail=str(error))
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return SqlError(Sqlstate.DATA_CORRUPTED, f"consensus {path} is corrupt", detail=str(error))
    return SqlError(Sqlstate.IO_ERROR, f"consensus {path} failed", detail=f"{name}: {error}")
