"""Prepared transactions: COMMIT PREPARED succeeds whatever others have tried meanwhile, and after kill -9."""

from __future__ import annotations

import asyncio
import datetime
import decimal
import uuid
from collections.abc import Hashable

import msgspec
import pytest

from model.errors.sql_error import SqlError
from model.types.datum import Inet, TimeTz
from model.types.time_of_day import END_OF_DAY
from model.types.wide_time import INFINITE, WideDate, WideMoment
from server.ledgers.kept_identities import identity_of, kept_of
from tests.server.locking.sessions import begun, error_of
from tests.server.world import World, fails, now_of, simulated, value
from tests.simulation.incarnation import SimClient


async def _restart(world: World) -> None:
    await world.restart()
    world.life.environment.prepared.most = 10


async def _world(world: World, *statements: str) -> SimClient:
    world.life.environment.prepared.most = 10
    client = world.client()
    for sql in statements:
        await client.query(sql)
    return client


async def _prepared(client: SimClient, gid: str, *statements: str) -> None:
    await begun(client, *statements)
    await client.query(f"PREPARE TRANSACTION '{gid}'")


async def _waits(client: SimClient, sql: str) -> asyncio.Task[object]:
    """Returns a statement that does not end by itself."""
    task: asyncio.Task[object] = asyncio.create_task(client.query(sql))
    await asyncio.sleep(2)
    assert not task.done(), sql
    return task


_PARENTS = "CREATE TABLE p (k int PRIMARY KEY, n numeric); INSERT INTO p VALUES (1, 10), (2, 20), (3, 30)"
_CHILDREN = "CREATE TABLE c (k int PRIMARY KEY, parent int REFERENCES p)"


@simulated
async def test_nothing_that_others_do_keeps_it_from_its_commit(world: World) -> None:
    """Each attack waits until the transaction has committed, before and after kill -9, and then finds what it has
    left; others' rows are free."""
    for number, restarts in enumerate((False, True)):
        client = await _world(world, "DROP TABLE IF EXISTS c, p", _PARENTS, _CHILDREN)
        await _prepared(
            client,
            "x",
            "INSERT INTO c VALUES (1, 2)",
            "UPDATE p SET n = n + (SELECT n FROM p WHERE k = 3) WHERE k = 1",
            "SELECT pg_advisory_xact_lock(5)",
        )
        if restarts:
            await _restart(world)
        other = world.client()
        assert await other.query("SELECT gid, owner, database FROM pg_prepared_xacts") == [
            ("x", "headwater", "headwater")
        ]
        await other.query("INSERT INTO p VALUES (4, 40)")
        await other.query("INSERT INTO c VALUES (2, 4)")
        await other.query("UPDATE p SET n = 0 WHERE k = 4")
        assert await value(other, "SELECT pg_try_advisory_xact_lock(5)") is False
        assert await value(other, "SELECT count(*) FROM pg_locks WHERE pid IS NULL AND granted") != 0
        attacks = {
            "UPDATE p SET n = 0 WHERE k = 1": None,
            "UPDATE p SET n = 0 WHERE k = 3": None,
            "INSERT INTO c VALUES (1, 3)": "23505",
            "DELETE FROM p WHERE k = 2": "23503",
            "SELECT n FROM p WHERE k = 1 FOR UPDATE": None,
            "ALTER TABLE c ADD COLUMN more int": None,
            "ALTER TABLE p ADD COLUMN more int": None,
        }
        waiting = [await _waits(world.client(), sql) for sql in attacks]
        await world.client().query("COMMIT PREPARED 'x'")
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        told = [each.sqlstate.value if isinstance(each, SqlError) else None for each in outcomes]
        assert told == list(attacks.values())
        assert await other.query("SELECT k, parent FROM c ORDER BY k") == [(1, 2), (2, 4)], number
        assert await other.query("SELECT gid FROM pg_prepared_xacts") == []
        assert await value(other, "SELECT count(*) FROM pg_locks WHERE pid IS NULL") == 0


@simulated
async def test_a_prepared_transaction_outlives_its_session_and_kill_9(world: World) -> None:
    client = await _world(world, "INSERT INTO t VALUES (1, 'a')")
    await _prepared(client, "one", "INSERT INTO t VALUES (2, 'b')", "DELETE FROM t WHERE a = 1")
    other = world.client()
    await _prepared(other, "two", "INSERT INTO u VALUES (3, 'c')")
    await _restart(world)
    await _restart(world)
    client = world.client()
    assert await client.query("SELECT gid FROM pg_prepared_xacts ORDER BY gid") == [("one",), ("two",)]
    assert await client.query("SELECT a FROM t") == [(1,)]
    assert await fails(client, "BEGIN; PREPARE TRANSACTION 'one'") == "42710"
    await client.query("COMMIT PREPARED 'one'")
    await client.query("ROLLBACK PREPARED 'two'")
    assert await client.query("SELECT a FROM t") == [(2,)]
    await _restart(world)
    client = world.client()
    assert await client.query("SELECT a FROM t UNION ALL SELECT a FROM u") == [(2,)]
    assert await fails(client, "COMMIT PREPARED 'one'") == "42704"
    assert await fails(client, "ROLLBACK PREPARED 'two'") == "42704"


