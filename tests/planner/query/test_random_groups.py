"""Random grouping sets, ordered-set aggregates and ties: the interpreter has PostgreSQL's rows, or its SQLSTATE."""

from __future__ import annotations

import random

import pytest

from tests.planner.query.judged_queries import Judge, differences, random_table
from tests.planner.small_catalog import SmallCatalog

QUERIES = 150
KEYS = ("v", "x", "v % 2", "x > 1", "(v, x)")
AGGREGATES = (
    "count(*)",
    "count(distinct f)",
    "sum(v)",
    "max(f) filter (where x > 1)",
    "array_agg(id order by id desc)",
    "bool_and(x > 0)",
    "percentile_cont(0.3) within group (order by f)",
    "percentile_disc(0.5) within group (order by x desc)",
    "percentile_disc(array[0, 0.25, 1]) within group (order by v)",
    "percentile_cont(1.5) within group (order by v)",
    "mode() within group (order by v)",
    "rank(2) within group (order by x)",
    "rank(2, 1) within group (order by x desc, v nulls first)",
    "dense_rank(1) within group (order by v)",
    "dense_rank(3, null) within group (order by v, x desc)",
    "percent_rank(3) within group (order by f desc nulls last) filter (where v is not null)",
    "cume_dist(1, 2) within group (order by v, x)",
)
SHOWN = {"v": "v", "x": "x", "v % 2": "v % 2", "x > 1": "x > 1", "(v, x)": "v"}


def grouping(dice: random.Random, keys: list[str]) -> str:
    """A GROUP BY clause in which each of the keys is."""
    match dice.randrange(5):
        case 0:
            return f"rollup ({', '.join(keys)})"
        case 1:
            return f"cube ({', '.join(keys)})"
        case 2:
            sets = ", ".join(f"({', '.join(dice.sample(keys, dice.randint(1, len(keys))))})" for _ in range(2))
            return f"grouping sets (({', '.join(keys)}), {sets}, ())"
        case 3:
            return f"{'distinct ' * dice.randrange(2)}rollup ({keys[0]}), cube ({', '.join(keys)})"
        case _:
            return ", ".join(keys)


def groups(dice: random.Random) -> str:
    keys = dice.sample(KEYS, dice.randint(1, 3))
    shown = [SHOWN[key] for key in keys]
    values = dice.sample(AGGREGATES, 2)
    having = dice.choice(("", "", " having count(*) > 1", f" having grouping({shown[0]}) = 0"))
    listed = ", ".join([*shown, *values, f"grouping({', '.join(shown)})"])
    return f"select {listed} from g group by {grouping(dice, keys)}{having}"


def ties(dice: random.Random) -> str:
    """Which of several tied rows an offset skips is not said: nothing is shown but what they tie on."""
    keys = dice.sample(("v", "x", "f", "v > 1"), dice.randint(1, 2))
    order = ", ".join(f"{key} {dice.choice(('asc', 'desc', 'nulls first', 'desc nulls last'))}" for key in keys)
    offset = dice.choice(("", "", f" offset {dice.randrange(5)}"))
    shown = ", ".join(keys)
    return f"select {shown} from g order by {order}{offset} fetch first {dice.randrange(-1, 8)} rows with ties"


@pytest.fixture(scope="module")
def catalog(postgres: Judge) -> SmallCatalog:
    return random_table(postgres, "g", 9)


def test_random_groups_and_ties_are_postgresqls(postgres: Judge, catalog: SmallCatalog) -> None:
    dice = random.Random(5)
    queries = (dice.choice((groups, groups, ties))(dice) for _ in range(QUERIES))
    found = differences(postgres, catalog, queries)
    assert not found, found


def test_random_sets_that_are_grouped_together_have_postgresqls_rows(
    postgres: Judge, catalog: SmallCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.query.group_by.SETS_APART_MAX", 1)
    dice = random.Random(6)
    found = differences(postgres, catalog, (groups(dice) for _ in range(QUERIES)))
    assert not found, found
