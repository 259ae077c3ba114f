"""KEY VALUE: keys whose values are replaced, round by round.

Keys are numbers, values are bytes. A step replaces the values of one batch of keys, so a round takes `KEYS / BATCH
SIZE` steps; the first `SNAPSHOT ROUNDS` rounds are there at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from connectors.generators.randomness import Draws, Integers
from connectors.generators.steps import as_updates


@dataclass(frozen=True, slots=True)
class KeyValue:
    """The generator with its options. A key's partition is its remainder by `partitions`."""

    seed: int
    keys: int
    rounds: int
    value_bytes: int
    partitions: int
    batch: int

    @property
    def _steps_per_round(self) -> int:
        return -(-self.keys // self.batch)

    @property
    def ready(self) -> int:
        return self.rounds * self._steps_per_round

    @property
    def updates_per_step(self) -> int:
        return 2 * self.batch

    @property
    def bytes_per_update(self) -> int:
        return self.value_bytes + 64

    def updates(self, lower: int, upper: int) -> Mapping[str, pa.Table]:
        steps = np.repeat(np.arange(lower, upper, dtype=np.int64), self.batch)
        places = np.tile(np.arange(self.batch, dtype=np.int64), upper - lower)
        rounds, keys = steps // self._steps_per_round, steps % self._steps_per_round * self.batch + places
        there = keys < self.keys
        rounds, keys = rounds[there], keys[there]
        again = rounds > 0
        new, old = self._rows(keys, rounds, 1), self._rows(keys[again], rounds[again] - 1, -1)
        return {"key_value": pa.concat_tables([new, old])}

    def _rows(self, keys: Integers, rounds: Integers, diff: int) -> pa.Table:
        """Returns the rows of keys in rounds; the column offset counts the rows of the key's partition."""
        partition = keys % self.partitions
        share = (self.keys - partition + self.partitions - 1) // self.partitions
        offset = rounds * share + keys // self.partitions
        return as_updates([pa.array(keys), pa.array(partition), self._values(keys, rounds), pa.array(offset)], diff)

    def _values(self, keys: Integers, rounds: Integers) -> pa.Array:
        words = -(-self.value_bytes // 8)
        numbers = np.repeat((keys + rounds * self.keys) * words, words) + np.tile(np.arange(words), len(keys))
        drawn = Draws(self.seed, "key value").bits(numbers).view(np.uint8).reshape(len(keys), words * 8)
        data = np.ascontiguousarray(drawn[:, : self.value_bytes])
        offsets = np.arange(len(keys) + 1, dtype=np.int32) * self.value_bytes
        buffers = [None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(data.tobytes())]
        return pa.Array.from_buffers(pa.binary(), len(keys), buffers)
