"""ALTER TABLE through conflicts, restarts and the past: no history loses what a table holds, or shows it otherwise."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest

from model.errors.sql_error import SqlError
from tests.judge import Judge
from tests.server.locking.sessions import error_of, waiting
from tests.server.world import World, fails, now_of, simulated, value
from tests.simulation.incarnation import SimClient

Postgres = psycopg.Connection[tuple[object, ...]]

# One session


@simulated
async def test_columns_and_what_fills_them_outlive_a_restart(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("ALTER TABLE t ADD c int, ADD d int DEFAULT 7, ADD e serial")
    await client.query("INSERT INTO t VALUES (2, 'y', 5)")
    await world.restart()
    client = world.client()
    assert sorted(await client.query("SELECT * FROM t")) == [(1, "x", None, 7, 1), (2, "y", 5, 7, 2)]
    await client.query("UPDATE t SET c = 6; ALTER TABLE t ADD f text DEFAULT 'f'")
    assert sorted(await client.query("SELECT * FROM t")) == [(1, "x", 6, 7, 1, "f"), (2, "y", 6, 7, 2, "f")]


@simulated
async def test_a_time_before_the_change_has_the_rows_of_then(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    before = await now_of(client)
    await client.query("ALTER TABLE t ADD c int DEFAULT 7")
    await client.query("INSERT INTO t VALUES (2, 'y')")
    assert await client.query(f"SELECT * FROM t AS OF {before}") == [(1, "x", None)]


@simulated
async def test_a_column_is_dropped_for_good(world: World) -> None:
    client = world.client()
    await client.query("ALTER TABLE t ADD c int DEFAULT 7")
    await client.query("INSERT INTO t VALUES (1, 'x', 7), (2, 'y', 8)")
    await client.query(
        "CREATE MATERIALIZED VIEW m AS SELECT c, count(*) AS n FROM t GROUP BY c; CREATE INDEX i ON t (c)"
    )
    before = await now_of(client)
    await client.query("ALTER TABLE t DROP b")
    await client.query("INSERT INTO t VALUES (3, 8)")
    for _ in range(2):
        assert sorted(await client.query("SELECT * FROM t")) == [(1, 7), (2, 8), (3, 8)]
        assert sorted(await client.query("SELECT * FROM m")) == [(7, 1), (8, 2)]
        assert sorted(await client.query("SELECT * FROM t WHERE c = 8")) == [(2, 8), (3, 8)]
        assert sorted(await client.query(f"SELECT * FROM t AS OF {before}")) == [(1, 7), (2, 8)]
        assert await fails(client, "SELECT b FROM t") == "42703"
        await world.restart()
        client = world.client()
    await client.query("ALTER TABLE t ADD b int DEFAULT 5")
    assert sorted(await client.query("SELECT * FROM t")) == [(1, 7, 5), (2, 8, 5), (3, 8, 5)]
    assert await fails(client, "ALTER TABLE t DROP c") == "2BP01"
    await client.query("ALTER TABLE t DROP c CASCADE")
    assert sorted(await client.query("SELECT * FROM t")) == [(1, 5), (2, 5), (3, 5)]
    assert await fails(client, "SELECT * FROM m") == "42P01"


@simulated
async def test_a_type_is_changed_with_all_that_there_is(world: World) -> None:
    client = world.client()
    await client.query("ALTER TABLE t ADD c int DEFAULT 7")
    await client.query("INSERT INTO t VALUES (1, '10', 7), (2, '20', 8)")
    await client.query(
        "CREATE INDEX i ON t (b); CREATE MATERIALIZED VIEW m AS SELECT c, count(*) AS n FROM t GROUP BY c"
    )
    await client.query("BEGIN; ALTER TABLE t ALTER b TYPE int8 USING b::int8 + 1; INSERT INTO t VALUES (3, 30, 8)")
    assert sorted(await client.query("SELECT * FROM t")) == [(1, 11, 7), (2, 21, 8), (3, 30, 8)]
    await client.query("ROLLBACK")
    assert sorted(await client.query("SELECT * FROM t")) == [(1, "10", 7), (2, "20", 8)]
    await client.query("ALTER TABLE t ALTER b TYPE int8 USING b::int8 + 1")
    await client.query("INSERT INTO t VALUES (3, 30, 8)")
    for _ in range(2):
        assert sorted(await client.query("SELECT * FROM t")) == [(1, 11, 7), (2, 21, 8), (3, 30, 8)]
        assert await client.query("SELECT a FROM t WHERE b = 21") == [(2,)]
        assert sorted(await client.query("SELECT * FROM m")) == [(7, 1), (8, 2)]
        await world.restart()
        client = world.client()
    assert await fails(client, "ALTER TABLE t ALTER c TYPE text") == "0A000"
    assert await fails(client, "ALTER TABLE t ALTER b TYPE int2 USING b * 10000") == "22003"
    assert sorted(await client.query("SELECT b FROM t")) == [(11,), (21,), (30,)]


@simulated
async def test_a_dropped_column_is_seen_by_transactions_of_before(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("INSERT INTO t VALUES (1, 'x')")
    await one.query("BEGIN")
    assert await one.query("SELECT * FROM t") == [(1, "x")]
    await other.query("ALTER TABLE t DROP b")
    assert await other.query("SELECT * FROM t") == [(1,)]
    assert await one.query("SELECT * FROM t") == [(1, "x")]
    await one.query("COMMIT")
    assert await one.query("SELECT * FROM t") == [(1,)]


@simulated
async def test_dropping_a_column_is_undone_by_rollback(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("BEGIN; ALTER TABLE t DROP b; INSERT INTO t VALUES (2)")
    assert sorted(await client.query("SELECT * FROM t")) == [(1,), (2,)]
    await client.query("ROLLBACK")
    assert await client.query("SELECT * FROM t") == [(1, "x")]


@simulated
async def test_a_view_that_came_meanwhile_keeps_its_column(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("BEGIN; ALTER TABLE t DROP b")
    await other.query("CREATE VIEW young AS SELECT b FROM t")
    assert await fails(one, "COMMIT") == "40001"
    assert await other.query("SELECT * FROM young") == []


@simulated
async def test_what_reads_the_table_goes_on(world: World) -> None:
    client = world.client()
    await client.query("INSERT INTO t VALUES (1, 'x')")
    await client.query("CREATE VIEW v AS SELECT * FROM t; CREATE INDEX i ON t (a)")
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT b, count(*) AS n FROM v GROUP BY b")
    await client.query("ALTER TABLE t ADD c int DEFAULT 3, ADD d int")
    await client.query("INSERT INTO t VALUES (2, 'x', 4, 5)")
    assert sorted(await client.query("SELECT * FROM v")) == [(1, "x"), (2, "x")]
    assert await client.query("SELECT * FROM m") == [("x", 2)]
    assert await client.query("SELECT * FROM t WHERE a = 1") == [(1, "x", 3, None)]
    await client.query("ALTER TABLE t ALTER a DROP NOT NULL")
    await world.restart()
    assert await world.client().query("SELECT * FROM m") == [("x", 2)]


@simulated
async def test_a_column_that_may_be_null_again_counts_so_in_views(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE k (a int NOT NULL); INSERT INTO k VALUES (1)")
    await client.query("CREATE MATERIALIZED VIEW m AS SELECT count(a) AS n, count(*) AS rows FROM k")
    await client.query("ALTER TABLE k ALTER a DROP NOT NULL; INSERT INTO k VALUES (NULL)")
    assert await client.query("SELECT * FROM m") == [(1, 2)]


# Several sessions


@simulated
async def test_rows_of_a_transaction_that_knew_another_table_get_the_default_too(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("BEGIN; INSERT INTO t VALUES (1, 'x')")
    altered = await waiting(world, other, "ALTER TABLE t ADD c int DEFAULT 7")
    await one.query("COMMIT")
    await altered
    await one.query("INSERT INTO t VALUES (2, 'y')")
    assert await one.query("SELECT * FROM t ORDER BY a") == [(1, "x", 7), (2, "y", 7)]


@simulated
async def test_rows_wait_for_a_column_that_is_not_committed_yet(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("BEGIN; ALTER TABLE t ADD c int DEFAULT 7")
    inserted = await waiting(world, other, "INSERT INTO t VALUES (1, 'x')")
    await one.query("COMMIT")
    await inserted
    assert await other.query("SELECT * FROM t") == [(1, "x", 7)]


@simulated
async def test_of_two_that_add_one_column_one_wins(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("BEGIN; ALTER TABLE t ADD c int")
    late = await waiting(world, other, "ALTER TABLE t ADD c text")
    await one.query("COMMIT")
    assert await error_of(late) == "42701"


@simulated
async def test_writers_beside_columns_that_come_lose_no_row(world: World) -> None:
    async def write(client: SimClient, number: int) -> int:
        for _ in range(20):
            told = await _told(client, f"INSERT INTO t (a) VALUES ({number})")
            if told == "00000":
                return 1
            assert told.startswith("40001")
        return 0

    async def widen(client: SimClient) -> None:
        for number in range(10):
            await client.query(f"ALTER TABLE t ADD c{number} int DEFAULT {number}")

    clients = [world.client() for _ in range(30)]
    written = [write(client, number) for number, client in enumerate(clients)]
    done = await asyncio.gather(widen(world.client()), *written)
    rows = await world.client().query("SELECT * FROM t")
    assert len(rows) == sum(each or 0 for each in done[1:]) > 0
    assert {tuple(row[2:]) for row in rows} == {tuple(range(10))}
    assert await value(world.client(), "SELECT count(DISTINCT a) FROM t") == len(rows)


@simulated
async def test_a_crash_leaves_the_table_as_it_was_or_as_it_is_to_be(world: World) -> None:
    await world.client().query("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    seen = set()
    for number in range(12):
        altering = asyncio.create_task(_told(world.client(), f"ALTER TABLE t ADD c{number} int DEFAULT {number}"))
        for _ in range(number * 12):
            await asyncio.sleep(0)
        await world.restart()
        altering.cancel()
        await asyncio.gather(altering, return_exceptions=True)
        names = "SELECT column_name FROM information_schema.columns WHERE table_name = 't' ORDER BY ordinal_position"
        columns = [str(name) for (name,) in await world.client().query(names)][2:]
        seen.add(f"c{number}" in columns)
        for row in await world.client().query("SELECT * FROM t"):
            assert row[2:] == tuple(int(name[1:]) for name in columns)
    assert seen == {False, True}


# Against PostgreSQL

_SEEDS = range(12)
_STEPS = 25
_TYPES = ("int", "text", "numeric(6,2)", "bool")
_VALUES = {"int": ("1", "2", "3", "NULL"), "text": ("'x'", "'y'", "NULL"), "numeric(6,2)": ("1.5", "2", "NULL")}
_VALUES["bool"] = ("true", "false", "NULL")


class _Draw:
    """Statements over table g, whose columns it follows as far as to name them mostly right."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._columns = {"k": "int"}
        self._next = 0

    def statements(self) -> Iterator[str]:
        for _ in range(_STEPS):
            yield self._dml() if self._random.random() < 0.6 else f"ALTER TABLE g {self._actions()}"

    def _value(self, column: str) -> str:
        return self._random.choice(_VALUES[self._columns[column]])

    def _column(self) -> str:
        return self._random.choice(list(self._columns))

    def _dml(self) -> str:
        column = self._column()
        match self._random.randrange(4):
            case 0 | 1:
                return f"INSERT INTO g ({column}) VALUES ({self._value(column)}), ({self._value(column)})"
            case 2:
                where = self._column()
                return f"UPDATE g SET {column} = {self._value(column)} WHERE {where} = {self._value(where)}"
            case _:
                return f"DELETE FROM g WHERE {column} = {self._value(column)}"

    def _actions(self) -> str:
        return ", ".join(self._action() for _ in range(self._random.choice((1, 1, 2, 3))))

    def _action(self) -> str:
        column = self._column()
        match self._random.randrange(7):
            case 0:
                return f"ALTER {column} SET DEFAULT {self._value(column)}"
            case 1:
                return f"ALTER {column} DROP DEFAULT"
            case 2:
                return f"ALTER {column} SET NOT NULL"
            case 3:
                return f"ALTER {column} DROP NOT NULL"
            case _:
                return self._added()

    def _added(self) -> str:
        self._next += 1
        name, type_ = f"c{self._next}", self._random.choice(_TYPES)
        self._columns[name] = type_
        said = f"ADD {name} {type_}"
        if self._random.random() < 0.6:
            said += f" DEFAULT {self._value(name)}"
        return said + self._random.choice(("", "", " NOT NULL", f" CHECK ({name} IS NOT NULL)", " UNIQUE"))


