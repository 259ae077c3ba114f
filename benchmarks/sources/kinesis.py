"""A Kinesis source on moto, which has a process of its own: catching up with a stream, beside bare boto3."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import psycopg

from benchmarks.amazon import client_of, connect_aws, moto
from benchmarks.report import Measure
from benchmarks.server import Headwater

_SHARDS = 4
_PUT_AT_ONCE = 500
_OF_BARE = 0.5
_NOTE = "x" * 120


def measure_kinesis_sources(server: Headwater, records: int) -> Iterator[Measure]:
    """Records of 200 bytes."""
    with moto() as endpoint:
        kinesis = client_of("kinesis", endpoint)
        _fill(kinesis, records)
        bare = records / _bare(kinesis, records)
        ours = records / _ours(server, endpoint, records)
        yield Measure("bare boto3 that decodes JSON, one thread", bare, "records/s")
        catching = f"catching up with {records:,} records of Kinesis, JSON"
        yield Measure(catching, ours, "records/s", _OF_BARE * bare)


def _fill(kinesis: Any, records: int) -> None:
    kinesis.create_stream(StreamName="bench", ShardCount=_SHARDS)
    for begin in range(0, records, _PUT_AT_ONCE):
        numbers = range(begin, min(begin + _PUT_AT_ONCE, records))
        put = [{"Data": _record(number), "PartitionKey": f"k{number}"} for number in numbers]
        kinesis.put_records(StreamName="bench", Records=put)


def _record(number: int) -> bytes:
    return json.dumps({"id": number, "user": f"user{number % 1000}", "price": number / 4, "note": _NOTE}).encode()


def _bare(kinesis: Any, records: int) -> float:
    began, found = time.monotonic(), 0
    for shard in kinesis.list_shards(StreamName="bench")["Shards"]:
        begins = {"ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        iterator = kinesis.get_shard_iterator(StreamName="bench", **begins)["ShardIterator"]
        while True:
            answer = kinesis.get_records(ShardIterator=iterator, Limit=10_000)
            if not answer["Records"]:
                break
            for record in answer["Records"]:
                json.loads(record["Data"])
                found += 1
            iterator = answer["NextShardIterator"]
    assert found == records
    return time.monotonic() - began


def _ours(server: Headwater, endpoint: str, records: int) -> float:
    with psycopg.connect(server.url, autocommit=True) as connection:
        connect_aws(connection, endpoint)
        began = time.monotonic()
        connection.execute(b"CREATE SOURCE bench FROM KINESIS CONNECTION aws (STREAM 'bench') FORMAT JSON")
        # moto counts the records of a shard from 1 on.
        sql = b"SELECT coalesce(sum(sequence_number::int8 - 1), 0)::int8 FROM bench_progress"
        while (row := connection.execute(sql).fetchone()) is None or row[0] < records:
            time.sleep(0.2)
        return time.monotonic() - began
