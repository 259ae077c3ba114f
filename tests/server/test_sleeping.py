"""pg_sleep: a statement waits, others do not, and what ends a statement ends its sleep."""

from __future__ import annotations

import asyncio

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from tests.server.world import World, fails, simulated


@simulated
async def test_all_sleeps_of_a_statement_are_slept(world: World) -> None:
    client = world.client()
    for statement, seconds in (
        ("SELECT pg_sleep(20)", 20),
        ("SELECT pg_sleep(1), pg_sleep_for('2 seconds') FROM generate_series(1, 3)", 9),
        ("SELECT pg_sleep_until(clock_timestamp() + interval '5 s')", 5),
        ("SELECT pg_sleep(-1), pg_sleep('NaN'), pg_sleep(NULL), pg_sleep_until('1960-01-01')", 0),
        ("SELECT pg_sleep_until('-infinity'), pg_sleep_until('0044-03-15 BC')", 0),
        ("INSERT INTO t SELECT 1 FROM pg_sleep(3)", 3),
    ):
        before = world.clock.now_ms()
        await client.query(statement)
        assert abs(world.clock.now_ms() - before - seconds * 1000) < 500, statement
    assert await client.query("SELECT a FROM t") == [(1,)]


UNREAD_SLEEPS = (
    ("SELECT 1 FROM (SELECT pg_sleep(1)) q", 1),
    ("SELECT count(*) FROM (SELECT pg_sleep(1), a FROM two) q", 2),
    ("SELECT count(*) FROM (SELECT pg_sleep(1) FROM two UNION ALL SELECT pg_sleep(1)) q", 3),
    ("SELECT a FROM (SELECT a, count(pg_sleep(1)) FROM two GROUP BY a) q", 2),
    ("SELECT a FROM (SELECT a, count(*) FILTER (WHERE pg_sleep(1)::text = '') FROM two GROUP BY a) q", 2),
    ("SELECT a FROM two WHERE EXISTS (SELECT pg_sleep(1))", 0),
    ("SELECT a FROM (SELECT a, (SELECT pg_sleep(1)) FROM two) q", 1),
    ("SELECT two.a FROM two LEFT JOIN (SELECT a, pg_sleep(1) FROM two) q USING (a)", 2),
    ("WITH w AS (SELECT a, pg_sleep(1) FROM two) SELECT a FROM w", 2),
    ("SELECT a FROM (SELECT DISTINCT ON (a) a, pg_sleep(1) FROM two) q", 2),
    ("SELECT a FROM (SELECT a, CASE WHEN a = 1 THEN pg_sleep(1) END FROM two) q", 1),
)
"""Statements that read no value of a sleep, and how many seconds PostgreSQL 16 sleeps for them."""


@simulated
async def test_sleeps_whose_value_nobody_reads_are_slept_where_postgresql_sleeps_them(world: World) -> None:
    client = world.client()
    await client.query("CREATE VIEW two (a) AS VALUES (1), (2)")
    for statement, seconds in UNREAD_SLEEPS:
        before = world.clock.now_ms()
        await client.query(statement)
        assert abs(world.clock.now_ms() - before - seconds * 1000) < 500, statement


@simulated
async def test_others_are_answered_while_one_sleeps_and_may_wake_it(world: World) -> None:
    sleeper, other = world.client(), world.client()
    sleeping = asyncio.create_task(sleeper.query("SELECT pg_sleep(3600)"))
    await asyncio.sleep(1)
    assert await other.query("SELECT 1") == [(1,)]
    assert not sleeping.done()
    sleeper.session.cancel()
    with pytest.raises(SqlError) as cancelled:
        await sleeping
    assert cancelled.value.sqlstate is Sqlstate.QUERY_CANCELED


@simulated
async def test_a_statement_that_sleeps_too_long_is_ended(world: World) -> None:
    client = world.client()
    await client.query("SET statement_timeout = '2s'")
    before = world.clock.now_ms()
    assert await fails(client, "SELECT pg_sleep(3600)") == "57014"
    assert await fails(client, "SELECT pg_sleep_until('infinity')") == "57014"
    assert await fails(client, "SELECT pg_sleep_until('12000-01-01')") == "57014"
    assert world.clock.now_ms() - before < 9000
