"""ALTER TABLE: runs the actions one after the other, all in the transaction's single commit.

An added column is NULL in existing rows, without rewriting them. Rows that get another value are updated in the same
commit: past contents of the table stay, and readers of changes see an ordinary update.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import assert_never

from catalog.facts.defaults import is_generated
from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.items import Table
from catalog.nouns.names import quote, quote_all
from catalog.state.catalog_state import CatalogState
from catalog.state.edits import with_item, without_items
from catalog.translation.sequence import identity_sequence
from catalog.translation.set_type import retyped_column
from model.errors.sql_error import Severity
from model.ids.global_id import GlobalId
from model.types.column_layout import RETYPED
from model.types.relation_desc import ColumnDesc
from planner.plans.alter_table import (
    AddColumnPlan,
    AddIdentityPlan,
    AlterTablePlan,
    DropColumnPlan,
    DropExpressionPlan,
    DropIdentityPlan,
    SetDefaultPlan,
    SetIdentityPlan,
    SetNotNullPlan,
    SetRowSecurityPlan,
    SetTypePlan,
    SkippedAction,
)
from planner.plans.changes import RepairTablePlan, UpdatePlan
from planner.plans.constraints import AddConstraintPlan, AlterConstraintPlan, DropConstraintPlan, ValidateConstraintPlan
from planner.plans.foreign_keys import NewForeignKey
from planner.plans.sequences import AlterSequencePlan
from planner.sequence_rules import SequenceOptions
from planner.syntax.parse import parse
from server.pgwire.backend import Command
from server.planning.long_texts import planned_apart
from server.statements.changes.repair_table import sequence_repair_table
from server.statements.changes.update_delete import sequence_update
from server.statements.definitions.add_constraint import refuse_waiting_rows, sequence_add_constraint
from server.statements.definitions.alter_sequence import sequence_alter_sequence
from server.statements.definitions.ddl import sequence_ddl
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.transactions.relations_in_use import refuse_in_use
from server.writes.constraints.existing_rows import nothing_there, own_planning, require_existing_rows
from server.writes.writing import lock_for_write


async def sequence_alter_table(
    plan: AlterTablePlan | RepairTablePlan, execution: Execution, session: StatementSession
) -> Command:
    """Runs the actions; raises SqlError for the first action that can't be done, as in PostgreSQL."""
    if isinstance(plan, RepairTablePlan):
        return await sequence_repair_table(plan, execution, session)
    execution.transaction.require_writable("ALTER TABLE")
    target = execution.catalog.items.get(plan.target)
    if target is not None:
        execution.transaction.deferred.require_none_of(target.id, target.name, "ALTER TABLE")
        refuse_in_use(execution.asker.relations_in_use(), execution.catalog, target.id, "ALTER TABLE")
    if not is_temporary_item(execution.catalog, plan.target):
        await lock_for_write(execution.environment, execution.transaction, frozenset({plan.target, *_parents(plan)}))
    for action in plan.actions:
        match action:
            case AddColumnPlan() | SetDefaultPlan() | SetNotNullPlan():
                await _alter_column(action, execution, session)
            case AddIdentityPlan() | DropIdentityPlan() | DropExpressionPlan():
                await sequence_ddl(action, execution, session)
            case SetIdentityPlan():
                await _set_identity(action, execution, session)
            case SetTypePlan():
                await set_type(action, execution, session)
            case DropColumnPlan():
                await _drop_column(action, execution, session)
            case AddConstraintPlan() | ValidateConstraintPlan():
                await sequence_add_constraint(action, execution, session)
            case DropConstraintPlan() | AlterConstraintPlan() | SetRowSecurityPlan():
                await sequence_ddl(action, execution, session)
            case SkippedAction(notice, sqlstate):
                session.notice(Severity.NOTICE, sqlstate, notice)
            case _:
                assert_never(action)
        # Each changes the whole catalog; a statement may have thousands of them.
        await asyncio.sleep(0)
    return Command("ALTER TABLE")


def _parents(plan: AlterTablePlan) -> list[GlobalId]:
    """Returns the tables that new foreign keys reference."""
    new = [each.constraint for each in plan.actions if isinstance(each, AddConstraintPlan)]
    return [each.parent for each in new if isinstance(each, NewForeignKey) and each.parent is not None]


