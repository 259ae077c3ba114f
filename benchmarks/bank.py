"""pgbench's script of a bank, which is like TPC-B: an account, a teller and a branch changed by key, a row of history
added, in one transaction; beside PostgreSQL. Every transaction meets others at its branch, and is tried again."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import asyncpg
import uvloop

from benchmarks.keyed_writes import hydrated
from benchmarks.report import Measure
from benchmarks.server import postgresql
from tests.judge import binaries

_CLIENTS, _TRIES = 8, 100
_RATE_TARGET = 150.0
_TABLES = (
    "CREATE TABLE pgbench_branches (bid int NOT NULL, bbalance int, filler char(88))",
    "CREATE TABLE pgbench_tellers (tid int NOT NULL, bid int, tbalance int, filler char(84))",
    "CREATE TABLE pgbench_accounts (aid int NOT NULL, bid int, abalance int, filler char(84))",
    "CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))",
)
_ROWS = (
    "INSERT INTO pgbench_branches SELECT g, 0, '' FROM generate_series(1, {scale}) AS g",
    "INSERT INTO pgbench_tellers SELECT g, (g - 1) / 10 + 1, 0, '' FROM generate_series(1, 10 * {scale}) AS g",
    "INSERT INTO pgbench_accounts SELECT g, (g - 1) / 100000 + 1, 0, '' FROM generate_series(1, 100000 * {scale}) AS g",
)
_KEYS = {"pgbench_branches": "bid", "pgbench_tellers": "tid", "pgbench_accounts": "aid"}
_SUMS = (
    "SELECT (SELECT sum(bbalance) FROM pgbench_branches), (SELECT sum(tbalance) FROM pgbench_tellers),"
    " (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(delta) FROM pgbench_history)"
)


def measure_bank(url: str, scale: int, seconds: float) -> Iterator[Measure]:
    """Headwater at `url`, then PostgreSQL, which need not make its commits durable."""
    with postgresql() as judge:
        for name, server in (("Headwater", url), ("PostgreSQL, fsync off", judge)):
            uvloop.run(_prepare(server, scale, maintained=server == url))
            told = _run(server, seconds)
            uvloop.run(_require_sums(server))
            rate, retries = float(_figure(r"tps = ([\d.]+)", told)), _figure(r"total number of retries: (\d+)", told)
            failed = _figure(r"number of failed transactions: (\d+)", told)
            latency = _figure(r"latency average = ([\d.]+ ms)", told)
            note = f"{retries} retries, {failed} failed, mean latency {latency}"
            target = _RATE_TARGET if server == url else None
            yield Measure(f"TPC-B-like, scale {scale}, {_CLIENTS} clients: {name}", rate, "/s", target, True, note)


async def _prepare(url: str, scale: int, *, maintained: bool) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("SET statement_timeout = 0")
    for text in (*_TABLES, *_ROWS):
        await connection.execute(text.format(scale=scale))
    for table, column in _KEYS.items():
        await connection.execute(f"ALTER TABLE {table} ADD PRIMARY KEY ({column})")
    if maintained:
        await hydrated(connection, [f"{table}_pkey" for table in _KEYS])
    await connection.close()


def _run(url: str, seconds: float) -> str:
    """What pgbench says of it."""
    command = [str(binaries() / "pgbench"), "-n", "-M", "prepared", "-c", str(_CLIENTS), "-j", "2"]
    command += [f"--max-tries={_TRIES}", "-T", str(max(1, round(seconds))), url]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


async def _require_sums(url: str) -> None:
    """Each transaction adds the same to all four."""
    connection = await asyncpg.connect(url)
    sums = await connection.fetchrow(_SUMS)
    await connection.close()
    assert len(set(sums)) == 1, f"the bank's sums differ: {tuple(sums)}"


def _figure(pattern: str, told: str) -> str:
    found = re.search(pattern, told)
    return "0" if found is None else found[1].strip()
