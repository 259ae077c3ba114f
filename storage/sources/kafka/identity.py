"""What brokers call a topic and no other, also none that is created with its name after it was deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from confluent_kafka import KafkaException, TopicCollection
from confluent_kafka.admin import AdminClient

from storage.sources.kafka.probe import SILENT

_CLIENT_SETTINGS = ("group.id",)
"""Settings of consumers, which an AdminClient warns of."""
_UNKNOWN = "A" * 22
"""Of brokers that are too old to know: 128 zeros."""


class TopicIdentity:
    """`settings` are librdkafka's, secrets among them."""

    def __init__(self, settings: Mapping[str, str], topic: str) -> None:
        self._topic = topic
        known: dict[str, Any] = {name: value for name, value in settings.items() if name not in _CLIENT_SETTINGS}
        known["error_cb"] = lambda _: None
        self._client = AdminClient(known, logger=SILENT)

    def now(self, timeout_s: float) -> str | None:
        """None where brokers don't answer in time, have no such topic, or are too old to know. It blocks."""
        asked = self._client.describe_topics(TopicCollection([self._topic]), request_timeout=timeout_s)
        try:
            found = str(asked[self._topic].result(timeout_s).topic_id)
        except (KafkaException, TimeoutError):
            return None
        return None if found == _UNKNOWN else found
