"""A leader that is killed, frozen or stopped under writes: a standby takes over, and nothing acknowledged is lost."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.server.killing.leaders_clients import connect_to_leader
from tests.server_process import ServerProcess, start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_OPTIONS = ("--standby", "--spark-master", "local[2]", "--http-listen", "none")
_PATIENCE_S = 1.0
_PAUSE_S = 0.02
"""Between two writes: who takes over needs the processor, too."""
_FIRST_ANSWER_MAX_S = 20.0
"""So long at most beside other tests; a quiet machine needs some four seconds."""


@dataclass
class _Writer:
    """A client that counts, and reconnects to whoever leads; it waits for no answer longer than a moment.

    `acknowledged`: each number, and when it was durable."""

    servers: list[ServerProcess]
    acknowledged: list[tuple[int, float]] = field(default_factory=list)
    stopped: bool = False

    def run(self) -> None:
        number = 0
        while not self.stopped:
            try:
                with connect_to_leader(self.servers) as connection:
                    while not self.stopped:
                        number += 1
                        impatience = threading.Timer(_PATIENCE_S, _hang_up, (connection,))
                        impatience.start()
                        try:
                            connection.execute("INSERT INTO t VALUES (%s)", (number,))
                        finally:
                            impatience.cancel()
                        self.acknowledged.append((number, time.monotonic()))
                        time.sleep(_PAUSE_S)
            except psycopg.OperationalError:
                time.sleep(0.02)

    def answered_after(self, moment: float) -> float:
        """Returns how many seconds after the moment the first write was acknowledged that another server took."""
        deadline = moment + _FIRST_ANSWER_MAX_S
        while time.monotonic() < deadline:
            for _, when in self.acknowledged[-3:]:
                if when > moment + 1:
                    return when - moment
            time.sleep(0.02)
        raise AssertionError("nobody took over\n" + "\n".join(each.log.read_text() for each in self.servers))


def _hang_up(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


@contextmanager
def _started(data_dir: Path) -> Iterator[ServerProcess]:
    server = start_server(data_dir, *_OPTIONS)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.send_signal(signal.SIGCONT)
            server.stop()


def _until_told(server: ServerProcess, told: str, times: int = 1) -> None:
    deadline = time.monotonic() + 60
    while server.log.read_text().count(told) < times:
        assert time.monotonic() < deadline, server.log.read_text()
        time.sleep(0.02)


def _replicas(data_dir: Path) -> set[int]:
    processes = psutil.process_iter(["cmdline"])
    lines = {each.pid: " ".join(each.info["cmdline"] or ()) for each in processes}
    return {pid for pid, line in lines.items() if "compute.replica" in line and f"--data-dir {data_dir}" in line}


@pytest.mark.timeout(600)
def test_a_standby_takes_over_from_leaders_that_are_killed_frozen_and_stopped(tmp_path: Path) -> None:
    with _started(tmp_path) as first, _started(tmp_path) as second, _started(tmp_path) as third:
        _until_told(first, "listening on")
        with first.connect() as connection:
            connection.execute("CREATE TABLE t (a int)")
            connection.execute("CREATE MATERIALIZED VIEW v AS SELECT count(*) AS n, sum(a) AS s FROM t")
            connection.execute("CREATE INDEX i ON v (n)")
            assert connection.execute("SELECT n FROM v").fetchall() == [(0,)]
        with pytest.raises(psycopg.OperationalError, match="not accepting connections"):
            second.connect()
        replica = _replicas(tmp_path)
        writer = _Writer([first, second, third])
        writing = threading.Thread(target=writer.run)
        writing.start()
        try:
            writer.answered_after(time.monotonic())

            first.kill()
            print(f"\nafter kill -9 {writer.answered_after(time.monotonic()):.2f} s until the first answer")
            assert _replicas(tmp_path) == replica, "it is adopted"
            leader, other = (second, third) if "listening on" in second.log.read_text() else (third, second)

            old = leader.connect()
            leader.process.send_signal(signal.SIGSTOP)
            print(f"after SIGSTOP {writer.answered_after(time.monotonic()):.2f} s until the first answer")
            leader.process.send_signal(signal.SIGCONT)
            _until_told(leader, "another server has taken over this data; this one stands by")
            with old, pytest.raises(psycopg.OperationalError):
                old.execute("SELECT 1")
            _until_told(leader, "standing by on", times=2)
            with pytest.raises(psycopg.OperationalError, match="not accepting connections"):
                leader.connect()
            time.sleep(4)
            assert other.log.read_text().count("listening on") == 1
            assert "fenced" not in other.log.read_text(), "they don't hand over to and fro"

            moment = time.monotonic()
            assert other.stop() == 0
            _until_told(leader, "listening on", times=2)
            print(f"after SIGTERM {time.monotonic() - moment:.2f} s until the other one leads")
            writer.answered_after(time.monotonic())
        finally:
            writer.stopped = True
            writing.join()
        with leader.connect() as connection:
            found = {number for (number,) in connection.execute("SELECT a FROM t").fetchall()}
            lost = [number for number, _ in writer.acknowledged if number not in found]
            assert not lost
            assert connection.execute("SELECT n FROM v").fetchall() == [(len(found),)]
