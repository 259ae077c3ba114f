"""Headwater as a real process: started, awaited, stopped or killed by tests."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil
import psycopg

from compute.processes import stat_of
from tests.forking.forked import fork

_LISTENING = re.compile(rb"(?:listening|standing by) on (\S+):(\d+)")
_PID = re.compile(r"\bpid\W+(\d+)")
_STOP_TIMEOUT_S = 60.0
_RUN_TIMEOUT_S = 60.0
_SPARES = ("server.evaluation.nursery", "compute.replica")
"""What a server starts of our own Python."""


class RunningProcess(Protocol):
    """What tests ask of a process that they have started: a `subprocess.Popen`, or one that was forked."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | None: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, number: int, /) -> None: ...
    def kill(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """A running `headwater serve`; `log` holds all that it printed."""

    process: RunningProcess
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
    data_dir: Path, *options: str, environment: Mapping[str, str] | None = None, timeout_s: float = 60.0
) -> ServerProcess:
    """Forks a server that listens on a free port of the loopback, and returns once it does.

    A standby listens as well. It runs what `headwater serve` runs, with these options, but for what it has imported
    already, and so do the nursery and the first replica that it starts. AssertionError with all that it printed when it
    ends before, or does not listen within `timeout_s`.
    """
    log = _new_log(data_dir)
    variables = _variables(environment or {})
    with log.open("wb") as output:
        process = fork("server.cli", _serve(data_dir, options), variables, output.fileno(), output.fileno(), _SPARES)
    return _listening(process, log, variables, timeout_s)


def await_spark(data_dir: Path, timeout_s: float = 120.0) -> None:
    """Waits until a replica of the data directory that lives has logged that its Spark is up.

    A query can't tell: few rows are evaluated without Spark."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        for log in data_dir.glob("**/replica*.log"):
            life = log.read_text().rpartition("replica listening")[2]
            pid = _PID.search(life)
            if pid is not None and stat_of(int(pid[1])) is not None and "replica ready" in life:
                return
        time.sleep(0.05)
    raise AssertionError("no replica has logged that Spark is up")


def java_of(data_dir: Path) -> list[int]:
    """Returns the process ids of the JVMs of the data directory's replica: another JVM has another."""
    replica = psutil.Process(int(json.loads((data_dir / "replica.json").read_text())["pid"]))
    return [each.pid for each in replica.children() if "java" in each.name()]


def run_headwater(*arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Forks a process that does what `headwater` does with these arguments, and returns what it said when it ends.

    subprocess.TimeoutExpired when that takes over a minute.
    """
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = fork("server.cli", arguments, _variables(environment or {}), output.fileno(), errors.fileno())
        try:
            code = process.wait(_RUN_TIMEOUT_S)
        finally:
            process.kill()
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, code, output.read(), errors.read())


def start_from_command_line(
    data_dir: Path,
    *options: str,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout_s: float = 60.0,
) -> ServerProcess:
    """Starts a server as users do, in a Python of its own; else as `start_server`.

    `cwd` is where Python finds the package `server` first; None means this process's own.
    """
    command = [sys.executable, "-m", "server.cli", *_serve(data_dir, options)]
    return run_server(command, data_dir, environment or {}, cwd, timeout_s)


def run_server(
    command: Sequence[str], log_dir: Path, environment: Mapping[str, str], cwd: Path | None, timeout_s: float
) -> ServerProcess:
    """Starts a server by any command line, with `environment` over this process's own, and returns once it listens."""
    log = _new_log(log_dir)
    variables = _variables(environment)
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=variables, cwd=cwd)
    return _listening(process, log, variables, timeout_s)


def _serve(data_dir: Path, options: tuple[str, ...]) -> tuple[str, ...]:
    return "serve", "--listen", "127.0.0.1:0", "--data-dir", str(data_dir), *options


def _new_log(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"server-{time.time_ns()}.log"


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": "1", **environment}


def _listening(process: RunningProcess, log: Path, variables: Mapping[str, str], timeout_s: float) -> ServerProcess:
    """The server, once it has printed where it listens."""
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
