"""The views whose plans are recorded, over random histories: keys of every kind, as Spark and kernels have them."""

from __future__ import annotations

import datetime
import random
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from compute.maintain.planning.determinism import settled
from compute.maintain.planning.maintained import plan_maintenance
from compute.spark.session import profile_sessions
from model.ids.global_id import GlobalId
from model.types.datum import Interval
from planner.rules.pipeline import optimize_maintained
from tests.compute.maintain.histories import Pools, course_of, differences, random_cuts, random_history
from tests.compute.maintain.planning.test_golden_maintenance import GOLDEN, TABLES, relation_of
from tests.planner.small_catalog import SmallCatalog

_TIMES = 7
_EPOCH = datetime.datetime.fromtimestamp(0, datetime.UTC)
_MOMENTS = tuple(_EPOCH + datetime.timedelta(milliseconds=number) for number in (0, 2, 3, 5))
_POOLS: dict[str, Pools] = {
    "orders": (
        (1, 2, 3, 4),
        (1, 2, 3),
        tuple(map(Decimal, ("9.50", "7.00", "1.25"))),
        _MOMENTS,
        (("a", "b"), (), ("a",), (None,)),
    ),
    "customers": ((1, 2, 3), ("Ann", "Bob", "x"), tuple(map(Decimal, ("9.5", "7", "0.123456789")))),
    "events": (
        (1, 2, 3),
        (Interval(1, 0, 0), Interval(0, 30, 0), Interval(0, 0, 5)),
        ('{"a": 1}', '{"a": 1.0}', "[]"),
        (0.0, -0.0, 1.5, float("nan")),
    ),
}
_VIEWS = [sql for sql, plan in GOLDEN.items() if not plan.startswith("0A000")]
_BATCHES = tuple(_VIEWS[at : at + 12] for at in range(0, len(_VIEWS), 12))


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(_BATCHES)))
def test_recorded_views_are_maintained(number: int, spark: SparkSession, tmp_path: Path) -> None:
    catalog = SmallCatalog()
    for statement in TABLES:
        catalog.run(statement)
    dice = random.Random(number)
    tables = {item.id: (item.desc, _POOLS[item.name.name]) for item in catalog.items if item.desc is not None}
    history = random_history(dice, tables, _TIMES)
    relations = {
        GlobalId.user(100 + at): settled(optimize_maintained(relation_of(catalog, sql)))
        for at, sql in enumerate(_BATCHES[number])
    }
    plan = plan_maintenance(tuple(relations.items()), tuple(relations))
    cuts = random_cuts(dice, _TIMES)
    course = course_of(plan, history, profile_sessions(spark), tmp_path, cuts)
    wrong = [
        f"{sql}\n  {difference}"
        for sql, (id_, relation) in zip(_BATCHES[number], relations.items(), strict=True)
        for difference in differences(id_, relation, history, course, range(cuts[0], _TIMES))
    ]
    assert not wrong, f"seed {number}, cuts {cuts}:\n" + "\n".join(wrong)
