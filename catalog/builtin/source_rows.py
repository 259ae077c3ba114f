"""Sources in mz_internal (states, past states, counts, URLs of webhooks) and in mz_catalog (Kafka's topics and
brokers, replication slots)."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from catalog.builtin.task_details import error_and_details
from catalog.declared.relation import Rows
from catalog.declared.snapshot import SourceFigures, SystemSnapshot
from catalog.nouns.connections import Connection
from catalog.nouns.items import Item
from catalog.nouns.sources import Source, SourceTable
from catalog.nouns.webhooks import WebhookSource
from connectors.kafka.topic import KafkaTopic
from connectors.postgres.publication import PostgresPublication
from model.types.datum import Row


def _source_statuses(snapshot: SystemSnapshot) -> Iterable[Row]:
    for source in snapshot.sources:
        item, now = snapshot.state.items[source.id], source.condition
        assert isinstance(item.definition, Source)
        place = str(source.id), item.name, item.definition.kind
        yield *place, now.since, now.status, *error_and_details(snapshot, now, of=source.id)
    conditions = {source.id: source.condition for source in snapshot.sources}
    for item in _by_oid(snapshot):
        if isinstance(item.definition, SourceTable):
            # It is written together with its source, and is as well as that.
            now = conditions[item.definition.source_id]
            told = error_and_details(snapshot, now, of=item.id)
            yield str(item.id), item.name, "subsource", now.since, now.status, *told
    for item in _webhooks(snapshot):
        began = datetime.datetime.fromtimestamp(item.created_ms / 1000, datetime.UTC)
        yield str(item.id), item.name, "webhook", began, "running", None, None


def _source_status_history(snapshot: SystemSnapshot) -> Iterable[Row]:
    for source in snapshot.sources:
        for each in source.history:
            yield each.since, str(source.id), each.status, *error_and_details(snapshot, each, of=source.id)


def _source_statistics(snapshot: SystemSnapshot) -> Iterable[Row]:
    for source in snapshot.sources:
        figures = source.figures
        if figures is not None:
            yield str(source.id), *source_figures(figures)


def source_figures(figures: SourceFigures) -> Row:
    """Returns a source's figures in the order of the columns of its statistics."""
    counts = figures.messages, figures.bytes, figures.updates, figures.errors, figures.bindings
    known, committed = figures.offset_known, figures.offset_committed
    lag = None if known is None or committed is None else known - committed
    return *counts, known, committed, lag, figures.bound_at


def _left_replication_slots(snapshot: SystemSnapshot) -> Iterable[Row]:
    for name, left in sorted(snapshot.state.left_slots.items()):
        attempts = snapshot.outside.slot_attempts.get(name)
        if attempts is None:
            yield name, str(left.source), left.source_name, 0, None
        elif not attempts.dropped:
            yield name, str(left.source), left.source_name, attempts.count, attempts.error


def _webhook_sources(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _webhooks(snapshot):
        name = snapshot.state.full_name(item)
        path = "/".join(quote(part, safe="") for part in (name.database, name.schema, name.name))
        yield str(item.id), item.name, f"{snapshot.outside.webhooks_at}/api/webhook/{path}"


def _webhooks(snapshot: SystemSnapshot) -> list[Item]:
    return [item for item in _by_oid(snapshot) if isinstance(item.definition, WebhookSource)]


def _kafka_sources(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _by_oid(snapshot):
        if isinstance(item.definition, Source) and isinstance(item.definition.records, KafkaTopic):
            records = item.definition.records
            yield str(item.id), records.group_of(item.id), records.topic, records.topic_id


def _postgres_sources(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _by_oid(snapshot):
        if isinstance(item.definition, Source) and isinstance(item.definition.records, PostgresPublication):
            publication = item.definition.records.publication
            yield str(item.id), publication.slot, publication.system.timeline


def _kafka_connections(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _by_oid(snapshot):
        if isinstance(item.definition, Connection) and item.definition.of == "KAFKA":
            options = dict(item.definition.options)
            brokers = options.get("BROKERS", options.get("BROKER", ()))
            yield str(item.id), brokers if isinstance(brokers, tuple) else (str(brokers),)


def _by_oid(snapshot: SystemSnapshot) -> list[Item]:
    return sorted(snapshot.state.items.values(), key=lambda item: item.oid)


SOURCE_ROWS: Mapping[str, Rows] = {
    "mz_left_replication_slots": _left_replication_slots,
    "mz_source_statistics": _source_statistics,
    "mz_source_status_history": _source_status_history,
    "mz_source_statuses": _source_statuses,
    "mz_webhook_sources": _webhook_sources,
}
"""Of mz_internal."""

UPSTREAM_ROWS: Mapping[str, Rows] = {
    "mz_kafka_connections": _kafka_connections,
    "mz_kafka_sources": _kafka_sources,
    "mz_postgres_sources": _postgres_sources,
}
"""Of mz_catalog."""
