"""Replicas that stand still, lag, fail or die by turns, under reads of an index, queries, writes and a subscribe: no
answer is wrong, none is an error, and none waits for the one that is away."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from unittest.mock import patch

import pyarrow as pa
import pytest
from structlog.testing import capture_logs

from compute.controller.connection import ReplicaConnection
from compute.controller.controller import ComputeController
from compute.controller.peeks import PendingPeeks
from compute.controller.pending import PeekRequest, PendingPeek
from compute.controller.replica_status import ReplicaPhase
from compute.controller.standing import Standing
from compute.protocol.command import CreateInstance, Peek
from compute.replica.dataflows.exports.index_sink import IndexSink
from model.errors.sql_error import SqlError
from model.physical.columns import column_to_arrow, rows_from_arrow
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4
from planner.ir.relation import Constant, Finishing
from tests.compute.dataflows.world import World
from tests.compute.dataflows.worlds import run
from tests.compute.in_process import InProcessHost, interpreted_dataflows
from tests.compute.replica.test_replication import _INDEX, _VIEW, all_hydrated, replicated
from tests.compute.test_dataflow_controller import _SAME, Client, commit, read, subscribed

_NUMBERS = relation_desc(("n", INT4))
_ROUNDS = 6
_WAITED_S_MAX = 12.0
"""Virtual: until the silence of a leader is noticed whose host does not tell, and the next leader has heard of it."""


class _Trial:
    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.source = random.Random(seed)
        self.hosts = {f"r{number}": self._host() for number in range(1, self.source.randint(2, 3) + 1)}
        self.asked = 0

    def _host(self) -> InProcessHost:
        world = self.world
        dataflows = interpreted_dataflows(world.consensus, world.blob, world.clock, world.randomness)
        return InProcessHost(self._evaluate, dataflows, transit_s=lambda: self.source.choice((0.0, 0.001, 0.2)))

    async def _evaluate(self, _instance: CreateInstance, peek: Peek) -> Iterable[pa.RecordBatch]:
        """Answers a query over constant rows after a while, at once: what a client has seen a part of can't be asked of
        another replica."""
        assert isinstance(peek.relation, Constant)
        await asyncio.sleep(self.source.choice((0.0, 0.1, 1.0)))
        numbers = [row[0] for row, _ in peek.relation.rows]
        return [pa.record_batch([column_to_arrow(numbers, INT4)], names=["c0"])]

    async def run(self) -> None:
        async with replicated(self.world, self.hosts) as controller:
            await commit(self.world, controller, ((0, "first"), 1))
            client = Client(controller, subscribed(self.world, _SAME, with_snapshot=True))
            for _ in range(_ROUNDS):
                await self._write(controller)
                await all_hydrated(self.world, self.hosts)
                await self._trouble(controller)
            assert await client.caught_up(self.world) == self.world.rows_at(1, self.world.now)
            client.task.cancel()
            await asyncio.wait([client.task])
        assert not [peek for host in self.hosts.values() for peek in host.unheld]

    async def _write(self, controller: ComputeController) -> None:
        rows: list[tuple[Row, int]] = [((self.source.randrange(4), "x"), 1)]
        rows += [(row, -1) for row in self.world.rows_at(1, self.world.now) if self.source.random() < 0.3]
        await commit(self.world, controller, *rows)

    async def _trouble(self, controller: ComputeController) -> None:
        """Something befalls a replica while it is asked, and goes away."""
        name = self.source.choice((controller.status().name, *self.hosts))
        host = self.hosts[name]
        asking = [asyncio.create_task(self._ask(controller)) for _ in range(self.source.randint(0, 2))]
        await asyncio.sleep(self.source.choice((0.0, 0.001, 0.1)))
        trouble = self.source.choice(("frozen", "frozen", "full", "dead"))
        if trouble == "frozen":
            host.freeze(seen=self.source.random() < 0.5)
            if self.source.random() < 0.7:
                # It goes on while it is passed over, or what it was asked is asked of others.
                asyncio.get_running_loop().call_later(self.source.choice((0.3, 0.6, 2.5)), host.thaw)
        elif trouble == "full":
            host.full = controller.status().name != name
        else:
            host.available = False
            host.crash()
        for _ in range(self.source.randint(1, 3)):
            await self._write(controller)
            asking.append(asyncio.create_task(self._ask(controller)))
            await asyncio.sleep(self.source.choice((0.0, 0.3, 2.5)))
        await asyncio.gather(*asking)
        await asyncio.sleep(self.source.choice((0.0, 1.0, 4.0)))
        host.thaw()
        host.full, host.available = False, True
        await asyncio.sleep(self.source.choice((0.0, 0.001, 1.0)))

    async def _ask(self, controller: ComputeController) -> None:
        begun_ns = self.world.clock.elapsed_ns()
        if self.source.random() < 0.3:
            await self._ask_numbers(controller)
        else:
            await self._ask_index(controller)
        assert self.world.clock.elapsed_ns() - begun_ns < _WAITED_S_MAX * 1e9

    async def _ask_index(self, controller: ComputeController) -> None:
        as_of = Timestamp(self.world.now - 1)
        keys = self.source.choice((None, ((1,), (2,))))
        expected = Counter({r: n for r, n in self.world.rows_at(1, as_of).items() if keys is None or (r[0],) in keys})
        hold = controller.dataflows.hold(_INDEX, as_of)
        try:
            assert Counter(await read(controller, as_of, keys)) == expected
        finally:
            hold.release()
            for id_ in (_INDEX, _VIEW):
                controller.dataflows.allow_compaction(id_, Antichain(Timestamp(self.world.now - 1)))

    async def _ask_numbers(self, controller: ComputeController) -> None:
        self.asked += 1
        rows = [(number,) for number in range(self.asked, self.asked + self.source.choice((1, 12)))]
        constant = Constant(tuple((row, 1) for row in rows), _NUMBERS)
        request = PeekRequest(constant, (), Timestamp(self.world.now - 1), Finishing((), None, None, (0,)))
        found = [pa.Table.from_batches([batch]) async for batch in controller.peek(request)]
        assert [row for table in found for row in rows_from_arrow(table, _NUMBERS)] == rows


def _shows(seed: int) -> bool:
    """Returns whether a trial from the seed fails, or does not come to its end."""
    try:
        run(lambda world: asyncio.wait_for(_Trial(world, seed).run(), 300))
    except (AssertionError, SqlError, TimeoutError):
        return True
    return False


def test_no_read_waits_for_a_replica_that_stands_still(simulation_seeds: range) -> None:
    with capture_logs():
        assert [seed for seed in simulation_seeds if _shows(seed)] == []


def test_no_subscriber_waits_for_a_leader_that_stands_still() -> None:
    async def work(world: World) -> None:
        trial = _Trial(world, 0)
        async with replicated(world, trial.hosts) as controller:
            await commit(world, controller, ((0, "first"), 1))
            client = Client(controller, subscribed(world, _SAME, with_snapshot=True))
            for round_ in range(3):
                await all_hydrated(world, trial.hosts)
                await client.caught_up(world)
                await asyncio.sleep(3.0)
                leader = trial.hosts[controller.status().name]
                leader.freeze(seen=False)
                for number in range(3):
                    await commit(world, controller, ((round_, f"{number}"), 1))
                    begun_ns = world.clock.elapsed_ns()
                    assert await client.caught_up(world) == world.rows_at(1, world.now)
                    assert world.clock.elapsed_ns() - begun_ns < 2.0e9
                await asyncio.sleep(1.0)
                leader.thaw()
            client.task.cancel()
            await asyncio.wait([client.task])

    with capture_logs():
        run(work)


def the_answer_of_one_behind_is_used() -> AbstractContextManager[object]:
    """An index answers with what it has."""

    async def at_once(_self: IndexSink, _as_of: Timestamp) -> None:
        return

    return patch.object(IndexSink, "wait", at_once)


def holds_are_released_before_the_cancel() -> AbstractContextManager[object]:
    """Those who come second are not told to stop."""
    return patch.object(PendingPeeks, "_choose", lambda self, pending, replica: pending.answer_by(replica))


def a_fenced_replica_answers() -> AbstractContextManager[object]:
    """What was asked of the former leader is asked of the next one under the same name, and anybody may answer."""

    def restart(self: PendingPeek, _uuid: str) -> None:
        self.answering = None
        self._answers.clear()

    return patch.object(PendingPeek, "restart", restart)


def a_failure_of_one_replica_is_the_answer() -> AbstractContextManager[object]:
    return patch("compute.controller.peeks._is_of_replica", lambda _outcome: False)


def nobody_minds_the_leader() -> AbstractContextManager[object]:
    return patch.object(Standing, "heir", lambda self, leader, others: None)


def nobody_leads_after_the_leader() -> AbstractContextManager[object]:
    """The one that follows is not told what only a leader does."""

    def lead(self: ComputeController, replica: ReplicaConnection) -> None:
        self._leader, self._served.leader = replica, replica.name
        if replica.phase is ReplicaPhase.CONNECTING:
            replica.greet(self._wanted_of(replica))

    return patch.object(ComputeController, "_lead", lead)


_BUGS = (
    nobody_leads_after_the_leader,
    the_answer_of_one_behind_is_used,
    holds_are_released_before_the_cancel,
    a_fenced_replica_answers,
    a_failure_of_one_replica_is_the_answer,
    nobody_minds_the_leader,
)


@pytest.mark.parametrize("bug", _BUGS)
def test_a_planted_bug_is_found(bug: Callable[[], AbstractContextManager[object]]) -> None:
    with bug(), capture_logs():
        assert any(_shows(seed) for seed in range(300))
