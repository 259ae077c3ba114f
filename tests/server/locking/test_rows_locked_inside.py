"""FOR UPDATE in a query within a statement: as in PostgreSQL, by what another session may still lock meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from tests.judge import Judge
from tests.server.locking.sessions import begun, queue, until_waiting
from tests.server.world import World, fails, simulated

_MADE = (
    "CREATE TABLE held (id int PRIMARY KEY, n int); INSERT INTO held VALUES (1, 0), (2, 0), (3, 0), (4, 1);"
    "CREATE TABLE other (id int PRIMARY KEY, held int); INSERT INTO other VALUES (1, 1), (2, 2)"
)
_STATEMENTS = (
    "SELECT * FROM (SELECT * FROM held WHERE id < 3 FOR UPDATE) x",
    "SELECT * FROM (SELECT * FROM held ORDER BY id LIMIT 2 FOR UPDATE) x WHERE n = 0",
    "SELECT * FROM (SELECT id FROM held ORDER BY id DESC LIMIT 2 FOR UPDATE) x ORDER BY id",
    "SELECT count(*) FROM (SELECT 1 FROM held WHERE n = 1 FOR NO KEY UPDATE) x",
    "SELECT o.id FROM other o JOIN (SELECT id FROM held WHERE id = 2 FOR UPDATE) h ON h.id = o.held",
    "SELECT o.id FROM other o JOIN (SELECT id FROM held WHERE id = 2 FOR SHARE) h ON h.id = o.held FOR UPDATE",
    "WITH w AS (SELECT id FROM held WHERE id = 3 FOR UPDATE) SELECT * FROM w",
    "WITH w AS (SELECT id FROM held WHERE id = 3 FOR UPDATE) SELECT 1",
    "WITH a AS (SELECT 2 AS n), w AS (SELECT id FROM held, a WHERE id = a.n FOR UPDATE) SELECT * FROM w",
    "WITH w AS (SELECT id FROM held WHERE id > 2 FOR UPDATE) SELECT a.id, b.id FROM w a, w b",
    "SELECT (SELECT id FROM held ORDER BY id LIMIT 1 FOR UPDATE)",
    "SELECT id FROM other WHERE held IN (SELECT id FROM held WHERE id = 1 FOR UPDATE)",
    "SELECT array_to_string(ARRAY(SELECT id FROM held WHERE id > 2 ORDER BY id DESC FOR UPDATE), ',')",
    "SELECT * FROM (SELECT id FROM held WHERE id = 1 FOR UPDATE) x UNION ALL SELECT 9",
    "INSERT INTO other SELECT id + 10, id FROM held WHERE id = 2 FOR UPDATE",
    "UPDATE other SET held = 4 WHERE held = (SELECT id FROM held ORDER BY id LIMIT 1 FOR UPDATE)",
    "UPDATE other SET held = w.id FROM (SELECT id FROM held WHERE id = 3 FOR UPDATE) w WHERE other.id = 1",
    "WITH w AS (SELECT id FROM held WHERE id = 3 FOR UPDATE) DELETE FROM other USING w WHERE other.held = w.id",
    "DELETE FROM other WHERE held IN (SELECT id FROM held ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)",
)
_LOCKED = "SELECT id FROM held ORDER BY id FOR UPDATE SKIP LOCKED"


def _judged(judge: Judge) -> list[tuple[object, object]]:
    """For each statement, its rows and what another session can lock while its transaction is open."""
    found: list[tuple[object, object]] = []
    with judge.connect() as first, judge.connect() as second:
        first.execute(_MADE)
        try:
            for sql in _STATEMENTS:
                first.execute("BEGIN")
                cursor = first.execute(sql)
                rows = cursor.fetchall() if cursor.description else []
                found.append((rows, second.execute(_LOCKED).fetchall()))
                first.execute("ROLLBACK")
        finally:
            first.execute("DROP TABLE held, other")
    return found


def test_queries_inside_statements_lock_the_rows_that_they_lock_in_postgres(judge: Judge) -> None:
    expected = _judged(judge)
    answered: list[tuple[object, object]] = []

    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await first.query(_MADE)
        for sql in _STATEMENTS:
            await begun(first)
            rows = await first.query(sql)
            answered.append((rows, await second.query(_LOCKED)))
            await first.query("ROLLBACK")

    law()
    assert dict(zip(_STATEMENTS, answered, strict=True)) == dict(zip(_STATEMENTS, expected, strict=True))


_NEXT = "(SELECT id FROM job WHERE NOT done ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)"


@pytest.mark.parametrize(
    "take",
    [
        f"UPDATE job SET done = true WHERE id = {_NEXT} RETURNING id",
        f"WITH n AS {_NEXT} UPDATE job SET done = true FROM n WHERE job.id = n.id RETURNING job.id",
    ],
)
def test_workers_that_take_a_job_in_one_statement_take_each_once(take: str) -> None:
    queue(12, 4, take)


def test_workers_that_find_their_job_inside_a_query_take_each_once() -> None:
    queue(12, 4, f"SELECT id FROM {_NEXT} x", "UPDATE job SET done = true WHERE id = {}")


@simulated
async def test_a_statement_that_has_waited_for_rows_inside_it_sees_what_has_become_of_them(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    for sql in (
        "SELECT n FROM (SELECT n FROM held WHERE id = 1 FOR UPDATE) x",
        "INSERT INTO other SELECT n, n FROM held WHERE id = 1 FOR UPDATE RETURNING held",
        "UPDATE other SET held = (SELECT n FROM held WHERE id = 1 FOR UPDATE) WHERE id = 1 RETURNING held",
    ):
        for began in (False, True):
            await begun(first, "SELECT n FROM held WHERE id = 1 FOR UPDATE")
            if began:
                await begun(second)
            waiting = asyncio.create_task(second.query(sql))
            await until_waiting(world)
            await first.query("UPDATE held SET n = n + 10 WHERE id = 1")
            await first.query("COMMIT")
            found = await waiting
            if began:
                await second.query("COMMIT")
            assert found == await first.query("SELECT n FROM held WHERE id = 1")


@simulated
async def test_rows_inside_are_locked_now_or_not_at_all_where_that_is_wanted(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT n FROM held WHERE id = 1 FOR UPDATE")
    assert (
        await fails(second, "DELETE FROM other WHERE held = (SELECT id FROM held LIMIT 1 FOR UPDATE NOWAIT)") == "55P03"
    )
    assert await second.query("SELECT id FROM (SELECT id FROM held ORDER BY id FOR UPDATE SKIP LOCKED) x") == [
        (2,),
        (3,),
        (4,),
    ]


@simulated
async def test_a_row_inside_that_has_changed_since_the_transaction_read_can_not_be_locked(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT count(*) FROM held")
    await second.query("UPDATE held SET n = 5 WHERE id = 2")
    assert await fails(first, "SELECT * FROM (SELECT n FROM held WHERE id = 2 FOR UPDATE) x") == "40001"


@simulated
async def test_a_query_that_refers_to_rows_around_it_locks_all_rows_of_its_tables(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    inside = "SELECT id, (SELECT n FROM held WHERE held.id = other.held FOR UPDATE) FROM other ORDER BY id"
    await begun(first)
    assert await first.query(inside) == [(1, 0), (2, 0)]
    waiting = asyncio.create_task(second.query("SELECT n FROM held WHERE id = 4 FOR UPDATE"))
    await until_waiting(world)
    await first.query("ROLLBACK")
    assert await waiting == [(1,)]
    assert await fails(second, inside.replace("UPDATE", "UPDATE SKIP LOCKED")) == "0A000"


@simulated
async def test_nobody_who_may_not_write_locks_rows_inside_a_query(world: World) -> None:
    client = world.client()
    await client.query(_MADE)
    await client.query("BEGIN READ ONLY")
    assert await fails(client, "SELECT * FROM (SELECT n FROM held FOR UPDATE) x") == "25006"
