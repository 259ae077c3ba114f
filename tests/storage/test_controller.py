"""Laws of the seed's commands: capabilities, frontiers, subscriptions, the timeline, holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.capability import CapabilityId, ReadCapability, WriteCapability
from model.time.timestamp import Timestamp
from model.updates.update import updates_from_arrow
from storage.controller import StoredFrontiers
from storage.maintenance import StorageMaintenance
from storage.persist.commit import Committed, Conflict
from storage.persist.state import ShardState
from storage.persist.transition import Refusal
from storage.subscription import Progress, SubscriptionEvent, Updates
from tests.storage.memory import MemoryConsensus
from tests.storage.worlds import DESC, ManualClock, World, at, contents, many_rows, table_of, updates_of

U1, U2 = GlobalId.user(1), GlobalId.user(2)


async def world_with_u1(*, timeline: bool = False) -> tuple[World, ReadCapability, WriteCapability]:
    world = World()
    read, write = await world.seed.create(U1, DESC, at(5), at(5), timeline=timeline)
    return world, read, write


async def append(world: World, time: int, *rows: tuple[object, ...], id_: GlobalId = U1) -> None:
    write = await world.controller.prepare_append(id_, [table_of(*rows)], at(time), at(time + 1))
    assert isinstance(await world.controller.commit([write]), Committed)


async def test_a_collection_begins_with_equal_since_and_upper_and_its_id_is_bound_for_ever() -> None:
    world, read, write = await world_with_u1()
    assert world.controller.frontiers(U1) == StoredFrontiers(at(5), at(5))
    assert read.frontier == write.frontier == at(5)
    with pytest.raises(SqlError) as raised:
        await world.seed.create(U1, DESC, at(9), at(9))
    assert raised.value.sqlstate is Sqlstate.DUPLICATE_OBJECT
    await world.controller.commit([world.controller.prepare_drop(U1)])
    await StorageMaintenance(world.controller).round()
    await world.restart()
    assert world.controller.frontiers(U1) == StoredFrontiers(EMPTY, EMPTY)
    with pytest.raises(SqlError):
        await world.seed.create(U1, DESC, at(9), at(9))


async def test_since_and_upper_never_pass_a_held_capability() -> None:
    world, read, write = await world_with_u1()
    users_read, users_write = await world.seed.acquire_capabilities(U1)
    assert users_read.id != read.id
    await world.seed.allow_compaction(U1, at(50))
    assert world.controller.frontiers(U1).since == at(5)
    await world.seed.update_and_downgrade(write, [], at(60))
    assert world.controller.frontiers(U1).upper == at(5)
    users_read = await _downgraded_read(world, users_read, 20)
    assert world.controller.frontiers(U1).since == at(20)
    users_write = await world.seed.update_and_downgrade(users_write, [table_of((1, "late"))], at(30))
    assert world.controller.frontiers(U1).upper == at(30)
    await world.seed.drop_capability(users_read)
    await world.seed.drop_capability(users_write)
    assert world.controller.frontiers(U1) == StoredFrontiers(at(50), at(60))
    assert contents(await world.controller.reads.read(U1, Timestamp(59))) == {(1, "late"): 1}


async def _downgraded_read(world: World, capability: ReadCapability, time: int) -> ReadCapability:
    moved = await world.seed.downgrade(capability, at(time))
    assert isinstance(moved, ReadCapability)
    return moved


async def test_capabilities_are_durable() -> None:
    world, _, _ = await world_with_u1()
    users_read, _ = await world.seed.acquire_capabilities(U1)
    await world.restart()
    await world.seed.allow_compaction(U1, at(50))
    assert world.controller.frontiers(U1).since == at(5)
    await _downgraded_read(world, users_read, 10)
    assert world.controller.frontiers(U1).since == at(10)


async def test_every_use_validates_the_capability() -> None:
    world, read, _ = await world_with_u1()
    unknown = ReadCapability(CapabilityId("no such"), U1, at(5))
    mistaken = WriteCapability(read.id, U1, at(5))
    for wrong in (unknown, mistaken, ReadCapability(read.id, U1, at(4))):
        for use in (
            world.seed.clone(wrong),
            world.seed.transfer(wrong),
            world.seed.downgrade(wrong, at(9)),
            world.seed.renew(wrong),
        ):
            with pytest.raises(SqlError) as raised:
                await use
            assert raised.value.sqlstate is Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE
    with pytest.raises(SqlError):
        await world.seed.update_and_downgrade(mistaken, [table_of((1, "x"))], at(6))
    with pytest.raises(SqlError):
        await anext(world.seed.subscribe_at(unknown))
    with pytest.raises(SqlError):
        await world.seed.drop_capability(unknown)
    assert world.controller.frontiers(U1) == StoredFrontiers(at(5), at(5))


async def test_a_transferred_capability_is_void_and_a_clone_is_another() -> None:
    world, read, _ = await world_with_u1()
    clone = await world.seed.clone(read)
    assert clone.id != read.id
    moved = await world.seed.transfer(clone)
    with pytest.raises(SqlError):
        await world.seed.downgrade(clone, at(9))
    await world.seed.allow_compaction(U1, at(50))
    assert world.controller.frontiers(U1).since == at(5)
    await world.seed.drop_capability(moved)
    assert world.controller.frontiers(U1).since == at(50)


async def test_a_capability_never_goes_back() -> None:
    world, _, _ = await world_with_u1()
    read, _ = await world.seed.acquire_capabilities(U1)
    read = await _downgraded_read(world, read, 9)
    with pytest.raises(SqlError):
        await world.seed.downgrade(read, at(8))


async def test_updates_lie_between_the_frontier_and_the_new_one() -> None:
    world, _, write = await world_with_u1()
    for time in (4, 8):
        with pytest.raises(SqlError):
            await world.seed.update_and_downgrade(write, [updates_of(((1, "x"), time, 1))], at(8))
    write = await world.seed.update_and_downgrade(write, [updates_of(((1, "x"), 7, 1))], at(8))
    with pytest.raises(SqlError):
        stale = WriteCapability(write.id, U1, at(5))
        await world.seed.update_and_downgrade(stale, [updates_of(((1, "x"), 7, 1))], at(9))
    assert contents(await world.controller.reads.read(U1, Timestamp(7))) == {(1, "x"): 1}
    assert contents(await world.controller.reads.read(U1, Timestamp(6))) == {}


async def test_an_expired_lease_frees_the_frontier_and_can_not_be_used_or_renewed() -> None:
    world, _, _ = await world_with_u1()
    read, write = await world.seed.acquire_capabilities(U1, lease_ms=1000)
    world.clock.ms += 900
    await world.seed.renew(read)
    world.clock.ms += 900
    assert (await _downgraded_read(world, read, 6)).lease_ms == 1000
    with pytest.raises(SqlError, match="lease has expired"):
        await world.seed.update_and_downgrade(write, [], at(9))
    world.clock.ms += 900
    with pytest.raises(SqlError, match="lease has expired"):
        await world.seed.renew(read)
    await world.seed.allow_compaction(U1, at(50))
    assert world.controller.frontiers(U1).since == at(6)
    await StorageMaintenance(world.controller).round()
    assert world.controller.frontiers(U1).since == at(50)
    assert len(world.controller.collections()[0].state.held) == 2
    again, _ = await world.seed.acquire_capabilities(U1)
    assert again.frontier == at(50)


async def test_a_collection_of_the_timeline_is_complete_as_far_as_the_timeline() -> None:
    world, _, _ = await world_with_u1(timeline=True)
    await append(world, 7, (1, "x"))
    world.controller.advance_timeline(at(8))
    waiting = asyncio.create_task(world.controller.reads.read(U1, Timestamp(10)))
    await asyncio.sleep(0)
    assert not waiting.done()
    world.controller.advance_timeline(at(11))
    assert contents(await waiting) == {(1, "x"): 1}
    assert world.controller.frontiers(U1).upper == at(11)


class Gate:
    """Holds back every write to consensus while closed."""

    def __init__(self, world: World) -> None:
        self.reached = asyncio.Event()
        self._open = asyncio.Event()
        assert isinstance(world.consensus, MemoryConsensus)
        world.consensus._pause = self._pause

    async def _pause(self) -> None:
        self.reached.set()
        await self._open.wait()

    def open(self) -> None:
        self._open.set()


async def test_a_users_writer_stops_the_timeline_for_its_collection_and_the_upper_never_regresses() -> None:
    world, _, _ = await world_with_u1(timeline=True)
    world.controller.advance_timeline(at(10))
    gate = Gate(world)
    acquiring = asyncio.create_task(world.seed.acquire_capabilities(U1))
    await gate.reached.wait()
    world.controller.advance_timeline(at(20))
    assert world.controller.frontiers(U1).upper == at(10)
    gate.open()
    _, write = await acquiring
    assert world.controller.frontiers(U1).upper == write.frontier == at(10)
    await append(world, 21, (2, "by group commit"))
    await world.seed.update_and_downgrade(write, [updates_of(((1, "by a user"), 15, 1))], at(22))
    world.controller.advance_timeline(at(22))
    assert contents(await world.controller.reads.read(U1, Timestamp(20))) == {(1, "by a user"): 1}
    assert len(contents(await world.controller.reads.read(U1, Timestamp(21)))) == 2


async def test_a_new_capability_begins_where_the_frontiers_are_once_it_is_durable() -> None:
    world, _, _ = await world_with_u1()
    gate = Gate(world)
    appending = asyncio.create_task(append(world, 5, (1, "x")))
    await gate.reached.wait()
    acquiring = asyncio.create_task(world.seed.acquire_capabilities(U1))
    await asyncio.sleep(0)
    gate.open()
    await appending
    _, write = await acquiring
    assert write.frontier == world.controller.frontiers(U1).upper == at(6)


async def test_storage_itself_refuses_what_the_state_does_not_allow() -> None:
    world, read, _ = await world_with_u1()
    machine = world.controller.collections()[0].machine
    row = table_of((1, "x"))
    by_reader = await machine.prepare_append([row], at(5), at(6), capability=read.id)
    outcome = await world.controller.commit([by_reader])
    assert isinstance(outcome, Conflict)
    assert outcome.refusals[machine.key].refusal is Refusal.CAPABILITY_INVALID
    _, users_write = await world.seed.acquire_capabilities(U1)
    assert isinstance(await world.controller.commit([world.controller.prepare_drop(U1)]), Committed)
    by_environment = await machine.prepare_append([row], at(5), at(6))
    outcome = await world.controller.commit([by_environment])
    assert isinstance(outcome, Conflict)
    assert outcome.refusals[machine.key].refusal is Refusal.ABSENT
    await world.seed.update_and_downgrade(users_write, [row], at(6))
    assert contents(await world.controller.reads.read(U1, Timestamp(5))) == {(1, "x"): 1}


async def _take(events: AsyncIterator[SubscriptionEvent], until: Antichain) -> list[tuple[object, int, int]]:
    """The updates up to a statement of progress, each checked against the statements around it."""
    taken: list[tuple[object, int, int]] = []
    async for event in events:
        match event:
            case Updates(table):
                taken += [(u.row, int(u.time), u.diff) for u in updates_from_arrow(table, DESC)]
            case Progress(frontier) if until.precedes(frontier):
                return taken
    raise AssertionError(f"ended before {until}")


async def test_a_subscription_gives_the_snapshot_and_then_each_update_at_its_time() -> None:
    world, read, _ = await world_with_u1()
    await append(world, 5, (1, "x"), (2, "y"))
    write = await world.controller.prepare_append(
        U1, [updates_of(((1, "x"), 7, -1), ((3, "z"), 6, 1), ((4, "no"), 8, 1), ((4, "no"), 8, -1))], at(6), at(9)
    )
    events = world.seed.subscribe_at(read)
    assert await _take(events, at(6)) == [((1, "x"), 5, 1), ((2, "y"), 5, 1)]
    await world.controller.commit([write])
    assert await _take(events, at(9)) == [((3, "z"), 6, 1), ((1, "x"), 7, -1)]
    await world.seed.drop_capability(read)
    await append(world, 9, (5, "more"))
    with pytest.raises(SqlError):
        await anext(events)


async def test_a_subscription_filters_projects_leaves_the_snapshot_out_and_ends_with_the_collection() -> None:
    world, read, write = await world_with_u1()
    await append(world, 5, (1, "x"))
    events = world.seed.subscribe_at(read, filter=pc.field("c0") > 1, projection=[1], snapshot=False)
    assert await anext(events) == Progress(at(6))
    await append(world, 6, (1, "a"), (2, "b"), (3, "b"))
    event = await anext(events)
    assert isinstance(event, Updates)
    assert event.table.to_pylist() == [{"c0": "b", "time": 6, "diff": 2}]
    assert await anext(events) == Progress(at(7))
    await world.seed.drop_capability(write)
    assert [event async for event in events] == [Progress(EMPTY)]


async def test_a_subscription_sees_no_difference_when_the_past_is_compacted_behind_it() -> None:
    world, _, _ = await world_with_u1()
    read, write = await world.seed.acquire_capabilities(U1)
    await world.seed.drop_capability(write)
    events = world.seed.subscribe_at(read)
    taken = []
    for time in range(5, 90):
        await append(world, time, (time, "x"))
        taken += await _take(events, at(time + 1))
        if time % 7 == 0:
            read = await _downgraded_read(world, read, time)
            await world.seed.allow_compaction(U1, at(time))
            await StorageMaintenance(world.controller).round()
    assert taken == [((time, "x"), time, 1) for time in range(5, 90)]
    assert len(world.controller.collections()[0].state.batches) < 70


async def test_a_subscription_holds_what_it_has_not_given_yet() -> None:
    world, _, _ = await world_with_u1()
    read, write = await world.seed.acquire_capabilities(U1)
    await world.seed.drop_capability(write)
    events = world.seed.subscribe_at(read)
    await append(world, 5)
    assert await _take(events, at(6)) == []
    for time in range(6, 10):
        await append(world, time, (time, "x"))
    await _downgraded_read(world, read, 9)
    await world.seed.allow_compaction(U1, at(9))
    assert await _take(events, at(10)) == [((time, "x"), time, 1) for time in range(6, 10)]
    await append(world, 10, (10, "x"))
    assert await _take(events, at(11)) == [((10, "x"), 10, 1)]
    await StorageMaintenance(world.controller).round()
    assert world.controller.frontiers(U1).since == at(9)


async def test_a_hold_keeps_the_since_and_before_it_reads_are_refused() -> None:
    world, _, _ = await world_with_u1()
    for time in range(5, 9):
        await append(world, time, (time, "x"))
    with world.controller.reads.hold(U1, Timestamp(6)) as hold:
        await world.seed.allow_compaction(U1, at(8))
        assert world.controller.frontiers(U1).since == at(6)
        hold.downgrade(at(7))
        await world.seed.allow_compaction(U1, at(8))
        assert world.controller.frontiers(U1).since == at(7)
        assert len(contents(await world.controller.reads.read(U1, Timestamp(7)))) == 3
    with pytest.raises(SqlError, match=r"collection u1 can't be read at \{6\}: its since is \{7\}"):
        world.controller.reads.hold(U1, Timestamp(6))
    await StorageMaintenance(world.controller).round()
    assert world.controller.frontiers(U1).since == at(8), "what was wanted before is done once nothing is in the way"


async def test_no_hold_begins_before_a_since_that_is_on_its_way() -> None:
    world, _, _ = await world_with_u1()
    await append(world, 5, (1, "x"))
    writes = world.controller.prepare_allow_compaction({U1: at(6)})
    assert world.controller.reads.hold(U1).frontier == at(6)
    with pytest.raises(SqlError):
        world.controller.reads.hold(U1, Timestamp(5))
    assert isinstance(await world.controller.commit(writes), Committed)
    assert world.controller.frontiers(U1).since == at(6)


async def test_parts_stay_while_a_hold_older_than_their_removal_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.persist.compact.SMALL_BATCHES_MAX", 1)
    world, _, _ = await world_with_u1()
    for time in (5, 6):
        write = await world.controller.prepare_append(U1, [many_rows(time)], at(time), at(time + 1))
        await world.controller.commit([write])
    with world.controller.reads.hold(U1, Timestamp(6)):
        before = world.controller.reads.snapshot(U1, Timestamp(6))
        await StorageMaintenance(world.controller).round()
        after = world.controller.reads.snapshot(U1, Timestamp(6))
        assert before.parts != after.parts
        assert before.consolidated and after.consolidated
        for part in (*before.parts, *after.parts):
            assert await world.blob.get(part.key) is not None
    await StorageMaintenance(world.controller).round()
    assert sorted(await world.blob.list_keys("")) == sorted(part.key for part in after.parts)


async def test_a_hold_that_began_after_the_removal_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.persist.compact.SMALL_BATCHES_MAX", 1)
    world, _, _ = await world_with_u1()
    for time in (5, 6):
        write = await world.controller.prepare_append(U1, [many_rows(time)], at(time), at(time + 1))
        await world.controller.commit([write])
    with world.controller.reads.hold(U1):
        await StorageMaintenance(world.controller).round()
        assert len(world.controller.collections()[0].state.garbage) == 2
        younger = world.controller.reads.hold(U1)
    await StorageMaintenance(world.controller).round()
    assert world.controller.collections()[0].state.garbage == ()
    younger.release()


async def test_what_is_dropped_stays_readable_for_its_holders_and_then_leaves_nothing() -> None:
    world, _, _ = await world_with_u1(timeline=True)
    write = await world.controller.prepare_append(U1, [many_rows()], at(5), at(6))
    await world.controller.commit([write])
    world.controller.advance_timeline(at(6))
    maintenance = StorageMaintenance(world.controller)
    with world.controller.reads.hold(U1, Timestamp(5)):
        assert isinstance(await world.controller.commit([world.controller.prepare_drop(U1)]), Committed)
        await maintenance.round()
        assert world.controller.frontiers(U1) == StoredFrontiers(at(5), EMPTY)
        assert world.controller.reads.snapshot(U1, Timestamp(5)).parts
        late = await world.controller.prepare_append(U1, [table_of((1, "x"))], at(6), at(7))
        assert isinstance(await world.controller.commit([late]), Conflict)
    await maintenance.round()
    assert world.controller.frontiers(U1) == StoredFrontiers(EMPTY, EMPTY)
    await maintenance.round()
    assert await world.blob.list_keys("") == []
    assert world.controller.collections()[0].state.garbage == ()


async def test_what_is_settled_is_compacted_into_parts_that_need_no_summing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.persist.compact.SMALL_BATCHES_MAX", 2)
    world, _, _ = await world_with_u1()
    for time in range(5, 9):
        rows = many_rows(0, 10_000).append_column("diff", pa.array([-1 if time == 6 else 1] * 10_000))
        write = await world.controller.prepare_append(U1, [rows], at(time), at(time + 1))
        await world.controller.commit([write])
    assert not world.controller.reads.snapshot(U1, Timestamp(8)).consolidated
    await world.seed.allow_compaction(U1, at(7))
    await StorageMaintenance(world.controller).round()
    settled = world.controller.reads.snapshot(U1, Timestamp(7))
    assert settled.consolidated
    assert {(part.time, part.diff, part.rows) for part in settled.parts} == {(7, 1, 10_000)}
    await world.seed.allow_compaction(U1, at(8))
    write = await world.controller.prepare_append(U1, [many_rows(50_000, 10_000)], at(9), at(10))
    await world.controller.commit([write])
    await StorageMaintenance(world.controller).round()
    doubled = world.controller.reads.snapshot(U1, Timestamp(8))
    assert doubled.consolidated, "twice the same row is written twice"
    assert sum(part.rows for part in doubled.parts) == 20_000
    assert set(contents(await world.controller.reads.read(U1, Timestamp(8))).values()) == {2}


async def test_to_allow_what_was_allowed_writes_nothing() -> None:
    world, _, _ = await world_with_u1()
    await world.seed.allow_compaction(U1, at(9))
    before = world.controller.collections()[0].state
    for since in (at(7), at(9)):
        await world.seed.allow_compaction(U1, since)
    assert world.controller.collections()[0].state == before


async def test_retention_keeps_the_past_that_was_promised_and_no_more() -> None:
    world = World()
    await world.seed.create(U1, DESC, at(0), at(0), timeline=True, retain_ms=60_000)
    for time in range(0, 200_000, 1_000):
        await append(world, time, (time, "x"))
        world.controller.advance_timeline(at(time + 1))
    await StorageMaintenance(world.controller).round()
    assert world.controller.frontiers(U1).since == at(139_000)
    await StorageMaintenance(world.controller).round()
    assert len(contents(await world.controller.reads.read(U1, Timestamp(139_000)))) == 140
    assert len(world.controller.collections()[0].state.batches) == 1


async def test_a_changed_retention_counts_from_then_on_and_is_durable() -> None:
    world = World()
    await world.seed.create(U1, DESC, at(0), at(0), timeline=True, retain_ms=60_000)
    for time in range(0, 200_000, 1_000):
        await append(world, time, (time, "x"))
        world.controller.advance_timeline(at(time + 1))
    for retain_ms, since in ((150_000, 49_000), (20_000, 179_000), (150_000, 179_000)):
        await world.controller.commit([world.controller.prepare_retention(U1, retain_ms)])
        await world.restart()
        await StorageMaintenance(world.controller).round()
        assert world.controller.frontiers(U1).since == at(since)


async def test_one_commitwrite_all_collections_and_other_keys_or_nothing() -> None:
    world, _, _ = await world_with_u1(timeline=True)
    controller = world.controller
    creation = controller.prepare_create(U2, DESC, at(0), at(0), timeline=True)
    first = await controller.prepare_append(U2, [table_of((9, "new"))], at(7), at(8), desc=DESC)
    row = await controller.prepare_append(U1, [table_of((1, "x"))], at(7), at(8))
    writes = [creation.write, first, row]
    assert isinstance(await controller.commit(writes, {"fence": 1}, {"oracle": (None, b"8")}), Conflict)
    assert not controller.exists(U2)
    await world.consensus.compare_and_set({"fence": None}, {"fence": b"me"})
    outcome = await controller.commit(writes, {"fence": 1}, {"oracle": (None, b"8")})
    assert isinstance(outcome, Committed)
    assert set(outcome.states) == {"u1", "u2"}
    controller.advance_timeline(at(8))
    assert contents(await controller.reads.read(U1, Timestamp(7))) == {(1, "x"): 1}
    assert contents(await controller.reads.read(U2, Timestamp(7))) == {(9, "new"): 1}
    again = await controller.commit(writes, {"fence": 1}, {"oracle": (1, b"9")})
    assert isinstance(again, Conflict)
    assert {refused.refusal for refused in again.refusals.values()} == {Refusal.EXISTS, Refusal.UPPER_MISMATCH}


async def test_nothing_is_written_after_a_fence() -> None:
    world, _, write = await world_with_u1()
    await world.consensus.compare_and_set({"fence": None}, {"fence": b"me"})
    world.controller.preconditions = {"fence": 1}
    await append(world, 5, (1, "x"))
    await world.consensus.compare_and_set({"fence": 1}, {"fence": b"another"})
    before = await _state(world)
    prepared = await world.controller.prepare_append(U1, [table_of((2, "y"))], at(6), at(7))
    outcome = await world.controller.commit([prepared])
    assert isinstance(outcome, Conflict)
    assert {refused.refusal for refused in outcome.refusals.values()} == {Refusal.FENCED}
    with pytest.raises(SqlError) as raised:
        await world.seed.update_and_downgrade(WriteCapability(write.id, U1, at(6)), [table_of((2, "y"))], at(7))
    assert raised.value.sqlstate is Sqlstate.ADMIN_SHUTDOWN
    with pytest.raises(SqlError):
        await world.seed.allow_compaction(U1, at(6))
    await StorageMaintenance(world.controller).run()
    assert await _state(world) == before


async def _state(world: World) -> ShardState:
    machine = world.machine("u1")
    await machine.refresh()
    return machine.state


async def test_writers_of_two_environments_never_both_append_at_one_upper() -> None:
    world, _, _ = await world_with_u1()
    other = World(world.consensus, world.blob, world.clock, world.randomness)
    await other.controller.load()
    for time in range(5, 25):
        writes = [
            await w.controller.prepare_append(U1, [table_of((time, name))], at(time), at(time + 1))
            for w, name in ((world, "one"), (other, "other"))
        ]
        outcomes = await asyncio.gather(world.controller.commit([writes[0]]), other.controller.commit([writes[1]]))
        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Committed", "Conflict"]
    assert len(contents(await world.controller.reads.read(U1, Timestamp(24)))) == 20


async def test_appends_go_on_while_their_shard_is_compacted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.persist.compact.INLINE_BATCHES_MAX", 2)
    world, _, _ = await world_with_u1()
    maintenance = StorageMaintenance(world.controller)
    for time in range(5, 40):
        write = await world.controller.prepare_append(U1, [table_of((time, "x"))], at(time), at(time + 1))
        outcome, _ = await asyncio.gather(world.controller.commit([write]), maintenance.round())
        assert isinstance(outcome, Committed)
    assert len(contents(await world.controller.reads.read(U1, Timestamp(39)))) == 35
    assert len(world.controller.collections()[0].state.batches) <= 4


async def test_parts_that_were_never_appended_are_deleted_when_old_and_not_underway() -> None:
    world, _, _ = await world_with_u1()
    await world.controller.commit([await world.controller.prepare_append(U1, [many_rows()], at(5), at(6))])
    abandoned = await world.controller.prepare_append(U1, [many_rows()], at(6), at(7))
    abandoned.abandon()
    never_created = await world.controller.prepare_append(U2, [many_rows()], at(6), at(7), desc=DESC)
    underway = await world.controller.prepare_append(U1, [many_rows()], at(6), at(7))
    maintenance = StorageMaintenance(world.controller)
    assert len(await world.blob.list_keys("")) == 4
    world.clock.ms += 11 * 60 * 1000
    await maintenance.round()
    assert len(await world.blob.list_keys("")) == 4
    world.clock.ms += 60 * 60 * 1000
    await maintenance.round()
    kept = await world.blob.list_keys("")
    assert set(kept) & {*abandoned.parts} == set()
    assert set(kept) >= {*underway.parts, *never_created.parts}
    assert len(kept) == 3
    assert isinstance(await world.controller.commit([underway]), Committed)
    await world.restart()
    world.clock.ms += 61 * 60 * 1000
    await StorageMaintenance(world.controller).round()
    maintenance = StorageMaintenance(world.controller)
    world.clock.ms += 11 * 60 * 1000
    await maintenance.round()
    assert len(await world.blob.list_keys("")) == 2
    assert len(contents(await world.controller.reads.read(U1, Timestamp(6)))) == len(many_rows())


@pytest.mark.parametrize("jump_ms", [-86_400_000, 86_400_000])
async def test_a_clock_that_jumps_makes_no_orphan_of_what_another_process_stages(jump_ms: int) -> None:
    world, _, _ = await world_with_u1()
    world.clock.ms = 10**12
    wall = ManualClock(world.clock.ms)
    other = World(world.consensus, world.blob, wall, world.randomness)
    await other.controller.load()
    maintenance = StorageMaintenance(world.controller, wall=wall)
    before = await other.controller.prepare_append(U1, [many_rows()], at(5), at(6))
    wall.ms += jump_ms
    after = await other.controller.prepare_append(U1, [many_rows()], at(6), at(7))
    for _ in range(2):
        world.clock.ms += 11 * 60 * 1000
        wall.ms += 11 * 60 * 1000
        await maintenance.round()
    assert set(await world.blob.list_keys("")) == {*before.parts, *after.parts}


async def test_a_bulk_load_stages_parts_before_its_time_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.persist.write.PART_BYTES", 100_000)
    world, _, _ = await world_with_u1(timeline=True)
    writer = world.controller.part_writer(U1)
    for start in range(0, 50_000, 1_000):
        await writer.add(many_rows(start, 1_000))
    updates = await writer.finish()
    write = await world.controller.prepare_append(U1, updates, at(77), at(78))
    assert isinstance(await world.controller.commit([write]), Committed)
    world.controller.advance_timeline(at(78))
    snapshot = world.controller.reads.snapshot(U1, Timestamp(77))
    assert snapshot.consolidated
    assert len(snapshot.parts) > 5
    assert {(part.time, part.diff) for part in snapshot.parts} == {(77, 1)}
    assert len(contents(await world.controller.reads.read(U1, Timestamp(77)))) == 50_000
    assert contents(await world.controller.reads.read(U1, Timestamp(76))) == {}
