"""ALTER TABLE … DROP COLUMN: what goes with the column, and PostgreSQL's errors and notices."""

from __future__ import annotations

from catalog.changes.change import AlterTable, Change, DropItems
from catalog.changes.drops import (
    TableColumn,
    TableForeignKey,
    cascade_notice,
    describe,
    dropped_with,
    require_no_others,
)
from catalog.changes.policies import DroppedPolicy, policies_with_column
from catalog.changes.table_changes import ChangedDefault, DroppedColumn, DroppedForeignKey, naming
from catalog.lookup.targets import DdlSession
from catalog.nouns.items import Item, Table
from catalog.nouns.names import quote
from catalog.nouns.notices import Notice
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.alter_table import DropColumnPlan


def translate_drop_column(
    plan: DropColumnPlan, state: CatalogState, session: DdlSession
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    """Returns the changes that drop a column with all that depends on it, and notices of further objects dropped by
    CASCADE. Without CASCADE, SqlError 2BP01 when objects beside the table itself depend on the column."""
    table = state.items.get(plan.target)
    if table is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f"relation with id {plan.target} no longer exists")
    at = next((at for _, at, column in table.numbered_columns if column.name == plan.column), None)
    if at is None:
        message = f'column "{plan.column}" of relation "{table.name}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
    assert isinstance(table.definition, Table)
    policies = policies_with_column(table.definition, plan.column)
    whole = describe(state, table, session.search_path)
    named = [f"policy {quote(policy.name)} on {whole}" for policy in policies]
    readers = [each.column for each in table.definition.generated if at in each.reads]
    named += [f"column {quote(table.desc.columns[reader].name)} of {whole}" for reader in readers]
    of = f"column {quote(plan.column)} of {whole}"
    if named and not plan.cascade:
        message = f"cannot drop {of} because other objects depend on it"
        detail = "\n".join(f"{each} depends on {of}" for each in named)
        hint = "Use DROP ... CASCADE to drop the dependent objects too."
        raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, message, detail=detail, hint=hint)
    dropped = dropped_with(state, [TableColumn(table, at, plan.users)])
    if not plan.cascade:
        require_no_others(state, dropped, session.search_path)
    told = cascade_notice(state, dropped, session.search_path)
    notices = [] if told is None else [Notice(Sqlstate.SUCCESSFUL_COMPLETION, *told)]
    if plan.cascaded:
        notices.insert(0, Notice(Sqlstate.SUCCESSFUL_COMPLETION, f"drop cascades to {of}"))
    notices += (Notice(Sqlstate.SUCCESSFUL_COMPLETION, f"drop cascades to {each}") for each in named)
    changes: list[Change] = [AlterTable(table.id, DroppedPolicy(each.name)) for each in policies]
    changes += [
        AlterTable(each.object.table.id, DroppedForeignKey(each.object.key.name))
        for each in dropped
        if isinstance(each.object, TableForeignKey)
    ]
    changes.append(AlterTable(table.id, ChangedDefault(at, None)))
    items = tuple(each.object.id for each in dropped if isinstance(each.object, Item))
    if items:
        changes.append(DropItems(items, plan.cascade, session.search_path))
    changes.append(AlterTable(table.id, DroppedColumn(at, naming(state, table.id))))
    return tuple(changes), tuple(notices)