@pytest.mark.parametrize("seed", _SEEDS)
def test_random_changes_leave_what_postgres_has(judge: Judge, seed: int) -> None:
    with judge.connect() as postgres:
        _change_both(postgres, seed)


def _change_both(postgres: Postgres, seed: int) -> None:
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE g (k int)")
        for sql in _Draw(seed).statements():
            expected = _outcome(postgres, sql)
            assert await _told(client, sql) == expected, sql
            if expected[:5] != "00000" or not sql.startswith("ALTER"):
                continue
            assert await _contents(client) == _judged(postgres), sql
            if len(sql) % 5 == 0:
                await world.restart()
                client = world.client()
        assert await _contents(client) == _judged(postgres)

    postgres.execute("CREATE TABLE g (k int)")
    try:
        simulated(law)()
    finally:
        postgres.execute("DROP TABLE g")


def _outcome(postgres: Postgres, sql: str) -> str:
    try:
        postgres.execute(sql)
    except psycopg.Error as error:
        return f"{error.sqlstate} {error.diag.message_primary}"
    return "00000"


async def _told(client: SimClient, sql: str) -> str:
    try:
        await client.query(sql)
    except SqlError as error:
        return f"{error.sqlstate.value} {error.message}"
    return "00000"


def _judged(postgres: Postgres) -> Counter[tuple[object, ...]]:
    return Counter(postgres.execute("SELECT * FROM g").fetchall())


async def _contents(client: SimClient) -> Counter[tuple[object, ...]]:
    return Counter(map(tuple, await client.query("SELECT * FROM g")))
