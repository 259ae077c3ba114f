"""Many small views of one table: how fresh they are beside one that fails, and what they take when nothing comes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psutil
import psycopg

from benchmarks.freshness import measure_freshness
from benchmarks.report import Measure
from benchmarks.server import Headwater, family_of, java_heap_mib, resident_mib

_SETTLE_S = 30.0
"""Until what was written before is checkpointed, and nothing is left to do."""
_WATCHED_S = 20.0
_LOOK_S = 5.0
_JVM = "replica's JVM"
_HEAP_MIB_MAX = 2.0


def measure_beside_a_failing_one(url: str, views: int, seconds: float) -> Iterator[Measure]:
    for measure in measure_freshness(url, views, (100,), seconds, failing=True):
        yield replace(measure, name=f"{measure.name}, beside one that divides by zero")


def measure_idle(server: Headwater, views: int) -> Iterator[Measure]:
    """Memory that each view takes, and shares of a core of all processes together while nothing is written."""
    before, heap = _memory(server), java_heap_mib(family_of(server)[_JVM])
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE still (k bigint, x bigint)")
        connection.execute("INSERT INTO still SELECT n, n FROM generate_series(1, 1000) AS n")
        for index in range(views):
            connection.execute(
                f"CREATE MATERIALIZED VIEW still_{index} AS SELECT k % {index + 2} AS g, count(*) AS n, sum(x) AS s"
                f" FROM still GROUP BY k % {index + 2}".encode()
            )
        _await_hydrated(connection)
    time.sleep(_SETTLE_S)
    began, busy, ticks = time.monotonic(), _cpu_s(server), _ticks(server)
    time.sleep(_WATCHED_S)
    share = (_cpu_s(server) - busy) / (time.monotonic() - began)
    yield Measure(f"{views} idle views: share of a core", 100 * share, "%", 2.0, at_least=False)
    yield Measure(f"{views} idle views: ticks meanwhile", _ticks(server) - ticks, "", 0, at_least=False)
    lives = (java_heap_mib(family_of(server)[_JVM]) - heap) / views
    yield Measure(f"{views} idle views: heap of Java, a view", lives, "MiB", _HEAP_MIB_MAX, at_least=False)
    for name, mib in _memory(server).items():
        yield Measure(f"{views} idle views: memory of the {name}, a view", (mib - before[name]) / views, "MiB")


def _await_hydrated(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Views hydrate two at a time, for minutes where there are a thousand; what is measured before is that."""
    counted = "SELECT count(*) FROM mz_internal.mz_hydration_statuses WHERE NOT hydrated"
    while connection.execute(counted).fetchall() != [(0,)]:
        time.sleep(_LOOK_S)


def _ticks(server: Headwater) -> float:
    """How many ticks all views together have had."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        rows = connection.execute("SELECT ticks FROM mz_internal.mz_dataflow_ticks").fetchall()
    return float(sum(ticks for (ticks,) in rows))


def _memory(server: Headwater) -> dict[str, float]:
    return {name: resident_mib(pid) for name, pid in family_of(server).items()}


def _cpu_s(server: Headwater) -> float:
    times = [psutil.Process(pid).cpu_times() for pid in family_of(server).values()]
    return float(sum(each.user + each.system for each in times))
