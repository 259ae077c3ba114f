"""WITH RECURSIVE without an end: what PostgreSQL answers after some of its rows is answered here after some of them.

The recursion fails at its five hundredth row, so a query that asks for too many rows fails instead of never ending.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import psycopg
import pytest

from model.errors.sql_error import SqlError
from planner.interpret.context import EvaluationContext
from planner.interpret.streaming import stream_query
from planner.ir.query import Query
from planner.ir.relation import Relation
from planner.rules.pipeline import optimize
from tests.planner.empty_catalog import plan_select

_QUERIES = 150
_ENDLESS = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE 1 / (500 - n) IS NOT NULL)"


@dataclass(frozen=True, slots=True)
class _Drawn:
    """`definite`: the query leaves it to nobody which rows come first."""

    sql: str
    definite: bool


def _between(random: Random, below: str) -> tuple[str, bool]:
    """A query over `below`, whose column is n; whether it leaves it to nobody which come first."""
    number = random.randint(1, 6)
    return random.choice(
        [
            (f"SELECT n * {number} AS n FROM {below}", True),
            (f"SELECT n FROM {below} WHERE n % {number} = 0", True),
            (f"SELECT n FROM (SELECT n FROM {below} OFFSET {number}) AS x", True),
            (f"SELECT n FROM {below} LIMIT {10 * number}", True),
            (f"SELECT n FROM (SELECT n FROM {below} LIMIT {number}) AS x ORDER BY n DESC", False),
            (f"SELECT unnest(ARRAY[n, -n]) AS n FROM {below}", True),
            (f"SELECT g + n AS n FROM {below}, generate_series(1, {number}) AS g", False),
            (f"SELECT n FROM {below}, LATERAL generate_series(n, n + 1) AS g WHERE g % 3 <> 0", True),
            (f"SELECT n FROM generate_series(1, {number}) AS g JOIN {below} ON n = g", False),
            (f"SELECT n FROM {below} LEFT JOIN (VALUES (1, 'a'), (3, 'b')) AS v (i, s) ON n = i", True),
            (f"SELECT a.n FROM {below} AS a, {below} AS b", False),
            (f"SELECT a.n FROM {below} AS a JOIN {below} AS b ON a.n = b.n", False),
            (f"SELECT n FROM {below} AS a WHERE EXISTS (SELECT FROM {below} AS b WHERE b.n > {number})", True),
            (f"SELECT n FROM {below} AS a WHERE EXISTS (SELECT FROM {below} AS b WHERE b.n > a.n)", True),
            (f"SELECT n FROM {below} AS a WHERE NOT EXISTS (SELECT FROM {below} AS b WHERE b.n = a.n * 2)", True),
            (f"SELECT n FROM {below} WHERE n > (SELECT n FROM {below} LIMIT 1)", True),
            (f"SELECT n FROM {below} WHERE n < ANY (SELECT n FROM {below})", True),
            (f"SELECT n FROM {below} UNION ALL SELECT -n FROM {below}", True),
            (f"(SELECT n FROM {below} LIMIT {number}) UNION ALL SELECT -n FROM {below}", True),
            (f"SELECT n + row_number() OVER () AS n FROM {below}", True),
            (f"SELECT (SELECT m FROM (VALUES (n), (n + 1)) AS v (m) LIMIT 1) AS n FROM {below}", True),
            (f"SELECT n FROM {below} WHERE n IN (SELECT n FROM {below})", True),
            (f"SELECT DISTINCT n FROM {below}", False),
            (f"SELECT count(*) AS n FROM (SELECT n FROM {below} LIMIT {number}) AS x", True),
        ]
    )


def _draw(random: Random) -> _Drawn:
    tables, definite, below = "", True, "r"
    for number in range(random.randint(0, 3)):
        query, ordered = _between(random, below)
        below, definite = f"c{number}", definite and ordered
        tables += f", {below} (n) AS ({query})"
    count = random.randint(1, 8)
    last = random.choice(
        [
            f"SELECT n FROM {below} LIMIT {count}",
            f"SELECT n FROM {below} LIMIT {count} OFFSET {count}",
            f"SELECT n FROM (SELECT n FROM {below} LIMIT {count}) AS x ORDER BY n DESC",
            f"SELECT sum(n) FROM (SELECT n FROM {below} LIMIT {count}) AS x",
            f"SELECT EXISTS (SELECT FROM {below} WHERE n > {count})",
            f"SELECT EXISTS (SELECT DISTINCT n FROM {below} ORDER BY n)",
            f"SELECT g, EXISTS (SELECT FROM {below} WHERE n > g) FROM generate_series(1, {count}) AS g",
            f"SELECT (SELECT n FROM {below} LIMIT 1)",
            f"SELECT cardinality(ARRAY(SELECT n FROM {below} LIMIT {count}))",
            f"SELECT {count} < ANY (SELECT n FROM {below})",
            f"SELECT g, x.n FROM generate_series(1, 3) AS g, LATERAL (SELECT n FROM {below} WHERE n > g LIMIT 2) AS x",
        ]
    )
    return _Drawn(f"{_ENDLESS}{tables} {last}", definite)


def _answer(postgres: psycopg.Connection[tuple[object, ...]], sql: str) -> list[tuple[object, ...]] | None:
    """None where PostgreSQL asks for too many rows."""
    try:
        return postgres.execute(sql).fetchall()
    except psycopg.errors.DivisionByZero:
        return None


def _rows(query: Query) -> list[tuple[object, ...]]:
    context = EvaluationContext()
    return [tuple(list(v) if isinstance(v, tuple) else v for v in row) for row in stream_query(query, context)]


@pytest.mark.parametrize("rewrite", [optimize, lambda relation: relation], ids=["optimized", "planned"])
def test_what_ends_in_postgres_ends(
    postgres: psycopg.Connection[tuple[object, ...]], rewrite: Callable[[Relation], Relation]
) -> None:
    random = Random("endless recursions")
    ended = 0
    for _ in range(_QUERIES):
        drawn = _draw(random)
        expected = _answer(postgres, drawn.sql)
        if expected is None:
            continue
        ended += 1
        query = plan_select(drawn.sql)
        try:
            rows = _rows(replace(query, relation=rewrite(query.relation)))
        except SqlError as error:
            pytest.fail(f"{drawn.sql}: {error.message}")
        assert not drawn.definite or Counter(map(repr, rows)) == Counter(map(repr, expected)), drawn.sql
    assert ended > _QUERIES // 2
