"""The law of maintenance: at every time a dataflow's output, added up, is the relation over its inputs' contents then.

And it has an error exactly when evaluating the relation fails. Random histories, random batching, every kind of step,
which is narrow at first; then in the same dataflow, begun anew, tasks work on some steps, and have any fate.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from compute.arrangement.checkpoint import local_store
from compute.maintain.dataflow import Dataflow
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.queries import Queries
from compute.maintain.wide import WideBounds, WideSteps
from compute.spark.session import Profile, profile_sessions
from model.ids.global_id import GlobalId
from planner.rules.pipeline import optimize
from tests.compute.executors.pools import FATES
from tests.compute.maintain.coins import Coin
from tests.compute.maintain.histories import course_in, differences, random_cuts, random_history
from tests.compute.maintain.kept_contents import planned, used_by
from tests.compute.maintain.relations import RELATIONS, TABLES
from tests.plan_features import covering, operators_shown_by

_TIMES = 9
_NEVER = WideBounds(1 << 60, -1)


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[Profile, SparkSession]:
    return profile_sessions(spark)


@dataclass(frozen=True, slots=True)
class _NarrowFirst(WideSteps):
    """Where wide steps run once a course has ended; before the first end of a course, nowhere."""

    ended: list[str] = field(default_factory=list)

    def least(self, *, starts: bool) -> WideBounds:
        return WideSteps.least(self, starts=starts) if self.ended else _NEVER


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every run tries relations that have together all steps, and all operators above each other; `--whole` all."""
    used = {name: operators_shown_by(relation) | used_by(planned(name)) for name, relation in RELATIONS.items()}
    metafunc.parametrize("name", RELATIONS if metafunc.config.getoption("--whole") else covering(used))


@pytest.mark.spark
def test_maintained_is_recomputed(name: str, sessions: dict[Profile, SparkSession], tmp_path: Path) -> None:
    relation = optimize(RELATIONS[name])
    seed = sum(map(ord, name))
    dice = random.Random(seed)
    coin = Coin(dice, dice.choice(list(FATES)))
    ended: list[str] = []

    def narrow_first(queries: Queries) -> WideSteps:
        steps = coin(queries)
        bounds = (steps.first, steps.later, steps.merges, steps.exports)
        return _NarrowFirst(steps.pool, steps.partitions, *bounds, ended)

    view = GlobalId.user(9)
    plan = plan_maintenance(((view, relation),), (view,))
    dataflow = Dataflow(plan, {id_: desc for id_, (desc, _) in TABLES.items()}, sessions, tmp_path, narrow_first)
    for way in ("narrow", "wide"):
        history = random_history(dice, TABLES, _TIMES)
        cuts = random_cuts(dice, _TIMES)
        course = course_in(dataflow, plan, history, local_store(tmp_path / way), cuts)
        assert ended or not coin.jobs
        wrong = differences(view, relation, history, course, range(cuts[0], _TIMES))
        assert not wrong, f"seed {seed}, cuts {cuts}, {way}, {coin}: " + "\n".join(wrong)
        ended.append(way)
    dataflow.close()
