"""A replica that SQL makes is a process of its own: found again after a restart, and gone with all it kept once it is
dropped."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.polling import polls
from tests.server_process import start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

Connection = psycopg.Connection[tuple[object, ...]]


def _pid(connection: Connection, name: str) -> int:
    asked = connection.execute("SELECT pid FROM mz_internal.mz_cluster_replicas WHERE name = %s", (name,)).fetchone()
    pid = None if asked is None else asked[0]
    assert isinstance(pid, int)
    return pid


def _until_ready(connection: Connection) -> None:
    while {name for _, name, _, ready in connection.execute("SHOW CLUSTER REPLICAS") if ready} != {"r1", "added"}:
        time.sleep(0.1)


def _until(condition: Callable[[], bool]) -> None:
    for _ in polls(240.0):
        if condition():
            return
    raise AssertionError("it did not come to that")


def _is_kept(connection: Connection) -> bool:
    """Whether the first replica has made checkpoints of the view and of the index, so that there is what to copy."""
    asked = "SELECT count(*) FROM mz_internal.mz_dataflow_checkpoints"
    return connection.execute(asked).fetchone() == (2,)


def _origins(connection: Connection, name: str) -> set[tuple[object, ...]]:
    """Where the states of a replica came from."""
    asked = """SELECT i.name, o.origin, o.copied_from FROM mz_internal.mz_state_origins o
        JOIN mz_internal.mz_cluster_replicas r ON r.id = o.replica_id
        JOIN mz_catalog.mz_objects i ON i.id = o.object_id WHERE r.name = %s AND i.name IN ('v', 'i')"""
    return set(connection.execute(asked, (name,)))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("state", ["disk", "blob"])
def test_a_replica_made_by_sql_takes_over_stays_and_goes(tmp_path: Path, state: str) -> None:
    arguments = ("--spark-master", "local[2]", "--replica-state", state)
    server = start_server(tmp_path, *arguments)
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (a int, b int); INSERT INTO t VALUES (1, 1), (2, 5)")
            connection.execute("CREATE MATERIALIZED VIEW v AS SELECT a, sum(b) AS s FROM t GROUP BY a")
            connection.execute("CREATE INDEX i ON v (a)")
            _until(lambda: _is_kept(connection))
            connection.execute("CREATE CLUSTER REPLICA \"default\".added (MEMORY '900m', SPARK MASTER 'local[1]')")
            _until_ready(connection)
            _until(lambda: _origins(connection, "added") == {("i", "copied", "r1"), ("v", "copied", "r1")})
            assert _origins(connection, "r1") == {("i", "inputs", None), ("v", "inputs", None)}
            added = _pid(connection, "added")
            line = " ".join(psutil.Process(added).cmdline())
            assert "--memory 900m" in line and "--master local[1]" in line
            os.kill(_pid(connection, "r1"), signal.SIGKILL)
            connection.execute("INSERT INTO t VALUES (2, 7)")
            assert connection.execute("SELECT s FROM v WHERE a = 2").fetchone() == (12,)
            _until_ready(connection)
        server.kill()
        server = start_server(tmp_path, *arguments)
        with server.connect() as connection:
            _until_ready(connection)
            assert _pid(connection, "added") == added, "a replica outlives the server"
            (folder,) = (tmp_path / "replicas").iterdir()
            connection.execute('DROP CLUSTER REPLICA "default".added')
            connection.execute("INSERT INTO t VALUES (2, 8)")
            assert connection.execute("SELECT s FROM v WHERE a = 2").fetchone() == (20,)
            _until(lambda: not psutil.pid_exists(added) and not folder.exists())
    finally:
        server.stop()
