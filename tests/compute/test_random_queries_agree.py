"""Random queries of every operator, from their text: Spark's rows are the interpreter's.

Each costs Spark more than the interpreter: of `--random-queries N` a sixteenth is drawn here.
"""

from __future__ import annotations

import random

import pytest
from pyspark.sql import SparkSession

from tests.compute.test_sql_agrees import by_interpreter, by_spark, outcome, planned
from tests.planner.small_catalog import SmallCatalog
from tests.random_queries import TABLES, Queries, insertions

_SHARE = 16
_ROWS = 14
_DEPTH = 4


def _filled(dice: random.Random) -> SmallCatalog:
    catalog = SmallCatalog()
    for statement in (*TABLES, *insertions(dice, _ROWS)):
        catalog.run(statement)
    return catalog


@pytest.mark.spark
@pytest.mark.time_by("--random-queries", 1)
def test_random_queries_agree_with_the_interpreter(request: pytest.FixtureRequest, spark: SparkSession) -> None:
    catalog = _filled(random.Random(4))
    wrong = []
    for seed in range(int(request.config.getoption("--random-queries")) // _SHARE):
        sql = Queries(random.Random(seed)).relation(1 + seed % _DEPTH).sql
        query = planned(catalog, sql)
        wanted, ours = outcome(query, by_interpreter(catalog, query)), outcome(query, by_spark(catalog, query, spark))
        if wanted != ours:
            wrong.append(f"{seed}: {sql}: Spark {ours!s:.300}, interpreter {wanted!s:.300}")
    assert not wrong, "\n".join(wrong)
