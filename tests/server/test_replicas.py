"""Where queries run: on a replica that somebody else started, and on either of two of which one is killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests.server_process import start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_PID = "SELECT pid FROM mz_internal.mz_cluster_replicas WHERE name = %s"


@pytest.mark.timeout(300)
def test_a_replica_started_by_hand_serves_one_server_after_another(tmp_path: Path) -> None:
    secret = {"HEADWATER_REPLICA_SECRET": "told to both"}
    line = [sys.executable, "-m", "server.cli", "replica", "--listen", "127.0.0.1:0", "--memory", "1g"]
    log = tmp_path / "replica.log"
    with log.open("wb") as output:
        replica = subprocess.Popen(
            [*line, "--data-dir", str(tmp_path / "replica")],
            env={**os.environ, **secret},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        options = ("--replica", _address(log))
        for sum_ in (3, 6):
            server = start_server(tmp_path / "data", *options, environment=secret)
            with server.connect() as connection:
                connection.execute("CREATE TABLE IF NOT EXISTS t (a int)")
                connection.execute("INSERT INTO t VALUES (1), (2)")
                assert connection.execute("SELECT sum(a) FROM t").fetchone() == (sum_,)
            assert server.stop() == 0
            assert replica.poll() is None
        server = start_server(tmp_path / "data", *options, environment={"HEADWATER_REPLICA_SECRET": "another"})
        with server.connect() as connection:
            with pytest.raises(Exception, match="replica") as caught:
                connection.execute("SELECT sum(a) FROM t GROUP BY a")
        assert "secret" in str(caught.value)
        server.stop()
        _serves_a_cluster_of_sql(tmp_path / "data", _address(log), secret)
        assert replica.poll() is None
    finally:
        replica.terminate()
        assert replica.wait(timeout=60) == 0


def _serves_a_cluster_of_sql(data_dir: Path, address: str, secret: dict[str, str]) -> None:
    """The replica is one of SQL's cluster, through a restart of the server, of which no other replica is up."""
    for _ in range(2):
        server = start_server(data_dir, "--replica", f"unix:{data_dir}/nobody", environment=secret)
        with server.connect() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS u (a int, b int)")
            connection.execute("INSERT INTO u VALUES (1, 1), (1, 2)")
            connection.execute(f"CREATE CLUSTER IF NOT EXISTS far REPLICAS (a (ADDRESS '{address}'))")
            connection.execute("CREATE MATERIALIZED VIEW IF NOT EXISTS m IN CLUSTER far AS SELECT sum(b) AS s FROM u")
            connection.execute("SET cluster = far")
            assert connection.execute("SELECT s = (SELECT sum(b) FROM u) FROM m").fetchone() == (True,)
            told = connection.execute("SELECT name, pid, address FROM mz_internal.mz_cluster_replicas ORDER BY name")
            assert told.fetchall() == [("a", None, address), ("r1", None, None)]
            with pytest.raises(psycopg.errors.DuplicateObject, match=r'cluster replica "far\.a" is at'):
                connection.execute(f"CREATE CLUSTER again REPLICAS (a (ADDRESS '{address}'))")
        assert server.stop() == 0


def _address(log: Path) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        match = re.search(r"address=\S*?(127\.0\.0\.1:\d+)", log.read_text())
        if match is not None:
            return match[1]
        time.sleep(0.1)
    raise AssertionError(log.read_text())


def _ready(connection: psycopg.Connection[tuple[object, ...]]) -> set[object]:
    return {name for _, name, _, ready in connection.execute("SHOW CLUSTER REPLICAS") if ready}


def _until_ready(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    while _ready(connection) != {"r1", "r2"}:
        time.sleep(0.1)


@pytest.mark.timeout(600)
def test_either_replica_may_be_killed_under_reads_and_writes(tmp_path: Path) -> None:
    server = start_server(tmp_path, "--replicas", "2", "--spark-master", "local[2]")
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (a int, b int)")
            connection.execute("CREATE MATERIALIZED VIEW v AS SELECT a, sum(b) AS s, count(*) AS n FROM t GROUP BY a")
            connection.execute("CREATE INDEX i ON v (a)")
            _until_ready(connection)
            written, answered = 0, 0
            for killed in ("r1", "r2"):
                (pid,) = connection.execute(_PID, (killed,)).fetchone() or (None,)
                assert isinstance(pid, int)
                os.kill(pid, signal.SIGKILL)
                away = came_back = False
                while not came_back:
                    written += 1
                    connection.execute("INSERT INTO t VALUES (%s, %s)", (written % 3, written))
                    expected = [(sum(range(k, written + 1, 3)), len(range(k or 3, written + 1, 3))) for k in (0, 1, 2)]
                    found = connection.execute("SELECT a, s, n FROM v ORDER BY a").fetchall()
                    assert found == [(k, *each) for k, each in enumerate(expected) if each[1]]
                    ready = killed in _ready(connection)
                    away = away or not ready
                    came_back = away and ready
                    answered += not ready
                    # Both have to come up beside what they are asked.
                    time.sleep(0.1)
            assert answered > 2, "while one was away"
    finally:
        assert server.stop() == 0
