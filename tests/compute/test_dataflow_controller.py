"""What an environment asks of its dataflows comes true, whatever becomes of the replica."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pyarrow as pa
import pytest

from compute.controller.controller import ComputeController, ControllerOptions
from compute.controller.pending import IndexPeekRequest
from compute.protocol.command import CreateInstance, Peek
from compute.protocol.dataflow import DataflowDescription, Import, ShardExport, SubscribeExport
from compute.protocol.response import DataflowPhase
from compute.replica.dataflows.states import LocalStates
from compute.replica.running.places import Places
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp, step_back
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4
from model.updates.update import updates_from_arrow
from planner.ir.aggregate import SortKey
from planner.ir.relation import Finishing, Get, Map, Project, Relation
from planner.ir.scalar import Call, Column, Literal
from storage.subscription import Progress, SubscriptionEvent, Updates
from tests.compute.dataflows.mortal import Steps
from tests.compute.dataflows.world import BEGIN, DESC, World, describe, index_on, shard_desc
from tests.compute.dataflows.worlds import run
from tests.compute.in_process import InProcessHost, interpreted_dataflows
from tests.simulation.kept_interpreted import KeptMaintenance, Witness
from timeline.durable_oracle import TIMELINE_KEY

_TABLE, _INDEX, _VIEW, _SUBSCRIBE = GlobalId.user(1), GlobalId.user(3), GlobalId.user(2), GlobalId.transient(1)
_SAME: Relation = Project(Get(_TABLE, DESC), (0, 1))
_QUOTIENT = Call("divide_int4_int4", (Literal(10, INT4), Column(0, INT4)), INT4)
_HALVES: Relation = Project(Map(Get(_TABLE, DESC), (_QUOTIENT,), ("q",)), (2,))
_HALVES_DESC = relation_desc(("q", INT4))
_ORDERED = Finishing((SortKey(Column(0, INT4), False, False),), None, None, (0, 1))


async def no_peeks(_instance: CreateInstance, _peek: Peek) -> list[pa.RecordBatch]:
    raise AssertionError("nothing is peeked but indexes")


def host_of(world: World) -> InProcessHost:
    return InProcessHost(no_peeks, interpreted_dataflows(world.consensus, world.blob, world.clock, world.randomness))


@asynccontextmanager
async def environment(world: World, host: InProcessHost, nonce: int = 1) -> AsyncIterator[ComputeController]:
    """Connects when the test says so, as an environment does once it has created its dataflows."""
    preconditions = tuple(world.preconditions.items())
    options = ControllerOptions("memory:", "memory:", f"{nonce:06}", TIMELINE_KEY, preconditions)
    controller = ComputeController(options, {"r1": host}, world.clock, world.randomness)
    try:
        yield controller
    finally:
        await controller.stop()


async def indexed(world: World, controller: ComputeController) -> None:
    """An index on a view of the table 1, and the view's shard."""
    item = await world.table(1)
    shard = await world.view_shard(2, DESC)
    controller.dataflows.create(describe([item], (2, _SAME), [index_on(3, 2, Column(0, INT4)), shard]))
    controller.dataflows.schedule(_INDEX)
    controller.dataflows.allow_writes(_VIEW)


async def commit(world: World, controller: ComputeController, *rows: tuple[Row, int]) -> None:
    await world.commit({1: rows} if rows else {})
    controller.dataflows.advance_timeline(Antichain(world.now))


async def read(
    controller: ComputeController, as_of: int, keys: tuple[Row, ...] | None = None, finishing: Finishing = _ORDERED
) -> list[Row]:
    request = IndexPeekRequest(_INDEX, keys, Timestamp(as_of), finishing)
    tables = [pa.Table.from_batches([batch]) async for batch in controller.peek_index(request)]
    return [row for table in tables for row in rows_from_arrow(table, DESC)]


