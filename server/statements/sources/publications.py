"""Statements that read a publication: the server is asked for its tables, and the statement planned with the answer."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.facts.roles.decide import is_superuser
from catalog.translation.create_source import require_connection_to
from connectors.postgres.settings import postgres_settings
from model.external.publications import Publication
from model.ids.global_id import GlobalId
from planner.plans.sources import FindPublicationPlan
from server.planning.statement_plans import Planned
from server.statements.sources.connection_probe import answer_of
from server.statements.sources.schemas import planned_again
from server.transactions.execution import Execution

_SLOT_DIGITS = 16


async def planned_with_publication(plan: FindPublicationPlan, execution: Execution) -> Planned:
    """Returns the statement's plan, given the publication's tables. Raises SqlError for a publication that is missing
    or can't be followed, or without an answer."""
    slot = f"headwater_{execution.environment.randomness.token()[:_SLOT_DIGITS]}"
    found = await published(plan.connection, plan.publication, slot, execution)
    return planned_again(plan.answered(found), execution)


async def published(connection_id: GlobalId, publication: str, slot: str, execution: Execution) -> Publication:
    """Returns a publication's present tables. Raises SqlError as of `planned_with_publication`."""
    item = execution.catalog.items[connection_id]
    connection = require_connection_to("POSTGRES", item)
    others = not is_superuser(execution.newest_catalog, item.owner)
    options = dict(connection.options)

    def ask(secrets: Mapping[GlobalId, str]) -> Publication:
        from connectors.postgres.source.publications import found_publication

        return found_publication(postgres_settings(options, secrets, only_by_password=others), publication, slot)

    return await answer_of(connection, execution, ask, None)
