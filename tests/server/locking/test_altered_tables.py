"""DDL waits for those who write or lock a table, as in PostgreSQL, and for nobody who only reads."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from tests.judge import Judge
from tests.server.locking.sessions import begun, until_waiting
from tests.server.world import World, fails, simulated, value
from tests.simulation.incarnation import SimClient

_MADE = (
    "CREATE TABLE held (id int PRIMARY KEY, n int CHECK (n >= 0)); CREATE INDEX held_n ON held (n);"
    "CREATE TABLE other (id int PRIMARY KEY, held int);"
    "ALTER TABLE other ADD CONSTRAINT late FOREIGN KEY (held) REFERENCES held NOT VALID;"
    "INSERT INTO held VALUES (1, 0), (2, 0); INSERT INTO other VALUES (2, 1)"
)
_GONE = "DROP TABLE held, other"
_HOLDS = (
    "SELECT 1 FROM held WHERE id = 1 FOR KEY SHARE",
    "INSERT INTO held VALUES (7, 7)",
    "UPDATE held SET n = 3 WHERE id = 1",
    "DELETE FROM held WHERE id = 2",
    "LOCK TABLE held IN ROW SHARE MODE",
    "LOCK TABLE held IN SHARE UPDATE EXCLUSIVE MODE",
    "LOCK TABLE held IN SHARE MODE",
    "LOCK TABLE held",
    "INSERT INTO other VALUES (1, 1)",
    "DELETE FROM other WHERE id = 2",
    "LOCK TABLE other IN SHARE MODE",
)
_CHANGES = (
    "ALTER TABLE held ADD COLUMN more int",
    "ALTER TABLE held ALTER COLUMN n SET NOT NULL",
    "ALTER TABLE held ALTER COLUMN n SET DEFAULT 4",
    "ALTER TABLE held ADD CHECK (id > 0)",
    "ALTER TABLE held DROP CONSTRAINT held_n_check",
    "ALTER TABLE held RENAME COLUMN n TO m",
    "ALTER TABLE held RENAME CONSTRAINT held_n_check TO positive",
    "ALTER TABLE held RENAME TO kept",
    "ALTER TABLE other ADD FOREIGN KEY (id) REFERENCES held",
    "ALTER TABLE other VALIDATE CONSTRAINT late",
    "ALTER TABLE other DROP CONSTRAINT late",
    "DROP TABLE other",
    "TRUNCATE other",
    "CREATE INDEX ON held (id, n)",
    "DROP INDEX held_n",
    "DROP TABLE held CASCADE",
    "DROP TABLE IF EXISTS absent",
    "TRUNCATE held, other",
    "CREATE TABLE third (id int REFERENCES held)",
)


def _judged(judge: Judge) -> dict[tuple[str, str], bool]:
    """For each pair, whether PostgreSQL does the second while another session has done the first."""
    done = {}
    with judge.connect() as first, judge.connect() as second:
        first.execute(_MADE)
        second.execute("SET lock_timeout = '5ms'")
        try:
            for hold in _HOLDS:
                for change in _CHANGES:
                    first.execute(f"BEGIN; {hold}")
                    try:
                        second.execute(f"BEGIN; {change}")
                        done[hold, change] = True
                    except psycopg.errors.LockNotAvailable:
                        done[hold, change] = False
                    second.execute("ROLLBACK")
                    first.execute("ROLLBACK")
        finally:
            first.execute(_GONE)
    return done


def test_ddl_waits_for_the_same_locks_as_in_postgres(judge: Judge) -> None:
    expected = _judged(judge)
    answered: dict[tuple[str, str], bool] = {}

    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await first.query(_MADE)
        await second.query("SET lock_timeout = '5ms'")
        for hold in _HOLDS:
            for change in _CHANGES:
                await begun(first, hold)
                await begun(second)
                answered[hold, change] = await _done(second, change)
                await second.query("ROLLBACK")
                await first.query("ROLLBACK")

    law()
    assert answered == expected


async def _done(client: SimClient, sql: str) -> bool:
    try:
        await client.query(sql)
    except SqlError as error:
        if error.sqlstate is Sqlstate.LOCK_NOT_AVAILABLE:
            return False
        raise
    return True


_BEGUN = (
    "ALTER TABLE held ADD COLUMN more int",
    "ALTER TABLE held DROP COLUMN n",
    "ALTER TABLE held RENAME COLUMN n TO more",
    "ALTER TABLE held ALTER COLUMN n TYPE bigint",
    "ALTER TABLE held RENAME TO kept",
    "ALTER TABLE held ADD CONSTRAINT more UNIQUE (id, n)",
)
_WRITES = (
    "INSERT INTO held VALUES (3, 3, 3)",
    "INSERT INTO held (id, more) VALUES (3, 3)",
    "INSERT INTO held SELECT 3, 3, 3",
    "INSERT INTO held VALUES (3, 3) RETURNING more",
    "INSERT INTO held VALUES (1, 3) ON CONFLICT ON CONSTRAINT more DO NOTHING",
    "UPDATE held SET more = 3",
    "UPDATE held SET n = 'a' WHERE more = 3",
    "DELETE FROM held WHERE more = 3",
    "WITH gone AS (DELETE FROM held WHERE more = 3 RETURNING *) SELECT count(*) FROM gone",
    "INSERT INTO other SELECT 3, 1 FROM other WHERE more = 3",
    "INSERT INTO absent VALUES (1)",
    "ALTER TABLE held DROP COLUMN more",
    "ALTER TABLE held RENAME COLUMN more TO n",
    "ALTER TABLE held DROP CONSTRAINT more",
    "CREATE INDEX ON held (more)",
)


def test_what_means_nothing_before_others_ddl_waits_for_its_end_as_in_postgres(judge: Judge) -> None:
    expected: dict[tuple[str, str], str] = {}
    with judge.connect() as first, judge.connect() as second:
        first.execute(_MADE)
        second.execute("SET lock_timeout = '5ms'")
        for change in _BEGUN:
            for write in _WRITES:
                first.execute(f"BEGIN; {change}")
                expected[change, write] = _failure_in_postgres(second, write)
                first.execute("ROLLBACK")
        first.execute(_GONE)
    answered: dict[tuple[str, str], str] = {}

    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await second.query("SET lock_timeout = '5ms'")
        await first.query(_MADE)
        for change in _BEGUN:
            for write in _WRITES:
                await begun(first, change)
                answered[change, write] = await _failure(second, write)
                await first.query("ROLLBACK")

    law()
    assert answered == expected


def _failure_in_postgres(session: psycopg.Connection[tuple[object, ...]], sql: str) -> str:
    try:
        session.execute(sql)
    except psycopg.Error as error:
        return error.sqlstate or ""
    return ""


async def _failure(client: SimClient, sql: str) -> str:
    try:
        await client.query(sql)
    except SqlError as error:
        return error.sqlstate.value
    return ""


@simulated
async def test_a_writer_waits_for_a_column_that_another_adds(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    for end, rows in (("ROLLBACK", []), ("COMMIT", [(3, 3, 9)])):
        await begun(first, "ALTER TABLE held ADD COLUMN more int")
        writing = asyncio.create_task(_failure(second, "INSERT INTO held VALUES (3, 3, 9)"))
        await until_waiting(world)
        await first.query(end)
        assert await writing == ("42601" if not rows else "")
        assert await second.query("SELECT * FROM held WHERE id = 3") == rows


@simulated
async def test_ddl_waits_for_a_writer_and_then_takes_place(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "INSERT INTO held VALUES (3, 3)")
    waiting = asyncio.create_task(second.query("ALTER TABLE held ADD COLUMN more int DEFAULT 5"))
    await until_waiting(world)
    await first.query("COMMIT")
    await waiting
    assert await second.query("SELECT id, more FROM held ORDER BY id") == [(1, 5), (2, 5), (3, 5)]


@simulated
async def test_a_writer_waits_for_ddl_that_is_not_committed_and_finds_what_it_has_made(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "ALTER TABLE held ADD COLUMN more int DEFAULT 7")
    assert await value(second, "SELECT count(*) FROM held") == 2
    waiting = asyncio.create_task(second.query("INSERT INTO held VALUES (3, 3)"))
    await until_waiting(world)
    await first.query("COMMIT")
    await waiting
    assert await second.query("SELECT id, n, more FROM held WHERE id = 3") == [(3, 3, 7)]


@simulated
async def test_a_schema_is_dropped_once_nobody_writes_to_its_tables(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query("CREATE SCHEMA s; CREATE TABLE s.inside (id int)")
    await begun(first, "INSERT INTO s.inside VALUES (3)")
    waiting = asyncio.create_task(second.query("DROP SCHEMA s CASCADE"))
    await until_waiting(world)
    await first.query("COMMIT")
    await waiting


@simulated
async def test_ddl_and_writers_in_a_circle_are_told(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "UPDATE held SET n = 1 WHERE id = 1")
    await begun(second, "UPDATE other SET held = 1")
    waiting = asyncio.create_task(first.query("ALTER TABLE other ADD COLUMN more int"))
    await until_waiting(world)
    assert await fails(second, "DROP TABLE held CASCADE") == "40P01"
    await second.query("ROLLBACK")
    await waiting


@pytest.mark.parametrize("change", ["ALTER TABLE held ADD COLUMN more int", "DROP TABLE held CASCADE"])
def test_ddl_waits_for_nobody_who_only_reads(change: str) -> None:
    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await first.query(_MADE)
        await begun(first, "SELECT count(*) FROM held")
        await second.query(change)
        assert await first.query("SELECT * FROM held ORDER BY id") == [(1, 0), (2, 0)]

    law()
