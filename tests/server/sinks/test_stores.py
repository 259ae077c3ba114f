"""Sinks into servers of other makers, over SQL: connections that are tried, what is written, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pymysql
import pytest

from model.datum import Row
from tests.data_servers import MariaDb
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.sinks.test_sinks import Connection, until


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[Connection]:
    """With a table of its own."""
    with server.connect() as connection:
        connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text, n numeric(10, 2), f float8)")
        yield connection
        connection.execute(b"DROP TABLE t CASCADE")


def test_a_table_of_mysql_is_written_by_a_connection(connection: Connection, mariadb: MariaDb) -> None:
    mariadb.query("CREATE USER writer IDENTIFIED BY 'p\u00e4ss'")
    mariadb.query("CREATE DATABASE out_db CHARACTER SET utf8mb4")
    mariadb.query("GRANT ALL ON out_db.* TO writer")
    connection.execute("CREATE SECRET mysql_password AS 'p\u00e4ss'".encode())
    place = f"HOST '{mariadb.host}', PORT {mariadb.port}, DATABASE 'out_db', USER 'writer'"
    connection.execute(f"CREATE CONNECTION my TO MYSQL ({place}, PASSWORD SECRET mysql_password)".encode())
    connection.execute(b"VALIDATE CONNECTION my")
    assert ("my", "mysql") in connection.execute(b"SELECT name, type FROM mz_connections").fetchall()
    connection.execute(b"INSERT INTO t VALUES (1, 'a', 1.5, 0.1), (2, NULL, NULL, NULL)")
    connection.execute(b"CREATE SINK m FROM t INTO MYSQL CONNECTION my (TABLE flights) KEY (id)")

    def found() -> list[Row]:
        try:
            return mariadb.query("SELECT id, v, CAST(n AS CHAR), f FROM out_db.flights ORDER BY id")
        except pymysql.err.ProgrammingError:
            return []

    until(found, [(1, "a", "1.50", 0.1), (2, None, None, None)])
    connection.execute(b"UPDATE t SET n = 2 WHERE id = 1")
    connection.execute(b"DELETE FROM t WHERE id = 2")
    until(found, [(1, "a", "2.00", 0.1)])
    for (session,) in mariadb.query("SELECT id FROM information_schema.processlist WHERE user = 'writer'"):
        mariadb.query(f"KILL {session!r}")
    connection.execute(b"INSERT INTO t VALUES (3)")
    until(lambda: [row[0] for row in found()], [1, 3])
    ((kind, sql),) = connection.execute(b"SELECT type, create_sql FROM mz_sinks").fetchall()
    assert kind == "mysql"
    assert "INTO MYSQL CONNECTION public.my (TABLE = 'flights') KEY (id)" in sql
    connection.execute(b"INSERT INTO t VALUES (4, NULL, NULL, 'NaN')")
    said = "a number to be written is NaN or infinite, which MySQL has not"
    until(lambda: _error(connection, "m"), said)
    connection.execute(b"DELETE FROM t WHERE id = 4")
    until(lambda: _error(connection, "m"), None)
    connection.execute(b"DROP CONNECTION my CASCADE")


def _error(connection: Connection, sink: str) -> Any:
    query = f"SELECT error FROM mz_internal.mz_sink_statuses WHERE name = '{sink}'"
    return connection.execute(query.encode()).fetchall()[0][0]


@pytest.mark.parametrize(
    ("options", "sqlstate", "said"),
    [
        ("HOST '127.0.0.1', DATABASE 'd'", "22023", "needs USER"),
        ("HOST '127.0.0.1', DATABASE 'd', USER 'u', PASSWORD 'p'", "22023", "must be a secret"),
        ("HOST '127.0.0.1', DATABASE 'd', USER 'u', SSL MODE 'prefer'", "22023", "must be one of disabled, preferred"),
        ("HOST 'h', DATABASE 'd', USER 'u', SSL CERTIFICATE AUTHORITY 'x'", "22023", "needs SSL MODE verify-ca"),
        ("HOST '127.0.0.1', PORT 9, DATABASE 'd', USER 'u'", "08001", "cannot connect to MYSQL"),
        ("HOST '127.0.0.1', PORT {port}, DATABASE 'd', USER 'u'", "08001", "Access denied"),
        ("HOST '127.0.0.1', PORT {port}, DATABASE 'none', USER 'root'", "08001", "Unknown database"),
        (
            "HOST '127.0.0.1', PORT {port}, DATABASE 'headwater', USER 'root', SSL MODE 'required'",
            "08001",
            "SSL",
        ),
    ],
)
def test_connections_to_mysql_that_can_not_be_are_refused(
    connection: Connection, mariadb: MariaDb, options: str, sqlstate: str, said: str
) -> None:
    with pytest.raises(psycopg.Error) as error:
        connection.execute(f"CREATE CONNECTION c TO MYSQL ({options.format(port=mariadb.port)})".encode())
    assert error.value.sqlstate == sqlstate
    assert said in f"{error.value} {error.value.diag.message_detail}"
