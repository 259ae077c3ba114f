"""Wide steps by chance: some ticks of a dataflow are worked on by tasks, on some number of partitions."""

from __future__ import annotations

import random

from compute.maintain.queries import Queries
from compute.maintain.wide import WideBounds, WideSteps
from tests.compute.executors.pools import FATES, Threads


class Coin:
    """Some steps are wide, by a coin, each tick's on another number of partitions; the pool is remembered."""

    def __init__(self, dice: random.Random, fate: str = "once", partitions: tuple[int, ...] = (1, 2, 7)) -> None:
        self._dice = dice
        self._partitions = partitions
        self.first, self.later = (WideBounds(dice.choice(rows), -1) for rows in ((0, 0, 5), (0, 0, 3)))
        self.fate = fate
        self.pools: list[Threads] = []

    def __call__(self, queries: Queries) -> WideSteps:
        self.pools.append(Threads(queries, FATES[self.fate]))
        merges = WideBounds(self._dice.choice((0, 4)), -1)
        exports = WideBounds(self._dice.choice((0, 4)), -1)
        bounds = (self.first, self.later, merges, exports)
        return WideSteps(self.pools[-1], lambda: self._dice.choice(self._partitions), *bounds)

    def __str__(self) -> str:
        return f"from {self.first.rows}, then {self.later.rows} rows on, {self.fate}"

    @property
    def jobs(self) -> int:
        return sum(len(pool.tasks) for pool in self.pools)
