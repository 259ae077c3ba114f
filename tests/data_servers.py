"""Servers of other makers that tests write to, of the machine's own packages: MariaDB, Redis.

They run on free ports of the loopback, in directories of their own. Where a program is missing a test is skipped, but
in CI, which installs them, it fails.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymysql
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from model.types.datum import Row
from tests.missing import lacks
from tests.ports import free_port

_STARTING_S = 60.0
_PLACES = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))


@dataclass(slots=True)
class MariaDb:
    """A running server with an empty database `headwater`, whose user `root` has no password."""

    port: int
    directory: Path
    program: str
    options: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    host = "127.0.0.1"
    database = "headwater"

    def connect(self) -> pymysql.Connection:
        """A new connection in autocommit mode; the caller closes it."""
        return pymysql.connect(
            host=self.host,
            port=self.port,
            user="root",
            database=self.database,
            charset="utf8mb4",
            autocommit=True,
            ssl_disabled=True,  # else each connection reads all authorities that there are
        )

    def query(self, statement: str) -> list[Row]:
        with contextlib.closing(self.connect()) as connection, connection.cursor() as cursor:
            cursor.execute(statement)
            return [*cursor.fetchall()]

    def start(self) -> None:
        """AssertionError when it does not answer."""
        told = (f"--datadir={self.directory}", f"--port={self.port}", f"--socket={self.directory / 'socket'}")
        options = (
            "--bind-address=127.0.0.1,127.0.0.2",
            "--innodb-buffer-pool-size=64M",
            "--innodb-flush-log-at-trx-commit=2",
        )
        self.process = _started([self.program, "--no-defaults", *_USER, *told, *options, *self.options])
        deadline = time.monotonic() + _STARTING_S
        while time.monotonic() < deadline:
            with contextlib.suppress(pymysql.Error):
                pymysql.connect(host=self.host, port=self.port, user="root").close()
                return
            time.sleep(0.05)
        self.kill()
        raise AssertionError("MariaDB does not answer")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@contextmanager
def run_mariadb(directory: Path, *options: str) -> Iterator[MariaDb]:
    """A server that begins empty."""
    install, program = _program("mariadb-install-db", "mariadb-server"), _program("mariadbd", "mariadb-server")
    data = directory / "mariadb"
    made = [install, "--no-defaults", *_USER, f"--datadir={data}", "--auth-root-authentication-method=normal"]
    subprocess.run([*made, "--skip-test-db"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = MariaDb(free_port(), data, program, options)
    server.start()
    try:
        connection = pymysql.connect(host=server.host, port=server.port, user="root", autocommit=True)
        with contextlib.closing(connection), connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {server.database} CHARACTER SET utf8mb4")
        yield server
    finally:
        server.kill()


@dataclass(slots=True)
class RedisServer:
    """A running server that knows no passwords; what it has is on disk where its options say so."""

    port: int
    directory: Path
    program: str
    options: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    host = "127.0.0.1"

    def ask(self, *words: str | bytes | int, database: int = 0) -> Any:
        """The answer to a command as it came, texts as bytes."""
        with redis.Redis(self.host, self.port, database, protocol=2, retry=Retry(NoBackoff(), 0)) as client:
            client.response_callbacks.clear()
            return client.execute_command(*words)

    def hashes(self, pattern: str, database: int = 0) -> dict[bytes, dict[bytes, bytes]]:
        """All hashes whose keys are like this, seen at one moment."""
        script = (
            "local found = {} for _, key in ipairs(redis.call('KEYS', ARGV[1])) do"
            " found[#found + 1] = key; found[#found + 1] = redis.call('HGETALL', key) end return found"
        )
        found = self.ask("EVAL", script, 0, pattern, database=database)
        return {
            key: dict(zip(row[::2], row[1::2], strict=True)) for key, row in zip(found[::2], found[1::2], strict=True)
        }

    def start(self) -> None:
        """AssertionError when it does not answer."""
        told = ("--port", str(self.port), "--dir", str(self.directory), "--bind", "127.0.0.1", "127.0.0.2")
        self.process = _started([self.program, *told, *self.options])
        deadline = time.monotonic() + _STARTING_S
        while time.monotonic() < deadline:
            with contextlib.suppress(redis.ConnectionError, redis.BusyLoadingError):
                with contextlib.suppress(redis.AuthenticationError):
                    self.ask("PING")
                return
            time.sleep(0.02)
        self.kill()
        raise AssertionError("Redis does not answer")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


KEPT = ("--appendonly", "yes", "--save", "")
"""Whatever a client has been answered survives the server's process."""


@contextmanager
def run_redis(directory: Path, *options: str) -> Iterator[RedisServer]:
    """A server that begins empty."""
    place = directory / "redis"
    place.mkdir()
    server = RedisServer(free_port(), place, _program("redis-server", "redis-server"), options)
    server.start()
    try:
        yield server
    finally:
        server.kill()


_USER = ("--user=root",) if os.geteuid() == 0 else ()


def _program(name: str, package: str) -> str:
    """Where a program is; the test is skipped, or in CI fails, where it isn't."""
    found = shutil.which(name, path=_PLACES)
    if found is None:
        lacks(f"{name} is not on this machine: apt-get install {package}")
    return found


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
