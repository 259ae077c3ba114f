"""INSERT ... AS OF beside statements that change what they have read: nothing due is missed, and nobody is refused."""

from __future__ import annotations

import asyncio

from model.errors.sql_error import SqlError
from tests.server.world import World, now_of, simulated, value

_ROWS = 60
_APART_MS = 20


@simulated
async def test_an_update_misses_no_row_that_stood_there_before_it(world: World) -> None:
    """A row that came at time d has been changed by every UPDATE after d, as one that was always there tells."""
    client = world.client()
    await client.query("CREATE TABLE r (due int, gen int DEFAULT 0); INSERT INTO r VALUES (-1)")
    begin = await now_of(client) + 5_000
    times = [begin + number * _APART_MS for number in range(_ROWS)]
    for number, time in enumerate(times):
        await client.query(f"INSERT INTO r (due) VALUES ({number}) AS OF {time}")
    while world.clock.now_ms() < times[-1]:
        await client.query("UPDATE r SET gen = gen + 1")
        await asyncio.sleep(0.03)
    # The last rows come when time moves on.
    while await now_of(client) < times[-1]:
        await asyncio.sleep(0.1)
    total = await value(client, "SELECT gen FROM r WHERE due = -1")
    for number, time in enumerate(times):
        wanted = f"SELECT {total!r} - gen FROM r WHERE due = -1 AS OF {time}"
        assert await client.query(f"SELECT gen FROM r WHERE due = {number}") == await client.query(wanted)


@simulated
async def test_keyed_inserts_and_deletes_lose_to_no_row_that_is_due(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("CREATE TABLE r (k int)")
    await client.query("CREATE TABLE copied (k int)")
    begin = await now_of(client) + 3_000
    for number in range(_ROWS):
        await client.query(f"INSERT INTO r VALUES ({number}) AS OF {begin + number * _APART_MS}")
    end = begin + _ROWS * _APART_MS

    async def copy() -> None:
        while await now_of(client) < end:
            await asyncio.sleep(0.03)
            await client.query("INSERT INTO copied SELECT k FROM r WHERE k NOT IN (SELECT k FROM copied)")

    async def delete() -> None:
        while await now_of(other) < end:
            await asyncio.sleep(0.05)
            await other.query("DELETE FROM r WHERE k % 2 = 1 AND k IN (SELECT k FROM copied)")

    await asyncio.gather(copy(), delete())
    await client.query("INSERT INTO copied SELECT k FROM r WHERE k NOT IN (SELECT k FROM copied)")
    assert await client.query("SELECT k FROM copied ORDER BY k") == [(number,) for number in range(_ROWS)]


@simulated
async def test_a_table_with_rows_that_are_due_can_be_dropped(world: World) -> None:
    client = world.client()
    for _ in range(8):
        await client.query("CREATE TABLE d (k int)")
        begin = await now_of(client) + 1_000
        for number in range(50):
            await client.query(f"INSERT INTO d VALUES ({number}) AS OF {begin + number}")
        while world.clock.now_ms() < begin + 25:
            await asyncio.sleep(0.001)
        await client.query("DROP TABLE d")


@simulated
async def test_a_circle_of_transactions_ends_with_a_deadlock_for_one(world: World) -> None:
    """Each changes two tables, the second of them the next one's first."""
    first = world.client()
    for parties in (2, 3, 5):
        names = [f"d{parties}_{number}" for number in range(parties)]
        for name in names:
            await first.query(f"CREATE TABLE {name} (x int); INSERT INTO {name} VALUES (0)")

        async def change(at: int, names: list[str] = names) -> str:
            one, next_ = names[at], names[(at + 1) % len(names)]
            try:
                await world.client().query(f"UPDATE {one} SET x = x + 1; UPDATE {next_} SET x = x + 1")
            except SqlError as error:
                return error.sqlstate.value
            return ""

        for _ in range(5):
            states = await asyncio.gather(*(change(at) for at in range(parties)))
            assert set(states) <= {"", "40P01", "40001"} and "" in states
        assert await first.query(f"UPDATE {names[0]} SET x = 0") == []
