"""What transactions promise to several clients at once, in virtual time, with the interpreter in Spark's place."""

from __future__ import annotations

import asyncio

import pytest

from model.errors.sql_error import SqlError
from model.types.datum import Row
from tests.server.locking.sessions import waiting
from tests.server.world import World, fails, now_of, simulated, value
from tests.simulation.incarnation import SimClient
from timeline.footprint import Footprint


def status_of(client: SimClient) -> str:
    return client.session.transaction_status


async def contents(client: SimClient, table: str = "t") -> list[Row]:
    return await client.query(f"SELECT * FROM {table} ORDER BY a, b")


# Reads


@simulated
async def test_a_read_only_transaction_reads_all_tables_at_one_timestamp(world: World) -> None:
    reader, writer = world.client(), world.client()
    await reader.query("BEGIN READ ONLY")
    assert await contents(reader) == []
    await writer.query("INSERT INTO t VALUES (1, 'x'); INSERT INTO u VALUES (1, 'x')")
    assert await contents(reader) == await contents(reader, "u") == []
    await reader.query("COMMIT")
    assert await contents(reader) == await contents(reader, "u") == [(1, "x")]


@simulated
async def test_a_transaction_reads_at_the_time_of_its_first_read_not_of_begin(world: World) -> None:
    reader, writer = world.client(), world.client()
    await reader.query("BEGIN")
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    assert await contents(reader) == [(1, "x")]


@simulated
async def test_mz_now_is_the_timestamp_at_which_the_transaction_reads(world: World) -> None:
    client, writer = world.client(), world.client()
    await client.query("BEGIN")
    first = await now_of(client)
    await asyncio.sleep(5)
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    assert await client.query("SELECT mz_now()::text::int8, a FROM t") == []
    assert await now_of(client) == first
    await client.query("COMMIT")
    assert await now_of(client) > first


@simulated
async def test_what_is_acknowledged_is_seen_by_everyone_after(world: World) -> None:
    clients = [world.client() for _ in range(4)]
    for number in range(20):
        await clients[number % 4].query(f"INSERT INTO t VALUES ({number}, 'x')")
        assert await value(clients[(number + 1) % 4], "SELECT count(*) FROM t") == number + 1


# Writes


@simulated
async def test_nothing_of_a_transaction_is_seen_before_its_commit_and_all_of_it_after(world: World) -> None:
    writer, reader = world.client(), world.client()
    await writer.query("BEGIN")
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    await writer.query("INSERT INTO u VALUES (2, 'y')")
    assert await contents(reader) == await contents(reader, "u") == []
    await writer.query("COMMIT")
    assert await contents(reader) == [(1, "x")] and await contents(reader, "u") == [(2, "y")]


@simulated
async def test_several_tables_change_at_the_same_timestamp(world: World) -> None:
    writer, reader = world.client(), world.client()
    before = await now_of(reader)
    await writer.query("BEGIN; INSERT INTO t VALUES (1, 'x'); INSERT INTO u VALUES (1, 'x'); COMMIT")
    after = await now_of(reader)
    for time in range(before, after + 1):
        counts = await reader.query(f"SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM u) AS OF {time}")
        assert counts in ([(0, 0)], [(1, 1)])
    assert counts == [(1, 1)]


@simulated
async def test_rollback_leaves_nothing(world: World) -> None:
    client = world.client()
    await client.query("BEGIN; INSERT INTO t VALUES (1, 'x'); DELETE FROM t; INSERT INTO t VALUES (2, 'y'); ROLLBACK")
    assert await contents(client) == []


