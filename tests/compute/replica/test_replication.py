"""Several replicas of one cluster: what each does, what is told of them, and that the loss of one is not noticed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from compute.controller.connection import ReplicaConnection
from compute.controller.controller import ComputeController, ControllerOptions
from compute.controller.peeks import PendingPeeks
from compute.controller.replication import ExportFrontiers, ExportOfReplicas
from compute.controller.standing import LeaderWatch
from compute.protocol.response import Frontiers
from compute.replica.running.reconcile import RunningDataflow
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import step_back
from model.types.datum import Row
from tests.compute.dataflows.world import World
from tests.compute.dataflows.worlds import run
from tests.compute.in_process import InProcessHost, interpreted_dataflows
from tests.compute.test_dataflow_controller import _SAME, Client, commit, host_of, indexed, no_peeks, read, subscribed
from timeline.durable_oracle import TIMELINE_KEY

_INDEX, _VIEW = GlobalId.user(3), GlobalId.user(2)


def at(time: int) -> Antichain:
    return Antichain.at(time)


def said(upper: int, durable: int) -> Frontiers:
    return Frontiers(_INDEX, None, at(upper), at(upper), at(durable))


def export_of(*replicas: str) -> ExportOfReplicas:
    return ExportOfReplicas(replicas, ExportFrontiers(at(5), at(5), at(5), at(5)))


def test_the_furthest_upper_is_told_and_the_least_that_must_survive() -> None:
    export = export_of("r1", "r2")
    assert export.take("r1", said(20, 15))
    assert (export.frontiers.upper, export.frontiers.input, export.frontiers.durable) == (at(20), at(5), at(5))
    assert export.take("r2", said(12, 9))
    assert (export.frontiers.upper, export.frontiers.input, export.frontiers.durable) == (at(20), at(12), at(9))
    assert export.take("r2", Frontiers(_INDEX, at(8), EMPTY, None, EMPTY))
    assert (export.frontiers.since, export.frontiers.upper, export.frontiers.durable) == (at(8), EMPTY, at(15))


def test_nothing_told_goes_back_when_a_replica_begins_anew() -> None:
    export = export_of("r1", "r2")
    for replica in ("r1", "r2"):
        export.take(replica, said(20, 15))
    before = export.frontiers
    assert not export.take("r1", said(6, 5)) and export.frontiers == before


def test_a_replica_that_was_removed_holds_back_nothing() -> None:
    replicas = ["r1", "r2"]
    export = ExportOfReplicas(replicas, ExportFrontiers(at(5), at(5), at(5), at(5)))
    export.take("r1", said(20, 15))
    export.take("r2", said(12, 9))
    export.take_versions("r2", {"a": 4})
    replicas.remove("r2")
    assert export.forget("r2")
    assert (export.frontiers.upper, export.frontiers.input, export.frontiers.durable) == (at(20), at(20), at(15))
    replicas.append("r2")
    assert not export.forget("r2"), "what was told stays told"
    assert export.take_versions("r1", {"a": 9}) == {}, "another one of its name has told nothing yet"


def test_the_oldest_version_that_any_replica_reads_is_told_once_all_have_told_theirs() -> None:
    export = export_of("r1", "r2")
    assert export.take_versions("r1", {"a": 7, "b": 3}) == {}
    assert export.take_versions("r2", {"a": 4}) == {"a": 4}
    assert export.take_versions("r1", {"a": 9, "b": 5}) == {"a": 4}


@asynccontextmanager
async def replicated(world: World, hosts: dict[str, InProcessHost]) -> AsyncIterator[ComputeController]:
    options = ControllerOptions("memory:", "memory:", "1", TIMELINE_KEY, tuple(world.preconditions.items()))
    controller = ComputeController(options, dict(hosts), world.clock, world.randomness)
    await indexed(world, controller)
    controller.start()
    try:
        yield controller
    finally:
        await controller.stop()


def hosts_of(world: World, number: int = 2) -> dict[str, InProcessHost]:
    return {f"r{each}": host_of(world) for each in range(1, number + 1)}


async def all_hydrated(world: World, hosts: dict[str, InProcessHost]) -> None:
    """Returns when each replica has the index at the newest commit."""
    for host in hosts.values():
        while (dataflow := host._state._of(_INDEX)) is None or _is_behind(world, dataflow):
            await world.clock.sleep(0.01)


def _is_behind(world: World, dataflow: RunningDataflow) -> bool:
    upper = dataflow.frontiers[_INDEX].upper
    return upper is None or upper.less_equal(step_back(world.now))


def test_a_read_does_not_wait_for_the_replica_that_was_lost() -> None:
    async def work(world: World) -> None:
        hosts = hosts_of(world)
        async with replicated(world, hosts) as controller:
            await commit(world, controller, ((1, "a"), 1))
            for round_ in range(4):
                await all_hydrated(world, hosts)
                lost = hosts[controller.status().name]
                lost.available = False
                lost.crash()
                await commit(world, controller, ((round_, "b"), 1))
                begun = world.clock.elapsed_ns()
                rows = await read(controller, world.now - 1)
                assert Counter(rows) == world.rows_at(1, world.now - 1)
                assert world.clock.elapsed_ns() - begun < 1e9
                lost.available = True
            await all_hydrated(world, hosts)
            assert {each.name: each.restarts for each in controller.statuses()} == {"r1": 2, "r2": 2}

    run(work)


def test_every_replica_keeps_the_dataflows_and_runs_the_subscribe() -> None:
    async def work(world: World) -> None:
        hosts = hosts_of(world, 3)
        async with replicated(world, hosts) as controller:
            await commit(world, controller, ((1, "a"), 1))
            client = Client(controller, subscribed(world, _SAME, with_snapshot=True))
            await client.caught_up(world)
            await all_hydrated(world, hosts)
            assert [len(host._state.dataflows) for host in hosts.values()] == [2, 2, 2]
            hosts["r1"].crash()
            await commit(world, controller, ((2, "b"), 1))
            assert await client.caught_up(world) == world.rows_at(1, world.now)
            await world.clock.sleep(10)
            assert [len(host._state.dataflows) for host in hosts.values()] == [2, 2, 2]
            assert (controller.status().name, hosts["r2"]._state.kept, hosts["r2"]._state.replaced) == ("r2", 2, 0)
            client.task.cancel()
            await asyncio.wait([client.task])

    run(work)


def test_what_becomes_of_a_dropped_replica_concerns_nobody() -> None:
    async def work(world: World) -> None:
        hosts = hosts_of(world)
        async with replicated(world, hosts) as controller:
            await commit(world, controller, ((1, "a"), 1))
            await all_hydrated(world, hosts)
            (dropped,) = (each for each in controller._replicas if each.name == "r2")
            await controller.remove_replica("r2")
            hosts["r2"] = host_of(world)
            controller.add_replica("r2", hosts["r2"])
            await all_hydrated(world, hosts)
            hosts["r1"].crash()
            for host in hosts.values():
                host.available = False
            reading = asyncio.create_task(read(controller, world.now))
            await asyncio.sleep(0.001)
            asked = controller._peeks.indexes_asked
            assert len(list(asked())) == 1
            for report in (controller.lost, controller.failed, controller.broke):
                report(dropped, "it was dropped")
            assert len(list(asked())) == 1 and not reading.done()
            await commit(world, controller, ((2, "b"), 1))
            assert await reading == [(1, "a"), (2, "b")]

    run(work)


async def _trial(world: World, seed: int) -> None:
    """Replicas that lag by turns, and die or are dropped for others whenever another one is up to date, under writes,
    reads and a subscribe."""
    source = random.Random(seed)
    dataflows = interpreted_dataflows(world.consensus, world.blob, world.clock, world.randomness)

    def host() -> InProcessHost:
        return InProcessHost(no_peeks, dataflows, transit_s=lambda: source.choice((0.0, 0.001, 0.3)))

    hosts = {f"r{number}": host() for number in range(1, source.randint(2, 3) + 1)}
    async with replicated(world, hosts) as controller:
        await commit(world, controller, ((0, "first"), 1))
        client = Client(controller, subscribed(world, _SAME, with_snapshot=True))
        for round_ in range(8):
            rows: list[tuple[Row, int]] = [((source.randrange(4), "x"), 1)]
            rows += [(row, -1) for row in world.rows_at(1, world.now) if source.random() < 0.3]
            await commit(world, controller, *rows)
            assert Counter(await read(controller, world.now - 1)) == world.rows_at(1, world.now - 1)
            if source.random() < 0.5:
                await all_hydrated(world, hosts)
                lost = hosts[source.choice(list(hosts))]
                reading = asyncio.create_task(read(controller, world.now - 1))
                await asyncio.sleep(source.choice((0.0, 0.001, 0.1)))
                lost.available = False
                lost.crash()
                assert Counter(await reading) == world.rows_at(1, world.now - 1)
                back_in_s = source.uniform(0, 3)
                asyncio.get_running_loop().call_later(back_in_s, setattr, lost, "available", True)
            if source.random() < 0.3:
                await all_hydrated(world, hosts)
                dropped = source.choice(list(hosts))
                reading = asyncio.create_task(read(controller, world.now - 1))
                await asyncio.sleep(source.choice((0.0, 0.001, 0.1)))
                del hosts[dropped]
                ended = asyncio.create_task(_waited_for(controller.remove_replica(dropped)))
                added = source.choice((dropped, f"of round {round_}"))
                hosts[added] = host()
                controller.add_replica(added, hosts[added])
                assert Counter(await reading) == world.rows_at(1, world.now - 1)
                await ended
                assert controller.status().name in hosts, "who leads is there"
        assert await client.caught_up(world) == world.rows_at(1, world.now)
        await controller.dataflows.progress.wait_for_upper(_VIEW, step_back(world.now))
        shard = await world.shard_at(2, world.now - 1)
        assert shard == Counter({(*row, None): count for row, count in world.rows_at(1, world.now - 1).items()})
        client.task.cancel()
        await asyncio.wait([client.task])


async def _waited_for(ended: Awaitable[None]) -> None:
    await ended


def _shows(seed: int) -> bool:
    """Returns whether a trial from the seed fails, or does not come to its end."""
    try:
        run(lambda world: asyncio.wait_for(_trial(world, seed), 60))
    except (AssertionError, SqlError, TimeoutError):
        return True
    return False


def test_the_loss_of_any_replica_is_not_noticed() -> None:
    assert [seed for seed in range(6) if _shows(seed)] == []


def a_loss_is_nobodys_concern() -> AbstractContextManager[object]:
    """A peek of the leader that was lost is not asked of the next one."""
    return patch.object(PendingPeeks, "lose", lambda self, replica, failure, led: self.fail(failure))


def a_dropped_replica_leads_on() -> AbstractContextManager[object]:
    """What the dropped replica was asked waits for it, and nobody watches it."""
    lose = ComputeController._lose
    stack = ExitStack()
    stack.enter_context(patch.object(LeaderWatch, "start", lambda watch, cluster: None))

    def concerned(self: ComputeController, replica: ReplicaConnection, reason: str) -> None:
        if reason != "the replica was dropped":
            lose(self, replica, reason)

    stack.enter_context(patch.object(ComputeController, "_lose", concerned))
    return stack


@pytest.mark.parametrize("bug", [a_loss_is_nobodys_concern, a_dropped_replica_leads_on])
def test_a_planted_bug_is_found(bug: Callable[[], AbstractContextManager[object]]) -> None:
    with bug(), capture_logs():
        assert any(_shows(seed) for seed in range(20))
