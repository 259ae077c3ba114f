"""Conditions on mz_now() whose bounds lie anywhere, also beyond all times or where there is no bigint: at every time a
maintained view is its query then, rows and errors alike. `--random-views N` draws N views."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from compute.maintain.planning.maintained import plan_maintenance
from compute.spark.session import profile_sessions
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4, INT8, MZ_TIMESTAMP
from model.updates.update import Update
from planner.ir.relation import Filter, Get
from planner.ir.scalar import Call, Column, Literal, Scalar, SessionName, SessionValue
from planner.rules.pipeline import optimize
from tests.compute.maintain.histories import History, course_of, differences

TABLE = GlobalId.user(1)
DESC = relation_desc(("id", INT4), ("m", INT8), ("n", INT8))
NOW = SessionValue(SessionName.MZ_NOW)
LAST = 2**63 - 1
ENDS = (None, -LAST - 1, -LAST, -3, -1, 0, LAST - 4, LAST - 1, LAST, LAST)
TIMES = 14
CUTS = [0, 2, 3, 6, 7, 11, TIMES]


def drawn(dice: random.Random) -> History:
    """Few rows at once, so that one that fails hides few others."""
    updates = []
    for time in range(TIMES):
        for place in range(dice.choice((0, 1, 1, 2))):
            ends = [dice.choice(ENDS) if dice.random() < 0.6 else dice.randrange(TIMES) for _ in range(2)]
            row: Row = (2 * time + place, *ends)
            updates.append(Update(row, Timestamp(time), 1))
            gone = time + dice.choice((0, 1, 2, 5))
            if gone < TIMES:
                updates.append(Update(row, Timestamp(gone), -1))
    return History({TABLE: DESC}, {TABLE: sorted(updates, key=lambda update: update.time)})


def _bound(dice: random.Random) -> Scalar:
    number: Scalar = Column(dice.choice((1, 2)), INT8)
    if dice.random() < 0.6:
        word, by = dice.choice(("add", "subtract", "multiply")), Literal(dice.choice((1, 2, 3, 7)), INT8)
        number = Call(f"{word}_int8_int8", (number, by), INT8)
    return Call("cast_int8_mz_timestamp", (number,), MZ_TIMESTAMP)


def _condition(dice: random.Random) -> Scalar:
    sides = (NOW, _bound(dice)) if dice.random() < 0.7 else (_bound(dice), NOW)
    word = dice.choice(("lt", "le", "ge", "gt", "ge", "lt", "eq"))
    compared = Call(f"{word}_mz_timestamp_mz_timestamp", sides, BOOL)
    return Call("not_bool", (compared,), BOOL) if word != "eq" and dice.random() < 0.2 else compared


def view(dice: random.Random) -> Filter:
    return Filter(Get(TABLE, DESC), tuple(_condition(dice) for _ in range(dice.choice((1, 2, 2, 3)))))


@pytest.mark.spark
def test_temporal_filters_keep_to_their_queries_whatever_their_bounds(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path: Path
) -> None:
    dice = random.Random(3)
    views = [(GlobalId.user(100 + i), view(dice)) for i in range(int(request.config.getoption("--random-views")))]
    plan = plan_maintenance(tuple((id_, optimize(each)) for id_, each in views), tuple(id_ for id_, _ in views))
    history = drawn(dice)
    course = course_of(plan, history, profile_sessions(spark), tmp_path, CUTS)
    wrong = []
    for id_, each in views:
        found = differences(id_, each, history, course, range(TIMES))
        wrong += [f"{each.predicates}\n  " + "\n  ".join(found)] if found else []
    assert not wrong, f"{len(wrong)} of {len(views)} views differ\n" + "\n".join(wrong[:4])