async def _drop_column(plan: DropColumnPlan, execution: Execution, session: StatementSession) -> None:
    transaction, table, before = execution.transaction, plan.target, execution.catalog
    item = before.items[table]
    at = next((at for _, at, column in item.numbered_columns if column.name == plan.column), None)
    users = () if at is None else await planned_apart(execution.environment.planning.needing_column, before, table, at)
    await sequence_ddl(replace(plan, users=users), execution, session)
    refuse_waiting_rows(table, execution)
    if table in transaction.writes.written_in:
        transaction.writes.written_in[table] = execution.catalog


async def _alter_column(
    plan: AddColumnPlan | SetDefaultPlan | SetNotNullPlan, execution: Execution, session: StatementSession
) -> None:
    transaction, table, before = execution.transaction, plan.target, execution.catalog
    await sequence_ddl(plan, execution, session)
    if isinstance(plan, SetDefaultPlan) or execution.catalog is before:
        return
    refuse_waiting_rows(table, execution)
    if isinstance(plan, AddColumnPlan):
        transaction.writes.widen(table, execution.catalog.items[table].desc)
        for place in [place for place in transaction.writes.own_keys if place[0] == table]:
            del transaction.writes.own_keys[place]
    if table in transaction.writes.written_in:
        transaction.writes.written_in[table] = execution.catalog
    if isinstance(plan, AddColumnPlan) and plan.filled:
        await _fill(table, plan.column.name, execution)
    else:
        await require_existing_rows(before, table, execution)


async def _set_identity(plan: SetIdentityPlan, execution: Execution, session: StatementSession) -> None:
    state = execution.catalog
    at = state.items[plan.target].desc.names.index(plan.column)
    sequence = identity_sequence(state, plan.target, at)
    if plan.options.said and sequence is not None:
        name = state.full_name(sequence)
        alter = AlterSequencePlan((name.schema, name.name), plan.options, None, if_exists=False)
        sequence_alter_sequence(alter, execution, session)
    await sequence_ddl(plan, execution, session)


async def set_type(plan: SetTypePlan, execution: Execution, session: StatementSession) -> None:
    """Adds and fills a column of the new type, which takes the old one's place, and holds it against what the table
    demands of it. The sequence of an identity column counts by the new type."""
    table, before = plan.target, execution.catalog
    item = before.items[table]
    at = next((at for _, at, column in item.numbered_columns if column.name == plan.column), None)
    users = () if at is None else await planned_apart(execution.environment.planning.needing_column, before, table, at)
    plan = replace(plan, users=users)
    retyped_column(plan, before)
    if (sequence := identity_sequence(before, table, at)) is not None:
        name = before.full_name(sequence)
        alter = AlterSequencePlan((name.schema, name.name), SequenceOptions(type=plan.type), None, if_exists=False)
        sequence_alter_sequence(alter, execution, session)
    added = AddColumnPlan(table, ColumnDesc(RETYPED, plan.type), None, None, filled=False)
    await _alter_column(added, execution, session)
    await _fill(table, RETYPED, execution, plan.using)
    await sequence_ddl(plan, execution, session)
    if table in execution.transaction.writes.written_in:
        execution.transaction.writes.written_in[table] = execution.catalog
    if at is not None and is_generated(item, at):
        # By the expression: the old value may have lost what the new type holds.
        await _fill(table, plan.column, execution)
    undemanding = without_items(before, [key.id for key in before.keys_of(table)])
    for each in {table, *(child.id for child, _ in before.referencing(table))}:
        await require_existing_rows(_undemanding(undemanding, each), each, execution)


def _undemanding(state: CatalogState, table: GlobalId) -> CatalogState:
    """Returns the state with the table's CHECKs and foreign keys removed."""
    item = state.items[table]
    assert isinstance(item.definition, Table)
    return with_item(state, replace(item, definition=replace(item.definition, checks=(), foreign_keys=())))


async def _fill(table: GlobalId, column: str, execution: Execution, value: str = "DEFAULT") -> None:
    """Sets the column to its DEFAULT, or another value, in all rows. An empty table is not queried, so that Spark
    need not be up."""
    if await nothing_there(table, execution):
        return
    name = execution.catalog.full_name(execution.catalog.items[table])
    sql = f"UPDATE {quote_all(name.schema, name.name)} SET {quote(column)} = {value}"
    (statement,) = parse(sql)
    session = own_planning(execution)
    planned = execution.environment.planning.plan(statement, execution.catalog, session, cacheable=False)
    assert isinstance(planned.plan, UpdatePlan)
    await sequence_update(planned.plan, planned.reads, execution)
