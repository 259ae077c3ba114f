"""When a standby takes over, and when it does not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from storage.persist.location import Indeterminate, Versioned
from tests.simulation.virtual_time import run_virtual
from tests.storage.memory import MemoryConsensus
from tests.timeline.servers import LEASE_MS, Servers
from timeline.fence import FENCE_KEY, Fence, Fenced, raise_fence
from timeline.lease import LEASE_KEY, Lease, LeaseWatch

_NS = 1_000_000


class _World(Servers):
    """Leaders that keep their leases, and standbys with another option."""

    standbys_ms = 60_000

    async def leads(self) -> tuple[Fence, Lease, asyncio.Task[None]]:
        fence, lease = await self.lease()
        return fence, lease, asyncio.create_task(lease.keep())

    async def seconds_until(self, standby: asyncio.Task[Fence]) -> float:
        began = self.loop.now
        await standby
        return self.loop.now - began


def test_a_standby_waits_for_the_lease_and_no_longer() -> None:
    async def run() -> None:
        fence, _, keeping = await world.leads()
        standby = world.stands_by()
        await asyncio.sleep(1_000)
        assert not standby.done() and not keeping.done()
        keeping.cancel()
        # The leader's own lease counts; the standby's option is for leaders that tell none.
        assert 2 <= await world.seconds_until(standby) <= 3.4
        assert standby.result().epoch == fence.epoch + 1

    world = _World()
    run_virtual(world.loop, run())


def test_a_leader_without_a_lease_lives_by_its_fence_and_timeline_alone() -> None:
    async def run() -> None:
        await raise_fence(world.consensus, world.randomness)
        assert 60 <= await world.seconds_until(world.stands_by()) < 70

    world = _World()
    run_virtual(world.loop, run())


def test_who_gives_up_the_lease_is_followed_at_once() -> None:
    async def run() -> None:
        _, lease, keeping = await world.leads()
        standby = world.stands_by()
        await asyncio.sleep(100)
        keeping.cancel()
        await lease.give_up()
        assert await world.seconds_until(standby) <= 0.4

    world = _World()
    run_virtual(world.loop, run())


def test_of_two_standbys_one_takes_over_and_the_leader_is_fenced() -> None:
    async def run() -> None:
        fence, lease, keeping = await world.leads()
        await asyncio.sleep(1)
        keeping.cancel()
        standbys = {world.stands_by(), world.stands_by()}
        done, waiting = await asyncio.wait(standbys, return_when=asyncio.FIRST_COMPLETED)
        (won,) = done
        kept = asyncio.create_task(Lease(world.consensus, won.result(), world.clock, LEASE_MS).keep())
        with pytest.raises(Fenced):
            await lease.keep()
        await asyncio.sleep(100)
        assert not any(each.done() for each in waiting) and not kept.done()
        head = (await world.consensus.head([FENCE_KEY]))[FENCE_KEY]
        assert head is not None and head.seqno == fence.seqno + 1

    world = _World()
    run_virtual(world.loop, run())


def test_who_has_lost_the_lease_waits_longer() -> None:
    async def run() -> None:
        waited = []
        for lost in (0, 1, 2):
            *_, keeping = await world.leads()
            standby = world.stands_by(lost)
            await asyncio.sleep(100)
            keeping.cancel()
            waited.append(await world.seconds_until(standby))
        assert waited == pytest.approx([3, 6, 12], abs=1.1)

    world = _World()
    run_virtual(world.loop, run())


def test_what_a_standby_sleeps_through_does_not_count() -> None:
    async def run() -> None:
        *_, keeping = await world.leads()
        await asyncio.sleep(1)
        keeping.cancel()
        signs = await world.consensus.head([FENCE_KEY, LEASE_KEY])
        watch = LeaseWatch(LEASE_MS)
        assert not watch.expired(signs, 0)
        assert not watch.expired(signs, 3_600_000 * _NS), "the process was stopped for an hour"
        now = 3_600_000 * _NS
        looks = 0
        while not watch.expired(signs, now):
            now += 300 * _NS
            looks += 1
        assert looks == (LEASE_MS - 600) // 300

    world = _World()
    run_virtual(world.loop, run())


def test_the_versions_of_a_lease_do_not_pile_up() -> None:
    async def run() -> None:
        *_, keeping = await world.leads()
        await asyncio.sleep(500)
        keeping.cancel()
        kept = await world.consensus.scan(LEASE_KEY, 0)
        assert kept[-1].seqno >= 400 and len(kept) <= 65

    world = _World()
    run_virtual(world.loop, run())


class _Failing(MemoryConsensus):
    """Consensus that raises `error` while it has one."""

    error: Exception | None = None

    async def head(self, keys: Sequence[str]) -> dict[str, Versioned | None]:
        if self.error is not None:
            raise self.error
        return await super().head(keys)


@pytest.mark.parametrize(
    "error",
    [
        Indeterminate("no answer"),
        SqlError(Sqlstate.IO_ERROR, "consensus failed", detail="SQLITE_BUSY: database is locked"),
        SqlError(Sqlstate.DISK_FULL, "database or disk is full"),
    ],
)
def test_a_standby_outlives_consensus_that_fails(error: Exception) -> None:
    async def run() -> None:
        *_, keeping = await world.leads()
        standby = world.stands_by()
        await asyncio.sleep(100)
        with capture_logs() as lines:
            consensus.error = error
            await asyncio.sleep(1_000)
            consensus.error = None
            assert not standby.done() and not keeping.done(), "what nobody could look at counts for nothing"
            await asyncio.sleep(100)
        told = [line["event"] for line in lines if "a standby" in line["event"]]
        assert told == ["a standby cannot look at the lease", "a standby can look at the lease again"]
        keeping.cancel()
        assert 2 <= await world.seconds_until(standby) <= 3.4

    world = _World()
    consensus = world.consensus = _Failing()
    run_virtual(world.loop, run())


def test_a_standby_ends_when_consensus_is_corrupt() -> None:
    async def run() -> None:
        await world.leads()
        consensus.error = SqlError(Sqlstate.DATA_CORRUPTED, "consensus is corrupt")
        with pytest.raises(SqlError, match="corrupt"):
            await world.stands_by()

    world = _World()
    consensus = world.consensus = _Failing()
    run_virtual(world.loop, run())


def test_a_standby_leaves_alone_what_it_can_not_read() -> None:
    class Newer(_World):
        def __init__(self) -> None:
            super().__init__()
            self.looked: list[float] = []

        async def look(self) -> None:
            self.looked.append(self.loop.now)
            raise SqlError(Sqlstate.DATA_CORRUPTED, "it was written by a newer version")

    async def run() -> None:
        *_, keeping = await world.leads()
        standby = world.stands_by()
        await asyncio.sleep(100)
        assert not standby.done() and world.looked == [], "what there is once nobody leads counts"
        keeping.cancel()
        before = await world.consensus.head([FENCE_KEY])
        with pytest.raises(SqlError, match="newer version"):
            await standby
        assert len(world.looked) == 1 and await world.consensus.head([FENCE_KEY]) == before

    world = Newer()
    run_virtual(world.loop, run())


def test_what_is_written_while_a_standby_looks_is_looked_at_as_well() -> None:
    class Slow(_World):
        looks = 0

        async def look(self) -> None:
            self.looks += 1
            if self.looks == 1:
                await raise_fence(self.consensus, self.randomness)

    async def run() -> None:
        await raise_fence(world.consensus, world.randomness)
        fence = await world.stands_by()
        assert (world.looks, fence.epoch) == (2, 3)

    world = Slow()
    run_virtual(world.loop, run())
