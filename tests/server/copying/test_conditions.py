"""COPY … FROM … WHERE, as PostgreSQL answers: which rows are kept, and which conditions are refused."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.judge import Judge
from tests.server.memory_server import memory_server

Connection = psycopg.Connection[tuple[Any, ...]]
_TABLE = """
DROP TABLE IF EXISTS conditional;
CREATE TABLE conditional (
    a int CHECK (a < 100), b text DEFAULT 'd', c numeric(6, 2), g int GENERATED ALWAYS AS (a * 2) STORED)
"""
_DATA = b"1\tx\t1.50\n2\t\\N\t-3\n\\N\tz\t0\n50\tlast\t9999.99\n"
_CONDITIONS = (
    "a > 1",
    "a > 1 OR b IS NULL",
    "b LIKE '%s%' AND c > 0",
    "a",
    "a = 'x'",
    "c / (a - 1) > 0",
    "conditional.a > 1",
    "public.conditional.a > 1",
    "other.a > 1",
    "nope",
    "g > 1",
    "conditional IS NOT NULL",
    "tableoid = 'conditional'::regclass",
    "sum(a) > 1",
    "row_number() OVER () > 1",
    "generate_series(1, 2) > 1",
    "a IN (SELECT 1)",
    "EXISTS (SELECT 1)",
    "a > $1",
    "current_user IS NOT NULL AND now() > '2000-01-01'",
    "NULL",
    "false",
)


def test_conditions_choose_as_in_postgresql(judge: Judge) -> None:
    with memory_server() as server, server.connect() as ours, judge.connect() as theirs:
        for connection in (ours, theirs):
            connection.execute(_TABLE)
        for condition in _CONDITIONS:
            answers = [_answer(connection, condition) for connection in (theirs, ours)]
            assert answers[1] == answers[0], condition


@pytest.mark.parametrize("form", ["text", "csv", "binary"])
def test_rows_that_are_left_out_meet_no_constraint(form: str) -> None:
    """What is left out takes no key and fails no CHECK, as in PostgreSQL."""
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE kept (k int PRIMARY KEY CHECK (k < 5))")
        connection.execute("CREATE TABLE given (k int); INSERT INTO given VALUES (1), (2), (2), (7)")
        with connection.cursor().copy(f"COPY given TO STDOUT (FORMAT {form})") as out:
            data = b"".join(map(bytes, out))
        cursor = connection.cursor()
        with cursor.copy(f"COPY kept FROM STDIN (FORMAT {form}) WHERE k = 1") as copy:
            copy.write(data)
        assert cursor.statusmessage == "COPY 1"
        assert connection.execute("SELECT k FROM kept").fetchall() == [(1,)]


def _answer(connection: Connection, condition: str) -> object:
    """Returns the tag of a COPY and the rows that it leaves; the SQLSTATE and the words of an error."""
    connection.execute("TRUNCATE conditional")
    cursor = connection.cursor()
    try:
        with cursor.copy(f"COPY conditional (a, b, c) FROM STDIN WHERE {condition}".encode()) as copy:
            copy.write(_DATA)
    except psycopg.Error as error:
        return error.sqlstate, error.diag.message_primary, error.diag.message_detail
    rows = connection.execute("SELECT a, b, c::text, g FROM conditional ORDER BY b, a").fetchall()
    return cursor.statusmessage, rows
