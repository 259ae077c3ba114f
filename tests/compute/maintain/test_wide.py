"""The law of maintenance where a dataflow is hydrated by tasks, however they fare: nobody sees a difference."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import Queries
from compute.maintain.wide import WideSteps
from compute.spark.session import Profile, profile_sessions
from model.ids.global_id import GlobalId
from planner.rules.pipeline import optimize
from tests.compute.executors.pools import FATES, Threads
from tests.compute.maintain.histories import course_of, differences, random_cuts, random_history
from tests.compute.maintain.planning.views import Views
from tests.compute.maintain.relations import RELATIONS, TABLES
from tests.compute.maintain.test_random_views import _TABLES

_TIMES = 7
_VIEW = GlobalId.user(9)


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[Profile, SparkSession]:
    return profile_sessions(spark)


class _Coin:
    """Some steps are wide, by a coin; the pool is remembered."""

    def __init__(self, dice: random.Random, fate: str = "once", partitions: int = 0) -> None:
        self.partitions = partitions or dice.choice((2, 7))
        self.rows_min = dice.choice((0, 0, 5))
        self.fate = fate
        self.pools: list[Threads] = []

    def __call__(self, queries: Queries) -> WideSteps:
        self.pools.append(Threads(queries, FATES[self.fate]))
        return WideSteps(self.pools[-1], self.partitions, self.rows_min)

    @property
    def jobs(self) -> int:
        return sum(len(pool.tasks) for pool in self.pools)


@pytest.mark.spark
@pytest.mark.parametrize("name", RELATIONS)
def test_maintained_is_recomputed(name: str, sessions: dict[Profile, SparkSession], tmp_path: Path) -> None:
    relation = optimize(RELATIONS[name])
    dice = random.Random(sum(map(ord, name)))
    history = random_history(dice, TABLES, _TIMES)
    plan = plan_maintenance(((_VIEW, relation),), (_VIEW,))
    cuts = random_cuts(dice, _TIMES)
    coin = _Coin(dice, dice.choice(list(FATES)))
    course = course_of(plan, history, sessions, tmp_path, cuts, coin)
    wrong = differences(_VIEW, relation, history, course, range(cuts[0], _TIMES))
    assert not wrong, f"cuts {cuts}, {coin.partitions} partitions, {coin.fate}: " + "\n".join(wrong)


@pytest.mark.spark
@pytest.mark.parametrize("seed", range(12))
def test_random_views_are_maintained(seed: int, sessions: dict[Profile, SparkSession], tmp_path: Path) -> None:
    dice = random.Random(seed)
    relation = optimize(Views(dice).relation(3))
    history = random_history(dice, _TABLES, _TIMES)
    plan = plan_maintenance(((_VIEW, relation),), (_VIEW,))
    cuts = random_cuts(dice, _TIMES)
    coin = _Coin(dice, dice.choice(list(FATES)))
    course = course_of(plan, history, sessions, tmp_path, cuts, coin)
    wrong = differences(_VIEW, relation, history, course, range(cuts[0], _TIMES))
    assert not wrong, f"seed {seed}, cuts {cuts}, {coin.partitions} partitions, {coin.fate}: " + "\n".join(wrong)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_tasks_of_executors_hydrate_as_well(tmp_path: Path) -> None:
    names = ["group by key", "inner join", "full join", "distinct", "group failing"]
    command = [sys.executable, "-m", "tests.compute.maintain.wide_on_executors", str(tmp_path), *names]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    assert len(told) == 1, "\n".join(told)
    assert int(told[0]) >= 3 * (len(names) - 1), "steps were wide"
