"""Of two transactions over one table the second fails only when the first has written a row with a key that it read."""

from __future__ import annotations

import asyncio
import random
from typing import Any
from unittest.mock import patch

import pytest

from compute.replica.dataflows.maintained import TickRows
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT4
from tests.compute.dataflows.interpreted import Interpreted
from tests.server.test_maintained import indexed
from tests.server.world import World, simulated
from tests.simulation.incarnation import SimClient
from tests.storage.memory import MemoryConsensus
from timeline.footprint import Footprint, KeyColumns

SETUP = (
    "CREATE TABLE k (id int PRIMARY KEY, u text UNIQUE, f float8, v int);"
    "CREATE TABLE child (c int PRIMARY KEY, id int REFERENCES k); CREATE VIEW seen AS SELECT * FROM k;"
    "CREATE TABLE log (n int); INSERT INTO k VALUES (1, 'a', 0, 1), (2, 'b', 2, 2), (3, 'c', 3, 3);"
    "INSERT INTO child VALUES (1, 3)"
)
APART = [
    ("SELECT * FROM k WHERE id = 1", "UPDATE k SET v = 0 WHERE id = 2"),
    ("SELECT * FROM k WHERE id = 9", "INSERT INTO k VALUES (8, 'h', 8, 8)"),
    ("PREPARE p (int2) AS UPDATE k SET v = 0 WHERE id = $1; EXECUTE p (1)", "UPDATE k SET v = 0 WHERE id = 2"),
    ("SELECT * FROM k WHERE u = 'a'::varchar", "UPDATE k SET v = 0 WHERE id = 2"),
    ("SELECT * FROM k WHERE id = ANY ('{1,3}'::int2[]::int[])", "UPDATE k SET v = 0 WHERE id = 2"),
    ("SELECT * FROM k WHERE id = 1 AND v > 0", "DELETE FROM k WHERE id = 2"),
    (
        "SELECT sum(v) FROM k WHERE id IN (1, 3)",
        "UPDATE k SET id = 7 WHERE id = 2",
    ),
    ("SELECT * FROM k WHERE u = 'a'", "UPDATE k SET u = 'x' WHERE u = 'b'"),
    ("UPDATE k SET v = v + 1 WHERE id = 1", "UPDATE k SET v = v + 1 WHERE id = 2"),
    ("INSERT INTO k VALUES (8, 'h', 8, 8)", "INSERT INTO k VALUES (9, 'i', 9, 9)"),
    ("SELECT * FROM seen WHERE id = 1", "UPDATE k SET v = 0 WHERE id = 2"),
    ("INSERT INTO child VALUES (2, 1)", "UPDATE k SET v = 0 WHERE id = 2"),
    ("DELETE FROM k WHERE id = 1", "INSERT INTO child VALUES (2, 2)"),
]
TOGETHER = [
    ("SELECT * FROM k WHERE id = 1", "UPDATE k SET v = 0 WHERE id = 1"),
    ("PREPARE p (int2) AS UPDATE k SET v = 0 WHERE id = $1; EXECUTE p (1)", "UPDATE k SET v = 0 WHERE id = 1"),
    ("SELECT * FROM k WHERE id = 1 AND v > 5", "UPDATE k SET v = 9 WHERE id = 1"),
    ("SELECT * FROM k WHERE id = 1", "UPDATE k SET id = 7 WHERE id = 1"),
    ("SELECT * FROM k WHERE id = 7", "UPDATE k SET id = 7 WHERE id = 1"),
    ("SELECT * FROM k WHERE id = 9", "INSERT INTO k VALUES (9, 'i', 9, 9)"),
    ("SELECT * FROM k WHERE f = '-0'", "UPDATE k SET v = 0 WHERE id = 1"),
    ("SELECT count(*) FROM k WHERE f = 'NaN'", "INSERT INTO k VALUES (9, 'i', 'NaN', 9)"),
    ("SELECT * FROM k WHERE v IS NULL", "INSERT INTO k VALUES (9, 'i', 9, NULL)"),
    ("SELECT * FROM k WHERE id = ANY (ARRAY[1, 2])", "DELETE FROM k WHERE id = 2"),
    ("SELECT * FROM k WHERE id = 1 OR id = 9", "INSERT INTO k VALUES (9, 'i', 9, 9)"),
    ("SELECT * FROM k WHERE id > 2", "UPDATE k SET v = 0 WHERE id = 1"),
    ("SELECT * FROM k WHERE id = 1 OR v = 9", "UPDATE k SET v = 9 WHERE id = 2"),
    ("SELECT * FROM k WHERE id = 1 UNION SELECT * FROM k WHERE v > 1", "UPDATE k SET v = 9 WHERE id = 2"),
    ("SELECT * FROM seen WHERE id = 1", "UPDATE k SET v = 0 WHERE id = 1"),
    ("SELECT * FROM seen", "UPDATE k SET v = 0 WHERE id = 2"),
    ("SELECT * FROM k JOIN log ON id = n", "UPDATE k SET v = 0 WHERE id = 2"),
    ("SELECT (SELECT v FROM k WHERE id = n) FROM (VALUES (1)) o (n)", "UPDATE k SET v = 0 WHERE id = 2"),
    ("SELECT * FROM k WHERE id = (random() * 0)::int + 1", "UPDATE k SET v = 0 WHERE id = 2"),
    ("INSERT INTO k VALUES (8, 'x', 8, 8)", "UPDATE k SET u = 'x' WHERE id = 2"),
    ("INSERT INTO child VALUES (2, 1)", "DELETE FROM k WHERE id = 1"),
    ("DELETE FROM k WHERE id = 1", "INSERT INTO child VALUES (2, 1)"),
    ("SELECT * FROM child WHERE id = 2", "INSERT INTO child VALUES (2, 2)"),
    ("SELECT * FROM k WHERE id = 1", "ALTER TABLE k ADD COLUMN w int DEFAULT 0"),
]


