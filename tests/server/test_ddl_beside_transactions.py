"""What others do to the catalog while a transaction is open: it goes on in the catalog of its time, and what it writes
commits only if what it relied on is still so."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from model.time.timestamp import Timestamp
from tests.server.locking.sessions import until_waiting
from tests.server.world import World, fails, now_of, simulated
from tests.simulation.incarnation import SimClient
from timeline.durable_oracle import DurableOracle

SETUP = (
    "CREATE TABLE s (a int, b text); INSERT INTO t VALUES (1, 'x'); INSERT INTO s VALUES (5, 's');"
    "CREATE VIEW v AS SELECT a FROM t; CREATE VIEW w AS SELECT a + 50 AS a FROM s;"
    "CREATE MATERIALIZED VIEW m AS SELECT a FROM t; CREATE MATERIALIZED VIEW n AS SELECT a + 50 AS a FROM s;"
    "CREATE DEFAULT INDEX ON v; CREATE VIEW deep AS SELECT a FROM v; CREATE SCHEMA other"
)
CHANGES = {
    "v": (
        "CREATE OR REPLACE VIEW v AS SELECT a + 100 AS a FROM t",
        "ALTER VIEW v SWAP WITH w",
        "ALTER VIEW v RENAME TO elsewhere",
        "ALTER VIEW v RENAME TO elsewhere; CREATE VIEW v AS SELECT 7 AS a",
        "DROP VIEW v CASCADE",
        "DROP VIEW v CASCADE; DROP MATERIALIZED VIEW m; DROP TABLE t",
        "DROP INDEX v_primary_idx; DROP VIEW v CASCADE; CREATE VIEW v AS SELECT 7 AS a",
        "ALTER SCHEMA public RENAME TO former; CREATE SCHEMA public; CREATE TABLE u (a int, b text)",
    ),
    "deep": (
        "CREATE OR REPLACE VIEW v AS SELECT a + 100 AS a FROM t",
        "CREATE OR REPLACE VIEW deep AS SELECT a + 1 AS a FROM v",
    ),
    "m": (
        "CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT a + 100 AS a FROM t",
        "ALTER MATERIALIZED VIEW m SWAP WITH n",
        "DROP MATERIALIZED VIEW m",
        "DROP MATERIALIZED VIEW m; DROP VIEW v CASCADE; DROP TABLE t; CREATE TABLE t (a int)",
    ),
    "t": (
        "ALTER TABLE t RENAME TO elsewhere",
        "ALTER TABLE t SWAP WITH s",
        "ALTER TABLE t RENAME COLUMN a TO c",
        "ALTER TABLE t ADD COLUMN c int DEFAULT 5",
    ),
}
CASES = [(read, change) for read, changes in CHANGES.items() for change in changes]


def _select(name: str) -> str:
    return f"SELECT a FROM {name}"


@pytest.mark.parametrize(("read", "change"), CASES)
def test_a_transaction_reads_in_the_catalog_of_its_time(read: str, change: str) -> None:
    @simulated
    async def law(world: World) -> None:
        reader, late, other = world.client(), world.client(), world.client()
        await other.query(SETUP)
        await reader.query(f"BEGIN; {_select(read)}")
        # Another has read something else before, and comes to this only now.
        await late.query("BEGIN; SELECT * FROM u")
        await other.query(change)
        await other.query("INSERT INTO u VALUES (9, 'y')")
        await asyncio.sleep(30)
        for client in (reader, late):
            assert await client.query(_select(read)) == [(1,)]
            assert await client.query(f"SELECT * FROM {read}") == [(1, "x") if read == "t" else (1,)]
            assert await client.query(f"SELECT count(*) FROM {read} x JOIN u ON true") == [(0,)]
            assert await client.query(f"DECLARE c CURSOR FOR {_select(read)}; FETCH ALL FROM c") == [(1,)]
            assert await client.query(f"PREPARE p AS {_select(read)}; EXECUTE p") == [(1,)]
            await client.query("COMMIT")

    law()


@pytest.mark.parametrize(("read", "change"), CASES)
def test_a_transaction_that_writes_fails_when_what_it_read_means_something_else(read: str, change: str) -> None:
    @simulated
    async def law(world: World) -> None:
        writer, other = world.client(), world.client()
        await other.query(SETUP)
        await writer.query(f"BEGIN; {_select(read)}; INSERT INTO u VALUES (1, 'x')")
        await other.query(change)
        assert await fails(writer, "COMMIT") == "40001"
        assert await other.query("SELECT * FROM u") == []

    law()


@pytest.mark.parametrize("change", CHANGES["t"])
def test_the_table_of_a_transaction_that_only_writes_goes_by_another_name_after_its_commit(change: str) -> None:
    @simulated
    async def law(world: World) -> None:
        writer, other = world.client(), world.client()
        await other.query(SETUP)
        await writer.query("BEGIN; INSERT INTO t (a) VALUES (1)")
        waiting = asyncio.create_task(other.query(change))
        await until_waiting(world)
        await writer.query("COMMIT")
        await waiting

    law()


@simulated
async def test_what_others_do_elsewhere_in_the_catalog_is_no_conflict(world: World) -> None:
    writer, other = world.client(), world.client()
    await other.query(SETUP)
    await writer.query("BEGIN; SELECT * FROM deep; SELECT * FROM m; INSERT INTO u VALUES (1, 'x')")
    await other.query("CREATE TABLE more (a int); CREATE VIEW over AS SELECT * FROM v; DROP VIEW w")
    await other.query("CREATE INDEX again ON v (a); ALTER TABLE t SET (RETAIN HISTORY FOR '1h')")
    await other.query("CREATE OR REPLACE MATERIALIZED VIEW n AS SELECT a + 100 AS a FROM s")
    await writer.query("COMMIT")
    assert await other.query("SELECT a FROM u") == [(1,)]


@simulated
async def test_a_name_that_another_item_takes_in_the_search_path_is_a_conflict(world: World) -> None:
    writer, other = world.client(), world.client()
    await other.query(SETUP)
    await writer.query("SET search_path = other, public")
    await writer.query("BEGIN; SELECT * FROM v; INSERT INTO u VALUES (1, 'x')")
    await other.query("CREATE VIEW other.v AS SELECT 7 AS a")
    assert await fails(writer, "COMMIT") == "40001"


@simulated
async def test_a_transactions_own_changes_to_the_catalog_are_in_what_it_sees(world: World) -> None:
    client, other = world.client(), world.client()
    await other.query(SETUP)
    await client.query("BEGIN; SELECT * FROM v")
    await other.query("CREATE OR REPLACE VIEW v AS SELECT a + 100 AS a FROM t; DROP VIEW w")
    await client.query("CREATE VIEW own AS SELECT a + 1 AS a FROM v; CREATE TABLE mine (a int)")
    await client.query("INSERT INTO mine VALUES (4)")
    assert await client.query("SELECT a FROM own UNION ALL SELECT a FROM w UNION ALL SELECT a FROM mine") == [
        (2,),
        (55,),
        (4,),
    ]
    await client.query("SAVEPOINT p; CREATE OR REPLACE VIEW own AS SELECT a + 2 AS a FROM v")
    assert await client.query("SELECT a FROM own") == [(3,)]
    await client.query("ROLLBACK TO p")
    assert await client.query("SELECT a FROM own") == [(2,)]
    assert await fails(client, "COMMIT") == "40001"


@simulated
async def test_its_own_replacement_of_what_it_read_is_no_conflict(world: World) -> None:
    client, other = world.client(), world.client()
    await other.query(SETUP)
    await client.query("BEGIN; SELECT * FROM v; CREATE OR REPLACE VIEW v AS SELECT a + 1 AS a FROM t; SELECT * FROM v")
    await client.query("ALTER VIEW w RENAME TO x; SELECT * FROM x; COMMIT")
    assert await other.query("SELECT a FROM v UNION ALL SELECT a FROM x") == [(2,), (55,)]


@simulated
async def test_as_of_and_max_staleness_take_names_as_they_are_now(world: World) -> None:
    client, other = world.client(), world.client()
    await other.query(SETUP)
    await client.query("BEGIN; SELECT * FROM v")
    now = await now_of(client)
    await other.query("CREATE OR REPLACE VIEW v AS SELECT a + 100 AS a FROM t")
    assert await client.query("SELECT a FROM v") == [(1,)]
    assert await client.query(f"SELECT a FROM v AS OF {now}") == [(101,)]
    await client.query("COMMIT; SET max_staleness = '10s'")
    assert await client.query("SELECT a FROM v") == [(101,)]


@contextmanager
def _interrupted(client: SimClient, sql: str) -> Iterator[None]:
    """Once, between a statement's planning and its timestamp, `client` runs `sql`."""
    read_ts = DurableOracle.read_ts
    pending = [sql]

    async def slow(self: DurableOracle) -> Timestamp:
        if pending:
            await client.query(pending.pop())
        return await read_ts(self)

    with patch.object(DurableOracle, "read_ts", slow):
        yield


@simulated
async def test_a_catalog_that_changes_between_planning_and_the_timestamp_is_the_one_that_is_read(world: World) -> None:
    client, other = world.client(), world.client()
    await other.query(SETUP)
    for begin in ("", "BEGIN; "):
        with _interrupted(other, "CREATE OR REPLACE VIEW v AS SELECT a + 100 AS a FROM t"):
            assert await client.query(f"{begin}SELECT a FROM v") == [(101,)]
        with _interrupted(other, "CREATE OR REPLACE VIEW v AS SELECT a FROM t"):
            assert await client.query("SELECT a FROM v") == ([(101,)] if begin else [(1,)])
    await client.query("ROLLBACK")
    with _interrupted(other, "DROP VIEW v CASCADE"):
        assert await fails(client, "SELECT a FROM v") == "42P01"
