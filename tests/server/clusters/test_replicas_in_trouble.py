"""Three replicas as real processes, of which one is killed or stopped again and again, under reads, writes and a
SUBSCRIBE: no answer is wrong, and none is an error.

One writer counts, as in `tests.simulation.clusters`: what a view holds says of which transaction it is. `--whole` has
thirty rounds instead of three.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.server_process import ServerProcess, start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_WINDOW, _KEYS = 5, 3
_REPLICAS = ("r1", "r2", "r3")
_STOPPED_S = (1.0, 4.0, 10.0)
_PID = "SELECT pid FROM mz_internal.mz_cluster_replicas WHERE name = %s"


def _contents(j: int) -> Counter[tuple[int, int, int]]:
    """What the view holds after transaction j."""
    of: dict[int, list[int]] = {}
    for n in range(max(1, j - _WINDOW + 1), j + 1):
        of.setdefault(n % _KEYS, []).append(n)
    return Counter((key, len(ns), sum(ns)) for key, ns in of.items())


class _Load:
    """Clients in threads. `faults` is what was wrong, or failed; `waited_s` what each lookup took."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        self._over = threading.Event()
        self.known = self.asked = 0
        self.faults: list[str] = []
        self.waited_s: list[float] = []
        self.followed: list[int] = []
        parties = (self._write, self._look_up, self._look_up, self._read, self._subscribe)
        self._threads = [threading.Thread(target=self._run, args=(party,)) for party in parties]

    def start(self) -> None:
        for each in self._threads:
            each.start()

    def until_more(self) -> None:
        """Returns once more has been written, read and followed; at once when something has gone wrong."""
        known, looked_up, followed = self.known, len(self.waited_s), len(self.followed)
        deadline_s = time.monotonic() + 240
        while not self.faults and not (
            self.known > known and len(self.waited_s) > looked_up and len(self.followed) > followed
        ):
            assert time.monotonic() < deadline_s, f"nothing goes on after {self.known}"
            time.sleep(0.1)

    def stop(self) -> None:
        self._over.set()
        for each in self._threads:
            each.join(120)
            assert not each.is_alive(), "a client hangs"

    def _run(self, party: Callable[[psycopg.Connection[Any]], None]) -> None:
        try:
            with self._server.connect() as connection:
                party(connection)
        except Exception as error:  # noqa: BLE001  whatever it was, it was not to be
            self.faults.append(f"{party.__name__}: {error!r}")

    def _write(self, connection: psycopg.Connection[Any]) -> None:
        while not self._over.is_set():
            self.asked += 1
            j = self.asked
            with connection.transaction():
                connection.execute("INSERT INTO t VALUES (%s, %s)", (j, j % _KEYS))
                connection.execute("DELETE FROM t WHERE n = %s", (j - _WINDOW,))
            self.known = j
            time.sleep(0.05)

    def _judge(self, what: str, since: int, found: Counter[Any], key: int | None = None) -> int:
        for j in range(since, self.asked + 1):
            if found == Counter({row: n for row, n in _contents(j).items() if key in (None, row[0])}):
                return j
        self.faults.append(f"{what} gave {sorted(found.elements())}: of none of {since} to {self.asked}")
        return since

    def _look_up(self, connection: psycopg.Connection[Any]) -> None:
        while not self._over.is_set():
            for key in range(_KEYS):
                since, begun_s = self.known, time.monotonic()
                found = connection.execute("SELECT k, c, s FROM v WHERE k = %s", (key,)).fetchall()
                self.waited_s.append(time.monotonic() - begun_s)
                self._judge(f"key {key}", since, Counter(found), key)
                time.sleep(0.02)

    def _read(self, connection: psycopg.Connection[Any]) -> None:
        while not self._over.is_set():
            since = self.known
            self._judge("m", since, Counter(connection.execute("SELECT k, c, s FROM m").fetchall()))
            time.sleep(0.2)

    def _subscribe(self, connection: psycopg.Connection[Any]) -> None:
        held: Counter[tuple[int, ...]] = Counter()
        upper, of = 0, 0
        for time_, progressed, diff, *row in connection.cursor().stream("SUBSCRIBE v WITH (PROGRESS)"):
            if time_ < upper:
                self.faults.append(f"complete up to {upper}, then came {time_}: {row}")
            if not progressed:
                held[tuple(row)] += diff
                continue
            if upper and time_ > upper:
                of = self._judge(f"SUBSCRIBE at {time_}", of, +held)
                self.followed.append(of)
            upper = time_
            if self._over.is_set() and of >= self.known:
                return


def _until_ready(connection: psycopg.Connection[Any]) -> None:
    def ready() -> set[object]:
        return {name for _, name, _, is_ready in connection.execute("SHOW CLUSTER REPLICAS") if is_ready}

    deadline_s = time.monotonic() + 240
    while ready() != {*_REPLICAS}:
        assert time.monotonic() < deadline_s, f"only {ready()} are ready"
        time.sleep(0.1)


def _trouble(connection: psycopg.Connection[Any], source: random.Random) -> None:
    """Kills or stops a replica, and returns once it, or what came after it, is ready."""
    (pid,) = connection.execute(_PID, (source.choice(_REPLICAS),)).fetchone() or (None,)
    assert isinstance(pid, int)
    if source.random() < 0.5:
        os.kill(pid, signal.SIGKILL)
    else:
        os.kill(pid, signal.SIGSTOP)
        time.sleep(source.choice(_STOPPED_S))
        with contextlib.suppress(ProcessLookupError):  # it is ended when it is stopped for long
            os.kill(pid, signal.SIGCONT)
    # Until the server has seen it.
    time.sleep(1)
    _until_ready(connection)


@pytest.mark.timeout(3000)
def test_nothing_is_wrong_and_nothing_fails_while_replicas_die_or_stand_still(tmp_path: Path, whole: bool) -> None:
    source = random.Random(1)
    server = start_server(tmp_path, "--replicas", "3", "--spark-master", "local[1]")
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (n bigint, k bigint)")
            view = "SELECT k, count(*) AS c, sum(n)::bigint AS s FROM t GROUP BY k"
            connection.execute(f"CREATE VIEW v AS {view}")
            connection.execute(f"CREATE MATERIALIZED VIEW m AS {view}")
            connection.execute("CREATE INDEX i ON v (k)")
            _until_ready(connection)
            load = _Load(server)
            load.start()
            try:
                for _ in range(30 if whole else 3):
                    load.until_more()
                    _trouble(connection, source)
                load.until_more()
            finally:
                load.stop()
                waited_s = sorted(load.waited_s)
                print(
                    f"lookups: {len(waited_s)}, p99 {waited_s[-len(waited_s) // 100]:.3f} s, most {waited_s[-1]:.3f} s"
                )
            assert not load.faults
            assert load.followed[-1] >= load.known and len(set(load.followed)) > 10
    finally:
        assert server.stop() == 0
