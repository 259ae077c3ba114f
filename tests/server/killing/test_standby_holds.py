"""What a standby reads is held as long as it is there, and no longer."""

from __future__ import annotations

from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from server.objects.standby_holds import StandbyHolds
from storage.maintenance import StorageMaintenance
from tests.compute.dataflows.world import World
from tests.compute.dataflows.worlds import run
from timeline.promotion import PresentStandby, StandbyRecord

_TABLE = GlobalId.user(1)


def _standby(name: str, seqno: int, **holds: tuple[int, int]) -> PresentStandby:
    record = StandbyRecord(address="", pid=1, ready=True, message="", holds=holds)
    return PresentStandby(name, record, seqno)


async def _compact(world: World) -> int:
    """Lets all of the past go that nobody holds; from when on the table can be read then."""
    writes = world.storage.prepare_allow_compaction({_TABLE: Antichain.at(world.now - 1)})
    await world.storage.commit(writes)
    await StorageMaintenance(world.storage).round()
    since = world.storage.frontiers(_TABLE).since.time
    assert since is not None
    return since


def test_inputs_stay_readable_for_a_standby_that_is_there() -> None:
    async def work(world: World) -> None:
        await world.table(1)
        holds = StandbyHolds(world.storage)
        first = await world.commit({1: [((1, "a"), 1)]})
        assert holds.follow([_standby("one", 7, u1=(first, 1)), _standby("two", 3)]) == {"one": 7, "two": 3}
        for number in range(5):
            await world.commit({1: [((number, "b"), 1)]})
        assert await _compact(world) == first
        later = world.now - 2
        holds.follow([_standby("one", 8, u1=(later, 4))])
        assert await _compact(world) == later
        await world.commit({1: [((9, "c"), 1)]})
        assert await _compact(world) == later
        holds.follow([])
        assert await _compact(world) == world.now - 1

    run(work)


def test_a_hold_on_what_is_gone_begins_where_it_can_and_never_goes_back() -> None:
    async def work(world: World) -> None:
        await world.table(1)
        holds = StandbyHolds(world.storage)
        for number in range(5):
            await world.commit({1: [((number, "b"), 1)]})
        since = await _compact(world)
        holds.follow([_standby("one", 1, u1=(since - 3, 1), u99=(3, 1), nonsense=(3, 1))])
        for number in range(5):
            await world.commit({1: [((number, "c"), 1)]})
        assert await _compact(world) == since
        holds.follow([_standby("one", 2, u1=(since + 2, 1))])
        holds.follow([_standby("one", 3, u1=(since - 3, 1))])
        assert await _compact(world) == since + 2
        holds.follow([_standby("one", 4)])
        assert await _compact(world) == world.now - 1, "it wants nothing more"

    run(work)


def test_files_stay_for_a_standby_that_reads_an_older_version() -> None:
    async def work(world: World) -> None:
        await world.table(1)
        holds = StandbyHolds(world.storage)
        first = await world.commit({1: [((1, "a"), 1)]})
        version = world.storage.reads.version(_TABLE)
        holds.follow([_standby("one", 1, u1=(first, version))])
        assert world.storage.collection(_TABLE).holds.oldest_seqno() == version
        await world.commit({1: [((2, "a"), 1)]})
        holds.follow([_standby("one", 2, u1=(first, version))])
        assert world.storage.collection(_TABLE).holds.oldest_seqno() == version
        holds.follow([_standby("one", 3, u1=(first, version + 1))])
        assert world.storage.collection(_TABLE).holds.oldest_seqno() == version + 1

    run(work)
