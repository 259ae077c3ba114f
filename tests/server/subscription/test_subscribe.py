"""What SUBSCRIBE promises: every change once, at its time, in order, and progress that is true."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from model.errors.sql_error import SqlError
from model.types.datum import Row
from server.pgwire.backend import CopyOut, Rows
from server.subscription.limits import BufferLimits
from tests.server.world import World, fails, now_of, simulated, value
from tests.simulation.incarnation import SimClient

BOTH = "SELECT t.a, t.b FROM t UNION ALL SELECT u.a, u.b FROM u"


class Stream:
    """A client that reads what SUBSCRIBE gives, as it comes."""

    def __init__(self, client: SimClient, sql: str) -> None:
        self.client = client
        self.rows: list[Row] = []
        self._task = asyncio.create_task(self._read(sql))

    async def _read(self, sql: str) -> None:
        try:
            async for result in self.client.session.simple_query(sql):
                assert isinstance(result, Rows | CopyOut)
                async for batch in result.batches:
                    self.rows.extend(batch)
        except SqlError as error:
            await self.client.session.fail(error)
            raise

    async def until(self, enough: Callable[[list[Row]], bool]) -> list[Row]:
        """The rows so far, once they are enough."""
        while not enough(self.rows):
            assert not self._task.done() or not self._task.exception(), self._task.exception()
            await asyncio.sleep(0.01)
        return self.rows

    async def end(self) -> list[Row]:
        """The rows, when there will be no more."""
        await self._task
        return self.rows

    async def failure(self) -> SqlError:
        with pytest.raises(SqlError) as raised:
            await self._task
        return raised.value

    async def leave(self) -> None:
        """As a client whose connection is gone."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self.client.session.close()


def time_of(row: Row) -> int:
    return int(str(row[0]))


def progressed(rows: Iterable[Row]) -> list[int]:
    """The frontiers stated."""
    return [time_of(row) for row in rows if row[1] is True]


def contents(changes: Iterable[Row], before: int | None = None) -> Counter[Row]:
    """What changes (of WITH (PROGRESS)) at times before `before` add up to."""
    found: Counter[Row] = Counter()
    for row in changes:
        if row[1] is False and (before is None or time_of(row) < before):
            found[row[3:]] += int(str(row[2]))
    return Counter({row: count for row, count in found.items() if count})


async def holds_on(world: World, *names: str) -> int:
    """Volatile holds on tables."""
    catalog, storage = world.life.environment.catalog.state, world.life.environment.storage
    ids = {item.name: id_ for id_, item in catalog.items.items()}
    return sum(
        len(collection.holds) for collection in storage.collections() if collection.id in {ids[n] for n in names}
    )


@simulated
async def test_the_snapshot_comes_first_and_changes_follow(world: World) -> None:
    writer, reader = world.client(), world.client()
    await writer.query("INSERT INTO t VALUES (1, 'x'), (1, 'x'), (2, 'y')")
    began = await now_of(reader)
    stream = Stream(reader, "SUBSCRIBE t WITH (PROGRESS)")
    await stream.until(lambda rows: len(progressed(rows)) > 1)
    assert stream.rows[0][:2] == (stream.rows[0][0], True), "first it says from where on"
    assert time_of(stream.rows[0]) >= began
    snapshot = [row for row in stream.rows if not row[1]]
    assert {time_of(row) for row in snapshot} == {time_of(stream.rows[0])}
    assert {row[2:] for row in snapshot} == {(2, 1, "x"), (1, 2, "y")}
    await writer.query("UPDATE t SET b = 'z' WHERE a = 1")
    await writer.query("DELETE FROM t WHERE a = 2; INSERT INTO t VALUES (3, 'w')")
    later = await now_of(writer)
    rows = await stream.until(lambda rows: max(progressed(rows)) > later)
    changes = [row for row in rows if not row[1]][2:]
    first, second = time_of(changes[0]), time_of(changes[2])
    assert [(time_of(row), row[2:]) for row in sorted(changes[:2], key=str)] == [
        (first, (-2, 1, "x")),
        (first, (2, 1, "z")),
    ]
    assert {(time_of(row), row[2:]) for row in changes[2:]} == {(second, (-1, 2, "y")), (second, (1, 3, "w"))}
    await stream.leave()


