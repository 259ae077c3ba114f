"""The place of a source in Kafka: a topic."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId

_REFRESH_MS = 5_000
"""How often a topic is asked for new partitions, by default."""


@dataclass(frozen=True, slots=True)
class KafkaTopic:
    """Records of a topic.

    `settings`: of librdkafka, without secrets; those of a connection are there once a replica is told of the topic
    `start`: the first offset, by partition, where that is not the partition's beginning
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    `start_ms`: the time of the first record to read, in ms since 1970; below 0 it counts from the source's creation
    `refresh_ms`: the longest time until new partitions are found, where the statement gives it
    `connection`: None for a source that names its brokers itself
    `group_prefix`: begins the name of the consumer group
    `identity`: the brokers asked at the creation, and the topic's id there; a topic created anew has another id
    """

    settings: tuple[tuple[str, str], ...]
    topic: str
    start: tuple[tuple[int, int], ...] = ()
    secrets: tuple[tuple[str, GlobalId], ...] = ()
    start_ms: int | None = None
    refresh_ms: int | None = None
    connection: GlobalId | None = None
    group_prefix: str = ""
    identity: tuple[str, str] | None = None

    @property
    def topic_id(self) -> str | None:
        """The topic's id at the creation of the source, where known."""
        return None if self.identity is None else self.identity[1]

    @property
    def refreshed_ms(self) -> int:
        """The longest time until new partitions are found."""
        return self.refresh_ms or _REFRESH_MS

    def group_of(self, source: GlobalId) -> str:
        """Returns the consumer group under which brokers are told how far the source is."""
        return f"{self.group_prefix}headwater-{source}"
