"""ALTER TYPE … ADD and DROP ATTRIBUTE: tables' columns of the type are written anew."""

from __future__ import annotations

from catalog.changes.change import AlterTable
from catalog.changes.table_changes import NamelessColumn
from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.items import Composite
from catalog.nouns.names import quote, quote_all
from catalog.translation.types import find_type, translate_alter_type
from model.ids.global_id import GlobalId
from planner.plans.alter_table import SetTypePlan
from planner.plans.types import AlterCompositePlan
from server.pgwire.backend import Command
from server.statements.definitions.add_constraint import refuse_waiting_rows
from server.statements.definitions.alter_table import set_type
from server.statements.definitions.ddl import sequence_ddl
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.writes.writing import lock_for_write


async def sequence_alter_composite(
    plan: AlterCompositePlan, execution: Execution, session: StatementSession
) -> Command:
    """Changes the type, and gives columns of the type new values, with NULL for added attributes."""
    before = execution.catalog
    changes, _ = translate_alter_type(plan, before, execution.ddl_session)
    columns = [
        (each.id, each.change.column)
        for each in changes
        if isinstance(each, AlterTable) and isinstance(each.change, NamelessColumn)
    ]
    shared = frozenset(table for table, _ in columns if not is_temporary_item(before, table))
    await lock_for_write(execution.environment, execution.transaction, shared)
    for table, _ in columns:
        refuse_waiting_rows(table, execution)
    done = await sequence_ddl(plan, execution, session)
    item = find_type(before, execution.ddl_session, plan.name)
    assert item is not None, "it was translated"
    for table, at in columns:
        await _rewrite(item.id, table, before.items[table].desc.columns[at].name, execution, session)
    return done


async def _rewrite(
    type_id: GlobalId, table: GlobalId, column: str, execution: Execution, session: StatementSession
) -> None:
    """Gives a column, of nameless records for now, the type again. NULL stays NULL."""
    state = execution.catalog
    item = state.items[type_id]
    assert isinstance(item.definition, Composite) and item.type is not None, "it is a composite type"
    held = next(each.type for _, _, each in state.items[table].numbered_columns if each.name == column)
    known, name = {name for name, _ in held.fields}, state.full_name(item)
    values = [f"({quote(column)}).{quote(field)}" if field in known else "NULL" for field, _ in item.definition.fields]
    made = f"CAST(ROW({', '.join(values)}) AS {quote_all(name.schema, name.name)})"
    using = f"CASE WHEN {quote(column)} IS DISTINCT FROM NULL THEN {made} END"
    await set_type(SetTypePlan(table, column, item.type, using), execution, session)