@pytest.mark.parametrize(("read", "write"), APART)
def test_different_keys_are_no_conflict(read: str, write: str) -> None:
    assert _outcome(read, write) is None


@pytest.mark.parametrize(("read", "write"), TOGETHER)
def test_what_may_meet_what_was_read_is_a_conflict(read: str, write: str) -> None:
    assert _outcome(read, write) is Sqlstate.SERIALIZATION_FAILURE


def test_a_locked_row_does_not_keep_the_keys_unread_that_its_change_is_held_against() -> None:
    read = "SELECT * FROM k WHERE id = 1 FOR UPDATE; UPDATE k SET u = 'x' WHERE id = 1"
    assert _outcome(read, "INSERT INTO k VALUES (9, 'x', 9, 9)") is Sqlstate.SERIALIZATION_FAILURE


def _outcome(read: str, write: str) -> Sqlstate | None:
    """How a transaction ends that reads, while another commits before it."""
    outcomes: list[Sqlstate | None] = []

    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await first.query(SETUP)
        await first.query("BEGIN")
        await first.query(read)
        await first.query("INSERT INTO log VALUES (1)")
        await second.query(write)
        outcomes.append(await _committed(first))

    law()
    (outcome,) = outcomes
    return outcome


async def _committed(client: SimClient) -> Sqlstate | None:
    try:
        await client.query("COMMIT")
    except SqlError as error:
        return error.sqlstate
    return None


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ("", "", None),
        ("UPDATE k SET v = 7 WHERE id = 1", "", None),
        ("SELECT * FROM k WHERE id = 9", "SELECT * FROM k WHERE u = 'b'", None),
        ("INSERT INTO log VALUES (2)", "INSERT INTO k VALUES (8, 'h', 8, 8)", None),
        ("SELECT * FROM k WHERE id = 1 FOR UPDATE", "", None),
        ("SELECT * FROM k WHERE id = 2", "", Sqlstate.SERIALIZATION_FAILURE),
        ("SELECT * FROM k WHERE id = 7", "", Sqlstate.SERIALIZATION_FAILURE),
        ("SELECT count(*) FROM child", "", Sqlstate.SERIALIZATION_FAILURE),
        ("SELECT count(*) FROM mz_tables", "", None),
        ("SELECT count(*) FROM mz_tables WHERE name = 'k'", "", Sqlstate.SERIALIZATION_FAILURE),
        ("SELECT mz_now()", "", Sqlstate.SERIALIZATION_FAILURE),
        ("SELECT * FROM k WHERE id = 1; CREATE TABLE made ()", "", Sqlstate.SERIALIZATION_FAILURE),
    ],
)
def test_who_goes_on_to_write_finds_rows_as_they_are_now(before: str, after: str, outcome: Sqlstate | None) -> None:
    """Unless that would make a difference to what has been read or told."""

    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await first.query(SETUP)
        await first.query("BEGIN")
        await first.query("SELECT * FROM k WHERE id = 3")
        await first.query(before)
        await second.query("UPDATE k SET v = 5, id = 7 WHERE id = 2")
        await second.query("UPDATE k SET id = 2 WHERE id = 7")
        await first.query("UPDATE k SET v = v + 1 WHERE id = 2")
        await first.query(after)
        assert await _committed(first) is outcome
        assert await second.query("SELECT v FROM k WHERE id = 2") == [(6 if outcome is None else 5,)]

    law()


