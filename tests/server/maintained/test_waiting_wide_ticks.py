"""A wide tick for which no executor is there: seen in SQL, taken over by a newer environment, and ended by DROP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.compute.maintain.wide_on_executors import Standalone
from tests.polling import polls
from tests.server_process import start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_ROWS = 3_000_000
_Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Standalone]:
    (tmp_path / "cluster").mkdir()
    cluster = Standalone(tmp_path / "cluster")
    try:
        yield cluster
    finally:
        cluster.close()


def _reason(connection: _Connection) -> object:
    found = connection.execute(
        "SELECT s.reason FROM mz_internal.mz_dataflow_statuses AS s JOIN mz_objects AS o ON o.id = s.object_id"
        " WHERE o.name = 'waits'"
    ).fetchone()
    return None if found is None else found[0]


def _await_reason(connection: _Connection, reason: str) -> None:
    for _ in polls(300):
        if _reason(connection) == reason:
            return
    raise AssertionError(f"{_reason(connection)!r} and not {reason!r}")


def _exchanges(data: Path) -> list[Path]:
    """Where tasks of wide ticks put their outputs: there while a tick is."""
    return [path for path in data.rglob("wide-*") if path.is_dir()]


@pytest.mark.timeout(900)
def test_a_tick_without_executors_waits_until_it_is_dropped(cluster: Standalone, tmp_path: Path) -> None:
    cluster.add_worker()
    data = tmp_path / "data"
    server = start_server(data, "--spark-master", cluster.url)
    try:
        with server.connect() as connection:
            connection.execute("CREATE TABLE many (k int, x int); CREATE TABLE few (a int); INSERT INTO few VALUES (1)")
            connection.execute(f"INSERT INTO many SELECT g % 1000, g FROM generate_series(1, {_ROWS}) AS g".encode())
            connection.execute("CREATE VIEW small AS SELECT count(*) AS n FROM few; CREATE INDEX ON small (n)")
            assert connection.execute("SELECT n FROM small").fetchall() == [(1,)]
            cluster.end_workers()
            connection.execute("CREATE MATERIALIZED VIEW waits AS SELECT k, max(x) AS x FROM many GROUP BY k")
            _await_reason(connection, "Spark has no executor")
            assert _exchanges(data), "the step is wide"
            connection.execute("INSERT INTO few VALUES (2)")
            assert connection.execute("SELECT n FROM small").fetchall() == [(2,)], "small ticks go on"
        server.kill()
        server = start_server(data, "--spark-master", cluster.url)
        with server.connect() as connection:
            _await_reason(connection, "Spark has no executor")
            connection.execute("DROP MATERIALIZED VIEW waits")
            for _ in polls(300):
                if not _exchanges(data):
                    break
            assert not _exchanges(data), "its jobs have ended, and what they left is gone"
            cluster.add_worker()
            connection.execute("CREATE MATERIALIZED VIEW waits AS SELECT k, max(x) AS x FROM many GROUP BY k")
            found = connection.execute("SELECT count(*), sum(x) FROM waits").fetchall()
            assert found == [(1000, sum(range(_ROWS - 999, _ROWS + 1)))]
    finally:
        server.stop()
