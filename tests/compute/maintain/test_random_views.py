"""The law of maintenance on views drawn at random: every step over every other."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from compute.maintain.planning.maintained import plan_maintenance
from compute.spark.session import Profile, profile_sessions
from model.ids.global_id import GlobalId
from planner.rules.pipeline import optimize
from tests.compute.maintain.histories import course_of, differences, random_cuts, random_history
from tests.compute.maintain.planning.views import Views
from tests.planner.rules.plans import PAIR
from tests.planner.rules.plans import TABLES as GETS

_TIMES = 7
_VALUES = (0, 1, 2)
_TABLES = {get.id: (PAIR, (_VALUES, _VALUES)) for get in GETS}


@pytest.mark.in_part(6)
@pytest.mark.spark
@pytest.mark.parametrize("seed", range(12))
def test_random_views_are_maintained(seed: int, spark: SparkSession, tmp_path: Path) -> None:
    dice = random.Random(seed)
    relation = optimize(Views(dice).relation(3))
    history = random_history(dice, _TABLES, _TIMES)
    view = GlobalId.user(9)
    plan = plan_maintenance(((view, relation),), (view,))
    cuts = random_cuts(dice, _TIMES)
    course = course_of(plan, history, _sessions(spark), tmp_path, cuts)
    wrong = differences(view, relation, history, course, range(cuts[0], _TIMES))
    assert not wrong, f"seed {seed}, cuts {cuts}: " + "\n".join(wrong)


def _sessions(spark: SparkSession) -> dict[Profile, SparkSession]:
    return profile_sessions(spark)
