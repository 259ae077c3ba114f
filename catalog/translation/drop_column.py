"""ALTER TABLE … DROP COLUMN: what goes with the column, and PostgreSQL's errors and notices."""

from __future__ import annotations

from catalog.changes.change import AlterTable, Change, DropItems
from catalog.changes.drops import TableColumn, TableForeignKey, cascade_notice, dropped_with, require_no_others
from catalog.changes.table_changes import ChangedDefault, DroppedColumn, DroppedForeignKey, naming
from catalog.lookup.targets import DdlSession
from catalog.nouns.items import Item
from catalog.nouns.notices import Notice
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.alter_table import DropColumnPlan


def translate_drop_column(
    plan: DropColumnPlan, state: CatalogState, session: DdlSession
) -> tuple[tuple[Change, ...], tuple[Notice, ...]]:
    """2BP01 for what depends on the column and is no part of the table, without CASCADE."""
    table = state.items.get(plan.target)
    if table is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f"relation with id {plan.target} no longer exists")
    at = next((at for _, at, column in table.numbered_columns if column.name == plan.column), None)
    if at is None:
        message = f'column "{plan.column}" of relation "{table.name}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
    dropped = dropped_with(state, [TableColumn(table, at, plan.users)])
    if not plan.cascade:
        require_no_others(state, dropped, session.search_path)
    told = cascade_notice(state, dropped, session.search_path)
    notices = () if told is None else (Notice(Sqlstate.SUCCESSFUL_COMPLETION, *told),)
    changes: list[Change] = [
        AlterTable(each.object.table.id, DroppedForeignKey(each.object.key.name))
        for each in dropped
        if isinstance(each.object, TableForeignKey)
    ]
    changes.append(AlterTable(table.id, ChangedDefault(at, None)))
    items = tuple(each.object.id for each in dropped if isinstance(each.object, Item))
    if items:
        changes.append(DropItems(items, plan.cascade, session.search_path))
    changes.append(AlterTable(table.id, DroppedColumn(at, naming(state, table.id))))
    return tuple(changes), notices
