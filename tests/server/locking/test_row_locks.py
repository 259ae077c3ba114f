"""Locks on rows and tables between sessions: who waits, who is refused, and that nobody waits for ever."""

from __future__ import annotations

import asyncio
import itertools

import psycopg
import pytest

from model.errors.sql_error import SqlError
from tests.judge import Judge
from tests.server.locking.sessions import begun, queue, until_waiting
from tests.server.world import World, fails, simulated, value
from tests.simulation.incarnation import SimClient

_ROW_MODES = ("KEY SHARE", "SHARE", "NO KEY UPDATE", "UPDATE")
_TABLE_MODES = (
    "ACCESS SHARE",
    "ROW SHARE",
    "ROW EXCLUSIVE",
    "SHARE UPDATE EXCLUSIVE",
    "SHARE",
    "SHARE ROW EXCLUSIVE",
    "EXCLUSIVE",
    "ACCESS EXCLUSIVE",
)
_LOCKS = (
    *(f"SELECT 1 FROM held WHERE id = 1 FOR {mode}" for mode in _ROW_MODES),
    *(f"LOCK TABLE held IN {mode} MODE" for mode in _TABLE_MODES),
)
_MADE = "CREATE TABLE held (id int PRIMARY KEY, n int); INSERT INTO held VALUES (1, 0), (2, 0), (3, 0)"


# What goes together


def _judged(judge: Judge) -> list[bool]:
    """For each pair of locks, whether PostgreSQL gives the second while another session has the first."""
    given = []
    with judge.connect() as first, judge.connect() as second:
        first.execute(_MADE)
        second.execute("SET lock_timeout = '5ms'")
        try:
            for one, other in itertools.product(_LOCKS, _LOCKS):
                first.execute(f"BEGIN; {one}")
                try:
                    second.execute(f"BEGIN; {other}")
                    given.append(True)
                except psycopg.errors.LockNotAvailable:
                    given.append(False)
                second.execute("ROLLBACK")
                first.execute("ROLLBACK")
        finally:
            first.execute("DROP TABLE held")
    return given


def test_locks_of_two_sessions_go_together_as_in_postgres(judge: Judge) -> None:
    expected = _judged(judge)
    answered: list[bool] = []

    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await first.query(_MADE)
        await second.query("SET lock_timeout = '5ms'")
        for one, other in itertools.product(_LOCKS, _LOCKS):
            await begun(first, one)
            await begun(second)
            answered.append(await _ended(second, other) == "done")
            await second.query("ROLLBACK")
            await first.query("ROLLBACK")

    law()
    pairs = list(itertools.product(_LOCKS, _LOCKS))
    assert dict(zip(pairs, answered, strict=True)) == dict(zip(pairs, expected, strict=True))


# Waiting


