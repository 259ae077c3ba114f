"""Columns of numeric(p, s) with more digits than decimals of Spark hold, NaN and infinities: letter by letter what
PostgreSQL answers, computed by Spark and kept by maintained views."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.judge import Judge
from tests.server_process import ServerProcess

pytestmark = [pytest.mark.timeout(300), pytest.mark.spark]

Connection = psycopg.Connection[tuple[object, ...]]

_STATEMENTS = """
    CREATE TABLE wide (id int PRIMARY KEY, n numeric(60,20), m numeric(1000,400))
    INSERT INTO wide VALUES (1, 1.5, 1e300), (2, 12345678901234567890123456789.123456789, -1e-300), (3, 'NaN', 'nan')
    INSERT INTO wide VALUES (4, null, 0), (5, 1.50, 1e300)
    SELECT * FROM wide ORDER BY id
    SELECT n + 1, n * n, n / 3, m * 2, m > 1e299, n = 1.5 FROM wide ORDER BY id
    SELECT round(n, 3), -n, abs(n), n::text, n::float8 FROM wide ORDER BY id
    SELECT sum(n), avg(n), min(n), max(n), stddev(n), count(DISTINCT n) FROM wide WHERE id <> 3
    SELECT n, count(*), max(m) FROM wide GROUP BY n ORDER BY n
    SELECT a.id, b.id FROM wide a JOIN wide b ON a.n = b.n ORDER BY 1, 2
    SELECT id FROM wide ORDER BY m DESC, id
    SELECT id FROM wide WHERE m = (SELECT max(m) FROM wide WHERE m < 'Infinity')
    SELECT pg_typeof(n + 1), coalesce(n, 0), greatest(n, 5), CASE WHEN id > 2 THEN n ELSE 1.5 END FROM wide ORDER BY id
    UPDATE wide SET n = n + 1e35 WHERE id = 1
    DELETE FROM wide WHERE n = 1.5
    INSERT INTO wide VALUES (9, 1e40, 0)
    INSERT INTO wide VALUES (9, 7, 0)
    SELECT n::numeric, n::numeric(45,2) FROM wide WHERE id = 1
    SELECT n::numeric(10,2) FROM wide WHERE id = 1
    CREATE INDEX by_n ON wide (n)
    SELECT id FROM wide WHERE n = 7.0
    SELECT id FROM wide WHERE n IN (7, 'nan') ORDER BY id
    SELECT n, lag(n) OVER (ORDER BY n, id), sum(n) OVER (ORDER BY id) FROM wide ORDER BY id
    SELECT to_char(n, '999.9'), n % 4, power(n, 2), ln(abs(n) + 1) FROM wide WHERE id = 9
    SELECT jsonb_build_object('a', n), array[n], row(n, m) FROM wide WHERE id = 9
    SELECT numeric_precision, numeric_scale FROM information_schema.columns WHERE table_name = 'wide' ORDER BY 1, 2
    SELECT format_type(1700, atttypmod) FROM pg_attribute WHERE attrelid = 'wide'::regclass AND atttypid = 1700
    CREATE TABLE taken AS SELECT n, m FROM wide
    SELECT n, m FROM taken ORDER BY n
    ALTER TABLE wide ALTER n TYPE numeric(80,30)
    SELECT n FROM wide ORDER BY id
    CREATE TABLE narrow (n numeric(2,-3), m numeric(3,5))
    INSERT INTO narrow VALUES (12345, 0.0012345), (-99499, -0.00999)
    SELECT n, m, n * m, n + m FROM narrow ORDER BY n
    INSERT INTO narrow VALUES (99500, 0)
    INSERT INTO narrow VALUES (0, 0.01)
"""


def told(connection: Connection, statement: str) -> object:
    """Returns the letters that a statement answers, or the error's code and message."""
    try:
        result = connection.execute(statement.encode()).pgresult
    except psycopg.Error as error:
        return error.sqlstate, error.diag.message_primary, error.diag.message_detail
    assert result is not None
    return [[result.get_value(row, at) for at in range(result.nfields)] for row in range(result.ntuples)]


@pytest.fixture
def theirs(judge: Judge) -> Iterator[Connection]:
    with judge.connect() as connection:
        connection.autocommit = True
        yield connection


def test_wide_numerics_are_postgresqls(headwater_server: ServerProcess, theirs: Connection) -> None:
    with headwater_server.connect() as ours:
        ours.autocommit = True
        answers = [
            (each, told(ours, each), told(theirs, each)) for each in map(str.strip, _STATEMENTS.strip().splitlines())
        ]
        ours.execute("DROP TABLE wide, taken, narrow")
    assert [answer for answer in answers if answer[1] != answer[2]] == []


def test_a_view_follows_wide_numerics(headwater_server: ServerProcess) -> None:
    query = "SELECT n, sum(m) AS total, count(*) AS rows FROM kept GROUP BY n"
    with headwater_server.connect() as ours:
        ours.autocommit = True
        ours.execute("CREATE TABLE kept (id int PRIMARY KEY, n numeric(50,10), m numeric(300,2))")
        ours.execute(f"CREATE MATERIALIZED VIEW totals AS {query}")
        for change in (
            "INSERT INTO kept VALUES (1, 1, 1e200), (2, 1.0, 1), (3, 'NaN', '-1e290'), (4, 'NaN', 'NaN')",
            "INSERT INTO kept VALUES (5, NULL, 2)",
            "UPDATE kept SET m = m + 1e250 WHERE n = 1",
            "DELETE FROM kept WHERE id = 4",
            "UPDATE kept SET n = 1e39 WHERE id IN (2, 3)",
            "DELETE FROM kept",
        ):
            ours.execute(change.encode())
            expected = ours.execute(f"{query} ORDER BY n".encode()).fetchall()
            assert repr(ours.execute("SELECT * FROM totals ORDER BY n").fetchall()) == repr(expected)
        ours.execute("DROP MATERIALIZED VIEW totals")
        ours.execute("DROP TABLE kept")
