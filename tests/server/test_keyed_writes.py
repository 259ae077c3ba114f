"""What an index finds is changed without Spark, and as Spark would have changed it."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager

import pyarrow as pa
import pytest

from compute.controller.pending import PeekRequest
from model.errors.sql_error import SqlError
from tests.server.test_maintained import indexed
from tests.server.world import World, simulated
from tests.simulation.incarnation import SimClient

_PREDICATES = ("", " AND b > 4", " AND (c = 'x' OR c IS NULL)", " AND 12 / b > 1", " AND length(c) = 1 AND b <> 3")
_CHANGES = (
    "UPDATE {} SET b = b + 1",
    "UPDATE {} SET b = 10 / b, c = coalesce(c, 'y') || 'z'",
    "UPDATE {} SET k = k + 50",
    "UPDATE {} SET b = DEFAULT",
    "UPDATE {} SET c = NULL",
    "DELETE FROM {}",
)
_COLUMNS = "b int DEFAULT 5 CHECK (b < 12), c text"


@contextmanager
def _peeks(world: World) -> Iterator[list[PeekRequest]]:
    """What Spark is asked for meanwhile."""
    asked: list[PeekRequest] = []
    compute = world.life.environment.compute
    peek = compute.peek

    def noted(request: PeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        asked.append(request)
        return peek(request)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compute, "peek", noted)
        yield asked


async def _outcome(client: SimClient, sql: str) -> object:
    try:
        return sorted(await client.query(sql), key=repr)
    except SqlError as error:
        return error.sqlstate


def _statement(source: random.Random) -> str:
    keys = [str(source.randrange(12)) for _ in range(source.randrange(1, 4))]
    condition = source.choice((f"k = {keys[0]}", f"k IN ({', '.join(keys)})", f"k = ANY (ARRAY[{', '.join(keys)}])"))
    change = source.choice(_CHANGES)
    return f"{change} WHERE {condition}{source.choice(_PREDICATES)} RETURNING k, b, c"


@pytest.mark.parametrize("seed", range(3))
def test_a_write_by_key_is_the_write_that_spark_would_make(seed: int) -> None:
    """Statements that fail included, by themselves and in transactions that have written the table before."""

    @simulated
    async def law(world: World) -> None:
        client, source = world.client(), random.Random(seed)
        await client.query(f"CREATE TABLE keyed (k int, {_COLUMNS}); CREATE TABLE plain (k int, {_COLUMNS})")
        await client.query("CREATE INDEX ON keyed (k)")
        for name in ("keyed", "plain"):
            await client.query(
                f"INSERT INTO {name} SELECT g % 10, g % 7, NULLIF('x', 'x') FROM generate_series(0, 19) g"
            )
            await client.query(f"INSERT INTO {name} VALUES (3, 3, 'x'), (4, 0, 'yy'), (NULL, 1, 'x')")
        await indexed(world, client, "SELECT b FROM keyed WHERE k = 1")
        with _peeks(world) as asked:
            for _ in range(12):
                statements = [_statement(source) for _ in range(source.randrange(1, 4))]
                found = []
                for name in ("keyed", "plain"):
                    asked.clear()
                    outcomes = []
                    if len(statements) > 1:
                        await client.query("BEGIN")
                    for each in statements:
                        outcomes.append(await _outcome(client, each.format(name)))
                    if len(statements) > 1:
                        await client.query("COMMIT")
                    assert bool(asked) == (name == "plain")
                    found.append((outcomes, sorted(await client.query(f"TABLE {name}"), key=repr)))
                assert found[0] == found[1], statements

    law()


@simulated
async def test_a_row_is_locked_changed_and_read_again_by_its_key_without_spark(world: World) -> None:
    client = world.client()
    await client.query(
        "CREATE TABLE parent (id int PRIMARY KEY, n int); CREATE TABLE child (id int PRIMARY KEY, p int"
        " REFERENCES parent, s text UNIQUE); CREATE INDEX ON child (p)"
    )
    await client.query("INSERT INTO parent SELECT g, 0 FROM generate_series(1, 50) g")
    await client.query("INSERT INTO child SELECT g, g, 's' || g FROM generate_series(1, 40) g")
    for query in (
        "SELECT n FROM parent WHERE id = 1",
        "SELECT 1 FROM child WHERE id = 1",
        "SELECT 1 FROM child WHERE p = 1",
    ):
        await indexed(world, client, query)
    await indexed(world, client, "SELECT id FROM child WHERE s = 's1'")
    with _peeks(world) as asked:
        await client.query("BEGIN")
        assert await client.query("SELECT n FROM parent WHERE id = 7 FOR UPDATE") == [(0,)]
        await client.query("UPDATE parent SET n = n + 1 WHERE id = 7")
        assert await client.query("UPDATE parent SET n = n + 1 WHERE id = 7 RETURNING n") == [(2,)]
        assert await client.query("SELECT n FROM parent WHERE id = 7") == [(2,)]
        await client.query("INSERT INTO parent VALUES (60, 1)")
        await client.query("UPDATE child SET p = 60 WHERE s = 's3'")
        assert await client.query("SELECT id FROM child WHERE p = 60") == [(3,)]
        await client.query("SAVEPOINT before; DELETE FROM child WHERE id = 3")
        assert await client.query("SELECT id FROM child WHERE p = 60") == []
        await client.query("ROLLBACK TO before")
        assert await client.query("SELECT id FROM child WHERE p = 60") == [(3,)]
        await client.query("COMMIT")
        assert await client.query("SELECT n FROM parent WHERE id = 7") == [(2,)]
        assert await client.query("DELETE FROM parent WHERE id IN (45, 46) RETURNING id") == [(45,), (46,)]
        assert await client.query(
            "INSERT INTO parent VALUES (7, 9) ON CONFLICT (id) DO UPDATE SET n = 9 RETURNING n"
        ) == [(9,)]
        assert asked == []
