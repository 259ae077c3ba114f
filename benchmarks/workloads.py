"""W1 and W2: changes to `facts (id, k, x)` in batches, and what the two views hold after them.

    W1    SELECT k, count(*), sum(x) FROM facts GROUP BY k
    W2    SELECT g, count(*), sum(x) FROM facts JOIN dimension ON facts.k = dimension.k GROUP BY g

800,000 inserts and 200,000 deletes at full size, over 10,000 keys and 50 groups. A batch is four fifths inserts; what
it deletes are the oldest rows that are left.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.loading import as_csv

KEYS, GROUPS = 10_000, 50
BATCHES = 20
_SEED = 7
_VALUE_MAX = 1_000_000

Totals = dict[int, tuple[int, int]]
Ints = np.ndarray[tuple[int], np.dtype[np.int64]]


class Workload(StrEnum):
    W1 = "W1"
    W2 = "W2"

    @property
    def query(self) -> str:
        match self:
            case Workload.W1:
                return "SELECT k, count(*) AS n, sum(x) AS s FROM facts GROUP BY k"
            case Workload.W2:
                return (
                    "SELECT g, count(*) AS n, sum(x) AS s FROM facts JOIN dimension ON facts.k = dimension.k GROUP BY g"
                )


@dataclass(frozen=True)
class Changes:
    """`keys` and `values` of inserted rows, whose ids are their positions; the first fourth of them is deleted."""

    keys: Ints
    values: Ints

    @property
    def count(self) -> int:
        """Inserts and deletes."""
        return len(self.keys) + self.deleted

    @property
    def deleted(self) -> int:
        return len(self.keys) // 4

    @cached_property
    def rows(self) -> pa.Table:
        return pa.table({"id": np.arange(len(self.keys)), "k": self.keys, "x": self.values})

    def inserted_in(self, batch: int) -> range:
        return _share(len(self.keys), batch)

    def deleted_in(self, batch: int) -> range:
        return _share(self.deleted, batch)

    def totals(self, workload: Workload) -> Totals:
        """Count and sum of what is left, by key or by group."""
        keys, values = self.keys[self.deleted :], self.values[self.deleted :]
        groups = keys if workload is Workload.W1 else keys % GROUPS
        size = KEYS if workload is Workload.W1 else GROUPS
        counts = np.bincount(groups, minlength=size)
        sums = np.zeros(size, np.int64)
        np.add.at(sums, groups, values)
        return {k: (int(counts[k]), int(sums[k])) for k in range(size) if counts[k]}

    def save(self, folder: Path) -> None:
        """For peers: `dimension.csv`, and of each batch `inserts-N.csv` and `deletes-N.csv` with whole rows."""
        (folder / "dimension.csv").write_bytes(as_csv(dimension()))
        for batch in range(BATCHES):
            for name, ids in (("inserts", self.inserted_in(batch)), ("deletes", self.deleted_in(batch))):
                (folder / f"{name}-{batch}.csv").write_bytes(as_csv(self.rows.slice(ids.start, len(ids))))


def changes(count: int) -> Changes:
    """About `count` changes, four in five inserts."""
    source = np.random.default_rng(_SEED)
    inserts = count * 4 // 5
    return Changes(source.integers(0, KEYS, inserts), source.integers(0, _VALUE_MAX, inserts))


def dimension() -> pa.Table:
    """`k`, and `g`, which is k modulo 50."""
    keys = np.arange(KEYS)
    return pa.table({"k": keys, "g": keys % GROUPS})


def _share(total: int, batch: int) -> range:
    return range(total * batch // BATCHES, total * (batch + 1) // BATCHES)
