"""A standby that is promoted: the leader is asked to give way, and it leads at once, it and no other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import msgspec
import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from storage.persist.location import Versioned
from tests.simulation.virtual_time import run_virtual
from tests.timeline.servers import LEASE_MS, Servers
from timeline.fence import Fence, raise_fence
from timeline.lease import Lease, PromotableStandby, is_followed, take_over
from timeline.promotion import OwnRecord, PresentStandby, StandbyRecord, StandbyWatch, ask_to_give_way

_AT_ONCE_S = 0.4


class _World(Servers):
    """A leader that gives way when asked, after `ends_s`, and standbys with names."""

    ends_s = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.saying: dict[str, asyncio.Task[None]] = {}

    def standby(self, name: str, *, answers: bool = True) -> tuple[PromotableStandby, asyncio.Task[Fence]]:
        candidate = PromotableStandby(name)
        taking = asyncio.create_task(
            take_over(self.consensus, self.clock, self.randomness, LEASE_MS, self.look, candidate=candidate)
        )
        if answers:
            self.saying[name] = asyncio.create_task(self._say(candidate))
            taking.add_done_callback(lambda _: self.saying[name].cancel())
        return candidate, taking

    async def _say(self, candidate: PromotableStandby) -> None:
        """Says that the standby is there, and what it answers."""
        own = OwnRecord(self.consensus, candidate.name)
        while True:
            record = StandbyRecord(address="", pid=1, ready=True, message="", answer=candidate.answer)
            await own.write(record)
            await self.clock.sleep(0.1)

    async def leads(self, lease: Lease) -> None:
        """Leads until asked to give way."""
        keeping = asyncio.create_task(lease.keep())
        await lease.asked.wait()
        await asyncio.sleep(self.ends_s)
        keeping.cancel()
        await lease.give_up()


def test_a_promoted_standby_leads_at_once_and_no_other() -> None:
    async def run() -> None:
        _, lease = await world.lease()
        leading = asyncio.create_task(world.leads(lease))
        standbys = {name: world.standby(name) for name in ("one", "two", "three")}
        await asyncio.sleep(100)
        assert not leading.done() and not any(task.done() for _, task in standbys.values())
        standbys["two"][0].promoted = True
        await leading
        gave_way = world.loop.now
        fence = await standbys["two"][1]
        assert world.loop.now - gave_way <= _AT_ONCE_S
        keeping = asyncio.create_task(Lease(world.consensus, fence, world.clock, LEASE_MS).keep())
        await asyncio.sleep(100)
        assert [task.done() for _, task in standbys.values()] == [False, True, False]
        keeping.cancel()

    world = _World()
    run_virtual(world.loop, run())


def test_a_leader_keeps_its_lease_while_it_ends_its_work() -> None:
    async def run() -> None:
        _, lease = await world.lease()
        leading = asyncio.create_task(world.leads(lease))
        candidate, taking = world.standby("one")
        _, other = world.standby("two")
        await asyncio.sleep(10)
        candidate.promoted = True
        await asyncio.sleep(world.ends_s - 1)
        assert lease.asked.is_set() and not taking.done() and not other.done()
        await leading
        await taking

    world = _World()
    world.ends_s = 60
    run_virtual(world.loop, run())


def test_another_leads_when_the_promoted_one_is_gone() -> None:
    async def run() -> None:
        _, lease = await world.lease()
        leading = asyncio.create_task(world.leads(lease))
        _, other = world.standby("two")
        await asyncio.sleep(10)
        lease.give_way("gone")
        await leading
        gave_way = world.loop.now
        await other
        assert 2 <= world.loop.now - gave_way <= 3.4, "it waits for the lease's time"

    world = _World()
    run_virtual(world.loop, run())


def test_a_standby_that_has_died_just_now_is_not_followed_by_nobody() -> None:
    async def run() -> None:
        _, lease = await world.lease()
        leading = asyncio.create_task(world.leads(lease))
        candidate, taking = world.standby("dead")
        await asyncio.sleep(10)
        assert "dead" in {each.name for each in lease.standbys.present}
        candidate.promoted = True
        taking.cancel()
        world.saying["dead"].cancel()
        assert not await lease.answers("dead")
        await ask_to_give_way(world.consensus, 1, 1, "dead")
        await asyncio.sleep(100)
        assert not leading.done() and not lease.asked.is_set(), "it leads on"
        candidate, taking = world.standby("alive")
        await asyncio.sleep(10)
        assert await lease.answers("alive")
        candidate.promoted = True
        await leading
        await taking

    world = _World()
    run_virtual(world.loop, run())


def test_a_server_that_gave_way_hears_whether_another_one_leads() -> None:
    async def run() -> None:
        _, lease = await world.lease()
        leading = asyncio.create_task(world.leads(lease))
        await asyncio.sleep(10)
        lease.give_way("dead")
        await leading
        assert not await is_followed(world.consensus, world.clock, LEASE_MS)
        _, lease = await world.lease()
        leading = asyncio.create_task(world.leads(lease))
        candidate, taking = world.standby("alive")
        await asyncio.sleep(10)
        candidate.promoted = True
        await leading
        following = asyncio.create_task(is_followed(world.consensus, world.clock, LEASE_MS))
        keeping = asyncio.create_task(Lease(world.consensus, await taking, world.clock, LEASE_MS).keep())
        assert await following
        keeping.cancel()

    world = _World()
    run_virtual(world.loop, run())


def test_a_leader_says_for_which_record_of_a_standby_it_holds() -> None:
    async def run() -> None:
        fence, lease = await world.lease()
        seen: list[list[str]] = []

        def hold(present: Sequence[PresentStandby]) -> Mapping[str, int]:
            seen.append([each.name for each in present])
            return {each.name: each.seqno for each in present}

        lease.hold = hold
        keeping = asyncio.create_task(lease.keep())
        candidate, taking = world.standby("one")
        await asyncio.sleep(10)
        assert candidate.seen is not None and candidate.epoch == fence.epoch
        first = candidate.seen.held["one"]
        await asyncio.sleep(10)
        assert candidate.seen.held["one"] > first > 0
        taking.cancel()
        await asyncio.sleep(10)
        assert seen[-1] == []
        keeping.cancel()

    world = _World()
    run_virtual(world.loop, run())


def test_a_standby_that_can_not_read_what_there_is_asks_nobody_to_give_way() -> None:
    class Older(_World):
        async def look(self) -> None:
            raise SqlError(Sqlstate.DATA_CORRUPTED, "it was written by a newer version")

    async def run() -> None:
        _, lease = await world.lease()
        leading = asyncio.create_task(world.leads(lease))
        candidate, taking = world.standby("older")
        await asyncio.sleep(10)
        before = await world.consensus.list_keys("")
        candidate.promoted = True
        with pytest.raises(SqlError, match="newer version"):
            await taking
        await asyncio.sleep(10)
        assert not leading.done() and await world.consensus.list_keys("") == before

    world = Older()
    run_virtual(world.loop, run())


def test_what_a_former_leader_was_asked_does_not_count_for_the_next() -> None:
    async def run() -> None:
        former, _ = await world.lease()
        assert await ask_to_give_way(world.consensus, former.epoch, former.seqno, "one")
        fence = await raise_fence(world.consensus, world.randomness)
        lease = Lease(world.consensus, fence, world.clock, LEASE_MS)
        keeping = asyncio.create_task(lease.keep())
        await asyncio.sleep(10)
        assert not lease.asked.is_set()
        assert not await ask_to_give_way(world.consensus, former.epoch, former.seqno, "one"), "it leads no more"
        keeping.cancel()

    world = _World()
    run_virtual(world.loop, run())


def test_a_leader_sees_the_standbys_that_are_there() -> None:
    async def run() -> None:
        _, lease = await world.lease()
        keeping = asyncio.create_task(lease.keep())
        records = {name: OwnRecord(world.consensus, name) for name in ("one", "two")}

        async def say(name: str) -> None:
            while True:
                record = StandbyRecord(address=name, pid=1, ready=name == "one", message="")
                await records[name].write(record)
                await world.clock.sleep(1)

        saying = {name: asyncio.create_task(say(name)) for name in records}
        await asyncio.sleep(10)
        found = lease.standbys.present
        assert [(each.name, each.record.ready) for each in found] == [("one", True), ("two", False)]
        saying.pop("two").cancel()
        await asyncio.sleep(10)
        assert [each.name for each in lease.standbys.present] == ["one"]
        saying.pop("one").cancel()
        await records["one"].forget()
        await asyncio.sleep(2)
        assert lease.standbys.present == ()
        assert await world.consensus.list_keys("standby/") == ["standby/two"]
        await asyncio.sleep(200)
        assert await world.consensus.list_keys("standby/") == [], "what a standby left that was killed"
        keeping.cancel()

    world = _World()
    run_virtual(world.loop, run())


def test_what_was_said_before_the_first_look_is_no_sign_of_life() -> None:
    data = msgspec.msgpack.encode(StandbyRecord(address="", pid=1, ready=True, message=""))
    watch = StandbyWatch()
    for seqno, present in ((7, 0), (7, 0), (8, 1), (8, 1), (8, 1), (8, 1), (8, 1), (8, 0)):
        watch.look({"standby/one": Versioned(seqno, data)})
        assert len(watch.present) == present
