"""Sequences: no value is given twice, whoever asks, whatever becomes of the transaction, and after no crash."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from server.ledgers.counting.counter import LOGGED_AHEAD
from server.start.bootstrap import close_environment
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.world import World, fails, simulated, value
from tests.server_process import ServerProcess, start_server
from tests.simulation.incarnation import SimClient
from timeline.waiting import LockOwner

_CLIENTS = 8
_FOR_S = 2.0


async def drawn(client: SimClient, sequence: str = "s") -> int:
    found = await value(client, f"SELECT nextval('{sequence}')")
    assert isinstance(found, int)
    return found


# Who is given what


@simulated
async def test_no_two_sessions_are_given_one_value(world: World) -> None:
    await world.client().query("CREATE SEQUENCE s")
    clients = [world.client() for _ in range(5)]

    async def draw(client: SimClient) -> list[int]:
        return [await drawn(client) for _ in range(50)]

    found = await asyncio.gather(*map(draw, clients))
    assert sorted(each for some in found for each in some) == list(range(1, 251))


@simulated
async def test_a_recursion_in_a_thread_counts_like_others(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("CREATE SEQUENCE s")
    sql = (
        "WITH RECURSIVE r (n, v) AS (SELECT 1, nextval('s') UNION ALL SELECT n + 1, nextval('s') FROM r WHERE n < 300)"
    )
    rows, more = await asyncio.gather(client.query(f"{sql} SELECT v FROM r"), other.query(f"{sql} SELECT v FROM r"))
    assert sorted(rows + more) == [(number,) for number in range(1, 601)]


@simulated
async def test_each_session_keeps_the_values_of_a_cache_for_itself(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("CREATE SEQUENCE s CACHE 3")
    assert [await drawn(one), await drawn(other), await drawn(one), await drawn(other)] == [1, 4, 2, 5]
    assert [await drawn(one), await drawn(one)] == [3, 7]
    await one.query("ALTER SEQUENCE s RESTART")
    assert [await drawn(other), await drawn(one)] == [1, 4]


@simulated
async def test_what_a_session_has_taken_is_its_own(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("CREATE SEQUENCE s")
    assert [await drawn(one), await drawn(other)] == [1, 2]
    assert await value(one, "SELECT currval('s')") == 1
    assert await value(one, "SELECT lastval()") == 1
    await other.query("DISCARD SEQUENCES")
    assert await fails(other, "SELECT currval('s')") == "55000"
    assert await fails(other, "SELECT lastval()") == "55000"
    await one.query("DROP SEQUENCE s; CREATE SEQUENCE s")
    assert await fails(one, "SELECT lastval()") == "55000"
    assert await fails(one, "SELECT currval('s')") == "55000"


# Transactions


@simulated
async def test_a_restart_takes_place_when_its_transaction_commits(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("CREATE TABLE c (id serial, a int); INSERT INTO c (a) VALUES (1), (2)")
    await one.query("BEGIN; TRUNCATE c RESTART IDENTITY; INSERT INTO c (a) VALUES (3)")
    assert await drawn(other, "c_id_seq") == 3
    await one.query("COMMIT")
    assert await value(other, "SELECT id FROM c") == 1
    assert await drawn(other, "c_id_seq") == 2
    await one.query("BEGIN; ALTER SEQUENCE c_id_seq RESTART WITH 100")
    assert await drawn(one, "c_id_seq") == 100
    await one.query("ROLLBACK")
    assert await drawn(one, "c_id_seq") == 3


@simulated
async def test_nobody_counts_for_a_sequence_that_others_dropped_or_restarted_meanwhile(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("CREATE SEQUENCE s; CREATE SEQUENCE r")
    await one.query("BEGIN; CREATE TABLE x (a int)")
    await other.query("DROP SEQUENCE s; ALTER SEQUENCE r RESTART WITH 9")
    assert await fails(one, "SELECT nextval('s')") == "40001"
    await one.query("ROLLBACK; BEGIN; CREATE TABLE x (a int)")
    assert await drawn(one, "r") == 9
    await one.query("ROLLBACK; BEGIN; SELECT * FROM t")
    await other.query("ALTER SEQUENCE r RESTART WITH 20; CREATE SEQUENCE late")
    assert [await drawn(one, "r"), await drawn(one, "late")] == [20, 1]


@simulated
async def test_a_sequence_of_a_transaction_that_is_rolled_back_leaves_nothing(world: World) -> None:
    client = world.client()
    await client.query("BEGIN; CREATE SEQUENCE s")
    assert [await drawn(client), await drawn(client)] == [1, 2]
    await client.query("ROLLBACK; CREATE SEQUENCE s")
    assert await drawn(client) == 1
    await client.query("BEGIN; CREATE SEQUENCE gone")
    assert await drawn(client, "gone") == 1
    await world.restart()
    client = world.client()
    await client.query("CREATE SEQUENCE gone")
    assert await drawn(client, "gone") == 1


# Crashes


@simulated
async def test_a_crash_skips_what_was_reserved_and_gives_nothing_again(world: World) -> None:
    client = world.client()
    await client.query("CREATE SEQUENCE s; CREATE SEQUENCE down INCREMENT -1; CREATE SEQUENCE untouched START 5")
    await client.query("CREATE TABLE c (id serial, a int); INSERT INTO c (a) VALUES (1), (2)")
    last = [await drawn(client) for _ in range(40)][-1]
    assert await drawn(client, "down") == -1
    await world.restart()
    client = world.client()
    found = await drawn(client)
    assert last < found <= last + LOGGED_AHEAD + 1
    assert -2 - LOGGED_AHEAD <= await drawn(client, "down") < -1
    assert await drawn(client, "untouched") == 5
    await client.query("INSERT INTO c (a) VALUES (3)")
    assert len(await client.query("SELECT DISTINCT id FROM c")) == 3


@simulated
async def test_setval_and_restart_outlive_a_crash(world: World) -> None:
    client = world.client()
    await client.query("CREATE SEQUENCE s; CREATE SEQUENCE r; CREATE SEQUENCE b MAXVALUE 50")
    await client.query("SELECT setval('s', 1000); SELECT setval('b', 40)")
    assert [await drawn(client, "r"), await drawn(client, "b")] == [1, 41]
    await client.query("ALTER SEQUENCE r RESTART WITH 500; ALTER SEQUENCE b MAXVALUE 45")
    await world.restart()
    client = world.client()
    assert [await drawn(client), await drawn(client, "r"), await drawn(client, "b")] == [1001, 500, 42]
    await client.query("SELECT setval('r', 7, false)")
    await world.restart()
    assert await drawn(world.client(), "r") == 7


@simulated
async def test_an_end_that_is_no_crash_skips_nothing(world: World) -> None:
    client = world.client()
    await client.query("CREATE SEQUENCE s")
    assert [await drawn(client), await drawn(client)] == [1, 2]
    await close_environment(world.life.environment)
    await world.restart()
    assert await drawn(world.client()) == 3


@simulated
async def test_nobody_learns_of_a_value_before_it_is_reserved_durably(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query("CREATE SEQUENCE s")
    counters = world.life.environment.counters
    async with world.life.environment.committer.hold(LockOwner()):
        draw, look = asyncio.create_task(drawn(client)), asyncio.create_task(value(other, "SELECT last_value FROM s"))
        await asyncio.sleep(0.5)
        assert not draw.done() and not look.done()
        assert not counters.covered(client.session.asker.counters.reservation)
    assert [await draw, await look] == [1, 1]
    assert counters.covered(client.session.asker.counters.reservation)


@simulated
async def test_few_takes_cost_a_commit(world: World) -> None:
    client = world.client()
    await client.query("CREATE SEQUENCE s")
    await drawn(client)
    started = asyncio.get_running_loop().time()
    for _ in range(LOGGED_AHEAD):
        await drawn(client)
    assert asyncio.get_running_loop().time() == started


@simulated
async def test_what_is_dropped_is_forgotten(world: World) -> None:
    client = world.client()
    for _ in range(5):
        await client.query("CREATE TABLE c (id serial); INSERT INTO c VALUES (DEFAULT)")
        await client.query("DROP TABLE c")
    await client.query("CREATE TABLE c (a int)")
    await asyncio.sleep(3)
    assert not world.life.environment.counters.collections


# What is refused by name


@simulated
async def test_values_are_not_taken_where_rows_are_looked_at_in_no_order(world: World) -> None:
    client = world.client()
    await client.query("CREATE SEQUENCE s; INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    assert len(await client.query("SELECT nextval('s'), a FROM t")) == 2
    await client.query("CREATE VIEW v AS SELECT nextval('s') AS n, a FROM t")
    assert await fails(client, "CREATE MATERIALIZED VIEW m AS SELECT nextval('s') FROM t") == "0A000"
    assert await fails(client, "CREATE MATERIALIZED VIEW m AS SELECT last_value FROM s") == "0A000"
    assert await fails(client, "CREATE INDEX ON v (n)") == "0A000"
    for query in ("SELECT last_value FROM s", "SELECT nextval('s')", "SELECT nextval('s') FROM t"):
        assert await fails(client, f"SUBSCRIBE ({query})") == "0A000"


# Clients


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


def test_copy_counts_the_rows_that_come(server: MemoryServer) -> None:
    with server.connect() as connection:
        connection.execute("CREATE TABLE copied (id serial, a text, b int GENERATED ALWAYS AS IDENTITY)")
        with connection.cursor() as cursor:
            with cursor.copy("COPY copied (a) FROM STDIN") as copy:
                copy.write(b"x\ny\nz\n")
            with cursor.copy("COPY copied FROM STDIN") as copy:
                copy.write(b"70\tw\t80\n")
            with cursor.copy("COPY (SELECT nextval('copied_id_seq'), a FROM copied ORDER BY a) TO STDOUT") as copy:
                assert b"".join(copy) == b"4\tw\n5\tx\n6\ty\n7\tz\n"
        rows = connection.execute("SELECT * FROM copied ORDER BY id").fetchall()
        assert rows == [(1, "x", 1), (2, "y", 2), (3, "z", 3), (70, "w", 80)]


def test_drivers_get_the_keys_that_were_made(server: MemoryServer) -> None:
    with server.connect() as connection:
        connection.execute("CREATE TABLE made (id bigserial, a text)")
        cursor = connection.cursor()
        cursor.executemany("INSERT INTO made (a) VALUES (%s) RETURNING id", [("x",), ("y",)], returning=True)
        found = []
        while True:
            found += cursor.fetchall()
            if not cursor.nextset():
                break
        assert found == [(1,), (2,)]
        assert connection.execute("SELECT nextval(%s)", ("made_id_seq",)).fetchone() == (3,)


# kill -9


class _Ledger:
    """What clients were told, by whichever server."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.told: list[int] = []
        self.inserted: list[int] = []

    def note(self, told: list[int], inserted: list[int]) -> None:
        with self.lock:
            self.told += told
            self.inserted += inserted


