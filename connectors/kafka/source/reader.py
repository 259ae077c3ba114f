"""A Kafka topic, read ahead by a thread of its own: librdkafka's consumer behind `UpstreamReader`.

The thread is not `ReadAhead`'s: that one follows upstream inside one long call, while `TopicReading` takes single
steps, so that a simulation can take them without a thread, between the steps of brokers that fail. The buffer belongs
to the steps, and the thread has only to take the next step while there is work, and to end.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from confluent_kafka import Consumer

from connectors.kafka.identity import TopicIdentity
from connectors.kafka.probe import SILENT
from connectors.kafka.source.partition_list import PartitionList
from connectors.kafka.source.topic_reading import TopicReading
from connectors.kafka.topic import KafkaTopic
from connectors.upstream import Arrived
from model.time.clock import Clock

SETTINGS: Mapping[str, Any] = {
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "enable.partition.eof": True,
    "auto.offset.reset": "error",
    "isolation.level": "read_committed",
    "allow.auto.create.topics": False,
    "fetch.wait.max.ms": 50,
    "queued.max.messages.kbytes": 16 * 1024,
}
"""Of librdkafka, whatever a connection says."""
_LIBRARY_REFRESH_MS = 300_000
"""The longest interval at which librdkafka asks for leaders. With 15 minutes and more it waits by chance, for seconds
or until the timeout, for the leader of a partition that it has just been told of. New partitions are found by
TopicReading's own questions."""
_CLOSE_S = 2.0
"""What a consumer that ends slowly is waited for; its thread goes on by itself, and ends with the process."""


class KafkaReader(TopicReading):
    """Reads a topic in a thread of its own. `settings` are librdkafka's, secrets among them. `arrived` is called in the
    reader's thread."""

    def __init__(self, place: KafkaTopic, settings: Mapping[str, str], clock: Clock, arrived: Arrived) -> None:
        refresh = {"topic.metadata.refresh.interval.ms": min(place.refreshed_ms, _LIBRARY_REFRESH_MS)}
        consumer: Any = Consumer({**settings, **SETTINGS, **refresh, "error_cb": self.on_error}, logger=SILENT)
        self._partition_list = PartitionList(consumer, place.topic)
        identity = None if place.topic_id is None else TopicIdentity(settings, place.topic)
        super().__init__(place, consumer, self._partition_list, identity, clock, arrived)
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"kafka {place.topic}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        # librdkafka waits for brokers that are gone for most of a minute. Nobody waits for that: new dataflows would.
        self._thread.join(_CLOSE_S)

    def _run(self) -> None:
        try:
            while not self._closed:
                if not self.step():
                    with self._changed:
                        if not (self._closed or self.has_work):
                            self._changed.wait()
            self.tell_durable()
        finally:
            self._partition_list.close()
            self._consumer.close()