@simulated
async def test_a_transaction_sees_its_own_inserts_updates_and_deletes_and_nobody_else_does(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("INSERT INTO t VALUES (1, 'one'), (2, 'two'), (2, 'two')")
    await client.query("BEGIN")
    await client.query("INSERT INTO t VALUES (3, 'three')")
    assert await value(client, "SELECT count(*) FROM t") == 4
    await client.query("UPDATE t SET b = b || '!' WHERE a >= 2")
    assert await contents(client) == [(1, "one"), (2, "two!"), (2, "two!"), (3, "three!")]
    await client.query("DELETE FROM t WHERE a = 3 OR a = 1")
    assert await contents(client) == [(2, "two!"), (2, "two!")]
    await client.query("UPDATE t SET b = 'again'")
    assert await contents(client) == [(2, "again"), (2, "again")]
    assert len(await contents(other)) == 3
    await client.query("COMMIT")
    assert await contents(other) == [(2, "again"), (2, "again")]


@simulated
async def test_a_transaction_that_read_what_another_changed_fails_and_leaves_nothing(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("BEGIN")
    assert await contents(client) == []
    await other.query("INSERT INTO t VALUES (1, 'first')")
    await client.query("INSERT INTO u VALUES (2, 'second')")
    assert await fails(client, "COMMIT") == "40001"
    assert status_of(client) == "I"
    assert await contents(client, "u") == []


@simulated
async def test_of_two_that_read_and_write_the_same_one_commits(world: World) -> None:
    await world.client().query("INSERT INTO t VALUES (0, 'counter')")
    clients = [world.client(), world.client()]
    for client in clients:
        await client.query("BEGIN")
        await client.query("UPDATE t SET a = a + 1")
    await clients[0].query("COMMIT")
    assert await fails(clients[1], "COMMIT") == "40001"
    assert await contents(clients[0]) == [(1, "counter")]


@simulated
async def test_crossed_reads_and_writes_are_no_write_skew(world: World) -> None:
    one, two = world.client(), world.client()
    await one.query("BEGIN; SELECT count(*) FROM t")
    await two.query("BEGIN; SELECT count(*) FROM u")
    await one.query("INSERT INTO u VALUES (1, 'x')")
    await two.query("INSERT INTO t VALUES (1, 'x')")
    await one.query("COMMIT")
    assert await fails(two, "COMMIT") == "40001"


@simulated
async def test_a_transaction_that_read_other_tables_than_were_changed_commits(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("BEGIN; SELECT count(*) FROM t")
    await other.query("INSERT INTO u VALUES (1, 'x')")
    await client.query("INSERT INTO u VALUES (2, 'y'); COMMIT")
    assert await contents(client, "u") == [(1, "x"), (2, "y")]


@simulated
async def test_autocommitted_updates_make_progress_under_a_storm_of_inserts(world: World) -> None:
    await world.client().query("INSERT INTO t VALUES (0, 'counter')")
    stop = asyncio.Event()

    async def storm(number: int) -> int:
        client, done = world.client(), 0
        while not stop.is_set():
            await client.query(f"INSERT INTO t VALUES ({number + 1}, 'storm')")
            done += 1
        return done

    storms = [asyncio.create_task(storm(number)) for number in range(4)]
    client = world.client()
    for _ in range(15):
        await client.query("UPDATE t SET a = a - 1 WHERE b = 'counter'")
    await client.query("DELETE FROM t WHERE b = 'nothing'")
    stop.set()
    inserted = sum(await asyncio.gather(*storms))
    assert inserted > 0
    assert await value(client, "SELECT a FROM t WHERE b = 'counter'") == -15
    assert await value(client, "SELECT count(*) FROM t") == inserted + 1


@simulated
async def test_concurrent_autocommitted_increments_are_all_counted(world: World) -> None:
    await world.client().query("INSERT INTO t VALUES (0, 'counter')")

    async def increment() -> None:
        client = world.client()
        for _ in range(5):
            await client.query("UPDATE t SET a = a + 1")

    await asyncio.gather(*(increment() for _ in range(5)))
    assert await contents(world.client()) == [(25, "counter")]


@simulated
async def test_a_cancelled_write_is_not_there_and_one_that_was_acknowledged_is(world: World) -> None:
    outcomes = set()
    for number in range(60):
        client = world.client()
        writing = asyncio.create_task(client.query(f"INSERT INTO t VALUES ({number}, 'x')"))
        for _ in range(number):
            await asyncio.sleep(0)
        client.session.cancel()
        (outcome,) = await asyncio.gather(writing, return_exceptions=True)
        assert isinstance(outcome, list | SqlError)
        acknowledged = isinstance(outcome, list)
        assert isinstance(outcome, list) or outcome.sqlstate.value == "57014"
        outcomes.add(acknowledged)
        await asyncio.sleep(1)
        assert await value(client, f"SELECT count(*) FROM t WHERE a = {number}") == int(acknowledged)
    assert outcomes == {True, False}


@simulated
async def test_a_write_that_waits_for_a_lock_can_be_cancelled(world: World) -> None:
    client = world.client()
    environment = world.life.environment
    async with environment.locks.writes.hold(Footprint(frozenset(environment.stored_ids()))):
        writing = asyncio.create_task(client.query("INSERT INTO t VALUES (1, 'x')"))
        await asyncio.sleep(5)
        assert not writing.done()
        client.session.cancel()
        with pytest.raises(SqlError) as raised:
            await writing
        assert raised.value.sqlstate.value == "57014"
    await asyncio.sleep(5)
    assert await contents(client) == []


# Savepoints and failure


@simulated
async def test_savepoints_undo_writes_catalog_changes_and_settings(world: World) -> None:
    client = world.client()
    await client.query("BEGIN; INSERT INTO t VALUES (1, 'kept'); SAVEPOINT s")
    await client.query("INSERT INTO t VALUES (2, 'gone'); CREATE TABLE gone (x int); SET extra_float_digits = 0")
    await client.query("INSERT INTO gone VALUES (1)")
    await client.query("ROLLBACK TO s")
    assert await fails(client, "SELECT * FROM gone") == "42P01"
    await client.query("ROLLBACK TO s")
    await client.query("INSERT INTO t VALUES (3, 'kept'); RELEASE s; COMMIT")
    assert await contents(client) == [(1, "kept"), (3, "kept")]
    assert await value(client, "SHOW extra_float_digits") == "1"
    assert await fails(client, "SELECT * FROM gone") == "42P01"


@simulated
async def test_savepoints_of_one_name_hide_each_other(world: World) -> None:
    client = world.client()
    await client.query("BEGIN; SAVEPOINT s; INSERT INTO t VALUES (1, 'x'); SAVEPOINT s; INSERT INTO t VALUES (2, 'y')")
    await client.query("ROLLBACK TO s")
    assert await contents(client) == [(1, "x")]
    await client.query("RELEASE s; ROLLBACK TO s")
    assert await contents(client) == []
    assert await fails(client, "ROLLBACK TO nosuch") == "3B001"


@simulated
async def test_after_an_error_only_the_end_of_the_transaction_is_accepted(world: World) -> None:
    client = world.client()
    await client.query("BEGIN; INSERT INTO t VALUES (1, 'x')")
    assert await fails(client, "SELECT 1 / 0") == "22012"
    assert status_of(client) == "E"
    for sql in ("SELECT 1", "INSERT INTO t VALUES (1, 'x')", "SHOW timezone", "BEGIN", "SAVEPOINT s"):
        assert await fails(client, sql) == "25P02"
    await client.query("COMMIT")
    assert status_of(client) == "I"
    assert await contents(client) == []


@simulated
async def test_a_read_only_transaction_refuses_every_write(world: World) -> None:
    client = world.client()
    writes = (
        "INSERT INTO t VALUES (1, 'x')",
        "UPDATE t SET a = 1",
        "DELETE FROM t",
        "TRUNCATE t",
        "CREATE TABLE v (a int)",
        "DROP TABLE t",
        "COPY t FROM STDIN",
    )
    for sql in writes:
        await client.query("BEGIN READ ONLY")
        assert await fails(client, sql) == "25006"
        await client.query("ROLLBACK")
    await client.query("SET default_transaction_read_only = on")
    assert await fails(client, writes[0]) == "25006"
    await client.query("BEGIN READ WRITE; INSERT INTO t VALUES (1, 'x'); COMMIT")
    assert await contents(client) == [(1, "x")]


@simulated
async def test_what_commit_would_refuse_is_refused_before_anything_is_written(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE strict (a int NOT NULL)")
    await client.query("BEGIN; INSERT INTO t VALUES (1, 'x')")
    assert await fails(client, "INSERT INTO strict VALUES (NULL)") == "23502"
    await client.query("ROLLBACK")
    assert await contents(client) == []


# Catalog changes


@simulated
async def test_tables_made_in_a_transaction_are_its_own_until_commit(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("BEGIN; CREATE TABLE made (a int, b text); INSERT INTO made VALUES (1, 'x')")
    await client.query("CREATE VIEW seen AS SELECT a + 1 AS next FROM made")
    assert await client.query("SELECT next FROM seen") == [(2,)]
    assert await fails(other, "SELECT * FROM made") == "42P01"
    await client.query("COMMIT")
    assert await other.query("SELECT next FROM seen") == [(2,)]
    assert await contents(other, "made") == [(1, "x")]


@simulated
async def test_catalog_changes_are_rolled_back_with_the_rest(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("BEGIN; DROP TABLE t; CREATE TABLE t (other int); INSERT INTO t VALUES (5), (6)")
    assert await client.query("SELECT other FROM t ORDER BY 1") == [(5,), (6,)]
    await client.query("ROLLBACK")
    assert await contents(client) == [(1, "x")]


@simulated
async def test_of_two_that_create_the_same_name_one_commits(world: World) -> None:
    one, two = world.client(), world.client()
    await one.query("BEGIN; CREATE TABLE same (a int)")
    await two.query("BEGIN; CREATE TABLE same (b text)")
    await one.query("COMMIT")
    with pytest.raises(SqlError):
        await two.query("COMMIT")
    assert await one.query("SELECT a FROM same") == []


@simulated
async def test_a_table_is_dropped_once_those_have_ended_who_write_to_it(world: World) -> None:
    one, two = world.client(), world.client()
    await one.query("BEGIN; INSERT INTO t VALUES (1, 'x')")
    dropped = await waiting(world, two, "DROP TABLE t")
    await one.query("COMMIT")
    await dropped


@simulated
async def test_a_table_dropped_meanwhile_can_still_be_read_by_who_read_before(world: World) -> None:
    reader, other = world.client(), world.client()
    await other.query("INSERT INTO t VALUES (1, 'x'); INSERT INTO u VALUES (1, 'x')")
    await reader.query("BEGIN")
    assert await contents(reader) == [(1, "x")]
    await other.query("DROP TABLE u")
    await asyncio.sleep(30)
    assert await contents(reader) == [(1, "x")]


@simulated
async def test_ids_are_never_used_again(world: World) -> None:
    client = world.client()
    seen = set()
    for _ in range(3):
        await client.query("CREATE TABLE again (a int)")
        id_ = await value(client, "SELECT id FROM mz_catalog.mz_objects WHERE name = 'again'")
        assert id_ not in seen
        seen.add(id_)
        await client.query("DROP TABLE again")
        await world.restart()
        client = world.client()


# Times


@simulated
async def test_as_of_reads_the_past_exactly(world: World) -> None:
    client = world.client()
    times = []
    for number in range(5):
        await client.query(f"INSERT INTO t VALUES ({number}, 'x')")
        times.append(await now_of(client))
        await asyncio.sleep(1)
    await client.query("DELETE FROM t WHERE a < 3")
    for number, time in enumerate(times):
        assert await value(client, f"SELECT count(*) FROM t AS OF {time}") == number + 1


@simulated
async def test_the_past_is_kept_across_a_restart_as_long_as_retain_history_says(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE short (a int) WITH (RETAIN HISTORY FOR '1 min')")
    await client.query("INSERT INTO t VALUES (1, 'x'); INSERT INTO short VALUES (1)")
    time = await now_of(client)
    await client.query("DELETE FROM t; DELETE FROM short")
    await asyncio.sleep(300)
    await world.restart()
    client = world.client()
    await client.query("INSERT INTO short VALUES (2)")
    await asyncio.sleep(5)
    assert await client.query(f"SELECT * FROM t AS OF {time}") == [(1, "x")]
    with pytest.raises(SqlError) as raised:
        await client.query(f"SELECT * FROM short AS OF {time}")
    assert raised.value.sqlstate.value == "22023"
    assert '"short" can be read from' in raised.value.message
    await asyncio.sleep(400)
    await client.query("INSERT INTO t VALUES (3, 'z')")
    await asyncio.sleep(5)
    assert await fails(client, f"SELECT * FROM t AS OF {time}") == "22023"


@simulated
async def test_altering_retain_history_changes_how_much_of_the_past_is_kept(world: World) -> None:
    client = world.client()
    await client.query("ALTER TABLE t SET (RETAIN HISTORY FOR '1h')")
    await client.query("ALTER TABLE u SET (RETAIN HISTORY FOR '1 min')")
    await client.query("INSERT INTO t VALUES (1, 'x'); INSERT INTO u VALUES (1, 'x')")
    time = await now_of(client)
    await client.query("DELETE FROM t; DELETE FROM u")
    await asyncio.sleep(200)
    await world.restart()
    client = world.client()
    await client.query("INSERT INTO u VALUES (2, 'y')")
    await asyncio.sleep(1_000)
    await client.query("INSERT INTO t VALUES (2, 'y')")
    await asyncio.sleep(5)
    assert await client.query(f"SELECT * FROM t AS OF {time}") == [(1, "x")]
    assert await fails(client, f"SELECT * FROM u AS OF {time}") == "22023"
    await client.query("ALTER TABLE t RESET (RETAIN HISTORY)")
    await client.query("INSERT INTO t VALUES (3, 'z')")
    await asyncio.sleep(5)
    assert await fails(client, f"SELECT * FROM t AS OF {time}") == "22023"


@simulated
async def test_as_of_the_future_waits_for_it(world: World) -> None:
    client, writer = world.client(), world.client()
    time = world.clock.now_ms() + 5_000
    reading = asyncio.create_task(contents_as_of(client, time))
    await asyncio.sleep(3)
    assert not reading.done()
    await writer.query("INSERT INTO t VALUES (1, 'in time')")
    await asyncio.sleep(4)
    await writer.query("INSERT INTO t VALUES (2, 'too late')")
    assert await reading == [(1, "in time")]


async def contents_as_of(client: SimClient, time: int) -> list[Row]:
    return await client.query(f"SELECT * FROM t AS OF {time}")


@simulated
async def test_as_of_at_least_is_as_fresh_as_a_plain_read_and_never_before_its_time(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    assert await client.query("SELECT * FROM t AS OF AT LEAST 0") == [(1, "x")]
    time = world.clock.now_ms() + 3_000
    assert await client.query(f"SELECT a FROM t AS OF AT LEAST {time}") == [(1,)]
    assert world.clock.now_ms() >= time


@simulated
async def test_rows_inserted_as_of_the_future_appear_at_their_time_also_after_a_restart(world: World) -> None:
    client = world.client()
    time = world.clock.now_ms() + 10_000
    await client.query(f"INSERT INTO t VALUES (1, 'planned') AS OF {time}")
    assert await contents(client) == []
    await world.restart()
    client = world.client()
    assert await contents(client) == []
    await asyncio.sleep(15)
    assert await contents(client) == [(1, "planned")]
    assert await client.query(f"SELECT * FROM t AS OF {time - 1}") == []
    assert await client.query(f"SELECT * FROM t AS OF {time}") == [(1, "planned")]
    assert await fails(client, f"INSERT INTO t VALUES (1, 'late') AS OF {time}") == "22023"


@simulated
async def test_bounded_staleness_answers_at_once_and_within_its_bound(world: World) -> None:
    client, writer = world.client(), world.client()
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    await asyncio.sleep(3)
    await client.query("SET max_staleness = '5s'")
    asked = world.clock.now_ms()
    assert await contents(client) == [(1, "x")]
    assert await now_of(client) >= asked - 5_000
    explained = await client.query("EXPLAIN TIMESTAMP FOR SELECT * FROM t")
    assert any("max_staleness" in str(line) for (line,) in explained)
    await client.query("RESET max_staleness")


@simulated
async def test_everything_acknowledged_is_there_after_a_kill(world: World) -> None:
    client = world.client()
    await client.query(
        "INSERT INTO t VALUES (1, 'x'), (2, 'y'); UPDATE t SET b = 'z' WHERE a = 2; DELETE FROM t WHERE a = 1"
    )
    await client.query("CREATE VIEW v AS SELECT b FROM t; CREATE SCHEMA s; ALTER TABLE u RENAME TO w")
    await world.restart()
    client = world.client()
    assert await client.query("SELECT * FROM v") == [("z",)]
    assert await contents(client, "w") == []
    await client.query("INSERT INTO w VALUES (1, 'x')")
    assert await contents(client, "w") == [(1, "x")]


# Savepoints and what a transaction holds


@simulated
async def test_an_error_healed_by_rollback_to_leaves_the_transaction_what_it_holds(world: World) -> None:
    client, writer = world.client(), world.client()
    await writer.query("CREATE TABLE brief (x int) WITH (RETAIN HISTORY FOR '1s'); INSERT INTO brief VALUES (1)")
    await client.query("BEGIN; SAVEPOINT early; SELECT * FROM brief; SAVEPOINT late")
    for savepoint in ("late", "early", "late"):
        assert await fails(client, "SELECT 1/0") == "22012"
        assert await fails(client, "SELECT 1") == "25P02"
        await client.query(f"ROLLBACK TO {savepoint}; SAVEPOINT late")
        for x in range(2, 30):
            await writer.query(f"UPDATE brief SET x = {x}")
            await asyncio.sleep(0.5)
        assert await client.query("SELECT * FROM brief") == [(1,)]


@simulated
async def test_what_was_dropped_is_given_up_once_those_have_ended_that_began_before(world: World) -> None:
    before, after, other = world.client(), world.client(), world.client()
    await other.query("INSERT INTO u VALUES (1, 'x')")
    await before.query("BEGIN; SELECT * FROM t")
    id_ = world.life.environment.catalog.state.items
    (dropped,) = (item.id for item in id_.values() if item.name == "u")
    await other.query("DROP TABLE u")
    await asyncio.sleep(5)
    await after.query("BEGIN; SELECT * FROM t")
    storage = world.life.environment.storage
    assert not storage.frontiers(dropped).since.empty
    await before.query("ROLLBACK")
    await asyncio.sleep(5)
    assert dropped not in {collection.id for collection in storage.collections()}
    await after.query("COMMIT")


@simulated
async def test_a_transaction_holds_everything_once_and_what_it_reads_however_many_tables_there_are(
    world: World,
) -> None:
    client = world.client()
    await client.query("; ".join(f"CREATE TABLE many_{number} (x int)" for number in range(50)))
    await client.query("BEGIN; SELECT * FROM t; SELECT * FROM t")
    transaction = client.session.transactions.current
    assert transaction is not None and len(transaction.reads.holds) == 2
    storage = world.life.environment.storage
    assert sum(len(collection.holds) for collection in storage.collections()) <= 2


@simulated
async def test_cursors_can_be_declared_in_a_query_of_several_statements(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    query = "DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a; FETCH 1 FROM c; FETCH 1 FROM c"
    assert await client.query(query) == [(2,)]
    assert await fails(client, "FETCH 1 FROM c") == "34000"
    assert await fails(client, "DECLARE c CURSOR FOR SELECT a FROM t") == "25P01"


# Ids


@simulated
async def test_a_transaction_has_an_id_of_its_own(world: World) -> None:
    """Many within a millisecond, and one of several statements."""
    clients = [world.client() for _ in range(3)]
    asking = "SELECT txid_current(), txid_current()"
    seen: list[object] = []
    for client in [client for _ in range(4) for client in clients]:
        ((one, other),) = await client.query(asking)
        assert one == other
        seen.append(one)
    await clients[0].query("BEGIN")
    began = await clients[0].query(asking)
    await clients[1].query("INSERT INTO t VALUES (1, 'x')")
    seen.append(await value(clients[1], "SELECT txid_current()"))
    await clients[0].query("SAVEPOINT s")
    assert await clients[0].query(asking) == began
    await clients[0].query("COMMIT")
    seen.append(began[0][0])
    assert len(set(seen)) == len(seen)
