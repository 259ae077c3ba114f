"""The law of maintenance: at every time a dataflow's output, added up, is the relation over its inputs' contents then.

And it has an error exactly when evaluating the relation fails. Random histories, random batching, every kind of step.
"""

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
from tests.compute.maintain.relations import RELATIONS, TABLES

_TIMES = 9


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[Profile, SparkSession]:
    return profile_sessions(spark)


@pytest.mark.spark
@pytest.mark.parametrize("name", RELATIONS)
def test_maintained_is_recomputed(name: str, sessions: dict[Profile, SparkSession], tmp_path: Path) -> None:
    relation = optimize(RELATIONS[name])
    seed = sum(map(ord, name))
    dice = random.Random(seed)
    history = random_history(dice, TABLES, _TIMES)
    view = GlobalId.user(9)
    plan = plan_maintenance(((view, relation),), (view,))
    cuts = random_cuts(dice, _TIMES)
    course = course_of(plan, history, sessions, tmp_path, cuts)
    wrong = differences(view, relation, history, course, range(cuts[0], _TIMES))
    assert not wrong, f"seed {seed}, cuts {cuts}: " + "\n".join(wrong)
