"""Statements that add tables to a source: looks the source up, and asks upstream for its present tables."""

from __future__ import annotations

from catalog.facts.roles.decide import require_owner
from catalog.facts.roles.securables import item_securable
from catalog.nouns.items import Item
from catalog.nouns.sources import Source
from catalog.nouns.webhooks import WebhookSource
from connectors.kafka.topic import KafkaTopic
from connectors.postgres.publication import PostgresPublication
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.generators import LoadGenerator
from planner.catalog_view import FoundUpstream
from planner.plans.sources import FindUpstreamPlan
from server.planning.statement_plans import Planned
from server.statements.sources.publications import published
from server.statements.sources.schemas import planned_again
from server.transactions.execution import Execution


async def planned_with_upstream(plan: FindUpstreamPlan, execution: Execution) -> Planned:
    """Returns the statement's plan, given the source's upstream. Raises SqlError without an answer, for other objects,
    or for a role that does not own the source: nobody else has its secrets used."""
    item = execution.catalog.items[plan.source]
    require_owner(execution.newest_catalog, execution.role, item_securable(execution.catalog, item))
    found = await _found(item, execution)
    return planned_again(plan.answered(found), execution)


async def _found(item: Item, execution: Execution) -> FoundUpstream:
    source = item.definition
    if isinstance(source, WebhookSource):
        return FoundUpstream("webhook")
    if not isinstance(source, Source):
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name}" is not a source')
    match source.records:
        case KafkaTopic(topic=topic):
            return FoundUpstream(source.kind, topic=topic)
        case LoadGenerator(kind=kind):
            return FoundUpstream(source.kind, generator=kind)
        case PostgresPublication(connection=connection, publication=publication):
            now = await published(connection, publication.name, publication.slot, execution)
            return FoundUpstream(source.kind, published=now)
        case _:
            return FoundUpstream(source.kind)
