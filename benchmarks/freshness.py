"""How long after a commit is acknowledged its rows are visible in views, by rate of writing and number of views.

Readers subscribe to some of the views, the first and the last among them, or to all. A view counts all rows, by groups
of its own; so a commit is visible in it when the counts add up to all rows written until then. What is looked at goes
first, so that of many views it matters how many are watched, and how long a SELECT of one that nobody watches waits.
"""

from __future__ import annotations

import bisect
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg

from benchmarks.loading import copy_in
from benchmarks.report import Measure

_COMMITS_PER_S_MAX = 100
_WATCHED = 3
_MANY = 100
_LOOKS_PER_S = 4
_SETTLE_S = 3.0
# The JVM compiles what ticks run often; a tick of a server that has just started takes many times as long.
_WARM_S = 20.0


@dataclass(slots=True)
class Acknowledged:
    """`totals[i]` rows were durable at `times[i]`; both ascend."""

    totals: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Seen:
    """A view showed `totals[i]` rows from `times[i]` on."""

    totals: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def delays(self, written: Acknowledged) -> list[float]:
        """Seconds from each commit's acknowledgement until it was seen, 0 when it was seen before."""
        delays = []
        for total, acknowledged in zip(written.totals, written.times):
            index = bisect.bisect_left(self.totals, total)
            if index < len(self.totals):
                delays.append(max(0.0, self.times[index] - acknowledged))
        return delays


