"""Kafka sources on a real broker in memory: catching up by format and envelope, and how soon a record is visible."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import statistics
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

import asyncpg
import fastavro
import uvloop
from confluent_kafka import Consumer, TopicPartition

from benchmarks.report import Measure
from benchmarks.server import Headwater, family_of, resident_mib
from tests.kafka_broker import KafkaBroker, start_broker

_PARTITIONS = 4
_KEYS = 1_000_000
_BARE_RECORDS_MAX = 1_000_000
_JSON_A_SECOND, _UPSERT_A_SECOND = 100_000.0, 30_000.0
_PYTHON_MIB, _ALL_MIB = 400.0, 3 * 1024.0
_VISIBLE_P50_MS, _VISIBLE_P99_MS = 150.0, 1_000.0
_NOTE = "x" * 120
Record = tuple[bytes | None, bytes]


def _json(number: int) -> Record:
    value = {"id": number, "user": f"user{number % 1000}", "price": number % 1_000_000 / 4, "on": True, "note": _NOTE}
    return str(number % _KEYS).encode(), json.dumps(value).encode()


def _csv(number: int) -> Record:
    return None, f"{number},user{number % 1000},{number % 1_000_000 / 4},true,{_NOTE}{_NOTE[:40]}".encode()


_FIELDS = {"id": "long", "user": "string", "price": "double", "on": "boolean", "note": "string"}
_SCHEMA = {"type": "record", "name": "trade", "fields": [{"name": name, "type": of} for name, of in _FIELDS.items()]}
_PARSED_SCHEMA = fastavro.parse_schema(_SCHEMA)


def _avro(number: int) -> Record:
    out = io.BytesIO()
    note = _NOTE + _NOTE[:50]
    value = {"id": number, "user": f"user{number % 1000}", "price": number % 1_000_000 / 4, "on": True, "note": note}
    fastavro.schemaless_writer(out, _PARSED_SCHEMA, value)
    return None, out.getvalue()


_KINDS: dict[str, tuple[Callable[[int], Record], str, float | None]] = {
    "JSON": (_json, "FORMAT JSON", _JSON_A_SECOND),
    "CSV": (_csv, "FORMAT CSV WITH 5 COLUMNS", None),
    "AVRO": (_avro, f"FORMAT AVRO USING SCHEMA '{json.dumps(_SCHEMA)}' (CONFLUENT WIRE FORMAT = false)", None),
    "JSON, ENVELOPE UPSERT": (_json, "KEY FORMAT TEXT VALUE FORMAT JSON ENVELOPE UPSERT", _UPSERT_A_SECOND),
}

KINDS = tuple(_KINDS)


def measure_kafka_sources(
    server: Headwater, records: int, kinds: Sequence[str], rates: Sequence[int], seconds: float
) -> Iterator[Measure]:
    """Records of 200 bytes."""
    with start_broker() as broker:
        yield _bare_consumer(broker, min(records, _BARE_RECORDS_MAX))
        for number, name in enumerate(kinds):
            record, clauses, target = _KINDS[name]
            topic = f"caught{number}"
            _fill(broker, topic, record, records)
            yield from uvloop.run(_caught_up(server, broker, topic, name, clauses, records, target))
            broker.delete(topic)
        for rate in rates:
            yield from uvloop.run(_visible(server, broker, rate, seconds))


def _fill(broker: KafkaBroker, topic: str, record: Callable[[int], Record], records: int) -> None:
    broker.create(topic, _PARTITIONS)
    numbers = iter(range(records))
    while batch := list(itertools.islice(numbers, 100_000)):
        broker.produce(topic, ((number % _PARTITIONS, *record(number)) for number in batch))


def _bare_consumer(broker: KafkaBroker, records: int) -> Measure:
    """Reads and decodes, and keeps nothing."""
    _fill(broker, "bare", _json, records)
    consumer = Consumer({**broker.settings, "group.id": "bare"})
    consumer.assign([TopicPartition("bare", partition, 0) for partition in range(_PARTITIONS)])
    began, found = time.monotonic(), 0
    while found < records:
        for message in consumer.consume(10_000, 1.0):
            if message.error() is None:
                json.loads(message.value() or b"null")
                found += 1
    took = time.monotonic() - began
    consumer.close()
    broker.delete("bare")
    return Measure("a bare consumer that decodes JSON", records / took, "records/s")


async def _caught_up(
    server: Headwater, broker: KafkaBroker, topic: str, name: str, clauses: str, records: int, target: float | None
) -> list[Measure]:
    """A source that is created over a topic that is full, and reads by key of a table meanwhile."""
    connection, reader = await asyncpg.connect(server.url), await asyncpg.connect(server.url)
    await connection.execute(f"CREATE TABLE {topic}_t (k int); INSERT INTO {topic}_t SELECT generate_series(1, 1000)")
    await connection.execute(f"CREATE INDEX {topic}_i ON {topic}_t (k)")
    quiet = await _reads(reader, topic, asyncio.sleep(2.0))
    most: dict[str, float] = {}

    async def all_there() -> None:
        sql = f'SELECT coalesce(sum("offset"), 0)::int8 FROM {topic}_progress'
        while await connection.fetchval(sql) < records:
            for process, pid in family_of(server).items():
                most[process] = max(most.get(process, 0.0), resident_mib(pid))
            await asyncio.sleep(0.1)

    began = time.monotonic()
    await connection.execute(f"CREATE SOURCE {topic} FROM KAFKA BROKER '{broker.address}' {clauses}")
    busy = await _reads(reader, topic, all_there())
    took = time.monotonic() - began
    await connection.execute(f"DROP SOURCE {topic}")
    await connection.close()
    await reader.close()
    catching = f"catching up with {records:,} records of {name}"
    found = [Measure(catching, records / took, "records/s", target)]
    for process, mib in most.items():
        limit = _PYTHON_MIB if process in ("environment", "replica") else None
        found.append(Measure(f"most memory of the {process}, {catching}", mib, "MiB", limit, at_least=False))
    found.append(Measure(f"most memory of all, {catching}", sum(most.values()), "MiB", _ALL_MIB, at_least=False))
    p99 = _p99(busy)
    found.append(Measure(f"reads by key, p99, {catching}", p99, "ms", 3 * _p99(quiet), at_least=False))
    return found


async def _reads(reader: asyncpg.Connection, topic: str, until: Coroutine[Any, Any, None]) -> list[float]:
    """How long reads took, one after the other, while something else went on."""
    meanwhile = asyncio.create_task(until)
    latencies: list[float] = []
    while not meanwhile.done():
        began = time.monotonic()
        await reader.fetch(f"SELECT k FROM {topic}_t WHERE k = {len(latencies) % 1000 + 1}")
        latencies.append(time.monotonic() - began)
        await asyncio.sleep(0.01)
    await meanwhile
    return latencies


async def _visible(server: Headwater, broker: KafkaBroker, rate: int, seconds: float) -> list[Measure]:
    """From a record's being durable upstream until an indexed view over its source has it."""
    topic = f"visible{rate}"
    broker.create(topic, _PARTITIONS)
    connection = await asyncpg.connect(server.url)
    await connection.execute(f"CREATE SOURCE {topic} FROM KAFKA BROKER '{broker.address}' FORMAT JSON")
    await connection.execute(f"CREATE VIEW {topic}_v AS SELECT count(*) AS n FROM {topic}")
    await connection.execute(f"CREATE INDEX {topic}_i ON {topic}_v (n)")
    await connection.fetch(f"SELECT n FROM {topic}_v")
    produced: list[tuple[int, float]] = []
    latencies: list[float] = []

    def produce() -> None:
        began = time.monotonic()
        for turn in range(int(seconds * 10)):
            first = turn * rate // 10
            batch = range(first, (turn + 1) * rate // 10)
            broker.produce(topic, ((number % _PARTITIONS, *_json(number)) for number in batch))
            produced.append((batch.stop, time.monotonic()))
            time.sleep(max(began + (turn + 1) / 10 - time.monotonic(), 0.0))

    producing = asyncio.get_running_loop().run_in_executor(None, produce)
    seen = 0
    while not producing.done() or seen < len(produced):
        count = await connection.fetchval(f"SELECT n FROM {topic}_v")
        now = time.monotonic()
        while seen < len(produced) and produced[seen][0] <= count:
            latencies.append(max(now - produced[seen][1], 0.0))
            seen += 1
    await producing
    await connection.execute(f"DROP SOURCE {topic} CASCADE")
    await connection.close()
    name = f"a record is visible in an indexed view, {rate:,} a second"
    return [
        Measure(f"{name}, p50", statistics.median(latencies) * 1000, "ms", _VISIBLE_P50_MS, at_least=False),
        Measure(f"{name}, p99", _p99(latencies), "ms", _VISIBLE_P99_MS, at_least=False),
    ]


def _p99(latencies: Sequence[float]) -> float:
    """In milliseconds; of a few, the worst."""
    return (statistics.quantiles(latencies, n=100)[98] if len(latencies) > 1 else max(latencies, default=0.0)) * 1000
