"""Statements about files whose columns stand in these: the first one is looked at, and they are planned with that."""

from __future__ import annotations

from dataclasses import replace

from model.errors import SqlError
from model.sqlstate import Sqlstate
from planner.plans.sources import FindFilesPlan
from planner.syntax.source_statements import CreateSource
from server.coordinator.connection_probe import in_probe
from server.coordinator.execution import Execution
from server.coordinator.planning import Planned
from server.coordinator.sources.schemas import planned_again
from storage.sources.files.first_columns import first_columns


def require_files_allowed(execution: Execution) -> None:
    """42501 for who may not read the server's files."""
    session, state = execution.ddl_session, execution.catalog
    if not state.roles[session.role(state)].superuser:
        message = "permission denied to read files of the server"
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message, detail="Only superusers may.")


async def planned_with_files(plan: FindFilesPlan, execution: Execution) -> Planned:
    """The statement's plan, by the columns that the first file has now. SqlError when there is none."""
    require_files_allowed(execution)
    node = plan.statement.node
    assert isinstance(node, CreateSource), "others read none"
    found = await in_probe(lambda: first_columns(plan.files, plan.delimiter), execution)
    return planned_again(replace(plan.statement, node=replace(node, found_columns=found)), execution)
