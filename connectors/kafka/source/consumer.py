"""The interfaces of librdkafka that a topic's reader uses: a consumer, and questions that are answered later."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from confluent_kafka import TopicPartition

Answer = TypeVar("Answer", covariant=True)


class TopicConsumer(Protocol):
    """The methods of confluent_kafka's Consumer. Those with a timeout (in seconds) block at most that long, and
    raise KafkaException."""

    def assign(self, partitions: list[TopicPartition]) -> None:
        """Reads these partitions from their offsets on, and no others."""
        ...

    def unassign(self) -> None:
        """Reads none."""
        ...

    def poll(self, timeout: float) -> Any:
        """Returns the next message: a record, or an error, such as the end of a partition; None when none came."""
        ...

    def consume(self, num_messages: int, timeout: float) -> list[Any]:
        """Returns the messages that are there, up to `num_messages`."""
        ...

    def list_topics(self, topic: str, timeout: float) -> Any:
        """Returns the brokers' answer about the topic: `topics[topic]` has `error` and `partitions`."""
        ...

    def get_watermark_offsets(self, partition: TopicPartition, timeout: float = ..., cached: bool = ...) -> Any:
        """Returns a partition's first offset and its end; the cached end is that of the last fetch, below 0 where
        there was none."""
        ...

    def offsets_for_times(self, partitions: list[TopicPartition], timeout: float) -> list[TopicPartition]:
        """Returns the first offset of each partition whose record is at least as late (in ms) as its `offset` says;
        below 0 where there is none."""
        ...

    def commit(self, *, offsets: list[TopicPartition], asynchronous: bool) -> Any:
        """Tells the group."""
        ...

    def close(self) -> None: ...


class AskedLater(Protocol[Answer]):
    """A question to brokers that can also be asked without waiting."""

    def now(self, timeout_s: float) -> Answer:
        """Asks, and blocks until the answer."""
        ...

    def ask(self, timeout_s: float) -> None:
        """Asks without waiting; `heard` returns the answer."""
        ...

    def heard(self) -> Answer | None:
        """Returns the answer to `ask` once, when it has arrived, or raises what `now` raises; None before and after."""
        ...
