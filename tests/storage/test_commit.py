"""Group commit is all or nothing, exactly once, whatever the consensus store answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import hypothesis.strategies as st
import pytest
from hypothesis import given

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from storage.maintenance import StorageMaintenance
from storage.persist.commit import Committed, Conflict, commit, compare_and_append
from storage.persist.location import Indeterminate
from storage.persist.snapshot import read_state
from storage.persist.version import ROLLUP_VERSIONS
from tests.draws import draws
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import DESC, ManualClock, SeededRandomness, World, at, contents, many_rows, table_of

IDS = [GlobalId.user(number) for number in (1, 2, 3)]
_FAULTS = Faults(done=200, not_done=200, late=100, read_failure=150, latency_ms_max=3)


class Writer:
    """Commits a row to every shard and a count to a key, each at a time of its own, until it is done."""

    def __init__(self, world: World, times: dict[str, int]) -> None:
        self.world = world
        self.times = times

    async def write(self, name: int, rows: int) -> None:
        controller = self.world.controller
        for _ in range(rows):
            while True:
                time = self.times["next"]
                table = table_of((time, f"writer {name}"))
                writes = [await controller.prepare_append(id_, [table], at(time), at(time + 1)) for id_ in IDS]
                head = self.times["seqno"]
                # The same bytes whoever writes them: only the shards tell the writers apart.
                outcome = await controller.commit(writes, None, {"oracle": (head or None, b"%d" % time)})
                if isinstance(outcome, Committed):
                    assert set(outcome.states) == {str(id_) for id_ in IDS}
                    self.times["next"] = max(self.times["next"], time + 1)
                    self.times["seqno"] = max(self.times["seqno"], head + 1)
                    break
                # Another writer took the time; it says so itself once it knows.
                await asyncio.sleep(0)


@draws(25)
@given(seed=st.integers(0, 2**32))
def test_commits_of_many_writers_are_atomic_over_all_keys_under_faults(seed: int) -> None:
    async def body() -> None:
        clock, randomness = ManualClock(), SeededRandomness(seed)
        consensus = UnreliableConsensus(MemoryConsensus(), clock, randomness, _FAULTS)
        world = World(consensus, MemoryBlob(), clock, randomness)
        for id_ in IDS:
            await world.seed.create(id_, DESC, at(0), at(0))
        writer = Writer(world, {"next": 0, "seqno": 0})
        maintaining = asyncio.create_task(StorageMaintenance(world.controller).run())
        await asyncio.gather(*(writer.write(name, 4) for name in range(3)))
        maintaining.cancel()
        await asyncio.gather(maintaining, return_exceptions=True)
        consensus.faults = Faults()
        await world.restart()
        found = [contents(await world.controller.reads.read(id_, Timestamp(11))) for id_ in IDS]
        assert found[0] == found[1] == found[2]
        assert sorted(time for time, _ in found[0]) == list(range(12))  # type: ignore[type-var]
        assert [writers for _, writers in found[0]].count("writer 1") == 4
        versions = await consensus.scan("oracle", 1)
        assert [int(version.data) for version in versions] == list(range(12))

    asyncio.run(body())


@draws(25)
@given(seed=st.integers(0, 2**32))
def test_a_commit_of_other_keys_alone_is_resolved_too(seed: int) -> None:
    async def body() -> None:
        consensus = UnreliableConsensus(MemoryConsensus(), ManualClock(), SeededRandomness(seed), _FAULTS)
        for seqno in range(20):
            write: Mapping[str, tuple[int | None, bytes]] = {"key": (seqno or None, b"%d" % seqno)}
            outcome = await commit(consensus, [], {}, write, token=f"{seqno}", clock=ManualClock())
            assert isinstance(outcome, Committed)
            stale = await commit(consensus, [], {}, {"key": (seqno or None, b"x")}, token="x", clock=ManualClock())
            assert isinstance(stale, Conflict)

    asyncio.run(body())


class SilentConsensus(MemoryConsensus):
    silent = False

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        if self.silent:
            raise Indeterminate("no answer")
        return await super().compare_and_set(expected, writes)


async def test_a_consensus_that_stays_silent_is_an_error_and_the_shard_can_go_on_later() -> None:
    consensus = SilentConsensus()
    world = World(consensus)
    await world.seed.create(IDS[0], DESC, at(0), at(0))
    consensus.silent = True
    write = await world.controller.prepare_append(IDS[0], [table_of((1, "x"))], at(0), at(1))
    with pytest.raises(SqlError) as raised:
        await world.controller.commit([write])
    assert raised.value.sqlstate is Sqlstate.STATEMENT_COMPLETION_UNKNOWN
    consensus.silent = False
    assert isinstance(await world.controller.commit([write]), Committed)
    assert contents(await world.controller.reads.read(IDS[0], Timestamp(0))) == {(1, "x"): 1}


class OvertakenConsensus(MemoryConsensus):
    """The next write is not done and not answered; before its writer asks again, `overtake` has its turn."""

    overtake: Callable[[], Awaitable[object]] | None = None

    async def compare_and_set(self, expected: Mapping[str, int | None], writes: Mapping[str, bytes]) -> bool:
        if self.overtake is not None:
            overtake, self.overtake = self.overtake, None
            await overtake()
            raise Indeterminate("no answer")
        return await super().compare_and_set(expected, writes)


async def test_a_commit_in_doubt_does_not_take_for_its_own_what_another_wrote_alike() -> None:
    consensus = OvertakenConsensus()
    world, other = World(consensus), World(consensus)
    await world.seed.create(IDS[0], DESC, at(0), at(0))
    await other.controller.load()
    oracle = {"oracle": (None, b"the next time")}
    theirs = await other.controller.prepare_append(IDS[0], [table_of((2, "theirs"))], at(0), at(1))
    ours = await world.controller.prepare_append(IDS[0], [table_of((1, "ours"))], at(0), at(1))
    consensus.overtake = lambda: other.controller.commit([theirs], None, oracle)
    assert isinstance(await world.controller.commit([ours], None, oracle), Conflict)
    await world.controller.load()
    assert contents(await world.controller.reads.read(IDS[0], Timestamp(0))) == {(2, "theirs"): 1}


async def test_a_commit_that_was_cancelled_leaves_a_shard_that_works() -> None:
    reached = asyncio.Event()
    release = asyncio.Event()

    async def pause() -> None:
        reached.set()
        await release.wait()

    consensus = MemoryConsensus()
    world = World(consensus)
    await world.seed.create(IDS[0], DESC, at(0), at(0))
    consensus._pause = pause
    write = await world.controller.prepare_append(IDS[0], [table_of((1, "x"))], at(0), at(1))
    committing = asyncio.create_task(world.controller.commit([write]))
    await reached.wait()
    committing.cancel()
    await asyncio.gather(committing, return_exceptions=True)
    release.set()
    again = await world.controller.prepare_append(IDS[0], [table_of((2, "y"))], at(1), at(2))
    assert isinstance(await world.controller.commit([again]), Committed)
    assert (2, "y") in contents(await world.controller.reads.read(IDS[0], Timestamp(1)))


async def test_compare_and_append_demands_the_very_upper() -> None:
    world = World()
    await world.seed.create(IDS[0], DESC, at(0), at(0))
    machine = world.machine("u1")
    await machine.refresh()
    row = table_of((1, "x"))
    assert isinstance(await compare_and_append(machine, [row], at(0), at(5), token="a"), Committed)
    for expected in (0, 4, 6):
        outcome = await compare_and_append(machine, [row], at(expected), at(9), token=f"b{expected}")
        assert isinstance(outcome, Conflict)
    assert isinstance(await compare_and_append(machine, [row], at(5), at(9), token="c"), Committed)
    assert (await read_state(world.consensus, "u1")).upper == at(9)


async def test_an_append_writes_the_batch_and_not_the_state() -> None:
    consensus = MemoryConsensus()
    world = World(consensus)
    await world.seed.create(IDS[0], DESC, at(0), at(0))
    for time in range(3 * ROLLUP_VERSIONS):
        write = await world.controller.prepare_append(IDS[0], [table_of((time, "x"))], at(time), at(time + 1))
        await world.controller.commit([write])
    sizes = {version.seqno: len(version.data) for version in await consensus.scan("shard/u1", 2)}
    small = [size for seqno, size in sizes.items() if seqno % ROLLUP_VERSIONS != 0]
    assert max(small) < 2000
    assert max(small) - min(small) < 100
    await StorageMaintenance(world.controller).round()
    kept = await consensus.scan("shard/u1", 1)
    assert ROLLUP_VERSIONS < len(kept) <= 2 * ROLLUP_VERSIONS + 1
    await world.restart()
    assert len(contents(await world.controller.reads.read(IDS[0], Timestamp(150)))) == 151


async def test_parts_of_a_conflict_can_be_appended_by_another_attempt() -> None:
    world = World()
    await world.seed.create(IDS[0], DESC, at(0), at(0))
    part = await world.controller.stage.stage_part("u1", DESC, many_rows())
    first = await world.controller.prepare_append(IDS[0], [part], at(0), at(1))
    assert isinstance(await world.controller.commit([first], {"fence": 1}), Conflict)
    first.abandon()
    second = await world.controller.prepare_append(IDS[0], [part], at(7), at(8))
    assert part.key in world.controller.stage.underway
    assert isinstance(await world.controller.commit([second]), Committed)
    assert not world.controller.stage.underway
    assert {part.time for part in world.controller.reads.snapshot(IDS[0], Timestamp(7)).parts} == {7}