def test_an_index_is_read_at_the_newest_commit_and_at_earlier_ones() -> None:
    async def work(world: World) -> None:
        async with environment(world, host_of(world)) as controller:
            await indexed(world, controller)
            controller.start()
            await commit(world, controller, ((2, "b"), 2), ((1, "a"), 1))
            assert await read(controller, world.now - 1) == [(1, "a"), (2, "b"), (2, "b")]
            await commit(world, controller, ((2, "b"), -1))
            assert await read(controller, world.now - 1, ((2,),)) == [(2, "b")]
            assert await read(controller, world.now - 2, ((2,), (7,))) == [(2, "b"), (2, "b")]
            assert controller.dataflows.reports.statuses()[_INDEX].phase is DataflowPhase.RUNNING

    run(work)


def test_what_is_said_of_a_dropped_export_is_not_said_of_the_next_of_its_name() -> None:
    async def work(world: World) -> None:
        async with environment(world, host_of(world)) as controller:
            controller.start()
            await indexed(world, controller)
            await commit(world, controller, ((1, "a"), 1))
            assert await read(controller, world.now - 1) == [(1, "a")]
            for id_ in (_INDEX, _VIEW):
                controller.dataflows.drop(id_)
            item = await world.table(4)
            index = index_on(3, 4, Column(0, INT4))
            same: Relation = Project(Get(GlobalId.user(4), DESC), (0, 1))
            controller.dataflows.create(describe([item], (4, same), [index]))
            controller.dataflows.schedule(_INDEX)
            await world.commit({4: [((2, "b"), 1)]})
            controller.dataflows.advance_timeline(Antichain(world.now))
            assert await read(controller, world.now - 1) == [(2, "b")]
            assert not controller.dataflows.frontiers(_INDEX).upper.empty

    run(work)


def test_a_peek_of_an_index_survives_the_replica() -> None:
    async def work(world: World) -> None:
        host = host_of(world)
        async with environment(world, host) as controller:
            await indexed(world, controller)
            controller.start()
            await commit(world, controller, ((1, "a"), 1))
            answer = asyncio.ensure_future(read(controller, world.now))
            await world.clock.sleep(1.0)
            host.crash()
            await world.clock.sleep(1.0)
            await commit(world, controller, ((2, "b"), 1))
            assert await answer == [(1, "a"), (2, "b")]

    run(work)


def test_frontiers_never_regress_though_replicas_begin_anew() -> None:
    async def work(world: World) -> None:
        host = host_of(world)
        async with environment(world, host) as controller:
            seen = []
            controller.dataflows.on_frontiers(lambda id_, frontiers: seen.append((id_, frontiers)))
            await indexed(world, controller)
            controller.start()
            for round_ in range(6):
                await commit(world, controller, ((round_, "x"), 1))
                await controller.dataflows.progress.wait_for_upper(_VIEW, step_back(world.now))
                assert await world.shard_upper(2) == world.now
                if round_ % 2:
                    host.crash()
            await controller.dataflows.progress.wait_for_upper(_INDEX, step_back(world.now))
            for id_ in (_VIEW, _INDEX):
                uppers = [frontiers.upper for each, frontiers in seen if each == id_]
                assert all(a.precedes(b) for a, b in itertools.pairwise(uppers)) and len(set(uppers)) > 3
            held = Counter({(*row, None): count for row, count in world.rows_at(1, world.now).items()})
            assert await world.shard_at(2, world.now - 1) == held

    run(work)


def test_a_hold_keeps_what_it_holds_readable_until_it_is_released() -> None:
    async def work(world: World) -> None:
        async with environment(world, host_of(world)) as controller:
            flows = controller.dataflows
            await indexed(world, controller)
            controller.start()
            for key in range(4):
                await commit(world, controller, ((key, "x"), 1))
            await flows.progress.wait_for_upper(_INDEX, step_back(world.now))
            hold = flows.hold(_INDEX, Timestamp(BEGIN + 1))
            flows.allow_compaction(_INDEX, Antichain.at(BEGIN + 3))
            assert flows.frontiers(_INDEX).since == Antichain.at(BEGIN + 1)
            assert await read(controller, BEGIN + 1) == [(0, "x"), (1, "x")]
            hold.release()
            assert flows.frontiers(_INDEX).since == Antichain.at(BEGIN + 3)
            with pytest.raises(SqlError, match="its since is"):
                flows.hold(_INDEX, Timestamp(BEGIN + 1))

    run(work)


