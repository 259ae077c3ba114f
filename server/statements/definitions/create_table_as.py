"""CREATE TABLE AS: makes the table and its rows in one transaction."""

from __future__ import annotations

from dataclasses import replace

from planner.plans.changes import InsertPlan
from planner.plans.tables import CreateTableAsPlan
from server.pgwire.backend import Command
from server.planning.statement_plans import ReadSet
from server.statements.changes.insert import sequence_insert
from server.statements.definitions.ddl import sequence_ddl
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution

_WITHOUT_ROWS = "CREATE TABLE AS"


async def sequence_create_table_as(
    plan: CreateTableAsPlan, reads: ReadSet, execution: Execution, session: StatementSession
) -> Command:
    """Creates the table, and inserts the rows unless they were not asked for, or the table existed (IF NOT EXISTS)."""
    before = set(execution.transaction.changes.created)
    created = await sequence_ddl(plan.table, execution, session)
    new = execution.transaction.changes.created - before
    if not new or not plan.with_data:
        return replace(created, tag=_WITHOUT_ROWS)
    (target,) = new
    inserted = await sequence_insert(InsertPlan(target, plan.source, None, 0), reads, execution)
    assert isinstance(inserted, Command), "nothing is returned of the rows"
    return replace(inserted, tag=inserted.tag.replace("INSERT 0", "SELECT"))
