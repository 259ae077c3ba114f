"""Single-row INSERTs, each durable before it is answered."""

from __future__ import annotations

import asyncio
import statistics
import time

import asyncpg
import uvloop

from benchmarks.report import Measure


def measure_writes(url: str, seconds: float, name: str, *, targets: bool) -> list[Measure]:
    """`name` is the server's, for the table."""
    measures = []
    for clients in (1, 8):
        latencies, rate = uvloop.run(_inserts(url, clients, seconds))
        p50 = statistics.median(latencies) * 1000
        p99 = statistics.quantiles(latencies, n=100)[98] * 1000
        goal = 15.0 if targets and clients == 1 else None
        measures.append(
            Measure(f"{name}: INSERT p50, {clients} clients", p50, "ms", goal, at_least=False, note=f"p99 {p99:.1f} ms")
        )
        measures.append(
            Measure(f"{name}: INSERTs, {clients} clients", rate, "/s", 500 if targets and clients == 8 else None)
        )
    return measures


async def _inserts(url: str, clients: int, seconds: float) -> tuple[list[float], float]:
    connections = [await asyncpg.connect(url) for _ in range(clients)]
    await connections[0].execute("DROP TABLE IF EXISTS inserted")
    await connections[0].execute("CREATE TABLE inserted (client int, n int, note text)")
    latencies: list[float] = []
    end = time.monotonic() + seconds

    async def work(index: int) -> None:
        statement = await connections[index].prepare("INSERT INTO inserted VALUES ($1, $2, 'a short note')")
        n = 0
        while time.monotonic() < end:
            began = time.monotonic()
            await statement.fetch(index, n)
            latencies.append(time.monotonic() - began)
            n += 1

    began = time.monotonic()
    await asyncio.gather(*(work(index) for index in range(clients)))
    rate = len(latencies) / (time.monotonic() - began)
    for connection in connections:
        await connection.close()
    return latencies, rate
