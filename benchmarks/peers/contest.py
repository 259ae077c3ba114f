"""Runs the peers through W1 and W2, checks what they answer, and sets Headwater's figures beside theirs."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.environment import UnavailableError, node_with, python_with
from benchmarks.report import Measure
from benchmarks.workloads import BATCHES, Changes, Workload

_ROOT = Path(__file__).parents[2]
_TIMEOUT_S = 600.0
_REASON_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class Entrant:
    """`command` makes the environment when it is missing, and gives the words that start the peer."""

    name: str
    command: Callable[[], Sequence[str]]


def _own(module: str) -> Callable[[], Sequence[str]]:
    """A peer that needs nothing but what Headwater and its tests need."""
    return lambda: (sys.executable, "-m", f"benchmarks.peers.{module}")


def _python(module: str, *packages: str) -> Callable[[], Sequence[str]]:
    return lambda: (str(python_with(packages[0], *packages)), "-m", f"benchmarks.peers.{module}")


def _node(script: str, *packages: str) -> Callable[[], Sequence[str]]:
    return lambda: ("node", str(Path(__file__).with_name(script)), str(node_with("pglite", *packages)))


ENTRANTS = (
    Entrant("DuckDB recompute", _python("duckdb_recompute", "duckdb")),
    Entrant("PostgreSQL REFRESH", _own("postgresql_refresh")),
    Entrant("Spark recompute", _own("spark_recompute")),
    Entrant("Spark Structured Streaming", _own("spark_streaming")),
    Entrant("Pathway", _python("pathway_stream", "pathway")),
    Entrant("Flink SQL", _python("flink_sql", "apache-flink")),
    Entrant("PGlite with pg_ivm", _node("pglite_ivm.mjs", "@electric-sql/pglite", "@electric-sql/pglite-pg_ivm")),
)


def measure_peers(
    workload: Workload, changes: Changes, ours: Mapping[str, float], names: Sequence[str] = ()
) -> Iterator[Measure]:
    """`ours`: Headwater's changes a second by mode. `names`: those entrants only whose name has one of these words."""
    with tempfile.TemporaryDirectory() as directory:
        changes.save(Path(directory))
        for entrant in ENTRANTS:
            if names and not any(word.lower() in entrant.name.lower() for word in names):
                continue
            print(f"{workload}: {entrant.name} …", flush=True)
            try:
                said = _run(entrant, Path(directory), workload)
            except UnavailableError as error:
                yield Measure(f"{workload}: {entrant.name}", None, "", note=f"not run: {error}")
            else:
                yield from _measures(entrant, workload, changes, ours, said)


def _run(entrant: Entrant, folder: Path, workload: Workload) -> dict[str, object]:
    command = [*entrant.command(), str(folder), workload.value, str(BATCHES)]
    try:
        done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(f"not done after {_TIMEOUT_S:.0f} s") from error
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        words = " ".join((done.stderr.strip() or done.stdout.strip()).split())
        raise UnavailableError(words[-_REASON_CHARACTERS:])
    said: dict[str, object] = json.loads(lines[-1])
    return said


def _measures(
    entrant: Entrant, workload: Workload, changes: Changes, ours: Mapping[str, float], said: dict[str, object]
) -> Iterator[Measure]:
    rows = said["rows"]
    assert isinstance(rows, list)
    right = {k: (n, s) for k, n, s in rows} == changes.totals(workload)
    for mode in ("once", "each"):
        seconds, name = said[f"{mode}_s"], f"{workload}, fresh {mode}: {entrant.name}"
        if not isinstance(seconds, float):
            yield Measure(name, None, "", note="has no such mode")
            continue
        rate = changes.count / seconds
        ratio = f"Headwater / this: {ours[mode] / rate:.3f}" if mode in ours else ""
        yield Measure(name, rate, "changes/s", note=ratio if right else f"WRONG ANSWER {ratio}")
