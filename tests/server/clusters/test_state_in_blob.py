"""Replicas whose state lies in blob: killed with the loss of their disk they go on from it, and leave nothing there."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.server.clusters.test_replica_processes import _pid, _until, _until_ready
from tests.server_process import start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

Connection = psycopg.Connection[tuple[object, ...]]


def _keys(data_dir: Path) -> set[str]:
    with closing(sqlite3.connect(data_dir / "consensus.sqlite")) as consensus:
        found: Iterator[tuple[str]] = consensus.execute("SELECT key FROM versions WHERE key LIKE 'arrangements/%'")
        return {key for (key,) in found}


def _objects(data_dir: Path, replica: str) -> list[Path]:
    return [path for path in (data_dir / "blob" / "arrangements" / replica).rglob("*") if path.is_file()]


def _kept(data_dir: Path, replica: str, states: int) -> Callable[[], bool]:
    """Returns whether so many states of a replica have a manifest."""
    return lambda: sum(key.startswith(f"arrangements/{replica}/") for key in _keys(data_dir)) == states


def _opened(data_dir: Path) -> list[str]:
    """Returns of each time that a dataflow was opened whether it had its state."""
    lines = (data_dir / "replica.log").read_text().splitlines()
    return [line.rpartition("hydrated=")[2].split()[0] for line in lines if "dataflow open" in line]


@pytest.mark.timeout(600)
def test_a_replica_goes_on_from_blob_and_leaves_nothing_there(tmp_path: Path) -> None:
    options = ("--spark-master", "local[2]", "--replica-state", "blob")
    server = start_server(tmp_path, *options)
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE t (a int, b int)")
            connection.execute("INSERT INTO t SELECT g, g FROM generate_series(1, 1000) g")
            connection.execute("CREATE VIEW v AS SELECT a % 10 AS a, sum(b) AS s FROM t GROUP BY a % 10")
            connection.execute("CREATE INDEX i ON v (a)")
            connection.execute("CREATE CLUSTER REPLICA \"default\".added (MEMORY '900m', SPARK MASTER 'local[1]')")
            _until_ready(connection)
            (folder,) = (tmp_path / "replicas").iterdir()
            _until(_kept(tmp_path, "r1", 1))
            _until(_kept(tmp_path, folder.name, 1))
            assert not any((tmp_path / "arrangements").glob("*/*")), "the disk has a cache alone"

            os.kill(_pid(connection, "r1"), signal.SIGKILL)
            shutil.rmtree(tmp_path / "state-cache")
            connection.execute("INSERT INTO t VALUES (3, 7)")
            _until(lambda: len(_opened(tmp_path)) == 2)
            assert _opened(tmp_path) == ["False", "True"]
            _until_ready(connection)
            assert connection.execute("SELECT s FROM v WHERE a = 3").fetchone() == (49_807,)

            connection.execute('DROP CLUSTER REPLICA "default".added')
            _until(lambda: not _objects(tmp_path, folder.name) and _kept(tmp_path, folder.name, 0)())
            connection.execute("DROP INDEX i")
            _until(_kept(tmp_path, "r1", 0))
            # What is still in use somewhere goes with that, or at the latest with the next process.
            os.kill(_pid(connection, "r1"), signal.SIGKILL)
            _until(lambda: not _objects(tmp_path, "r1") and _keys(tmp_path) == {"arrangements/r1"})
    finally:
        server.stop()
