"""W1 and W2 on a running server: from the first write until the view is fresh, and maintenance alone.

once       all batches are written without waiting; the clock stops when the view shows the last
each       after each batch the view is waited for
preloaded  the changes lie in the table, committed, before the view exists; so no client's write is timed
"""

from __future__ import annotations

import time

import psycopg

from benchmarks.loading import Connection, as_csv, copy_in
from benchmarks.report import Measure
from benchmarks.workloads import BATCHES, Changes, Totals, Workload, dimension

_RATE_TARGET = 100_000


def measure_grouping(url: str, workload: Workload, changes: Changes) -> list[Measure]:
    target = _RATE_TARGET if workload is Workload.W1 else None
    measures = []
    with psycopg.connect(url, autocommit=True) as connection:
        for mode in ("once", "each"):
            _define(connection)
            _materialize(connection, workload)
            seconds = _write(connection, changes, refresh_each=mode == "each")
            wrong = _read(connection) != changes.totals(workload)
            measures += _measures(f"{workload}, fresh {mode}", changes.count / seconds, target, wrong=wrong)
        _define(connection)
        _write(connection, changes, refresh_each=None)
        began = time.monotonic()
        _materialize(connection, workload)
        seconds = time.monotonic() - began
        wrong = _read(connection) != changes.totals(workload)
        measures += _measures(f"{workload}, preloaded", changes.count / seconds, None, wrong=wrong)
        _drop(connection)
    return measures


def _measures(name: str, rate: float, target: float | None, *, wrong: bool) -> list[Measure]:
    return [
        Measure(f"{name}: Headwater", rate, "changes/s", target),
        Measure(f"{name}: wrong", float(wrong), "", 0, at_least=False),
    ]


def _define(connection: Connection) -> None:
    _drop(connection)
    connection.execute("CREATE TABLE facts (id bigint, k bigint, x bigint)")
    connection.execute("CREATE TABLE dimension (k bigint, g bigint)")
    copy_in(connection, "dimension", as_csv(dimension()))


def _drop(connection: Connection) -> None:
    connection.execute("SET client_min_messages = warning")
    connection.execute("DROP MATERIALIZED VIEW IF EXISTS grouped")
    connection.execute("DROP TABLE IF EXISTS facts, dimension")


def _materialize(connection: Connection, workload: Workload) -> None:
    connection.execute(f"CREATE MATERIALIZED VIEW grouped AS {workload.query}".encode())
    _refresh(connection)


def _refresh(connection: Connection) -> None:
    connection.execute("REFRESH MATERIALIZED VIEW grouped")


def _write(connection: Connection, changes: Changes, *, refresh_each: bool | None) -> float:
    """Seconds until the view is fresh; `refresh_each` None: there is no view."""
    data = [as_csv(changes.rows.slice(ids.start, len(ids))) for ids in map(changes.inserted_in, range(BATCHES))]
    began = time.monotonic()
    for batch, inserts in enumerate(data):
        copy_in(connection, "facts", inserts)
        ids = changes.deleted_in(batch)
        connection.execute(f"DELETE FROM facts WHERE id BETWEEN {ids.start} AND {ids.stop - 1}".encode())
        if refresh_each:
            _refresh(connection)
    if refresh_each is False:
        _refresh(connection)
    return time.monotonic() - began


def _read(connection: Connection) -> Totals:
    rows = connection.execute("SELECT * FROM grouped").fetchall()
    return {int(k): (int(n), int(s)) for k, n, s in rows}
