"""What is judged small is small; what may be large never is, however short its text."""

from __future__ import annotations

import pytest

from planner.interpret.effort import gathers_many, is_small
from planner.interpret.parameters import bind_query
from planner.ir.query import Query
from planner.rules.pipeline import optimize
from tests.planner.empty_catalog import plan_select


def _query(sql: str) -> Query:
    return bind_query(plan_select(sql), (), {})


def _doubled(times: int) -> str:
    sql = "SELECT now()::text"
    for _ in range(times):
        sql = f"SELECT x || x FROM ({sql}) t(x)"
    return sql


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "SELECT 'a' || 'b', now(), upper('x'), 1 + 2 * 3",
        "SELECT * FROM generate_series(1, 100) ORDER BY 1 DESC LIMIT 3",
        "SELECT count(*), string_agg(x, ',') FROM (VALUES ('a'), ('b')) v(x)",
        "SELECT x, (SELECT max(y) FROM (VALUES (1), (2)) u(y) WHERE y <= x) FROM (VALUES (1), (2)) v(x)",
        "SELECT * FROM unnest(ARRAY[1, 2, 3]) WITH ORDINALITY",
        'SELECT key, value FROM jsonb_each(\'{"a": 1, "b": [2]}\')',
        "SELECT row_number() OVER (ORDER BY x) FROM generate_series(1, 20) g(x)",
        "SELECT " + " + ".join(["now()::text::int"] * 60),
    ],
)
def test_everyday_constants_are_small(sql: str) -> None:
    assert is_small(_query(sql))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM generate_series(1, 1000000)",
        "SELECT * FROM generate_series(1, 1000000000000) LIMIT 1",
        "SELECT * FROM generate_series(1, current_setting('x')::int)",
        "SELECT count(*) FROM generate_series(1, 300) a, generate_series(1, 300) b",
        "SELECT (SELECT count(*) FROM generate_series(1, 300) b WHERE b > a) FROM generate_series(1, 300) a",
        "SELECT count(*) FROM generate_series(1, 300) a, LATERAL generate_series(1, 300) b",
        "SELECT sum(a) OVER (ORDER BY a) FROM generate_series(1, 500) a",
        "SELECT repeat('x', 1000000000)",
        "SELECT format('%1000000000s', 'x')",
        "SELECT 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa!' ~ '(a+)+$'",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT * FROM r LIMIT 3",
        # Twice as long at every step.
        _doubled(12),
    ],
)
def test_what_may_take_long_is_not(sql: str) -> None:
    assert not is_small(_query(sql))


@pytest.mark.parametrize(
    ("sql", "gathers"),
    [
        ("SELECT count(*) FROM generate_series(1, 100000000)", True),
        ("SELECT sum(a * b) FROM generate_series(1, 1000) a, generate_series(1, 1000) b", True),
        ("SELECT count(*) FROM generate_series(1, 100)", False),
        ("SELECT * FROM generate_series(1, 100000000)", False),
        ("SELECT count(pg_sleep(0)) FROM generate_series(1, 100000000)", False),
        ("SELECT count(current_setting('x')) FROM generate_series(1, 100000000)", False),
        ("SELECT count(random()) FROM generate_series(1, 100000000)", False),
    ],
)
def test_many_rows_are_gathered_by_the_pipeline_where_it_can(sql: str, gathers: bool) -> None:
    assert gathers_many(optimize(plan_select(sql).relation)) is gathers
