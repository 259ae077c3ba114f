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
from planner.ir.relation import Relation
from planner.rules.pipeline import optimize_maintained
from tests.compute.maintain.histories import Pools, course_of, differences, random_cuts, random_history
from tests.compute.maintain.kept_contents import having_all
from tests.compute.maintain.planning.test_golden_maintenance import GOLDEN, TABLES, relation_of
from tests.planner.small_catalog import SmallCatalog

_TIMES = 7
_VIEW = GlobalId.user(9)
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
_BATCH = 12


def _relation(catalog: SmallCatalog, sql: str) -> Relation:
    return settled(optimize_maintained(relation_of(catalog, sql)))


def _catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    for statement in TABLES:
        catalog.run(statement)
    return catalog


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Gives a test the numbers of its batches: three hold the views that every run maintains."""
    batches = -(-len(_VIEWS) // _BATCH) if metafunc.config.getoption("--whole") else 3
    metafunc.parametrize(
        ("number", "batches"), [(number, batches) for number in range(batches)], ids=map(str, range(batches))
    )


@pytest.fixture(scope="module")
def views(whole: bool) -> list[str]:
    """Views whose plans together have all that any plan has; with `--whole` all of them."""
    catalog = _catalog()
    plans = {sql: plan_maintenance(((_VIEW, _relation(catalog, sql)),), (_VIEW,)) for sql in _VIEWS}
    return _VIEWS if whole else having_all(plans)


@pytest.mark.spark
@pytest.mark.slow
def test_recorded_views_are_maintained(
    number: int, batches: int, views: list[str], spark: SparkSession, tmp_path: Path
) -> None:
    catalog, views = _catalog(), views[number::batches]
    dice = random.Random(number)
    tables = {item.id: (item.desc, _POOLS[item.name.name]) for item in catalog.items if item.desc is not None}
    history = random_history(dice, tables, _TIMES)
    relations = {GlobalId.user(100 + at): _relation(catalog, sql) for at, sql in enumerate(views)}
    plan = plan_maintenance(tuple(relations.items()), tuple(relations))
    cuts = random_cuts(dice, _TIMES)
    course = course_of(plan, history, profile_sessions(spark), tmp_path, cuts)
    wrong = [
        f"{sql}\n  {difference}"
        for sql, (id_, relation) in zip(views, relations.items(), strict=True)
        for difference in differences(id_, relation, history, course, range(cuts[0], _TIMES))
    ]
    assert not wrong, f"seed {number}, cuts {cuts}:\n" + "\n".join(wrong)