@simulated
async def test_progress_is_true_and_times_do_not_go_back(world: World) -> None:
    reader = world.client()
    stream = Stream(reader, "SUBSCRIBE t WITH (PROGRESS)")
    writers = [asyncio.create_task(_write(world.client(), random.Random(seed), 25)) for seed in range(3)]
    await asyncio.gather(*writers)
    end = await now_of(world.client())
    rows = await stream.until(lambda rows: bool(progressed(rows)) and max(progressed(rows)) > end)
    frontier = 0
    for row in rows:
        assert time_of(row) >= frontier, "a change came at a time that was said to be complete"
        frontier = max(frontier, time_of(row)) if row[1] else frontier
    assert [time_of(row) for row in rows] == sorted(time_of(row) for row in rows)
    seen = Counter((time_of(row), row[3:]) for row in rows if not row[1])
    assert max(seen.values()) == 1, "consolidated within a timestamp"
    await stream.leave()


async def _write(client: SimClient, source: random.Random, count: int) -> None:
    for _ in range(count):
        a, table = source.randrange(4), source.choice(["t", "u"])
        await client.query(
            source.choice(
                [
                    f"INSERT INTO {table} VALUES ({a}, 'x'), ({a}, 'y')",
                    f"DELETE FROM {table} WHERE a = {a}",
                    f"UPDATE {table} SET a = a + 1 WHERE b = 'x'",
                    f"BEGIN; INSERT INTO t VALUES ({a}, 'p'); INSERT INTO u VALUES ({a}, 'p'); COMMIT",
                ]
            )
        )
        await asyncio.sleep(source.random() * 0.02)


@pytest.mark.in_part(4, first=1)
@pytest.mark.parametrize("seed", range(6))
def test_replaying_equals_select_as_of_at_every_frontier(seed: int) -> None:
    @simulated
    async def law(world: World) -> None:
        source = random.Random(seed)
        await _write(world.client(), source, 5)
        streams = {}
        for table in ("t", "u"):
            streams[table] = Stream(world.client(), f"SUBSCRIBE (SELECT b, a FROM {table}) WITH (PROGRESS)")
        await asyncio.gather(*(_write(world.client(), random.Random(f"{seed} {n}"), 15) for n in range(3)))
        end = await now_of(world.client())
        checker = world.client()
        for table, stream in streams.items():
            rows = await stream.until(lambda rows: bool(progressed(rows)) and max(progressed(rows)) > end)
            for frontier in progressed(rows)[1:]:
                selected = await checker.query(f"SELECT b, a FROM {table} AS OF {frontier - 1}")
                assert contents(rows, frontier) == Counter(selected), f"{table} before {frontier}"
            await stream.leave()

    law()


@simulated
async def test_as_of_begins_and_up_to_ends(world: World) -> None:
    client = world.client()
    times = []
    for number in range(4):
        await client.query(f"INSERT INTO t VALUES ({number}, 'x')")
        times.append(await now_of(client))
    between = await client.query(f"SUBSCRIBE t AS OF {times[1]} UP TO {times[3]}")
    assert [(time_of(row), *row[1:]) for row in between[:2]] == [(times[1], 1, 0, "x"), (times[1], 1, 1, "x")]
    assert len(between) == 3 and time_of(between[2]) < times[3]
    without = await client.query(f"SUBSCRIBE t WITH (SNAPSHOT = false) AS OF {times[1]} UP TO {times[3]}")
    assert without == between[2:], "AS OF t without the snapshot begins after t"
    assert await client.query(f"SUBSCRIBE t AS OF {times[1]} UP TO {times[1]}") == []
    stated = await client.query(f"SUBSCRIBE t WITH (PROGRESS) AS OF {times[1]} UP TO {times[3]}")
    assert progressed(stated)[0] == times[1] and stated[-1][:2] == (stated[-1][0], True)
    assert progressed(stated)[-1] == times[3]
    assert await fails(client, f"SUBSCRIBE t AS OF {times[1]} UP TO {times[0]}") == "22023"
    assert await fails(client, "SUBSCRIBE t UP TO 5") == "22023"
    assert await fails(client, "SUBSCRIBE t AS OF NULL::mz_timestamp") == "22004"
    assert len(await client.query(f"SUBSCRIBE t AS OF AT LEAST {times[0]} UNTIL LATEST")) == 4


