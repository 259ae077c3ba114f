"""Load generators over SQL: rows, progress, views over them, and what can't be said of them."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import Connection, rows, until
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark
_DATABASE = "generated"


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess) -> Iterator[Connection]:
    with own_database(headwater_server, _DATABASE) as connection:
        yield connection


def test_a_counter_counts_and_its_progress_says_how_far(connection: Connection) -> None:
    connection.execute(b"CREATE SOURCE c FROM LOAD GENERATOR COUNTER (TICK INTERVAL '100ms')")
    connection.execute(b"CREATE MATERIALIZED VIEW total AS SELECT count(*) AS n, sum(counter) AS s FROM c")
    ((n, s),) = until(connection, "SELECT n, s::int8 FROM total", lambda found: found[0][0] >= 20)
    assert s == n * (n + 1) // 2
    both = 'SELECT (SELECT count(*) FROM c), (SELECT max(counter) FROM c), (SELECT "offset" FROM c_progress)'
    ((count, greatest, offset),) = rows(connection, both)
    assert count == greatest == offset >= n
    assert [column for (column,) in rows(connection, _columns_of("c_progress"))] == ["mz_timestamp", "offset"]
    assert rows(connection, "SELECT type, status FROM mz_internal.mz_source_statuses WHERE name = 'c'") == [
        ("load-generator", "running")
    ]
    assert rows(connection, "SELECT type, envelope_type FROM mz_sources WHERE name = 'c'") == [("load-generator", None)]
    ((_, sql),) = rows(connection, "SHOW CREATE SOURCE c")
    assert sql == "CREATE SOURCE public.c FROM LOAD GENERATOR COUNTER (TICK INTERVAL '100ms');"
    explained = "\n".join(line for (line,) in rows(connection, "EXPLAIN SELECT * FROM c_progress"))
    assert "Read the remap collection of public.c (" in explained


def _columns_of(relation: str) -> str:
    return f"SELECT attname FROM pg_attribute WHERE attrelid = '{relation}'::regclass AND attnum > 0 ORDER BY attnum"


def test_a_counter_of_some_numbers_keeps_the_last(connection: Connection) -> None:
    connection.execute(b"CREATE SOURCE few FROM LOAD GENERATOR COUNTER (TICK INTERVAL '100ms', MAX CARDINALITY 5)")
    sql = "SELECT count(*), max(counter) - min(counter), max(counter) FROM few"
    until(connection, sql, lambda found: found[0][:2] == (5, 4) and found[0][2] > 10)


def test_the_tables_of_a_source_are_at_one_step(connection: Connection) -> None:
    options = "(TICK INTERVAL '100ms', SEED 7)"
    connection.execute(f"CREATE SOURCE house FROM LOAD GENERATOR AUCTION {options} FOR ALL TABLES".encode())
    until(connection, "SELECT count(*) FROM bids", lambda found: found[0][0] > 30)
    sql = """
        SELECT (SELECT "offset" FROM house_progress), (SELECT count(*) FROM auctions), (SELECT count(*) FROM bids),
            (SELECT count(*) FROM users), (SELECT count(*) FROM bids b JOIN auctions a ON a.id = b.auction_id)
    """
    ((offset, auctions, bids, users, joined),) = rows(connection, sql)
    assert (auctions + bids, users, joined) == (offset - 1, 200, bids)
    assert rows(connection, "SELECT * FROM house") == []
    listed = "SELECT name, type FROM mz_sources WHERE name IN ('house', 'bids') ORDER BY 1"
    assert rows(connection, listed) == [("bids", "subsource"), ("house", "load-generator")]
    states = "SELECT type, status FROM mz_internal.mz_source_statuses WHERE name IN ('house', 'bids') ORDER BY name"
    assert rows(connection, states) == [("subsource", "running"), ("load-generator", "running")]
    assert {status for *_, status in rows(connection, "SHOW SOURCES LIKE 'b%'")} == {"running"}
    with pytest.raises(psycopg.errors.DuplicateTable):
        connection.execute(b"CREATE SOURCE other FROM LOAD GENERATOR AUCTION FOR TABLES (bids)")
    with pytest.raises(psycopg.errors.WrongObjectType):
        connection.execute(b"INSERT INTO bids VALUES (1)")


def test_tables_go_one_by_one_and_with_their_source(connection: Connection) -> None:
    options = "(TICK INTERVAL '100ms', SEED 7)"
    chosen = "FOR TABLES (leads, clicks AS taps, customers)"
    connection.execute(f"CREATE SOURCE ads FROM LOAD GENERATOR MARKETING {options} {chosen}".encode())
    connection.execute(b"CREATE MATERIALIZED VIEW tapped AS SELECT count(*) AS n FROM taps")
    until(connection, "SELECT n FROM tapped", lambda found: found[0][0] > 5)
    with pytest.raises(psycopg.errors.DependentObjectsStillExist):
        connection.execute(b"DROP SOURCE taps")
    connection.execute(b"DROP SOURCE customers")
    ((n,),) = rows(connection, "SELECT n FROM tapped")
    until(connection, "SELECT n FROM tapped", lambda found: found[0][0] > n)
    until(connection, "SELECT count(*) FROM leads WHERE converted_at IS NOT NULL", lambda found: found[0][0] > 0)
    with pytest.raises(psycopg.errors.DependentObjectsStillExist):
        connection.execute(b"DROP SOURCE ads")
    connection.execute(b"DROP SOURCE ads CASCADE")
    assert rows(connection, "SELECT count(*) FROM mz_sources WHERE name IN ('ads', 'leads', 'taps')") == [(0,)]


def test_a_snapshot_is_there_whole_and_refreshes_replace_rows(connection: Connection) -> None:
    generated = "LOAD GENERATOR TPCH (SCALE FACTOR 0.0001, TICK INTERVAL '100ms')"
    connection.execute(f"CREATE SOURCE tpch FROM {generated} FOR ALL TABLES".encode())
    counted = "SELECT (SELECT count(*) FROM orders), (SELECT count(DISTINCT l_orderkey) FROM lineitem)"
    until(connection, counted, lambda found: found == [(150, 150)])
    total = "SELECT sum(o_totalprice) FROM orders"
    ((before,),) = rows(connection, total)
    until(connection, total, lambda found: found != [(before,)])
    assert rows(connection, counted) == [(150, 150)]
    keyed = "LOAD GENERATOR KEY VALUE (KEYS 300, BATCH SIZE 40, SNAPSHOT ROUNDS 2, VALUE SIZE 20)"
    connection.execute(f"CREATE SOURCE kv FROM {keyed}".encode())
    counted = "SELECT count(*), count(DISTINCT key), min(length(value)), max(length(value)) FROM kv"
    until(connection, counted, lambda found: found == [(300, 300, 20, 20)])


@pytest.mark.parametrize(
    ("statement", "sqlstate"),
    [
        ("CREATE SOURCE x FROM LOAD GENERATOR AUCTION", "42601"),
        ("CREATE SOURCE x FROM LOAD GENERATOR COUNTER FOR ALL TABLES", "42601"),
        ("CREATE SOURCE x FROM LOAD GENERATOR AUCTION FOR TABLES (nothing)", "42P01"),
        ("CREATE SOURCE x FROM LOAD GENERATOR AUCTION FOR TABLES (bids, users AS bids)", "42P07"),
        ("CREATE SOURCE x FROM LOAD GENERATOR TPCH (SCALE FACTOR 0) FOR ALL TABLES", "22023"),
        ("CREATE SOURCE x FROM LOAD GENERATOR KEY VALUE (KEYS 0)", "22023"),
        ("CREATE SOURCE x FROM LOAD GENERATOR KEY VALUE (KEYS '--5')", "22023"),
        ("CREATE SOURCE x FROM LOAD GENERATOR KEY VALUE (KEYS '²')", "22023"),
        ("CREATE SOURCE x FROM LOAD GENERATOR KEY VALUE (VALUE SIZE 10000, BATCH SIZE 10000)", "22023"),
        ("CREATE SOURCE x FROM LOAD GENERATOR NOBODY", "42704"),
        ("CREATE SOURCE x FROM LOAD GENERATOR COUNTER (SCALE FACTOR 1)", "42601"),
        ("CREATE SOURCE x FROM LOAD GENERATOR COUNTER (MAX CARDINALITY 0)", "22023"),
        ("CREATE SOURCE x FROM LOAD GENERATOR COUNTER (TICK INTERVAL '1us')", "22023"),
        ("CREATE SOURCE x FROM LOAD GENERATOR COUNTER (TICK INTERVAL '1 month')", "22023"),
        ("CREATE SOURCE x FROM LOAD GENERATOR COUNTER (SEED -1)", "22023"),
        ("CREATE SOURCE x FROM LOAD GENERATOR COUNTER FORMAT TEXT", "0A000"),
        ("CREATE SOURCE x FROM LOAD GENERATOR COUNTER (AS OF 5)", "0A000"),
        ("CREATE SOURCE x (a, b) FROM LOAD GENERATOR COUNTER", "42P10"),
        ("INSERT INTO c VALUES (1)", "42809"),
    ],
)
def test_what_cannot_be_is_refused(connection: Connection, statement: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(statement.encode())
    assert refused.value.sqlstate == sqlstate
