"""Reads one partition of a topic in the thread that takes records, with little read ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from confluent_kafka import Consumer, KafkaError

from connectors.gauge import UpstreamFrontier
from connectors.kafka.probe import SILENT
from connectors.kafka.source.consumer import AskedLater, TopicConsumer
from connectors.kafka.source.partition_list import OnePartition
from connectors.kafka.source.reader import SETTINGS
from connectors.kafka.source.topic_reading import TopicReading
from connectors.kafka.topic import KafkaTopic
from connectors.upstream import FetchedRange
from model.time.clock import Clock

_AHEAD_KIB = 4 * 1024
OpenConsumer = Callable[[Callable[[KafkaError], None]], TopicConsumer]
"""What it opens tells errors that are of no partition."""


class PartitionReader(TopicReading):
    """Reads one partition. `identity` is asked when reading begins: records of another topic with the same name are
    refused."""

    def __init__(
        self,
        place: KafkaTopic,
        partition: int,
        open_consumer: OpenConsumer,
        identity: AskedLater[str | None] | None,
        clock: Clock,
    ) -> None:
        super().__init__(place, open_consumer(self.on_error), OnePartition(partition), identity, clock, _unheard)

    def take_until(self, records_max: int, bytes_max: int, upto: UpstreamFrontier) -> FetchedRange | None:
        """Returns records before `upto`; waits a little for them."""
        self.step()
        return super().take_until(records_max, bytes_max, upto)

    def close(self) -> None:
        self._consumer.close()


def consumers(settings: Mapping[str, str]) -> OpenConsumer:
    """Returns a function that opens consumers of librdkafka with these settings, secrets included."""

    def open_consumer(on_error: Callable[[KafkaError], None]) -> TopicConsumer:
        # Whoever decodes lets the queue run full; it is not to wait for a second then, as it would by default.
        own = {"queued.max.messages.kbytes": _AHEAD_KIB, "fetch.queue.backoff.ms": 5, "error_cb": on_error}
        consumer: Any = Consumer({**settings, **SETTINGS, **own}, logger=SILENT)
        return consumer  # type: ignore[no-any-return]

    return open_consumer


def _unheard() -> None:
    """Does nothing: only the thread that takes records waits for them."""
