"""Servers that follow each other: a takeover after kill -9, a changeover on command, a restart, as for an upgrade."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

from benchmarks.report import Measure
from tests.server_process import ServerProcess, start_server

_TIMEOUT_S = 180.0
_CONNECT_S = 2


def measure_changeovers(rows: int) -> Iterator[Measure]:
    """Seconds without an acknowledged write, and until an index of so many rows answers; what is acknowledged is
    there."""
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as ending:
        data_dir = Path(directory) / "data"

        def started(*options: str) -> ServerProcess:
            server = start_server(data_dir, *options, timeout_s=_TIMEOUT_S)
            ending.callback(lambda: server.process.poll() is None and server.stop())
            return server

        leader = started("--standby")
        while True:
            with contextlib.suppress(psycopg.OperationalError), leader.connect() as connection:
                _fill(connection, rows)
                break
            time.sleep(0.1)
        following = started("--standby")
        leader.kill()
        yield from _after("kill -9 of the leader", [following], time.monotonic(), rows)
        third = started("--standby")
        with following.connect() as connection:
            while connection.execute("SELECT ready FROM mz_internal.mz_standbys").fetchall() != [(True,)]:
                time.sleep(0.1)
            with contextlib.suppress(psycopg.OperationalError):
                connection.execute("ALTER SYSTEM PROMOTE")
        yield from _after("ALTER SYSTEM PROMOTE", [third], time.monotonic(), rows)
        following.stop()
        began = time.monotonic()
        third.stop()
        last = started()
        yield from _after("stop and start of the server and its replica", [last], began, rows)


def _fill(connection: psycopg.Connection[tuple[object, ...]], rows: int) -> None:
    connection.execute("CREATE TABLE counted (k bigint, x bigint)")
    connection.execute(f"INSERT INTO counted SELECT g, g FROM generate_series(1, {rows}::bigint) AS g".encode())
    connection.execute("CREATE VIEW counts AS SELECT k, count(*) AS c FROM counted GROUP BY k")
    connection.execute("CREATE INDEX counts_by_k ON counts (k)")
    connection.execute("SELECT c FROM counts WHERE k = 1").fetchall()
    checkpoints = "SELECT count(*) > 0 FROM mz_internal.mz_dataflow_checkpoints"
    while connection.execute(checkpoints.encode()).fetchall() != [(True,)]:
        time.sleep(0.1)


def _after(what: str, servers: list[ServerProcess], began: float, rows: int) -> Iterator[Measure]:
    place = f"host={','.join(each.host for each in servers)} port={','.join(str(each.port) for each in servers)}"
    while True:
        try:
            with psycopg.connect(
                f"{place} user=headwater dbname=headwater", connect_timeout=_CONNECT_S, autocommit=True
            ) as connection:
                connection.execute(f"INSERT INTO counted VALUES ({rows}, 0)".encode())
                yield Measure(f"{what}: until a write is acknowledged", time.monotonic() - began, "s")
                found = connection.execute(f"SELECT c FROM counts WHERE k = {rows}".encode()).fetchone()
                yield Measure(f"{what}: until an index of {rows:,} rows answers", time.monotonic() - began, "s")
                connection.execute(f"DELETE FROM counted WHERE k = {rows} AND x = 0".encode())
                yield Measure(f"{what}: wrong", float(found is None or int(str(found[0])) < 2), "", 0, at_least=False)
                return
        except psycopg.OperationalError:
            time.sleep(0.05)
