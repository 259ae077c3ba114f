"""PostgreSQL as a source: the initial copy beside a bare COPY, the stream beside pg_recvlogical, and how soon a
transaction is visible under pgbench."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import psycopg
import uvloop

from benchmarks.report import Measure
from benchmarks.server import Headwater
from tests.connectors.sources.postgres.upstream import UpstreamDatabase, upstream_database
from tests.judge import run_judge

_ROWS_A_SECOND, _CHANGES_A_SECOND = 50_000.0, 10_000.0
_TRANSACTION = 100
"""Rows that one transaction changes."""
_CLIENTS, _TRANSACTIONS_A_SECOND = 8, 500
_VISIBLE_P50_MS = 300.0
_SAMPLED_S = 0.05
_TABLE = (
    "CREATE TABLE bench (id int PRIMARY KEY, owner text, amount numeric(12, 2), at timestamptz, note text)",
    "ALTER TABLE bench REPLICA IDENTITY FULL",
    "CREATE PUBLICATION p FOR TABLE bench",
)
_FILL = (
    "INSERT INTO bench SELECT n, 'user' || n % 1000, n / 4.0, timestamptz '2026-01-01' + n * interval '1 s',"
    " repeat('x', 100) FROM generate_series(1, {rows}) n"
)
_CHANGE = """
    DO $$ BEGIN FOR n IN 0 .. {changes} / {each} - 1 LOOP
        UPDATE bench SET amount = amount + 1 WHERE id > n * {each} AND id <= (n + 1) * {each};
        COMMIT;
    END LOOP; END $$
