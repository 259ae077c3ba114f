"""A machine that does much else: clients time out and try again, views hydrate, and no cancel costs anybody else.

CI starves a server for some seconds, with a few clients and views, who wait less long; by hand `--starved-minutes N`
does it for so long, by `--starved-processes N` that do nothing but that, and `--whole` takes more clients and views.
Its figures are printed (`-s`).
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

from tests.server_process import ServerProcess, java_of, start_server

_CLIENTS, _VIEWS = 4, 5
_CLIENTS_WHOLE, _VIEWS_WHOLE = 10, 20
_TIMEOUT, _TIMEOUT_WHOLE = "4s", "15s"
_HYDRATED_WITHIN_S = 300.0
_TIMED_OUT = "57014"


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.time_by("--starved-minutes", 90)
def test_timeouts_on_a_starved_machine_cost_nobody_else(
    tmp_path: Path, request: pytest.FixtureRequest, whole: bool
) -> None:
    clients, views = (_CLIENTS_WHOLE, _VIEWS_WHOLE) if whole else (_CLIENTS, _VIEWS)
    timeout = _TIMEOUT_WHOLE if whole else _TIMEOUT
    minutes = request.config.getoption("--starved-minutes")
    server = start_server(tmp_path / "data")
    try:
        _fill(server)
        before = java_of(tmp_path / "data")
        told: Counter[str] = Counter()
        with _starved(request.config.getoption("--starved-processes")):
            _starve(server, 60.0 * minutes, told, clients, views, timeout)
            under_load = _hydrated(server)
        began = time.monotonic()
        while (hydrated := _hydrated(server)) < views and time.monotonic() - began < _HYDRATED_WITHIN_S:
            time.sleep(1)
        took = time.monotonic() - began
        print(f"\n{dict(told)}; {under_load} of {views} hydrated under load, {hydrated} after {took:.0f} s more")
        assert java_of(tmp_path / "data") == before, "the JVM was ended"
        assert told.keys() <= {"rows", _TIMED_OUT}, "somebody paid for another's timeout"
        assert hydrated == views
    finally:
        server.stop()


def _fill(server: ServerProcess) -> None:
    with server.connect() as connection:
        for table in ("a", "b"):
            connection.execute(f"CREATE TABLE {table} (k int, v int, t text)")
            connection.execute(
                f"INSERT INTO {table} SELECT i % 1000, i, 'text ' || i FROM generate_series(1, 20000) AS s(i)"
            )
        connection.execute("SELECT a.k, count(*) FROM a JOIN b USING (k) GROUP BY a.k ORDER BY 1 LIMIT 3")


def _starve(server: ServerProcess, seconds: float, told: Counter[str], clients: int, views: int, timeout: str) -> None:
    """Makes views, while clients ask for what takes longer than `timeout`, as long as they wait."""
    end = time.monotonic() + seconds
    numbers = count()

    def ask() -> None:
        with server.connect() as connection:
            connection.execute(f"SET statement_timeout = '{timeout}'")
            while time.monotonic() < end:
                number = next(numbers)  # another plan each time
                query = f"SELECT k + {number} AS k, count(*), max(t) FROM a JOIN b USING (k, v, t) "
                query += f"WHERE v % {number + 2} > 0 GROUP BY 1 ORDER BY 2, 1 LIMIT 5"
                try:
                    connection.execute(query).fetchall()
                    told["rows"] += 1
                except psycopg.Error as error:
                    told[error.sqlstate or type(error).__name__] += 1

    asking = [threading.Thread(target=ask) for _ in range(clients)]
    for client in asking:
        client.start()
    with server.connect() as connection:
        for number in range(views):
            connection.execute(
                f"CREATE MATERIALIZED VIEW v{number} AS SELECT a.k % {number + 2} AS k, count(*), max(b.v), "
                f"sum(a.v + {number}) FROM a JOIN b USING (k) WHERE a.v % 20 = {number} GROUP BY 1"
            )
    for client in asking:
        client.join()


def _hydrated(server: ServerProcess) -> int:
    with server.connect() as connection:
        asked = "SELECT count(*) FROM mz_internal.mz_hydration_statuses s JOIN mz_catalog.mz_materialized_views v "
        row = connection.execute(asked + "ON v.id = s.object_id WHERE s.hydrated").fetchone()
    assert row is not None
    return int(str(row[0]))


@contextmanager
def _starved(processes: int) -> Iterator[None]:
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()