def _work(server: ServerProcess, ledger: _Ledger, stop: threading.Event, number: int) -> None:
    with contextlib.suppress(psycopg.OperationalError), server.connect() as connection:
        while not stop.is_set():
            (row,) = connection.execute("SELECT nextval('ids'), nextval('ids')").fetchall()
            ledger.note([each for each in row if isinstance(each, int)], [])
            sql = "INSERT INTO kept (client) VALUES (%s), (%s) RETURNING id"
            rows = connection.execute(sql, (number, number)).fetchall()
            inserted = [each for (each,) in rows if isinstance(each, int)]
            ledger.note(inserted, inserted)
            with contextlib.suppress(psycopg.errors.DivisionByZero), connection.transaction():
                (back,) = connection.execute("INSERT INTO kept (client) VALUES (0) RETURNING id").fetchall()
                ledger.note([each for each in back if isinstance(each, int)], [])
                connection.execute("SELECT 1/0")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_kill_gives_a_value_twice(tmp_path: Path) -> None:
    ledger = _Ledger()
    server = start_server(tmp_path)
    try:
        with server.connect() as connection:
            connection.execute("CREATE SEQUENCE ids; CREATE TABLE kept (id int DEFAULT nextval('ids'), client int)")
        for _ in range(3):
            stop = threading.Event()
            clients = [
                threading.Thread(target=_work, args=(server, ledger, stop, number)) for number in range(_CLIENTS)
            ]
            for client in clients:
                client.start()
            time.sleep(_FOR_S)
            server.kill()
            stop.set()
            for client in clients:
                client.join(60)
                assert not client.is_alive(), "a client hangs"
            server = start_server(tmp_path)
        twice = [each for each, count in Counter(ledger.told).items() if count > 1]
        assert not twice, f"given twice, of {len(ledger.told)}: {twice[:10]}"
        with server.connect() as connection:
            kept = [row[0] for row in connection.execute("SELECT id FROM kept").fetchall()]
        assert len(set(kept)) == len(kept), "two rows have one id"
        assert set(ledger.inserted) <= set(kept), "an acknowledged row is lost"
    finally:
        server.stop()
