"""CREATE, DROP, ALTER: catalog changes, buffered in the transaction and committed with the rest of it."""

from __future__ import annotations

from catalog.apply import apply
from catalog.changes import CreateItem
from catalog.items import Table
from catalog.targets import DdlSession
from catalog.translate import DdlPlan, translate
from model.errors import Severity
from planner.plans import (
    AlterRetainHistoryPlan,
    CreateDatabasePlan,
    CreateSchemaPlan,
    CreateTablePlan,
    CreateViewPlan,
    DropPlan,
    RenamePlan,
)
from server.coordinator.execution import Execution
from server.coordinator.sequence.statement_session import StatementSession
from server.pgwire.backend import Command


def command_tag(plan: DdlPlan) -> str:
    """What the client is told when it is done."""
    match plan:
        case CreateTablePlan():
            return "CREATE TABLE"
        case CreateViewPlan():
            return "CREATE VIEW"
        case CreateSchemaPlan():
            return "CREATE SCHEMA"
        case CreateDatabasePlan():
            return "CREATE DATABASE"
        case DropPlan(kind):
            return f"DROP {kind.value.upper()}"
        case RenamePlan(kind):
            return f"ALTER {kind.value.upper()}"
        case AlterRetainHistoryPlan():
            return "ALTER TABLE"


def sequence_ddl(plan: DdlPlan, execution: Execution, session: StatementSession) -> Command:
    """Applies the plan to the transaction's own catalog; what fits there is validated again at COMMIT."""
    tag = command_tag(plan)
    transaction = execution.transaction
    transaction.require_writable(tag)
    asker = execution.asker
    catalog = execution.environment.catalog
    ddl_session = DdlSession(asker.database, asker.search_path, asker.user)
    translation = translate(plan, execution.catalog, ddl_session, catalog.allocator, asker.now_ms())
    if translation.changes:
        transaction.catalog = apply(execution.catalog, translation.changes)
        transaction.changes.extend(translation.changes)
        transaction.created |= {
            change.id
            for change in translation.changes
            if isinstance(change, CreateItem) and isinstance(change.definition, Table)
        }
    for notice in translation.notices:
        session.notice(Severity.NOTICE, notice.sqlstate, notice.message, detail=notice.detail)
    return Command(tag)