def test_a_dropped_index_goes_when_its_last_reader_does() -> None:
    async def work(world: World) -> None:
        async with environment(world, host_of(world)) as controller:
            flows = controller.dataflows
            await indexed(world, controller)
            controller.start()
            await commit(world, controller, ((1, "x"), 1))
            await flows.progress.wait_for_upper(_INDEX, step_back(world.now))
            hold = flows.hold(_INDEX, step_back(world.now))
            waiting = asyncio.ensure_future(flows.progress.wait_for_upper(_INDEX, Timestamp(world.now + 100)))
            flows.drop(_INDEX)
            await world.clock.sleep(1.0)
            assert not flows.exists(_INDEX) and await read(controller, world.now - 1) == [(1, "x")]
            with pytest.raises(SqlError):
                flows.hold(_INDEX)
            hold.release()
            with pytest.raises(SqlError, match="dropped"):
                await waiting
            with pytest.raises(SqlError):
                await read(controller, world.now - 1)
            flows.drop(_INDEX)

    run(work)


def test_the_next_environment_goes_on_with_what_runs() -> None:
    async def work(world: World) -> None:
        host = host_of(world)
        async with environment(world, host) as first:
            await indexed(world, first)
            first.start()
            await commit(world, first, ((1, "a"), 1))
            await first.dataflows.progress.wait_for_upper(_VIEW, step_back(world.now))
            since = world.now - 1
            await world.raise_fence()
            async with environment(world, host, 2) as second:
                second.dataflows.create(described_again(world))
                second.dataflows.schedule(_INDEX)
                second.dataflows.allow_writes(_INDEX)
                second.start()
                await commit(world, second, ((2, "b"), 1))
                await second.dataflows.progress.wait_for_upper(_VIEW, step_back(world.now))
                assert await read(second, since) == [(1, "a")]
                assert host._state.kept == 1 and host._state.numbered == 1

    run(work)


def described_again(world: World) -> DataflowDescription:
    """The dataflow of `indexed`, as an environment that has found it in its catalog describes it."""
    shard = ShardExport(_VIEW, _VIEW, "u2", shard_desc(DESC))
    index = index_on(3, 2, Column(0, INT4))
    return describe([Import(_TABLE, "u1", DESC)], (2, _SAME), [index, shard], world.now - 1)


# Subscribes


def subscribed(world: World, view: Relation, *, with_snapshot: bool, until: Antichain = EMPTY) -> DataflowDescription:
    export = SubscribeExport(_SUBSCRIBE, _VIEW, with_snapshot)
    imports = (Import(_TABLE, "u1", DESC),)
    return DataflowDescription(imports, ((_VIEW, view),), (export,), Antichain(step_back(world.now)), until)


class Client:
    """Follows a subscribe, and adds up what comes."""

    def __init__(self, controller: ComputeController, description: DataflowDescription) -> None:
        self.events: list[SubscriptionEvent] = []
        self.held: Counter[Row] = Counter()
        self.upper = description.as_of
        self.task = asyncio.ensure_future(self._follow(controller, description))

    async def _follow(self, controller: ComputeController, description: DataflowDescription) -> None:
        async for event in controller.subscribe(description):
            self.events.append(event)
            match event:
                case Updates(table):
                    for update in updates_from_arrow(table, DESC):
                        assert self.upper.less_equal(update.time), "an update at a time that was said to be complete"
                        self.held[update.row] += update.diff
                case Progress(frontier):
                    assert self.upper.precedes(frontier)
                    self.upper = frontier

    async def caught_up(self, world: World) -> Counter[Row]:
        """What the client holds at the newest commit."""
        while self.upper.less_equal(step_back(world.now)):
            assert not self.task.done(), self.task
            await world.clock.sleep(0.01)
        return +self.held


