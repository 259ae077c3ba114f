"""Kinesis over SQL, on moto: records, progress, what is refused, and a stream that is not there.

moto's shards do not split as Kinesis's do: tests/connectors/kinesis has those.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.kinesis_streams import put_texts, running_kinesis
from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import Connection, rows, until
from tests.server_process import ServerProcess

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def streams() -> Iterator[tuple[str, Any]]:
    with running_kinesis() as streams:
        yield streams


@pytest.fixture(scope="module")
def kinesis(streams: tuple[str, Any]) -> Any:
    return streams[1]


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess, streams: tuple[str, Any]) -> Iterator[Connection]:
    with own_database(headwater_server, "streams") as connection:
        connection.execute(b"CREATE SECRET aws_key AS 's'")
        options = f"ENDPOINT '{streams[0]}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET aws_key"
        connection.execute(f"CREATE CONNECTION aws TO AWS ({options})".encode())
        yield connection


def test_records_are_rows_and_the_progress_has_a_sequence_number_of_each_shard(
    connection: Connection, kinesis: Any
) -> None:
    kinesis.create_stream(StreamName="orders", ShardCount=3)
    placed = put_texts(kinesis, "orders", *(f'{{"n": {number}}}' for number in range(50)))
    clauses = "KEY FORMAT TEXT VALUE FORMAT JSON INCLUDE KEY, PARTITION AS shard, OFFSET, TIMESTAMP"
    connection.execute(f"CREATE SOURCE orders FROM KINESIS CONNECTION aws (STREAM 'orders') {clauses}".encode())
    until(connection, "SELECT count(*) FROM orders", lambda found: found == [(50,)])
    sql = "SELECT key, shard, sequence_number FROM orders ORDER BY (data->>'n')::int"
    wanted = [(f"p{n}", int(each["ShardId"][8:]), each["SequenceNumber"]) for n, each in enumerate(placed)]
    assert rows(connection, sql) == wanted
    (last,) = put_texts(kinesis, "orders", '{"n": 1}')
    shard, bound = int(last["ShardId"][8:]), str(int(last["SequenceNumber"]) + 1)
    told = f"SELECT sequence_number FROM orders_progress WHERE shard_id = {shard}"
    until(connection, told, lambda found: found == [(bound,)])
    assert rows(connection, "SELECT count(*) FROM orders") == [(51,)]
    assert rows(connection, "SELECT min(shard_id), max(shard_id) FROM orders_progress") == [(0, 2)]
    types = "SELECT attname, atttypid::regtype::text FROM pg_attribute WHERE attrelid = 'orders_progress'::regclass"
    assert rows(connection, f"{types} AND attnum > 1 ORDER BY attnum") == [
        ("shard_id", "bigint"),
        ("sequence_number", "text"),
    ]
    figures = "SELECT messages_received, offset_committed FROM mz_internal.mz_source_statistics s"
    until(connection, f"{figures} JOIN mz_sources USING (id) WHERE name = 'orders'", lambda f: f == [(51, None)])
    assert rows(connection, "SELECT type, status FROM mz_internal.mz_source_statuses WHERE name = 'orders'") == [
        ("kinesis", "running")
    ]
    ((_, sql),) = rows(connection, "SHOW CREATE SOURCE orders")
    assert sql == f"CREATE SOURCE public.orders FROM KINESIS CONNECTION aws (STREAM 'orders') {clauses};"


def test_a_stream_is_named_by_its_arn_too(connection: Connection, kinesis: Any) -> None:
    kinesis.create_stream(StreamName="named", ShardCount=1)
    put_texts(kinesis, "named", "a,1", "b,2")
    arn = kinesis.describe_stream_summary(StreamName="named")["StreamDescriptionSummary"]["StreamARN"]
    source = f"CREATE SOURCE named (letter, number) FROM KINESIS CONNECTION aws (ARN '{arn}')"
    connection.execute(f"{source} FORMAT CSV WITH 2 COLUMNS".encode())
    until(connection, "SELECT * FROM named ORDER BY letter", lambda found: found == [("a", "1"), ("b", "2")])


def test_a_stream_that_is_not_there_stalls_its_source_alone(connection: Connection, kinesis: Any) -> None:
    connection.execute(b"CREATE SOURCE late FROM KINESIS CONNECTION aws (STREAM 'late') FORMAT TEXT")
    status = "SELECT status, error FROM mz_internal.mz_source_statuses WHERE name = 'late'"
    until(connection, status, lambda found: found == [("stalled", 'there is no stream "late"')])
    kinesis.create_stream(StreamName="late", ShardCount=1)
    put_texts(kinesis, "late", "x")
    until(connection, "SELECT text FROM late", lambda found: found == [("x",)])
    kinesis.delete_stream(StreamName="late")
    until(connection, status, lambda found: found == [("stalled", 'there is no stream "late"')])
    assert rows(connection, "SELECT text FROM late") == [("x",)], "its rows stay"


@pytest.mark.parametrize(
    ("source", "sqlstate"),
    [
        ("aws", "42601"),
        ("aws (STREAM 's', ARN 'arn:aws:kinesis:us-east-1:123456789012:stream/s')", "42601"),
        ("aws (STREAM 'a b')", "22023"),
        ("aws (ARN 'arn:aws:s3:::bucket')", "22023"),
        ("aws (TOPIC 's')", "42601"),
        ("nobody (STREAM 's')", "42704"),
        ("broker (STREAM 's')", "42809"),
        ("aws (STREAM 's') INCLUDE HEADERS", "0A000"),
        ("aws (STREAM 's') KEY FORMAT TEXT VALUE FORMAT TEXT ENVELOPE UPSERT", "0A000"),
        ("aws (STREAM 's') FORMAT JSON ENVELOPE DEBEZIUM", "0A000"),
    ],
)
def test_what_cannot_be_read_is_refused(connection: Connection, source: str, sqlstate: str) -> None:
    connection.execute(
        b"CREATE CONNECTION IF NOT EXISTS broker TO KAFKA (BROKER '127.0.0.1:1') WITH (VALIDATE = false)"
    )
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(f"CREATE SOURCE x FROM KINESIS CONNECTION {source}".encode())
    assert refused.value.sqlstate == sqlstate