"""
_BANK = ("accounts", "branches", "tellers", "history")
Connection = psycopg.Connection[tuple[Any, ...]]


def measure_postgres_sources(server: Headwater, rows: int, seconds: float) -> Iterator[Measure]:
    """Rows of 150 bytes; a fifth of them is changed then. `seconds` of pgbench."""
    with run_judge() as judge:
        with upstream_database(judge, "bench") as upstream, psycopg.connect(server.url, autocommit=True) as ours:
            upstream.run("SET statement_timeout = 0", *_TABLE, _FILL.format(rows=rows))
            bare = rows / _bare_copy(upstream, rows)
            copied = rows / _copied(ours, upstream)
            yield Measure("bare COPY, read by psycopg", bare, "rows/s")
            yield Measure(f"initial copy of {rows:,} rows", copied, "rows/s", _ROWS_A_SECOND)
            yield Measure("initial copy, of the bare COPY", copied / bare, "times")
            changes = rows // 5 // _TRANSACTION * _TRANSACTION
            recv, took = _followed(ours, upstream, changes)
            yield Measure("bare pg_recvlogical, which keeps nothing", changes / recv, "changes/s")
            name = f"stream of {changes:,} changed rows, {_TRANSACTION} a transaction"
            yield Measure(name, changes / took, "changes/s", _CHANGES_A_SECOND)
            yield Measure("stream, of pg_recvlogical", recv / took, "times")
            _require_same(ours, upstream)
            ours.execute(b"DROP SOURCE bench_source CASCADE")
        with upstream_database(judge, "bank") as upstream:
            yield from _visible(server, upstream, seconds)


def _bare_copy(upstream: UpstreamDatabase, rows: int) -> float:
    began, lines = time.monotonic(), 0
    with upstream.connection.cursor() as cursor, cursor.copy(b"COPY bench TO STDOUT (FORMAT csv)") as copy:
        for piece in copy:
            lines += bytes(piece).count(b"\n")
    assert lines == rows
    return time.monotonic() - began


def _connect(ours: Connection, upstream: UpstreamDatabase, name: str) -> None:
    place = f"HOST '{upstream.judge.host}', PORT {upstream.judge.port}, DATABASE {upstream.name}, USER headwater"
    ours.execute(f"CREATE CONNECTION {name}_connection TO POSTGRES ({place}, SSL MODE disable)".encode())
    source = f"CREATE SOURCE {name}_source FROM POSTGRES CONNECTION {name}_connection (PUBLICATION 'p') FOR ALL TABLES"
    ours.execute(source.encode())


def _bound(ours: Connection, source: str, least: int) -> None:
    """Returns once all that commits before is durable and can be read."""
    sql = f"SELECT lsn FROM {source}_source_progress".encode()
    while not (found := ours.execute(sql).fetchone()) or found[0] is None or found[0] < least:
        time.sleep(0.05)


def _copied(ours: Connection, upstream: UpstreamDatabase) -> float:
    """From CREATE SOURCE on."""
    began = time.monotonic()
    _connect(ours, upstream, "bench")
    _bound(ours, "bench", 1)
    return time.monotonic() - began


def _followed(ours: Connection, upstream: UpstreamDatabase, changes: int) -> tuple[float, float]:
    """How long pg_recvlogical takes for changes that are in the WAL already, and how long the source does, whose
    walsender is stopped while they are made."""
    upstream.run("SELECT pg_create_logical_replication_slot('bare', 'pgoutput')")
    ((walsender,),) = upstream.rows("SELECT pid FROM pg_stat_replication")
    os.kill(walsender, signal.SIGSTOP)
    try:
        upstream.run(_CHANGE.format(changes=changes, each=_TRANSACTION))
        end = upstream.wal_end()
        judge = upstream.judge
        command = [str(judge.binaries / "pg_recvlogical"), "-d", judge.dsn(upstream.name), "-S", "bare", "--start"]
        command += ["-o", "proto_version=1", "-o", "publication_names=p", "-f", "/dev/null"]
        began = time.monotonic()
        subprocess.run([*command, f"--endpos={end >> 32:X}/{end & 0xFFFFFFFF:X}"], check=True)
        recv = time.monotonic() - began
    finally:
        os.kill(walsender, signal.SIGCONT)
    began = time.monotonic()
    _bound(ours, "bench", end)
    return recv, time.monotonic() - began


def _require_same(ours: Connection, upstream: UpstreamDatabase) -> None:
    sql = "SELECT count(*), sum(amount), max(at)::text, count(DISTINCT owner) FROM bench"
    assert ours.execute(sql.encode()).fetchall() == upstream.rows(sql), "the source has other rows"


def _visible(server: Headwater, upstream: UpstreamDatabase, seconds: float) -> Iterator[Measure]:
    """From a sight of a transaction upstream until an indexed view over the source has it."""
    judge = upstream.judge
    pgbench = [str(judge.binaries / "pgbench"), "-h", judge.host, "-p", str(judge.port), "-U", "headwater"]
    subprocess.run([*pgbench, "-i", "-q", upstream.name], check=True, capture_output=True)
    upstream.run(*(f"ALTER TABLE pgbench_{name} REPLICA IDENTITY FULL" for name in _BANK))
    upstream.run("CREATE PUBLICATION p FOR ALL TABLES")
    with psycopg.connect(server.url, autocommit=True) as ours:
        _connect(ours, upstream, "bank")
        _bound(ours, "bank", 1)
        ours.execute(b"CREATE VIEW transfers AS SELECT count(*) AS n FROM pgbench_history")
        ours.execute(b"CREATE INDEX transfers_n ON transfers (n)")
        load = [*pgbench, "-n", "-c", str(_CLIENTS), "-R", str(_TRANSACTIONS_A_SECOND), "-T", str(round(seconds))]
        with tempfile.TemporaryDirectory() as folder, (Path(folder) / "told").open("wb") as told:
            with subprocess.Popen([*load, upstream.name], stdout=told, stderr=told) as process:
                latencies = uvloop.run(_sights(server, upstream, process))
            assert process.returncode == 0, (Path(folder) / "told").read_text()
        ((transactions,),) = upstream.rows("SELECT count(*) FROM pgbench_history")
        ours.execute(b"DROP SOURCE bank_source CASCADE")
    name = f"a transaction is visible in an indexed view, under pgbench with {_TRANSACTIONS_A_SECOND} a second"
    note = f"{transactions / seconds:.0f} a second came"
    p50, p99 = statistics.median(latencies) * 1000, statistics.quantiles(latencies, n=100)[98] * 1000
    yield Measure(f"{name}, p50", p50, "ms", _VISIBLE_P50_MS, at_least=False, note=note)
    yield Measure(f"{name}, p99", p99, "ms")


async def _sights(server: Headwater, upstream: UpstreamDatabase, load: subprocess.Popen[bytes]) -> list[float]:
    """How long after upstream had shown a count of transactions Headwater did, while the load goes on."""
    ours, there = await asyncpg.connect(server.url), await asyncpg.connect(upstream.judge.url(upstream.name))
    await ours.fetchval("SELECT n FROM transfers")
    seen: list[tuple[int, float]] = []
    latencies: list[float] = []

    async def look() -> None:
        while load.poll() is None:
            seen.append((await there.fetchval("SELECT count(*) FROM pgbench_history"), time.monotonic()))
            await asyncio.sleep(_SAMPLED_S)

    looking = asyncio.create_task(look())
    while not looking.done() or len(latencies) < len(seen):
        count = await ours.fetchval("SELECT n FROM transfers")
        now = time.monotonic()
        while len(latencies) < len(seen) and seen[len(latencies)][0] <= count:
            latencies.append(max(now - seen[len(latencies)][1], 0.0))
    await looking
    await ours.close()
    await there.close()
    return latencies
