"""A statement whose rows a locked part of it tells finds them by an index, and is otherwise what it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable

import pyarrow as pa
import pytest

from compute.controller.controller import ComputeController
from compute.controller.pending import PeekRequest
from model.time.timestamp import Timestamp
from model.types.datum import Row
from planner.ir.query import Query
from server.reads import joined_access
from server.transactions.evaluating import evaluated
from server.transactions.execution import Execution
from tests.server.world import World, fails, simulated

NEXT = "SELECT id FROM job WHERE NOT done ORDER BY id LIMIT {count} FOR UPDATE SKIP LOCKED"
JOBS = "CREATE TABLE job (id int PRIMARY KEY, done bool, note text)"
FILLED = "INSERT INTO job SELECT g, g < 3, NULL FROM generate_series(1, 9) g"

BY_INDEX: tuple[tuple[str, int, list[tuple[object, ...]]], ...] = (
    ("UPDATE job SET done = true WHERE id IN ({next}) RETURNING id", 2, [(3,), (4,)]),
    ("UPDATE job SET done = true WHERE id = ({next}) RETURNING id", 1, [(3,)]),
    ("UPDATE job SET id = id + 100 WHERE id IN ({next}) RETURNING id", 2, [(103,), (104,)]),
    ("WITH n AS ({next}) UPDATE job SET note = n.id FROM n WHERE n.id = job.id RETURNING job.id, note", 1, [(3, "3")]),
    ("DELETE FROM job WHERE id IN ({next}) RETURNING *", 2, [(3, False, None), (4, False, None)]),
    ("UPDATE job SET done = true WHERE id IN ({next}) AND note IS NOT NULL RETURNING id", 2, []),
    ("UPDATE job SET done = true WHERE id IN ({next}) RETURNING id", 0, []),
)
BY_SPARK: tuple[tuple[str, int, list[tuple[object, ...]]], ...] = (
    ("DELETE FROM job USING ({next}) q WHERE q.id = job.id AND NOT job.done RETURNING job.id", 1, [(3,)]),
    ("UPDATE job SET done = true WHERE id NOT IN ({next}) AND id > 2 AND id < 7 RETURNING id", 2, [(5,), (6,)]),
    ("UPDATE job SET done = true WHERE done AND EXISTS ({next}) RETURNING id", 1, [(1,), (2,)]),
    ("UPDATE job SET done = true WHERE id + 1 IN ({next}) RETURNING id", 1, [(2,)]),
    ("UPDATE job SET done = true WHERE id < (SELECT max(q.id) FROM ({next}) q) RETURNING id", 1, [(1,), (2,)]),
)


@pytest.mark.parametrize(("sql", "count", "rows"), [*BY_INDEX, *BY_SPARK])
def test_what_a_locked_part_tells_is_found(
    sql: str, count: int, rows: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[PeekRequest] = []
    peek = ComputeController.peek

    def counted(self: ComputeController, request: PeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        asked.append(request)
        return peek(self, request)

    monkeypatch.setattr(ComputeController, "peek", counted)

    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query(f"{JOBS}; {FILLED}")
        await asyncio.sleep(5)  # until the index is there
        asked.clear()
        text = sql.format(next=NEXT.format(count=count))
        assert sorted(await client.query(text)) == rows
        # One finds the rows that are locked, another those of the statement.
        assert len(asked) == (1 if (sql, count, rows) in BY_INDEX else 2)
        before = await client.query("SELECT * FROM job ORDER BY id")
        await client.query(f"BEGIN; INSERT INTO job VALUES (0, false, 'own'); {text}; {text}; ROLLBACK")
        assert await client.query("SELECT * FROM job ORDER BY id") == before

    law()


@simulated
async def test_workers_take_each_job_once_and_own_writes_count(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query(f"{JOBS}; {FILLED}")
    take = f"UPDATE job SET done = true WHERE id IN ({NEXT.format(count=1)}) RETURNING id"
    await one.query("BEGIN")
    assert [await one.query(take), await other.query(take), await other.query(take)] == [[(3,)], [(4,)], [(5,)]]
    await one.query("COMMIT")
    assert await one.query(take) == [(6,)]
    assert await one.query("SELECT id FROM job WHERE NOT done ORDER BY 1") == [(7,), (8,), (9,)]
    await one.query(f"BEGIN; DELETE FROM job WHERE id = 7; INSERT INTO job VALUES (0, false, 'new'); {take}; COMMIT")
    assert await one.query("SELECT id FROM job WHERE NOT done ORDER BY 1") == [(8,), (9,)]
    error = await fails(one, f"UPDATE job SET note = 1 / (id - 8) WHERE id IN ({NEXT.format(count=1)})")
    assert error == "22012"
    several = f"UPDATE job SET done = true WHERE id = ({NEXT.format(count=2)})"
    assert await fails(one, several) == "21000"


@simulated
async def test_what_is_skipped_has_no_negative_bounds(world: World) -> None:
    client = world.client()
    await client.query(f"{JOBS}; {FILLED}")
    assert await fails(client, "SELECT id FROM job LIMIT -1 FOR UPDATE SKIP LOCKED") == "2201W"
    assert await fails(client, "SELECT id FROM job LIMIT 1 OFFSET -1 FOR UPDATE SKIP LOCKED") == "2201X"


@simulated
async def test_values_that_differ_each_time_are_drawn_once(world: World) -> None:
    """Of as many jobs as there are, whichever is drawn is found."""
    client = world.client()
    await client.query(JOBS)
    await client.query("INSERT INTO job SELECT g, false, '' FROM generate_series(1, 40) g")
    drawn = "SELECT 1 + floor(random() * 40)::int"
    for _ in range(6):
        await client.query(
            f"WITH n AS (INSERT INTO t VALUES (1)) UPDATE job SET note = note || 'x' WHERE id IN ({drawn})"
        )
    assert await client.query("SELECT sum(length(note)) FROM job") == [(6,)]


@pytest.mark.parametrize(
    ("values", "ids"),
    (("SELECT generate_series(1, 60000)", range(1, 10)), ("SELECT 7 FROM generate_series(1, 60000)", (7,))),
)
def test_more_values_than_an_index_is_asked_for_are_joined(
    values: str, ids: Iterable[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []

    async def counted(query: Query, execution: Execution, timestamp: Timestamp) -> AsyncGenerator[list[Row]]:
        async for batch in evaluated(query, execution, timestamp):
            taken.append(len(batch))
            yield batch

    monkeypatch.setattr(joined_access, "evaluated", counted)

    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query(JOBS)
        await client.query(FILLED)
        sql = f"WITH n AS (INSERT INTO t VALUES (1)) DELETE FROM job WHERE id IN ({values}) RETURNING id"
        assert sorted(await client.query(sql)) == [(id_,) for id_ in ids]

    law()
    assert taken and sum(taken) < 20_000
