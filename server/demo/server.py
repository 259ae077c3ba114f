"""The server as a process that the tour starts, kills, and starts again on the same data."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import psutil
import psycopg

from model.process.children import python_module

_LISTENING = re.compile(r"listening on (\S+):(\d+)")


class DemoServer:
    """Runs `headwater serve` on a free port, for the tour."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._process: subprocess.Popen[str] | None = None
        self._address = ("", 0)

    def start(self) -> None:
        """Returns once it listens; RuntimeError with its last words when it ends before."""
        self._data_dir.mkdir(parents=True, exist_ok=True)
        command = [*python_module("server.cli"), "serve", "--listen", "127.0.0.1:0"]
        with (self._data_dir / "server.log").open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--data-dir", str(self._data_dir)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**_without_password(), "PYTHONUNBUFFERED": "1"},
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            match = _LISTENING.search(line)
            if match is not None:
                self._address = (match[1], int(match[2]))
                return
        raise RuntimeError(f"the server ended at once; see {log.name}")

    @property
    def url(self) -> str:
        host, port = self._address
        return f"postgresql://headwater@{host}:{port}/headwater"

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(self.url, autocommit=True)

    def kill_everything(self) -> list[int]:
        """Kills (kill -9) the server and all that it started; returns the process ids."""
        assert self._process is not None
        victims = self._family()
        for process in victims:
            process.kill()
        psutil.wait_procs(victims, timeout=10)
        self._ended()
        return [process.pid for process in victims]

    def stop(self) -> None:
        """Stops the server: SIGTERM, and a while to end."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(30)
                self._ended()
            except subprocess.TimeoutExpired:
                self.kill_everything()

    def _ended(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        self._process.wait()
        self._process.stdout.close()

    def _family(self) -> list[psutil.Process]:
        assert self._process is not None
        mark = str(self._data_dir)
        replicas = [p for p in psutil.process_iter(["cmdline"]) if _runs_on(p, mark)]
        found = {p.pid: p for p in (psutil.Process(self._process.pid), *replicas)}
        for process in list(found.values()):
            for child in process.children(recursive=True):
                found[child.pid] = child
        return list(found.values())


def _without_password() -> dict[str, str]:
    """Returns this process's environment, of which the tour's server asks its clients for nothing."""
    return {name: value for name, value in os.environ.items() if not name.startswith("HEADWATER_PASSWORD")}


def _runs_on(process: psutil.Process, data_dir: str) -> bool:
    """Tells if a process is a replica on a data directory. Replicas outlive their server, so the server's children are
    not enough.
    """
    words = process.info["cmdline"] or []
    return "compute.replica" in words and any(data_dir in word for word in words)
