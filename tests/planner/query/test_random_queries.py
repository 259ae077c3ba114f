"""Random queries of every operator over random rows: the interpreter has PostgreSQL's rows, or its SQLSTATE.

`--random-queries N` draws N of them.
"""

from __future__ import annotations

import random

import pytest

from tests.planner.query.judged_queries import Judge, differences
from tests.planner.small_catalog import SmallCatalog
from tests.random_queries import TABLES, Queries, insertions

_ROWS = 14
_DEPTH = 6


def _filled(postgres: Judge, dice: random.Random) -> SmallCatalog:
    """The tables, here and as temporary ones of the judge, with the same rows."""
    catalog = SmallCatalog()
    for table in TABLES:
        catalog.run(table)
        postgres.execute(table.replace("CREATE TABLE", "CREATE TEMP TABLE").encode())
    for statement in insertions(dice, _ROWS):
        catalog.run(statement)
        postgres.execute(statement.encode())
    return catalog


@pytest.mark.time_by("--random-queries", 1)
def test_random_queries_are_postgresqls(request: pytest.FixtureRequest, postgres: Judge) -> None:
    drawn = range(int(request.config.getoption("--random-queries")))
    catalog = _filled(postgres, random.Random(3))
    try:
        found = differences(
            postgres, catalog, (Queries(random.Random(seed)).relation(1 + seed % _DEPTH).sql for seed in drawn)
        )
    finally:
        postgres.execute("DROP TABLE l, r")
    assert not found, found
