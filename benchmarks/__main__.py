"""Runs the measurements and shows them; see the package."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import psycopg

from benchmarks.aggregates import compare, fill, on_bare_spark, over_the_wire, shards_of
from benchmarks.copying import measure_copy
from benchmarks.report import Measure, save, show
from benchmarks.round_trips import measure_round_trips
from benchmarks.server import family_of, headwater, postgresql, resident_mib
from benchmarks.writes import measure_writes

_SIZES = (10_000, 1_000_000, 10_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures Headwater beside PostgreSQL and Spark.")
    parser.add_argument("--rows", type=int, default=max(_SIZES), help="the largest table")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each rate is measured")
    options = parser.parse_args()
    sizes = [size for size in _SIZES if size <= options.rows]
    measures: list[Measure] = []
    with tempfile.TemporaryDirectory() as directory:
        data_dir = Path(directory) / "data"
        with headwater(data_dir) as server:
            measures += [
                Measure("first connection", server.first_connection_s, "s", 2, at_least=False),
                Measure("first Spark answer", server.first_answer_s, "s", 20, at_least=False),
            ]
            print("round trips …", flush=True)
            measures += measure_round_trips(server.url, options.seconds)
            print("inserts …", flush=True)
            measures += measure_writes(server.url, options.seconds, "Headwater", targets=True)
            print("COPY …", flush=True)
            measures.append(measure_copy(server.url, "Headwater", 50_000))
            print("filling tables …", flush=True)
            fill(server.url, sizes)
            print("aggregates …", flush=True)
            ours = over_the_wire(server.url, sizes)
            shards = shards_of(server.url, sizes)
            for name, pid in family_of(server).items():
                goal = 250 if name == "environment" else None
                measures.append(Measure(f"memory of the {name}", resident_mib(pid), "MiB", goal, at_least=False))
        print("the same on bare Spark …", flush=True)
        spark = on_bare_spark(data_dir / "blob", shards)
    print("PostgreSQL …", flush=True)
    with postgresql() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SET client_min_messages = warning")
        measures += measure_writes(url, options.seconds, "PostgreSQL", targets=False)
        measures.append(measure_copy(url, "PostgreSQL", None))
        fill(url, sizes)
        measures += compare(ours, spark, over_the_wire(url, sizes))
    show(measures)
    print(f"saved as {save(measures)}; load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
