"""Objects of buckets as partitions, on moto: listed, told of by a queue, or both, each record is read once."""

from __future__ import annotations

import gzip
import io
import json
import random
import uuid
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote_plus

import boto3
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends

from connectors.files.source.bucket_space import BucketSpace
from connectors.files.source.notifications import Notified, notified_of
from connectors.gauge import Partition
from connectors.sources.description import ObjectsOfBucket
from connectors.upstream import DivisibleReader
from model.errors.sql_error import SqlError
from model.external.files import AUTO, ROWS, FilePattern, Framing
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8
from tests.connectors.sources.files.reading import bounds_of, reading

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Cloud:
    """A bucket and a queue of their own."""

    endpoint: str
    s3: Any
    sqs: Any
    bucket: str
    queue: str
    url: str

    def objects(
        self, pattern: str = "**", *, scan: bool = True, told: bool = False, interval_ms: int = 10, **more: Any
    ) -> ObjectsOfBucket:
        files = FilePattern(pattern, more.pop("framing", Framing.TEXT_LINES), interval_ms=interval_ms, **more)
        settings = (("endpoint", self.endpoint), ("region", "us-east-1"), ("key_id", "k"), ("key", "s"))
        bucket, queue = self.bucket if scan else None, self.queue if told else None
        return ObjectsOfBucket(settings, (), bucket, queue, files, None, None)

    def put(self, key: str, data: bytes) -> None:
        self.s3.put_object(Bucket=self.bucket, Key=key, Body=data)

    def tell(self, key: str, bucket: str | None = None) -> None:
        s3 = {"bucket": {"name": bucket or self.bucket}, "object": {"key": quote_plus(key)}}
        self.send(json.dumps({"Records": [{"eventName": "ObjectCreated:Put", "s3": s3}]}))

    def send(self, body: str) -> None:
        self.sqs.send_message(QueueUrl=self.url, MessageBody=body)

    def waiting(self) -> int:
        """Messages that are not deleted."""
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        told = self.sqs.get_queue_attributes(QueueUrl=self.url, AttributeNames=names)["Attributes"]
        return sum(map(int, told.values()))


@pytest.fixture(scope="module")
def clients(amazon: str) -> tuple[Any, Any]:
    """Clients of S3 and SQS: to make one costs as much as most tests."""
    session = boto3.session.Session("k", "s", region_name="us-east-1")
    return session.client("s3", endpoint_url=amazon), session.client("sqs", endpoint_url=amazon)


@pytest.fixture
def cloud(amazon: str, clients: tuple[Any, Any]) -> Cloud:
    s3, sqs = clients
    name = f"b{uuid.uuid4().hex[:12]}"
    s3.create_bucket(Bucket=name)
    url = sqs.create_queue(QueueName=name, Attributes={"VisibilityTimeout": "1"})["QueueUrl"]
    return Cloud(amazon, s3, sqs, name, name, url)


@pytest.mark.parametrize("found", ["scan", "told", "both"])
@pytest.mark.parametrize("seed", range(2))
def test_each_record_is_read_once_however_objects_are_found(found: str, seed: int, cloud: Cloud) -> None:
    chance = random.Random(f"{found} {seed}")
    place = cloud.objects(scan=found != "told", told=found != "scan")
    prefix = f"{cloud.bucket}/" if found == "told" else ""
    contents: dict[str, list[str]] = {}
    got: dict[str, list[str]] = {}
    frontier: dict[Partition, int] = {}

    def write() -> None:
        key = f"dir {chance.randrange(3)}/ö+{chance.randrange(6)}"
        for _ in range(chance.randrange(1, 8)):
            contents.setdefault(key, []).append("x" * chance.randrange(30))
        cloud.put(key, "".join(f"{line}\n" for line in contents[key]).encode())
        for _ in range(chance.choice([1, 1, 2])):
            cloud.tell(key)
        if chance.random() < 0.3:
            cloud.tell(chance.choice(list(contents)))

    for turn in range(5):
        with reading(place, frontier) as now:
            for _ in range(chance.randrange(1, 5)):
                write()
            missing = sum(map(len, contents.values())) - sum(map(len, got.values()))
            # All of it, or as much as a kill leaves time for; what the queue told of the rest, it tells again.
            now.until(missing if turn == 4 else chance.randrange(missing), most=chance.randrange(1, 20))
            for path, _, value in now.records:
                got.setdefault(path, []).append(value.decode())
            frontier = now.frontier
            now.reader.acknowledge(frontier)
            if turn == 4:
                assert now.take_none(), "nothing is read twice"
    assert got == {prefix + key: lines for key, lines in contents.items()}
    assert bounds_of(frontier) == {prefix + key: sum(len(each) + 1 for each in got[prefix + key]) for key in contents}


