"""What is added to a domain is held against values that are there, also those of transactions under way."""

from __future__ import annotations

import psycopg
import pytest

from model.errors.sql_error import SqlError
from tests.judge import Judge
from tests.server.locking.sessions import begun
from tests.server.world import World, fails, simulated
from tests.simulation.incarnation import SimClient

SETUP = """
CREATE DOMAIN added_to AS int;
CREATE DOMAIN beneath_it AS added_to;
CREATE TABLE has_added (a int, d added_to, b beneath_it);
INSERT INTO has_added VALUES (1, 5, 7), (2, NULL, 8)
"""
REFUSED = (
    "ALTER DOMAIN added_to ADD CHECK (VALUE > 5)",
    "ALTER DOMAIN added_to ADD CONSTRAINT c CHECK (VALUE < 8)",
    "ALTER DOMAIN beneath_it ADD CHECK (VALUE <> 7)",
    "ALTER DOMAIN added_to SET NOT NULL",
    "CREATE TABLE within_added (ds added_to[]); ALTER DOMAIN added_to ADD CHECK (VALUE > 0)",
)

Told = tuple[str, str, str | None, str | None, str | None]


async def _told(client: SimClient, sql: str) -> Told:
    with pytest.raises(SqlError) as raised:
        await client.query(sql)
    error = raised.value
    subject = error.subject
    parts = (None, None, None) if subject is None else (subject.schema, subject.table, subject.column)
    return error.sqlstate.value, error.message, *parts


def _told_by_postgres(judge: Judge, sql: str) -> Told:
    with judge.connect() as connection:
        connection.execute(SETUP.encode())
        try:
            connection.execute(sql.encode())
        except psycopg.Error as error:
            diag = error.diag
            connection.rollback()
            return error.sqlstate or "", str(diag.message_primary), diag.schema_name, diag.table_name, diag.column_name
        finally:
            connection.execute(b"DROP TABLE IF EXISTS has_added; DROP DOMAIN IF EXISTS added_to CASCADE")
    raise AssertionError(f"{sql} is taken")


def test_errors_name_the_column_as_postgres_does(judge: Judge) -> None:
    async def law(world: World) -> None:
        client = world.client()
        await client.query(SETUP)
        for sql in REFUSED:
            assert await _told(client, sql) == _told_by_postgres(judge, sql), sql

    simulated(law)()


@simulated
async def test_values_that_were_written_before_the_change_and_committed_after_it_are_refused(world: World) -> None:
    """PostgreSQL would let the change wait for them."""
    client = world.client()
    await client.query(SETUP)
    for at, change in enumerate(("ADD CHECK (VALUE < 100)", "ADD CHECK (VALUE < 100) NOT VALID")):
        other = world.client()
        await begun(other, f"INSERT INTO has_added VALUES ({at}, 200, 1)")
        await client.query(f"ALTER DOMAIN added_to {change}")
        assert await fails(other, "COMMIT") == "40001"
        await client.query("ALTER DOMAIN added_to DROP CONSTRAINT added_to_check")
    other = world.client()
    await begun(other, "INSERT INTO has_added VALUES (5, 1, NULL)")
    await client.query("ALTER DOMAIN beneath_it SET NOT NULL")
    assert await fails(other, "COMMIT") == "40001"


@simulated
async def test_values_that_come_while_the_change_is_under_way_are_seen_by_one_of_both(world: World) -> None:
    client, other = world.client(), world.client()
    await client.query(SETUP)
    await begun(client, "ALTER DOMAIN added_to ADD CHECK (VALUE < 100)")
    await other.query("INSERT INTO has_added VALUES (3, 200, 1)")
    assert await fails(client, "COMMIT") == "40001"
    assert await client.query("SELECT count(*) FROM has_added WHERE d = 200") == [(1,)]


@simulated
async def test_a_transaction_writes_on_after_its_own_change(world: World) -> None:
    client = world.client()
    await client.query(SETUP)
    await begun(client, "INSERT INTO has_added VALUES (3, 9, 9)", "ALTER DOMAIN added_to ADD CHECK (VALUE < 10)")
    await client.query("INSERT INTO has_added VALUES (4, 8, 8); COMMIT")
    assert await client.query("SELECT a FROM has_added ORDER BY a") == [(1,), (2,), (3,), (4,)]
    await begun(client, "INSERT INTO has_added VALUES (5, 6, 6)")
    assert await fails(client, "ALTER DOMAIN added_to ADD CHECK (VALUE > 6)") == "23514"
    await client.query("ROLLBACK; CREATE TEMPORARY TABLE passing (d added_to); INSERT INTO passing VALUES (3)")
    assert await fails(client, "ALTER DOMAIN added_to ADD CHECK (VALUE > 3)") == "23514"
