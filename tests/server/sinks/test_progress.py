"""A sink's progress as a relation: how far the destination is, at each time, and what may be done with it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.server.memory_server import MemoryServer, memory_server
from tests.server.sinks.test_sinks import until

Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


@pytest.fixture
def connection(server: MemoryServer, tmp_path: Path) -> Iterator[Connection]:
    """Table t (id, v) with a row, and sink s of it."""
    with server.connect() as connection:
        connection.execute(b"CREATE TABLE t (id int PRIMARY KEY, v text)")
        connection.execute(b"INSERT INTO t VALUES (1, 'a')")
        place = f"INTO SQLITE (PATH '{tmp_path}/out.db') KEY (id)"
        connection.execute(f"CREATE SINK s FROM t {place} WITH (MAX AGE '1 h')".encode())
        yield connection
        connection.execute(b"ROLLBACK")
        connection.execute(b"DROP SINK IF EXISTS s CASCADE")
        connection.execute(b"DROP TABLE t CASCADE")


def rows(path: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(path / "out.db") as there:
        return there.execute("SELECT * FROM t ORDER BY id").fetchall()


def frontier(connection: Connection, as_of: int | None = None) -> int:
    at = b"" if as_of is None else f" AS OF {as_of}".encode()
    ((found,),) = connection.execute(b"SELECT frontier::text FROM s_progress" + at).fetchall()
    return int(found)


def test_who_has_read_the_progress_finds_all_before_it(connection: Connection, tmp_path: Path) -> None:
    """Transactions begin an hour apart: a read waits for none of that."""
    for number in range(2, 20):
        connection.execute(f"INSERT INTO t VALUES ({number})".encode())
        ((now,),) = connection.execute(b"SELECT mz_now()::text").fetchall()
        assert frontier(connection) > 0
        assert len(rows(tmp_path)) == number
        assert frontier(connection) >= int(now)


def test_a_sink_that_waits_for_another_change_is_not_waited_for(connection: Connection, tmp_path: Path) -> None:
    """A key that is not unique is not tried again, however long nobody changes anything."""
    connection.execute(b"CREATE VIEW v AS SELECT v AS k, id FROM t")
    place = f"INTO SQLITE (PATH '{tmp_path}/twice.db') KEY (k)"
    connection.execute(f"CREATE SINK twice FROM v {place}".encode())
    # At times before the sink's first transaction there is no row.
    until(lambda: connection.execute(b"SELECT count(*) FROM twice_progress").fetchone(), (1,))
    connection.execute(b"INSERT INTO t VALUES (2, 'a')")
    for _ in range(2):
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match='"twice" does not advance') as error:
            connection.execute(b"SELECT frontier FROM twice_progress")
        assert "not unique" in (error.value.diag.message_detail or "")
    connection.execute(b"DELETE FROM t WHERE id = 2")

    def count() -> object:
        with suppress(psycopg.errors.ObjectNotInPrerequisiteState):
            return connection.execute(b"SELECT count(*) FROM twice_progress").fetchone()
        return None

    until(count, (1,))
    connection.execute(b"DROP SINK twice; DROP VIEW v")


def test_the_past_is_told_as_it_was(connection: Connection) -> None:
    told = []
    for number in range(2, 6):
        connection.execute(f"INSERT INTO t VALUES ({number})".encode())
        told.append(frontier(connection))
    assert told == sorted(set(told))
    for one, another in zip(told, [*told[1:], told[-1] + 1], strict=True):
        assert frontier(connection, one - 1) == one
        assert frontier(connection, another - 2) == one or another == one + 1
    query = f"COPY (SUBSCRIBE s_progress AS OF {told[0] - 1} UP TO {told[-1]}) TO STDOUT"
    with connection.cursor().copy(query.encode()) as copied:
        changes = [[int(value) for value in row] for row in copied.rows()]
    assert changes[0] == [told[0] - 1, 1, told[0]]
    assert sorted(each for _, diff, each in changes if diff == 1) == told
    assert sorted(each for _, diff, each in changes if diff == -1) == told[:-1]
    assert all(at == each - 1 for at, diff, each in changes if diff == 1)


def test_a_view_may_be_made_of_it(connection: Connection) -> None:
    connection.execute(b"CREATE MATERIALIZED VIEW times AS SELECT max(frontier) AS t FROM s_progress")
    connection.execute(b"INSERT INTO t VALUES (2)")
    ((seen, told),) = connection.execute(b"SELECT t, frontier FROM times, s_progress").fetchall()
    assert seen == told
    with pytest.raises(psycopg.errors.DependentObjectsStillExist):
        connection.execute(b"DROP SINK s")
    connection.execute(b"CREATE MATERIALIZED VIEW changed AS SELECT 1 AS id, t::text AS v FROM times")
    with pytest.raises(psycopg.errors.InvalidObjectDefinition, match='"changed" is made of the progress of sink "s"'):
        connection.execute(b"ALTER SINK s SET FROM changed")
    connection.execute(b"DROP SINK s CASCADE")
    with pytest.raises(psycopg.errors.UndefinedTable):
        connection.execute(b"SELECT * FROM times")


def test_it_has_a_name_and_goes_with_the_sink(connection: Connection, tmp_path: Path) -> None:
    query = b"SELECT p.name FROM mz_sink_progresses p JOIN mz_sinks s ON s.id = p.sink_id WHERE s.name = 's'"
    assert connection.execute(query).fetchall() == [("s_progress",)]
    connection.execute(b"ALTER SINK s RENAME TO r")
    ((_, sql),) = connection.execute(b"SHOW CREATE SINK r").fetchall()
    assert "KEY (id) EXPOSE PROGRESS AS public.s_progress WITH" in sql
    connection.execute(b"DROP SINK r")
    with pytest.raises(psycopg.errors.UndefinedTable):
        connection.execute(b"SELECT * FROM s_progress")
    sql = sql.replace("out.db", "again.db")
    connection.execute(sql.encode())
    assert connection.execute(b"SHOW CREATE SINK r").fetchall() == [("headwater.public.r", sql)]
    connection.execute(b"INSERT INTO t VALUES (2)")
    assert frontier(connection) > 0
    connection.execute(b"DROP SINK r")
    connection.execute(b"CREATE TABLE s_progress (a int)")
    place = f"INTO SQLITE (PATH '{tmp_path}/another.db') KEY (id)"
    connection.execute(f"CREATE SINK s FROM t {place}".encode())
    assert connection.execute(query).fetchall() == [("s_progress1",)]
    connection.execute(b"DROP TABLE s_progress")
    connection.execute(b"CREATE SCHEMA other")
    with pytest.raises(psycopg.errors.InvalidSchemaName, match="in the schema of its sink"):
        connection.execute(f"CREATE SINK s2 FROM t {place} EXPOSE PROGRESS AS other.p".encode())
    connection.execute(b"DROP SCHEMA other")


def test_a_sink_that_does_not_advance_is_not_waited_for(connection: Connection) -> None:
    before = frontier(connection)
    connection.execute(b"ALTER SINK s PAUSE")
    connection.execute(b"INSERT INTO t VALUES (2)")
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match='sink "s" does not advance') as error:
        connection.execute(b"SELECT * FROM s_progress")
    assert error.value.diag.message_detail == "It is paused."
    assert frontier(connection, before - 1) == before
    connection.execute(b"ALTER SINK s RESUME")
    assert frontier(connection) > before


def test_it_is_read_only(connection: Connection) -> None:
    for statement in (b"INSERT INTO s_progress VALUES ('1')", b"DELETE FROM s_progress", b"DROP TABLE s_progress"):
        with pytest.raises(psycopg.errors.WrongObjectType):
            connection.execute(statement)
    with pytest.raises(psycopg.errors.WrongObjectType, match="not supported for sink progress relations"):
        connection.execute(b"ALTER TABLE s_progress RENAME COLUMN frontier TO f")
    connection.execute(b"BEGIN")
    connection.execute(b"SELECT * FROM s_progress")
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="progress of a sink"):
        connection.execute(b"INSERT INTO t VALUES (9)")
        connection.execute(b"COMMIT")
    connection.execute(b"ROLLBACK")
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="progress of a sink"):
        connection.execute(b"INSERT INTO t SELECT 9, frontier::text FROM s_progress")


def test_a_view_that_hydrates_is_waited_for(connection: Connection, tmp_path: Path) -> None:
    began = time.monotonic()
    connection.execute(b"CREATE MATERIALIZED VIEW n AS SELECT 1 AS one, count(*) AS n FROM t")
    place = f"INTO SQLITE (PATH '{tmp_path}/n.db', TABLE 't') KEY (one)"
    connection.execute(f"CREATE SINK of_n FROM n {place} WITH (MAX AGE '1 h')".encode())
    assert len(connection.execute(b"SELECT * FROM of_n_progress").fetchall()) == 1
    connection.execute(b"INSERT INTO t VALUES (2)")
    connection.execute(b"SELECT * FROM of_n_progress")
    with sqlite3.connect(tmp_path / "n.db") as there:
        assert there.execute("SELECT n FROM t").fetchall() == [(2,)]
    assert time.monotonic() - began < 60
    connection.execute(b"DROP SINK of_n")
