"""A clock, randomness and places for tests of storage: no threads, no waiting, decided by a seed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT4, ScalarType, TypeName
from model.updates.update import Update, updates_to_arrow
from storage.controller import StorageController
from storage.persist.location import Blob, Consensus, Indeterminate
from storage.persist.runner import InlineRunner
from storage.persist.shard import ShardMachine
from storage.persist.write import Stage
from storage.seed_commands import SeedCommands
from tests.storage.memory import MemoryBlob, MemoryConsensus

DESC = relation_desc(("a", INT4), ("b", ScalarType(TypeName.TEXT)))
BIG_ROWS = 20_000
"""So many rows of DESC don't fit inline."""


class ManualClock:
    """Stands still until told; sleeping only lets others run."""

    def __init__(self, now_ms: int = 1_000_000) -> None:
        self.ms = now_ms

    def now_ms(self) -> int:
        return self.ms

    def elapsed_ns(self) -> int:
        return self.ms * 1_000_000

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


class SeededRandomness:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def token(self) -> str:
        return f"{self._random.getrandbits(128):032x}"

    def below(self, bound: int) -> int:
        return self._random.randrange(bound)


@dataclass
class World:
    """One environment's life on places that outlive it; `restart` begins the next life."""

    consensus: Consensus = field(default_factory=MemoryConsensus)
    blob: Blob = field(default_factory=MemoryBlob)
    clock: ManualClock = field(default_factory=ManualClock)
    randomness: SeededRandomness = field(default_factory=lambda: SeededRandomness(0))

    def __post_init__(self) -> None:
        self.controller = self._new_controller()
        self.stage = self.controller.stage

    def _new_controller(self) -> StorageController:
        return StorageController(self.consensus, self.blob, self.clock, self.randomness, InlineRunner())

    @property
    def seed(self) -> SeedCommands:
        return SeedCommands(self.controller)

    async def restart(self) -> None:
        upper = self.controller.timeline_upper
        self.controller = self._new_controller()
        await self.controller.load()
        self.controller.advance_timeline(upper)

    def machine(self, shard: str) -> ShardMachine:
        stage = Stage(self.blob, self.clock, self.randomness, InlineRunner())
        return ShardMachine(shard, self.consensus, stage)


def at(time: int) -> Antichain:
    return Antichain.at(time)


def table_of(*rows: tuple[object, ...], desc: RelationDesc = DESC) -> pa.Table:
    return rows_to_arrow(rows, desc)  # type: ignore[arg-type]


def updates_of(*updates: tuple[tuple[object, ...], int, int]) -> pa.Table:
    return updates_to_arrow([Update(row, Timestamp(time), diff) for row, time, diff in updates], DESC)  # type: ignore[arg-type]


def many_rows(start: int = 0, count: int = BIG_ROWS) -> pa.Table:
    """Rows of DESC that are stored as a part."""
    numbers = range(start, start + count)
    return pa.table({"c0": pa.array(numbers, pa.int32()), "c1": pa.array([f"row {i}" for i in numbers])})


def contents(table: pa.Table, desc: RelationDesc = DESC) -> dict[tuple[object, ...], int]:
    """Multiplicity by row; each row at most once in `table`, as reads promise."""
    rows = rows_from_arrow(table, desc)
    counted = dict(zip(rows, table.column("diff").to_pylist(), strict=True))
    assert len(counted) == len(rows)
    return counted  # type: ignore[return-value]


async def certainly_set(consensus: Consensus, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
    """compare_and_set, until its outcome is known; written data is unique in these tests."""
    for _ in range(1000):
        try:
            if await consensus.compare_and_set(expected, writes):
                return True
        except Indeterminate:
            continue
        for key, data in writes.items():
            head = (await certainly_head(consensus, [key]))[key]
            return head == ((expected[key] or 0) + 1, data)
        return False
    raise AssertionError("never answered")


async def certainly_head(consensus: Consensus, keys: Sequence[str]) -> dict[str, tuple[int, bytes] | None]:
    for _ in range(1000):
        try:
            heads = await consensus.head(keys)
        except Indeterminate:
            continue
        return {key: None if head is None else (head.seqno, head.data) for key, head in heads.items()}
    raise AssertionError("never answered")
