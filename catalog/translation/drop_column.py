"""ALTER TABLE … DROP COLUMN: what goes with the column, and PostgreSQL's errors and notices."""

from __future__ import annotations

from catalog.changes.change import AlterTable, Change, DropItems
from catalog.changes.drops import (
    TableColumn,
    TableForeignKey,
    TablePolicy,
    cascade_told,
    describe,
    dropped_with,
    require_no_others,
)
from catalog.changes.policies import DroppedPolicy, policies_with_column
from catalog.changes.table_changes import ChangedDefault, DroppedColumn, DroppedForeignKey, naming
from catalog.lookup.targets import DdlSession
from catalog.nouns.items import Index, Item, Table
from catalog.nouns.names import quote
from catalog.nouns.notices import Notice
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import KeyKind
from planner.plans.alter_table import DropColumnPlan
from planner.syntax.renamed_text import columns_named


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
    policies = policies_with_column(table, at)
    whole = describe(state, table, session.search_path)
    named = [f"policy {quote(policy.name)} on {whole}" for policy in policies]
    readers = [each.column for each in table.definition.generated if at in each.reads]
    named += [f"column {quote(table.desc.columns[reader].name)} of {whole}" for reader in readers]
    named += [f"constraint {quote(key.name)} on {whole}" for key in _conditions_with(state, table, at)]
    of = f"column {quote(plan.column)} of {whole}"
    if named and not plan.cascade:
        message = f"cannot drop {of} because other objects depend on it"
        detail = "\n".join(f"{each} depends on {of}" for each in named)
        hint = "Use DROP ... CASCADE to drop the dependent objects too."
        raise SqlError(Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST, message, detail=detail, hint=hint)
    dropped = dropped_with(state, [TableColumn(table, at, plan.users)])
    if not plan.cascade:
        require_no_others(state, dropped, session.search_path)
    others = [describe(state, each.object, session.search_path) for each in dropped if each.unasked]
    told = cascade_told([*([of] if plan.cascaded else ()), *named, *others])
    notices = () if told is None else (Notice(Sqlstate.SUCCESSFUL_COMPLETION, *told),)
    changes: list[Change] = [AlterTable(table.id, DroppedPolicy(each.name)) for each in policies]
    changes += [
        AlterTable(each.object.table.id, DroppedForeignKey(each.object.key.name))
        for each in dropped
        if isinstance(each.object, TableForeignKey)
    ]
    changes += [
        AlterTable(each.object.table.id, DroppedPolicy(each.object.policy.name))
        for each in dropped
        if isinstance(each.object, TablePolicy)
    ]
    changes.append(AlterTable(table.id, ChangedDefault(at, None)))
    items = tuple(each.object.id for each in dropped if isinstance(each.object, Item))
    if items:
        changes.append(DropItems(items, plan.cascade, session.search_path))
    changes.append(AlterTable(table.id, DroppedColumn(at, naming(state, table.id))))
    return tuple(changes), notices


def _conditions_with(state: CatalogState, table: Item, at: int) -> list[Item]:
    """Returns the EXCLUDE constraints that have the column in their WHERE alone."""
    found = []
    for key in state.keys_of(table.id):
        index = key.definition
        assert isinstance(index, Index), "keys are indexes"
        if index.rule is None or index.rule.kind is not KeyKind.EXCLUSION or index.condition is None:
            continue
        named = columns_named(index.condition)
        known = at < len(index.on.columns) and index.on.columns[at] in named
        if known and at not in (part.column for part in index.keys):
            found.append(key)
    return found
