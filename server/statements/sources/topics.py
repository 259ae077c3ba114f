"""Identifies the topic of a source, asked of its brokers at creation.

A topic deleted and created again under its name has new offsets, unknown to old bindings. The source therefore keeps
the brokers' identity of its topic, and reads on from the same topic alone, whatever happened while the server was down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from catalog.nouns.connections import Connection
from connectors.kafka.identity import TopicIdentity
from connectors.kafka.settings import BROKERS, kafka_settings
from connectors.kafka.topic import KafkaTopic
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from planner.plans.sources import CreateSourcePlan
from server.statements.sources.connection_probe import answer_of, in_probe
from server.transactions.execution import Execution

_TIMEOUT_S = 2.0


async def identified(plan: CreateSourcePlan, execution: Execution) -> CreateSourcePlan:
    """Returns the plan with the topic's identity; without it when brokers don't answer soon, or have no such topic
    yet."""
    upstream = plan.upstream
    if not isinstance(upstream, KafkaTopic):
        return plan
    item = None if upstream.connection is None else execution.catalog.items.get(upstream.connection)
    connection = None if item is None else item.definition
    if connection is None:
        settings = {BROKERS: dict(upstream.settings).get(BROKERS, "")}
        found = await in_probe(lambda: _identity(settings, upstream.topic), execution)
    elif isinstance(connection, Connection) and connection.of == "KAFKA":
        found = await _by_connection(connection, upstream.topic, execution)
    else:
        return plan
    return replace(plan, upstream=replace(upstream, identity=found))


async def _by_connection(connection: Connection, topic: str, execution: Execution) -> tuple[str, str] | None:
    options = dict(connection.options)

    def ask(secrets: Mapping[GlobalId, str]) -> tuple[str, str] | None:
        return _identity(kafka_settings(options, secrets), topic)

    try:
        return await answer_of(connection, execution, ask, None)
    except SqlError:
        # A secret that can't be read is the source's status.
        return None


def _identity(settings: Mapping[str, str], topic: str) -> tuple[str, str] | None:
    found = TopicIdentity(settings, topic).now(_TIMEOUT_S)
    return None if found is None else (settings[BROKERS], found)