def test_what_has_been_read_stays_as_it_was_told_for_who_goes_on_to_write() -> None:
    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await first.query(SETUP)
        await first.query("BEGIN")
        await first.query("SELECT * FROM k WHERE id = 1")
        await second.query("UPDATE k SET v = v + 10 WHERE id IN (1, 2)")
        await first.query("UPDATE k SET v = v + 1 WHERE id = 2")
        assert await first.query("SELECT id, v FROM k WHERE id IN (1, 2) ORDER BY id") == [(1, 1), (2, 3)]
        assert await _committed(first) is Sqlstate.SERIALIZATION_FAILURE

    law()


@pytest.mark.parametrize("query", ["SELECT n FROM log", "SELECT v FROM k WHERE id = 2"])
def test_a_cursor_shows_what_was_there_when_it_was_declared(query: str) -> None:
    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await first.query(SETUP)
        before = await first.query(query)
        await first.query("BEGIN")
        await first.query("SELECT * FROM k WHERE id = 3")
        await first.query(f"DECLARE c CURSOR FOR {query}")
        await second.query("INSERT INTO log VALUES (1); UPDATE k SET v = 5 WHERE id = 2")
        await first.query("UPDATE k SET v = v + 1 WHERE id = 3")
        assert await first.query("FETCH ALL c") == before
        assert await _committed(first) is Sqlstate.SERIALIZATION_FAILURE

    law()


@pytest.mark.parametrize("lasting_s", [0.05, 5])
def test_who_is_about_to_write_rows_lets_a_commit_go_first_that_changes_them(lasting_s: float) -> None:
    """Not for long."""

    @simulated
    async def law(world: World) -> None:
        first, second = world.client(), world.client()
        await first.query(SETUP)
        environment = world.life.environment
        log = next(item.id for item in environment.catalog.state.items.values() if item.name == "log")
        await first.query("BEGIN; UPDATE k SET v = v + 10 WHERE id = 1; INSERT INTO log VALUES (1)")
        async with environment.locks.writes.hold(Footprint(frozenset({log}))):
            committing = asyncio.create_task(_committed(first))
            await asyncio.sleep(0.01)
            await second.query("BEGIN")
            began = environment.clock.now_ms()
            writing = asyncio.create_task(second.query("UPDATE k SET v = v + 1 WHERE id = 1"))
            await asyncio.sleep(lasting_s)
            assert writing.done() == (lasting_s > 1)
        environment.committer.wake()
        await writing
        assert await committing is None
        assert environment.clock.now_ms() - began < (lasting_s + 1) * 1000
        assert await _committed(second) is (None if lasting_s < 1 else Sqlstate.SERIALIZATION_FAILURE)

    law()


@simulated
async def test_a_read_by_key_does_not_wait_for_an_index_where_a_commit_has_not_been_told_of_yet(world: World) -> None:
    """Consensus has the commit already, and gives its time to readers."""
    first, second = world.client(), world.client()
    await first.query("CREATE TABLE k (id int PRIMARY KEY, v int); INSERT INTO k VALUES (1, 1), (2, 2)")
    await indexed(world, first, "SELECT * FROM k WHERE id = 2")
    write, tick = MemoryConsensus.compare_and_set, Interpreted.tick

    async def told_late(*given: Any) -> bool:
        done = await write(*given)
        await asyncio.sleep(0.02)
        return done

    async def slow(*given: Any) -> TickRows:
        await asyncio.sleep(30)
        return await tick(*given)

    with patch.object(MemoryConsensus, "compare_and_set", told_late), patch.object(Interpreted, "tick", slow):
        writing = asyncio.create_task(first.query("UPDATE k SET v = 3 WHERE id = 2"))
        await asyncio.sleep(0.01)
        async with asyncio.timeout(1):
            assert await second.query("SELECT v FROM k WHERE id = 1") == [(1,)]
        await writing


