"""CREATE, DROP, ALTER: catalog changes, buffered in the transaction and committed with the rest of it."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.changes.apply import apply
from catalog.changes.change import AlterTable, Change, CreateItem, DropItems
from catalog.changes.read_holds import lost_holds
from catalog.changes.roles.changes_allowed import require_allowed
from catalog.changes.table_changes import AddedForeignKey
from catalog.nouns.items import WrittenDefinition
from catalog.state.catalog_state import CatalogState
from catalog.translation.statements import DdlPlan, translate
from planner.plans.alter_table import TableAction
from planner.plans.constraints import RenameConstraintPlan
from planner.plans.functions import AlterRoutinePlan, CreateFunctionPlan
from planner.plans.objects import (
    AlterRetainHistoryPlan,
    CreateDatabasePlan,
    CreateSchemaPlan,
    DropPlan,
    MovePlan,
    RenamePlan,
    SwapPlan,
)
from planner.plans.policies import AlterPolicyPlan, CreatePolicyPlan, DropPolicyPlan, RenamePolicyPlan
from planner.plans.replicas import SetClusterPlan
from planner.plans.sequences import CreateSequencePlan
from planner.plans.sinks import AlterSinkPlan, CreateSinkPlan
from planner.plans.sources import AddTablesPlan, CreateSourcePlan, CreateWebhookPlan, RefreshTablesPlan
from planner.plans.tables import CreateTablePlan
from planner.plans.types import (
    AlterCompositePlan,
    AlterDomainPlan,
    AlterTypePlan,
    CreateCompositePlan,
    CreateDomainPlan,
    CreateRangePlan,
    CreateTypePlan,
)
from planner.plans.views import CreateIndexPlan, CreateMaterializedViewPlan, CreateViewPlan, ViewOptionsPlan
from server.objects.maintained.redefined import rebuilding, redefined
from server.pgwire.backend import Command
from server.planning.long_texts import planned_apart
from server.statements.definitions.implicit_objects import implicit_objects
from server.statements.definitions.maintainable import check_maintainable
from server.statements.session.role_statements import role_command_tag
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.transactions.permissions import require_maintained_permitted
from server.transactions.relations_in_use import require_unused

_OfTable = TableAction | RenameConstraintPlan
"""What ALTER TABLE asks for."""


def command_tag(plan: DdlPlan) -> str:
    """Returns the command tag for the client."""
    if isinstance(plan, _OfTable):
        return "ALTER TABLE"
    match plan:
        case CreateTablePlan():
            return "CREATE TABLE"
        case CreateViewPlan():
            return "CREATE VIEW"
        case CreateMaterializedViewPlan():
            return "CREATE MATERIALIZED VIEW"
        case CreateIndexPlan():
            return "CREATE INDEX"
        case CreateSequencePlan():
            return "CREATE SEQUENCE"
        case CreateSourcePlan() | CreateWebhookPlan():
            return "CREATE SOURCE"
        case AddTablesPlan(tables=tables):
            return "ALTER SOURCE" if tables[0].rest is None else "CREATE TABLE"
        case RefreshTablesPlan():
            return "ALTER SOURCE"
        case CreateSinkPlan():
            return "CREATE SINK"
        case AlterSinkPlan():
            return "ALTER SINK"
        case CreateTypePlan() | CreateCompositePlan() | CreateRangePlan():
            return "CREATE TYPE"
        case AlterTypePlan() | AlterCompositePlan():
            return "ALTER TYPE"
        case CreateDomainPlan():
            return "CREATE DOMAIN"
        case AlterDomainPlan():
            return "ALTER DOMAIN"
        case CreateFunctionPlan():
            return f"CREATE {plan.rules.noun.upper()}"
        case AlterRoutinePlan():
            return f"ALTER {plan.function.noun.upper()}"
        case CreateSchemaPlan():
            return "CREATE SCHEMA"
        case CreateDatabasePlan():
            return "CREATE DATABASE"
        case DropPlan(kind):
            return f"DROP {kind.value.upper()}"
        case RenamePlan(kind) | MovePlan(kind) | SwapPlan(kind) | AlterRetainHistoryPlan(kind) | SetClusterPlan(kind):
            return f"ALTER {kind.value.upper()}"
        case ViewOptionsPlan():
            return "ALTER VIEW"
        case CreatePolicyPlan():
            return "CREATE POLICY"
        case AlterPolicyPlan() | RenamePolicyPlan():
            return "ALTER POLICY"
        case DropPolicyPlan():
            return "DROP POLICY"
        case _:
            return role_command_tag(plan)


async def sequence_ddl(plan: DdlPlan, execution: Execution, session: StatementSession) -> Command:
    """Applies the plan to the transaction's own catalog; COMMIT validates again. Maintained items are planned apart
    from the event loop."""
    tag = command_tag(plan)
    transaction, committed = execution.transaction, execution.environment.catalog.state
    transaction.require_writable(tag)
    before, allocator = execution.catalog, execution.environment.catalog.allocator
    translation = translate(plan, before, execution.ddl_session, allocator, execution.asker.now_ms())
    notices = [*translation.notices]
    if translation.changes:
        require_allowed(before, execution.role, translation.changes)
        _refuse_waiting_checks(translation.changes, execution)
        if used := execution.asker.relations_in_use():
            require_unused(used, before, translation.changes)
        after, planning = apply(before, translation.changes), execution.environment.planning
        rebuilt = rebuilding(await planned_apart(redefined, before, after, planning), allocator)
        after = apply(after, rebuilt)
        await planned_apart(require_maintained_permitted, translation.changes, after, planning)
        # What can't be maintained is refused before the transaction knows of it.
        notices += await planned_apart(check_maintainable, before, after, planning)
        notices += lost_holds(before, after)
        notices += implicit_objects(tag, translation.changes, after)
        transaction.changes.add(committed, after, (*translation.changes, *rebuilt), execution.asker.session_user)
        _allow_references(translation.changes, after, execution)
        transaction.changes.created |= {
            change.id
            for change in translation.changes
            if isinstance(change, CreateItem) and isinstance(change.definition, WrittenDefinition)
        }
    for notice in notices:
        session.notice(notice.severity, notice.sqlstate, notice.message, detail=notice.detail)
    return Command(tag)


def _refuse_waiting_checks(changes: Iterable[Change], execution: Execution) -> None:
    """Raises SqlError 55006 for a table to be dropped whose rows are still to be checked."""
    if not execution.transaction.deferred.waiting:
        return
    for change in changes:
        for id_ in change.ids if isinstance(change, DropItems) else ():
            item = execution.catalog.items[id_]
            execution.transaction.deferred.require_none_of(id_, item.name, "DROP TABLE")


def _allow_references(changes: Iterable[Change], after: CatalogState, execution: Execution) -> None:
    """Keeps the rows that the transaction has written to a table valid once the transaction lets another table
    reference it, which asks nothing of them."""
    written = execution.transaction.writes.written_in
    for change in changes:
        if isinstance(change, AlterTable) and isinstance(change.change, AddedForeignKey):
            parent = change.change.key.parent
            if parent in written:
                written[parent] = after
