"""At start: sources, sinks and maintained items are installed again, and shards that no item names given up."""

from __future__ import annotations

import structlog

from catalog.durable.rows import CATALOG_SHARD_ID
from catalog.nouns.items import Item, Table
from catalog.nouns.sinks import Sink, ViewSink
from catalog.nouns.sources import Source
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId, Namespace
from model.time.timestamp import Timestamp
from server.environment.environment import Environment
from server.objects.maintained.dataflows import in_order
from server.objects.maintained.description import collection_of, outline
from server.planning.long_texts import planned_apart
from server.writes.rebuilding import drop_shards

_LOG = structlog.get_logger()


async def resume_dataflows(environment: Environment) -> None:
    """Resumes all dataflows in their clusters. An item whose plan takes too many steps, or can't be installed, is
    logged and shows the error; the environment opens anyway."""
    state, dataflows = environment.catalog.state, environment.dataflows
    environment.replicas.add_clusters(state)
    complete = environment.storage.frontiers(CATALOG_SHARD_ID).upper.time
    assert complete is not None, "the timeline is never closed"
    now = Timestamp(max(complete - 1, 0))
    for item in state.items.values():
        if isinstance(item.definition, Source):
            _resume_source(environment, item)
    for item in in_order(state):
        try:
            planned = await planned_apart(outline, state, item, environment.planning)
            dataflows.install(item, dataflows.prepare_again(planned, now))
        except SqlError as error:
            dataflows.failed[item.id] = error
            _LOG.error("not maintained", item=item.name, id=str(item.id), error=error.message)
    for item in state.items.values():
        if isinstance(item.definition, Sink):
            _resume_sink(environment, item)
    await drop_shards(environment, _nameless(environment))


def _resume_source(environment: Environment, item: Item) -> None:
    try:
        environment.ingestions.install(item, environment.catalog.state)
    except SqlError as error:
        environment.ingestions.failed(item.id, error)
        _LOG.error("not ingested", item=item.name, id=str(item.id), error=error.message)


def _resume_sink(environment: Environment, item: Item) -> None:
    try:
        environment.deliveries.install(item, environment.catalog.state)
    except SqlError as error:
        environment.deliveries.failed(item.id, error)
        _LOG.error("not written", item=item.name, id=str(item.id), error=error.message)


def _nameless(environment: Environment) -> list[GlobalId]:
    """Returns shards of users that no item names: an earlier environment ended during a replacement."""
    state = environment.catalog.state
    named = {
        id_ if isinstance(item.definition, Table) else collection_of(state, id_) for id_, item in state.items.items()
    }
    named |= {item.definition.collection for item in state.items.values() if isinstance(item.definition, ViewSink)}
    return [
        collection.id
        for collection in environment.storage.collections()
        if collection.id.namespace is Namespace.USER and collection.id not in named and not collection.state.dropped
    ]
