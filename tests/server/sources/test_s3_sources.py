"""Objects of buckets over SQL, on moto: formats, growth, notifications, kill -9, and what is refused."""

from __future__ import annotations

import io
import json
import os
import random
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.server.sources.own_database import own_database
from tests.server.sources.test_kafka_sources import Connection, rows, until
from tests.server_process import ServerProcess, await_spark, start_server

pytestmark = pytest.mark.spark
_SOON = "WITH (SCAN INTERVAL = '20 ms')"


@dataclass(frozen=True)
class Buckets:
    """Of what speaks as Amazon's services do."""

    endpoint: str
    s3: Any
    sqs: Any

    def connect(self, connection: Connection) -> None:
        connection.execute(b"CREATE SECRET aws_key AS 's'")
        options = f"ENDPOINT '{self.endpoint}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET aws_key"
        connection.execute(f"CREATE CONNECTION aws TO AWS ({options})".encode())

    def put(self, bucket: str, key: str, data: bytes) -> None:
        self.s3.put_object(Bucket=bucket, Key=key, Body=data)

    def queue_of(self, bucket: str) -> str:
        """Made, and told by the bucket of what is put there."""
        url = str(self.sqs.create_queue(QueueName=bucket, Attributes={"VisibilityTimeout": "2"})["QueueUrl"])
        arn = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        told = {"QueueConfigurations": [{"QueueArn": arn, "Events": ["s3:ObjectCreated:*"]}]}
        self.s3.put_bucket_notification_configuration(Bucket=bucket, NotificationConfiguration=told)
        return url


@pytest.fixture(scope="module")
def buckets(amazon: str) -> Buckets:
    session = boto3.session.Session("k", "s", region_name="us-east-1")
    return Buckets(amazon, session.client("s3", endpoint_url=amazon), session.client("sqs", endpoint_url=amazon))


@pytest.fixture(scope="module")
def connection(headwater_server: ServerProcess, buckets: Buckets) -> Iterator[Connection]:
    with own_database(headwater_server, "buckets") as connection:
        buckets.connect(connection)
        buckets.s3.create_bucket(Bucket="lake")
        yield connection


def test_csv_by_its_header_goes_on_as_objects_come_and_grow(connection: Connection, buckets: Buckets) -> None:
    buckets.put("lake", "flights/a.csv", b"origin,delay\nJFK,5\nLGA,7\n")
    discover = "S3 CONNECTION aws DISCOVER OBJECTS MATCHING 'flights/*.csv' USING BUCKET SCAN 'lake'"
    source = f"{discover} FORMAT CSV WITH HEADER {_SOON}"
    connection.execute(f"CREATE SOURCE flights FROM {source}".encode())
    connection.execute(
        b"CREATE MATERIALIZED VIEW delays AS SELECT origin, sum(delay::int) AS n FROM flights GROUP BY origin"
    )
    until(connection, "SELECT * FROM delays ORDER BY 1", lambda found: found == [("JFK", 5), ("LGA", 7)])
    buckets.put("lake", "flights/b.csv", b"origin,delay\nBOS,1\n")
    buckets.put("lake", "flights/a.csv", b"origin,delay\nJFK,5\nLGA,7\nJFK,10\n")
    buckets.put("lake", "flights/c.txt", b"none of these\n")
    until(connection, "SELECT * FROM delays ORDER BY 1", lambda f: f == [("BOS", 1), ("JFK", 15), ("LGA", 7)])
    progress = rows(connection, "SELECT key, byte_offset FROM flights_progress ORDER BY key")
    assert progress == [("flights/a.csv", 32), ("flights/b.csv", 19)]
    figures = "SELECT offset_known, offset_committed FROM mz_internal.mz_source_statistics s"
    until(connection, f"{figures} JOIN mz_sources USING (id) WHERE name = 'flights'", lambda f: f == [(51, 51)])
    assert rows(connection, "SELECT type FROM mz_sources WHERE name = 'flights'") == [("s3",)]
    assert rows(connection, "SHOW CREATE SOURCE flights")[0][1] == f"CREATE SOURCE public.flights FROM {source};"
    buckets.put("lake", "flights/b.csv", b"origin,delay\nBOS,2\n")
    status = "SELECT status, error FROM mz_internal.mz_source_statuses WHERE name = 'flights'"
    ((_, error),) = until(connection, status, lambda found: found[0][0] == "stalled")
    assert error == 'object "flights/b.csv" has changed since 19 bytes of it were read'
    connection.execute(b"DROP SOURCE flights CASCADE")


