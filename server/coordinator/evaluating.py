"""Where a statement's interpreter runs: on the event loop what is small by its plan, elsewhere what may not be."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from model.datum import Row
from model.timestamp import Timestamp
from planner.interpret.effort import is_small
from planner.plans import Query
from server.coordinator.execution import Execution


def evaluated(
    query: Query, execution: Execution, timestamp: Timestamp, *, system: bool = False
) -> AsyncGenerator[list[Row]]:
    """The rows, in batches, of a query whose parameters are bound; `system`: it reads system relations."""
    environment = execution.environment
    work = execution.work(query, timestamp, system=system)
    small = not system and is_small(query)
    return (environment.evaluations_here if small else environment.evaluations).rows(work, execution)
