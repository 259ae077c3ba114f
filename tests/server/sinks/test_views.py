"""Sinks of plain views: each keeps what the view shows, and writes that, whatever becomes of the view."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.polling import polls
from tests.server.memory_server import MemoryServer, memory_server

Connection = psycopg.Connection[tuple[Any, ...]]
_PATIENCE_S = 120.0
_VIEW = "CREATE VIEW v AS SELECT a, sum(b) AS s FROM t GROUP BY a"


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


@pytest.fixture
def connection(server: MemoryServer) -> Iterator[Connection]:
    """Table t (a, b) with three rows, and view v of its sums."""
    with server.connect() as connection:
        connection.execute(b"CREATE TABLE t (a int, b int)")
        connection.execute(b"INSERT INTO t VALUES (1, 10), (1, 5), (2, 7)")
        connection.execute(_VIEW.encode())
        yield connection
        connection.execute(b"DROP SINK IF EXISTS s CASCADE")
        connection.execute(b"DROP TABLE IF EXISTS t, u CASCADE")


class Written:
    """Sink s of v, and what it has written."""

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection = connection
        self._path = path / "out.db"
        self._told = f"INTO SQLITE (PATH '{self._path}', TABLE 'v') KEY (a)"

    def create(self, of: str = "v") -> None:
        self._connection.execute(f"CREATE SINK s FROM {of} {self._told}".encode())

    def rows(self) -> list[tuple[Any, ...]]:
        """What is there once all is that was committed before."""
        self._connection.execute(b"SELECT * FROM s_progress")
        with closing(sqlite3.connect(self._path)) as there:
            return there.execute("SELECT * FROM v ORDER BY a").fetchall()


@pytest.fixture
def written(connection: Connection, tmp_path: Path) -> Written:
    return Written(connection, tmp_path)


def until(found: Callable[[], Any], wanted: Any) -> None:
    """Returns once it is so."""
    seen = None
    for _ in polls(_PATIENCE_S):
        seen = found()
        if seen == wanted:
            return
    raise AssertionError(f"{seen} came, {wanted} was to come")


def status(connection: Connection) -> tuple[Any, ...]:
    query = b"SELECT status, error FROM mz_internal.mz_sink_statuses WHERE name = 's'"
    return connection.execute(query).fetchall()[0]


def test_a_view_is_followed(connection: Connection, written: Written) -> None:
    written.create()
    assert written.rows() == [(1, 15), (2, 7)]
    connection.execute(b"DELETE FROM t WHERE a = 2")
    connection.execute(b"INSERT INTO t VALUES (1, -5), (3, NULL)")
    assert written.rows() == [(1, 10), (3, None)]
    ((sql,),) = connection.execute(b"SELECT create_sql FROM mz_sinks").fetchall()
    assert sql.startswith("CREATE SINK public.s FROM public.v INTO SQLITE (")
    explained = [line for (line,) in connection.execute(b"EXPLAIN SINK s").fetchall()]
    assert explained[1].endswith(": a, s, which the sink keeps")
    assert connection.execute(b"SHOW MATERIALIZED VIEWS").fetchall() == []
    with pytest.raises(psycopg.errors.DependentObjectsStillExist):
        connection.execute(b"DROP VIEW v")
    connection.execute(b"DROP TABLE t CASCADE")
    assert connection.execute(b"SHOW SINKS").fetchall() == []


def test_what_a_view_of_views_shows_comes_in_whole_commits(connection: Connection, written: Written) -> None:
    connection.execute(b"CREATE TABLE u (a int PRIMARY KEY, name text)")
    connection.execute(b"INSERT INTO u VALUES (1, 'one'), (2, 'two')")
    connection.execute(b"CREATE VIEW w AS SELECT u.a, u.name, v.s FROM u LEFT JOIN v ON u.a = v.a")
    written.create("w")
    assert written.rows() == [(1, "one", 15), (2, "two", 7)]
    for number in range(5):
        with connection.transaction():
            connection.execute(f"UPDATE u SET name = name || '{number}'".encode())
            connection.execute(b"UPDATE t SET b = b + 1")
        assert {name[-1] for _, name, _ in written.rows()} == {str(number)}
    assert [s for *_, s in written.rows()] == [25, 12]
    connection.execute(b"DROP TABLE u CASCADE")


def test_an_error_in_a_view_stops_it_at_the_last_good_time(connection: Connection, written: Written) -> None:
    connection.execute(b"CREATE VIEW w AS SELECT a, 100 / b AS c FROM t WHERE b <> 5")
    written.create("w")
    assert written.rows() == [(1, 10), (2, 14)]
    connection.execute(b"INSERT INTO t VALUES (3, 50)")
    connection.execute(b"INSERT INTO t VALUES (4, 0)")
    until(lambda: status(connection)[0], "stalled")
    assert status(connection)[1].startswith("division by zero")
    connection.execute(b"DELETE FROM t WHERE a = 4")
    until(lambda: status(connection), ("running", None))
    assert written.rows() == [(1, 10), (2, 14), (3, 2)]


def test_another_view_in_its_place_is_written_anew(connection: Connection, written: Written) -> None:
    written.create()
    assert written.rows() == [(1, 15), (2, 7)]
    connection.execute(b"CREATE OR REPLACE VIEW v AS SELECT a + 1 AS a, -sum(b) AS s FROM t GROUP BY a")
    assert written.rows() == [(2, -15), (3, -7)]
    connection.execute(b"INSERT INTO t VALUES (1, 1)")
    assert written.rows() == [(2, -16), (3, -7)]
    with pytest.raises(psycopg.errors.InvalidObjectDefinition):
        connection.execute(b"CREATE OR REPLACE VIEW v AS SELECT 1 AS a, max(frontier::text::int8) AS s FROM s_progress")


def test_it_comes_to_write_a_table_and_a_view_again(connection: Connection, written: Written) -> None:
    connection.execute(b"CREATE TABLE u (a int, s int8)")
    connection.execute(b"INSERT INTO u VALUES (7, 7)")
    written.create()
    assert written.rows() == [(1, 15), (2, 7)]
    connection.execute(b"ALTER SINK s SET FROM u")
    assert written.rows() == [(7, 7)]
    connection.execute(b"INSERT INTO t VALUES (3, 3)")
    connection.execute(b"ALTER SINK s SET FROM v")
    assert written.rows() == [(1, 15), (2, 7), (3, 3)]
    connection.execute(b"DROP TABLE u")
    connection.execute(b"ALTER SINK s PAUSE")
    connection.execute(b"DELETE FROM t WHERE a = 1")
    connection.execute(b"ALTER SINK s RESUME")
    assert written.rows() == [(2, 7), (3, 3)]


def test_a_view_and_its_sink_come_in_one_transaction(connection: Connection, written: Written) -> None:
    with connection.transaction():
        connection.execute(b"CREATE VIEW w AS SELECT * FROM v WHERE s > 10")
        written.create("w")
    assert written.rows() == [(1, 15)]


@pytest.mark.parametrize(
    ("statement", "sqlstate"),
    [
        ("CREATE VIEW w AS SELECT 1 AS a, id AS b FROM mz_tables", "0A000"),
        ("CREATE VIEW w AS SELECT a, random() AS b FROM t", "0A000"),
        ("CREATE TEMPORARY VIEW w AS SELECT a, b FROM t", "0A000"),
    ],
)
def test_what_can_not_be_maintained_is_refused(
    connection: Connection, written: Written, statement: str, sqlstate: str
) -> None:
    connection.execute(statement.encode())
    with pytest.raises(psycopg.Error) as error:
        written.create("w")
    assert error.value.sqlstate == sqlstate
    connection.execute(b"DROP VIEW w")
