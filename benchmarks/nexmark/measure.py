"""The suite's questions as materialized views on a running server, against DuckDB's batch answers.

Each question has its own tables, empty at first. Then the events come, slice by slice; the clock stops when the view
shows the last one. What the view holds then is compared with DuckDB's answer, row by row.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pyarrow.parquet as pq

from benchmarks.loading import Connection, copy_out
from benchmarks.nexmark.answers import difference
from benchmarks.nexmark.events import Events, generate
from benchmarks.nexmark.queries import Engine, queries
from benchmarks.nexmark.tables import COLUMNS, Slice, by_name, slices
from benchmarks.peers.environment import python_with
from benchmarks.report import Measure

# So that windows of 2 and 10 seconds come and go, whatever the count; a million events are at the suite's own rate.
_SPAN_S = 100
_TIMEOUT_S = 300
_SCRIPT = Path(__file__).with_name("duckdb_answers.py")


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: `wrong` tells the first difference or the error, None when all rows agree."""

    name: str
    seconds: float
    wrong: str | None
    duckdb_s: float


def measure_nexmark(url: str, count: int, slice_count: int, names: Sequence[str] = ()) -> Iterator[Measure]:
    """Of `names`, or of all questions. UnavailableError without DuckDB."""
    events = generate(count, max(1, count // _SPAN_S))
    parts = slices(events, slice_count)
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        duckdb = _answers_of_duckdb(events, folder)
        for name, query in queries(Engine.HEADWATER).items():
            if names and name not in names:
                continue
            with psycopg.connect(url, autocommit=True) as connection:
                answered = _answer(connection, name, query, parts, folder / f"{name}.parquet", duckdb[name])
            yield from _measures(answered, count)


def _measures(answered: Answered, count: int) -> Iterator[Measure]:
    once = f"DuckDB once, from all: {answered.duckdb_s * 1000:,.0f} ms"
    name = f"Nexmark {answered.name}"
    yield Measure(
        f"{name}: wrong or failed", float(answered.wrong is not None), "", 0, at_least=False, note=answered.wrong or ""
    )
    if answered.wrong is None:
        yield Measure(f"{name}, {count:,} events", count / answered.seconds, "events/s", note=once)


def _answers_of_duckdb(events: Events, folder: Path) -> dict[str, float]:
    """Writes its answers into the folder; how long each took, in seconds."""
    python = python_with("duckdb", "duckdb")
    for name, table in by_name(events).items():
        pq.write_table(table, folder / f"{name}.parquet")
    (folder / "queries.json").write_text(json.dumps(queries(Engine.DUCKDB)))
    subprocess.run([str(python), str(_SCRIPT), str(folder)], check=True)
    seconds: dict[str, float] = json.loads((folder / "seconds.json").read_text())
    return seconds


def _answer(
    connection: Connection, name: str, query: str, parts: Sequence[Slice], expected: Path, duckdb_s: float
) -> Answered:
    view = f"{name}_view"
    connection.execute(f"CREATE SCHEMA {name}".encode())
    connection.execute(f"SET statement_timeout TO '{_TIMEOUT_S} s'".encode())
    connection.execute(f"SET search_path TO {name}".encode())
    try:
        for table, columns in COLUMNS.items():
            connection.execute(f"CREATE TABLE {table} ({columns})".encode())
        connection.execute(f"CREATE MATERIALIZED VIEW {view} AS {query}".encode())
        connection.execute(f"REFRESH MATERIALIZED VIEW {view}".encode())
        began = time.monotonic()
        for part in parts:
            part.write(connection)
        connection.execute(f"REFRESH MATERIALIZED VIEW {view}".encode())
        seconds = time.monotonic() - began
        wrong = difference(pq.read_table(expected), copy_out(connection, f"SELECT * FROM {view}"))
    except psycopg.Error as error:
        return Answered(name, 0.0, f"{error.sqlstate}: {error}".splitlines()[0], duckdb_s)
    finally:
        connection.execute(f"DROP SCHEMA {name} CASCADE".encode())
    return Answered(name, seconds, wrong, duckdb_s)
