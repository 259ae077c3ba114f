"""Consensus on a PostgreSQL database, for environments with processes on several hosts.

Writers take one advisory lock, so their checks and writes are serial. The lock is taken and released within one
statement, which PostgreSQL begins only when it has all of the bytes: a writer that is stopped at any moment (frozen, or
its network gone) keeps the lock from nobody, and a standby can lead. A reader's single statement sees a single moment.
Connections are made when first needed, and again after a loss.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from storage.persist.location import Indeterminate, Versioned

T = TypeVar("T")
_Connection = psycopg.AsyncConnection[Any]

_LOCK = 0x68656164  # any number that others of the database don't lock
_SETTINGS = "SET synchronous_commit = on; SET default_transaction_isolation = 'read committed'"
"""Whatever the database's own are: in other levels a statement sees what stood there before it waited for the lock."""
_SCHEMA = f"""
SELECT pg_advisory_xact_lock({_LOCK});
SET LOCAL client_min_messages = warning;
CREATE TABLE IF NOT EXISTS headwater_versions (
    key text COLLATE "C" NOT NULL, seqno bigint NOT NULL, data bytea NOT NULL, PRIMARY KEY (key, seqno)
);
DO $make$ BEGIN
    IF to_regprocedure('headwater_compare_and_set_1(text[], bigint[], text[], bytea[])') IS NULL THEN
        CREATE FUNCTION headwater_compare_and_set_1(expected text[], seqnos bigint[], written text[], datas bytea[])
        RETURNS boolean LANGUAGE plpgsql AS $body$
        BEGIN
            PERFORM pg_advisory_xact_lock({_LOCK});
            IF EXISTS (
                SELECT FROM unnest(expected, seqnos) AS e(key, seqno) WHERE e.seqno IS DISTINCT FROM (
                    SELECT max(v.seqno) FROM headwater_versions AS v WHERE v.key = e.key
                )
            ) THEN
                RETURN false;
            END IF;
            INSERT INTO headwater_versions (key, seqno, data)
            SELECT w.key, coalesce(e.seqno, 0) + 1, w.data
            FROM unnest(written, datas) AS w(key, data) JOIN unnest(expected, seqnos) AS e(key, seqno) USING (key);
            RETURN true;
        END $body$;
    END IF;
END $make$;
"""
"""All of it is one message, which is one transaction. The function's number grows with its text, so that environments
of two versions can share a database. A volatile function's statements each see what was committed before they began:
what is compared is what stands after the lock was waited for."""
_PATIENCE = {"connect_timeout": 10, "tcp_user_timeout": 30_000, "keepalives_idle": 10, "keepalives_interval": 5}
"""In seconds, and milliseconds for what was sent and is not acknowledged."""
_HEAD = """
SELECT wanted.key, newest.seqno, newest.data FROM unnest(%s::text[]) AS wanted(key)
CROSS JOIN LATERAL (
    SELECT seqno, data FROM headwater_versions AS v WHERE v.key = wanted.key ORDER BY seqno DESC LIMIT 1
) AS newest
"""
_COMPARE_AND_SET = "SELECT headwater_compare_and_set_1(%s::text[], %s::bigint[], %s::text[], %s::bytea[])"
_TRUNCATE = """
DELETE FROM headwater_versions WHERE key = %(key)s AND seqno < %(before)s
AND seqno < (SELECT max(seqno) FROM headwater_versions WHERE key = %(key)s)
"""
_FORGET = "DELETE FROM headwater_versions WHERE key = ANY(%s::text[])"


class PostgresConsensus:
    """Consensus in a table of PostgreSQL, at the connection address `url`."""

    def __init__(self, url: str) -> None:
        self._writer = _Line(url)
        self._reader = _Line(url)

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        rows = await self._reader.use_to_the_end(lambda c: _rows(c, _HEAD, (list(keys),)))
        found = {key: Versioned(seqno, data) for key, seqno, data in rows}
        return {key: found.get(key) for key in keys}

    async def scan(self, key: str, from_seqno: int) -> list[Versioned]:
        sql = "SELECT seqno, data FROM headwater_versions WHERE key = %s AND seqno >= %s ORDER BY seqno"
        rows = await self._reader.use_to_the_end(lambda c: _rows(c, sql, (key, from_seqno)))
        return [Versioned(seqno, data) for seqno, data in rows]

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        assert writes.keys() <= expected.keys(), "every written key needs an expectation"
        return await self._writer.use(lambda c: _compare_and_set(c, expected, writes))

    async def truncate(self, key: str, before_seqno: int) -> None:
        await self._writer.use(lambda c: c.execute(_TRUNCATE, {"key": key, "before": before_seqno}))

    async def forget(self, keys: Sequence[str]) -> None:
        await self._writer.use(lambda c: c.execute(_FORGET, (list(keys),)))

    async def list_keys(self, prefix: str) -> list[str]:
        sql = "SELECT DISTINCT key FROM headwater_versions WHERE starts_with(key, %s) ORDER BY key"
        return [key for (key,) in await self._reader.use_to_the_end(lambda c: _rows(c, sql, (prefix,)))]

    async def close(self) -> None:
        await self._writer.close()
        await self._reader.close()


class _Line:
    """One connection, used by one caller at a time."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: _Connection | None = None
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def use_to_the_end(self, work: Callable[[_Connection], Awaitable[T]]) -> T:
        """Runs `work` like `use`, but to the end even when the caller is cancelled, as statements of clients often
        are."""
        task = asyncio.create_task(self.use(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def use(self, work: Callable[[_Connection], Awaitable[T]]) -> T:
        async with self._lock:
            try:
                if self._connection is None:
                    self._connection = await _connect(self._url)
                return await work(self._connection)
            except psycopg.OperationalError as error:
                await self._forget()
                if error.sqlstate == Sqlstate.DISK_FULL.value:
                    raise SqlError(Sqlstate.DISK_FULL, "no space left for consensus", detail=str(error)) from error
                raise Indeterminate(f"consensus: {error}") from error
            except psycopg.Error as error:
                await self._forget()
                raise SqlError(Sqlstate.IO_ERROR, "consensus failed", detail=str(error)) from error
            except asyncio.CancelledError:
                # A statement may be half sent; the connection is of no use to the next caller.
                await self._forget()
                raise

    async def close(self) -> None:
        async with self._lock:
            await self._forget()

    async def _forget(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


async def _connect(url: str) -> _Connection:
    connection = await psycopg.AsyncConnection.connect(_bounded(url), autocommit=True)
    await connection.execute(_SETTINGS)
    await connection.execute(_SCHEMA)
    return connection


def _bounded(url: str) -> str:
    """Returns the address with bounds, where it names none, on how long a host that is gone is waited for."""
    return make_conninfo(url, **{name: bound for name, bound in _PATIENCE.items() if name not in conninfo_to_dict(url)})


async def _rows(connection: _Connection, sql: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    cursor = await connection.execute(sql.encode(), parameters, binary=True)
    return await cursor.fetchall()


async def _compare_and_set(
    connection: _Connection, expected: Mapping[str, int | None], writes: Mapping[str, bytes]
) -> bool:
    parameters = (list(expected), list(expected.values()), list(writes), list(writes.values()))
    ((written,),) = await _rows(connection, _COMPARE_AND_SET, parameters)
    return bool(written)
