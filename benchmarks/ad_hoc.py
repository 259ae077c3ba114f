"""Queries that no index or view answers, over small tables: a count, a group by and a join of a thousand rows each."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator

import psycopg

from benchmarks.report import Measure

_ROWS = 1_000
_ROUNDS = 60
_NEW = 12
_KNOWN_MS, _NEW_MS = 12.0, 30.0
_QUERIES = {
    "count": "SELECT count(*) FROM small WHERE n > {n}",
    "group by": "SELECT n, count(*), sum(k) FROM small WHERE k > {n} GROUP BY n ORDER BY n",
    "join": "SELECT l.k, r.s FROM small AS l JOIN other AS r ON l.k = r.k WHERE l.n = {n}",
}
_numbers = itertools.count()


def measure_ad_hoc(url: str) -> Iterator[Measure]:
    """Each as the same text, with other constants, after a write to the table, and in shapes that are new."""
    with psycopg.connect(url, autocommit=True) as connection:
        for name in ("small", "other"):
            connection.execute(f"CREATE TABLE {name} (k int, n int, s text)")
            connection.execute(f"INSERT INTO {name} SELECT g, g % 10, 's' || g FROM generate_series(1, {_ROWS}) g")
        for name, query in _QUERIES.items():
            for ways, (count, target, text) in _ways(connection, query).items():
                latencies = [_latency(connection, text()) for _ in range(count)]
                p50, p90 = statistics.median(latencies), statistics.quantiles(latencies, n=10)[8]
                yield Measure(f"{name} of {_ROWS} rows, {ways}: p50", p50, "ms", target, False, f"p90 {p90:.1f} ms")


def _ways(connection: psycopg.Connection, query: str) -> dict[str, tuple[int, float, Callable[[], str]]]:
    def written() -> str:
        connection.execute(f"INSERT INTO small VALUES ({next(_numbers) % 7}, 3, 'new')")
        return query.format(n=4)

    def unseen() -> str:
        number = next(_numbers)
        return query.format(n=4).replace("SELECT ", f"SELECT {number} AS c{number}, ")

    return {
        "the same text": (_ROUNDS, _KNOWN_MS, lambda: query.format(n=4)),
        "other constants": (_ROUNDS, _KNOWN_MS, lambda: query.format(n=next(_numbers) % 1_000)),
        "after a write": (_ROUNDS // 3, _KNOWN_MS, written),
        "a new shape": (_NEW, _NEW_MS, unseen),
    }


def _latency(connection: psycopg.Connection, text: str) -> float:
    began = time.monotonic()
    connection.execute(text).fetchall()
    return (time.monotonic() - began) * 1000
