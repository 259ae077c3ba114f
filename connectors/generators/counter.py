"""COUNTER: the whole numbers from 1, one per step; with MAX CARDINALITY only the last so many of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from connectors.generators.steps import as_updates


@dataclass(frozen=True, slots=True)
class CounterGenerator:
    """Counts; `cardinality` limits how many numbers remain, None means all."""

    cardinality: int | None

    @property
    def ready(self) -> int:
        return 0

    @property
    def bytes_per_update(self) -> int:
        return 32

    @property
    def updates_per_step(self) -> int:
        return 1 if self.cardinality is None else 2

    def updates(self, lower: int, upper: int) -> Mapping[str, pa.Table]:
        new = np.arange(lower + 1, upper + 1, dtype=np.int64)
        if self.cardinality is None:
            return {"counter": as_updates([pa.array(new)], 1)}
        old = new - self.cardinality
        old = old[old > 0]
        diffs = np.repeat(np.array([1, -1], np.int64), [len(new), len(old)])
        return {"counter": as_updates([pa.array(np.concatenate([new, old]))], diffs)}
