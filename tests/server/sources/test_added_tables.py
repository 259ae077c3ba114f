"""Tables that are added to sources: all that there is, at one time, while the source goes on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import eq

import psycopg
import pytest

from tests.connectors.sources.postgres.upstream import UpstreamDatabase, upstream_database
from tests.judge import Judge
from tests.kafka_broker import KafkaBroker
from tests.polling import await_that
from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import Connection, bound, rows, until
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess) -> Iterator[Connection]:
    with own_database(headwater_server, "added") as connection:
        yield connection


@pytest.fixture(scope="module")
def upstream(judge: Judge, connection: Connection) -> Iterator[UpstreamDatabase]:
    with upstream_database(judge, "shop") as database:
        for table in ("a", "b", "c"):
            database.run(
                f"CREATE TABLE {table} (id int, v int)",
                f"ALTER TABLE {table} REPLICA IDENTITY FULL",
                f"INSERT INTO {table} SELECT i, 0 FROM generate_series(1, 100) i",
            )
        database.run("CREATE PUBLICATION p FOR ALL TABLES")
        place = f"HOST '{database.judge.host}', PORT {database.judge.port}, DATABASE {database.name}"
        connection.execute(b"CREATE SECRET pw AS 'nobody asks for it'")
        options = f"{place}, USER headwater, PASSWORD SECRET pw, SSL MODE disable"
        connection.execute(f"CREATE CONNECTION pg TO POSTGRES ({options})".encode())
        yield database


def test_a_topic_is_read_in_another_way_by_a_table_that_comes_later(
    broker: KafkaBroker, connection: Connection
) -> None:
    broker.create("kinds", 2)
    records = [(n % 2, f"k{n % 4}".encode(), f'{{"n": {n}}}'.encode()) for n in range(50)]
    broker.produce("kinds", records)
    place = f"KAFKA BROKER '{broker.address}' TOPIC 'kinds'"
    connection.execute(f"CREATE SOURCE kinds FROM {place} FORMAT BYTES INCLUDE PARTITION, OFFSET".encode())
    bound(connection, "kinds", {0: 25, 1: 25})
    connection.execute(b"CREATE TABLE texts (line) FROM SOURCE kinds FORMAT TEXT")
    connection.execute(
        b"CREATE TABLE newest FROM SOURCE kinds (REFERENCE kinds) KEY FORMAT TEXT VALUE FORMAT JSON ENVELOPE UPSERT"
    )
    connection.execute(b"CREATE MATERIALIZED VIEW many AS SELECT count(*) AS c FROM texts")
    seen: set[int] = set()

    def all_has_come() -> bool:
        ((count,),) = rows(connection, "SELECT count(*) FROM texts")
        seen.add(count)
        return 50 in seen

    await_that(all_has_come)
    assert seen <= {0, 50}, "all of it comes at one time"
    broker.produce("kinds", [(0, b"k0", b'{"n": 100}'), (1, b"k1", None)])
    until(connection, "SELECT c FROM many", lambda found: found == [(52,)])
    wanted = [("k0", {"n": 100}), ("k2", {"n": 46}), ("k3", {"n": 47})]
    until(connection, "SELECT * FROM newest ORDER BY key", lambda found: found == wanted)
    listed = "SELECT name, type FROM mz_sources WHERE name IN ('texts', 'newest') ORDER BY 1"
    assert rows(connection, listed) == [("newest", "subsource"), ("texts", "subsource")]
    ((shown,),) = rows(connection, "SELECT create_sql FROM mz_sources WHERE name = 'texts'")
    assert shown == "CREATE TABLE public.texts (line) FROM SOURCE public.kinds FORMAT TEXT;"
    with pytest.raises(psycopg.errors.DependentObjectsStillExist):
        connection.execute(b"DROP SOURCE kinds")
    connection.execute(b"DROP TABLE newest")
    connection.execute(b"DROP SOURCE kinds CASCADE")
    assert rows(connection, listed) == []


def test_tables_of_a_publication_come_and_go_while_the_others_go_on(
    connection: Connection, upstream: UpstreamDatabase
) -> None:
    connection.execute(b"CREATE SOURCE shop FROM POSTGRES CONNECTION pg (PUBLICATION 'p') FOR TABLES (a)")
    connection.execute(b"CREATE SOURCE bare FROM POSTGRES CONNECTION pg (PUBLICATION 'p')")
    until(connection, "SELECT count(*) FROM a", lambda found: found == [(100,)])
    connection.execute(b"ALTER SOURCE shop ADD SUBSOURCE b, public.c AS third")
    connection.execute(b"CREATE TABLE mine FROM SOURCE bare (REFERENCE public.a, TEXT COLUMNS (a.v))")
    connection.execute(b"CREATE VIEW sums AS SELECT (SELECT sum(v) FROM a) AS a, (SELECT sum(v) FROM b) AS b")
    for number in range(30):
        # What is moved within one transaction is never seen in one table alone, once both are there.
        upstream.run(
            "BEGIN",
            f"UPDATE a SET v = v - {number} WHERE id = {number + 1}",
            f"UPDATE b SET v = v + {number} WHERE id = {number + 1}",
            f"INSERT INTO c VALUES ({1000 + number}, {number})",
            "COMMIT",
        )
        ((a, b),) = rows(connection, "SELECT * FROM sums")
        assert b is None or a + b == 0, (a, b)
    for table, ours in (("a", "a"), ("b", "b"), ("c", "third")):
        wanted = upstream.rows(f"SELECT * FROM {table} ORDER BY id")
        until(connection, f"SELECT * FROM {ours} ORDER BY id", partial(eq, wanted))
    wanted = upstream.rows("SELECT id, v::text FROM a ORDER BY id")
    until(connection, "SELECT * FROM mine ORDER BY id", lambda found: found == wanted)
    slots = "SELECT slot_name FROM pg_replication_slots WHERE slot_name LIKE 'headwater%'"
    assert all(not name.endswith("joining") for (name,) in upstream.rows(slots)), "readers' own slots are gone"
    connection.execute(b"ALTER SOURCE shop DROP SUBSOURCE b CASCADE")
    upstream.run("UPDATE c SET v = 5 WHERE id = 1", "TRUNCATE b")
    until(connection, "SELECT v FROM third WHERE id = 1", lambda found: found == [(5,)])
    connection.execute(b"ALTER SOURCE shop ADD SUBSOURCE b")
    upstream.run("INSERT INTO b VALUES (7, 7)")
    until(connection, "SELECT * FROM b", lambda found: found == [(7, 7)])
    connection.execute(b"DROP SOURCE shop")
    connection.execute(b"DROP SOURCE bare CASCADE")


def test_tables_of_a_generator_join_at_the_step_where_it_is(connection: Connection) -> None:
    generator = "LOAD GENERATOR AUCTION (TICK INTERVAL '20ms', SEED 3)"
    connection.execute(f"CREATE SOURCE auction FROM {generator} FOR TABLES (bids)".encode())
    until(connection, "SELECT count(*) FROM bids", lambda found: found[0][0] > 20)
    connection.execute(b"ALTER SOURCE auction ADD SUBSOURCE bids AS again, auctions")
    until(connection, "SELECT count(*) FROM again", lambda found: found[0][0] > 0)
    assert rows(connection, "(SELECT * FROM bids EXCEPT SELECT * FROM again)") == []
    until(connection, "SELECT count(*) FROM auctions", lambda found: found[0][0] > 0)
    connection.execute(b"DROP SOURCE auction")


@pytest.mark.parametrize(
    ("sql", "sqlstate"),
    [
        ("CREATE TABLE t FROM SOURCE nothing FORMAT TEXT", "42P01"),
        ("CREATE TABLE t FROM SOURCE mz_objects FORMAT TEXT", "42809"),
        ("CREATE TABLE t FROM SOURCE told", "42601"),
        ("CREATE TABLE t FROM SOURCE told (REFERENCE nothing)", "42P01"),
        ("CREATE TABLE t FROM SOURCE told (REFERENCE bids) FORMAT TEXT", "0A000"),
        ("CREATE TABLE bids FROM SOURCE told (REFERENCE bids)", "42P07"),
        ("CREATE TABLE t FROM SOURCE bids (REFERENCE counter)", "42809"),
        ("CREATE TABLE t FROM SOURCE hooked FORMAT TEXT", "0A000"),
        ("ALTER SOURCE told ADD SUBSOURCE nothing", "42P01"),
        ("ALTER SOURCE told ADD SUBSOURCE auctions, accounts AS auctions", "42P07"),
        ("ALTER SOURCE counted ADD SUBSOURCE counter", "42809"),
        ("ALTER SOURCE told DROP SUBSOURCE nothing", "42704"),
        ("ALTER SOURCE told DROP SUBSOURCE counted", "42704"),
        ("ALTER SOURCE told DROP SUBSOURCE told", "42704"),
    ],
)
def test_what_can_not_be_added_is_refused(connection: Connection, sql: str, sqlstate: str) -> None:
    connection.execute(b"CREATE SOURCE IF NOT EXISTS told FROM LOAD GENERATOR AUCTION FOR TABLES (bids)")
    connection.execute(b"CREATE SOURCE IF NOT EXISTS counted FROM LOAD GENERATOR COUNTER")
    connection.execute(b"CREATE SOURCE IF NOT EXISTS hooked FROM WEBHOOK BODY FORMAT TEXT")
    with pytest.raises(psycopg.Error) as failure:
        connection.execute(sql.encode())
    assert failure.value.sqlstate == sqlstate, failure.value
