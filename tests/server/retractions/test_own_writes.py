"""What a transaction has written itself, in what it reads."""

from __future__ import annotations

import asyncio
import random

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.ledgers import own_writes
from server.reads import reading
from server.transactions import own_keys
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


@pytest.mark.in_part(4)
@pytest.mark.parametrize("type_", WRITTEN_DIFFERENTLY)
def test_a_transaction_sees_before_commit_what_all_see_after_it(type_: str) -> None:
    _sees_before_commit_what_all_see_after_it(type_)


@pytest.mark.in_part(4, first=1)
@pytest.mark.usefixtures("staged")
@pytest.mark.parametrize("type_", WRITTEN_DIFFERENTLY)
def test_so_it_does_of_staged_rows(type_: str) -> None:
    _sees_before_commit_what_all_see_after_it(type_)


def _sees_before_commit_what_all_see_after_it(type_: str) -> None:
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


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has all own writes staged as soon as they are read, as those are that are too many for memory."""
    monkeypatch.setattr(reading, "_OWN_BYTES_MAX", 0)
    monkeypatch.setattr(own_writes, "_OWN_ROWS_MAX", 0)


@pytest.mark.usefixtures("staged")
@pytest.mark.parametrize("created", ["before", "within"])
def test_staged_rows_are_read_and_changed_as_others_are(created: str) -> None:
    @simulated
    async def law(world: World) -> None:
        source, client = random.Random(created), world.client()
        for turn in range(8):
            rows: dict[int, str] = {}
            create = f"CREATE TABLE loaded{turn} (k int PRIMARY KEY, x text)"
            await client.query(f"{create}; BEGIN" if created == "before" else f"BEGIN; {create}")
            kept = dict(rows)
            await client.query("SAVEPOINT s")
            for step in range(8):
                far = 100 * (step + 1)
                match source.choice(("insert", "upsert", "update", "delete", "move", "savepoint", "back")):
                    case "insert" if fresh := sorted(set(range(9)) - rows.keys()):
                        await client.query(f"INSERT INTO loaded{turn} VALUES ({fresh[0]}, 'i'), ({far}, 'j')")
                        rows[fresh[0]], rows[far] = "i", "j"
                    case "upsert":
                        key = source.randrange(9)
                        on = f"ON CONFLICT (k) DO UPDATE SET x = loaded{turn}.x || 'u'"
                        await client.query(f"INSERT INTO loaded{turn} VALUES ({key}, 'n') {on}")
                        rows[key] = rows[key] + "u" if key in rows else "n"
                    case "update":
                        await client.query(f"UPDATE loaded{turn} SET x = x || 'c' WHERE k % 2 = 0")
                        rows = {key: x + "c" if key % 2 == 0 else x for key, x in rows.items()}
                    case "delete":
                        key = source.randrange(9)
                        await client.query(f"DELETE FROM loaded{turn} WHERE k = {key}")
                        rows.pop(key, None)
                    case "move":
                        await client.query(f"UPDATE loaded{turn} SET k = k + {far} WHERE k < 9 AND x = 'i'")
                        rows = {key + far if key < 9 and x == "i" else key: x for key, x in rows.items()}
                    case "savepoint":
                        await client.query("SAVEPOINT s")
                        kept = dict(rows)
                    case _:
                        await client.query("ROLLBACK TO s")
                        rows = dict(kept)
                assert sorted(await client.query(f"SELECT k, x FROM loaded{turn}")) == sorted(rows.items())
            await client.query("COMMIT")
            assert sorted(await client.query(f"SELECT k, x FROM loaded{turn}")) == sorted(rows.items())

    law()


@pytest.mark.usefixtures("staged")
def test_keys_of_staged_rows_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE loaded (k int PRIMARY KEY)")
        for limited in (False, True):
            if limited:
                monkeypatch.setattr(own_keys, "_STAGED_ROWS_MAX", 2)
            await client.query("BEGIN; INSERT INTO loaded VALUES (1), (2), (3)")
            assert await value(client, "SELECT count(*) FROM loaded") == 3
            with pytest.raises(SqlError) as raised:
                await client.query("INSERT INTO loaded VALUES (2)")
            wanted = Sqlstate.FEATURE_NOT_SUPPORTED if limited else Sqlstate.UNIQUE_VIOLATION
            assert raised.value.sqlstate is wanted
            await client.query("ROLLBACK")

    law()


@pytest.mark.usefixtures("staged")
def test_parts_of_what_is_rolled_back_are_left_to_the_sweep() -> None:
    @simulated
    async def law(world: World) -> None:
        client, stage = world.client(), world.life.environment.storage.stage
        await client.query("CREATE TABLE loaded (k int)")
        await client.query("BEGIN; INSERT INTO loaded VALUES (1); SAVEPOINT s")
        for _ in range(3):
            await client.query("INSERT INTO loaded VALUES (2)")
            assert await value(client, "SELECT count(*) FROM loaded") == 2
            assert len(stage.underway) == 2
            await client.query("ROLLBACK TO s")
            assert len(stage.underway) == 1
        await client.query("COMMIT")
        assert not stage.underway

    law()
