"""What a transaction has written itself, in what it reads."""

from __future__ import annotations

import asyncio
import random

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.ledgers import own_writes
from tests.server.world import World, simulated, value
from tests.simulation.incarnation import SimClient

WRITTEN_DIFFERENTLY = {
    "interval": ("1 day", "24:00:00", "1 mon", "30 days"),
    "float8": ("0", "-0", "1"),
    "float4": ("0", "-0", "1"),
    "jsonb": ("1", "1.0", "1.00", '{"a": 1}', '{"a": 1.0}'),
    "interval[]": ("{1 day}", "{24:00:00}"),
    "float8[]": ("{0,NULL}", "{-0,NULL}"),
    "text": ("a", "b"),
}


@pytest.mark.parametrize("type_", WRITTEN_DIFFERENTLY)
def test_a_transaction_sees_before_commit_what_all_see_after_it(type_: str) -> None:
    @simulated
    async def law(world: World) -> None:
        client, source = world.client(), random.Random(type_)
        await client.query(f"CREATE TABLE written (x {type_}, n int)")
        forms = WRITTEN_DIFFERENTLY[type_]
        everything = "SELECT x::text, n, count(*) FROM written GROUP BY 1, 2 ORDER BY 1, 2"
        for _ in range(6):
            await client.query("BEGIN")
            for _ in range(5):
                form, n = source.choice(forms), source.randrange(2)
                statement = source.choice(
                    (
                        f"INSERT INTO written VALUES ('{form}', {n}), ('{source.choice(forms)}', {n})",
                        f"DELETE FROM written WHERE x::text = '{form}'::{type_}::text AND n = {n}",
                        f"UPDATE written SET x = '{source.choice(forms)}' WHERE x::text = '{form}'::{type_}::text",
                    )
                )
                await client.query(statement)
                before = await client.query(everything)
            await client.query("COMMIT")
            assert before == await client.query(everything)

    law()


@simulated
async def test_a_cursor_does_not_see_what_its_transaction_writes_later(world: World) -> None:
    client = world.client()
    await client.query("BEGIN; INSERT INTO t VALUES (1, 'x'); DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a")
    await client.query("INSERT INTO t VALUES (2, 'y'); UPDATE t SET a = a + 10")
    assert await client.query("FETCH ALL FROM c") == [(1,)]
    assert await client.query("SELECT a FROM t ORDER BY a") == [(11,), (12,)]


@simulated
async def test_rows_without_columns_are_deleted(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE bare (); INSERT INTO bare DEFAULT VALUES; INSERT INTO bare DEFAULT VALUES")
    await client.query("BEGIN; INSERT INTO bare DEFAULT VALUES; DELETE FROM bare")
    assert await value(client, "SELECT count(*) FROM bare") == 0
    await client.query("ROLLBACK; DELETE FROM bare")
    assert await value(client, "SELECT count(*) FROM bare") == 0


@simulated
async def test_what_is_written_never_rests_on_stale_reads(world: World) -> None:
    client, other = world.client(), world.client()
    await other.query("CREATE MATERIALIZED VIEW lagging AS SELECT a, count(*) AS n FROM u GROUP BY a")
    await other.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("SET max_staleness = '1min'")
    for number in range(5):
        await other.query("INSERT INTO u VALUES (1, 'x')")
        await client.query("UPDATE t SET b = n::text FROM lagging l WHERE l.a = t.a")
        assert await other.query("SELECT * FROM t") == [(1, str(number + 1))]


@simulated
async def test_rows_of_values_are_all_read_at_one_time(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("CREATE SEQUENCE s")
    busy = asyncio.create_task(_busy(other))
    row = "(nextval('s'), (SELECT count(*) FROM t))"
    for at in ("", "AS OF AT LEAST 5"):
        for _ in range(5):
            counts = {count for _, count in await client.query(f"VALUES {', '.join([row] * 8)} {at}")}
            assert len(counts) == 1
            await asyncio.sleep(0.01)
    await busy


async def _busy(client: SimClient) -> None:
    for _ in range(100):
        await client.query("INSERT INTO t VALUES (1, 'x')")


def test_what_is_too_much_to_be_sent_with_a_plan_is_not_read_before_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_writes, "_OWN_BYTES_MAX", 100_000)

    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE written (x text)")
        await client.query("BEGIN")
        for _ in range(3):
            await client.query("INSERT INTO written VALUES (repeat('x', 40000))")
        with pytest.raises(SqlError, match="after a bulk load") as raised:
            await client.query("SELECT count(*) FROM written")
        assert raised.value.sqlstate is Sqlstate.FEATURE_NOT_SUPPORTED
        await client.query("ROLLBACK")

    law()
