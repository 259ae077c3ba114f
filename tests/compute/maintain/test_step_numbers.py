"""What steps keep stays in the state: it is as recorded under their numbers."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from compute.maintain import plan, step_numbers
from compute.spark.session import profile_sessions
from planner.ir import relation, scalar
from tests.compute.maintain.kept_contents import RECORD, differences, kept_of, recorded, views, write_record


@pytest.mark.spark
@pytest.mark.slow
def test_steps_keep_what_was_recorded_under_their_numbers(spark: SparkSession, tmp_path: Path) -> None:
    sessions = profile_sessions(spark)
    now = {view: kept_of(view, sessions, tmp_path / str(at)) for at, view in enumerate(views())}
    before = recorded()
    told = differences(before, now)
    assert not told, "\n".join(f"{view}: {each}" for view, each in told.items())
    if "HEADWATER_RECORD" in os.environ:
        write_record(now)
    assert recorded() == now, f"record {RECORD.name} anew: HEADWATER_RECORD=1"


def test_other_contents_are_told_until_a_number_is_raised() -> None:
    before = recorded()
    one = before["top"]
    other = dataclasses.replace(one, contents="another")
    assert list(differences(before, before | {"top": other})) == ["top"]
    for raised in (dataclasses.replace(other, numbers="TopK=2"), dataclasses.replace(other, plan="another")):
        assert not differences(before, before | {"top": raised})


def test_raised_numbers_are_of_steps_and_nodes_that_there_are() -> None:
    there = {name for module in (plan, relation, scalar) for name in vars(module)}
    assert step_numbers.RAISED.keys() <= there
    assert all(number > 1 for number in step_numbers.RAISED.values())
