"""Pathway: its differential dataflow over all files at once. It has no way to wait for a batch, so only `once`."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pathway as pw

from benchmarks.peers.course import tell


class Fact(pw.Schema):  # type: ignore[misc]
    id: int
    k: int
    x: int


class Dimension(pw.Schema):  # type: ignore[misc]
    k: int = pw.column_definition(primary_key=True)
    g: int


def main() -> None:
    folder, workload, batches = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        # Its CSV reader wants headers.
        for name in ("inserts", "deletes"):
            (home / name).mkdir()
            for batch in range(batches):
                _with_header(folder / f"{name}-{batch}.csv", home / name / f"{batch}.csv", "id,k,x")
        _with_header(folder / "dimension.csv", home / "dimension.csv", "k,g")
        answer: dict[int, tuple[int, int]] = {}
        _define(home, workload, answer)
        began = time.monotonic()
        pw.run(monitoring_level=pw.MonitoringLevel.NONE)
        seconds = time.monotonic() - began
    tell(seconds, None, [(k, n, s) for k, (n, s) in answer.items() if n])


def _with_header(source: Path, target: Path, header: str) -> None:
    target.write_text(f"{header}\n{source.read_text()}")


def _define(home: Path, workload: str, answer: dict[int, tuple[int, int]]) -> None:
    """A dataflow whose last answer comes into `answer`."""
    signed = []
    for name, sign in (("inserts", 1), ("deletes", -1)):
        rows = pw.io.csv.read(str(home / name), schema=Fact, mode="static")
        signed.append(rows.select(k=pw.this.k, d=sign, x=sign * pw.this.x))
    facts = pw.Table.concat_reindex(*signed)
    if workload == "W2":
        dimension = pw.io.csv.read(str(home / "dimension.csv"), schema=Dimension, mode="static")
        facts = facts.join(dimension, facts.k == dimension.k).select(k=dimension.g, d=facts.d, x=facts.x)
    grouped = facts.groupby(pw.this.k).reduce(k=pw.this.k, n=pw.reducers.sum(pw.this.d), s=pw.reducers.sum(pw.this.x))

    def changed(key: Any, row: dict[str, Any], time: int, is_addition: bool) -> None:
        if is_addition:
            answer[row["k"]] = (row["n"], row["s"])

    pw.io.subscribe(grouped, on_change=changed)


if __name__ == "__main__":
    main()