@simulated
async def test_what_another_has_changed_meanwhile_makes_prepare_fail(world: World) -> None:
    client, other = await _world(world, "INSERT INTO t VALUES (1, 'a')"), world.client()
    await begun(client, "INSERT INTO u SELECT * FROM t")
    await other.query("UPDATE t SET b = 'b'")
    assert await fails(client, "PREPARE TRANSACTION 'x'") == "40001"
    assert client.session.transaction_status == "I"
    assert await client.query("SELECT gid FROM pg_prepared_xacts") == []
    # The name is free again, and so are the locks.
    await _prepared(client, "x", "INSERT INTO u SELECT * FROM t")
    await client.query("ROLLBACK PREPARED 'x'")
    await other.query("UPDATE t SET b = 'c'")
    assert await other.query("SELECT b FROM t UNION ALL SELECT b FROM u") == [("c",)]


@simulated
async def test_of_two_that_read_what_the_other_writes_one_is_not_prepared(world: World) -> None:
    client, other = await _world(world), world.client()
    await begun(other, "INSERT INTO t SELECT 2, count(*)::text FROM u")
    await _prepared(client, "one", "INSERT INTO u SELECT 1, count(*)::text FROM t")
    second = await _waits(other, "PREPARE TRANSACTION 'two'")
    await world.client().query("COMMIT PREPARED 'one'")
    assert await error_of(second) == "40001"
    # One that only reads what the other will write can't come before it any longer.
    await _prepared(client, "one", "INSERT INTO u VALUES (3, 'c')")
    await begun(other, "INSERT INTO t SELECT 2, count(*)::text FROM u")
    assert await fails(other, "PREPARE TRANSACTION 'two'") == "40001"
    await client.query("COMMIT PREPARED 'one'")
    assert await client.query("SELECT a, b FROM u ORDER BY a") == [(1, "0"), (3, "c")]


@simulated
async def test_two_that_read_the_same_are_prepared_beside_each_other(world: World) -> None:
    client = await _world(world, _PARENTS, _CHILDREN)
    for number in (1, 2):
        await _prepared(client, f"g{number}", f"INSERT INTO c VALUES ({number}, 2)")
    await client.query("ROLLBACK PREPARED 'g2'")
    held = await _waits(world.client(), "DELETE FROM p WHERE k = 2")
    await client.query("COMMIT PREPARED 'g1'")
    assert await error_of(held) == "23503"


@simulated
async def test_a_statement_that_reads_under_locks_reads_again(world: World) -> None:
    """It waits to commit, with locks on what COMMIT PREPARED writes: neither waits for the other for ever."""
    client, other = await _world(world, "INSERT INTO u VALUES (1, 'a')"), world.client()
    await _prepared(client, "x", "INSERT INTO t SELECT * FROM u")
    waiting = await _waits(other, "INSERT INTO u SELECT a + 1, 'n' || (SELECT count(*) FROM t) FROM u")
    await client.query("COMMIT PREPARED 'x'")
    await waiting
    assert await client.query("SELECT a, b FROM u ORDER BY a") == [(1, "a"), (2, "n1")]


@simulated
async def test_reads_that_nothing_keeps_as_they_are_are_refused(world: World) -> None:
    client = await _world(world, "INSERT INTO u VALUES (1, 'a')")
    later = await now_of(client) + 600_000
    for sql in (
        "CREATE TABLE n (a int)",
        f"INSERT INTO t VALUES (1, 'a') AS OF {later}",
        "INSERT INTO t SELECT 1, 'a' FROM u WHERE mz_now() > 5",
        "INSERT INTO t SELECT oid::int, relname FROM pg_class WHERE relname = 't'",
    ):
        await begun(client, sql)
        assert await fails(client, "PREPARE TRANSACTION 'x'") == "0A000", sql
        assert client.session.transaction_status == "I"
    await _prepared(client, "x", "INSERT INTO t SELECT * FROM u")
    assert await fails(world.client(), f"INSERT INTO u VALUES (1, 'a') AS OF {later}") == "55006"
    await client.query("ROLLBACK PREPARED 'x'")
    await client.query(f"INSERT INTO u VALUES (1, 'a') AS OF {later}")
    await begun(client, "INSERT INTO t SELECT * FROM u")
    assert await fails(client, "PREPARE TRANSACTION 'x'") == "0A000"


