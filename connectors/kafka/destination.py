"""A topic that a sink writes, as the replica is told of it."""

from __future__ import annotations

from dataclasses import dataclass

from model.external.sinks import SinkEnvelope
from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class MessageFormat:
    """The format of messages' keys or values: JSON, TEXT or AVRO. With AVRO the schemas are registered in the schema
    registry that `registry` names by a connection's options, without secrets."""

    name: str
    registry: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class DestinationTopic:
    """A topic of Kafka.

    `settings`: of all librdkafka clients, without secrets
    `producing`: further settings, of producers only
    `secrets`: the further settings whose values are secrets, by the secrets' ids; those of registries are called `key
        PASSWORD`, `value PASSWORD`, …
    `partitions`, `replicas`: used when the topic is created
    `headers`, `partition_by`: places of columns among the documents' columns
    `transactional_prefix`, `group_prefix`: keep sinks of several servers apart
    """

    settings: tuple[tuple[str, str], ...]
    producing: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    topic: str
    envelope: SinkEnvelope
    key_format: MessageFormat
    value_format: MessageFormat
    partitions: int | None = None
    replicas: int | None = None
    transactional_prefix: str = ""
    group_prefix: str = ""
    headers: int | None = None
    partition_by: int | None = None
