"""A steady rate of inserts and deletes under several views, for half an hour: does anything grow?

    python -m benchmarks.soak [--minutes 30] [--rate 200]

The table keeps its size: each second as many rows leave it as come. History is kept for a minute, so that what is let
go is let go within the run. Memory, files and tick times are sampled, and must level off: exit status 1 when the fitted
line of one of them still rises in the last two thirds, or when a view is wrong at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import psycopg

from benchmarks.leveling import GROWTH_MAX, fit
from benchmarks.loading import Connection, copy_in
from benchmarks.report import Measure, save, show
from benchmarks.server import Headwater, family_of, headwater, resident_mib

_RETAIN_HISTORY_MS = 60_000
_TABLE_S = 60
_SAMPLE_S = 5.0
_KEYS = 500
_VIEWS = {
    "soak_group": "SELECT k, count(*) AS n, sum(x) AS s FROM soaked GROUP BY k",
    "soak_join": "SELECT d.g, count(*) AS n, sum(x) AS s FROM soaked JOIN soak_keys d ON soaked.k = d.k GROUP BY d.g",
    "soak_distinct": "SELECT count(DISTINCT x) AS n FROM soaked",
    "soak_top": "SELECT DISTINCT ON (k) k, x FROM soaked ORDER BY k, x DESC",
    "soak_total": "SELECT count(*) AS n FROM soak_group",
}

Samples = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Whether Headwater levels off under a steady rate.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--rate", type=int, default=200, help="rows inserted a second, and as many deleted")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        with headwater(Path(directory) / "data", "--retain-history-ms", str(_RETAIN_HISTORY_MS)) as server:
            samples, wrong = _soak(server, options.minutes * 60, options.rate)
    measures = [*_measures(samples), Measure("views that differ from their definition", wrong, "", 0, at_least=False)]
    show(measures)
    print(f"saved as {save(measures)}")
    sys.exit(0 if all(measure.reached is not False for measure in measures) else 1)


def _soak(server: Headwater, seconds: float, rate: int) -> tuple[Samples, int]:
    stop = threading.Event()
    with psycopg.connect(server.url, autocommit=True) as connection:
        _define(connection)
        writer = threading.Thread(target=_write, args=(server.url, rate, stop), daemon=True)
        writer.start()
        try:
            samples = _sample(server, connection, seconds, writer)
        finally:
            stop.set()
            writer.join()
        wrong = sum(bool(connection.execute(f"CHECK VIEW {view}".encode()).fetchall()) for view in _VIEWS)
    return samples, wrong


def _define(connection: Connection) -> None:
    connection.execute("CREATE TABLE soaked (id bigint, k bigint, x bigint)")
    connection.execute("CREATE TABLE soak_keys (k bigint, g bigint)")
    connection.execute(f"INSERT INTO soak_keys SELECT g, g % 10 FROM generate_series(0, {_KEYS - 1}) AS g".encode())
    for name, query in _VIEWS.items():
        connection.execute(f"CREATE MATERIALIZED VIEW {name} AS {query}".encode())
        connection.execute(f"REFRESH MATERIALIZED VIEW {name}".encode())
    connection.execute("CREATE INDEX soak_by_k ON soak_group (k)")


def _write(url: str, rate: int, stop: threading.Event) -> None:
    """Once a second: `rate` rows come, and those that came a minute ago leave."""
    began = time.monotonic()
    with psycopg.connect(url, autocommit=True) as connection:
        second = 0
        while not stop.wait(max(0.0, began + second - time.monotonic())):
            rows = range(second * rate, (second + 1) * rate)
            copy_in(connection, "soaked", b"".join(b"%d,%d,%d\n" % (n, n * 31 % _KEYS, n * 7919 % 1009) for n in rows))
            if second >= _TABLE_S:
                last = (second - _TABLE_S + 1) * rate
                connection.execute(f"DELETE FROM soaked WHERE id < {last}".encode())
            second += 1


def _sample(server: Headwater, connection: Connection, seconds: float, writer: threading.Thread) -> Samples:
    samples: Samples = {"second": []}
    began = time.monotonic()
    while (now := time.monotonic() - began) < seconds:
        assert writer.is_alive(), "the writer has failed"
        samples["second"].append(now)
        taken = {f"memory of the {name} (MiB)": resident_mib(pid) for name, pid in family_of(server).items()}
        taken |= _disk(server.data_dir)
        for view in _VIEWS:
            asked = time.monotonic()
            connection.execute(f"REFRESH MATERIALIZED VIEW {view}".encode())
            taken[f"{view} fresh after (ms)"] = (time.monotonic() - asked) * 1000
        for name, value in taken.items():
            samples.setdefault(name, []).append(value)
        time.sleep(max(0.0, _SAMPLE_S - (time.monotonic() - began - now)))
    return samples


def _disk(folder: Path) -> dict[str, float]:
    """Counts files. What vanishes meanwhile, files and folders, does not count."""
    sizes = []
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                sizes.append(os.lstat(os.path.join(place, name)).st_size)
    return {"files": len(sizes), "bytes on disk (MiB)": sum(sizes) / 2**20}


def _measures(samples: Samples) -> list[Measure]:
    seconds = samples.pop("second")
    measures = []
    for name, values in samples.items():
        fitted = fit(seconds[-len(values) :], values)
        note = f"mean {fitted.mean:,.1f}, slope {fitted.slope:+,.1f} an hour"
        measures.append(Measure(f"growth of {name}", fitted.growth, "", GROWTH_MAX, at_least=False, note=note))
    return measures


if __name__ == "__main__":
    main()
