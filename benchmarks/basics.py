"""The main path: starting, round trips, writes, COPY and aggregates, beside PostgreSQL and bare Spark."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg

from benchmarks.aggregates import compare, fill, on_bare_spark, over_the_wire, shards_of
from benchmarks.copying import measure_copy
from benchmarks.report import Measure
from benchmarks.round_trips import measure_round_trips
from benchmarks.server import family_of, headwater, postgresql, resident_mib
from benchmarks.writes import measure_writes

_COPY_TARGET = 50_000
_ENVIRONMENT_MIB_MAX = 250


def measure_basics(sizes: Sequence[int], seconds: float) -> Iterator[Measure]:
    """Tables of `sizes` rows; each rate is measured for `seconds`."""
    with tempfile.TemporaryDirectory() as directory:
        data_dir = Path(directory) / "data"
        with headwater(data_dir) as server:
            yield Measure("first connection", server.first_connection_s, "s", 2, at_least=False)
            yield Measure("first Spark answer", server.first_answer_s, "s", 20, at_least=False)
            yield from measure_round_trips(server.url, seconds)
            yield from measure_writes(server.url, seconds, "Headwater", targets=True)
            yield measure_copy(server.url, "Headwater", _COPY_TARGET)
            fill(server.url, sizes)
            ours = over_the_wire(server.url, sizes)
            shards = shards_of(server.url, sizes)
            for name, pid in family_of(server).items():
                goal = _ENVIRONMENT_MIB_MAX if name == "environment" else None
                yield Measure(f"memory of the {name}", resident_mib(pid), "MiB", goal, at_least=False)
        spark = on_bare_spark(data_dir / "blob", shards)
    with postgresql() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SET client_min_messages = warning")
        yield from measure_writes(url, seconds, "PostgreSQL", targets=False)
        yield measure_copy(url, "PostgreSQL", None)
        fill(url, sizes)
        yield from compare(ours, spark, over_the_wire(url, sizes))
