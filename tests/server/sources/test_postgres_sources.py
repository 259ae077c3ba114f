"""PostgreSQL as a source over SQL: its tables copied and followed, transactions whole, what can't be refused, slots
dropped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.connectors.sources.postgres.upstream import UpstreamDatabase, upstream_database
from tests.judge import Judge
from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import Connection, rows, until
from tests.server_process import ServerProcess, start_server

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def upstream(judge: Judge) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, "bank") as database:
        database.run(
            "CREATE TYPE mood AS ENUM ('sad', 'ok')",
            "CREATE TABLE accounts (id int PRIMARY KEY, balance numeric(10, 2), mood mood, tags text[])",
            "CREATE TABLE transfers (id int, amount numeric(10, 2), at timestamptz)",
            "CREATE SCHEMA other",
            "CREATE TABLE other.accounts (id int, note text)",
            "CREATE TABLE other.unidentified (id int PRIMARY KEY)",
            "ALTER TABLE accounts REPLICA IDENTITY FULL",
            "ALTER TABLE transfers REPLICA IDENTITY FULL",
            "ALTER TABLE other.accounts REPLICA IDENTITY FULL",
            "INSERT INTO accounts SELECT i, 100, 'ok', ARRAY['a', NULL] FROM generate_series(1, 50) i",
            "INSERT INTO other.accounts VALUES (1, 'elsewhere')",
            "CREATE PUBLICATION p FOR TABLE accounts, transfers",
            "CREATE PUBLICATION wide FOR ALL TABLES",
            "CREATE PUBLICATION inserts FOR TABLE accounts WITH (publish = 'insert')",
        )
        yield database


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess, upstream: UpstreamDatabase) -> Iterator[Connection]:
    with own_database(headwater_server, "mirror") as connection:
        place = f"HOST '{upstream.judge.host}', PORT {upstream.judge.port}, DATABASE {upstream.name}"
        connection.execute(b"CREATE SECRET pw AS 'nobody asks for it'")
        options = f"{place}, USER headwater, PASSWORD SECRET pw, SSL MODE disable"
        connection.execute(f"CREATE CONNECTION pg TO POSTGRES ({options})".encode())
        yield connection


def _same(connection: Connection, upstream: UpstreamDatabase, sql: str) -> None:
    """The query gives upstream's rows before long."""
    wanted = upstream.rows(sql)
    until(connection, sql, lambda found: found == wanted)


def test_tables_are_mirrored_and_transactions_stay_whole(connection: Connection, upstream: UpstreamDatabase) -> None:
    connection.execute(b"CREATE SOURCE bank FROM POSTGRES CONNECTION pg (PUBLICATION 'p') FOR ALL TABLES")
    connection.execute(
        b"CREATE VIEW kept AS SELECT (SELECT sum(balance) FROM accounts) AS a, (SELECT sum(amount) FROM transfers) AS t"
    )
    everything = "SELECT id, balance, mood::text, tags FROM accounts ORDER BY id"
    _same(connection, upstream, everything)
    for number in range(40):
        upstream.run(
            "BEGIN",
            f"UPDATE accounts SET balance = balance - {number} WHERE id = {number % 50 + 1}",
            f"INSERT INTO transfers VALUES ({number}, {number}, now())",
            "COMMIT",
        )
        if number % 20 == 10:
            ((a, t),) = rows(connection, "SELECT a, coalesce(t, 0) FROM kept")
            assert a + t == 5000
    upstream.run("DELETE FROM accounts WHERE id > 45", "UPDATE accounts SET tags = '{}', mood = 'sad' WHERE id < 3")
    _same(connection, upstream, everything)
    assert rows(connection, "SELECT * FROM bank") == []
    ((lsn,),) = rows(connection, "SELECT lsn FROM bank_progress")
    assert 0 < lsn <= upstream.wal_end()
    listed = "SELECT name, type FROM mz_sources WHERE name IN ('bank', 'accounts', 'transfers') ORDER BY 1"
    assert rows(connection, listed) == [("accounts", "subsource"), ("bank", "postgres"), ("transfers", "subsource")]
    upstream.run("TRUNCATE transfers", "INSERT INTO transfers VALUES (1, 5.5, NULL)")
    _same(connection, upstream, "SELECT * FROM transfers ORDER BY id")
    with pytest.raises(psycopg.errors.WrongObjectType):
        connection.execute(b"INSERT INTO accounts VALUES (1)")


