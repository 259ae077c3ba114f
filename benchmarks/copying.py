"""COPY FROM STDIN of real rows: 336,776 flights with 19 columns, as CSV."""

from __future__ import annotations

import time

import psycopg

from benchmarks.report import Measure
from server.demo.flights import SOURCES, open_data

_CHUNK = 256 * 1024


def measure_copy(url: str, name: str, target: float | None) -> Measure:
    source = next(source for source in SOURCES if source.table == "flights")
    data, _size = open_data(source)
    with psycopg.connect(url, autocommit=True) as connection, data:
        connection.execute("DROP TABLE IF EXISTS flights")
        connection.execute(f"CREATE TABLE flights ({source.columns})")
        began = time.monotonic()
        with connection.cursor() as cursor:
            with cursor.copy("COPY flights FROM STDIN WITH (FORMAT csv, HEADER, NULL 'NA')") as copy:
                while chunk := data.read(_CHUNK):
                    copy.write(chunk)
            rows = cursor.rowcount
        seconds = time.monotonic() - began
    return Measure(f"{name}: COPY of 19 columns", rows / seconds, "rows/s", target)
