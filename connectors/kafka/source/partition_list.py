"""Asks which partitions a topic has. Brokers may be slow to answer: reading goes on meanwhile."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from functools import partial
from typing import Any

from confluent_kafka import KafkaError, KafkaException

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_ABSENT = (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC, KafkaError._UNKNOWN_PARTITION)


class PartitionList:
    """Asks for one topic's partitions. `consumer` is a client of the brokers, which others may use at the same time."""

    def __init__(self, consumer: Any, topic: str) -> None:
        self._consumer = consumer
        self._topic = topic
        self._asked: Future[list[int]] | None = None
        self._asking: threading.Thread | None = None

    def now(self, timeout_s: float) -> list[int]:
        """Asks for the partitions, sorted, and blocks until the answer. Raises SqlError when there is no such topic,
        KafkaException when no broker answers. A question that `ask` put before is dropped, because its answer would
        be older."""
        self._asked = None
        return self._told(timeout_s)

    def _told(self, timeout_s: float) -> list[int]:
        metadata = self._consumer.list_topics(self._topic, timeout=timeout_s).topics[self._topic]
        if metadata.error is not None:
            if is_absent(metadata.error):
                raise absent_topic(self._topic)
            raise KafkaException(metadata.error)
        return sorted(metadata.partitions)

    def ask(self, timeout_s: float) -> None:
        """Asks for the partitions without waiting; `heard` returns the answer. While one question is open, no second
        one is sent."""
        if self._asked is not None or (self._asking is not None and self._asking.is_alive()):
            return
        self._asked = Future()
        answer = partial(self._answer, self._asked, timeout_s)
        self._asking = threading.Thread(target=answer, name=f"partitions of {self._topic}", daemon=True)
        self._asking.start()

    def heard(self) -> list[int] | None:
        """Returns the answer to `ask` once, when it has arrived, or raises what `now` raises; None before and after."""
        if self._asked is None or not self._asked.done():
            return None
        answered, self._asked = self._asked, None
        return answered.result()

    def close(self) -> None:
        """Waits for whoever still asks: the client must not be closed before."""
        if self._asking is not None:
            self._asking.join()

    def _answer(self, asked: Future[list[int]], timeout_s: float) -> None:
        try:
            asked.set_result(self._told(timeout_s))
        except (SqlError, KafkaException) as error:
            asked.set_exception(error)


class OnePartition:
    """A partition of a topic, read by one of several readers of the topic."""

    def __init__(self, partition: int) -> None:
        self._partition = partition

    def now(self, _timeout_s: float) -> list[int]:
        return [self._partition]

    def ask(self, _timeout_s: float) -> None:
        """Does nothing: the one partition never changes."""

    def heard(self) -> list[int] | None:
        return None


def is_absent(error: KafkaError) -> bool:
    """Tells whether an error says that the topic or the partition does not exist."""
    return error.code() in _ABSENT


def absent_topic(topic: str) -> SqlError:
    return SqlError(
        Sqlstate.UNDEFINED_OBJECT,
        f'there is no topic "{topic}"',
        hint="Create the topic. If it was deleted, drop the source and create it again: its records are gone.",
    )
