"""Kafka, as a connection, as a source and as a destination."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from connectors.client_settings import Secrets
from connectors.gauge import NUMBERED, OFFSET, Gauge, Partition
from connectors.kafka.destination import DestinationTopic, MessageFormat
from connectors.kafka.settings import BROKERS, SASL, SSL, kafka_login, kafka_settings, security_protocol
from connectors.kafka.topic import KafkaTopic
from connectors.option_values import (
    address,
    addresses,
    one_of,
    require_pair,
    secret,
    text_or_secret,
    wrong,
)
from connectors.sinks.clauses import SinkClauses
from connectors.sinks.driver import Driver
from connectors.source_clauses import SourceClauses
from connectors.system import (
    EACH_CHANGE,
    InstalledSource,
    Options,
    Reached,
    SystemConnection,
    SystemDestination,
    SystemSource,
)
from connectors.upstream import Arrived, RangeReader, UpstreamReader
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import ConnectedStore, RegistryFormat, SinkTarget
from model.ids.global_id import GlobalId
from model.time.clock import Clock

_PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
_TIMEOUT_S = 10.0
_TOPIC = re.compile(r"[a-zA-Z0-9._-]{1,249}")
_COMPRESSIONS = ("none", "gzip", "snappy", "lz4", "zstd")
_PARTITIONS_MOST, _REPLICAS_MOST = 100_000, 32_767
_PREFIX_LENGTH_MAX = 1_000
_TIME_MOST_MS = 1 << 48
_REFRESH_LEAST_MS, _REFRESH_MOST_MS = 100, 3_600_000
_SOURCE_OPTIONS = ("TOPIC", "START OFFSET", "START TIMESTAMP", "GROUP ID PREFIX", "TOPIC METADATA REFRESH INTERVAL")


def _check(options: Options) -> None:
    if ("BROKER" in options) == ("BROKERS" in options):
        said = "either BROKER or BROKERS, not both" if "BROKER" in options else "BROKER or BROKERS"
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"a KAFKA connection needs {said}")
    protocol = security_protocol(options)
    for name in SASL:
        if (name in options) != protocol.startswith("SASL_"):
            why = "does not go with" if name in options else "is needed with"
            raise wrong(name, f"{why} SECURITY PROTOCOL {protocol}")
    for name in SSL:
        if name in options and not protocol.endswith("SSL"):
            raise wrong(name, f"does not go with SECURITY PROTOCOL {protocol}")
    require_pair(options)


def _ask(options: Options, secrets: Mapping[GlobalId, str], _by_password: bool) -> None:
    from connectors.kafka.probe import ask_brokers

    ask_brokers(kafka_settings(options, secrets), _TIMEOUT_S)


def _target(clauses: SinkClauses) -> SinkTarget:
    """Plans (TOPIC t [, TOPIC PARTITION COUNT n] …) [HEADERS h] FORMAT f [ENVELOPE UPSERT | DEBEZIUM]."""
    topic = clauses.text("TOPIC")
    if not topic:
        raise clauses.lacks("TOPIC")
    if not _TOPIC.fullmatch(topic) or topic in (".", ".."):
        raise clauses.invalid("TOPIC")
    told = {"TOPIC": topic, **_further_options(clauses)}
    envelope = clauses.envelope()
    format_, key_format = clauses.message_formats()
    return ConnectedStore(
        clauses.into,
        clauses.connection,
        tuple(told.items()),
        envelope,
        format_,
        key_format,
        clauses.headers(envelope),
        clauses.partition_by(),
    )


def _further_options(clauses: SinkClauses) -> dict[str, str]:
    told: dict[str, str] = {}
    for name, most in (("TOPIC PARTITION COUNT", _PARTITIONS_MOST), ("TOPIC REPLICATION FACTOR", _REPLICAS_MOST)):
        number = clauses.number(name, 1, most)
        if number is not None:
            told[name] = str(number)
    compression = clauses.text("COMPRESSION TYPE")
    if compression is not None:
        if compression.lower() not in _COMPRESSIONS:
            raise clauses.invalid("COMPRESSION TYPE")
        told["COMPRESSION TYPE"] = compression.lower()
    for name in ("TRANSACTIONAL ID PREFIX", "PROGRESS GROUP ID PREFIX"):
        prefix = clauses.text(name)
        if prefix is not None:
            if len(prefix) > _PREFIX_LENGTH_MAX or "\x00" in prefix:
                raise clauses.invalid(name)
            told[name] = prefix
    return told


def _place(target: SinkTarget, reached: Reached) -> DestinationTopic:
    assert isinstance(target, ConnectedStore) and target.format is not None, "messages have a format"
    told = dict(target.options)
    settings, hidden = kafka_login(reached.options)
    compression = told.get("COMPRESSION TYPE")
    key_format, key_secrets = _format(target.key_format or target.format, "key", reached)
    value_format, value_secrets = _format(target.format, "value", reached)
    partitions, replicas = told.get("TOPIC PARTITION COUNT"), told.get("TOPIC REPLICATION FACTOR")
    return DestinationTopic(
        settings=settings,
        producing=() if compression is None else (("compression.type", compression),),
        secrets=(*hidden, *key_secrets, *value_secrets),
        topic=told["TOPIC"],
        envelope=target.envelope,
        key_format=key_format,
        value_format=value_format,
        partitions=None if partitions is None else int(partitions),
        replicas=None if replicas is None else int(replicas),
        transactional_prefix=told.get("TRANSACTIONAL ID PREFIX", ""),
        group_prefix=told.get("PROGRESS GROUP ID PREFIX", ""),
        headers=target.headers,
        partition_by=target.partition_by,
    )


def _format(told: str | RegistryFormat, part: str, reached: Reached) -> tuple[MessageFormat, Secrets]:
    """Returns a message format; secrets of its registry are named after the part of messages."""
    if isinstance(told, str):
        return MessageFormat(told), ()
    options = reached.registries(told.registry)
    shown = tuple((name, value) for name, value in options.items() if isinstance(value, str))
    hidden = tuple((f"{part} {name}", value) for name, value in options.items() if isinstance(value, GlobalId))
    return MessageFormat(told.name, shown), hidden


def _driver(place: DestinationTopic, _token: str, _directory: Path) -> Driver:
    from connectors.kafka.driver import KafkaDriver

    return KafkaDriver(place)


def _planned(clauses: SourceClauses) -> KafkaTopic:
    """Plans CONNECTION c (TOPIC t, …), or BROKER 'b' TOPIC 't' …; the topic is named as the source by default."""
    connection = clauses.connection if clauses.connected else None
    clauses.refuse("SECURITY PROTOCOL", *SASL, *SSL)
    brokers = clauses.texts("BROKER") + clauses.texts("BROKERS")
    start = tuple(enumerate(clauses.numbers("START OFFSET")))
    start_ms = clauses.number("START TIMESTAMP", -_TIME_MOST_MS, _TIME_MOST_MS)
    if start and start_ms is not None:
        raise clauses.contrary("START OFFSET and START TIMESTAMP exclude each other")
    refresh_ms = clauses.interval_ms("TOPIC METADATA REFRESH INTERVAL")
    if refresh_ms is not None and not _REFRESH_LEAST_MS <= refresh_ms <= _REFRESH_MOST_MS:
        raise clauses.invalid("TOPIC METADATA REFRESH INTERVAL")
    return KafkaTopic(
        () if clauses.connected else ((BROKERS, ",".join(brokers)),),
        clauses.text("TOPIC") or clauses.source,
        start,
        start_ms=start_ms,
        refresh_ms=refresh_ms,
        connection=connection,
        group_prefix=clauses.text("GROUP ID PREFIX") or "",
    )


def _stored(topic: KafkaTopic) -> dict[str, Any]:
    return {
        "connection": None if topic.connection is None else str(topic.connection),
        "settings": [list(each) for each in topic.settings],
        "topic": topic.topic,
        "start": [list(each) for each in topic.start],
        "start_ms": topic.start_ms,
        "group_prefix": topic.group_prefix,
        "refresh_ms": topic.refresh_ms,
        "identity": topic.identity,
    }


def _restored(stored: Mapping[str, Any]) -> KafkaTopic:
    identity = stored.get("identity")
    return KafkaTopic(
        tuple((name, setting) for name, setting in stored["settings"]),
        stored["topic"],
        tuple((partition, offset) for partition, offset in stored["start"]),
        start_ms=stored.get("start_ms"),
        refresh_ms=stored.get("refresh_ms"),
        connection=None if stored["connection"] is None else GlobalId.parse(stored["connection"]),
        group_prefix=stored.get("group_prefix", ""),
        identity=None if identity is None else (identity[0], identity[1]),
    )


def _elsewhere(topic: KafkaTopic, lineage: str) -> KafkaTopic:
    """Returns the topic with another consumer group; offsets come from the remap collection."""
    return replace(topic, group_prefix=f"{topic.group_prefix}restored-{lineage}-")


def _source_place(topic: KafkaTopic, installed: InstalledSource) -> KafkaTopic:
    settings, secrets = (topic.settings, ()) if topic.connection is None else kafka_login(installed.options)
    # Other brokers are another cluster, where the topic has another id.
    known = topic.identity is not None and topic.identity[0] == dict(settings)[BROKERS]
    start_ms = topic.start_ms
    if start_ms is not None and start_ms < 0:
        start_ms = max(0, installed.created_ms + start_ms)
    return replace(
        topic,
        settings=(*settings, ("group.id", topic.group_of(installed.id))),
        secrets=secrets,
        start_ms=start_ms,
        identity=topic.identity if known else None,
    )


def _subject(topic: KafkaTopic) -> str:
    return topic.topic


def _open(
    place: KafkaTopic, settings: Mapping[str, str], clock: Clock, arrived: Arrived, _copies: Path
) -> UpstreamReader:
    from connectors.kafka.source.reader import KafkaReader

    return KafkaReader(place, settings, clock, arrived)


def _open_range(
    place: KafkaTopic, versions: Mapping[Partition, str | None], settings: Mapping[str, str], clock: Clock
) -> RangeReader:
    from connectors.kafka.identity import TopicIdentity
    from connectors.kafka.source.partition_reader import PartitionReader, consumers

    (partition,) = versions
    identity = None if place.topic_id is None else TopicIdentity(settings, place.topic)
    return PartitionReader(place, int(partition), consumers(settings), identity, clock)


CONNECTION = SystemConnection(
    name="KAFKA",
    checks={
        "BROKER": address,
        "BROKERS": addresses,
        "SECURITY PROTOCOL": one_of(*_PROTOCOLS),
        "SASL MECHANISMS": one_of(*_MECHANISMS),
        "SASL USERNAME": text_or_secret,
        "SASL PASSWORD": secret,
        "SSL CERTIFICATE AUTHORITY": text_or_secret,
        "SSL CERTIFICATE": text_or_secret,
        "SSL KEY": secret,
    },
    check_together=_check,
    ask=_ask,
)
SOURCE = SystemSource(
    name="KAFKA",
    kind="kafka",
    gauge=Gauge(NUMBERED, OFFSET),
    places=(KafkaTopic,),
    planned=_planned,
    stored=_stored,
    restored=_restored,
    stored_as="kafka",
    place=_source_place,
    connection="KAFKA",
    subject=_subject,
    elsewhere=_elsewhere,
    open=_open,
    open_range=_open_range,
    options=_SOURCE_OPTIONS,
    address_options=(*CONNECTION.checks, *_SOURCE_OPTIONS),
)
DESTINATION = SystemDestination(
    name="KAFKA",
    options=(
        "TOPIC",
        "TOPIC PARTITION COUNT",
        "TOPIC REPLICATION FACTOR",
        "PARTITION BY",
        "COMPRESSION TYPE",
        "TRANSACTIONAL ID PREFIX",
        "PROGRESS GROUP ID PREFIX",
    ),
    connection="KAFKA",
    connected=_target,
    places=(DestinationTopic, MessageFormat),
    place=_place,
    open_driver=_driver,
    pushed=True,
    undivided=EACH_CHANGE,
    has_headers=True,
)
