"""The contents of mz_internal."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from catalog.builtin.dataflow_rows import DATAFLOW_ROWS
from catalog.builtin.freshness_rows import FRESHNESS_ROWS
from catalog.builtin.relation import Rows
from catalog.builtin.snapshot import SystemSnapshot
from catalog.items import Item
from catalog.sources import Source
from catalog.webhooks import WebhookSource
from model.datum import Row


def _frontiers(snapshot: SystemSnapshot) -> Iterable[Row]:
    for id, frontiers in sorted(snapshot.frontiers.items()):
        yield str(id), frontiers.since.time, frontiers.upper.time


def _sessions(snapshot: SystemSnapshot) -> Iterable[Row]:
    for session in snapshot.sessions:
        role = snapshot.state.role_named(session.user)
        yield (
            session.pid,
            None if role is None else str(role.oid),
            session.database,
            session.application_name,
            session.client_address,
            session.connected_at,
            session.state,
            session.query,
        )


def _replicas(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        yield replica.id, replica.name, replica.cluster, replica.pid


def _replica_statuses(snapshot: SystemSnapshot) -> Iterable[Row]:
    for replica in snapshot.replicas:
        yield replica.id, replica.status, replica.reason, replica.updated_at


def _source_statuses(snapshot: SystemSnapshot) -> Iterable[Row]:
    for source in snapshot.sources:
        item = snapshot.state.items[source.id]
        assert isinstance(item.definition, Source)
        yield str(source.id), item.name, item.definition.kind, source.changed_at, source.status, source.error, None
    for item in _webhooks(snapshot):
        began = datetime.datetime.fromtimestamp(item.created_ms / 1000, datetime.UTC)
        yield str(item.id), item.name, "webhook", began, "running", None, None


def _source_statistics(snapshot: SystemSnapshot) -> Iterable[Row]:
    for source in snapshot.sources:
        figures = source.figures
        if figures is not None:
            counts = figures.messages, figures.bytes, figures.updates, figures.errors, figures.bindings
            lag = figures.offset_known - figures.offset_committed
            yield str(source.id), *counts, figures.offset_known, figures.offset_committed, lag, figures.bound_at


def _webhook_sources(snapshot: SystemSnapshot) -> Iterable[Row]:
    for item in _webhooks(snapshot):
        name = snapshot.state.full_name(item)
        path = "/".join(quote(part, safe="") for part in (name.database, name.schema, name.name))
        yield str(item.id), item.name, f"{snapshot.webhooks_at}/api/webhook/{path}"


def _webhooks(snapshot: SystemSnapshot) -> list[Item]:
    items = snapshot.state.items.values()
    return sorted((each for each in items if isinstance(each.definition, WebhookSource)), key=lambda item: item.oid)


MZ_INTERNAL_ROWS: Mapping[str, Rows] = {
    **DATAFLOW_ROWS,
    **FRESHNESS_ROWS,
    "mz_cluster_replica_statuses": _replica_statuses,
    "mz_cluster_replicas": _replicas,
    "mz_frontiers": _frontiers,
    "mz_sessions": _sessions,
    "mz_source_statistics": _source_statistics,
    "mz_source_statuses": _source_statuses,
    "mz_webhook_sources": _webhook_sources,
}