@simulated
async def test_the_whole_past_can_be_read(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("UPDATE t SET b = 'y'; DELETE FROM t")
    await client.query("INSERT INTO t VALUES (1, 'x')")
    changes = await client.query("TAIL t AS OF EARLIEST UNTIL LATEST")
    assert [row[1:] for row in changes] == [(1, 1, "x"), (-1, 1, "x"), (1, 1, "x")]


@simulated
async def test_before_since_is_the_error_of_selects(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    messages = []
    for sql in ("SELECT * FROM t AS OF 5", "SUBSCRIBE t AS OF 5"):
        with pytest.raises(SqlError) as raised:
            await client.query(sql)
        messages.append((raised.value.sqlstate, raised.value.message, raised.value.hint))
    assert messages[0] == messages[1]


@simulated
async def test_what_was_acknowledged_before_is_in_the_snapshot(world: World) -> None:
    writer, reader = world.client(), world.client()
    for number in range(20):
        await writer.query(f"INSERT INTO t VALUES ({number}, 'x')")
        seen = await reader.query("SUBSCRIBE t UNTIL LATEST")
        assert len(seen) == number + 1 and len({time_of(row) for row in seen}) == 1


@simulated
async def test_constants_are_given_once(world: World) -> None:
    client = world.client()
    rows = await client.query("SUBSCRIBE (VALUES (1, 'a'), (1, 'a'), (2, 'b'))")
    assert Counter(row[1:] for row in rows) == Counter([(2, 1, "a"), (1, 2, "b")])
    assert await client.query("SUBSCRIBE (SELECT 1) WITH (SNAPSHOT = false)") == []


@simulated
async def test_envelopes_and_orders_shape_the_rows(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    start = await now_of(client)
    await client.query("UPDATE t SET b = 'z' WHERE a = 1")
    await client.query("DELETE FROM t WHERE a = 2")
    await client.query("INSERT INTO t VALUES (1, 'again')")
    upserts = await client.query(f"SUBSCRIBE t ENVELOPE UPSERT (KEY (a)) AS OF {start} UNTIL LATEST")
    assert [row[1:] for row in upserts[:2]] == [("upsert", 1, "x"), ("upsert", 2, "y")]
    assert [row[1:] for row in upserts[2:]] == [("upsert", 1, "z"), ("delete", 2, None), ("upsert", 1, "again")]
    debezium = await client.query(f"SUBSCRIBE t ENVELOPE DEBEZIUM (KEY (a)) AS OF {start} UNTIL LATEST")
    assert [row[1:] for row in debezium[2:]] == [
        ("upsert", 1, "x", "z"),
        ("delete", 2, "y", None),
        ("insert", 1, None, "again"),
    ]
    ordered = await client.query(
        f"SUBSCRIBE t WITHIN TIMESTAMP ORDER BY mz_diff DESC, b DESC AS OF {start} UNTIL LATEST"
    )
    assert [row[1:] for row in ordered[:4]] == [(1, 2, "y"), (1, 1, "x"), (1, 1, "z"), (-1, 1, "x")]
    assert await fails(client, "SUBSCRIBE t ENVELOPE UPSERT (KEY (c))") == "42703"
    assert await fails(client, "SUBSCRIBE t ENVELOPE UPSERT (KEY (a, a))") == "42701"
    assert await fails(client, "SUBSCRIBE (SELECT a, b AS a FROM t) ENVELOPE UPSERT (KEY (a))") == "42702"
    assert await fails(client, "SUBSCRIBE t WITHIN TIMESTAMP ORDER BY c") == "42703"
    assert await fails(client, "SUBSCRIBE t WITHIN TIMESTAMP ORDER BY (SELECT max(a) FROM u)") == "0A000"
    assert await fails(client, "SUBSCRIBE nothing") == "42P01"


@simulated
async def test_a_cursor_gives_what_has_come_when_its_time_is_over(world: World) -> None:
    reader, writer = world.client(), world.client()
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    await reader.query("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t")
    assert [row[1:] for row in await reader.query("FETCH ALL c")] == [(1, 1, "x")]
    clock = asyncio.get_running_loop()
    before = clock.time()
    assert await reader.query("FETCH 5 c WITH (TIMEOUT = '700ms')") == []
    assert 0.7 <= clock.time() - before < 0.8
    writing = asyncio.create_task(_after(0.2, writer, "INSERT INTO t VALUES (2, 'x'); INSERT INTO t VALUES (3, 'x')"))
    before = clock.time()
    assert len(await reader.query("FETCH 2 c WITH (TIMEOUT = '10s')")) == 2
    assert clock.time() - before < 5, "it comes back as soon as there are enough"
    await writing
    await writer.query("INSERT INTO t VALUES (4, 'x'), (5, 'x')")
    assert [row[2] for row in await reader.query("FETCH ALL c")] == [4, 5], "all that was acknowledged before"
    assert await reader.query("FETCH ALL c") == []
    assert await reader.query("FETCH 3 c WITH (TIMEOUT 0)") == []
    writing = asyncio.create_task(_after(2, writer, "INSERT INTO t VALUES (6, 'x')"))
    assert [row[2] for row in await reader.query("FETCH c")] == [6], "without a timeout it waits"
    await writing
    await reader.query("COMMIT")
    assert await fails(reader, "FETCH c") == "34000"
    assert await holds_on(world, "t") == 0


async def _after(seconds: float, client: SimClient, sql: str) -> None:
    await asyncio.sleep(seconds)
    await client.query(sql)


@simulated
async def test_a_cursor_with_an_end_is_fetched_to_it(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    now = await now_of(client)
    await client.query(f"BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t WITH (PROGRESS) UP TO {now + 3000}")
    rows = await client.query("FETCH ALL c")
    assert time_of(rows[-1]) == now + 3000 and rows[-1][1] is True
    assert await client.query("FETCH c") == []
    await client.query("COMMIT")


@simulated
async def test_a_cursor_only_goes_forward(world: World) -> None:
    client = world.client()
    assert await fails(client, "DECLARE c CURSOR FOR SUBSCRIBE t") == "25P01"
    for sql in ("DECLARE c CURSOR WITH HOLD FOR SUBSCRIBE t", "DECLARE c SCROLL CURSOR FOR SUBSCRIBE t"):
        assert await fails(client, f"BEGIN; {sql}") == "0A000"
        await client.query("ROLLBACK")
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, 'x')")
    await client.query("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t WITHIN TIMESTAMP ORDER BY a")
    assert len(await client.query("FETCH 2 c")) == 2
    assert [row[2] for row in await client.query("FETCH RELATIVE 1 c")] == [3]
    for back in ("PRIOR", "RELATIVE 0"):
        assert await fails(client, f"SAVEPOINT s; FETCH {back} c") == "55000"
        await client.query("ROLLBACK TO s")
    await client.query("ROLLBACK")


@simulated
async def test_what_ends_a_subscription_lets_go_of_what_it_held(world: World) -> None:
    await world.client().query("INSERT INTO t VALUES (1, 'x')")
    streams = [Stream(world.client(), "SUBSCRIBE t WITH (PROGRESS)") for _ in range(3)]
    for stream in streams:
        await stream.until(lambda rows: len(rows) > 2)
    cursor = world.client()
    await cursor.query("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t; DECLARE d CURSOR FOR SUBSCRIBE t; FETCH ALL c")
    assert await holds_on(world, "t") > 0
    streams[0].client.session.cancel()
    assert (await streams[0].failure()).sqlstate.value == "57014"
    await streams[1].leave()
    await cursor.query("CLOSE c")
    await cursor.session.close()
    streams[2].client.session.cancel()
    await streams[2].failure()
    await asyncio.sleep(0.1)
    assert await holds_on(world, "t") == 0
    names = [task.get_name() for task in asyncio.all_tasks() if "Subscription" in repr(task.get_coro())]
    assert names == []


@simulated
async def test_a_slow_reader_does_not_hold_the_past(world: World) -> None:
    """Its inputs are held up to where the source has come, so what it has not read yet is not history kept for it."""
    reader, writer = world.client(), world.client()
    await reader.query("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t")
    began = await now_of(writer)
    for number in range(30):
        await writer.query(f"INSERT INTO t VALUES ({number}, 'x')")
        await asyncio.sleep(0.05)
    environment = world.life.environment
    (id_,) = [id_ for id_, item in environment.catalog.state.items.items() if item.name == "t"]
    (collection,) = [each for each in environment.storage.collections() if each.id == id_]
    held = collection.holds.meet().time
    assert held is not None and held > began + 500
    assert len(await reader.query("FETCH ALL c")) == 30
    await reader.query("COMMIT")


@simulated
async def test_statement_timeout_bounds_the_beginning_only(world: World) -> None:
    client = world.client()
    await client.query("SET statement_timeout = '300ms'")
    stream = Stream(client, "SUBSCRIBE t")
    await asyncio.sleep(2)
    await world.client().query("INSERT INTO t VALUES (1, 'x')")
    assert len(await stream.until(lambda rows: len(rows) == 1)) == 1
    client.session.cancel()
    assert (await stream.failure()).sqlstate.value == "57014"
    future = await now_of(client) + 60_000
    assert await fails(client, f"SUBSCRIBE t AS OF {future}") == "57014"
    await client.query("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE u")
    assert await fails(client, "FETCH c") == "57014", "FETCH is a statement like others"
    await client.query("ROLLBACK")


@simulated
async def test_a_subscription_ends_with_what_it_reads(world: World) -> None:
    stream = Stream(world.client(), "SUBSCRIBE t")
    await world.client().query("INSERT INTO t VALUES (1, 'x')")
    await stream.until(lambda rows: len(rows) == 1)
    await world.client().query("DROP TABLE t")
    error = await stream.failure()
    assert (error.sqlstate.value, error.message) == ("42P01", 'subscription ended: relation "t" was dropped')


@simulated
async def test_it_goes_on_where_the_transaction_reads(world: World) -> None:
    """SELECT, then SUBSCRIBE without its snapshot: together they are the whole history, without a gap or a repeat."""
    client, writer = world.client(), world.client()
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("BEGIN")
    selected = await client.query("SELECT * FROM t")
    await writer.query("INSERT INTO t VALUES (2, 'x')")
    await client.query("DECLARE c CURSOR FOR SUBSCRIBE t WITH (SNAPSHOT = false)")
    await writer.query("INSERT INTO t VALUES (3, 'x')")
    changes = await client.query("FETCH ALL c")
    assert selected == [(1, "x")] and [row[1:] for row in changes] == [(1, 2, "x"), (1, 3, "x")]
    await client.query("COMMIT")


@simulated
async def test_it_does_not_decide_when_the_transaction_reads(world: World) -> None:
    client, writer = world.client(), world.client()
    await client.query("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t")
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    assert await value(client, "SELECT count(*) FROM t") == 1
    await client.query("ROLLBACK")
    await client.query("BEGIN; CREATE TABLE w (a int)")
    assert await fails(client, "DECLARE c CURSOR FOR SUBSCRIBE w") == "55000"
    await client.query("ROLLBACK")


@simulated
async def test_a_reader_that_is_too_slow_is_told_and_nobody_else_notices(world: World) -> None:
    world.life.environment.options.subscribe_limits = BufferLimits(memory_bytes=20_000, spill_bytes=100_000)
    slow, quick = world.client(), Stream(world.client(), "SUBSCRIBE t WITH (PROGRESS)")
    await slow.query("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t")
    writer = world.client()
    for number in range(12):
        await writer.query(
            f"INSERT INTO t SELECT n, 'some text' FROM generate_series({number * 500}, {number * 500} + 499) n"
        )
    end = await now_of(writer)
    rows = await quick.until(lambda rows: bool(progressed(rows)) and max(progressed(rows)) > end)
    assert sum(contents(rows).values()) == 6000
    with pytest.raises(SqlError) as raised:
        await slow.query("FETCH 10 c")
    assert raised.value.sqlstate.value == "53400"
    assert "CREATE READ HOLD" in (raised.value.hint or "")
    await quick.leave()
    await slow.query("ROLLBACK")
    assert await holds_on(world, "t") == 0


_VIEWS = {
    "joined": "SELECT t.a, t.b, u.b AS c FROM t JOIN u ON t.a = u.a",
    "counted": "SELECT a, count(*) AS n, max(b) AS b FROM t GROUP BY a",
    "outer": "SELECT t.a, u.b FROM t LEFT JOIN u ON t.a = u.a",
    "first": "SELECT a, b FROM t ORDER BY b, a LIMIT 2",
    "both": BOTH,
    "except": "SELECT a, b FROM t EXCEPT SELECT a, b FROM u",
}


@pytest.mark.in_part(4)
@pytest.mark.parametrize("name", _VIEWS)
def test_replaying_a_query_equals_select_as_of(name: str) -> None:
    @simulated
    async def law(world: World) -> None:
        source = random.Random(name)
        await _write(world.client(), source, 5)
        setup = world.client()
        await setup.query(f"CREATE VIEW v AS {_VIEWS[name]}; CREATE MATERIALIZED VIEW m AS {_VIEWS[name]}")
        held = await holds_on(world, "t", "u")
        streams = {
            what: Stream(world.client(), f"SUBSCRIBE {what} WITH (PROGRESS)")
            for what in ("v", "m", "(SELECT * FROM v WHERE a > 0)")
        }
        await asyncio.gather(*(_write(world.client(), random.Random(f"{name} {n}"), 8) for n in range(2)))
        end = await now_of(world.client())
        checker = world.client()
        for what, stream in streams.items():
            rows = await stream.until(lambda rows: bool(progressed(rows)) and max(progressed(rows)) > end)
            assert [time_of(row) for row in rows] == sorted(time_of(row) for row in rows)
            for frontier in progressed(rows)[1:]:
                selected = await checker.query(f"SELECT * FROM {what} q AS OF {frontier - 1}")
                assert contents(rows, frontier) == Counter(selected), f"{what} before {frontier}"
            await stream.leave()
        await asyncio.sleep(1)
        assert await holds_on(world, "t", "u") == held, "the materialized view alone holds its inputs"

    law()


@simulated
async def test_an_error_ends_it_after_all_that_came_before(world: World) -> None:
    writer = world.client()
    await writer.query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    stream = Stream(world.client(), "SUBSCRIBE (SELECT 12 / a, b FROM t) WITH (PROGRESS)")
    await stream.until(lambda rows: len(rows) > 3)
    await writer.query("INSERT INTO t VALUES (3, 'z')")
    await writer.query("INSERT INTO t VALUES (0, 'bad')")
    failed = await now_of(world.client())
    error = await stream.failure()
    assert (error.sqlstate.value, error.message) == ("22012", "division by zero")
    assert contents(stream.rows) == Counter([(12, "x"), (6, "y"), (4, "z")])
    assert max(progressed(stream.rows)) <= failed
    assert await fails(world.client(), "SUBSCRIBE (SELECT 12 / a FROM t)") == "22012"
    await writer.query("DELETE FROM t WHERE a = 0")
    healed = await world.client().query("SUBSCRIBE (SELECT 12 / a FROM t) UNTIL LATEST")
    assert {row[2] for row in healed} == {4, 6, 12} and len(healed) == 3


@simulated
async def test_rows_leave_by_themselves_when_their_time_comes(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE events (name text, until mz_timestamp)")
    now = await now_of(client)
    await client.query(f"INSERT INTO events VALUES ('e', '{now + 3000}')")
    sql = f"SUBSCRIBE (SELECT name FROM events WHERE mz_now() < until) UP TO {now + 5000}"
    rows = await client.query(sql)
    assert [row[1:] for row in rows] == [(1, "e"), (-1, "e")] and time_of(rows[1]) == now + 3000


@simulated
async def test_what_cannot_be_followed_is_refused(world: World) -> None:
    client = world.client()
    assert await fails(client, "SUBSCRIBE (SELECT a, random() FROM t)") == "0A000"
    assert await fails(client, "SUBSCRIBE (SELECT 1 WHERE mz_now() > 5)") == "0A000"


@simulated
async def test_a_replica_that_dies_is_not_noticed(world: World) -> None:
    writer = world.client()
    await writer.query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    stream = Stream(world.client(), "SUBSCRIBE (SELECT a, count(*) FROM t GROUP BY a) WITH (PROGRESS)")
    await stream.until(lambda rows: len(rows) > 3)
    for number in range(5):
        world.life.host.crash()
        await writer.query(f"INSERT INTO t VALUES ({number}, 'x')")
        await asyncio.sleep(0.7)
    end = await now_of(writer)
    rows = await stream.until(lambda rows: max(progressed(rows)) > end)
    for frontier in progressed(rows)[1:]:
        selected = await writer.query(f"SELECT a, count(*) FROM t GROUP BY a AS OF {frontier - 1}")
        assert contents(rows, frontier) == Counter(selected)
    await stream.leave()


@simulated
async def test_a_cursor_survives_a_statement_that_fails(world: World) -> None:
    client, writer = world.client(), world.client()
    await writer.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t; SAVEPOINT s")
    assert len(await client.query("FETCH ALL c")) == 1
    assert await fails(client, "SELECT 1 / 0") == "22012"
    await writer.query("INSERT INTO t VALUES (2, 'x')")
    await client.query("ROLLBACK TO s")
    waiting = asyncio.create_task(client.query("FETCH 5 c"))
    await asyncio.sleep(1)
    client.session.cancel()
    with pytest.raises(SqlError, match="canceling statement"):
        await waiting
    await client.query("ROLLBACK TO s")
    await writer.query("INSERT INTO t VALUES (3, 'x')")
    assert [row[2] for row in await client.query("FETCH ALL c")] == [2, 3], "a cancelled FETCH takes nothing"
    await client.query("ROLLBACK")
    assert await holds_on(world, "t") == 0


@simulated
async def test_what_fails_to_begin_holds_nothing(world: World) -> None:
    client = world.client()
    now = await now_of(client)
    for sql in (
        "SUBSCRIBE (SELECT a, random() FROM t)",
        f"SUBSCRIBE t AS OF {now} UP TO {now - 1}",
        "SUBSCRIBE t AS OF 1",
        "SUBSCRIBE t UP TO NULL::mz_timestamp",
    ):
        await fails(client, sql)
        assert await holds_on(world, "t") == 0, sql


@simulated
async def test_prepared_statements_may_subscribe(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    await client.query("PREPARE s (int) AS SUBSCRIBE (SELECT b FROM t WHERE a = $1) UNTIL LATEST")
    assert [row[1:] for row in await client.query("EXECUTE s (2)")] == [(1, "y")]
    assert await client.query("SUBSCRIBE t UNTIL LATEST; SELECT 1; SUBSCRIBE u UNTIL LATEST") == []


@simulated
async def test_explain_tells_how_a_subscription_is_maintained(world: World) -> None:
    client = world.client()

    async def lines(sql: str) -> list[str]:
        return [str(line) for (line,) in await client.query(sql)]

    query = "SUBSCRIBE (SELECT a, count(*) FROM t GROUP BY a) WITH (PROGRESS)"
    assert "With l0 = Reduce by #0 to count_star() [accumulable]" in await lines(f"EXPLAIN PHYSICAL PLAN FOR {query}")
    assert await lines(f"EXPLAIN {query}") == await lines(f"EXPLAIN OPTIMIZED PLAN FOR {query}")
    assert (await lines(f"EXPLAIN {query}"))[0] == "Reduce by #0 to count_star()"
    assert any("oracle read timestamp" in line for line in await lines(f"EXPLAIN TIMESTAMP FOR {query}"))


@simulated
async def test_explain_tells_what_is_followed_of_numerics(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE priced (a int, n numeric)")
    for source in ("priced", "(SELECT * FROM priced)", "(SELECT a, n FROM (TABLE priced) q)"):
        assert str(await client.query(f"EXPLAIN SUBSCRIBE {source}")).startswith("[('Read public.priced ")
    assert "shown_as" in str(await client.query("EXPLAIN SUBSCRIBE (SELECT a, n::text AS t FROM priced)"))
