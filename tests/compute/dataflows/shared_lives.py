"""A replica's life with dataflows that compute the same, as its environment sees it, against what each should hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from compute.protocol.dataflow import DataflowDescription, Import, ShardExport
from compute.protocol.response import DataflowPhase
from compute.replica.tasks.events import CompactExport, StopDataflow
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from planner.ir.relation import Get, Project, Relation
from planner.ir.scalar import Column
from tests.compute.dataflows.mortal import MortalConsensus, MortalMaintenance, Steps
from tests.compute.dataflows.world import DESC, Replica, World, describe, index_on

TABLE = GlobalId.user(1)
SAME: Relation = Project(Get(TABLE, DESC), (0, 1))
SHARDS = (10, 11)
INDEXES = {20: 0, 21: 1, 22: 0}
"""Exports, and by which column an index is sorted."""


@dataclass
class Life:
    """An environment's word on its dataflows. `numbers` are those that run; `begun` is from when on a shard has
    contents, `since` from when an index is wanted."""

    world: World
    root: Path
    item: Import
    replica: Replica
    numbers: dict[int, int] = field(default_factory=dict)
    begun: dict[int, int] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)
    durable: dict[int, int] = field(default_factory=dict)
    shards: dict[int, ShardExport] = field(default_factory=dict)

    async def add(self, id_: int) -> None:
        """Comes to be, with all the past that the table has."""
        table_since = self.world.storage.machine("u1").state.since.time
        assert table_since is not None
        if id_ in SHARDS:
            self.begun[id_] = self.world.now
            self.shards[id_] = await self.world.view_shard(id_, DESC)
        else:
            self.since[id_] = table_since
        self.start(id_)

    def start(self, id_: int) -> None:
        begin = self.begun[id_] if id_ in SHARDS else self.since[id_]
        self.numbers[id_] = self.replica.start(self.description(id_, begin))

    def description(self, id_: int, begin: int) -> DataflowDescription:
        """A view of its own beneath each index."""
        if id_ in SHARDS:
            return describe([self.item], (id_, SAME), [self.shards[id_]], begin)
        column = INDEXES[id_]
        index = index_on(id_, id_ + 100, Column(column, DESC.types[column]))
        return describe([self.item], (id_ + 100, SAME), [index], begin)

    def drop(self, id_: int) -> None:
        self.replica.dataflows.carry_out(StopDataflow(self.numbers.pop(id_)))
        self.durable.pop(id_, None)

    async def restart(self) -> None:
        await self.replica.kill()
        self.replica = mortal_replica(self.world, self.root)
        for id_ in list(self.numbers):
            self.start(id_)

    @property
    def hydrated(self) -> bool:
        """Whether this life of the replica has had to begin anew with anything."""
        return any(each.phase is DataflowPhase.HYDRATING for each in self.replica.statuses())

    def compact(self, id_: int, since: int) -> None:
        """So much of an index's past is not wanted any more."""
        self.since[id_] = max(since, self.since[id_])
        self.replica.dataflows.carry_out(
            CompactExport(self.numbers[id_], GlobalId.user(id_), Antichain.at(self.since[id_]))
        )

    async def forget(self) -> None:
        """As an environment: what nobody needs of the table any more is let go."""
        needed = []
        for id_ in self.numbers:
            frontiers = self.replica.frontiers(id_)
            told = None if frontiers.durable is None else frontiers.durable.time
            self.durable[id_] = max(self.durable.get(id_, 0), told or 0)
            needed.append(self.durable[id_] - 1)
            needed.append(self.since.get(id_, self.durable[id_]) if id_ in INDEXES else self.durable[id_])
        if needed and min(needed) > 0:
            await self.world.seed.allow_compaction(TABLE, Antichain.at(min(needed)))

    async def settled(self) -> None:
        await self.replica.caught_up(*self.numbers)

    @property
    def runners(self) -> int:
        return len(set(self.replica.dataflows._runners.values()))

    async def check(self) -> None:
        """All exports at all of their times."""
        await self.settled()
        for id_ in self.numbers:
            if id_ in SHARDS:
                for time in range(self.begun[id_], self.world.now):
                    held = Counter({(*row, None): count for row, count in self.world.rows_at(1, time).items()})
                    assert await self.world.shard_at(id_, time) == held, f"shard {id_} at {time}"
                continue
            since = self.replica.frontiers(id_).since
            assert since is not None and since.time is not None
            assert since.time <= self.since[id_], f"index {id_} is readable from {since.time}, not {self.since[id_]}"
            for time in range(self.since[id_], self.world.now):
                held = await self.replica.index_at(id_, time, DESC)
                assert held == self.world.rows_at(1, time), f"index {id_} at {time}"


def mortal_replica(world: World, root: Path, steps: Steps | None = None) -> Replica:
    steps = Steps(10**9) if steps is None else steps
    consensus = MortalConsensus(world.consensus, steps)
    return Replica(world, lambda places: MortalMaintenance(places, root, steps), consensus)


async def begun_life(world: World, root: Path) -> Life:
    item = await world.table(1)
    await world.commit({1: [((1, "a"), 1), ((2, "b"), 2)]})
    return Life(world, root, item, mortal_replica(world, root))
