"""An ad-hoc aggregate over small and large tables: Headwater, the same SQL in a Spark session, PostgreSQL."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path

import psycopg
from pyspark.sql import SparkSession

from benchmarks.report import Measure
from compute.replica.peeks.peek import SMALL_ROWS_MAX
from compute.spark.session import Profile, SparkOptions, profile_sessions, start_session, stop_session

_QUERY = (
    "SELECT k, count(*) AS n, sum(x) AS total, max(x) AS most FROM {table} WHERE x <> {other} GROUP BY k ORDER BY k"
)
_OTHERS = count(-1, -1)
_WARM_SECONDS = 8.0
_WARM_RUNS_MIN = 5
_RUNS = 7
_RATIO_MAX = 1.5


def fill(url: str, rows: Sequence[int]) -> None:
    """Tables `numbers_N` of N rows: 1,000 keys, a value, some text."""
    with psycopg.connect(url, autocommit=True) as connection:
        for size in rows:
            connection.execute(f"DROP TABLE IF EXISTS numbers_{size}")
            connection.execute(f"CREATE TABLE numbers_{size} (k int, x bigint, note text)")
            connection.execute(
                f"INSERT INTO numbers_{size}"
                f" SELECT (g % 1000)::int, g, 'note ' || (g % 100)::text FROM generate_series(1, {size}::bigint) AS g"
            )


def over_the_wire(url: str, rows: Sequence[int]) -> dict[int, float]:
    """The median time of the query on each table, in seconds, warm."""
    with psycopg.connect(url, autocommit=True) as connection:
        times = {}
        for size in rows:
            times[size] = _median(partial(_fetched, connection, f"numbers_{size}"))
        return times


def _query(table: str) -> str:
    """The query with another literal each time, so that no plan and no shuffle of an earlier run answers it."""
    return _QUERY.format(table=table, other=next(_OTHERS))


def _fetched(connection: psycopg.Connection[tuple[object, ...]], table: str) -> object:
    return connection.execute(_query(table)).fetchall()


def _collected(session: SparkSession, table: str) -> object:
    return session.sql(_query(table)).toArrow()


def on_bare_spark(blob: Path, shards: dict[int, str]) -> dict[int, float]:
    """The same query over the very files of each table, in a session as the replica's own."""
    with tempfile.TemporaryDirectory() as directory:
        session = start_session(SparkOptions(app_dir=Path(directory), memory="4g"))
        sessions = profile_sessions(session)
        try:
            times = {}
            for size, shard in shards.items():
                sized = sessions[_profile(size)]
                frame = sized.read.parquet(str(blob / "part" / shard))
                frame.toDF("k", "x", "note").createOrReplaceTempView(f"numbers_{size}")
                times[size] = _median(partial(_collected, sized, f"numbers_{size}"))
            return times
        finally:
            stop_session(session)


def _profile(rows: int) -> Profile:
    """As the replica chooses."""
    return Profile.SMALL if rows <= SMALL_ROWS_MAX else Profile.LARGE


def _median(run: Callable[[], object]) -> float:
    began, runs = time.monotonic(), 0
    while runs < _WARM_RUNS_MIN or time.monotonic() - began < _WARM_SECONDS:
        run()
        runs += 1
    times = []
    for _ in range(_RUNS):
        began = time.monotonic()
        run()
        times.append(time.monotonic() - began)
    return statistics.median(times)


def compare(ours: dict[int, float], spark: dict[int, float], postgres: dict[int, float]) -> list[Measure]:
    """Times in milliseconds, and the ratio that counts."""
    measures = []
    for size, seconds in ours.items():
        measures += [
            Measure(f"aggregate of {size:,} rows: Headwater", seconds * 1000, "ms"),
            Measure(f"aggregate of {size:,} rows: bare Spark", spark[size] * 1000, "ms"),
            Measure(f"aggregate of {size:,} rows: PostgreSQL", postgres[size] * 1000, "ms"),
            Measure(
                f"aggregate of {size:,} rows: Headwater / Spark",
                seconds / spark[size],
                "times",
                _RATIO_MAX,
                at_least=False,
            ),
        ]
    return measures


def shards_of(url: str, rows: Sequence[int]) -> dict[int, str]:
    """The shard that holds each table."""
    with psycopg.connect(url, autocommit=True) as connection:
        listed = connection.execute("SELECT name, id FROM mz_catalog.mz_tables").fetchall()
    found = {str(name): str(id_) for name, id_ in listed}
    return {size: found[f"numbers_{size}"] for size in rows}
