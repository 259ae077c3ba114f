"""Where queries run: on executors of their own, on a replica that somebody else started, and on either of two of which
one is killed.

Without `--whole` executors answer the first records of each file alone.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.polling import polls
from tests.server_process import ServerProcess, start_server
from tests.slt.records import files, parse
from tests.slt.runner import own_schema, run

pytestmark = [pytest.mark.spark, pytest.mark.slow]

# Kinds that run otherwise on executors: Python functions, shuffles, aggregates, correlated subqueries, writes.
_FILES = ("arrays", "dml", "grouping", "joins", "subqueries")
_RECORDS_MAX, _FIRST_RECORDS = 40, 8
_PID = "SELECT pid FROM mz_internal.mz_cluster_replicas WHERE name = %s"


@pytest.fixture(scope="module")
def on_executors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = start_server(tmp_path_factory.mktemp("executors"), "--spark-master", "local-cluster[2,1,2048]")
    try:
        yield server
    finally:
        server.stop()


@pytest.mark.timeout(600)
def test_large_inputs_are_read_by_executors(on_executors: ServerProcess) -> None:
    with on_executors.connect() as connection:
        connection.execute("CREATE TABLE large (a int, b text)")
        with connection.cursor().copy("COPY large FROM STDIN") as copy:
            for n in range(80_000):
                copy.write_row((n, f"row {n}"))
        asked = connection.execute("SELECT a % 3, count(*), sum(a), max(b) FROM large GROUP BY 1 ORDER BY 1")
        assert asked.fetchall() == [
            (r, len(range(r, 80_000, 3)), sum(range(r, 80_000, 3)), max(f"row {n}" for n in range(r, 80_000, 3)))
            for r in range(3)
        ]
        # What Spark has no function for runs as Python, in the executors.
        asked = connection.execute("SELECT sum(length(to_char(a, 'FM999,999'))) FROM large")
        assert asked.fetchall() == [(sum(len(f"{n:,}") for n in range(80_000)),)]
    jvms = [" ".join(each.cmdline()) for each in psutil.Process(on_executors.process.pid).children(recursive=True)]
    assert sum("CoarseGrainedExecutorBackend" in line for line in jvms) == 2


@pytest.mark.timeout(1800)
def test_large_views_are_hydrated_by_executors(on_executors: ServerProcess) -> None:
    rows, times = 400_000, 8
    with on_executors.connect() as connection:
        connection.execute("CREATE TABLE many (k int, x int)")
        connection.execute("CREATE TABLE few (k int, name text)")
        connection.execute(f"INSERT INTO many SELECT g % 1000, g FROM generate_series(1, {rows}) AS g".encode())
        for _ in range(3):
            connection.execute("INSERT INTO many SELECT * FROM many")
        connection.execute("INSERT INTO few SELECT g, 'key ' || g FROM generate_series(0, 999) AS g")
        connection.execute(
            "CREATE MATERIALIZED VIEW named AS"
            " SELECT name, count(*) AS n, sum(x) AS s, max(x) AS most FROM many JOIN few USING (k) GROUP BY name"
        )
        asked = "SELECT name, n, s, most FROM named WHERE name IN ('key 0', 'key 7', 'key 999') ORDER BY name"

        def expected(further: int, more: int = 0) -> list[tuple[str, int, int, int]]:
            found = {k: [*range(k or 1000, rows + 1, 1000)] * times + [1] * (more // 1000) for k in (0, 7, 999)}
            found[7] += [further] * (further > 0)
            return [(f"key {k}", len(xs), sum(xs), max(xs)) for k, xs in found.items()]

        assert connection.execute(asked).fetchall() == expected(0)
        tasks = _tasks_of_wide_ticks(connection, 1)
        # Later ticks go on from what the tasks have sorted, and large ones are wide again.
        connection.execute("INSERT INTO many VALUES (7, 1000000)")
        assert connection.execute(asked).fetchall() == expected(1_000_000)
        more, partitions = 2_000_000, 3
        connection.execute(f'ALTER CLUSTER "default" SET (PARTITIONS {partitions})'.encode())
        connection.execute(f"INSERT INTO many SELECT g % 1000, 1 FROM generate_series(1, {more}) AS g".encode())
        assert connection.execute(asked).fetchall() == expected(1_000_000, more)
        later = _tasks_of_wide_ticks(connection, 2)
        assert later > tasks and (later - tasks) % partitions == 0


def _tasks_of_wide_ticks(connection: psycopg.Connection[tuple[object, ...]], ticks: int) -> int:
    """How many tasks there were, once the replica has told of so many wide ticks, as it does now and then."""
    for _ in polls(600):
        told = connection.execute(
            "SELECT tasks FROM mz_internal.mz_dataflow_ticks AS t JOIN mz_objects AS o ON o.id = t.object_id"
            f" WHERE o.name = 'named' AND wide_ticks = {ticks}".encode()
        ).fetchone()
        if told is not None:
            assert isinstance(told[0], int)
            return told[0]
    raise AssertionError(f"there were not {ticks} wide ticks")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", [path for path in files() if path.stem in _FILES], ids=lambda path: path.stem)
def test_executors_answer_as_postgres_did(
    on_executors: ServerProcess, request: pytest.FixtureRequest, path: Path
) -> None:
    count = _RECORDS_MAX if request.config.getoption("--whole") else _FIRST_RECORDS
    records = [record for record in parse(path.read_text()) if not record.skipped][:count]
    with on_executors.connect() as connection, own_schema(connection, f"slt_{path.stem}"):
        differences = run(connection, records)
    assert not differences, f"{len(differences)} of {len(records)} differ\n" + "\n".join(map(str, differences))


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
    finally:
        replica.terminate()
        assert replica.wait(timeout=60) == 0


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
