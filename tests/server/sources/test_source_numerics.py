"""Numerics of PostgreSQL's tables through a source, views, SUBSCRIBE and sinks: shown with the decimals that they have
there, and retracted as they came."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.connectors.sources.postgres.upstream import UpstreamDatabase, upstream_database
from tests.judge import Judge
from tests.polling import polls
from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import Connection, until
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark

_PATIENCE_S = 120.0


@pytest.fixture(scope="module")
def upstream(judge: Judge) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, "amounts") as database:
        database.run(
            "CREATE TABLE amounts (id int PRIMARY KEY, n numeric, money numeric(10, 2), m numeric)",
            "ALTER TABLE amounts REPLICA IDENTITY FULL",
            "INSERT INTO amounts VALUES (1, 1.50, 2, 1.0), (2, 1.5, 3, 1.00), (3, -0.000, 4, NULL), (4, NULL, 5, 7)",
            "INSERT INTO amounts VALUES (5, 12345678901234567890.1200, 6, 1e-18)",
            "CREATE PUBLICATION p FOR TABLE amounts",
        )
        yield database


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess, upstream: UpstreamDatabase) -> Iterator[Connection]:
    with own_database(headwater_server, "mirrored_amounts") as connection:
        place = f"HOST '{upstream.judge.host}', PORT {upstream.judge.port}, DATABASE {upstream.name}"
        connection.execute(f"CREATE CONNECTION pg TO POSTGRES ({place}, USER headwater, SSL MODE disable)".encode())
        connection.execute(b"CREATE SOURCE s FROM POSTGRES CONNECTION pg (PUBLICATION 'p') FOR ALL TABLES")
        yield connection


_AMOUNTS = "SELECT id, n::text, money::text, m::text FROM amounts ORDER BY id"
_SUMS = "SELECT trim_scale(m) AS m, sum(n)::text AS s, count(*) FROM amounts GROUP BY 1"


def _same(connection: Connection, upstream: UpstreamDatabase, sql: str, here: str | None = None) -> None:
    """The query gives upstream's texts before long."""
    wanted = upstream.rows(sql)
    until(connection, here or sql, lambda found: found == wanted)


def test_rows_show_the_decimals_that_upstream_shows(connection: Connection, upstream: UpstreamDatabase) -> None:
    connection.execute(f"CREATE MATERIALIZED VIEW sums AS {_SUMS}".encode())
    connection.execute(b"CREATE INDEX ON amounts (id)")
    _same(connection, upstream, _AMOUNTS)
    _same(connection, upstream, "SELECT n, id FROM amounts ORDER BY id")
    summed = "SELECT m::text, s, count FROM {} ORDER BY m::numeric, m::text"
    own = summed.format(f"({_SUMS}) AS x")
    _same(connection, upstream, own, summed.format("sums"))
    upstream.run(
        "UPDATE amounts SET n = 1.500 WHERE id = 1",
        "UPDATE amounts SET m = 7.0000 WHERE id = 4",
        "BEGIN",
        "UPDATE amounts SET n = 2.0 WHERE id = 2",
        "UPDATE amounts SET n = 2.00 WHERE id = 2",
        "COMMIT",
        "DELETE FROM amounts WHERE id = 3",
        "INSERT INTO amounts VALUES (6, 0.10, 1, 0.0), (7, 100, 1, 1e3)",
    )
    _same(connection, upstream, _AMOUNTS)
    _same(connection, upstream, own, summed.format("sums"))


