"""SUBSCRIBE as psycopg, asyncpg and psql use it, over a socket."""

from __future__ import annotations

import asyncio
import decimal
import os
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import psycopg
import pytest

from server.subscription.limits import BufferLimits
from tests.judge import psql
from tests.server.memory_server import MemoryServer, memory_server

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


@pytest.fixture
def writer(server: MemoryServer) -> Iterator[psycopg.Connection[Any]]:
    with server.connect() as connection:
        connection.execute("DROP TABLE IF EXISTS t")
        connection.execute("CREATE TABLE t (a int, b text)")
        connection.execute("INSERT INTO t VALUES (1, 'x'), (1, 'x')")
        yield connection


def holds(server: MemoryServer) -> int:
    """Volatile read holds, on anything."""

    async def count() -> int:
        return sum(len(collection.holds) for collection in server.environment.storage.collections())

    return server.run(count())


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


def silent_reader(server: MemoryServer, sql: str) -> socket.socket:
    """A client that asks, and then reads nothing."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", server.port))
    body = struct.pack(">i", 196608) + b"user\0headwater\0database\0headwater\0\0"
    client.sendall(struct.pack(">i", len(body) + 4) + body)
    query = sql.encode() + b"\0"
    client.sendall(b"Q" + struct.pack(">i", len(query) + 4) + query)
    return client


def test_copy_streams_each_change_as_it_happens(server: MemoryServer, writer: psycopg.Connection[Any]) -> None:
    with server.connect() as reader, reader.cursor() as cursor:
        with cursor.copy("COPY (SUBSCRIBE t) TO STDOUT") as copy:
            copy.set_types(["numeric", "int8", "int4", "text"])
            rows = copy.rows()
            snapshot = next(rows)
            assert snapshot[1:] == (2, 1, "x") and isinstance(snapshot[0], decimal.Decimal)
            for number in range(2, 5):
                writer.execute("INSERT INTO t VALUES (%s, 'y')", [number])
                assert next(rows)[1:] == (1, number, "y"), "it does not wait for more"
            reader.cancel_safe()
            with pytest.raises(psycopg.errors.QueryCanceled):
                next(rows)
        assert reader.execute("SELECT 1").fetchall() == [(1,)]
    eventually(lambda: holds(server) == 0)


def test_copy_has_postgresql_s_formats(server: MemoryServer, writer: psycopg.Connection[Any]) -> None:
    with server.connect() as reader, reader.cursor() as cursor:
        (now,) = cursor.execute("SELECT mz_now()::text").fetchone() or ("",)
        sql = "COPY (SUBSCRIBE t WITH (PROGRESS) AS OF {0} UP TO {0}::text::int8 + 1) TO STDOUT (FORMAT csv, HEADER)"
        with cursor.copy(sql.format(now)) as copy:
            text = b"".join(bytes(data) for data in copy).decode()
    assert text.splitlines() == [
        "mz_timestamp,mz_progressed,mz_diff,a,b",
        f"{now},t,,,",
        f"{now},f,2,1,x",
        f"{int(now) + 1},t,,,",
    ]


def test_a_bare_subscribe_streams_rows(server: MemoryServer, writer: psycopg.Connection[Any]) -> None:
    with server.connect() as reader, reader.cursor() as cursor:
        rows = cursor.stream("SUBSCRIBE t WITH (PROGRESS)")
        first, second = next(rows), next(rows)
        assert first[1] is True and second[1:] == (False, 2, 1, "x")
        writer.execute("DELETE FROM t")
        changes = (row for row in rows if not row[1])
        assert next(changes)[2:] == (-2, 1, "x")
        reader.cancel_safe()
        with pytest.raises(psycopg.errors.QueryCanceled):
            list(rows)


def test_a_subscription_that_ends_has_a_tag(server: MemoryServer, writer: psycopg.Connection[Any]) -> None:
    with server.connect() as reader:
        cursor = reader.execute("SUBSCRIBE t UNTIL LATEST")
        assert cursor.statusmessage == "SUBSCRIBE 1" and len(cursor.fetchall()) == 1
        described = [column.name for column in cursor.description or ()]
        assert described == ["mz_timestamp", "mz_diff", "a", "b"]


def test_cursors_are_fetched_with_timeouts(server: MemoryServer, writer: psycopg.Connection[Any]) -> None:
    with server.connect() as reader, reader.transaction():
        reader.execute("DECLARE c CURSOR FOR SUBSCRIBE t")
        assert [row[1:] for row in reader.execute("FETCH ALL c").fetchall()] == [(2, 1, "x")]
        before = time.monotonic()
        fetched = reader.execute("FETCH 10 c WITH (TIMEOUT = '300ms')")
        assert fetched.fetchall() == [] and fetched.statusmessage == "FETCH 0"
        assert time.monotonic() - before >= 0.3
        writer.execute("INSERT INTO t VALUES (7, 'z')")
        assert [row[1:] for row in reader.execute("FETCH ALL c").fetchall()] == [(1, 7, "z")]
    eventually(lambda: holds(server) == 0)


def test_psycopg_s_own_cursors_work(server: MemoryServer, writer: psycopg.Connection[Any]) -> None:
    with psycopg.connect(server.dsn()) as reader, reader.cursor(name="mine") as cursor:
        cursor.execute("SUBSCRIBE t")
        assert [row[1:] for row in cursor.fetchmany(1)] == [(2, 1, "x")]
        writer.execute("INSERT INTO t VALUES (2, 'y')")
        assert [row[1:] for row in cursor.fetchmany(1)] == [(1, 2, "y")]


def test_a_client_that_goes_away_leaves_nothing(server: MemoryServer, writer: psycopg.Connection[Any]) -> None:
    writer.execute("INSERT INTO t SELECT n, 'x' FROM generate_series(1, 2000) n")
    streams = [
        silent_reader(server, f"COPY (SUBSCRIBE {what}) TO STDOUT")
        for what in ("t", "(SELECT a, count(*) FROM t GROUP BY a)")
    ]
    fetching = server.connect()
    fetching.execute("BEGIN")
    fetching.execute("DECLARE c CURSOR FOR SUBSCRIBE (SELECT b, count(*) FROM t GROUP BY b)")
    fetching.execute("FETCH 1 c")
    eventually(lambda: holds(server) >= 3)

    async def dataflows() -> int:
        return len(server.environment.compute.dataflows.reports.statuses())

    assert server.run(dataflows()) == 2
    # Without a word of farewell.
    with socket.socket(fileno=os.dup(fetching.fileno())) as connection:
        connection.shutdown(socket.SHUT_RDWR)
    for stream in streams:
        stream.close()
    eventually(lambda: holds(server) == 0)
    eventually(lambda: server.run(dataflows()) == 0)
    fetching.close()


async def test_asyncpg_copies_and_fetches(server: MemoryServer, writer: psycopg.Connection[Any]) -> None:
    connection = await asyncpg.connect(
        host="127.0.0.1", port=server.port, user="headwater", password="any", database="headwater"
    )
    try:
        pieces: asyncio.Queue[bytes] = asyncio.Queue()

        async def take(data: bytes) -> None:
            pieces.put_nowait(data)

        copying = asyncio.create_task(connection.copy_from_query("SUBSCRIBE t", output=take))
        assert (await asyncio.wait_for(pieces.get(), 10)).split(b"\t")[1:] == [b"2", b"1", b"x\n"]
        await asyncio.to_thread(writer.execute, "INSERT INTO t VALUES (3, 'w')")
        assert (await asyncio.wait_for(pieces.get(), 10)).split(b"\t")[1:] == [b"1", b"3", b"w\n"]
        copying.cancel()
        await asyncio.gather(copying, return_exceptions=True)
        async with connection.transaction():
            cursor = await connection.cursor("SUBSCRIBE t AS OF AT LEAST $1::text::mz_timestamp", "5")
            rows = await cursor.fetch(2)
            assert sorted(tuple(row)[1:] for row in rows) == [(1, 3, "w"), (2, 1, "x")]
    finally:
        await connection.close(timeout=60)


def _psql(server: MemoryServer, sql: str, terminal: int) -> subprocess.Popen[str]:
    command = [str(psql()), "-X", "-q", "-A", "-t", "-h", "127.0.0.1", "-p", str(server.port)]
    command += ["-U", "headwater", "-d", "headwater", "-c", sql]
    return subprocess.Popen(command, stdout=terminal, stderr=subprocess.PIPE, text=True)


def test_psql_prints_changes_as_they_come(server: MemoryServer, writer: psycopg.Connection[Any]) -> None:
    # To a pipe psql would write in blocks.
    screen, terminal = os.openpty()
    process = _psql(server, "COPY (SUBSCRIBE t) TO STDOUT", terminal)
    os.close(terminal)
    with os.fdopen(screen, "rb", buffering=0) as output:
        lines = iter(output.readline, b"")
        assert next(lines).split()[1:] == [b"2", b"1", b"x"]
        writer.execute("UPDATE t SET b = 'é'")
        changes = [next(lines).split()[1:] for _ in range(2)]
        assert sorted(changes) == [[b"-2", b"1", b"x"], [b"2", b"1", "é".encode()]]
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "canceling statement due to user request" in errors
    eventually(lambda: holds(server) == 0)


def test_a_reader_that_reads_nothing_is_disconnected_and_slows_nobody(
    server: MemoryServer, writer: psycopg.Connection[Any]
) -> None:
    async def limit(limits: BufferLimits) -> BufferLimits:
        before, server.environment.options.subscribe_limits = server.environment.options.subscribe_limits, limits
        return before

    # Commits that come together may be too large for the buffer as a whole: those wait for their reader a while.
    usual = server.run(limit(BufferLimits(memory_bytes=1 << 20, spill_bytes=4 << 20, stall_s=1)))
    silent = silent_reader(server, "COPY (SUBSCRIBE t) TO STDOUT")
    try:
        with server.connect() as reader, reader.cursor().copy("COPY (SUBSCRIBE t) TO STDOUT") as copy:
            rows = copy.rows()
            next(rows)
            for number in range(24):
                insert = f"INSERT INTO t SELECT {number}, repeat('x', 500) FROM generate_series(1, 1000)"
                writer.execute(insert)
                assert int(next(rows)[1]) == 1000
            reader.cancel_safe()
            with pytest.raises(psycopg.errors.QueryCanceled):
                next(rows)
        # One row a commit is little to send, so the silent one is not slow yet.
        for number in range(40):
            insert = f"INSERT INTO t SELECT n, repeat('x', 500) || n FROM generate_series({number}000, {number}999) n"
            writer.execute(insert)
        eventually(lambda: holds(server) == 0)
        silent.settimeout(10)
        received = b""
        while data := silent.recv(1 << 16):
            received = (received + data)[-4096:]
        assert b"VFATAL" in received and b"C53400" in received and b"its reader is too slow" in received
    finally:
        silent.close()
        server.run(limit(usual))
    assert writer.execute("SELECT 1").fetchall() == [(1,)]


def test_what_a_slow_reader_does_not_take_is_spilled_and_still_comes(
    server: MemoryServer, writer: psycopg.Connection[Any], tmp_path: Path
) -> None:
    async def limit(limits: BufferLimits) -> BufferLimits:
        before, server.environment.options.subscribe_limits = server.environment.options.subscribe_limits, limits
        return before

    usual = server.run(limit(BufferLimits(memory_bytes=100_000, spill_bytes=1 << 30)))
    try:
        with server.connect() as reader, reader.cursor().copy("COPY (SUBSCRIBE t) TO STDOUT") as copy:
            rows = copy.rows()
            next(rows)
            for number in range(10):
                values = f"SELECT n, repeat('x', 900) || n FROM generate_series({number}000, {number}999) n"
                writer.execute(f"INSERT INTO t {values}")
            time.sleep(0.5)
            found = [int(next(rows)[2]) for _ in range(10_000)]
            reader.cancel_safe()
            with pytest.raises(psycopg.errors.QueryCanceled):
                next(rows)
        assert sorted(found) == list(range(10_000))
    finally:
        server.run(limit(usual))


def test_shutting_down_ends_subscriptions() -> None:
    with memory_server() as server:
        with server.connect() as writer:
            writer.execute("CREATE TABLE t (a int)")
            writer.execute("INSERT INTO t VALUES (1)")
        reader = server.connect()
        begun, failures = threading.Event(), list[Exception]()

        def read() -> None:
            try:
                with reader, reader.cursor().copy("COPY (SUBSCRIBE t) TO STDOUT") as copy:
                    for _ in copy:
                        begun.set()
            except psycopg.Error as error:
                failures.append(error)

        thread = threading.Thread(target=read)
        thread.start()
        assert begun.wait(60)
    thread.join(60)
    assert isinstance(failures[0], psycopg.errors.AdminShutdown)
