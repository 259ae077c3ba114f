"""Dataflows that compute the same are one, and answer as if each were by itself, whoever comes, goes or dies."""

from __future__ import annotations

import contextlib
import dataclasses
import random
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from compute.protocol.response import DataflowPhase
from compute.replica.dataflows.kept import KeptState
from compute.replica.dataflows.maintained import Kept
from compute.replica.dataflows.opening import OpenedDataflow
from compute.replica.dataflows.runner import DataflowRunner
from compute.replica.dataflows.sharing import Sharers
from compute.replica.dataflows.shelf import computed_name, is_shared
from compute.replica.dataflows.states import LocalStates
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.scalar_type import INT4
from planner.ir.relation import Get, Map, Project, Relation
from planner.ir.scalar import Call, Column, Literal
from tests.compute.dataflows.mortal import Steps
from tests.compute.dataflows.shared_lives import INDEXES, SAME, SHARDS, TABLE, Life, begun_life, mortal_replica
from tests.compute.dataflows.world import BEGIN, DESC, Replica, World, describe, index_on
from tests.compute.dataflows.worlds import run


async def _changed(world: World, dice: random.Random) -> None:
    held = list(world.rows_at(1, world.now).elements())
    rows: Counter[Row] = Counter()
    rows.update((dice.randrange(4), dice.choice("xyz")) for _ in range(dice.randrange(3)))
    rows.subtract(dice.sample(held, min(len(held), dice.randrange(3))))
    changes = [(row, diff) for row, diff in rows.items() if diff]
    await world.commit({1: changes} if changes else {}, after_ms=dice.randrange(1, 3))


async def _history(world: World, root: Path, seed: int, steps: int = 40) -> int:
    """Anything in any order; how often all were one dataflow."""
    dice = random.Random(seed)
    life = await begun_life(world, root)
    together = 0
    for _ in range(steps):
        match dice.randrange(9):
            case 0 | 1:
                absent = [id_ for id_ in (*SHARDS, *INDEXES) if id_ not in life.begun and id_ not in life.since]
                if absent:
                    await life.add(dice.choice(absent))
            case 2 if len(life.numbers) > 2:
                life.drop(dice.choice(list(life.numbers)))
            case 3 if dice.random() < 0.5:
                await life.restart()
            case 4:
                indexes = [id_ for id_ in life.numbers if id_ in INDEXES]
                if indexes:
                    life.compact(dice.choice(indexes), dice.randrange(BEGIN, world.now))
                await life.forget()
            case 5:
                await world.clock.sleep(dice.choice([0.0, 0.5, 15.0]))
            case 6:
                await life.settled()
                together += len(life.numbers) > 1 and life.runners == 1
            case _:
                await _changed(world, dice)
                life.replica.hint()
    await life.check()
    await life.replica.kill()
    return together


@pytest.mark.in_part(6)
@pytest.mark.parametrize("seed", range(12))
def test_what_is_shared_is_as_if_each_were_by_itself(tmp_path: Path, seed: int) -> None:
    run(lambda world: _history(world, tmp_path, seed))


def test_exports_do_come_to_be_of_one_dataflow(tmp_path: Path) -> None:
    assert sum(run(lambda world: _history(world, tmp_path / str(seed), seed)) for seed in range(12)) > 12  # noqa: B023


async def _all_begun(world: World, root: Path) -> Life:
    """Two shards and two indexes, of which one has all of its past and the other the last second's, are one dataflow,
    and are kept."""
    life = await begun_life(world, root)
    for id_ in (*SHARDS, 20, 21):
        await life.add(id_)
    for key in range(4):
        await world.commit({1: [((key, "n"), 1)]})
        await life.settled()
    life.compact(21, world.now - 2)
    await world.clock.sleep(60.0)
    await life.settled()
    assert life.runners == 1
    return life


