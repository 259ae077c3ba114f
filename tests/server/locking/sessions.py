"""Sessions that lock rows and tables beside each other."""

from __future__ import annotations

import asyncio

import pytest

from model.errors.sql_error import SqlError
from tests.server.world import World, simulated, value
from tests.simulation.incarnation import SimClient


async def begun(client: SimClient, *statements: str) -> None:
    for sql in ("BEGIN", *statements):
        await client.query(sql)


async def until_waiting(world: World, count: int = 1) -> None:
    """Returns once so many sessions wait for a lock."""
    watcher = world.client()
    while await value(watcher, "SELECT count(*) FROM pg_locks WHERE NOT granted") != count:
        await asyncio.sleep(0.01)


async def waiting(world: World, client: SimClient, sql: str) -> asyncio.Task[object]:
    """The statement, which waits for a lock now."""
    task: asyncio.Task[object] = asyncio.create_task(client.query(sql))
    await until_waiting(world)
    return task


async def error_of(task: asyncio.Task[object]) -> str:
    """The SQLSTATE that a statement fails with, which has waited."""
    with pytest.raises(SqlError) as raised:
        await task
    return raised.value.sqlstate.value


def queue(jobs: int, workers: int, take: str, end: str | None = None) -> None:
    """Each job is taken once, by whoever; nobody fails. `take` gives a job's id and `end` is what is then done with it,
    in one transaction; without `end` it is a statement by itself."""

    @simulated
    async def law(world: World) -> None:
        await world.client().query(
            "CREATE TABLE job (id int PRIMARY KEY, done bool);"
            f"INSERT INTO job SELECT n, false FROM generate_series(1, {jobs}) n"
        )
        taken: list[object] = []

        async def work(client: SimClient) -> None:
            while True:
                if end is not None:
                    await client.query("BEGIN")
                found = await client.query(take)
                if end is not None:
                    for (job,) in found:
                        await client.query(end.format(job))
                    await client.query("COMMIT")
                if not found:
                    return
                taken.extend(job for (job,) in found)

        await asyncio.gather(*(work(world.client()) for _ in range(workers)))
        assert sorted(map(str, taken)) == sorted(map(str, range(1, jobs + 1)))
        assert await value(world.client(), "SELECT count(*) FROM job WHERE NOT done") == 0

    law()
