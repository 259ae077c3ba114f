"""Several replicas of a cluster: what watched views cost, and how fast a replica joins by copying beside hydrating."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import psycopg

from benchmarks.freshness import measure_freshness
from benchmarks.loading import Connection
from benchmarks.report import Measure
from benchmarks.server import Headwater

_RATE = 10
_LOOK_S = 0.05
_CHECKPOINTS = "SELECT count(*) FROM mz_internal.mz_dataflow_checkpoints c JOIN mz_catalog.mz_objects o"
_JOINED = """SELECT o.origin FROM mz_internal.mz_state_origins o JOIN mz_catalog.mz_objects i ON i.id = o.object_id
    JOIN mz_internal.mz_cluster_replicas r ON r.id = o.replica_id WHERE i.name = 'joined_by_k' AND r.name = %s"""
_COMPLETE = """SELECT f.write_frontier > %s FROM mz_internal.mz_cluster_replica_frontiers f
    JOIN mz_catalog.mz_objects i ON i.id = f.object_id JOIN mz_internal.mz_cluster_replicas r ON r.id = f.replica_id
    WHERE i.name = 'joined_by_k' AND r.name = %s"""


def measure_watched(server: Headwater, replicas: int, views: int, seconds: float) -> Iterator[Measure]:
    """Watched views on so many replicas: how fresh they are, and the processor's time of a view's tick, of all
    processes."""
    busy_s, ticks = _busy_s(server), _ticks(server)
    for measure in measure_freshness(server.url, views, (_RATE,), seconds):
        yield replace(measure, name=f"{replicas} replicas: {measure.name}", target=None)
    done = _ticks(server) - ticks
    name = f"{replicas} replicas, {views} views: processor's time of a tick of the leader's"
    yield Measure(name, (_busy_s(server) - busy_s) / max(done, 1.0) * 1000, "ms")


def measure_join(server: Headwater, rows: int) -> Iterator[Measure]:
    """From CREATE CLUSTER REPLICA until the new replica has an index of so many rows, of a view that sums."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE joined (k bigint, x bigint)")
        connection.execute(
            f"INSERT INTO joined SELECT g % {rows}, g FROM generate_series(0, {2 * rows - 1}::bigint) AS g".encode()
        )
        connection.execute("CREATE VIEW joined_sums AS SELECT k, sum(x) AS s FROM joined GROUP BY k")
        connection.execute("CREATE INDEX joined_by_k ON joined_sums (k)")
        connection.execute("SELECT s FROM joined_sums WHERE k = 3").fetchall()
        _until(connection, f"{_CHECKPOINTS} ON o.id = c.object_id WHERE o.name = 'joined_by_k'", (), 1)
        yield from _joined(connection, "copying", "copied", rows)
        # Without what there is to copy: it is put back before the next process looks for it.
        kept, aside = server.data_dir / "arrangements", server.data_dir / "aside"
        kept.rename(aside)
        try:
            yield from _joined(connection, "hydrating", "inputs", rows)
        finally:
            _put_back(aside, kept)
        connection.execute("DROP TABLE joined CASCADE")


def _joined(connection: Connection, name: str, origin: str, rows: int) -> Iterator[Measure]:
    began = time.monotonic()
    connection.execute(f'CREATE CLUSTER REPLICA "default".{name}'.encode())
    ready = "SELECT ready FROM (SELECT s.status = 'ready' AS ready FROM mz_internal.mz_cluster_replica_statuses s"
    ready += " JOIN mz_internal.mz_cluster_replicas r ON r.id = s.replica_id WHERE r.name = %s) AS s"
    (now,) = connection.execute("SELECT mz_now() FROM joined LIMIT 1").fetchone() or ("0",)
    _until(connection, ready, (name,), True)
    spark_s = time.monotonic() - began
    _until(connection, _COMPLETE, (now, name), True)
    seconds = time.monotonic() - began
    _until(connection, _JOINED, (name,), origin)
    connection.execute(f'DROP CLUSTER REPLICA "default".{name}'.encode())
    yield Measure(f"join by {name}, {rows:,} rows arranged: until it is up to date", seconds, "s")
    yield Measure(f"join by {name}, {rows:,} rows arranged: of that, until Spark was there", spark_s, "s")


def _put_back(aside: Path, kept: Path) -> None:
    """Gives the first replica its states again; what it may have begun meanwhile is less."""
    if kept.exists():
        for each in aside.iterdir():
            if not (kept / each.name).exists():
                each.rename(kept / each.name)
    else:
        aside.rename(kept)


def _until(connection: Connection, sql: str, parameters: tuple[object, ...], wanted: object) -> None:
    while connection.execute(sql.encode(), parameters).fetchall() != [(wanted,)]:
        time.sleep(_LOOK_S)


def _ticks(server: Headwater) -> float:
    with psycopg.connect(server.url, autocommit=True) as connection:
        rows = connection.execute("SELECT ticks FROM mz_internal.mz_dataflow_ticks").fetchall()
    return float(sum(ticks for (ticks,) in rows))


def _busy_s(server: Headwater) -> float:
    """The processor's time of all processes of the server and its replicas."""
    mark = str(server.data_dir)
    found: dict[int, psutil.Process] = {}
    for process in psutil.process_iter(["cmdline"]):
        if any(mark in word for word in process.info["cmdline"] or ()):
            found |= {each.pid: each for each in (process, *process.children(recursive=True))}
    times = [each.cpu_times() for each in found.values()]
    return float(sum(each.user + each.system for each in times))
