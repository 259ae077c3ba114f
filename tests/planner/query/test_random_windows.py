"""Random window calls over random rows: the interpreter has PostgreSQL's rows, or its SQLSTATE."""

from __future__ import annotations

import random

from tests.planner.query.judged_queries import Judge, differences, random_table

QUERIES = 150
RANKS = ("rank()", "dense_rank()", "percent_rank()", "cume_dist()")
PLACES = (
    *RANKS,
    "row_number()",
    "ntile(3)",
    "ntile(x)",
    "lag(v)",
    "lead(v, 2, -1)",
    "lag(v, x)",
    "first_value(v)",
    "last_value(v)",
    "nth_value(v, 2)",
    "nth_value(v, x)",
)
SUMS = ("sum(v)", "count(*)", "count(v) filter (where x > 1)", "min(v)", "max(x)", "sum(f)", "avg(f)", "bool_or(v > 2)")
EXCLUSIONS = ("", "", " exclude current row", " exclude group", " exclude ties", " exclude no others")
BOUNDS = ("unbounded preceding", "{} preceding", "current row", "{} following", "unbounded following")


def bounds(dice: random.Random, offset: str) -> str:
    first = dice.randrange(4)
    start, end = BOUNDS[first], BOUNDS[dice.randrange(max(first, 1), 5)]
    text = start if first < 3 and dice.random() < 0.2 else f"between {start} and {end}"
    return text.replace("{}", offset) + dice.choice(EXCLUSIONS)


def query(dice: random.Random) -> str:
    """Peers may tie where the call does not tell them apart; the others are in the order of the key `id`."""
    mode = dice.choice(("", "rows", "range", "groups"))
    key = dice.choice(("x", "f", "x desc", "x nulls first", "f desc nulls last"))
    tied = mode in ("range", "groups") and dice.random() < 0.7
    order = key if tied else f"{key}, id" if mode != "range" else dice.choice(("id", "id desc"))
    call = dice.choice(SUMS if tied else (*PLACES, *SUMS))
    offset = dice.choice(("0", "1", "2")) if mode != "range" or "f" not in order else dice.choice(("0.5", "1"))
    frame = f" {mode} {bounds(dice, offset)}" if mode else ""
    partition = dice.choice(("", "partition by v ", "partition by v > 2, x ", "partition by x % 2 "))
    return f"select id, {call} over ({partition}order by {order}{frame}) from w order by id"


def test_random_windows_are_postgresqls(postgres: Judge) -> None:
    dice = random.Random(11)
    found = differences(postgres, random_table(postgres, "w", 7), (query(dice) for _ in range(QUERIES)))
    assert not found, found
