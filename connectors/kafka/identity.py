"""Asks brokers for a topic's id, which tells a topic from one created later under the same name."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from confluent_kafka import KafkaException, TopicCollection
from confluent_kafka.admin import AdminClient

from connectors.kafka.probe import SILENT

_CLIENT_SETTINGS = ("group.id",)
"""Settings of consumers, which an AdminClient warns of."""
_UNKNOWN = "A" * 22
"""Of brokers that are too old to know: 128 zeros."""


class TopicIdentity:
    """Asks for the id of one topic. `settings` are librdkafka's, secrets included."""

    def __init__(self, settings: Mapping[str, str], topic: str) -> None:
        self._topic = topic
        known: dict[str, Any] = {name: value for name, value in settings.items() if name not in _CLIENT_SETTINGS}
        known["error_cb"] = lambda _: None
        self._client = AdminClient(known, logger=SILENT)
        self._asked: Future[Any] | None = None

    def now(self, timeout_s: float) -> str | None:
        """Asks for the topic's id and blocks until the answer, at most `timeout_s`. Returns None where brokers don't
        answer in time, have no such topic, or are too old to have ids. A question that `ask` put before is dropped,
        because its answer would be older."""
        self._asked = None
        return _id_in(self._describe(timeout_s), timeout_s)

    def ask(self, timeout_s: float) -> None:
        """Asks for the topic's id without waiting; `heard` returns the answer. While one question is open, no second
        one is sent."""
        if self._asked is None:
            self._asked = self._describe(timeout_s)

    def heard(self) -> str | None:
        """Returns the answer to `ask` once, when it has arrived; None before that, after that, and wherever `now`
        would return None."""
        if self._asked is None or not self._asked.done():
            return None
        answered, self._asked = self._asked, None
        return _id_in(answered, 0)

    def _describe(self, timeout_s: float) -> Future[Any]:
        topics = TopicCollection([self._topic])
        asked: Future[Any] = self._client.describe_topics(topics, request_timeout=timeout_s)[self._topic]
        return asked


def _id_in(answer: Future[Any], timeout_s: float) -> str | None:
    try:
        found = str(answer.result(timeout_s).topic_id)
    except (KafkaException, TimeoutError):
        return None
    return None if found == _UNKNOWN else found
