"""Rows changed and deleted by their key, prepared, by one client, beside single-row INSERTs of the same run; and by
several clients who change different rows at the same time."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterable, Iterator

import asyncpg
import uvloop

from benchmarks.report import Measure

_MORE_THAN_INSERT_MS = 3.0
_ROUNDS = 300
_CLIENTS = 8


def measure_keyed_writes(url: str, rows: int) -> Iterator[Measure]:
    """On a table of so many rows with a primary key, at least four a round: no row is asked for twice."""
    latencies, rate = uvloop.run(_measured(url, max(rows, 4 * _ROUNDS)))
    insert = statistics.median(latencies["INSERT"]) * 1000
    for name, each in latencies.items():
        p50, p99 = statistics.median(each) * 1000, statistics.quantiles(each, n=100)[98] * 1000
        target = insert + _MORE_THAN_INSERT_MS if name in ("UPDATE", "DELETE") else None
        yield Measure(f"{name} of one row by key: p50", p50, "ms", target, False, f"p99 {p99:.1f} ms")
    yield Measure(f"UPDATE of one row by key, {_CLIENTS} clients", rate, "/s")


async def _measured(url: str, rows: int) -> tuple[dict[str, list[float]], float]:
    """Latencies of one client, and statements a second of several."""
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE keyed (k bigint PRIMARY KEY, n bigint NOT NULL, filler text)")
    await connection.execute(f"INSERT INTO keyed SELECT g, 0, 'filler' FROM generate_series(1, {rows}::bigint) AS g")
    await hydrated(connection, ["keyed_pkey"])
    texts = {
        "INSERT": ("INSERT INTO keyed VALUES ($1, 1, 'new')", range(rows + 1, rows + _ROUNDS + 1)),
        "UPDATE": ("UPDATE keyed SET n = n + 1 WHERE k = $1", range(1, _ROUNDS + 1)),
        "SELECT FOR UPDATE": ("SELECT n FROM keyed WHERE k = $1 FOR UPDATE", range(2 * _ROUNDS + 1, 3 * _ROUNDS + 1)),
        "DELETE": ("DELETE FROM keyed WHERE k = $1", range(_ROUNDS + 1, 2 * _ROUNDS + 1)),
    }
    found = {name: await _latencies(connection, text, keys) for name, (text, keys) in texts.items()}
    await connection.close()
    clients = [await asyncpg.connect(url) for _ in range(_CLIENTS)]
    keys = [range(3 * _ROUNDS + at, 4 * _ROUNDS, _CLIENTS) for at in range(1, _CLIENTS + 1)]
    began = time.monotonic()
    await asyncio.gather(
        *(_latencies(each, texts["UPDATE"][0], mine) for each, mine in zip(clients, keys, strict=True))
    )
    rate = sum(map(len, keys)) / (time.monotonic() - began)
    for each in clients:
        await each.close()
    return found, rate


async def _latencies(connection: asyncpg.Connection, text: str, keys: Iterable[int]) -> list[float]:
    statement = await connection.prepare(text)
    latencies = []
    for key in keys:
        began = time.monotonic()
        await statement.fetch(key)
        latencies.append(time.monotonic() - began)
    return latencies


async def hydrated(connection: asyncpg.Connection, indexes: list[str]) -> None:
    """Returns once lookups in these indexes are answered by them."""
    while not await connection.fetchval(
        "SELECT count(*) = $2 AND bool_and(hydrated) FROM mz_internal.mz_hydration_statuses h"
        " JOIN mz_catalog.mz_indexes i ON i.id = h.object_id WHERE i.name = ANY ($1)",
        indexes,
        len(indexes),
    ):
        await asyncio.sleep(0.2)
