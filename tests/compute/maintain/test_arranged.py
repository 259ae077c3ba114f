"""Every arrangement of every plan is told of in words, by the step that EXPLAIN shows for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from compute.maintain.dataflow import Dataflow
from compute.maintain.description import arrangement_texts, describe
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.steps.parts import Texts
from compute.spark.session import Profile, profile_sessions
from model.ids.global_id import GlobalId
from planner.explain import explain, explain_scalar
from planner.rules.pipeline import optimize
from tests.compute.maintain.relations import RELATIONS, TABLES
from tests.plan_features import showing

pytestmark = pytest.mark.spark
_VIEW = GlobalId.user(9)
_TEXTS = Texts(lambda each: explain(each, str), explain_scalar)


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> dict[Profile, SparkSession]:
    return profile_sessions(spark)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every run tries relations that show together all that any shows; with `--whole` all are tried."""
    metafunc.parametrize("name", RELATIONS if metafunc.config.getoption("--whole") else showing(RELATIONS))


def test_what_is_arranged_is_what_explain_shows(
    name: str, sessions: dict[Profile, SparkSession], tmp_path: Path
) -> None:
    plan = plan_maintenance(((_VIEW, optimize(RELATIONS[name])),), (_VIEW,))
    lines = describe(plan, _TEXTS)
    dataflow = Dataflow(plan, {id_: desc for id_, (desc, _) in TABLES.items()}, sessions, tmp_path)
    told = arrangement_texts(plan, _TEXTS)
    for arrangement in dataflow.layouts:
        operator, key = told[arrangement]
        title = operator.removesuffix(" (rare values)").removesuffix(" (last answer)")
        assert any(line.startswith(f"With {title} [") for line in lines)
        if key:
            assert any(line.strip().startswith(f"Arranged by {key}") for line in lines)
    dataflow.close()