@pytest.mark.parametrize(
    ("statement", "waits"),
    [
        ("UPDATE k SET v = 0 WHERE id = 2", False),
        ("DELETE FROM k WHERE id = 2 AND v > 0", False),
        ("DELETE FROM k WHERE id IN (2, 7) RETURNING v", False),
        ("INSERT INTO lone VALUES (2, 2)", False),
        ("UPDATE k SET v = 0 WHERE id = 1", True),
        ("DELETE FROM k WHERE id IN (1, 2)", True),
        ("UPDATE k SET id = 7 WHERE id = 2", True),
        ("UPDATE k SET u = 'z' WHERE id = 2", True),
        ("UPDATE k SET v = 0 WHERE u = 'b'", True),
        ("UPDATE k SET v = 0 WHERE v = 2", True),
        ("UPDATE k SET v = 0 WHERE id = 2 RETURNING (SELECT count(*) FROM k)", True),
        ("INSERT INTO k VALUES (9, 'i', 9, 9)", True),
        ("INSERT INTO lone VALUES (1, 2)", True),
        ("INSERT INTO lone VALUES (9, 9) ON CONFLICT DO NOTHING", True),
        ("INSERT INTO lone SELECT 9, 9 FROM log WHERE n < 0", True),
    ],
)
def test_a_statement_waits_for_one_of_its_own_rows_alone(statement: str, waits: bool) -> None:
    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query(
            SETUP.replace("CREATE TABLE child (c int PRIMARY KEY, id int REFERENCES k);", "").replace(
                "INSERT INTO child VALUES (1, 3)", "CREATE TABLE lone (id int PRIMARY KEY, v int)"
            )
        )
        await indexed(world, client, "SELECT * FROM k WHERE id = 2")
        await indexed(world, client, "SELECT * FROM k WHERE u = 'b'")
        environment = world.life.environment
        names = {item.name: item.id for item in environment.catalog.state.items.values()}
        keys = {KeyColumns(names[name], (0,), (INT4,)): frozenset({(1,)}) for name in ("k", "lone")}
        async with environment.locks.writes.hold(Footprint(keys=keys)):
            running = asyncio.create_task(client.query(statement))
            await asyncio.sleep(20)
            assert running.done() != waits
        environment.committer.wake()
        await asyncio.wait_for(running, 20)

    law()


@pytest.mark.parametrize("seed", range(3))
def test_single_statements_by_key_all_take_place(seed: int) -> None:
    """Whatever others do to the table meanwhile, none of them fails."""

    @simulated
    async def law(world: World) -> None:
        source = random.Random(seed)
        client = world.client()
        await client.query("CREATE TABLE k (id int PRIMARY KEY, n int)")
        await client.query("INSERT INTO k SELECT i, 0 FROM generate_series(0, 4) i")
        await indexed(world, client, "SELECT * FROM k WHERE id = 2")
        added = 0

        async def run(number: int) -> None:
            nonlocal added
            mine = world.client()
            for _ in range(20):
                match source.randrange(6):
                    case 0:
                        await mine.query(f"INSERT INTO k VALUES ({10 + number}, 0)")
                        await mine.query(f"UPDATE k SET id = id + 50 WHERE id = {10 + number}")
                        await mine.query(f"DELETE FROM k WHERE id = {60 + number}")
                    case 1:
                        await mine.query("UPDATE k SET n = n + 1 WHERE n >= 0 AND id < 5")
                        added += 5
                    case _:
                        await mine.query(f"UPDATE k SET n = n + 1 WHERE id = {source.randrange(5)}")
                        added += 1
                await asyncio.sleep(source.random() * 0.02)

        await asyncio.gather(*map(run, range(6)))
        assert await client.query("SELECT count(*), sum(n) FROM k") == [(5, added)]

    law()