async def _resumes(world: World, root: Path) -> None:
    life = await _all_begun(world, root)
    await life.forget()
    await life.restart()
    await life.check()
    assert life.runners == 1
    assert not life.hydrated
    since = life.replica.frontiers(21).since
    assert since is not None and since.time is not None
    assert since.time > BEGIN, "what was forgotten of one index is forgotten"
    (directory,) = (each for each in root.iterdir() if each.is_dir())
    assert "-" not in directory.name, "what each had by itself is deleted"


def test_a_replica_that_dies_resumes_one_dataflow(tmp_path: Path) -> None:
    run(lambda world: _resumes(world, tmp_path))


def test_each_that_is_dropped_leaves_the_others(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await _all_begun(world, tmp_path)
        for id_ in (10, 20, 11):
            life.drop(id_)
            with pytest.raises(SqlError, match="was dropped"):
                await life.replica.dataflows.index(GlobalId.user(id_))
            await world.commit({1: [((id_, "d"), 1)]})
            await life.check()
            assert life.runners == 1
        life.drop(21)
        await world.clock.sleep(1.0)
        assert list(tmp_path.iterdir()) == []

    run(work)


def test_the_shard_of_one_may_be_gone_before_it_is_told(tmp_path: Path) -> None:
    async def work(world: World) -> None:
        life = await _all_begun(world, tmp_path)
        await world.storage.load([GlobalId.user(10)])
        await world.storage.commit([world.storage.prepare_drop(GlobalId.user(10))])
        await world.commit({1: [((7, "g"), 1)]})
        await life.replica.caught_up(11, 20, 21)
        finished = [each for each in life.replica.statuses() if each.phase is DataflowPhase.FINISHED]
        assert {each.id for each in finished} == {GlobalId.user(10)}
        life.drop(10)
        await life.check()

    run(work)


def test_what_has_errors_stays_by_itself_until_they_heal() -> None:
    async def work(world: World) -> None:
        item = await world.table(1)
        quotient = Call("divide_int4_int4", (Literal(10, INT4), Column(0, INT4)), INT4)
        quotients: Relation = Project(Map(Get(TABLE, DESC), (quotient,), ("q",)), (2,))
        await world.commit({1: [((0, "a"), 1), ((2, "a"), 1)]})
        replica = Replica(world)
        for id_ in (20, 21):
            replica.start(describe([item], (id_ + 100, quotients), [index_on(id_, id_ + 100, Column(0, INT4))]))
        await replica.caught_up(20, 21)
        await world.clock.sleep(30.0)
        assert len(set(replica.dataflows._runners.values())) == 2
        healed = await world.commit({1: [((0, "a"), -1)]})
        await replica.caught_up(20, 21)
        assert len(set(replica.dataflows._runners.values())) == 1
        bad = await world.commit({1: [((0, "b"), 1)]})
        await replica.caught_up(20, 21)
        for id_ in (20, 21):
            index = await replica.dataflows.index(GlobalId.user(id_))
            told = [index.least_error(time) for time in (Timestamp(healed - 1), healed, bad)]
            assert told == ["22012 division by zero", None, "22012 division by zero"]

    run(work)


def test_what_is_computed_tells_who_shares() -> None:
    async def work(world: World) -> None:
        item, other = await world.table(1), await world.table(2)
        key = Column(0, INT4)
        shard = await world.view_shard(10, DESC)
        one = describe([item], (10, SAME), [shard])
        column = describe([item], (30, SAME), [index_on(20, 30, key)], 15)
        computed = Call("neg_int4", (key,), INT4)
        expression = describe([item], (30, SAME), [index_on(21, 30, computed)])
        same_expression = describe([item], (31, SAME), [index_on(22, 31, computed)])
        elsewhere: Relation = Project(Get(other.id, DESC), (0, 1))
        others = [expression, describe([item], (30, Get(item.id, DESC)), [index_on(20, 30, key)])]
        others += [describe([other], (30, elsewhere), [index_on(20, 30, key)])]
        others += [dataclasses.replace(column, until=Antichain.at(99))]
        others += [describe([item], (30, SAME), [index_on(20, 30, key), index_on(23, 30, key)])]
        assert computed_name(one) == computed_name(column)
        assert computed_name(expression) == computed_name(same_expression)
        assert len({computed_name(each) for each in (one, *others)}) == 1 + len(others)
        assert [is_shared(each) for each in (one, column, *others)] == [True, True, True, False, True, False, False]

    run(work)


async def _dies_at(world: World, root: Path, step: int) -> bool:
    """Whether a replica of two shards and two indexes dies that may take so many steps. The next one has it all."""
    life = await begun_life(world, root)
    steps = Steps(step)
    await life.replica.kill()
    life.replica = mortal_replica(world, root, steps)
    for id_ in (20, 10, 21, 11):
        await life.add(id_)
    for key in range(3):
        await world.commit({1: [((key, "s"), 1), ((key, "t"), 1)]})
        life.replica.hint()
        for _ in range(11):
            await world.clock.sleep(1.0)
            if steps.dead.is_set():
                break
            await life.forget()
    await life.restart()
    await world.commit({1: [((9, "z"), 1)]})
    await life.check()
    await world.clock.sleep(5.0)
    await world.commit({1: [((9, "z"), 1)]})
    await life.check()
    assert life.runners == 1
    await life.replica.kill()
    return steps.dead.is_set()


def _lives(root: Path) -> Iterator[bool]:
    died, step = True, 0
    while died:
        died = run(lambda world: _dies_at(world, root / str(step), step))  # noqa: B023
        yield died
        step += 1


def test_wherever_a_replica_dies_the_next_one_has_all_members(tmp_path: Path) -> None:
    assert sum(_lives(tmp_path)) > 50, "there are more steps than that"


def _planted(name: str) -> contextlib.AbstractContextManager[object]:
    """A defect that sharing could have."""
    match name:
        case "the since of the greater is taken for both":
            extent = OpenedDataflow.extent

            def greatest(self: OpenedDataflow, upper: Antichain) -> Kept | None:
                found = extent(self, upper)
                return (
                    None
                    if found is None
                    else (found[0], dict.fromkeys(found[1], max(found[1].values(), default=found[0])))
                )

            return patch.object(OpenedDataflow, "extent", greatest)
        case "the state is deleted when the first member is dropped":
            drop = KeptState.drop

            def deleted(self: KeptState, names: Iterable[str]) -> None:
                drop(self, names)
                assert isinstance(self._states, LocalStates)
                shutil.rmtree(self._states.root / self._place)

            return patch.object(KeptState, "drop", deleted)
        case "they become one wherever they are":

            def anywhere(self: Sharers[DataflowRunner], one: DataflowRunner) -> bool:
                if one not in self.members:
                    return False
                for other in [each for each in self.members if each is not one and each.joinable and each.resting]:
                    if one.joinable and one.shared and not other.shared:
                        one.take(other)
                        self.leave(other)
                        self._joined(one, other)
                return True

            return patch.object(Sharers, "meet", anywhere)
        case "what comes is not kept":
            return patch.object(KeptState, "take", lambda self, name, arrangement: arrangement)
        case _:
            raise AssertionError(name)


@pytest.mark.parametrize(
    "defect",
    [
        "the since of the greater is taken for both",
        "the state is deleted when the first member is dropped",
        "they become one wherever they are",
        "what comes is not kept",
    ],
)
def test_a_planted_defect_is_seen(tmp_path: Path, defect: str) -> None:
    with _planted(defect), pytest.raises((AssertionError, OSError, SqlError)):
        for seed in range(15):
            run(lambda world: _history(world, tmp_path / str(seed), seed))  # noqa: B023
        run(lambda world: _resumes(world, tmp_path / "resumes"))
