"""COPY to files of the server's and objects of a bucket, and back, of more rows than go without Spark's tasks."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

from benchmarks.amazon import client_of, connect_aws, moto
from benchmarks.report import Measure
from benchmarks.server import Headwater

_FORMATS = ("parquet", "csv", "json", "binary")
_COLUMNS = "id int, who text, price float8, at timestamptz, note text"
_BACK = ("parquet", "csv", "json")


def measure_copy_files(server: Headwater, rows: int) -> Iterator[Measure]:
    """Binary alone goes through the server, row by row: what the others are to be compared with."""
    with tempfile.TemporaryDirectory() as name, moto() as endpoint:
        client_of("s3", endpoint).create_bucket(Bucket="bench")
        with psycopg.connect(server.url, autocommit=True) as connection:
            connect_aws(connection, endpoint)
            for table in ("copied", "copied_back"):
                connection.execute(f"CREATE TABLE {table} ({_COLUMNS})".encode())
            made = f"""INSERT INTO copied SELECT n, 'user' || n % 1000, n / 4.0,
                '2026-01-01'::timestamptz + n * interval '1 s', repeat('x', 60) FROM generate_series(1, {rows}) AS n"""
            connection.execute(made.encode())
            connection.execute(f"COPY copied TO '{name}/first' (FORMAT parquet)".encode())
            for format_ in _FORMATS:
                for noun, place, options in (
                    ("a file", f"{name}/t.{format_}", ""),
                    ("a directory of parts", f"{name}/{format_}/", ""),
                    ("an object", f"s3://bench/t.{format_}", ", CONNECTION aws"),
                ):
                    rate = _rate(connection, f"COPY copied TO '{place}' (FORMAT {format_}{options})", rows)
                    yield Measure(f"COPY of a table to {noun}: {format_}", rate, "rows/s")
                whole = Path(f"{name}/t.{format_}").stat().st_size
                yield Measure(f"its size: {format_}", whole / 2**20, "MiB")
            for format_ in _BACK:
                back = f"COPY copied_back FROM '{name}/t.{format_}' (FORMAT {format_})"
                yield Measure(f"COPY of a file to a table: {format_}", _rate(connection, back, rows), "rows/s")


def _rate(connection: psycopg.Connection[tuple[object, ...]], copy: str, rows: int) -> float:
    began = time.monotonic()
    answer = connection.execute(copy.encode())
    assert answer.statusmessage == f"COPY {rows}"
    return rows / (time.monotonic() - began)