def test_messages_are_deleted_once_what_they_tell_of_is_durable_and_not_before(cloud: Cloud) -> None:
    cloud.put("a", b"1\n")
    cloud.put("b", b"2\n")
    cloud.tell("a")
    cloud.tell("gone")
    cloud.tell("b")
    cloud.send(json.dumps({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": cloud.bucket}))
    with reading(cloud.objects(scan=False, told=True)) as now:
        assert sorted(now.until(2)) == [b"1", b"2"]
        now.settle(lambda: cloud.waiting() == 2)
        now.reader.acknowledge({f"{cloud.bucket}/a": 2})
        now.settle(lambda: cloud.waiting() == 1)
        now.reader.acknowledge(now.frontier)
        now.settle(lambda: cloud.waiting() == 0)


def test_what_is_no_notification_is_told_and_stays(cloud: Cloud) -> None:
    cloud.put("a", b"1\n")
    for body in ("no json", "[]", '{"Records": [{}]}', '{"Message": 5}', "[" * 100_000):
        cloud.send(body)
    cloud.tell("a", bucket="another")
    cloud.tell("a")
    with reading(cloud.objects(told=True)) as now:
        assert now.until(1) == [b"1"]
        now.reader.acknowledge(now.frontier)
        now.settle(lambda: cloud.waiting() == 5)
        now.settle(lambda: "is no notification" in str(now.reader.status().trouble))


def _event(name: str, key: str) -> dict[str, Any]:
    return {"Records": [{"eventName": name, "s3": {"bucket": {"name": "b"}, "object": {"key": key}}}]}


def _bus_event(name: str, key: str) -> dict[str, Any]:
    return {"detail-type": name, "detail": {"bucket": {"name": "b"}, "object": {"key": key}}}


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (_event("ObjectRemoved:Delete", "a"), ()),
        (_event("ObjectCreated:Copy", "a%2Fb+c"), (Notified("b", "a/b c"),)),
        (_bus_event("Object Created", "a+%2F"), (Notified("b", "a+%2F"),)),
        (_bus_event("Object Deleted", "a"), ()),
        ({"Type": "Notification", "Message": json.dumps(_event("ObjectCreated:Put", "k"))}, (Notified("b", "k"),)),
        ({"Event": "s3:TestEvent"}, ()),
        ({"a": 1}, None),
    ],
)
def test_what_notifications_say(body: Any, wanted: tuple[Notified, ...] | None) -> None:
    assert notified_of(json.dumps(body)) == wanted


@pytest.mark.parametrize("while_reading", [True, False])
@pytest.mark.parametrize("content", [b"a\nB\nc\n", b"a\n", b"A\nb\n"])
def test_an_object_that_was_written_anew_is_an_error_that_names_it(
    while_reading: bool, content: bytes, cloud: Cloud
) -> None:
    cloud.put("k", b"a\nb\n")
    with reading(cloud.objects()) as now:
        now.until(2)
        left = now.frontier
        if while_reading:
            cloud.put("k", content)
            with pytest.raises(SqlError, match=r'object "k" has changed since 4 bytes of it were read'):
                now.take()
    cloud.put("k", content)
    with reading(cloud.objects(), left) as now:
        for _ in range(3):
            with pytest.raises(SqlError, match="has changed"):
                now.take()
            now.reader.begin(left)
    cloud.put("other", b"c\n")
    with reading(cloud.objects(changes_ignored=True), left) as now:
        assert now.until(1) == [b"c"]


def test_one_that_was_written_anew_stays_an_error_however_it_is_told(cloud: Cloud) -> None:
    cloud.put("k", b"a\nb\n")
    with reading(cloud.objects(told=True)) as now:
        now.until(2)
        left = now.frontier
        now.reader.acknowledge(left)
    cloud.put("k", b"A\nb\n")
    cloud.tell("k")
    with reading(cloud.objects(told=True), left) as now:
        now.reader.acknowledge(left)
        for _ in range(3):
            with pytest.raises(SqlError, match="has changed"):
                now.take()
            now.reader.begin(left)
    assert cloud.waiting() == 1


def test_an_object_that_goes_before_it_is_read_keeps_no_message(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    cloud.put("k", b"a\n")
    cloud.tell("k")
    found = BucketSpace._found

    def found_and_gone(self: BucketSpace, notified: Notified) -> object:
        file = found(self, notified)
        cloud.s3.delete_object(Bucket=cloud.bucket, Key="k")
        return file

    monkeypatch.setattr(BucketSpace, "_found", found_and_gone)
    with reading(cloud.objects(scan=False, told=True)) as now:
        now.settle(lambda: cloud.waiting() == 0)
        assert now.take_none()


def test_what_is_left_alone_keeps_no_message(cloud: Cloud) -> None:
    cloud.put("k", b"a\nb\n")
    with reading(cloud.objects()) as now:
        now.until(2)
        left = now.frontier
    cloud.put("k", b"A\nb\nc\n")
    cloud.tell("k")
    with reading(cloud.objects(told=True, changes_ignored=True), left) as now:
        now.settle(lambda: cloud.waiting() == 0)
        assert now.take_none()


def test_one_that_has_other_content_of_its_length_is_no_compressed_object_that_was_read(cloud: Cloud) -> None:
    cloud.put("a.gz", gzip.compress(b"1\n", mtime=1))
    with reading(cloud.objects(compression=AUTO)) as now:
        assert now.until(1) == [b"1"]
        left = now.frontier
    with reading(cloud.objects(compression=AUTO), left) as now:
        assert now.take_none()
    cloud.put("a.gz", gzip.compress(b"1\n", mtime=2))
    with reading(cloud.objects(compression=AUTO), left) as now, pytest.raises(SqlError, match="has changed"):
        now.take()


def test_what_others_have_read_while_it_held_is_done_with(cloud: Cloud) -> None:
    desc = relation_desc(("a", INT8))
    place = replace(cloud.objects(told=True, framing=Framing.LINES, columns=("a",)), parquet=desc)
    data = io.BytesIO()
    pq.write_table(pa.table({"a": [1]}), data)
    for key in ("x", "y"):
        cloud.put(key, data.getvalue())
        cloud.tell(key)
    with reading(place) as whole:
        while len(bounds_of(whole.frontier)) < 2:
            whole.take()
    with reading(place) as found:
        assert isinstance(found.reader, DivisibleReader)
        found.settle(lambda: len(found.reader.ahead()) == 2)  # type: ignore[attr-defined]
        found.reader.hold()
        assert found.reader.holds and found.take_none()
        found.reader.begin(whole.frontier)
        found.reader.acknowledge(whole.frontier)
        assert not found.reader.holds
        found.settle(lambda: cloud.waiting() == 0)
        assert found.take_none(), "it is read again"
        cloud.put("z", data.getvalue())
        cloud.tell("z")
        assert bounds_of(found.take().frontier) == {"z": len(data.getvalue())}


def test_parquet_and_patterns(cloud: Cloud) -> None:
    desc = relation_desc(("a", INT8))
    written = io.BytesIO()
    pq.write_table(pa.table({"a": [1, 2]}), written)
    for key in ("in/x.parquet", "in/1/2/y.parquet", "out/x.parquet", "in/x.csv"):
        cloud.put(key, written.getvalue())
    place = replace(cloud.objects("in/**/*.parquet", framing=Framing.LINES, columns=("a",)), parquet=desc)
    with reading(place) as now:
        for key in ("in/1/2/y.parquet", "in/x.parquet"):
            taken = now.take()
            assert set(bounds_of(taken.frontier)) == {key} and taken.tables[ROWS].num_rows == 2
        assert now.take_none()
        cloud.put("in/z.parquet", b"none")
        with pytest.raises(SqlError, match=r'object "in/z.parquet" can\'t be read as Parquet'):
            now.take()


def test_many_objects_and_large_ones(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectors.files.source.fetched_ahead._BYTES_MAX", 1_000)
    monkeypatch.setattr("connectors.files.source.reader._CHUNK_BYTES", 700)
    for number in range(1_100):
        # Over HTTP the server takes its time for each.
        data = b"%d\n" % number * (1 if number % 100 else 500)
        s3_backends[DEFAULT_ACCOUNT_ID]["aws"].put_object(cloud.bucket, f"{number:04}", data)
    with reading(cloud.objects(interval_ms=5_000)) as now:  # to list them takes the server long, too
        values = now.until(1_100 + 11 * 499)
    assert values == [b"%d" % number for number in range(1_100) for _ in range(1 if number % 100 else 500)]


def test_a_bucket_that_is_not_there_is_told_until_it_is(cloud: Cloud) -> None:
    place = replace(cloud.objects(), bucket=f"{cloud.bucket}2")
    with reading(place) as now:
        now.settle(lambda: "NoSuchBucket" in str(now.reader.status().trouble))
        cloud.s3.create_bucket(Bucket=f"{cloud.bucket}2")
        cloud.s3.put_object(Bucket=f"{cloud.bucket}2", Key="k", Body=b"a")
        assert now.until(1) == [b"a"]
        assert now.reader.status().trouble is None
    with reading(replace(cloud.objects(told=True), queue="none")) as now:
        now.settle(lambda: 'queue "none": ' in str(now.reader.status().trouble))
