"""Statements that read a publication: the server that has it is asked for its tables, and planned with what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from catalog.translation.create_source import require_connection_to
from model.global_id import GlobalId
from model.publications import Publication
from planner.plans.sources import FetchSchemasPlan, FindFilesPlan, FindPublicationPlan
from planner.syntax.source_statements import CreateSource
from server.coordinator.connection_probe import answer_of
from server.coordinator.execution import Execution
from server.coordinator.planning import Planned
from server.coordinator.sources.first_files import planned_with_files
from server.coordinator.sources.schemas import planned_again, planned_with_schemas
from storage.sources.postgres.publications import found_publication
from storage.sources.postgres.settings import postgres_settings

_SLOT_DIGITS = 16


async def planned_with_answers(
    plan: FetchSchemasPlan | FindPublicationPlan | FindFilesPlan, execution: Execution
) -> Planned:
    """The plan of a statement that others have to be asked for."""
    match plan:
        case FetchSchemasPlan():
            return await planned_with_schemas(plan, execution)
        case FindPublicationPlan():
            return await planned_with_publication(plan, execution)
        case FindFilesPlan():
            return await planned_with_files(plan, execution)
        case _:
            assert_never(plan)


async def planned_with_publication(plan: FindPublicationPlan, execution: Execution) -> Planned:
    """The statement's plan, by what the publication has now. SqlError when there is none that can be followed, or
    nobody answers."""
    connection = require_connection_to("POSTGRES", execution.catalog.items[plan.connection])
    options = dict(connection.options)
    slot = f"headwater_{execution.environment.randomness.token()[:_SLOT_DIGITS]}"

    def ask(secrets: Mapping[GlobalId, str]) -> Publication:
        return found_publication(postgres_settings(options, secrets), plan.publication, slot)

    node = plan.statement.node
    assert isinstance(node, CreateSource), "others ask for none"
    found = await answer_of(connection, execution, ask, None)
    return planned_again(replace(plan.statement, node=replace(node, published=found)), execution)
