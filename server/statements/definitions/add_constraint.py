"""ALTER TABLE … ADD CONSTRAINT and CREATE UNIQUE INDEX: existing rows must obey, too."""

from __future__ import annotations

from catalog.facts.temporary_items import is_temporary_item
from model.errors.sql_error import NotSupported
from model.ids.global_id import GlobalId
from planner.plans.constraints import AddConstraintPlan, ValidateConstraintPlan
from planner.plans.views import CreateIndexPlan
from server.ledgers.scheduled import SCHEDULED_SHARD_ID
from server.pgwire.backend import Command
from server.statements.definitions.ddl import sequence_ddl
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.writes.constraints.existing_rows import require_existing_rows
from server.writes.writing import lock_for_write


async def sequence_add_constraint(
    plan: AddConstraintPlan | ValidateConstraintPlan | CreateIndexPlan, execution: Execution, session: StatementSession
) -> Command:
    """Adds the constraint, or index, to the transaction's catalog first, because errors about names come first; then
    checks existing rows."""
    table = plan.on if isinstance(plan, CreateIndexPlan) else plan.target
    transaction = execution.transaction
    if not is_temporary_item(execution.catalog, table):
        await lock_for_write(execution.environment, transaction, frozenset({table}))
    before = execution.catalog
    done = await sequence_ddl(plan, execution, session)
    if execution.catalog is not before:
        refuse_waiting_rows(table, execution)
        await require_existing_rows(before, table, execution)
    if table in transaction.writes.written_in:
        transaction.writes.written_in[table] = execution.catalog
    return done


def refuse_waiting_rows(table: GlobalId, execution: Execution) -> None:
    """Raises 0A000 when rows of INSERT … AS OF would come and be held against nothing. None may come to wait before
    COMMIT."""
    transaction = execution.transaction
    waiting = execution.environment.scheduled.waits_for(table)
    if waiting or any(each.id == table for each in transaction.writes.scheduled):
        raise NotSupported("a constraint on a table for which rows of INSERT AS OF wait")
    transaction.reads.ids.add(SCHEDULED_SHARD_ID)
