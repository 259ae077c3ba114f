"""Batches lie in the order of their uppers, whoever appends and whichever of them compaction takes; so what changed
after a time is found from the last of them back. Held against a plain list of updates.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations

import hypothesis.strategies as st
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given
from msgspec.structs import replace

from compute.replica.sinks.input_updates import closing_time
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY
from model.time.capability import WriteCapability
from model.time.timestamp import Timestamp
from model.updates.update import updates_from_arrow
from storage.controller import StorageController
from storage.holds import StorageReadHold
from storage.maintenance import StorageMaintenance
from storage.persist.commit import Committed
from storage.persist.compact import prepare_compaction
from storage.persist.snapshot import read_changes, read_snapshot, snapshot, updates_between
from storage.persist.state import Batch, ShardState, brought_in_order
from storage.persist.transition import Compacted, apply
from storage.persist.version import Version, encode_version
from storage.seed_commands import SeedCommands
from tests.draws import draws
from tests.storage.memory import MemoryConsensus
from tests.storage.worlds import DESC, World, at, contents, updates_of

U1 = GlobalId.user(1)
_BETWEEN = st.integers(0, 3)
_operations = st.lists(
    st.one_of(
        st.tuples(st.just("append"), _BETWEEN, st.integers(1, 4)),
        st.tuples(st.just("append"), _BETWEEN, st.integers(1, 4)),
        st.tuples(st.just("append by a user"), _BETWEEN, st.integers(1, 4)),
        st.tuples(st.just("compact"), st.integers(1, 1023), st.just(0)),
        st.tuples(st.just("hold"), st.integers(0, 30), st.just(0)),
        st.tuples(st.just("release"), st.just(0), st.just(0)),
        st.tuples(st.just("since"), st.integers(1, 6), st.just(0)),
        st.tuples(st.just("round"), st.just(0), st.just(0)),
        st.tuples(st.just("restart"), st.just(0), st.just(0)),
    ),
    min_size=3,
    max_size=30,
)


@pytest.fixture(autouse=True, scope="module")
def _states_are_rolled_up_and_compacted_often() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("storage.persist.compact.INLINE_BATCHES_MAX", 3)
        patch.setattr("storage.persist.version.ROLLUP_VERSIONS", 5)
        yield


@dataclass
class _Run:
    """A life of one collection, which the environment and a user write, and the times of all updates of it."""

    world: World
    users: WriteCapability
    upper: int = 0
    times: list[int] = field(default_factory=list)
    holds: list[StorageReadHold] = field(default_factory=list)

    @property
    def controller(self) -> StorageController:
        return self.world.controller

    @property
    def state(self) -> ShardState:
        (collection,) = self.controller.collections()
        return collection.state

    async def perform(self, what: str, number: int, span: int) -> None:
        match what:
            case "append":
                lower, self.upper = self.upper, self.upper + span
                updates = self._updates(lower + number % span)
                write = await self.controller.prepare_append(U1, [updates], at(lower), at(self.upper))
                assert isinstance(await self.controller.commit([write]), Committed)
            case "append by a user":
                frontier = self.users.frontier.time
                assert frontier is not None
                updates = self._updates(frontier + number % span)
                self.users = await SeedCommands(self.controller).update_and_downgrade(
                    self.users, [updates], at(frontier + span)
                )
            case "compact":
                await self._compact(number)
            case "hold":
                frontiers = self.controller.frontiers(U1)
                since, upper = frontiers.since.time, frontiers.upper.time
                assert since is not None and upper is not None
                if since < upper:
                    self.holds.append(self.controller.reads.hold(U1, Timestamp(since + number % (upper - since))))
            case "release" if self.holds:
                self.holds.pop(0).release()
            case "since":
                since = self.controller.frontiers(U1).since.time
                assert since is not None
                await SeedCommands(self.controller).allow_compaction(
                    U1, at(min(since + number, max(since, self.complete - 1)))
                )
            case "round":
                await StorageMaintenance(self.controller).round()
            case "restart":
                self.holds.clear()
                await self.world.restart()

    @property
    def complete(self) -> int:
        upper = self.controller.frontiers(U1).upper.time
        assert upper is not None
        return upper

    def _updates(self, time: int) -> pa.Table:
        self.times.append(time)
        return updates_of(((len(self.times), "x"), time, 1))

    async def _compact(self, chosen: int) -> None:
        batches = tuple(batch for i, batch in enumerate(self.state.batches) if chosen >> i & 1)
        if batches:
            (collection,) = self.controller.collections()
            write = await prepare_compaction(collection.machine, self.world.blob, self.controller.runner, batches)
            assert isinstance(await self.controller.commit([write]), Committed)

    async def check(self) -> None:
        since = self.state.since.time
        assert since is not None
        for time in range(since, max(self.upper, self.complete) + 1):
            changed = any(each > time for each in self.times)
            assert self.controller.reads.changed_after(U1, Timestamp(time)) == changed, f"after {time} of {self.times}"
        if since < self.complete:
            last = Timestamp(self.complete - 1)
            assert len(contents(await self.controller.reads.read(U1, last))) == sum(each <= last for each in self.times)


async def _begin() -> _Run:
    world = World()
    await world.seed.create(U1, DESC, at(0), at(0))
    read, write = await world.seed.acquire_capabilities(U1)
    await world.seed.drop_capability(read)
    return _Run(world, write)


async def _run(operations: list[tuple[str, int, int]]) -> None:
    run = await _begin()
    for what, number, span in operations:
        await run.perform(what, number, span)
        await run.check()


_NEWEST_TAKEN = [("append", 0, 1), ("append", 0, 1), ("append", 0, 1), ("compact", 0b110, 0)]
_NOT_NEIGHBOURS = [("append", 0, 1), ("append", 0, 2), ("append", 0, 1), ("compact", 0b101, 0)]


@draws(150, [HealthCheck.too_slow])
@given(operations=_operations)
@example(operations=_NEWEST_TAKEN)
@example(operations=_NOT_NEIGHBOURS)
def test_what_changed_after_a_time_is_what_a_list_of_updates_tells(operations: list[tuple[str, int, int]]) -> None:
    asyncio.run(_run(operations))


async def _three_batches() -> _Run:
    run = await _begin()
    for _ in range(3):
        await run.perform("append", 0, 1)
    return run


async def test_a_state_that_was_written_out_of_order_is_read_in_order() -> None:
    run = await _three_batches()
    first, second, third = run.state.batches
    disordered = replace(run.state, seqno=1, batches=(third, first, second))
    consensus = MemoryConsensus()
    data = encode_version(Version(token="old", transitions=(), rollup=disordered))
    await consensus.compare_and_set({"shard/u1": None}, {"shard/u1": data})
    run.world = World(consensus=consensus, blob=run.world.blob)
    await run.world.controller.load()
    assert run.state.batches == (first, second, third)
    await run.check()
    await run.perform("append", 0, 1)
    await run.check()


async def test_a_state_out_of_order_can_not_come_to_be() -> None:
    run = await _three_batches()
    first, second, third = run.state.batches
    disordered = replace(run.state, batches=(third, first, second))
    with pytest.raises(AssertionError, match="the batches of u1 are out of order"):
        apply("u1", disordered, Compacted(replaced=(second.id,), batch=None), run.state.seqno + 1)


async def test_what_is_read_of_a_shard_does_not_rest_on_the_order_of_its_batches() -> None:
    run = await _begin()
    for number in range(4):
        await run.perform("append", number, 2)
    await run.perform("compact", 0b101, 0)
    state, blob, last = run.state, run.world.blob, Timestamp(run.upper - 1)

    async def read(state: ShardState) -> object:
        tables = [await read_snapshot(snapshot(state, Timestamp(time)), blob) for time in range(run.upper)]
        changes = await read_changes(updates_between(state, Timestamp(3), last), blob)
        closing = [closing_time(state, Timestamp(0), last, rows) for rows in range(6)]
        return [contents(table) for table in tables], updates_from_arrow(changes, DESC), closing

    expected = await read(state)
    for batches in permutations(state.batches):
        assert await read(replace(state, batches=batches)) == expected


@given(uppers=st.lists(st.integers(0, 5) | st.none(), max_size=8))
def test_batches_that_end_together_stay_as_they_lie(uppers: list[int | None]) -> None:
    ends = [EMPTY if upper is None else at(upper) for upper in uppers]
    batches = tuple(Batch(id=i, lower=at(0), upper=end, since=at(0)) for i, end in enumerate(ends))
    desc, first = DESC, at(0)
    state = ShardState(
        shard="u1", seqno=1, desc=desc, timeline=False, retain_ms=None, since=first, upper=first, batches=batches
    )
    found = brought_in_order(state)
    assert found.in_order
    assert [batch.id for batch in found.batches] == sorted(
        range(len(ends)), key=lambda place: (ends[place].empty, ends[place].time or 0)
    )