def test_parquet_as_it_is_notified(connection: Connection, buckets: Buckets) -> None:
    buckets.s3.create_bucket(Bucket="told")
    buckets.queue_of("told")
    written = io.BytesIO()
    pq.write_table(pa.table({"n": pa.array([1, None], pa.int64()), "tags": [["x"], None]}), written)
    buckets.put("told", "before.parquet", written.getvalue())
    discover = "S3 CONNECTION aws DISCOVER OBJECTS USING BUCKET SCAN 'told', SQS NOTIFICATIONS 'told'"
    connection.execute(f"CREATE SOURCE told FROM {discover} FORMAT PARQUET".encode())
    until(connection, "SELECT n, tags FROM told ORDER BY n", lambda found: found == [(1, ["x"]), (None, None)])
    upload = buckets.s3.create_multipart_upload(Bucket="told", Key="in parts")["UploadId"]
    part = {"Bucket": "told", "Key": "in parts", "UploadId": upload}
    tag = buckets.s3.upload_part(**part, PartNumber=1, Body=written.getvalue())["ETag"]
    buckets.s3.complete_multipart_upload(**part, MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": tag}]})
    until(connection, "SELECT count(*), count(n) FROM told", lambda found: found == [(4, 2)])
    connection.execute(b"DROP SOURCE told")


@pytest.mark.slow
def test_parquet_that_tasks_read_is_there_once_whatever_is_killed(
    buckets: Buckets, tmp_path: Path, whole: bool
) -> None:
    buckets.s3.create_bucket(Bucket="far")
    within, rows_each, files = tmp_path / "files", 1_000, 12
    within.mkdir()
    for number in range(files):
        written = io.BytesIO()
        ids = range(number * rows_each, (number + 1) * rows_each)
        # Long ones, that don't compress: by their size it is told whether tasks pay.
        notes = [f"note {id_} {os.urandom(6_000).hex()}" for id_ in ids]
        pq.write_table(pa.table({"n": pa.array(ids, pa.int64()), "note": notes}), written)
        buckets.put("far", f"{number}.parquet", written.getvalue())
        (within / f"{number}.parquet").write_bytes(written.getvalue())
    server = start_server(tmp_path / "data")
    try:
        with server.connect() as connection:
            buckets.connect(connection)
        kinds = (
            ("objects", "S3 CONNECTION aws DISCOVER OBJECTS USING BUCKET SCAN 'far' FORMAT PARQUET", "both"),
            *([("files", f"FILES '{within}/*' FORMAT PARQUET", "replica")] if whole else []),
        )
        for name, source, killed in kinds:
            with server.connect() as connection:
                # Before Spark is up, no task can be had.
                await_spark(tmp_path / "data")
                connection.execute(f"CREATE SOURCE {name} FROM {source}".encode())
                bound = f"SELECT count(*)::int FROM {name}_progress"
                ((some,),) = until(connection, bound, lambda found: found[0][0] > 0)
            assert some < files, "all is there before anything is killed"
            os.kill(int(json.loads((tmp_path / "data" / "replica.json").read_text())["pid"]), signal.SIGKILL)
            if killed == "both":
                server.kill()
                server = start_server(tmp_path / "data")
        number_of_rows = files * rows_each
        with server.connect() as connection:
            for name, _, _ in kinds:
                sql = (
                    f"SELECT count(*), count(DISTINCT n), bool_and(starts_with(note, 'note ' || n || ' ')) FROM {name}"
                )
                until(connection, sql, lambda found: found == [(number_of_rows, number_of_rows, True)])
    finally:
        server.stop()
    logs = "".join(path.read_text() for path in (tmp_path / "data").glob("**/*.log"))
    assert "reads by ranges" in logs, "no task has read"
    assert "can't be read by a task" not in logs


@pytest.mark.parametrize(
    ("source", "sqlstate"),
    [
        ("aws FORMAT TEXT", "42601"),
        ("aws DISCOVER OBJECTS FORMAT TEXT", "42601"),
        ("aws DISCOVER OBJECTS USING FORMAT TEXT", "42601"),
        ("aws DISCOVER OBJECTS USING BUCKET SCAN 'lake', BUCKET SCAN 'told' FORMAT TEXT", "42601"),
        ("aws DISCOVER OBJECTS USING BUCKET SCAN 'lake'", "42601"),
        ("aws DISCOVER OBJECTS USING BUCKET SCAN 'A b' FORMAT TEXT", "22023"),
        ("aws DISCOVER OBJECTS USING SQS NOTIFICATIONS 'a b' FORMAT TEXT", "22023"),
        ("aws DISCOVER OBJECTS USING SQS NOTIFICATIONS 'q' FORMAT PARQUET", "0A000"),
        ("aws DISCOVER OBJECTS USING SQS NOTIFICATIONS 'q' FORMAT TEXT WITH (SCAN = ONCE)", "42601"),
        ("aws DISCOVER OBJECTS USING SQS NOTIFICATIONS 'q' FORMAT TEXT WITH (SCAN INTERVAL = '1 s')", "42601"),
        ("aws DISCOVER OBJECTS MATCHING 'nothing*' USING BUCKET SCAN 'lake' FORMAT CSV WITH HEADER", "58P01"),
        ("aws DISCOVER OBJECTS USING BUCKET SCAN 'nowhere' FORMAT PARQUET", "58030"),
        ("aws DISCOVER OBJECTS USING BUCKET SCAN 'lake' FORMAT TEXT ENVELOPE UPSERT", "0A000"),
        ("aws DISCOVER OBJECTS USING BUCKET SCAN 'lake' COMPRESSION RAR FORMAT TEXT", "22023"),
        ("nobody DISCOVER OBJECTS USING BUCKET SCAN 'lake' FORMAT TEXT", "42704"),
    ],
)
def test_what_cannot_be_read_is_refused(connection: Connection, source: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(f"CREATE SOURCE x FROM S3 CONNECTION {source}".encode())
    assert refused.value.sqlstate == sqlstate, refused.value


@pytest.mark.slow
def test_each_line_is_a_row_once_whatever_is_killed(buckets: Buckets, tmp_path: Path, whole: bool) -> None:
    chance = random.Random(1)
    data = tmp_path / "data"
    buckets.s3.create_bucket(Bucket="lines")
    url = buckets.queue_of("lines")
    contents: dict[str, bytes] = {}
    written = 0

    def write() -> None:
        nonlocal written
        key = f"f{chance.randrange(5)}"
        for _ in range(200):
            contents[key] = contents.get(key, b"") + b"%d\n" % written
            written += 1
        buckets.put("lines", key, contents[key])
        if chance.random() < 0.5:
            told = {"bucket": {"name": "lines"}, "object": {"key": key}}
            body = json.dumps({"Records": [{"eventName": "ObjectCreated:Put", "s3": told}]})
            buckets.sqs.send_message(QueueUrl=url, MessageBody=body)

    server = start_server(data)
    try:
        with server.connect() as connection:
            buckets.connect(connection)
            discover = "DISCOVER OBJECTS USING BUCKET SCAN 'lines', SQS NOTIFICATIONS 'lines' FORMAT TEXT"
            connection.execute(f"CREATE SOURCE s FROM S3 CONNECTION aws {discover}".encode())
            connection.execute(b"CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n, sum(text::int) AS total FROM s")
        for _ in range(3 if whole else 1):
            for _ in range(10):
                write()
            with server.connect() as connection:
                until(connection, "SELECT n > 0 FROM m", lambda found: found == [(True,)])
            os.kill(server.process.pid, signal.SIGKILL)
            server.process.wait()
            write()
            server = start_server(data)
        with server.connect() as connection:
            totals = [(written, written * (written - 1) // 2)]
            until(connection, "SELECT * FROM m", lambda found: found == totals)
            assert rows(connection, "SELECT count(DISTINCT text), count(*) FROM s") == [(written, written)]
    finally:
        server.stop()
