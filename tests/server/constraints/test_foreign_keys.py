"""Foreign keys through random statements, conflicts and restarts: no history of the server leaves a dangling row."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest

from model.errors.sql_error import SqlError
from tests.server.locking.sessions import error_of, waiting
from tests.server.world import World, fails, simulated, value
from tests.simulation.incarnation import SimClient

Postgres = psycopg.Connection[tuple[object, ...]]

_DANGLING = "SELECT count(*) FROM c WHERE p IS NOT NULL AND NOT EXISTS (SELECT 1 FROM p WHERE p.a = c.p)"


async def told(client: SimClient, sql: str) -> str:
    """The SQLSTATE and message that `sql` ends with."""
    try:
        await client.query(sql)
    except SqlError as error:
        return f"{error.sqlstate.value} {error.message}, {error.detail}"
    return "00000"


async def family(world: World, rule: str = "") -> SimClient:
    """Tables p and c, of which c references p, and p has 1, 2 and 3."""
    client = world.client()
    await client.query(f"CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE c (i int, p int REFERENCES p {rule})")
    await client.query("INSERT INTO p VALUES (1), (2), (3)")
    return client


# Several sessions


@simulated
async def test_of_transactions_that_delete_a_row_and_reference_it_one_fails(world: World) -> None:
    await family(world)
    for first, second in (("delete", "insert"), ("insert", "delete")):
        clients = {"delete": world.client(), "insert": world.client()}
        await clients["delete"].query("BEGIN; DELETE FROM p WHERE a = 1")
        await clients["insert"].query("BEGIN; INSERT INTO c VALUES (1, 1)")
        await clients[first].query("COMMIT")
        assert await fails(clients[second], "COMMIT") == "40001"
        assert await value(world.client(), _DANGLING) == 0
        await world.client().query("DELETE FROM c; INSERT INTO p VALUES (1) ON CONFLICT DO NOTHING")


@simulated
async def test_of_statements_that_delete_a_row_and_reference_it_one_is_refused(world: World) -> None:
    await family(world)
    found = await asyncio.gather(
        told(world.client(), "DELETE FROM p WHERE a = 1"), told(world.client(), "INSERT INTO c VALUES (1, 1)")
    )
    assert sorted(each[:5] for each in found) == ["00000", "23503"]
    assert await value(world.client(), _DANGLING) == 0


@simulated
async def test_a_foreign_key_waits_for_a_transaction_that_does_not_know_it(world: World) -> None:
    one, other = world.client(), world.client()
    await one.query("CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE c (i int, p int)")
    added = "ALTER TABLE c ADD CONSTRAINT f FOREIGN KEY (p) REFERENCES p; INSERT INTO c VALUES (1, 1)"
    for late in ("DELETE FROM p", "INSERT INTO c VALUES (1, 5)"):
        await one.query("INSERT INTO p VALUES (1)")
        await other.query(f"BEGIN; {late}")
        adding = await waiting(world, one, added)
        await other.query("COMMIT")
        assert await error_of(adding) == "23503"


@simulated
async def test_many_sessions_leave_no_row_dangling(world: World) -> None:
    await family(world, "ON DELETE CASCADE")
    await world.client().query("CREATE INDEX ON c (p)")
    states: Counter[str] = Counter()

    async def work(seed: int) -> None:
        source, client = random.Random(seed), world.client()
        for _ in range(12):
            number = source.randint(1, 3)
            statement = source.choice(
                (
                    f"INSERT INTO c VALUES ({seed}, {number})",
                    f"DELETE FROM p WHERE a = {number}",
                    f"INSERT INTO p VALUES ({number}) ON CONFLICT DO NOTHING",
                    f"UPDATE c SET p = {number} WHERE i = {seed}",
                )
            )
            explicit = source.random() < 0.4
            if explicit:
                await client.query("BEGIN")
            state = await told(client, statement)
            if explicit:
                state = await told(client, "COMMIT" if state == "00000" else "ROLLBACK")
            states[state[:5]] += 1

    await asyncio.gather(*map(work, range(8)))
    assert await value(world.client(), _DANGLING) == 0
    assert set(states) <= {"00000", "23503", "40001"}
    await world.restart()
    assert await value(world.client(), _DANGLING) == 0
    assert await fails(world.client(), "INSERT INTO c VALUES (1, 99)") == "23503"


@simulated
async def test_what_is_deferred_is_held_at_commit(world: World) -> None:
    client = await family(world, "DEFERRABLE INITIALLY DEFERRED")
    await client.query("BEGIN; INSERT INTO c VALUES (1, 7); INSERT INTO p VALUES (7); COMMIT")
    await client.query("BEGIN; DELETE FROM p WHERE a = 7; SAVEPOINT s; INSERT INTO c VALUES (2, 8); ROLLBACK TO s")
    await client.query("INSERT INTO p VALUES (7); COMMIT")
    await client.query("BEGIN; DELETE FROM p WHERE a = 7")
    assert await fails(client, "COMMIT") == "23503"
    assert await fails(client, "INSERT INTO c VALUES (1, 8)") == "23503"
    assert await client.query("SELECT * FROM c") == [(1, 7)]


# Against PostgreSQL

_SEEDS = range(12)
_STEPS = 30
_TABLES = ("ra", "rb", "rc")
_ACTIONS = ("NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT")


class _Draw:
    """Three tables `(id int PRIMARY KEY, x int DEFAULT 1, y int)` with random foreign keys, and statements."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def tables(self) -> Iterator[str]:
        for table in _TABLES:
            unique = self._random.choice(("", " UNIQUE"))
            yield f"CREATE TABLE {table} (id int PRIMARY KEY, x int DEFAULT 1, y int{unique})"
            yield f"INSERT INTO {table} VALUES (1), (2), (3)"
            yield f"UPDATE {table} SET x = NULL"
        for number in range(self._random.randint(2, 4)):
            child, parent = self._random.choice(_TABLES), self._random.choice(_TABLES)
            column, delete, update = self._random.choice("xy"), *self._random.choices(_ACTIONS, k=2)
            said = f"ALTER TABLE {child} ADD CONSTRAINT f{number} FOREIGN KEY ({column}) REFERENCES {parent}"
            said += f" ON DELETE {delete} ON UPDATE {update}"
            yield said + self._random.choice(("", "", " DEFERRABLE", " DEFERRABLE INITIALLY DEFERRED"))

    def statements(self) -> Iterator[str]:
        opened = False
        for _ in range(_STEPS):
            if self._random.random() < 0.15:
                yield "COMMIT" if opened else "BEGIN"
                opened = not opened
            yield self._statement()
        if opened:
            yield "COMMIT"

    def _statement(self) -> str:
        table, column = self._random.choice(_TABLES), self._random.choice(("id", "x", "y"))
        number, other = self._random.randint(1, 5), self._random.choice(("1", "2", "3", "4", "5", "NULL"))
        match self._random.randrange(5):
            case 0:
                return f"INSERT INTO {table} (id, {self._random.choice('xy')}) VALUES ({number}, {other})"
            case 1:
                return f"DELETE FROM {table} WHERE id = {number}"
            case 2:
                new = other if column != "id" else str(number + 5)
                return f"UPDATE {table} SET {column} = {new} WHERE id = {number}"
            case 3:
                return f"UPDATE {table} SET id = id + 1 WHERE id > {number}"
            case _:
                return f"UPDATE {table} SET x = {other}, y = id WHERE id = {number}"


