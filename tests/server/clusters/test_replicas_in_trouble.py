"""Three replicas as real processes, of which one is killed or stopped again and again, under reads, writes and a
SUBSCRIBE: no answer is wrong, and none is an error. Trouble befalls a replica only once all are up to date.

One writer counts, as in `tests.simulation.clusters`: what a view holds says of which transaction it is. `--whole` has
thirty rounds instead of two.
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
_QUIET = 150
_PATIENCE_S = 900
"""A replica may take so long to start beside the others on a starved machine."""
_BEHIND = """SELECT r.name, o.name, f.write_frontier FROM mz_internal.mz_cluster_replicas r
    JOIN mz_catalog.mz_objects o ON o.name IN ('m', 'i') LEFT JOIN mz_internal.mz_cluster_replica_frontiers f
    ON f.replica_id = r.id AND f.object_id = o.id WHERE f.write_frontier IS NULL OR f.write_frontier <= %s"""
_PID = "SELECT pid FROM mz_internal.mz_cluster_replicas WHERE name = %s"


def _contents(j: int) -> Counter[tuple[int, int, int]]:
    """What the view holds after transaction j."""
    of: dict[int, list[int]] = {}
    for n in range(max(1, j - _WINDOW + 1), j + 1):
        of.setdefault(n % _KEYS, []).append(n)
    return Counter((key, len(ns), sum(ns)) for key, ns in of.items())


class _Load:
    """Clients in threads. `faults` is what was wrong, or failed; `lookups` are the times at which each lookup was
    begun and answered."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        self._over = threading.Event()
        self.known = self.asked = 0
        self.faults: list[str] = []
        self.lookups: list[tuple[float, float]] = []
        self.followed: list[int] = []
        parties = (self._write, self._look_up, self._look_up, self._read, self._subscribe)
        self._threads = [threading.Thread(target=self._run, args=(party,)) for party in parties]

    def start(self) -> None:
        for each in self._threads:
            each.start()

    def until_more(self) -> None:
        """Returns once more has been written, read and followed; at once when something has gone wrong."""
        known, looked_up, followed = self.known, len(self.lookups), len(self.followed)
        deadline_s = time.monotonic() + _PATIENCE_S
        while not self.faults and not (
            self.known > known and len(self.lookups) > looked_up and len(self.followed) > followed
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
                self.lookups.append((begun_s, time.monotonic()))
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

    deadline_s = time.monotonic() + _PATIENCE_S
    while ready() != {*_REPLICAS}:
        assert time.monotonic() < deadline_s, f"only {ready()} are ready"
        time.sleep(0.1)
    # Spark may be there before the state is: each is to have the view and the index as of now.
    (now,) = connection.execute("SELECT mz_now() FROM t LIMIT 1").fetchone() or ("0",)
    deadline_s = time.monotonic() + _PATIENCE_S
    while (behind := connection.execute(_BEHIND, (now,)).fetchall()) != []:
        assert time.monotonic() < deadline_s, f"behind {now}: {behind}"
        time.sleep(0.1)


def _trouble(connection: psycopg.Connection[Any], source: random.Random) -> str:
    """Kills or stops a replica, and returns what it did once the replica, or what came after it, is up to date."""
    name = source.choice(_REPLICAS)
    (pid,) = connection.execute(_PID, (name,)).fetchone() or (None,)
    assert isinstance(pid, int)
    if source.random() < 0.5:
        did = f"{name} killed"
        os.kill(pid, signal.SIGKILL)
    else:
        stopped_s = source.choice(_STOPPED_S)
        did = f"{name} stopped for {stopped_s:.0f} s"
        os.kill(pid, signal.SIGSTOP)
        time.sleep(stopped_s)
        with contextlib.suppress(ProcessLookupError):  # it is ended when it is stopped for long
            os.kill(pid, signal.SIGCONT)
    # Until the server has seen it.
    time.sleep(1)
    _until_ready(connection)
    return did


def _p99_s(lookups: list[tuple[float, float]]) -> float:
    waited_s = sorted(answered_s - begun_s for begun_s, answered_s in lookups)
    return waited_s[-1 - len(waited_s) // 100]


def _told(load: _Load, quiet_until_s: float, troubles: list[tuple[float, str]]) -> None:
    """Tells what lookups took, beside those before anything befell a replica, and the slowest with what had befallen
    last."""
    quiet = [each for each in load.lookups if each[1] <= quiet_until_s]
    others = load.lookups[len(quiet) :]
    if not quiet or not others:
        return
    calm_s, troubled_s = _p99_s(quiet), _p99_s(others)
    print(f"{len(troubles)} rounds; quiet: {len(quiet)} lookups, p99 {calm_s:.3f} s; in trouble: ", end="")
    print(f"{len(others)}, p99 {troubled_s:.3f} s, ", end="")
    print(f"{troubled_s / calm_s:.1f} times")
    for begun_s, answered_s in sorted(others, key=lambda each: each[0] - each[1])[:5]:
        last_s, what = max((each for each in troubles if each[0] <= answered_s), default=(begun_s, "nothing"))
        print(f"{answered_s - begun_s:.3f} s, begun {begun_s - last_s:+.3f} s after: {what}")


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
            troubles: list[tuple[float, str]] = []
            load.start()
            quiet_until_s = float("inf")
            try:
                while len(load.lookups) < _QUIET:
                    load.until_more()
                quiet_until_s = time.monotonic()
                for _ in range(30 if whole else 2):
                    load.until_more()
                    begun_s = time.monotonic()
                    troubles.append((begun_s, "trouble"))
                    troubles[-1] = begun_s, _trouble(connection, source)
                load.until_more()
            finally:
                load.stop()
                _told(load, quiet_until_s, troubles)
            assert not load.faults
            assert load.followed[-1] >= load.known and len(set(load.followed)) > 10
    finally:
        assert server.stop() == 0