def measure_freshness(
    url: str, views: int, rates: Sequence[int], seconds: float, *, failing: bool = False
) -> list[Measure]:
    """At each rate in rows a second. With `failing`, one more view divides by zero."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE flowing (k bigint, x bigint)")
        for index in range(views):
            connection.execute(
                f"CREATE MATERIALIZED VIEW flowing_{index} AS SELECT k % {index + 2} AS g, count(*) AS n, sum(x) AS s"
                f" FROM flowing GROUP BY k % {index + 2}".encode()
            )
        if failing:
            connection.execute("CREATE MATERIALIZED VIEW flowing_wrong AS SELECT 100 / (x - x) AS q FROM flowing")
        for index in range(views):
            connection.execute(f"REFRESH MATERIALIZED VIEW flowing_{index}".encode())
        measures: list[Measure] = []
        write_steadily(url, "flowing", max(rates), _WARM_S)
        for rate in rates:
            for watchers in (min(views, _WATCHED), views) if views >= _MANY else (min(views, _WATCHED),):
                connection.execute("DELETE FROM flowing")
                for index in range(views):
                    connection.execute(f"REFRESH MATERIALIZED VIEW flowing_{index}".encode())
                measures += _at(url, views, rate, seconds, watchers)
            if views >= _MANY:
                measures += _looks(url, views, rate, seconds)
        connection.execute("DROP TABLE flowing CASCADE")
    return measures


def _at(url: str, views: int, rate: int, seconds: float, watchers: int) -> list[Measure]:
    watched = sorted({round(step * (views - 1) / max(1, watchers - 1)) for step in range(watchers)})
    seen = {index: Seen() for index in watched}
    connections = [psycopg.connect(url, autocommit=True) for _ in watched]
    readers = [
        threading.Thread(target=_watch, args=(connection, index, seen[index]), daemon=True)
        for connection, index in zip(connections, watched)
    ]
    for reader in readers:
        reader.start()
    time.sleep(_SETTLE_S)
    written = write_steadily(url, "flowing", rate, seconds)
    time.sleep(_SETTLE_S)
    _await_last(seen, written)
    for connection in connections:
        connection.cancel_safe()
    for reader in readers:
        reader.join()
    for connection in connections:
        connection.close()
    delays = [each.delays(written) for each in seen.values()]
    return _measures(f"freshness, {_named(views, rate)}, {watchers} watched", written, delays, _goals(views, rate))


def _looks(url: str, views: int, rate: int, seconds: float) -> list[Measure]:
    """How long a SELECT waits that reads one view after the other, none of which is watched."""
    times: list[float] = []
    writing = threading.Thread(target=write_steadily, args=(url, "flowing", rate, seconds))
    with psycopg.connect(url, autocommit=True) as connection:
        time.sleep(_SETTLE_S)
        writing.start()
        while writing.is_alive():
            began = time.monotonic()
            connection.execute(f"SELECT sum(n) FROM flowing_{len(times) * 37 % views}".encode()).fetchall()
            times.append(time.monotonic() - began)
            time.sleep(max(0.0, 1 / _LOOKS_PER_S - times[-1]))
    writing.join()
    name = f"SELECT of any, {_named(views, rate)}"
    return [
        Measure(f"{name}: p50", statistics.median(times) * 1000, "ms", at_least=False),
        Measure(f"{name}: p99", statistics.quantiles(times, n=100)[98] * 1000, "ms", at_least=False),
    ]


def _named(views: int, rate: int) -> str:
    return f"{views} views, {rate:,} rows/s"


def _await_last(seen: dict[int, Seen], written: Acknowledged, timeout_s: float = 60.0) -> None:
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if all(each.totals and each.totals[-1] >= written.totals[-1] for each in seen.values()):
            return
        time.sleep(0.1)


def _watch(connection: psycopg.Connection[tuple[object, ...]], index: int, seen: Seen) -> None:
    """Adds up counts as they change, and notes the sum at each progress; until it is cancelled."""
    total = 0
    try:
        with connection.cursor() as cursor:
            with cursor.copy(f"COPY (SUBSCRIBE flowing_{index} WITH (PROGRESS)) TO STDOUT".encode()) as copy:
                for row in copy.rows():
                    if row[1] == "t":
                        if not seen.totals or seen.totals[-1] != total:
                            seen.totals.append(total)
                            seen.times.append(time.monotonic())
                    else:
                        total += int(row[2] or 0) * int(row[4] or 0)
    except psycopg.errors.QueryCanceled:
        return


def write_steadily(url: str, table: str, rate: int, seconds: float) -> Acknowledged:
    """`rate` rows a second into `table (k, x)`, in up to a hundred commits a second."""
    written = Acknowledged()
    commits_per_s = min(rate, _COMMITS_PER_S_MAX)
    rows, total = rate // commits_per_s, 0
    began = time.monotonic()
    with psycopg.connect(url, autocommit=True) as connection:
        for commit in range(round(seconds * commits_per_s)):
            ahead = began + commit / commits_per_s - time.monotonic()
            if ahead > 0:
                time.sleep(ahead)
            if rows == 1:
                connection.execute(f"INSERT INTO {table} VALUES ({total}, {total % 1000})".encode())
            else:
                copy_in(connection, table, b"".join(b"%d,%d\n" % (n, n % 1000) for n in range(total, total + rows)))
            total += rows
            written.totals.append(total)
            written.times.append(time.monotonic())
            if time.monotonic() - began > 2 * seconds:
                break
    return written


def _measures(
    name: str, written: Acknowledged, delays: Sequence[Sequence[float]], goals: tuple[float | None, float | None]
) -> list[Measure]:
    times = sorted(delay for each in delays for delay in each)
    if len(times) < 2:
        return [Measure(f"{name}: commits never seen", float(len(written.totals)), "", 0, at_least=False)]
    p50, p99 = statistics.median(times), statistics.quantiles(times, n=100)[98]
    missing = len(written.totals) * len(delays) - len(times)
    elapsed = written.times[-1] - written.times[0]
    note = f"{written.totals[-1] / max(elapsed, 1.0):,.0f} rows/s written" + (f", {missing} unseen" if missing else "")
    p50_goal, p99_goal = goals
    return [
        Measure(f"{name}: p50", p50 * 1000, "ms", p50_goal, at_least=False, note=note),
        Measure(f"{name}: p99", p99 * 1000, "ms", p99_goal, at_least=False),
    ]


def _goals(views: int, rate: int) -> tuple[float | None, float | None]:
    """In ms: p50 and p99 at 100 rows/s."""
    if rate != 100:
        return None, None
    return (200, 500) if views >= 100 else (300, 1_000)