def test_tables_get_names_and_slots_go_with_their_sources(connection: Connection, upstream: UpstreamDatabase) -> None:
    slots = "SELECT count(*)::int FROM pg_replication_slots WHERE database = current_database()"
    ((before,),) = upstream.rows(slots)
    named = "(public.accounts AS mine, other.accounts AS theirs)"
    options = "(PUBLICATION 'wide', TEXT COLUMNS (public.accounts.balance))"
    connection.execute(f"CREATE SOURCE named FROM POSTGRES CONNECTION pg {options} FOR TABLES {named}".encode())
    until(connection, "SELECT count(*) FROM mine", lambda found: found == [(45,)])
    told = "SELECT note, length(balance) FROM theirs, mine ORDER BY mine.id LIMIT 1"
    assert rows(connection, told) == [("elsewhere", len("100.00"))]
    assert upstream.rows(slots) == [(before + 1,)]
    told = "SELECT replication_slot FROM mz_postgres_sources JOIN mz_sources USING (id) WHERE name = 'named'"
    ((slot,),) = rows(connection, told)
    assert upstream.rows(f"SELECT plugin FROM pg_replication_slots WHERE slot_name = '{slot}'") == [("pgoutput",)]
    connection.execute(b"DROP SOURCE named CASCADE")
    for _ in range(2_000):
        if upstream.rows(slots) == [(before,)]:
            break
        upstream.run("SELECT pg_sleep(0.01)")
    else:
        raise AssertionError("the slot stays")


def test_a_table_that_was_altered_stops_alone(connection: Connection, upstream: UpstreamDatabase) -> None:
    for name in ("altered", "sound"):
        upstream.run(f"CREATE TABLE {name} (id int, v text)", f"ALTER TABLE {name} REPLICA IDENTITY FULL")
    upstream.run("CREATE PUBLICATION two FOR TABLE altered, sound", "INSERT INTO sound VALUES (1, 'before')")
    connection.execute(b"CREATE SOURCE two FROM POSTGRES CONNECTION pg (PUBLICATION 'two') FOR ALL TABLES")
    until(connection, "SELECT id FROM sound", lambda found: found == [(1,)])
    connection.execute(b"CREATE VIEW both_of_them AS SELECT (SELECT count(*) FROM altered) AS a, id FROM sound")
    upstream.run("ALTER TABLE altered DROP COLUMN v", "INSERT INTO altered VALUES (2)", "UPDATE sound SET id = 2")
    status = "SELECT status, error FROM mz_internal.mz_source_statuses WHERE name = 'two'"
    until(connection, status, lambda found: "is gone" in (found[0][1] or ""))
    until(connection, "SELECT id FROM sound", lambda found: found == [(2,)])
    for reads_it in ("SELECT * FROM altered", "SELECT * FROM both_of_them"):
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="is gone"):
            connection.execute(reads_it.encode())
    connection.execute(b"DROP SOURCE altered CASCADE")
    until(connection, status, lambda found: found == [("running", None)])
    upstream.run("DELETE FROM sound")
    until(connection, "SELECT id FROM sound", lambda found: found == [])


_ALL = "FOR ALL TABLES"


