"""What each peer is put through, and what it says of it; standard library only, since it runs in peers' environments.

    python -m benchmarks.peers.NAME FOLDER WORKLOAD BATCHES

FOLDER holds dimension.csv (k, g), and inserts-N.csv and deletes-N.csv (id, k, x) for each batch. The last line that is
printed is JSON: seconds until the view was read after the last batch, when it is read once and when it is read after
each batch (null: this peer has no such mode), and the view's rows.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

Row = tuple[int, int, int]
QUERIES = {
    "W1": "SELECT k, count(*) AS n, sum(x) AS s FROM facts GROUP BY k",
    "W2": "SELECT g, count(*) AS n, sum(x) AS s FROM facts JOIN dimension ON facts.k = dimension.k GROUP BY g",
}


class Peer(Protocol):
    """An engine with empty `facts`, a filled `dimension`, and the view of the workload, if it keeps views."""

    def load(self, folder: Path, workload: str) -> None:
        """Called once, first, and not timed."""

    def apply(self, inserts: Path, deletes: Path) -> None:
        """One batch, in CSV."""

    def read(self) -> Iterable[Row]:
        """The view's rows after all that was applied: (group, count, sum)."""


def run(begin: Callable[[], Peer]) -> None:
    """The whole course, on a fresh peer for each mode."""
    folder, workload, batches = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    once_s, rows = _timed(begin(), folder, workload, batches, each=False)
    each_s, _ = _timed(begin(), folder, workload, batches, each=True)
    tell(once_s, each_s, rows)


def tell(once_s: float | None, each_s: float | None, rows: Iterable[Row]) -> None:
    plain = [[int(value) for value in row] for row in rows]
    print(json.dumps({"once_s": once_s, "each_s": each_s, "rows": plain}), flush=True)


def _timed(peer: Peer, folder: Path, workload: str, batches: int, *, each: bool) -> tuple[float, list[Any]]:
    peer.load(folder, workload)
    rows: list[Any] = []
    began = time.monotonic()
    for batch in range(batches):
        peer.apply(folder / f"inserts-{batch}.csv", folder / f"deletes-{batch}.csv")
        if each or batch == batches - 1:
            rows = list(peer.read())
    return time.monotonic() - began, rows
