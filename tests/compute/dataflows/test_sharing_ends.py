"""What shares a dataflow parts, is dropped and dies at awkward moments, and nothing of it is lost or left over."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import PropertyMock, patch

import pyarrow as pa

from compute.protocol.response import DataflowMeasures
from compute.replica.dataflows.kept import KeptState
from compute.replica.dataflows.runner import DataflowRunner
from compute.replica.running.shard_writer import ShardWriter
from compute.replica.tasks.events import Reported
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from storage.persist.state import Part
from tests.compute.dataflows.shared_lives import Life, begun_life, mortal_replica
from tests.compute.dataflows.world import World
from tests.compute.dataflows.worlds import run


@contextmanager
def _apart() -> Iterator[None]:
    """None becomes one with another."""
    with patch.object(DataflowRunner, "joinable", new_callable=PropertyMock, return_value=False):
        yield


@contextmanager
def _full_disk() -> Iterator[None]:
    """No checkpoint can be made."""
    with patch.object(KeptState, "checkpoint", side_effect=OSError("no space left on device")):
        yield


def _directories(root: Path) -> list[str]:
    return sorted(each.name for each in root.iterdir() if each.is_dir())


def _runners(life: Life) -> int:
    """All that run, whether the environment knows them or not."""
    return sum(task.get_name().startswith("dataflow ") for task in asyncio.all_tasks())


async def _pass(life: Life) -> None:
    """A minute, at the begin of which something changes."""
    await life.world.commit({1: [((8, "p"), 1)]})
    await life.settled()
    await life.world.clock.sleep(60.0)


def test_one_that_was_kept_hears_of_changes_though_one_before_it_was_not(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await begun_life(world, tmp_path)
        await life.add(20)
        await _pass(life)
        await life.replica.kill()
        life.replica = mortal_replica(world, tmp_path)
        life.numbers.clear()
        await life.add(10)
        life.start(20)
        await _pass(life)
        assert life.runners == 1
        await world.clock.sleep(15.0)  # nobody reads
        await world.commit({1: [((5, "e"), 1)]})
        life.replica.hint()
        await world.clock.sleep(1.0)
        assert await world.shard_upper(10) >= world.now, "nobody has told the dataflow that its table has changed"
        await life.check()

    run(work)


def test_one_that_begins_anew_keeps_its_place_though_it_was_one_with_others(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await begun_life(world, tmp_path)
        for id_ in (20, 21):
            with _apart():
                await life.add(id_)
                await _pass(life)
        with _full_disk():
            await _pass(life)
            assert life.runners == 1
            life.drop(21)
            with _apart():
                life.start(21)
                await life.settled()
        with _apart():
            await _pass(life)
            durable = life.replica.frontiers(21).durable
            await world.commit({1: [((5, "e"), 1)]})
            await _pass(life)
            assert durable != life.replica.frontiers(21).durable, "it can't be kept where it is"
        await life.check()

    run(work)


def test_who_parts_goes_on_from_what_was_kept_of_it_alone(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await begun_life(world, tmp_path)
        with _apart():
            for id_ in (20, 21):
                await life.add(id_)
            await _pass(life)
            for key in range(3):
                await world.commit({1: [((key, "n"), 1)]})
            await _pass(life)
        with _full_disk():
            await _pass(life)
            assert life.runners == 1
            await life.forget()
            runner = life.replica.dataflows._runners[life.numbers[20]]
            assert isinstance(runner, DataflowRunner)
            runner._part_from(runner.members[1:])
        await _pass(life)
        await life.check()
        await life.restart()
        await life.check()
        assert not life.hydrated

    run(work)


def test_dropping_all_deletes_what_each_had_alone_though_it_was_never_kept_together(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await begun_life(world, tmp_path)
        with _apart():
            for id_ in (20, 21, 22):
                await life.add(id_)
            await _pass(life)
        with _full_disk():
            await _pass(life)
            assert life.runners == 1
            for id_ in (21, 20, 22):
                life.drop(id_)
            await world.clock.sleep(1.0)
        assert _directories(tmp_path) == []
        assert not life.replica.dataflows._ending
        gc.collect()
        assert len(life.replica.dataflows._sharers) == 0

    run(work)


def test_what_was_in_the_place_of_one_is_found_once_that_one_is_dropped(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await begun_life(world, tmp_path)
        with _apart():
            for id_ in (20, 21, 22):
                await life.add(id_)
            for key in range(3):
                await world.commit({1: [((key, "n"), 1)]})
                await _pass(life)
            life.drop(20)
        await _pass(life)
        await life.forget()
        life.drop(21)
        await life.restart()
        await life.check()
        assert not life.hydrated

    run(work)


def test_the_place_of_one_becomes_the_one_in_common_when_a_replica_starts(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await begun_life(world, tmp_path)
        with _apart():
            for id_ in (20, 21, 22):
                await life.add(id_)
            for key in range(3):
                await world.commit({1: [((key, "n"), 1)]})
                await _pass(life)
            life.drop(20)
        await life.forget()
        await life.restart()
        await _pass(life)
        assert life.runners == 1
        await life.forget()
        life.drop(21)
        await life.restart()
        await life.check()
        assert not life.hydrated

    run(work)


def test_those_stay_that_were_opened_for_one_that_was_dropped_meanwhile(tmp_path: Path) -> None:
    async def work(world: World, instants: int) -> None:
        life = await begun_life(world, tmp_path / str(instants))
        with _apart():
            for id_ in (20, 10):
                await life.add(id_)
            for _ in range(instants):
                await asyncio.sleep(0)
            life.drop(20)
            await _pass(life)
            assert _runners(life) == 1
        await life.check()

    for instants in range(40):
        run(lambda world: work(world, instants))  # noqa: B023


def test_the_others_go_on_when_one_is_dropped_while_it_is_written(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await begun_life(world, tmp_path)
        for id_ in (20, 10, 11):
            await life.add(id_)
        await _pass(life)
        assert life.runners == 1
        append = ShardWriter.append

        async def dropped(
            self: ShardWriter, updates: Sequence[pa.Table | Part], upper: Antichain, *, others: int
        ) -> None:
            if self.export.id == GlobalId.user(10) and 10 in life.numbers:
                await world.storage.load([self.export.id])
                await world.storage.commit([world.storage.prepare_drop(self.export.id)])
                life.drop(10)
            await append(self, updates, upper, others=others)

        with patch.object(ShardWriter, "append", dropped):
            time = await world.commit({1: [((7, "g"), 1)]})
            life.replica.hurry(Timestamp(time))
            await world.clock.sleep(5.0)
        assert 10 not in life.numbers
        await life.check()

    run(work)


def test_each_tells_with_whom_it_shares_and_that_it_does_no_more(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await begun_life(world, tmp_path)

        async def told() -> dict[int, tuple[GlobalId, ...]]:
            """What each has said last."""
            await world.clock.sleep(5.0)
            reports = [event.report for event in life.replica.heard if isinstance(event, Reported)]
            said = {each.id: each.exports for each in reports if isinstance(each, DataflowMeasures)}
            return {id_: said[GlobalId.user(id_)] for id_ in life.numbers}

        with _apart():
            for id_ in (10, 20, 21):
                await life.add(id_)
            await life.settled()
            assert await told() == {id_: (GlobalId.user(id_),) for id_ in (10, 20, 21)}
        await _pass(life)
        assert life.runners == 1
        assert await told() == dict.fromkeys((10, 20, 21), tuple(map(GlobalId.user, (10, 20, 21))))
        for id_ in (10, 20):
            life.drop(id_)
        assert await told() == {21: (GlobalId.user(21),)}

    run(work)
