"""What is asked of librdkafka by who reads a topic: of its consumer, and of others that answer later."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from confluent_kafka import TopicPartition

Answer = TypeVar("Answer", covariant=True)


class TopicConsumer(Protocol):
    """As confluent_kafka's Consumer is. Methods with a timeout, in seconds, block so long and raise KafkaException."""

    def assign(self, partitions: list[TopicPartition]) -> None:
        """Reads these from their offsets on, and no others."""
        ...

    def unassign(self) -> None:
        """Reads none."""
        ...

    def poll(self, timeout: float) -> Any:
        """The next message: a record, or one with an error, the end of a partition among these; None when none came."""
        ...

    def consume(self, num_messages: int, timeout: float) -> list[Any]:
        """As many messages as there are."""
        ...

    def list_topics(self, topic: str, timeout: float) -> Any:
        """What brokers say of the topic: `topics[topic]` has `error` and `partitions`."""
        ...

    def get_watermark_offsets(self, partition: TopicPartition, timeout: float = ..., cached: bool = ...) -> Any:
        """Its first offset and its end; the cached end is that of the last fetch, below 0 where there was none."""
        ...

    def offsets_for_times(self, partitions: list[TopicPartition], timeout: float) -> list[TopicPartition]:
        """The first offset of each partition that is as late, in ms, as its `offset` says; below 0 where none is."""
        ...

    def commit(self, *, offsets: list[TopicPartition], asynchronous: bool) -> Any:
        """Tells the group."""
        ...

    def close(self) -> None: ...


class AskedLater(Protocol[Answer]):
    """A question to brokers that can be asked without waiting."""

    def now(self, timeout_s: float) -> Answer:
        """It blocks."""
        ...

    def ask(self, timeout_s: float) -> None:
        """Without waiting: `heard` tells what comes of it."""
        ...

    def heard(self) -> Answer | None:
        """The answer to what was asked, once it is there, or what `now` raises; None before and after."""
        ...
