"""TPCH: the eight tables of the benchmark at a scale factor, and refreshes, each of which replaces an order and its
lines.

First come nations and regions, then suppliers, parts, customers and orders, a batch of each per step; then each step
replaces one order, in turns, in an order that looks random. Rows have the benchmark's types, ranges and references;
their texts are shorter.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from connectors.generators.randomness import Integers
from connectors.generators.steps import as_updates
from connectors.generators.tpch_rows import LINES_MAX, SUPPLIERS_EACH, TpchRows

_BATCH = 200
"""So many rows of a table (orders with their lines, parts with their suppliers) come with a step of the snapshot."""
_STRIDE = 2_147_483_647
"""A prime: multiples of it visit all orders in turns, whatever their number."""


class Tpch:
    """The generator for one seed. Scale factor 1 has 1,500,000 orders."""

    updates_per_step = _BATCH * (1 + LINES_MAX)
    bytes_per_update = 512

    def __init__(self, seed: int, scale: float) -> None:
        whole = {"supplier": 10_000, "part": 200_000, "customer": 150_000, "orders": 1_500_000}
        self._counts = {name: max(int(count * scale), SUPPLIERS_EACH) for name, count in whole.items()}
        self._rows = TpchRows(seed, self._counts)

    @property
    def ready(self) -> int:
        return 1 + sum(map(_batches, self._counts.values()))

    def updates(self, lower: int, upper: int) -> Mapping[str, pa.Table]:
        pieces: dict[str, list[pa.Table]] = {}
        if lower <= 0 < upper:
            pieces |= {"region": [as_updates(self._rows.regions(), 1)], "nation": [as_updates(self._rows.nations(), 1)]}
        begin = 1
        for name, count in self._counts.items():
            first, last = (min(max(step - begin, 0) * _BATCH, count) for step in (lower, upper))
            if first < last:
                self._add(pieces, name, np.arange(first, last, dtype=np.int64), 0, 1)
            begin += _batches(count)
        if upper > begin:
            self._refresh(pieces, max(lower - begin, 0), upper - begin)
        return {name: pa.concat_tables(tables) for name, tables in pieces.items()}

    def _refresh(self, pieces: dict[str, list[pa.Table]], lower: int, upper: int) -> None:
        """Adds the changes of refreshes. In each round every order gets its next version."""
        turns = np.arange(lower, upper, dtype=np.int64)
        count = self._counts["orders"]
        version, place = turns // count, turns % count
        numbers = place * (_STRIDE % count) % count if _STRIDE % count else place
        for replaced in np.unique(version):
            mine = numbers[version == replaced]
            self._add(pieces, "orders", mine, int(replaced), -1)
            self._add(pieces, "orders", mine, int(replaced) + 1, 1)

    def _add(self, pieces: dict[str, list[pa.Table]], name: str, numbers: Integers, version: int, diff: int) -> None:
        for table, columns in self._rows.of(name, numbers, version).items():
            pieces.setdefault(table, []).append(as_updates(columns, diff))


def _batches(count: int) -> int:
    return -(-count // _BATCH)
