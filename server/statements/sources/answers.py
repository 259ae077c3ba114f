"""Statements that are planned with answers from other systems."""

from __future__ import annotations

from typing import assert_never

from planner.plans.sources import FetchSchemasPlan, FindFilesPlan, FindPublicationPlan, FindUpstreamPlan
from server.planning.statement_plans import Planned
from server.statements.sources.added_tables import planned_with_upstream
from server.statements.sources.first_files import planned_with_files
from server.statements.sources.publications import planned_with_publication
from server.statements.sources.schemas import planned_with_schemas
from server.transactions.execution import Execution


async def planned_with_answers(
    plan: FetchSchemasPlan | FindPublicationPlan | FindUpstreamPlan | FindFilesPlan, execution: Execution
) -> Planned:
    """Asks the other system, and returns the statement's plan."""
    match plan:
        case FetchSchemasPlan():
            return await planned_with_schemas(plan, execution)
        case FindPublicationPlan():
            return await planned_with_publication(plan, execution)
        case FindUpstreamPlan():
            return await planned_with_upstream(plan, execution)
        case FindFilesPlan():
            return await planned_with_files(plan, execution)
        case _:
            assert_never(plan)
