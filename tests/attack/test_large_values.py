"""Values of many megabytes, in and out by every way: nobody waits for them, and they take a few times their size.

`--attack-value-bytes N` makes them N bytes long.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.attack.loop_probe import unheld
from tests.server.memory_server import MemoryServer, memory_server

_TIMES_MAX = 12
"""How many times its size a value may take, in a server that keeps what is durable in memory too."""
_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + bytes(8)


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


@pytest.fixture
def size(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--attack-value-bytes"))


def _binary(n: int) -> bytes:
    return _SIGNATURE + struct.pack(">hiii", 2, 4, 1, n) + b"x" * n + struct.pack(">h", -1)


_COPIED: dict[str, tuple[str, Callable[[int], bytes], Callable[[int], int]]] = {
    "a plain line": ("text", lambda n: b"1\t" + b"x" * n + b"\n", lambda n: n),
    "two plain lines": ("text", lambda n: (b"1\t" + b"x" * (n // 2) + b"\n") * 2, lambda n: n // 2),
    "escapes": ("text", lambda n: b"1\t" + rb"\n" * (n // 2) + b"\n", lambda n: n // 2),
    "backslashes": ("text", lambda n: b"1\t" + b"\\" * (n // 2 * 2) + b"\n", lambda n: n // 2),
    "escaped bytes": ("text", lambda n: b"1\t" + rb"\303\244" * (n // 8) + b"\n", lambda n: n // 8),
    "ends of lines behind backslashes": ("text", lambda n: b"1\t" + b"\\\n" * (n // 2) + b"\n", lambda n: n // 2),
    "many letters": ("text", lambda n: b"1\t" + "äö".encode() * (n // 4) + b"\n", lambda n: n // 2),
    "a field without quotes": ("csv", lambda n: b"1," + b"x" * n + b"\n", lambda n: n),
    "a field in quotes": ("csv", lambda n: b'1,"' + b"x" * n + b'"\n', lambda n: n),
    "quotes": ("csv", lambda n: b'1,"' + b'xx""' * (n // 4) + b'"\n', lambda n: n // 4 * 3),
    "lines in quotes": ("csv", lambda n: b'1,"' + b"xxxxxxx\n" * (n // 8) + b'"\n', lambda n: n // 8 * 8),
    "a tuple": ("binary", _binary, lambda n: n),
}


@pytest.mark.in_part(4)
@pytest.mark.parametrize("family", _COPIED)
def test_what_is_copied_in_and_out_keeps_nobody_waiting(server: MemoryServer, size: int, family: str) -> None:
    format_, data, length = _COPIED[family]
    with server.connect() as connection, server.connect() as watching:
        connection.execute("DROP TABLE IF EXISTS copied")
        connection.execute("CREATE TABLE copied (a int, b text)")
        sql, lines = f"COPY copied FROM STDIN (FORMAT {format_})", data(size)
        with _bounded(size):
            unheld(server.loop, lambda: _client(server, _COPY_IN, sql, lines))
        assert watching.execute("SELECT length(b) FROM copied LIMIT 1").fetchone() == (length(size),)


_SAID: dict[str, tuple[str, Callable[[int], str]]] = {
    "a constant": ("SELECT length(%s)", lambda n: "x" * n),
    "a parameter that comes back": ("SELECT %s", lambda n: "x" * n),
    "a row": ("INSERT INTO said VALUES (%s) RETURNING b", lambda n: "x" * n),
}


@pytest.mark.in_part(4)
@pytest.mark.parametrize("prepared", [False, True])
@pytest.mark.parametrize("family", _SAID)
def test_what_is_said_and_answered_keeps_nobody_waiting(
    server: MemoryServer, size: int, family: str, prepared: bool
) -> None:
    sql, value = _SAID[family]
    with server.connect() as connection:
        connection.execute("DROP TABLE IF EXISTS said")
        connection.execute("CREATE TABLE said (b text)")
    with _bounded(size):
        unheld(server.loop, lambda: _client(server, _SAY, sql, value(size).encode(), str(prepared)))


@pytest.mark.parametrize("format_", ["text", "csv", "binary"])
def test_a_large_result_keeps_nobody_waiting(server: MemoryServer, size: int, format_: str) -> None:
    sql = f"COPY (SELECT repeat('x', {size})) TO STDOUT (FORMAT {format_})"
    with _bounded(size):
        unheld(server.loop, lambda: _client(server, _COPY_OUT, sql, b""))
        unheld(server.loop, lambda: _client(server, _SAY, f"SELECT repeat('x', {size})", b"", "False"))


# Clients are processes of their own: what they do with the values is not the server's time.
_COPY_IN = """
with connection.cursor().copy(sql) as copy:
    for start in range(0, len(data), 1 << 16):
        copy.write(data[start : start + (1 << 16)])
"""
_COPY_OUT = """
with connection.cursor().copy(sql) as copy:
    print(sum(map(len, copy)))
"""
_SAY = """
if sys.argv[3] == "True":
    connection.execute(sql, (data.decode(),) if "%s" in sql else ())
else:
    connection.execute(sql.replace("%s", "'" + data.decode() + "'").encode())
"""
_BEGIN = """
import sys, psycopg
connection, sql = psycopg.connect(sys.argv[1], autocommit=True), sys.argv[2]
data = sys.stdin.buffer.read()
"""


def _client(server: MemoryServer, script: str, sql: str, data: bytes, *arguments: str) -> None:
    command = [sys.executable, "-c", _BEGIN + script, server.dsn(), sql, *arguments]
    ended = subprocess.run(command, input=data, capture_output=True, timeout=120)
    assert ended.returncode == 0, ended.stderr.decode()


@contextmanager
def _bounded(size: int) -> Iterator[None]:
    """Fails when this process comes to hold many times `size` beyond what it had."""
    before = highest = _held_bytes()
    ended = threading.Event()

    def watch() -> None:
        nonlocal highest
        while not ended.wait(0.01):
            highest = max(highest, _held_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
    assert highest - before < _TIMES_MAX * size + (64 << 20), f"{(highest - before) >> 20} MiB"


def _held_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
