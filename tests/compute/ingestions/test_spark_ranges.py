"""A task of Spark does what the same task does here, over a real broker, and has the secrets that it needs."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as with_fields
from pyspark.sql import SparkSession

from compute.replica.ingestions.ranges.range_task import RangeTask, Span, StagedRanges
from compute.replica.ingestions.ranges.spark_ranges import SparkRanges
from compute.replica.running.worker import SparkWorker
from connectors.kafka.topic import KafkaTopic
from connectors.sources.description import (
    ReclockedCollection,
)
from model.external.records import DecodingErrors, RecordEncoding, RecordFormat, RecordMetadata, encoded_columns
from model.ids.global_id import GlobalId
from model.time.clock import SystemClock, SystemRandomness
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT
from storage.persist.batch import decode_piece
from storage.persist.files import FileBlob
from storage.persist.runner import InlineRunner
from storage.persist.write import Stage
from tests.compute.dataflows.world import counted
from tests.compute.direct_ranges import DirectRanges
from tests.kafka_broker import KafkaBroker, run_broker

_SECRET = GlobalId.user(9)
_METADATA = (RecordMetadata.PARTITION, RecordMetadata.OFFSET, RecordMetadata.TIMESTAMP, RecordMetadata.HEADERS)


@pytest.fixture(scope="module")
def broker() -> Iterator[KafkaBroker]:
    yield from run_broker()


def _collection(number: int, encoding: RecordEncoding) -> ReclockedCollection:
    desc = RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))
    return ReclockedCollection(GlobalId.user(number), desc, encoding)


_COLLECTIONS = (
    _collection(1, RecordEncoding(RecordFormat.TEXT, RecordFormat.JSON, _METADATA)),
    _collection(2, RecordEncoding(None, RecordFormat.JSON, (), value_errors=DecodingErrors.SKIP)),
)


async def _rows(staged: StagedRanges, blob: FileBlob) -> dict[GlobalId, Counter[Row]]:
    """By collection; what its parts have for times is set when they are bound."""
    found: dict[GlobalId, Counter[Row]] = {}
    for each in _COLLECTIONS:
        for part in (part for portion in staged.portions for part in portion.parts[each.id]):
            data = await blob.get(part.key)
            assert data is not None
            table = decode_piece(with_fields(part, time=1), data, each.desc, "u1", part.key)
            found[each.id] = found.get(each.id, Counter()) + counted(table, each.desc)
    return found


def _figures(staged: StagedRanges) -> object:
    """All but what an attempt has chosen by chance."""
    return replace(staged, portions=tuple(replace(each, parts={}) for each in staged.portions))


@pytest.mark.spark
def test_a_task_of_spark_does_what_it_does_here(spark: SparkSession, broker: KafkaBroker, tmp_path: Path) -> None:
    broker.create("ranged", 2)
    values = [b'{"a": 1}', b"{", None, b'"two"']
    broker.produce("ranged", ((1, str(number).encode(), values[number % 4]) for number in range(3_000)))
    settings = (("bootstrap.servers", broker.address), ("group.id", "x"))
    place = KafkaTopic(settings, "ranged", secrets=(("client.id", _SECRET),))
    task = RangeTask(place, (Span(1, 500, 2_500),), 700, 32 << 20, _COLLECTIONS, {}, {_SECRET: "whispered"})
    blob = FileBlob(tmp_path)

    async def both() -> None:
        clock = SystemClock()
        here = await DirectRanges(Stage(blob, clock, SystemRandomness(), InlineRunner()), clock).stage(task)
        ranges = SparkRanges(str(tmp_path))
        ranges.worker_ready(SparkWorker(spark, SystemClock()))
        there, again = await asyncio.gather(ranges.stage(task), ranges.stage(task))
        for each in (there, again):
            assert _figures(each) == _figures(here)
            assert await _rows(each, blob) == await _rows(here, blob)
        assert not set(there.keys) & set(again.keys), "each attempt has parts of its own"
        assert not here.ended_early
        told = [(each.moved[1], each.amount.messages) for each in here.portions]
        assert told == [(1_200, 700), (1_900, 700), (2_500, 600)]
        beyond = await ranges.stage(replace(task, spans=(Span(1, 2_900, 4_000),)))
        assert (beyond.reached, beyond.ended_early, beyond.ahead) == ({1: 3_000}, True, {1: 3_000})
        assert ranges._door is not None
        ranges._door._listener.close()

    asyncio.run(both())