def test_sinks_write_what_is_shown(connection: Connection, upstream: UpstreamDatabase, tmp_path: Path) -> None:
    upstream.run(
        "CREATE TABLE prices (k numeric, v numeric, wide numeric(50, 2))",
        "ALTER TABLE prices REPLICA IDENTITY FULL",
        f"INSERT INTO prices VALUES (1.0, 1.50, {'9' * 48}.1), (2, NULL, 0), (3.00, 0.000, NULL)",
        "CREATE PUBLICATION prices FOR TABLE prices",
    )
    connection.execute(b"CREATE SOURCE p FROM POSTGRES CONNECTION pg (PUBLICATION 'prices') FOR ALL TABLES")
    connection.execute(b"CREATE VIEW doubled AS SELECT k, v * 2.0 AS d FROM prices")
    everything = "SELECT k::text, v::text, wide::text FROM {} ORDER BY k"
    _same(connection, upstream, everything.format("prices"))
    into = "INTO POSTGRES CONNECTION pg (TABLE '{}') KEY (k)"
    connection.execute(f"CREATE SINK there FROM prices {into.format('there')}".encode())
    connection.execute(f"CREATE SINK twice FROM doubled {into.format('twice')}".encode())
    lite = tmp_path / "out.db"
    connection.execute(f"CREATE SINK lite FROM prices INTO SQLITE (PATH '{lite}', TABLE 'p') KEY (k)".encode())
    for change in (
        "SELECT",
        # Of equal values, which are one key, the one that is there now is shown.
        "UPDATE prices SET k = 1.00 WHERE k = 1",
        "UPDATE prices SET v = 1.5000, k = 2.0 WHERE k = 2",
        "DELETE FROM prices WHERE k = 3",
    ):
        upstream.run(change)
        wanted = upstream.rows(everything.format("prices"))
        _until_there(upstream, everything.format("there"), wanted)
        doubled = "SELECT k::text, (v * 2.0)::text FROM prices ORDER BY k"
        _until_there(upstream, "SELECT k::text, d::text FROM twice ORDER BY k", upstream.rows(doubled))
        # A text that is a key is as short as it can be: there is one for each number.
        shortest = "SELECT trim_scale(k)::text, v::text, wide::text FROM prices ORDER BY k"
        for _ in polls(_PATIENCE_S):
            with closing(sqlite3.connect(lite)) as database:
                if _there(database, "SELECT k, v, wide FROM p ORDER BY k") == upstream.rows(shortest):
                    break
        else:
            raise AssertionError("the rows in SQLite are not those of upstream")


def _there(database: sqlite3.Connection, sql: str) -> list[tuple[object, ...]]:
    """The query's rows; none as long as the sink has not made its table."""
    try:
        return database.execute(sql).fetchall()
    except sqlite3.OperationalError:
        return []


def _until_there(upstream: UpstreamDatabase, sql: str, wanted: list[tuple[object, ...]]) -> None:
    found: object = None
    for _ in polls(_PATIENCE_S):
        try:
            found = upstream.rows(sql)
        except psycopg.errors.UndefinedTable:
            continue
        if found == wanted:
            return
    raise AssertionError(f"{sql}: {found}, not {wanted}")


def test_columns_that_are_said_to_be_wide_hold_every_numeric(
    connection: Connection, upstream: UpstreamDatabase
) -> None:
    upstream.run(
        "CREATE TABLE everything (id int, n numeric, m numeric(5, 2))",
        "ALTER TABLE everything REPLICA IDENTITY FULL",
        "INSERT INTO everything VALUES (1, 'NaN', 'NaN'), (2, '-Infinity', 1), (3, 1.50, NULL)",
        "INSERT INTO everything VALUES (4, repeat('9', 131072)::numeric, 2), (5, 1e-16383, 3)",
        "CREATE PUBLICATION everything FOR TABLE everything",
    )
    source = "CREATE SOURCE w FROM POSTGRES CONNECTION pg (PUBLICATION 'everything', WIDE COLUMNS ({})) FOR ALL TABLES"
    for columns, error in (("everything.id", "42804"), ("everything.x", "42703")):
        with pytest.raises(psycopg.Error) as raised:
            connection.execute(source.format(columns).encode())
        assert raised.value.sqlstate == error
    connection.execute(source.format("everything.n, public.everything.m").encode())
    told = "SELECT id, md5(n::text), m::text FROM {} ORDER BY id"
    _same(connection, upstream, told.format("everything"))
    place = "INTO POSTGRES CONNECTION pg (TABLE 'everywhere') KEY (id)"
    connection.execute(f"CREATE SINK everywhere FROM everything {place}".encode())
    for change in (
        "UPDATE everything SET n = n * 1.00, m = m + 1 WHERE id <> 4",
        "DELETE FROM everything WHERE id > 3",
    ):
        _until_there(upstream, told.format("everywhere"), upstream.rows(told.format("everything")))
        upstream.run(change)
        _same(connection, upstream, told.format("everything"))
    _until_there(upstream, told.format("everywhere"), upstream.rows(told.format("everything")))
