"""Numerics of PostgreSQL's tables through a source, views, SUBSCRIBE and sinks: shown with the decimals that they have
there, and retracted as they came."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.connectors.sources.postgres.upstream import UpstreamDatabase, upstream_database
from tests.judge import Judge
from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import Connection, rows, until
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark


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
_SUMS = "SELECT trim_scale(m) AS m, sum(n)::text AS s, max(n)::text AS g, count(*) FROM amounts GROUP BY 1"


def _same(connection: Connection, upstream: UpstreamDatabase, sql: str, here: str | None = None) -> None:
    """The query gives upstream's texts before long."""
    wanted = upstream.rows(sql)
    until(connection, here or sql, lambda found: found == wanted)


def test_rows_show_the_decimals_that_upstream_shows(connection: Connection, upstream: UpstreamDatabase) -> None:
    connection.execute(f"CREATE MATERIALIZED VIEW sums AS {_SUMS}".encode())
    connection.execute(b"CREATE INDEX ON amounts (id)")
    _same(connection, upstream, _AMOUNTS)
    _same(connection, upstream, "SELECT n, id FROM amounts ORDER BY id")
    summed = "SELECT m::text, s, g, count FROM {} ORDER BY m::numeric, m::text"
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
