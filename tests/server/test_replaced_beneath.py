"""CREATE OR REPLACE beneath others: who reads meanwhile has the rows of one definition, and never an error."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from server.objects.maintained.collections import Collections
from tests.server.world import World, simulated, value

_DEFINITIONS = (
    "SELECT a, b FROM t",
    "SELECT a, b, a + 1 AS next FROM t",
    "SELECT a, b, a + 1 AS next, b || '!' AS loud FROM t",
    "SELECT a, b, 2 AS next, b || '?' AS loud FROM t",
)


@simulated
async def test_a_view_that_gets_columns_is_read_by_those_made_before(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (1, 'y'), (2, 'z')")
    await client.query(f"CREATE MATERIALIZED VIEW below AS {_DEFINITIONS[0]}")
    await client.query("CREATE MATERIALIZED VIEW counted AS SELECT a, count(*) AS n FROM below GROUP BY a")
    await client.query("CREATE MATERIALIZED VIEW whole AS SELECT * FROM below")
    await client.query("CREATE VIEW shown AS SELECT * FROM below; CREATE DEFAULT INDEX ON shown")
    await client.query("CREATE VIEW plain AS SELECT b, a FROM below WHERE a = 1")
    for number, definition in enumerate(_DEFINITIONS[1:], 3):
        await client.query(f"CREATE OR REPLACE MATERIALIZED VIEW below AS {definition}")
        await client.query(f"INSERT INTO t VALUES ({number}, 'w')")
        for _ in range(2):
            rows = await client.query("SELECT a, b FROM below ORDER BY a, b")
            assert len(rows) == number + 1
            assert await client.query("SELECT * FROM counted WHERE a < 3 ORDER BY a") == [(1, 2), (2, 1)]
            for relation in ("whole", "shown"):
                assert await client.query(f"SELECT * FROM {relation} ORDER BY a, b") == rows
            assert await client.query("SELECT * FROM plain ORDER BY b") == [("x", 1), ("y", 1)]
            await client.query("REFRESH MATERIALIZED VIEW counted; REFRESH MATERIALIZED VIEW whole")
        assert await client.query("CHECK VIEW counted") == []


@simulated
async def test_who_reads_while_views_are_replaced_has_rows(world: World) -> None:
    writer = world.client()
    await writer.query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    await writer.query(f"CREATE MATERIALIZED VIEW below AS {_DEFINITIONS[0]}")
    await writer.query("CREATE MATERIALIZED VIEW above AS SELECT count(*) AS n, sum(a) AS s FROM below")
    over = asyncio.Event()
    answers = 0

    async def read(query: str) -> None:
        nonlocal answers
        client = world.client()
        while not over.is_set():
            assert await client.query(query) == [(2, 3)]
            answers += 1
            await world.clock.sleep(0.01)

    async def write() -> None:
        client = world.client()
        while not over.is_set():
            await client.query("INSERT INTO t VALUES (7, 'z'); DELETE FROM t WHERE a = 7")
            await world.clock.sleep(0.01)

    queries = [
        "SELECT count(*), sum(a) FROM below WHERE a < 7",
        "SELECT least(n, 2), least(s, 3) FROM above",
        "BEGIN; SELECT 1 FROM u; SELECT least(n, 2), least(s, 3) FROM above; COMMIT; SELECT 2, 3",
        "SELECT least(n, 2), least(s, 3) FROM (SELECT n, s FROM above UNION ALL SELECT 9, 9 FROM u) AS q",
    ]
    tasks = [asyncio.create_task(read(query)) for query in queries for _ in range(3)]
    tasks.append(asyncio.create_task(write()))
    for number in range(24):
        await writer.query(f"CREATE OR REPLACE MATERIALIZED VIEW below AS {_DEFINITIONS[min(number, 2 + number % 2)]}")
    over.set()
    await asyncio.gather(*tasks)
    assert answers >= 24


@simulated
async def test_a_read_that_waits_for_a_view_that_is_replaced_is_planned_anew(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("CREATE MATERIALIZED VIEW below AS SELECT a FROM t")
    assert await value(client, "SELECT count(*) FROM below") == 1
    waits = Collections.wait_for_upper
    replaced = False

    async def replacing(self: Collections, *arguments: Any, **options: Any) -> None:
        nonlocal replaced
        if not replaced:
            replaced = True
            await other.query("CREATE OR REPLACE MATERIALIZED VIEW below AS SELECT a, b FROM t WHERE false")
        await waits(self, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Collections, "wait_for_upper", replacing)
        assert await client.query("SELECT * FROM below") == [(1,)]
    assert replaced
    assert await client.query("SELECT * FROM below") == []