@simulated
async def test_a_locked_row_is_waited_for_and_read_as_it_is_then(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT n FROM held WHERE id = 1 FOR UPDATE")
    waiting = asyncio.create_task(second.query("SELECT n FROM held WHERE id = 1 FOR UPDATE"))
    await until_waiting(world)
    await first.query("UPDATE held SET n = 7 WHERE id = 1")
    await first.query("COMMIT")
    assert await waiting == [(7,)]


@simulated
async def test_an_update_by_itself_waits_for_a_locked_row_and_changes_what_has_become_of_it(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT n FROM held WHERE id = 1 FOR UPDATE")
    waiting = asyncio.create_task(second.query("UPDATE held SET n = n + 1"))
    await until_waiting(world)
    await first.query("UPDATE held SET n = 7 WHERE id = 1")
    await first.query("COMMIT")
    await waiting
    assert await first.query("SELECT id, n FROM held ORDER BY id") == [(1, 8), (2, 1), (3, 1)]


@simulated
async def test_a_transaction_that_changes_a_locked_row_waits_at_commit(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT n FROM held WHERE id = 1 FOR SHARE")
    await begun(second, "DELETE FROM held WHERE id = 1")
    waiting = asyncio.create_task(second.query("COMMIT"))
    await until_waiting(world)
    await first.query("COMMIT")
    await waiting
    assert await first.query("SELECT id FROM held ORDER BY id") == [(2,), (3,)]


@simulated
async def test_inserts_wait_for_a_table_that_is_locked_against_them_and_reads_for_no_less_than_access(
    world: World,
) -> None:
    first, second, third = world.client(), world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "LOCK TABLE held IN SHARE MODE")
    waiting = asyncio.create_task(second.query("INSERT INTO held VALUES (4, 0)"))
    await until_waiting(world)
    assert await value(third, "SELECT count(*) FROM held") == 3
    await first.query("COMMIT")
    await waiting
    await begun(first, "LOCK TABLE held")
    reading = asyncio.create_task(third.query("SELECT count(*) FROM held"))
    await until_waiting(world)
    await first.query("DELETE FROM held")
    await first.query("COMMIT")
    assert await reading == [(0,)]


@simulated
async def test_lock_timeout_ends_the_wait_and_leaves_nothing_behind(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT n FROM held WHERE id = 1 FOR UPDATE")
    await second.query("SET lock_timeout = '1s'")
    for sql in ("SELECT n FROM held FOR UPDATE", "UPDATE held SET n = 5 WHERE id = 1", "LOCK TABLE held"):
        await begun(second)
        if sql.startswith("UPDATE"):
            await second.query(sql)
            sql = "COMMIT"
        assert await fails(second, sql) == "55P03"
        await second.query("ROLLBACK")
    await first.query("COMMIT")
    await second.query("UPDATE held SET n = 5 WHERE id = 1")
    assert await first.query("SELECT * FROM pg_locks WHERE locktype = 'tuple'") == []


@simulated
async def test_what_ends_a_session_or_goes_back_to_a_savepoint_gives_its_locks_back(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT n FROM held WHERE id = 1 FOR UPDATE", "SAVEPOINT s")
    await first.query("SELECT n FROM held WHERE id = 2 FOR UPDATE")
    assert await fails(second, "SELECT n FROM held WHERE id = 2 FOR UPDATE NOWAIT") == "55P03"
    await first.query("ROLLBACK TO s")
    assert await second.query("SELECT id FROM held FOR UPDATE SKIP LOCKED") == [(2,), (3,)]
    await first.session.close()
    assert len(await second.query("SELECT id FROM held FOR UPDATE NOWAIT")) == 3


# Circles


@pytest.mark.parametrize("count", [2, 3])
def test_a_circle_of_transactions_is_broken_and_the_others_go_on(count: int) -> None:
    @simulated
    async def law(world: World) -> None:
        clients = [world.client() for _ in range(count)]
        await clients[0].query(_MADE)
        for number, client in enumerate(clients, 1):
            await begun(client, f"SELECT n FROM held WHERE id = {number} FOR UPDATE")
        ends = [
            asyncio.create_task(_ended(client, f"SELECT n FROM held WHERE id = {number % count + 1} FOR UPDATE"))
            for number, client in enumerate(clients, 1)
        ]
        assert sorted(await asyncio.gather(*ends)) == ["40P01", *["done"] * (count - 1)]

    law()


async def _ended(client: SimClient, sql: str) -> str:
    try:
        await client.query(sql)
        await client.query("COMMIT")
        return "done"
    except SqlError as error:
        await client.query("ROLLBACK")
        return error.sqlstate.value


@simulated
async def test_a_deadlock_names_the_processes_in_it(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "LOCK TABLE held IN SHARE MODE")
    await begun(second, "LOCK TABLE held IN SHARE MODE")
    waiting = asyncio.create_task(first.query("LOCK TABLE held IN EXCLUSIVE MODE"))
    await until_waiting(world)
    with pytest.raises(SqlError) as raised:
        await second.query("LOCK TABLE held IN EXCLUSIVE MODE")
    assert raised.value.message == "deadlock detected"
    one, two = first.session.pid, second.session.pid
    assert raised.value.detail is not None
    assert f"Process {two} waits for ExclusiveLock on relation" in raised.value.detail
    assert f"blocked by process {one}." in raised.value.detail
    await waiting


# What is current


@simulated
async def test_a_row_that_has_changed_since_the_transaction_read_can_not_be_locked(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT count(*) FROM held")
    await second.query("UPDATE held SET n = 1 WHERE id = 2")
    assert await first.query("SELECT n FROM held WHERE id = 1 FOR UPDATE") == [(0,)]
    assert await fails(first, "SELECT n FROM held WHERE id = 2 FOR UPDATE") == "40001"


@simulated
async def test_what_others_do_to_other_rows_is_no_conflict_for_a_row_that_is_locked_by_its_key(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT n FROM held WHERE id = 1 FOR UPDATE")
    await second.query("UPDATE held SET n = 5 WHERE id = 2")
    await first.query("UPDATE held SET n = n + 1 WHERE id = 1")
    await second.query("INSERT INTO held VALUES (4, 4)")
    await first.query("COMMIT")
    assert await first.query("SELECT n FROM held ORDER BY id") == [(1,), (5,), (0,), (4,)]


@simulated
async def test_what_else_was_read_of_the_table_is_still_validated(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT n FROM held WHERE id = 1 FOR UPDATE", "SELECT sum(n) FROM held")
    await second.query("UPDATE held SET n = 5 WHERE id = 2")
    await first.query("UPDATE held SET n = n + 1 WHERE id = 1")
    assert await fails(first, "COMMIT") == "40001"


@simulated
async def test_a_lock_given_back_at_a_savepoint_leaves_what_was_read_to_be_validated(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SAVEPOINT s", "SELECT n FROM held WHERE id = 1 FOR UPDATE", "ROLLBACK TO s")
    await second.query("UPDATE held SET n = 5 WHERE id = 1")
    await first.query("INSERT INTO t VALUES (1, 'read of it')")
    assert await fails(first, "COMMIT") == "40001"


@simulated
async def test_counters_that_are_locked_before_they_are_read_lose_nothing_and_nobody_fails(world: World) -> None:
    async def count(client: SimClient, key: int) -> None:
        for _ in range(5):
            await client.query("BEGIN")
            n = await value(client, f"SELECT n FROM held WHERE id = {key} FOR UPDATE")
            assert isinstance(n, int)
            await client.query(f"UPDATE held SET n = {n + 1} WHERE id = {key}")
            await client.query("COMMIT")

    await world.client().query(_MADE)
    await asyncio.gather(*(count(world.client(), number % 3 + 1) for number in range(9)))
    assert await world.client().query("SELECT n FROM held ORDER BY id") == [(15,), (15,), (15,)]


# Work queues


def test_workers_that_skip_what_others_have_locked_take_each_job_once(request: pytest.FixtureRequest) -> None:
    take = "SELECT id FROM job WHERE NOT done ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"
    queue(request.config.getoption("--queued-jobs"), 8, take, "UPDATE job SET done = true WHERE id = {}")


@simulated
async def test_offset_and_limit_count_the_rows_that_are_not_skipped(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query(_MADE)
    await begun(first, "SELECT id FROM held WHERE id = 1 FOR UPDATE")
    assert await second.query("SELECT id FROM held ORDER BY id OFFSET 1 LIMIT 1 FOR UPDATE SKIP LOCKED") == [(3,)]


@simulated
async def test_rows_without_a_key_are_locked_by_what_they_hold(world: World) -> None:
    first, second = world.client(), world.client()
    await first.query("INSERT INTO t VALUES (1, 'x'), (1, 'x'), (2, 'y')")
    await begun(first, "SELECT * FROM t WHERE a = 1 LIMIT 1 FOR UPDATE")
    assert await second.query("SELECT a FROM t FOR UPDATE SKIP LOCKED") == [(2,)]
    waiting = asyncio.create_task(second.query("DELETE FROM t WHERE a = 1"))
    await until_waiting(world)
    await first.query("COMMIT")
    await waiting
    assert await first.query("SELECT a FROM t") == [(2,)]


@pytest.mark.parametrize("altered", ["DROP COLUMN gone", "ALTER COLUMN gone TYPE bigint"])
@pytest.mark.parametrize("key", ["PRIMARY KEY", ""])
def test_rows_of_a_table_whose_columns_stand_elsewhere_than_they_are_seen_are_locked(altered: str, key: str) -> None:
    @simulated
    async def law(world: World) -> None:
        client, other = world.client(), world.client()
        await client.query(f"CREATE TABLE held (gone int, id int {key}, n int)")
        await client.query(f"INSERT INTO held VALUES (0, 1, 0), (0, 2, 0), (0, 3, 0); ALTER TABLE held {altered}")
        await begun(client, "SELECT * FROM held WHERE id = 2 FOR UPDATE")
        assert await other.query("SELECT id FROM held WHERE id <> 2 ORDER BY id FOR UPDATE") == [(1,), (3,)]
        await other.query("UPDATE held SET n = 1 WHERE id = 3")
        await other.query("SET lock_timeout = '5ms'")
        assert await fails(other, "SELECT id FROM held WHERE id = 2 FOR UPDATE NOWAIT") == "55P03"
        assert await fails(other, "UPDATE held SET n = 1 WHERE id = 2") == "55P03"
        await client.query("UPDATE held SET n = n + 5 WHERE id = 2; COMMIT")
        assert await client.query("SELECT id, n FROM held ORDER BY id") == [(1, 0), (2, 5), (3, 1)]

    law()
