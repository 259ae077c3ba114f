"""Headwater as a real process: started, awaited, stopped or killed by tests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg

_LISTENING = re.compile(rb"listening on (\S+):(\d+)")
_STOP_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """A running `headwater serve`; `log` holds all that it printed."""

    process: subprocess.Popen[bytes]
    host: str
    port: int
    log: Path
    password: str = ""

    def dsn(self) -> str:
        """A connection string for libpq."""
        place = f"host={self.host} port={self.port} user=headwater dbname=headwater"
        return f"{place} password={self.password}" if self.password else place

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        """A new connection in autocommit mode; the caller closes it."""
        return psycopg.connect(self.dsn(), autocommit=True)

    def stop(self) -> int:
        """Asks it to end, waits, and gives the exit status; kills it and fails when it takes over a minute."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(_STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the server did not stop: {self.log.read_text()}") from None

    def kill(self) -> None:
        """kill -9 of the server process alone; its replicas live on until they miss it."""
        self.process.kill()
        self.process.wait()


def start_server(
    data_dir: Path,
    *options: str,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout_s: float = 60.0,
) -> ServerProcess:
    """Starts a server on a free port of the loopback, and returns once it listens.

    AssertionError with all that it printed when it ends before, or does not listen within `timeout_s`. `cwd` is where
    Python finds the package `server` first; None means this process's own.
    """
    command = [sys.executable, "-m", "server.cli", "serve", "--listen", "127.0.0.1:0", "--data-dir", str(data_dir)]
    return run_server([*command, *options], data_dir, environment or {}, cwd, timeout_s)


def run_server(
    command: Sequence[str], log_dir: Path, environment: Mapping[str, str], cwd: Path | None, timeout_s: float
) -> ServerProcess:
    """Starts a server by its whole command line, with `environment` over this process's own; else as `start_server`."""
    log_dir.mkdir(parents=True, exist_ok=True)
    log = log_dir / f"server-{time.time_ns()}.log"
    variables = {**os.environ, "PYTHONUNBUFFERED": "1", **environment}
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=variables, cwd=cwd)
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        match = _LISTENING.search(log.read_bytes())
        if match is not None:
            host, port = match[1].decode(), int(match[2])
            return ServerProcess(process, host, port, log, variables.get("HEADWATER_PASSWORD", ""))
        if process.poll() is not None:
            break
        time.sleep(0.02)
    process.kill()
    process.wait()
    raise AssertionError(f"the server did not listen (status {process.returncode}): {log.read_text()}")
