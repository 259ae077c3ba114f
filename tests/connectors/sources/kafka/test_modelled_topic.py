"""The model of a topic says what a broker says, of all that the broker has; and where a source begins by a time."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition

from connectors.kafka.source.consumer import TopicConsumer
from connectors.kafka.source.reader import SETTINGS
from connectors.kafka.topic import KafkaTopic
from connectors.upstream import PartitionReach
from model.time.clock import SystemClock
from tests.connectors.sources.kafka.modelled_consumer import ModelledConsumer, ModelledReader
from tests.connectors.sources.kafka.modelled_topic import NAME, ModelledTopic, Transaction
from tests.kafka_broker import KafkaBroker

_PATIENCE_S = 30.0


def _at_broker(broker: KafkaBroker) -> Any:
    broker.create(NAME, 1)
    broker.produce(NAME, [(0, None, b"a")])
    producer = Producer({**broker.settings, "transactional.id": "t"})
    producer.init_transactions()
    for values in ((b"b", b"c"), (b"d",)):
        producer.begin_transaction()
        for value in values:
            producer.produce(NAME, value=value, partition=0)
        producer.commit_transaction()
    return Consumer({**broker.settings, "group.id": "compared", **SETTINGS})


def _modelled() -> TopicConsumer:
    topic = ModelledTopic(1)
    topic.append(0, "a")
    for texts in (("b", "c"), ("d",)):
        transaction = Transaction()
        for text in texts:
            topic.append(0, text, transaction)
        topic.finish(transaction, committed=True)
    return ModelledConsumer(topic, SETTINGS, random.Random(0), lambda _: None)


def _told(consumer: TopicConsumer, offset: int) -> list[tuple[int, bytes | None]]:
    """Records from there on, and the end without a value, which is told once."""
    consumer.assign([TopicPartition(NAME, 0, offset)])
    told: list[tuple[int, bytes | None]] = []
    deadline = time.monotonic() + _PATIENCE_S
    while not told or told[-1][1] is not None:
        assert time.monotonic() < deadline, told
        message = consumer.poll(0.1)
        if message is not None:
            error = message.error()
            assert error is None or error.code() == KafkaError._PARTITION_EOF, error
            told.append((message.offset(), None if error else message.value()))
    return told


def test_the_model_says_what_a_broker_says(broker: KafkaBroker) -> None:
    real, modelled = _at_broker(broker), _modelled()
    for offset in range(7):
        assert _told(modelled, offset) == _told(real, offset)
    assert _told(modelled, 0) == [(0, b"a"), (1, b"b"), (2, b"c"), (4, b"d"), (6, None)]
    partition = TopicPartition(NAME, 0)
    assert modelled.get_watermark_offsets(partition, cached=True)[1] == 6
    assert real.get_watermark_offsets(partition, cached=True)[1] == 6
    assert list(modelled.list_topics(NAME, 1.0).topics[NAME].partitions) == [0]
    assert list(real.list_topics(NAME, _PATIENCE_S).topics[NAME].partitions) == [0]
    real.close()


@pytest.mark.parametrize("first", [0, 2])
def test_a_start_time_is_each_partitions_first_record_that_is_as_late(first: int) -> None:
    topic = ModelledTopic(4)
    for partition, times in enumerate([[100, 200, 300], [100, 150], [], [200]]):
        for topic.now_ms in times:
            topic.append(partition, str(topic.now_ms))
    topic.delete_records(0, first)

    async def beginning() -> object:
        reader = ModelledReader(
            topic, KafkaTopic((), NAME, start_ms=200), SystemClock(), lambda: None, random.Random(0)
        )
        reader.end()
        return reader.beginning()

    assert asyncio.run(beginning()) == {0: max(1, first), 1: 2, 2: 0, 3: 0}


def test_how_far_a_topic_goes_is_known_before_anything_of_it_is_read() -> None:
    topic = ModelledTopic(3)
    for partition, records in enumerate((5, 0, 2)):
        for number in range(records):
            topic.append(partition, str(number))

    async def ahead() -> tuple[Mapping[str | int, PartitionReach], object]:
        reader = ModelledReader(topic, KafkaTopic((), NAME), SystemClock(), lambda: None, random.Random(0))
        reader.end()
        before = reader.ahead()
        assert not before, "it has not begun"
        reader.begin(reader.beginning())
        # The partitions are not even led any more: nothing can be read, and all is known.
        for log in topic.partitions.values():
            log.led = False
        reader.step()
        return reader.ahead(), reader.take(10, 1_000)

    known, taken = asyncio.run(ahead())
    assert known == {0: PartitionReach(5), 1: PartitionReach(0), 2: PartitionReach(2)}
    assert taken is None
