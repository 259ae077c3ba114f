"""ALTER TABLE: its actions, one after the other; all are in the transaction's one commit.

A column that is added is NULL in the rows that are there, whatever is stored of them. Where they get something else
they are updated, in the same commit: what the table was before stays as it was, and what reads it sees a change like
others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from catalog.names import quote, quote_all
from catalog.temporary import is_temporary_item
from model.errors import Severity
from model.global_id import GlobalId
from planner.plans.alter_table import (
    AddColumnPlan,
    AlterTablePlan,
    DropColumnPlan,
    SetDefaultPlan,
    SetNotNullPlan,
    SkippedAction,
)
from planner.plans.changes import UpdatePlan
from planner.plans.constraints import AddConstraintPlan, DropConstraintPlan, ValidateConstraintPlan
from planner.plans.foreign_keys import NewForeignKey
from planner.syntax.parse import parse
from server.coordinator.constraints.existing_rows import nothing_there, require_existing_rows
from server.coordinator.execution import Execution
from server.coordinator.planning import PlanningSession
from server.coordinator.sequence.add_constraint import refuse_waiting_rows, sequence_add_constraint
from server.coordinator.sequence.ddl import sequence_ddl
from server.coordinator.sequence.statement_session import StatementSession
from server.coordinator.sequence.update_delete import sequence_update
from server.coordinator.writing import lock_for_write
from server.pgwire.backend import Command


async def sequence_alter_table(plan: AlterTablePlan, execution: Execution, session: StatementSession) -> Command:
    """SqlError as PostgreSQL gives it for the first action that can't be done."""
    execution.transaction.require_writable("ALTER TABLE")
    if not is_temporary_item(execution.catalog, plan.target):
        await lock_for_write(execution.environment, execution.transaction, frozenset({plan.target, *_parents(plan)}))
    for action in plan.actions:
        match action:
            case AddColumnPlan() | SetDefaultPlan() | SetNotNullPlan():
                await _alter_column(action, execution, session)
            case DropColumnPlan():
                _drop_column(action, execution, session)
            case AddConstraintPlan() | ValidateConstraintPlan():
                await sequence_add_constraint(action, execution, session)
            case DropConstraintPlan():
                sequence_ddl(action, execution, session)
            case SkippedAction(notice, sqlstate):
                session.notice(Severity.NOTICE, sqlstate, notice)
            case _:
                assert_never(action)
    return Command("ALTER TABLE")


def _parents(plan: AlterTablePlan) -> list[GlobalId]:
    """The tables that new foreign keys reference."""
    new = [each.constraint for each in plan.actions if isinstance(each, AddConstraintPlan)]
    return [each.parent for each in new if isinstance(each, NewForeignKey) and each.parent is not None]


def _drop_column(plan: DropColumnPlan, execution: Execution, session: StatementSession) -> None:
    transaction, table, before = execution.transaction, plan.target, execution.catalog
    item = before.items[table]
    at = next((at for _, at, column in item.numbered_columns if column.name == plan.column), None)
    users = () if at is None else execution.environment.planning.needing_column(before, table, at)
    sequence_ddl(replace(plan, users=users), execution, session)
    refuse_waiting_rows(table, execution)
    if table in transaction.written_in:
        transaction.written_in[table] = execution.catalog


async def _alter_column(
    plan: AddColumnPlan | SetDefaultPlan | SetNotNullPlan, execution: Execution, session: StatementSession
) -> None:
    transaction, table, before = execution.transaction, plan.target, execution.catalog
    sequence_ddl(plan, execution, session)
    if isinstance(plan, SetDefaultPlan) or execution.catalog is before:
        return
    refuse_waiting_rows(table, execution)
    if isinstance(plan, AddColumnPlan):
        transaction.widen(table, before.items[table].desc, execution.catalog.items[table].desc)
        for place in [place for place in transaction.own_keys if place[0] == table]:
            del transaction.own_keys[place]
    if table in transaction.written_in:
        transaction.written_in[table] = execution.catalog
    if isinstance(plan, AddColumnPlan) and plan.filled:
        await _fill(table, plan.column.name, execution)
    else:
        await require_existing_rows(before, table, execution)


async def _fill(table: GlobalId, column: str, execution: Execution) -> None:
    """The column's DEFAULT into all rows. Of a table that has none nothing is asked, so that Spark need not be up."""
    if await nothing_there(table, execution):
        return
    name = execution.catalog.full_name(execution.catalog.items[table])
    sql = f"UPDATE {quote_all(name.schema, name.name)} SET {quote(column)} = DEFAULT"
    (statement,) = parse(sql)
    session = PlanningSession(execution.asker.database, (), execution.asker.user)
    planned = execution.environment.planning.plan(statement, execution.catalog, session, cacheable=False)
    assert isinstance(planned.plan, UpdatePlan)
    await sequence_update(planned.plan, planned.reads, execution)