@pytest.mark.parametrize(
    ("source", "sqlstate"),
    [
        (f"pg {_ALL}", "42601"),
        (f"nobody (PUBLICATION 'p') {_ALL}", "42704"),
        (f"pg (PUBLICATION 'nothing') {_ALL}", "42704"),
        (f"pg (PUBLICATION 'inserts') {_ALL}", "55000"),
        (f"pg (PUBLICATION 'wide') {_ALL}", "55000"),
        (f"pg (PUBLICATION 'p') {_ALL}", "42710"),
        ("pg (PUBLICATION 'wide') FOR SCHEMAS (nowhere)", "42704"),
        ("pg (PUBLICATION 'wide') FOR TABLES (nothing)", "42P01"),
        ("pg (PUBLICATION 'wide') FOR TABLES (accounts)", "42P09"),
        ("pg (PUBLICATION 'wide') FOR TABLES (other.unidentified)", "55000"),
        ("pg (PUBLICATION 'p') FOR TABLES (accounts AS x, transfers AS x)", "42P07"),
        ("pg (PUBLICATION 'p', TEXT COLUMNS (accounts.nothing)) FOR TABLES (accounts AS y)", "42703"),
        ("pg (PUBLICATION 'p') FORMAT TEXT FOR ALL TABLES", "0A000"),
        ("pg (TOPIC 'p') FOR ALL TABLES", "42601"),
    ],
)
def test_what_cannot_be_followed_is_refused(connection: Connection, source: str, sqlstate: str) -> None:
    rows(connection, "SELECT count(*) FROM accounts")
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(f"CREATE SOURCE refused FROM POSTGRES CONNECTION {source}".encode())
    assert refused.value.sqlstate == sqlstate


@pytest.mark.parametrize(
    ("options", "sqlstate"),
    [
        ("HOST '127.0.0.1', DATABASE a, USER b, PORT 1", "08001"),
        ("HOST '127.0.0.1', DATABASE a", "22023"),
        ("HOST '127.0.0.1', DATABASE a, USER b, PORT 70000", "22023"),
        ("HOST '127.0.0.1', DATABASE a, USER b, SSL MODE loud", "22023"),
        ("HOST '127.0.0.1', DATABASE a, USER b, PASSWORD 'seen'", "22023"),
        ("HOST '127.0.0.1', DATABASE a, USER b, BROKER 'c:1'", "42601"),
    ],
)
def test_connections_are_tried_and_their_options_checked(connection: Connection, options: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(f"CREATE CONNECTION wrong TO POSTGRES ({options})".encode())
    assert refused.value.sqlstate == sqlstate


def test_a_slot_that_was_left_is_remembered_through_a_crash(judge: Judge, tmp_path: Path) -> None:
    """Nothing is left of its source, nor of the connection, when upstream comes back."""
    left = "SELECT source_name, attempts > 0, error FROM mz_internal.mz_left_replication_slots"
    slots = "SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"
    with upstream_database(judge, "away") as upstream, judge.connect("postgres") as elsewhere:
        upstream.run(
            "CREATE TABLE t (id int)",
            "ALTER TABLE t REPLICA IDENTITY FULL",
            "INSERT INTO t VALUES (1)",
            "CREATE PUBLICATION p FOR TABLE t",
        )
        server = start_server(tmp_path)
        try:
            with server.connect() as connection:
                place = f"HOST '{judge.host}', PORT {judge.port}, DATABASE {upstream.name}"
                connection.execute(b"CREATE SECRET pw AS 'nobody asks for it'")
                options = f"{place}, USER headwater, PASSWORD SECRET pw"
                connection.execute(f"CREATE CONNECTION pg TO POSTGRES ({options})".encode())
                connection.execute(b"CREATE SOURCE s FROM POSTGRES CONNECTION pg (PUBLICATION 'p') FOR ALL TABLES")
                until(connection, "SELECT id FROM t", lambda found: found == [(1,)])
                assert rows(connection, left) == [] and len(upstream.rows(slots)) == 1
                elsewhere.execute(f"ALTER DATABASE {upstream.name} ALLOW_CONNECTIONS false".encode())
                connection.execute(b"DROP SECRET pw CASCADE")
                ((name, _, error),) = until(connection, left, lambda found: bool(found) and found[0][1])
                assert (name, "not currently accepting connections" in error) == ("s", True)
            server.kill()
            server = start_server(tmp_path)
            with server.connect() as connection:
                until(connection, left, lambda found: bool(found) and found[0][1])
                assert len(upstream.rows(slots)) == 1
                elsewhere.execute(f"ALTER DATABASE {upstream.name} ALLOW_CONNECTIONS true".encode())
                until(connection, left, lambda found: found == [])
                assert upstream.rows(slots) == []
        finally:
            server.stop()
