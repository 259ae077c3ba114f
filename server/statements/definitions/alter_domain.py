"""ALTER DOMAIN: values in columns of the domain must obey what is added, but for a check that is NOT VALID."""

from __future__ import annotations

from catalog.changes.domains import added_checks, demands_more
from catalog.facts.domain_columns import columns_within, rules_in
from catalog.facts.temporary_items import is_temporary_item
from catalog.translation.types import find_type
from planner.plans.types import AlterDomainPlan
from server.pgwire.backend import Command
from server.statements.definitions.add_constraint import refuse_waiting_rows
from server.statements.definitions.ddl import sequence_ddl
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.writes.constraints.existing_rows import require_existing_values
from server.writes.writing import lock_for_write


async def sequence_alter_domain(plan: AlterDomainPlan, execution: Execution, session: StatementSession) -> Command:
    """Changes the domain in the transaction's catalog first, because errors about names come first; then reads the
    columns. Raises SqlError 23502 or 23514 for a value in one."""
    before, transaction = execution.catalog, execution.transaction
    item = find_type(before, execution.ddl_session, plan.name)
    columns = [] if item is None else columns_within(before, item.id)
    tables = frozenset(table.id for table, _ in columns)
    shared = frozenset(table for table in tables if not is_temporary_item(before, table))
    await lock_for_write(execution.environment, transaction, shared)
    done = await sequence_ddl(plan, execution, session)
    if item is None or execution.catalog is before:
        return done
    old, new = rules_in(before, item.id), rules_in(execution.catalog, item.id)
    if demands_more(old, new):
        for table in tables:
            refuse_waiting_rows(table, execution)
        for table_item, column in columns:
            nullable = new.nullable or not old.nullable
            checks = added_checks(old, new)
            await require_existing_values(table_item, column.name, checks, execution, nullable=nullable)
    for table in tables & transaction.writes.written_in.keys():
        transaction.writes.written_in[table] = execution.catalog
    return done
