"""Numerics whose decimals hang on their values, as a client sees them: letter by letter what PostgreSQL shows."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.judge import Judge
from tests.server_process import ServerProcess

pytestmark = [pytest.mark.spark, pytest.mark.timeout(300)]

_SETUP = """
    CREATE TABLE priced (id int PRIMARY KEY, price numeric(10,2), rate numeric(6,4), qty int, big bigint, kind text);
    INSERT INTO priced VALUES (1, 1.5, 0.25, 2, 10, 'a'), (2, 10, 1.5, 3, 20, 'a'), (3, 0, 0.5, 1, 3, 'b'),
        (4, -7.25, 2.125, 4, 9223372036854775807, 'b'), (5, NULL, NULL, NULL, NULL, 'c')
"""
_QUERIES = """
    SELECT id, price / qty, price / 2 FROM priced ORDER BY id
    SELECT id, price / rate, (price / rate)::text FROM priced ORDER BY id LIMIT 3
    SELECT id, price / qty FROM priced WHERE id = 2
    SELECT id, trim_scale(price / qty), trim_scale(price), round(price / qty, 20) FROM priced ORDER BY id
    SELECT id, price / qty + 1, price / qty * rate, -(price / qty), abs(price / qty) FROM priced ORDER BY id
    SELECT id, x FROM (SELECT id, price / qty AS x FROM priced) q WHERE x > 0 ORDER BY x DESC LIMIT 2
    SELECT kind, avg(price), avg(qty), avg(big), sum(price) FROM priced GROUP BY kind ORDER BY kind
    SELECT kind, coalesce(sum(price), 0), coalesce(avg(price), 0) FROM priced GROUP BY kind ORDER BY kind
    SELECT coalesce(sum(price), 0) FROM priced WHERE id > 100
    SELECT id, CASE WHEN id > 2 THEN price ELSE rate END, nullif(price / qty, 1) FROM priced ORDER BY id
    SELECT id, CASE WHEN id > 2 THEN 0 ELSE price / qty END FROM priced ORDER BY id
    SELECT round(avg(price), 2), avg(price)::numeric(10,3), count(*) / 3.0, 7 / 2.0 FROM priced
    SELECT sqrt(2), ln(2.50), exp(0.0), 10 / 4.0, power(2.0, 3), stddev(x), x / 2 FROM (VALUES (1.50)) v(x) GROUP BY x
    SELECT x FROM generate_series(0.5, 1.00, 0.25) x
"""


def _queries() -> list[str]:
    return [line.strip() for line in _QUERIES.strip().splitlines()]


def _texts(connection: psycopg.Connection[tuple[object, ...]], query: str) -> list[list[bytes | None]]:
    result = connection.execute(query.encode()).pgresult
    assert result is not None
    return [[result.get_value(row, at) for at in range(result.nfields)] for row in range(result.ntuples)]


def _binary(connection: psycopg.Connection[tuple[object, ...]], query: str) -> list[str]:
    return list(map(str, connection.cursor(binary=True).execute(query.encode()).fetchall()))


@pytest.fixture(scope="module")
def both(
    headwater_server: ServerProcess, judge: Judge
) -> Iterator[tuple[psycopg.Connection[tuple[object, ...]], psycopg.Connection[tuple[object, ...]]]]:
    with headwater_server.connect() as ours, judge.connect() as theirs:
        for connection in (ours, theirs):
            connection.autocommit = True
            connection.execute(b"DROP TABLE IF EXISTS priced CASCADE")
            for statement in _SETUP.split(";"):
                connection.execute(statement.encode())
        yield ours, theirs
        ours.execute(b"DROP TABLE priced")


@pytest.mark.parametrize("query", _queries())
def test_numerics_are_shown_as_postgres_shows_them(
    both: tuple[psycopg.Connection[tuple[object, ...]], psycopg.Connection[tuple[object, ...]]], query: str
) -> None:
    ours, theirs = both
    assert _texts(ours, query) == _texts(theirs, query)
    assert _binary(ours, query) == _binary(theirs, query)


def test_what_is_written_from_a_query_is_numbers(
    both: tuple[psycopg.Connection[tuple[object, ...]], psycopg.Connection[tuple[object, ...]]],
) -> None:
    for connection in both:
        connection.execute(b"CREATE TABLE kept AS SELECT id, price / qty AS each FROM priced")
        connection.execute(b"INSERT INTO kept SELECT id + 10, price / qty FROM priced")
        connection.execute(b"DELETE FROM kept USING priced WHERE kept.id = priced.id AND kept.each = price / qty")
    query = "SELECT id, each * 2 = round(each * 2, 10) FROM kept ORDER BY id"
    ours, theirs = (_texts(connection, query) for connection in both)
    for connection in both:
        connection.execute(b"DROP TABLE kept")
    assert ours == theirs