@pytest.mark.in_part(6)
@pytest.mark.parametrize("seed", _SEEDS)
def test_random_statements_leave_what_postgres_has(postgres: Postgres, seed: int) -> None:
    async def law(world: World) -> None:
        client, draw = world.client(), _Draw(seed)
        for sql in draw.tables():
            assert await told(client, sql) == _judged(postgres, sql)
        for sql in draw.statements():
            expected = _judged(postgres, sql)
            if "23505" in expected and "id + 1" in sql:
                # PostgreSQL looks at each row as it is written, and fails as its heap happens to lie.
                await client.query("ROLLBACK")
                postgres.execute("ROLLBACK")
                continue
            assert await told(client, sql) == expected, sql
            assert await _contents(client) == _held(postgres), sql

    try:
        simulated(law)()
    finally:
        postgres.execute("ROLLBACK")
        postgres.execute(f"DROP TABLE IF EXISTS {', '.join(_TABLES)} CASCADE")


def _judged(postgres: Postgres, sql: str) -> str:
    try:
        postgres.execute(sql.encode())
    except psycopg.Error as error:
        return f"{error.sqlstate} {error.diag.message_primary}, {error.diag.message_detail}"
    return "00000"


def _held(postgres: Postgres) -> list[object]:
    if postgres.info.transaction_status is psycopg.pq.TransactionStatus.INERROR:
        return []
    return [Counter(postgres.execute(f"SELECT * FROM {table}".encode()).fetchall()) for table in _TABLES]


async def _contents(client: SimClient) -> list[object]:
    if client.session.transaction_status == "E":
        return []
    return [Counter(map(tuple, await client.query(f"SELECT * FROM {table}"))) for table in _TABLES]


@simulated
async def test_a_transaction_references_the_table_that_it_has_filled(world: World) -> None:
    client = world.client()
    await client.query("CREATE TABLE lone (id int PRIMARY KEY); CREATE TABLE late (id int)")
    await client.query(
        "BEGIN; INSERT INTO lone VALUES (1); CREATE TABLE named (id int REFERENCES lone); "
        "INSERT INTO named VALUES (1); ALTER TABLE late ADD FOREIGN KEY (id) REFERENCES lone; "
        "INSERT INTO late VALUES (1); COMMIT"
    )
    assert await client.query("SELECT * FROM named, late") == [(1, 1)]
    assert await fails(client, "DELETE FROM lone") == "23503"