@pytest.mark.parametrize("with_snapshot", [True, False])
def test_a_subscribe_gives_each_update_once_through_crashes(with_snapshot: bool) -> None:
    async def work(world: World) -> None:
        host = host_of(world)
        async with environment(world, host) as controller:
            await world.table(1)
            controller.start()
            await commit(world, controller, ((0, "before"), 2))
            client = Client(controller, subscribed(world, _SAME, with_snapshot=with_snapshot))
            for round_ in range(8):
                await commit(world, controller, ((round_, "x"), 1), *([((round_ - 1, "x"), -1)] if round_ else []))
                if round_ % 3 == 0:
                    await client.caught_up(world)
                if round_ % 3 == 1:
                    host.crash()
                    await world.clock.sleep(0.5)
            held = await client.caught_up(world)
            before: Counter[Row] = Counter() if with_snapshot else Counter({(0, "before"): 2})
            assert held == world.rows_at(1, world.now) - before
            client.task.cancel()
            await asyncio.wait([client.task])
            await world.clock.sleep(0.1)
            assert not host._state.dataflows and not controller.dataflows.exists(_SUBSCRIBE)

    run(work)


def test_subscribes_of_one_query_go_on_from_no_others_state(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        own = (world.consensus, world.blob, world.clock, world.randomness)

        def kept(places: Places) -> KeptMaintenance:
            return KeptMaintenance(places, tmp_path, LocalStates(tmp_path / "kept"), Steps(10**9), Witness())

        host = InProcessHost(no_peeks, interpreted_dataflows(*own, maintenance=kept))
        async with environment(world, host) as controller:
            await world.table(1)
            controller.start()
            await commit(world, controller, ((0, "before"), 2))
            clients = [Client(controller, subscribed(world, _SAME, with_snapshot=True))]
            await clients[0].caught_up(world)
            await world.clock.sleep(30)
            await commit(world, controller, ((1, "x"), 1))
            again = subscribed(world, _SAME, with_snapshot=True)
            (export,) = again.exports
            another = dataclasses.replace(export, id=GlobalId.transient(2))
            clients.append(Client(controller, dataclasses.replace(again, exports=(another,))))
            for round_ in range(3):
                for client in clients:
                    assert await client.caught_up(world) == world.rows_at(1, world.now)
                host.crash()
                await commit(world, controller, ((2 + round_, "x"), 1))
            for client in clients:
                client.task.cancel()
            await asyncio.wait([client.task for client in clients])

    run(work)


def test_a_subscribe_ends_at_until() -> None:
    async def work(world: World) -> None:
        async with environment(world, host_of(world)) as controller:
            await world.table(1)
            controller.start()
            await commit(world, controller, ((0, "x"), 1))
            until = Antichain.at(world.now + 2)
            client = Client(controller, subscribed(world, _SAME, with_snapshot=True, until=until))
            for key in range(1, 6):
                await commit(world, controller, ((key, "x"), 1))
            await client.task
            assert client.events[-1] == Progress(EMPTY)
            assert client.held == Counter({(0, "x"): 1, (1, "x"): 1, (2, "x"): 1})

    run(work)


def test_a_subscribe_ends_with_the_first_live_error() -> None:
    async def work(world: World) -> None:
        async with environment(world, host_of(world)) as controller:
            await world.table(1)
            controller.start()
            await commit(world, controller, ((5, "x"), 1))
            description = subscribed(world, _HALVES, with_snapshot=True)
            events = controller.subscribe(description)
            assert isinstance(await anext(events), Updates) and isinstance(await anext(events), Progress)
            await commit(world, controller, ((0, "x"), 1))
            with pytest.raises(SqlError, match="division by zero"):
                async for _ in events:
                    pass

    run(work)


def test_a_slow_client_holds_back_its_own_subscribe_only() -> None:
    async def work(world: World) -> None:
        async with environment(world, host_of(world)) as controller:
            await indexed(world, controller)
            controller.start()
            await commit(world, controller, ((0, "x"), 1))
            slow = controller.subscribe(subscribed(world, _SAME, with_snapshot=True))
            await anext(slow)
            for key in range(1, 60):
                await commit(world, controller, ((key, "x"), 1))
                await controller.dataflows.progress.wait_for_upper(_INDEX, step_back(world.now))
            pending = controller._subscriptions._pending[_SUBSCRIBE]
            assert len(pending._arrived) <= 8
            got: Counter[Row] = Counter({(0, "x"): 1})
            async for event in slow:
                if isinstance(event, Updates):
                    got.update(update.row for update in updates_from_arrow(event.table, DESC))
                elif event.frontier == Antichain(world.now):
                    break
            assert got == world.rows_at(1, world.now)
            await slow.aclose()

    run(work)
