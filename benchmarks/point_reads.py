"""Rows looked up by an index of a view over a million rows, through SQL, by prepared statements."""

from __future__ import annotations

import asyncio
import random
import statistics
import time

import asyncpg
import uvloop

from benchmarks.report import Measure

_VIEW_KEYS_PER_ROW = 10
_P50_TARGET_MS, _RATE_TARGET = 2.0, 1_500


def measure_point_reads(url: str, rows: int, seconds: float) -> list[Measure]:
    """A view of `rows` over ten keys: rows/10 of them."""
    uvloop.run(_prepare(url, rows))
    measures = []
    for clients in (1, 16):
        latencies, rate = uvloop.run(_look_up(url, clients, rows // _VIEW_KEYS_PER_ROW, seconds))
        p50 = statistics.median(latencies) * 1000
        p99 = statistics.quantiles(latencies, n=100)[98] * 1000
        name = f"indexed point reads, {clients} connections"
        measures += [
            Measure(f"{name}: p50", p50, "ms", _P50_TARGET_MS if clients == 1 else None, False, f"p99 {p99:.1f} ms"),
            Measure(name, rate, "/s", _RATE_TARGET if clients > 1 else None),
        ]
    return measures


async def _prepare(url: str, rows: int) -> None:
    connection = await asyncpg.connect(url)
    keys = rows // _VIEW_KEYS_PER_ROW
    await connection.execute("CREATE TABLE looked (k bigint, x bigint)")
    await connection.execute(f"INSERT INTO looked SELECT g % {keys}, g FROM generate_series(1, {rows}::bigint) AS g")
    await connection.execute(
        "CREATE VIEW looked_totals AS SELECT k, count(*) AS n, sum(x) AS s FROM looked GROUP BY k;"
        "CREATE INDEX looked_by_k ON looked_totals (k)"
    )
    while not await connection.fetchval(
        "SELECT bool_and(hydrated) FROM mz_internal.mz_hydration_statuses h"
        " JOIN mz_catalog.mz_indexes i ON i.id = h.object_id WHERE i.name = 'looked_by_k'"
    ):
        await asyncio.sleep(0.2)
    await connection.close()


async def _look_up(url: str, clients: int, keys: int, seconds: float) -> tuple[list[float], float]:
    connections = [await asyncpg.connect(url) for _ in range(clients)]
    latencies: list[float] = []
    end = time.monotonic() + seconds

    async def work(connection: asyncpg.Connection, seed: int) -> None:
        source = random.Random(seed)
        statement = await connection.prepare("SELECT n, s FROM looked_totals WHERE k = $1")
        while time.monotonic() < end:
            began = time.monotonic()
            rows = await statement.fetch(source.randrange(keys))
            latencies.append(time.monotonic() - began)
            assert len(rows) == 1 and rows[0][0] == _VIEW_KEYS_PER_ROW, rows

    began = time.monotonic()
    await asyncio.gather(*(work(connection, seed) for seed, connection in enumerate(connections)))
    rate = len(latencies) / (time.monotonic() - began)
    for connection in connections:
        await connection.close()
    return latencies, rate
