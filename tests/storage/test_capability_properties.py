"""Frontiers never regress and never pass a capability in force, whatever users and the environment do.

A seed decides a whole run: places in memory, one event loop, no threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from dataclasses import dataclass, field

import hypothesis.strategies as st
from hypothesis import given, settings

from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY
from model.time.capability import ReadCapability
from model.time.timestamp import Timestamp
from storage.capabilities import Capability
from storage.controller import StoredFrontiers
from storage.maintenance import StorageMaintenance
from storage.persist.commit import Committed
from storage.seed_commands import SeedCommands
from tests.draws import draws
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import DESC, ManualClock, SeededRandomness, World, at, contents, table_of

U1 = GlobalId.user(1)
_FAULTS = Faults(done=50, not_done=50, late=30, read_failure=50, latency_ms_max=2)


@dataclass
class Run:
    """A random life of one collection, and the capabilities that users hold in it."""

    world: World
    choices: random.Random
    timeline: bool
    held: list[Capability] = field(default_factory=list)
    void: list[Capability] = field(default_factory=list)
    oracle: int = 0
    rows: dict[int, int] = field(default_factory=dict)
    seen: StoredFrontiers = field(default_factory=lambda: StoredFrontiers(at(0), at(0)))

    async def step(self) -> None:
        controller = self.world.controller
        action = self.choices.choice(
            [self._acquire, self._derive, self._downgrade, self._drop, self._update, self._group]
        )
        await action()
        match self.choices.randrange(6):
            case 0:
                await SeedCommands(controller).allow_compaction(U1, at(self.choices.randrange(self.oracle + 3)))
            case 1:
                await StorageMaintenance(controller).round()
            case 2:
                self.world.clock.ms += 40
            case 3:
                await self.world.restart()
        self._check()

    async def _acquire(self) -> None:
        lease_ms = self.choices.choice([None, 50, 100])
        self.held += await self.world.seed.acquire_capabilities(U1, lease_ms)

    async def _derive(self) -> None:
        if (capability := self._any()) is not None:
            derive = self.choices.choice([self.world.seed.clone, self.world.seed.transfer])
            try:
                self.held.append(await derive(capability))
            except SqlError:
                self._is_void(capability)
            else:
                if derive == self.world.seed.transfer:
                    self._is_void(capability)

    async def _downgrade(self) -> None:
        if (capability := self._any()) is not None:
            later = EMPTY
            if capability.frontier.time is not None and self.choices.random() < 0.9:
                later = at(capability.frontier.time + self.choices.randrange(4))
            try:
                moved = await self.world.seed.downgrade(capability, later)
            except SqlError:
                self._is_void(capability)
            else:
                self.held[self.held.index(capability)] = moved

    async def _drop(self) -> None:
        if (capability := self._any()) is not None:
            # One whose lease ran out may be gone already.
            with contextlib.suppress(SqlError):
                await self.world.seed.drop_capability(capability)
            self._is_void(capability)

    async def _update(self) -> None:
        capability = self._any()
        if capability is None or isinstance(capability, ReadCapability) or capability.frontier.time is None:
            return
        time, count = capability.frontier.time, len(self.rows)
        try:
            moved = await self.world.seed.update_and_downgrade(capability, [table_of((count, "user"))], at(time + 1))
        except SqlError:
            self._is_void(capability)
        else:
            self.rows[count] = time
            self.held[self.held.index(capability)] = moved

    async def _group(self) -> None:
        controller = self.world.controller
        time, count = self.oracle + self.choices.randrange(3), len(self.rows)
        write = await controller.prepare_append(U1, [table_of((count, "group"))], at(time), at(time + 1))
        if isinstance(await controller.commit([write]), Committed):
            self.rows[count] = time
            self.oracle = time + 1
            if self.timeline:
                controller.advance_timeline(at(self.oracle))

    def _any(self) -> Capability | None:
        return self.choices.choice(self.held) if self.held else None

    def _is_void(self, capability: Capability) -> None:
        if capability in self.held:
            self.held.remove(capability)
        self.void.append(capability)

    def _check(self) -> None:
        frontiers = self.world.controller.frontiers(U1)
        assert self.seen.since.precedes(frontiers.since), "since regressed"
        assert self.seen.upper.precedes(frontiers.upper), "upper regressed"
        self.seen = frontiers
        for capability in self.held:
            try:
                self.world.seed.validate(capability)
            except SqlError:
                continue
            passed = frontiers.since if isinstance(capability, ReadCapability) else frontiers.upper
            assert passed.precedes(capability.frontier)
        for capability in self.void:
            try:
                self.world.seed.validate(capability)
            except SqlError:
                continue
            raise AssertionError("a void capability is valid")


async def _live(seed: int, *, timeline: bool, faulty: bool) -> tuple[Run, MemoryConsensus]:
    clock, randomness = ManualClock(), SeededRandomness(seed)
    memory = MemoryConsensus()
    consensus = UnreliableConsensus(memory, clock, randomness, _FAULTS if faulty else Faults())
    world = World(consensus, MemoryBlob(), clock, randomness)
    await world.seed.create(U1, DESC, at(0), at(0), timeline=timeline)
    run = Run(world, random.Random(seed), timeline)
    for _ in range(25):
        await run.step()
    consensus.faults = Faults()
    return run, memory


@draws(40)
@given(seed=st.integers(0, 2**32), timeline=st.booleans())
def test_frontiers_never_regress_and_never_pass_a_capability_in_force(seed: int, timeline: bool) -> None:
    async def body() -> None:
        run, _ = await _live(seed, timeline=timeline, faulty=False)
        since, upper = run.seen.since.time, run.seen.upper.time
        if since is None:
            return
        newest = max([since, *run.rows.values()]) if upper is None else upper - 1
        for time in range(since, newest + 1):
            expected = {row for row, when in run.rows.items() if when <= time}
            found = contents(await run.world.controller.reads.read(U1, Timestamp(time)))
            assert {row for row, _ in found} == expected

    asyncio.run(body())


@settings(max_examples=10, deadline=None, database=None)
@given(seed=st.integers(0, 2**32))
def test_a_seed_decides_a_run_to_the_last_byte(seed: int) -> None:
    _, first = asyncio.run(_live(seed, timeline=True, faulty=True))
    _, second = asyncio.run(_live(seed, timeline=True, faulty=True))
    assert first._versions == second._versions
