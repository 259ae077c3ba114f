"""BACKUP TO a directory, whole and of what is new since, and `headwater restore`, by the second."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

from benchmarks.report import Measure
from benchmarks.server import Headwater, headwater
from model.process.children import own_environment, python_module

_BATCH = 1_000_000
_MIB = 1 << 20


def measure_backups(server: Headwater, rows: int) -> Iterator[Measure]:
    """So many rows of 100 bytes that don't compress; a tenth more comes before the second backup."""
    with tempfile.TemporaryDirectory() as directory:
        place, copy = Path(directory) / "backups", Path(directory) / "copy"
        with psycopg.connect(server.url, autocommit=True) as connection:
            # A restored server makes its own.
            connection.execute("DROP TABLE first")
            connection.execute("CREATE TABLE backed (n bigint, text text)")
            _insert(connection, 0, rows)
            yield from _backed(connection, place, "whole")
            _insert(connection, rows, rows // 10)
            yield from _backed(connection, place, "a tenth is new")
            wanted = connection.execute("SELECT count(*), sum(n) FROM backed").fetchone()
        began = time.monotonic()
        command = [*python_module("server.cli"), "restore", str(place), "--data-dir", str(copy)]
        subprocess.run(command, check=True, env=own_environment(), capture_output=True)
        seconds = time.monotonic() - began
        size = sum(path.stat().st_size for path in copy.rglob("*") if path.is_file())
        yield Measure(f"restore of {size / _MIB:,.0f} MiB", seconds, "s", note=f"{size / _MIB / seconds:,.0f} MiB/s")
        with headwater(copy) as restored, psycopg.connect(restored.url, autocommit=True) as connection:
            found = connection.execute("SELECT count(*), sum(n) FROM backed").fetchone()
        yield Measure("restored sums: wrong", float(found != wanted), "", 0, at_least=False)


def _insert(connection: psycopg.Connection[tuple[object, ...]], first: int, rows: int) -> None:
    for begin in range(first, first + rows, _BATCH):
        end = min(begin + _BATCH, first + rows)
        text = "md5(g::text) || md5((g + 1)::text) || md5((g + 2)::text)"
        connection.execute(
            f"INSERT INTO backed SELECT g, {text} FROM generate_series({begin}, {end - 1}::bigint) AS g".encode()
        )


def _backed(connection: psycopg.Connection[tuple[object, ...]], place: Path, what: str) -> Iterator[Measure]:
    before = sum(path.stat().st_size for path in place.rglob("*") if path.is_file()) if place.exists() else 0
    began = time.monotonic()
    connection.execute(f"BACKUP TO '{place}'".encode())
    seconds = time.monotonic() - began
    size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file()) - before
    yield Measure(f"backup, {what}: {size / _MIB:,.0f} MiB", seconds, "s", note=f"{size / _MIB / seconds:,.0f} MiB/s")
