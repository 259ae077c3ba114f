"""ALTER SOURCE … REFRESH: columns that were added upstream are shown, tables that were stopped are read anew; what
reads them goes on meanwhile, and sees it at one time."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from operator import eq
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
def connection(headwater_server: ServerProcess) -> Iterator[Connection]:
    with own_database(headwater_server, "refreshed") as connection:
        yield connection


@pytest.fixture(scope="module")
def upstream(judge: Judge, connection: Connection) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, "altered") as database:
        for table in ("a", "b"):
            database.run(
                f"CREATE TABLE {table} (id int, v int)",
                f"ALTER TABLE {table} REPLICA IDENTITY FULL",
                f"INSERT INTO {table} SELECT i, 100 FROM generate_series(1, 50) i",
            )
        database.run("CREATE PUBLICATION p FOR ALL TABLES")
        place = f"HOST '{database.judge.host}', PORT {database.judge.port}, DATABASE {database.name}"
        connection.execute(b"CREATE SECRET pw AS 'nobody asks for it'")
        options = f"{place}, USER headwater, PASSWORD SECRET pw, SSL MODE disable"
        connection.execute(f"CREATE CONNECTION pg TO POSTGRES ({options})".encode())
        connection.execute(b"CREATE SOURCE s FROM POSTGRES CONNECTION pg (PUBLICATION 'p') FOR ALL TABLES")
        until(connection, "SELECT count(*) FROM a, b", lambda found: found == [(2500,)])
        yield database


def _same(connection: Connection, upstream: UpstreamDatabase, sql: str) -> None:
    until(connection, sql, partial(eq, upstream.rows(sql)))


def _stopped(connection: Connection, relation: str) -> None:
    """The status tells of it at once; who reads is told from the binding on that has it."""
    for _ in range(600):
        try:
            connection.execute(f"SELECT * FROM {relation}".encode())
        except psycopg.errors.ObjectNotInPrerequisiteState:
            return
        time.sleep(0.1)
    raise AssertionError("it goes on")


def _healed(connection: Connection, table: str) -> None:
    """Until then whoever reads it is told what was done to it."""
    for _ in range(600):
        try:
            connection.execute(f"SELECT count(*) FROM {table}".encode())
        except psycopg.errors.ObjectNotInPrerequisiteState:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("it stays stopped")


def _written(path: Path, upstream: UpstreamDatabase, columns: str) -> None:
    """The sink's file has upstream's rows before long."""
    wanted = upstream.rows(f"SELECT {columns} FROM a ORDER BY id")
    with closing(sqlite3.connect(path)) as file:
        for _ in range(600):
            if (found := file.execute(f"SELECT {columns} FROM t ORDER BY id").fetchall()) == wanted:
                return
            time.sleep(0.1)
    raise AssertionError(f"{found} is not {wanted}")


def test_columns_that_were_added_come_with_their_values_while_what_reads_them_goes_on(
    connection: Connection, upstream: UpstreamDatabase, tmp_path: Path
) -> None:
    before, after = tmp_path / "before.db", tmp_path / "after.db"
    connection.execute(f"CREATE SINK before FROM a INTO SQLITE (PATH '{before}', TABLE 't') KEY (id)".encode())
    connection.execute(b"CREATE VIEW plain AS SELECT * FROM a")
    connection.execute(
        b"CREATE MATERIALIZED VIEW kept AS SELECT (SELECT sum(v) FROM a) + (SELECT sum(v) FROM b) AS total"
    )
    connection.execute(b"CREATE INDEX a_by_id ON a (id)")
    until(connection, "SELECT total FROM kept", lambda found: found == [(10_000,)])
    upstream.run("ALTER TABLE a ADD COLUMN added int DEFAULT 7", "ALTER TABLE a ADD COLUMN note text")

    def move(number: int) -> None:
        upstream.run(
            "BEGIN",
            f"UPDATE a SET v = v - {number}, added = added + 1, note = '{number}' WHERE id = {number}",
            f"UPDATE b SET v = v + {number} WHERE id = {number}",
            "COMMIT",
        )
        assert rows(connection, "SELECT total FROM kept") == [(10_000,)], "a transaction is not whole"

    for number in range(1, 11):
        move(number)
    _same(connection, upstream, "SELECT id, v FROM a ORDER BY 1")
    with pytest.raises(psycopg.errors.UndefinedColumn):
        connection.execute(b"SELECT added FROM a")
    connection.execute(b"ALTER SOURCE s REFRESH")
    for number in range(11, 40):
        move(number)
        shown = rows(connection, "SELECT added IS NULL, count(*) FROM a GROUP BY 1")
        assert shown in ([(True, 50)], [(False, 50)]), "all rows have got their values at one time"
    _same(connection, upstream, "SELECT id, v, added, note FROM a ORDER BY id")
    _same(connection, upstream, "SELECT * FROM a WHERE id = 3")
    connection.execute(f"CREATE SINK after FROM a INTO SQLITE (PATH '{after}', TABLE 't') KEY (id)".encode())
    assert rows(connection, "SELECT * FROM plain WHERE id = 3") == upstream.rows("SELECT id, v FROM a WHERE id = 3")
    upstream.run("INSERT INTO a VALUES (51, 0, 9, 'new')", "DELETE FROM a WHERE id = 1", "UPDATE a SET added = 0")
    _same(connection, upstream, "SELECT * FROM a ORDER BY id")
    _written(before, upstream, "id, v")
    _written(after, upstream, "id, v, added, note")
    connection.execute(b"CREATE MATERIALIZED VIEW later AS SELECT id, added, note FROM a WHERE note IS NOT NULL")
    wanted = upstream.rows("SELECT id, added, note FROM a WHERE note IS NOT NULL ORDER BY 1")
    until(connection, "SELECT * FROM later ORDER BY 1", partial(eq, wanted))
    columns = "SELECT attname, attnum::int FROM pg_attribute WHERE attrelid = 'a'::regclass AND attnum > 0 ORDER BY 2"
    assert [name for name, _ in rows(connection, columns)] == ["id", "v", "added", "note"]
    upstream.run("TRUNCATE a", "INSERT INTO a VALUES (1, 2, 3, 'd')")
    _same(connection, upstream, "SELECT * FROM a")
    upstream.run("ALTER TABLE a ADD COLUMN last text[] DEFAULT '{x}'")
    connection.execute(b"ALTER SOURCE s REFRESH SUBSOURCE a WITH (TEXT COLUMNS (a.last))")
    until(connection, "SELECT * FROM a", partial(eq, [(1, 2, 3, "d", "{x}")]))
    until(connection, "SELECT * FROM later", partial(eq, [(1, 3, "d")]))
    connection.execute(b"DROP VIEW plain")
    connection.execute(b"DROP MATERIALIZED VIEW kept, later")
    connection.execute(b"DROP SINK before, after")


def test_a_table_that_was_stopped_is_read_anew(connection: Connection, upstream: UpstreamDatabase) -> None:
    connection.execute(b"CREATE MATERIALIZED VIEW many AS SELECT count(*) AS c FROM b")
    upstream.run("ALTER TABLE b DROP COLUMN v", "INSERT INTO b VALUES (100)")
    gone = """SELECT error FROM mz_internal.mz_source_statuses WHERE name = 's'"""
    until(connection, gone, lambda found: "is gone" in (found[0][0] or ""))
    _stopped(connection, "many")
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="is gone"):
        connection.execute(b"ALTER SOURCE s REFRESH")
    upstream.run("ALTER TABLE b ADD COLUMN w text DEFAULT 'w'", "ALTER TABLE b ADD COLUMN v int DEFAULT 1")
    connection.execute(b"ALTER SOURCE s REFRESH SUBSOURCE b")
    _healed(connection, "b")
    _same(connection, upstream, "SELECT id, v, w FROM b ORDER BY id")
    until(connection, gone, partial(eq, [(None,)]))
    upstream.run("INSERT INTO b VALUES (101, 'x', 2)")
    _same(connection, upstream, "SELECT id, v, w FROM b ORDER BY id")
    until(connection, "SELECT * FROM many", partial(eq, [(52,)]))
    with pytest.raises(psycopg.errors.UndefinedColumn):
        connection.execute(b"CREATE VIEW refused AS SELECT err FROM b")
    upstream.run("DROP TABLE b", "CREATE TABLE b (id int, v int, w text)", "ALTER TABLE b REPLICA IDENTITY FULL")
    upstream.run("INSERT INTO b VALUES (1, 2, 'w')")
    until(connection, gone, lambda found: "is not the one" in (found[0][0] or ""))
    connection.execute(b"ALTER SOURCE s REFRESH")
    _healed(connection, "b")
    _same(connection, upstream, "SELECT id, v, w FROM b")
    connection.execute(b"DROP MATERIALIZED VIEW many")


def test_a_hint_heals_what_it_is_given_for(connection: Connection, upstream: UpstreamDatabase) -> None:
    """Whatever was done to the table upstream: doing what the status says, its rows are upstream's."""
    upstream.run(
        "CREATE TABLE h (id int, v int, g int GENERATED ALWAYS AS (id * 2) STORED)",
        "ALTER TABLE h REPLICA IDENTITY FULL",
        "INSERT INTO h (id, v) VALUES (1, 10), (2, 20)",
    )
    told: list[str] = []
    connection.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
    connection.execute(b"ALTER SOURCE s ADD SUBSOURCE h")
    assert told == ['column "g" of upstream\'s table "public.h" is left out']
    until(connection, "SELECT count(*) FROM h", partial(eq, [(2,)]))
    status = "SELECT error, details->>'hint' FROM mz_internal.mz_source_statuses WHERE name = 's'"
    for statements in (
        (
            "ALTER PUBLICATION p SET (publish = 'insert')",
            "DELETE FROM h WHERE id = 1",
            "ALTER PUBLICATION p SET (publish = 'insert, update, delete, truncate')",
        ),
        ("ALTER TABLE h DROP COLUMN v", "ALTER TABLE h ADD COLUMN v int DEFAULT 5"),
        ("ALTER TABLE h RENAME COLUMN v TO v_old", "ALTER TABLE h ADD COLUMN v int", "UPDATE h SET v = 3"),
        ("ALTER TABLE h ALTER COLUMN v TYPE bigint", "INSERT INTO h (id, v) VALUES (3, 5000000000)"),
        (
            "ALTER TABLE h RENAME TO other_h",
            "CREATE TABLE h (id int, v bigint, v_old int)",
            "ALTER TABLE h REPLICA IDENTITY FULL",
        ),
    ):
        upstream.run(*statements)
        _stopped(connection, "h")
        ((_, hint),) = until(connection, status, lambda found: found[0][1] is not None)
        if "DROP SUBSOURCE" in hint:
            connection.execute(b"ALTER SOURCE s DROP SUBSOURCE h")
            connection.execute(b"ALTER SOURCE s ADD SUBSOURCE h")
        else:
            assert "REFRESH SUBSOURCE reads it anew" in hint
            for table in ("a", "b", "h"):
                connection.execute(f"ALTER SOURCE s REFRESH SUBSOURCE {table}".encode())
        _healed(connection, "h")
        upstream.run("INSERT INTO h (id, v) VALUES (9, 9)")
        _same(connection, upstream, "SELECT id, v FROM h ORDER BY id, v")
        until(connection, status, partial(eq, [(None, None)]))
    connection.execute(b"ALTER SOURCE s DROP SUBSOURCE h")


@pytest.mark.parametrize(
    ("sql", "sqlstate"),
    [
        ("ALTER SOURCE s REFRESH SUBSOURCE nothing", "42704"),
        ("ALTER SOURCE s REFRESH SUBSOURCE s", "42704"),
        ("ALTER SOURCE s REFRESH SUBSOURCE", "42601"),
        ("ALTER SOURCE s REFRESH SUBSOURCE a WITH (TEXT COLUMNS (a.nothing))", "42703"),
        ("ALTER SOURCE s REFRESH WITH (SCAN = ONCE)", "42601"),
        ("ALTER SOURCE nothing REFRESH", "42P01"),
        ("ALTER SOURCE counted REFRESH", "42809"),
    ],
)
def test_what_can_not_be_refreshed_is_refused(
    connection: Connection, upstream: UpstreamDatabase, sql: str, sqlstate: str
) -> None:
    _same(connection, upstream, "SELECT id FROM a ORDER BY id")
    connection.execute(b"CREATE SOURCE IF NOT EXISTS counted FROM LOAD GENERATOR COUNTER")
    with pytest.raises(psycopg.Error) as failure:
        connection.execute(sql.encode())
    assert failure.value.sqlstate == sqlstate, failure.value