@simulated
async def test_a_view_that_it_has_read_stays_as_it_is(world: World) -> None:
    client = await _world(world, "INSERT INTO u VALUES (1, 'a')", "CREATE VIEW v AS SELECT * FROM u")
    await _prepared(client, "x", "INSERT INTO t SELECT * FROM v")
    for sql in ("DROP VIEW v", "CREATE OR REPLACE VIEW v AS SELECT * FROM u WHERE a > 1"):
        assert await fails(world.client(), sql) == "55006"
    await client.query("COMMIT PREPARED 'x'")
    await client.query("DROP VIEW v")


@simulated
async def test_who_ends_it_owns_it_or_is_superuser_in_its_database(world: World) -> None:
    client, other = await _world(world, "CREATE ROLE ann; CREATE ROLE ben; GRANT INSERT ON t TO ann"), world.client()
    await _prepared(client, "x", "SET LOCAL ROLE ann", "INSERT INTO t VALUES (1, 'a')")
    assert await other.query("SELECT owner FROM pg_prepared_xacts") == [("ann",)]
    await other.query("SET ROLE ben")
    assert await fails(other, "COMMIT PREPARED 'x'") == "42501"
    assert await fails(other, "ROLLBACK PREPARED 'x'") == "42501"
    await other.query("SET ROLE ann")
    await other.query("COMMIT PREPARED 'x'")
    assert await client.query("SELECT a FROM t") == [(1,)]


@simulated
async def test_a_database_stays_while_a_transaction_can_be_finished_in_it_alone(world: World) -> None:
    client = await _world(world, "CREATE DATABASE other")
    await _prepared(world.client("other"), "locks", "SELECT pg_advisory_xact_lock(7)")
    for _ in range(2):
        assert await fails(client, "DROP DATABASE other") == "55006"
        await _restart(world)
        client = world.client()
    await world.client("other").query("ROLLBACK PREPARED 'locks'")
    await client.query("DROP DATABASE other")


@simulated
async def test_there_are_as_many_as_the_server_was_started_for(world: World) -> None:
    client = await _world(world)
    world.life.environment.prepared.most = 1
    await _prepared(client, "x", "INSERT INTO t VALUES (1, 'a')")
    assert await fails(client, "BEGIN; PREPARE TRANSACTION 'y'") == "53200"
    await client.query("COMMIT PREPARED 'x'")
    world.life.environment.prepared.most = 0
    assert await fails(client, "BEGIN; PREPARE TRANSACTION 'y'") == "55000"


@simulated
async def test_an_interrupted_prepare_leaves_nothing(world: World) -> None:
    client, other = await _world(world), world.client()
    await _prepared(client, "one", "INSERT INTO u SELECT 1, count(*)::text FROM t")
    await begun(other, "INSERT INTO t VALUES (1, 'a')")
    waiting = await _waits(other, "PREPARE TRANSACTION 'two'")
    other.session.cancel()
    assert await error_of(waiting) == "57014"
    assert await client.query("SELECT gid FROM pg_prepared_xacts") == [("one",)]
    await client.query("COMMIT PREPARED 'one'")
    await _prepared(other, "two", "INSERT INTO t VALUES (1, 'a')")
    await other.query("COMMIT PREPARED 'two'")
    assert await client.query("SELECT a FROM t") == [(1,)]


_IDENTITIES: list[Hashable] = [
    (),
    (None, True, 7, -(2**60), 1.5, "text", b"\x00\xff"),
    ((0, decimal.Decimal("12345678901234567890.5")), (1, 0.0)),
    (datetime.date(2020, 2, 29), datetime.time(1, 2, 3, 4), datetime.datetime(2020, 1, 1, 1, 1, 1, 5)),
    (datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC), uuid.UUID(int=5)),
    (END_OF_DAY,),
    (WideDate(INFINITE), WideDate(-5_000_000), WideMoment(-INFINITE), WideMoment(2**63)),
    (TimeTz(5, -3600), Inet(6, 2**127, 64, 2**127 + 1)),
    (((0, "a"), (1, 0)), (1, (2,), (1,))),
]


@pytest.mark.parametrize("identity", _IDENTITIES, ids=range(len(_IDENTITIES)))
def test_what_is_made_again_of_a_kept_identity_equals_it(identity: Hashable) -> None:
    again = identity_of(msgspec.msgpack.decode(msgspec.msgpack.encode(kept_of(identity))))
    assert again == identity and hash(again) == hash(identity)


def test_what_nothing_keeps_is_told() -> None:
    with pytest.raises(ValueError, match="object"):
        kept_of((1, object()))
