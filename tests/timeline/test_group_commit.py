"""Group commit: one durable step, in an order that readers can rely on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import rows_to_arrow
from model.time.antichain import Antichain
from model.time.clock import SystemRandomness
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8
from storage.controller import StorageController
from storage.persist.location import Consensus
from storage.persist.runner import InlineRunner
from storage.seed_commands import SeedCommands
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.timeline.commit_parts import ToldPart
from timeline.durable_oracle import DurableOracle
from timeline.fence import Fenced, raise_fence
from timeline.footprint import Footprint, Identities, KeyColumns, WrittenRows
from timeline.group_commit import GroupCommitter, WriteRequest
from timeline.waiting import LockOwner
from timeline.write_locks import WriteLocks

A, B = GlobalId.user(1), GlobalId.user(2)
DESC = relation_desc(("k", INT8))


@dataclass
class ManualClock:
    now: int = 1_000
    slept: list[float] = field(default_factory=list)

    def now_ms(self) -> int:
        return self.now

    def elapsed_ns(self) -> int:
        return self.now * 1_000_000

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += round(seconds * 1000)
        await asyncio.sleep(0)


class NoRiders:
    def due(self, timestamp: Timestamp) -> dict[GlobalId, list[pa.Table]]:
        return {}

    def due_before(self, timestamp: Timestamp) -> bool:
        return False

    def applied(self, timestamp: Timestamp) -> None:
        return


@dataclass
class House:
    storage: StorageController
    oracle: DurableOracle
    committer: GroupCommitter
    clock: ManualClock
    locks: WriteLocks


@asynccontextmanager
async def running(consensus: Consensus, blob: MemoryBlob) -> AsyncIterator[House]:
    clock, randomness = ManualClock(), SystemRandomness()
    fence = await raise_fence(consensus, randomness)
    oracle = DurableOracle(consensus, fence, clock)
    await oracle.open()
    storage = StorageController(consensus, blob, clock, randomness, InlineRunner())
    storage.preconditions = fence.precondition
    existing = await storage.load()
    storage.advance_timeline(oracle.upper)
    for id_ in (A, B):
        if id_ not in existing:
            await SeedCommands(storage).create(id_, DESC, Antichain.at(0), Antichain.at(0), timeline=True)
    locks = WriteLocks()
    committer = GroupCommitter(fence, oracle, storage, clock, locks, NoRiders(), keep_alive_ms=60_000)
    task = asyncio.create_task(committer.run())
    try:
        yield House(storage, oracle, committer, clock, locks)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


class GatedConsensus(MemoryConsensus):
    """Nothing is written while the gate is closed."""

    def __init__(self, gate: asyncio.Event) -> None:
        super().__init__()
        self._gate = gate
        gate.set()

    async def compare_and_set(self, *given: Any) -> bool:
        await self._gate.wait()
        return await super().compare_and_set(*given)


def rows(*keys: int) -> list[pa.Table]:
    return [rows_to_arrow([(key,) for key in keys], DESC)]


async def contents(house: House, id_: GlobalId, at: Timestamp) -> list[int]:
    table = await house.storage.reads.read(id_, at)
    return sorted(table.column("c0").to_pylist())


async def test_an_acknowledged_write_is_seen_by_the_next_read_and_not_before() -> None:
    async with running(MemoryConsensus(), MemoryBlob()) as house:
        before = await house.oracle.read_ts()
        written = await house.committer.submit(WriteRequest(tables={A: rows(1)}))
        after = await house.oracle.read_ts()
        assert before < written <= after
        assert await contents(house, A, after) == [1]


async def test_what_waits_together_commits_at_one_timestamp_and_exclusive_requests_alone() -> None:
    async with running(MemoryConsensus(), MemoryBlob()) as house:
        submit = house.committer.submit
        plain, other, alone = await asyncio.gather(
            submit(WriteRequest(tables={A: rows(1)})),
            submit(WriteRequest(tables={A: rows(2), B: rows(3)})),
            submit(WriteRequest(tables={B: rows(4)}, exclusive=True)),
        )
        assert plain == other < alone
        assert await contents(house, B, plain) == [3]
        assert await contents(house, B, alone) == [3, 4]


async def test_a_request_that_is_not_valid_leaves_no_trace_and_harms_no_other() -> None:
    def refuse(_timestamp: Timestamp) -> None:
        raise SqlError(Sqlstate.SERIALIZATION_FAILURE, "no")

    async with running(MemoryConsensus(), MemoryBlob()) as house:
        bad = house.committer.submit(WriteRequest(tables={A: rows(1)}, parts=[ToldPart(checks=refuse)]))
        good = house.committer.submit(WriteRequest(tables={A: rows(2)}))
        outcomes = await asyncio.gather(bad, good, return_exceptions=True)
        assert isinstance(outcomes[0], SqlError)
        assert await contents(house, A, await house.oracle.read_ts()) == [2]


async def test_a_write_to_a_locked_table_waits_for_whoever_holds_it() -> None:
    async with running(MemoryConsensus(), MemoryBlob()) as house:
        owner = LockOwner()
        async with house.locks.hold(Footprint(frozenset({A})), owner):
            blocked = asyncio.create_task(house.committer.submit(WriteRequest(tables={A: rows(1)})))
            free = await house.committer.submit(WriteRequest(tables={B: rows(2)}))
            holder = await house.committer.submit(WriteRequest(tables={A: rows(3)}, owner=owner))
            assert not blocked.done()
        house.committer.wake()
        assert await blocked > holder > free


async def test_the_timestamp_never_runs_from_the_clock() -> None:
    async with running(MemoryConsensus(), MemoryBlob()) as house:
        for key in range(50):
            written = await house.committer.submit(WriteRequest(tables={A: rows(key)}))
            assert written <= house.clock.now_ms()


async def test_a_fenced_environment_commits_nothing_more_and_reads_nothing_more() -> None:
    consensus, blob = MemoryConsensus(), MemoryBlob()
    async with running(consensus, blob) as old:
        await old.committer.submit(WriteRequest(tables={A: rows(1)}))
        async with running(consensus, blob) as new:
            with pytest.raises(Fenced):
                await old.oracle.read_ts()
            with pytest.raises(Fenced):
                await old.committer.submit(WriteRequest(tables={A: rows(2)}))
            assert await contents(new, A, await new.oracle.read_ts()) == [1]


async def test_timestamps_go_on_after_a_restart_whatever_the_clock_says() -> None:
    consensus, blob = MemoryConsensus(), MemoryBlob()
    async with running(consensus, blob) as first:
        first.clock.now = 5_000
        written = await first.committer.submit(WriteRequest(tables={A: rows(1)}))
    async with running(consensus, blob) as second:
        assert second.clock.now < written
        assert await second.committer.submit(WriteRequest(tables={A: rows(2)})) > written


async def test_a_commit_cut_off_by_the_servers_end_says_that_its_outcome_is_unknown() -> None:
    """And says it once: a caller must not spin on an answer that will not change."""
    reached = asyncio.Event()

    class Stuck(MemoryConsensus):
        async def _sync(self) -> bool:
            if stuck:
                reached.set()
                await asyncio.get_running_loop().create_future()
            return await super()._sync()

    stuck = False
    consensus = Stuck()
    async with running(consensus, MemoryBlob()) as house:
        stuck = True
        write = asyncio.create_task(house.committer.submit(WriteRequest(tables={A: rows(1)})))
        await reached.wait()
    with pytest.raises(SqlError) as failure:
        await write
    assert failure.value.sqlstate is Sqlstate.STATEMENT_COMPLETION_UNKNOWN


async def test_a_caller_that_is_cancelled_after_its_commit_learns_that_it_committed() -> None:
    async with running(MemoryConsensus(), MemoryBlob()) as house:
        write = asyncio.create_task(house.committer.submit(WriteRequest(tables={A: rows(1)})))
        while house.oracle.peek_write_ts == 0 or not await contents(house, A, await house.oracle.read_ts()):
            await asyncio.sleep(0)
        write.cancel()
        assert await contents(house, A, await write) == [1]


async def test_however_many_wait_for_a_commit_the_next_begins_with_no_more_turns_of_the_loop() -> None:
    passed = 0

    async def turns() -> None:
        nonlocal passed
        while True:
            passed += 1
            await asyncio.sleep(0)

    async with running(GatedConsensus(gate := asyncio.Event()), MemoryBlob()) as house:
        counts = []
        for waiting in (1, 500):
            gate.clear()
            first = asyncio.create_task(house.committer.submit(WriteRequest(tables={A: rows(1)})))
            await asyncio.sleep(0.01)
            second = asyncio.create_task(house.committer.submit(WriteRequest(tables={A: rows(2)})))
            others = [asyncio.create_task(house.committer.settle()) for _ in range(waiting)]
            await asyncio.sleep(0.01)
            assert not any(task.done() for task in (first, second, *others))
            counting, before = asyncio.create_task(turns()), passed
            gate.set()
            assert await first < await second
            counts.append(passed - before)
            counting.cancel()
            await asyncio.gather(*others)
        assert counts[1] < counts[0] + 50


async def test_what_writers_ask_of_each_other_grows_with_their_number_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, original = 0, Footprint.__bool__

    def counted(footprint: Footprint) -> bool:
        nonlocal asked
        asked += 1
        return original(footprint)

    monkeypatch.setattr(Footprint, "__bool__", counted)
    async with running(GatedConsensus(gate := asyncio.Event()), MemoryBlob()) as house:
        gate.clear()
        submit = house.committer.submit
        tasks = [asyncio.create_task(submit(WriteRequest(tables={A: rows(number)}))) for number in range(400)]
        await asyncio.sleep(0.01)
        gate.set()
        assert len({await task for task in tasks}) <= 2
        assert asked < 4_000


async def test_who_looks_for_others_commits_does_not_look_through_all_that_wait() -> None:
    key = KeyColumns(A, (0,), (INT8,))
    asked: set[int] = set()
    original = WrittenRows.identities

    def counted(written: WrittenRows, columns: KeyColumns) -> Identities | None:
        asked.add(id(written))
        return original(written, columns)

    async with running(GatedConsensus(gate := asyncio.Event()), MemoryBlob()) as house:
        gate.clear()
        submit, changed_soon = house.committer.submit, house.committer.changed_soon
        tasks = [asyncio.create_task(submit(WriteRequest(tables={A: rows(1)})))]
        await asyncio.sleep(0.01)
        for number in range(300):
            many = range(1_000 * number, 1_000 * number + (900 if number < 20 else 1))
            tasks.append(asyncio.create_task(submit(WriteRequest(tables={A: rows(*many)}))))
        await asyncio.sleep(0)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(WrittenRows, "identities", counted)
            await changed_soon({key: frozenset([(-1,)])})
            assert len(asked) < 5
            for _ in range(30):
                await changed_soon({key: frozenset([(-1,)])})
            assert len(asked) <= 256
        # The one under way is among the first.
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(changed_soon({key: frozenset([(1,)])}), 0.02)
        gate.set()
        await asyncio.gather(*tasks)
