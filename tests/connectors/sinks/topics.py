"""Topics of a broker as destinations.

The broker of these tests shows readers also what transactions have written that were undone, which Kafka's own does
not. So each transaction here marks its messages, and readers count those whose commit came to an end.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition

from connectors.kafka import message_encoding
from connectors.kafka.destination import DestinationTopic, MessageFormat
from connectors.kafka.driver import KafkaDriver
from model.external.sinks import SinkEnvelope
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from tests.connectors.sinks.sessions import DESC
from tests.kafka_broker import KafkaBroker

JSON = MessageFormat("JSON")
_ATTEMPT = "attempt"
_POLL_S = 0.1
_numbers = itertools.count(1)

Message = tuple[bytes | None, bytes | None]


class _MarkedDriver(KafkaDriver):
    """Marks each message with the transaction that it is of."""

    def __init__(self, place: DestinationTopic, committed: set[int]) -> None:
        super().__init__(place)
        self._committed = committed
        self._attempt = next(_numbers)

    def _produce(self, producer: Producer, topic: str, message: message_encoding.Message) -> None:
        marked: list[tuple[str, str | bytes | None]] = [(_ATTEMPT, str(self._attempt).encode())]
        producer.produce(topic, value=message.value, key=message.key, headers=marked)

    def _commit(self, frontier: Timestamp) -> None:
        super()._commit(frontier)
        self._committed.add(self._attempt)
        self._attempt = next(_numbers)


@dataclass
class TopicDestination:
    """`decode` reads keys and values, which JSON is unless told."""

    broker: KafkaBroker
    place: DestinationTopic
    decode: Callable[[bytes], Any] = json.loads
    names: Sequence[str] = DESC.names
    _committed: set[int] = field(default_factory=set)
    _drivers: list[KafkaDriver] = field(default_factory=list)

    def driver(self) -> KafkaDriver:
        self._drivers.append(_MarkedDriver(self.place, self._committed))
        return self._drivers[-1]

    def close(self) -> None:
        """Ends all sessions."""
        for driver in self._drivers:
            driver.close()

    def messages(self) -> list[Message]:
        """Key and value of what was committed; those of a partition in their order."""
        reads = {"group.id": "reader", "isolation.level": "read_committed", "enable.auto.commit": False}
        # A broker tells where a partition ends once it has waited for more.
        ends = {"enable.partition.eof": True, "fetch.wait.max.ms": 10}
        consumer = Consumer({**self.broker.settings, **reads, **ends})
        topic = self.place.topic
        left = set(consumer.list_topics(topic).topics[topic].partitions)
        consumer.assign([TopicPartition(topic, number, 0) for number in left])
        found = []
        while left:
            for message in consumer.consume(1000, _POLL_S):
                error = message.error()
                if error is not None:
                    assert error.code() == KafkaError._PARTITION_EOF
                    left.discard(message.partition())
                    continue
                if int(dict(message.headers() or ())[_ATTEMPT] or 0) in self._committed:
                    found.append((message.key(), message.value()))
        consumer.close()
        return found

    def read(self) -> Counter[Row]:
        """The rows that a reader has made of all messages, as the envelope says."""
        messages = self.messages()
        if self.place.envelope is SinkEnvelope.UPSERT:
            newest = dict(messages)
            return Counter(self._row(self.decode(value)) for value in newest.values() if value is not None)
        held: Counter[Row] = Counter()
        for _, value in messages:
            assert value is not None
            told = self.decode(value)
            if self.place.envelope is SinkEnvelope.CHANGES:
                held[self._row(told)] += told["mz_diff"]
                continue
            for side, diff in (("before", -1), ("after", 1)):
                if told[side] is not None:
                    held[self._row(told[side])] += diff
        assert all(count >= 0 for count in held.values())
        return +held

    def _row(self, told: Any) -> Row:
        return tuple(told[name] for name in self.names)


def topic_destination(
    broker: KafkaBroker, envelope: SinkEnvelope, desc: RelationDesc = DESC, **more: Any
) -> TopicDestination:
    """A topic that isn't there yet."""
    settings = tuple((name, str(value)) for name, value in broker.settings.items())
    formats = {"key_format": JSON, "value_format": JSON, **more}
    place = DestinationTopic(settings, (), (), f"t{next(_numbers)}", envelope, **formats)
    return TopicDestination(broker, place, names=desc.names)
