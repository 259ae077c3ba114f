"""PubNub over SQL: messages, progress, what is said of a channel that can't be listened to, and of what is refused."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.pubnub_server import PubnubServer, running_pubnub
from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import Connection, rows, until
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def pubnub() -> Iterator[PubnubServer]:
    with running_pubnub() as server:
        yield server


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess) -> Iterator[Connection]:
    with own_database(headwater_server, "channels") as connection:
        yield connection


def _create(connection: Connection, pubnub: PubnubServer, name: str, clauses: str = "", key: str = "sub-c-1") -> None:
    place = f"PUBNUB SUBSCRIBE KEY '{key}' CHANNEL '{name}' ORIGIN '{pubnub.origin}'"
    connection.execute(f"CREATE SOURCE {name} FROM {place} {clauses}".encode())


def _listening(connection: Connection, name: str) -> None:
    """Messages that are published from now on are heard."""
    until(connection, f"SELECT count(*) FROM {name}_progress", lambda found: found == [(1,)])


def test_messages_are_rows_and_the_progress_is_a_timetoken_of_a_region(
    connection: Connection, pubnub: PubnubServer
) -> None:
    _create(connection, pubnub, "orders")
    connection.execute(
        b"CREATE MATERIALIZED VIEW sums AS SELECT text::jsonb->>'s' AS s, sum((text::jsonb->>'n')::int) AS n "
        b"FROM orders GROUP BY 1"
    )
    _listening(connection, "orders")
    for number in range(5):
        pubnub.publish("orders", {"s": "a", "n": number}, {"s": "b", "n": 1})
    until(connection, "SELECT * FROM sums ORDER BY s", lambda found: found == [("a", 10), ("b", 5)])
    assert rows(connection, "SELECT DISTINCT text FROM orders WHERE text LIKE '%b%'") == [('{"s": "b", "n": 1}',)]
    last = pubnub.publish("orders", {"s": "c", "n": 7})
    told = "SELECT region, timetoken FROM orders_progress"
    ((region, _),) = until(connection, told, lambda found: bool(found[0][1] > last))
    assert region == 4 and rows(connection, "SELECT n FROM sums WHERE s = 'c'") == [(7,)]
    kinds = "SELECT type, envelope_type FROM mz_sources WHERE name = 'orders'"
    assert rows(connection, kinds) == [("pubnub", "none")]
    ((_, sql),) = rows(connection, "SHOW CREATE SOURCE orders")
    written = f"PUBNUB SUBSCRIBE KEY 'sub-c-1' CHANNEL 'orders' ORIGIN '{pubnub.origin}'"
    assert sql == f"CREATE SOURCE public.orders FROM {written};"
    messages = "SELECT messages_received FROM mz_internal.mz_source_statistics s JOIN mz_sources USING (id)"
    until(connection, f"{messages} WHERE name = 'orders'", lambda found: found == [(11,)])


def test_a_message_has_a_time_and_a_place(connection: Connection, pubnub: PubnubServer) -> None:
    _create(connection, pubnub, "placed", "FORMAT JSON INCLUDE PARTITION AS region, OFFSET AS timetoken, TIMESTAMP")
    _listening(connection, "placed")
    timetoken = pubnub.publish("placed", [1])
    at = "extract(epoch FROM timestamp)::numeric = (timetoken / 10000) / 1000.0"
    sql = f"SELECT data->0 = '1', region, timetoken, {at} FROM placed"
    until(connection, sql, lambda found: found == [(True, 4, timetoken, True)])


def test_a_channel_that_is_away_stalls_its_source_alone_and_comes_back(
    connection: Connection, pubnub: PubnubServer
) -> None:
    _create(connection, pubnub, "flaky", "WITH (RETAIN HISTORY = FOR '1 h')")
    _listening(connection, "flaky")
    pubnub.publish("flaky", 1)
    until(connection, "SELECT count(*) FROM flaky", lambda found: found == [(1,)])
    pubnub.go(True)
    status = "SELECT status, error FROM mz_internal.mz_source_statuses WHERE name = 'flaky'"
    until(connection, status, lambda found: found[0][0] == "stalled" and "503" in found[0][1])
    assert rows(connection, "SELECT text FROM flaky") == [("1",)], "reads go on"
    pubnub.go(False)
    pubnub.publish("flaky", 2)
    until(connection, "SELECT count(*) FROM flaky", lambda found: found == [(2,)])
    until(connection, status, lambda found: found == [("running", None)])


def test_a_wrong_key_is_the_source_s_status(connection: Connection, pubnub: PubnubServer) -> None:
    _create(connection, pubnub, "strange", key="sub-c-unknown")
    status = "SELECT status, error, details->>'hint' FROM mz_internal.mz_source_statuses WHERE name = 'strange'"
    ((_, error, hint),) = until(connection, status, lambda found: found[0][0] == "stalled")
    assert "HTTP 400 Bad Request: Invalid Subscribe Key" in error and "subscribe key" in hint
    connection.execute(b"DROP SOURCE strange")


@pytest.mark.parametrize(
    ("source", "sqlstate"),
    [
        ("PUBNUB SUBSCRIBE KEY 'k'", "42601"),
        ("PUBNUB SUBSCRIBE KEY '' CHANNEL 'c'", "42601"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'a,b'", "22023"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'a.*'", "22023"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'c' TOPIC 't'", "42601"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'c' ORIGIN 'ftp://a'", "22023"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'c' ORIGIN 'http://a:99999'", "22023"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'c' ORIGIN 'http://a/b?c'", "22023"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'c' KEY FORMAT TEXT VALUE FORMAT TEXT", "0A000"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'c' FORMAT JSON INCLUDE KEY", "42601"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'c' INCLUDE HEADERS", "0A000"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'c' FORMAT JSON ENVELOPE DEBEZIUM", "0A000"),
        ("PUBNUB SUBSCRIBE KEY 'k' CHANNEL 'c' FOR ALL TABLES", "42601"),
        ("PUBNUB CONNECTION c (CHANNEL 'c')", "0A000"),
    ],
)
def test_what_cannot_be_listened_to_is_refused(connection: Connection, source: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(f"CREATE SOURCE x FROM {source}".encode())
    assert refused.value.sqlstate == sqlstate
