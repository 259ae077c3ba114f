"""What a change of 1,000 rows costs on bases of several sizes, through the whole server; and what hydrating them costs.

The time is from the acknowledged COPY to the answer of REFRESH: the tick with all that is around it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

import numpy as np
import psycopg
import pyarrow as pa

from benchmarks.loading import Connection, as_csv, copy_in
from benchmarks.report import Measure

_DELTA_ROWS = 1_000
_WARM, _TICKS = 10, 15
_ROWS_PER_KEY = 10
_HYDRATION_TARGET_S = 60.0
_TARGET_ROWS = 10_000_000
_RATIO_MAX = 2.0
# A group-by, a join and a group-by, the three greatest of each key.
VIEWS = {
    "group": "SELECT k, count(*) AS n, sum(x) AS s FROM base GROUP BY k",
    "join": "SELECT d.k, count(*) AS n, sum(x) AS s FROM base JOIN dimension d ON base.k = d.k GROUP BY d.k",
    "top": "SELECT k, x FROM (SELECT k, x, row_number() OVER (PARTITION BY k ORDER BY x DESC) AS p FROM base)"
    " AS ranked WHERE p <= 3",
}


def measure_deltas(url: str, bases: Sequence[int], names: Sequence[str]) -> list[Measure]:
    """Of `names` of VIEWS, on each base."""
    measures: list[Measure] = []
    first: dict[str, float] = {}
    for base in bases:
        with psycopg.connect(url, autocommit=True) as connection:
            fill(connection, base)
            for name in names:
                hydration, ticks = _course(connection, VIEWS[name], base)
                median = statistics.median(ticks)
                first.setdefault(name, median)
                measures += _measures(name, base, hydration, median, median / first[name])
            connection.execute("DROP TABLE base, dimension")
    return measures


def fill(connection: Connection, base: int) -> None:
    """`base (k, x)` with ten rows a key, `dimension (k)` with each key."""
    keys = base // _ROWS_PER_KEY
    series = f"generate_series(0, {base - 1}::bigint) AS g"
    connection.execute("SET client_min_messages = warning")
    connection.execute("CREATE TABLE base (k bigint, x bigint)")
    connection.execute(f"INSERT INTO base SELECT g % {keys}, g * 7919 % 1000003 FROM {series}".encode())
    connection.execute("CREATE TABLE dimension (k bigint)")
    connection.execute(f"INSERT INTO dimension SELECT g FROM generate_series(0, {keys - 1}::bigint) AS g".encode())


def _course(connection: Connection, query: str, base: int) -> tuple[float, list[float]]:
    """Seconds of hydration, and of each tick when warm."""
    source = np.random.default_rng(5)
    began = time.monotonic()
    connection.execute(f"CREATE MATERIALIZED VIEW kept AS {query}".encode())
    connection.execute("REFRESH MATERIALIZED VIEW kept")
    hydration = time.monotonic() - began
    ticks = []
    for index in range(_WARM + _TICKS):
        keys, values = source.integers(0, base // _ROWS_PER_KEY, _DELTA_ROWS), source.integers(0, 10**6, _DELTA_ROWS)
        copy_in(connection, "base", as_csv(pa.table({"k": keys, "x": values})))
        began = time.monotonic()
        connection.execute("REFRESH MATERIALIZED VIEW kept")
        if index >= _WARM:
            ticks.append(time.monotonic() - began)
    connection.execute("DROP MATERIALIZED VIEW kept")
    return hydration, ticks


def _measures(name: str, base: int, hydration: float, tick: float, ratio: float) -> list[Measure]:
    aimed = base >= _TARGET_ROWS
    what = f"server: {name}, 1,000 on {base:,}"
    goal = _HYDRATION_TARGET_S if aimed and name == "group" else None
    return [
        Measure(f"{what}: hydration", hydration, "s", goal, at_least=False),
        Measure(f"{what}: commit to fresh", tick * 1000, "ms"),
        Measure(f"{what}: ratio to the least base", ratio, "times", _RATIO_MAX if aimed else None, at_least=False),
    ]
