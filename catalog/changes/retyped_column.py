"""ALTER COLUMN … TYPE, and numerics that become wide, in the catalog: a column keeps its number and its name, and
becomes another stored column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from catalog.nouns.items import (
    FunctionDefinition,
    Index,
    IndexKey,
    Item,
    MaterializedView,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.reference import Reference
from catalog.state import edits
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.column_layout import ColumnLayout, dropped_name
from model.types.decimals_columns import decimals_columns
from model.types.narrow_columns import narrow_name
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import nameless
from planner.plans.foreign_keys import ForeignKey

RetypedDefinition = View | MaterializedView | Index
"""Definitions with columns, or keys, that become wide with a table's column."""


def retyped_table(item: Item, table: Table, at: int) -> Table:
    """Returns the table whose last column, added for this, replaces the column at a position."""
    by = _added(table.desc)
    columns = list(table.desc.columns)
    columns[by] = ColumnDesc(columns[at].name, columns[by].type, columns[at].nullable)
    columns[at] = ColumnDesc(dropped_name(at + 1), nameless(columns[at].type))
    defaults = list(table.defaults)
    defaults[at], defaults[by] = None, defaults[at]
    # The number that it was added under goes to the next column.
    layout = ColumnLayout(item.layout.stored[:-1]).replaced(at, by)
    checks = tuple(replace(check, columns=_moved(check.columns, at, by)) for check in table.checks)
    keys = tuple(_own_key(key, at, by) for key in table.foreign_keys)
    made = tuple(
        replace(each, column=by if each.column == at else each.column, reads=_moved(each.reads, at, by))
        for each in table.generated
    )
    changed = replace(table, desc=RelationDesc(tuple(columns)), defaults=tuple(defaults), layout=layout)
    return replace(changed, checks=checks, foreign_keys=keys, generated=made)


def widened_table(item: Item, at: int) -> Table:
    """Returns the table whose last column, a wide one added for this, replaces the numeric column at a position."""
    assert isinstance(item.definition, Table)
    table = retyped_table(item, item.definition, at)
    columns = list(table.desc.columns)
    columns[at] = replace(columns[at], name=narrow_name(at, _added(item.desc)))
    return replace(table, desc=RelationDesc(tuple(columns)))


def with_names_moved(state: CatalogState, table: GlobalId, at: int) -> CatalogState:
    """Has the SQL of views and functions name the wide column in place of the narrow one, and know the latter as
    narrow."""
    desc = state.items[table].desc
    for item in state.dependents(table):
        if isinstance(item.definition, View | MaterializedView | FunctionDefinition):
            references = tuple(
                _moved_reference(each, desc, at) if each.id == table else each for each in item.definition.references
            )
            state = edits.with_item(state, replace(item, definition=replace(item.definition, references=references)))
    return state


def with_retyped_definitions(
    state: CatalogState, retyped: Iterable[tuple[GlobalId, RetypedDefinition, RetypedDefinition]]
) -> CatalogState:
    """Gives views and indexes the definitions in which columns are wide; raises 40001 where one is another by now."""
    for id_, before, after in retyped:
        item = state.items.get(id_)
        if item is None or item.definition != before:
            message = "what reads the table was replaced by a concurrent statement"
            raise SqlError(Sqlstate.SERIALIZATION_FAILURE, message)
        state = edits.with_item(state, replace(item, definition=after))
    return state


def with_retyped_column(state: CatalogState, table: GlobalId, at: int) -> CatalogState:
    """Moves everything that names the column by position (indexes, sequences, others' foreign keys) to the last
    column."""
    desc = state.items[table].desc
    by = _added(desc)
    for item in list(state.items.values()):
        definition = item.definition
        if isinstance(definition, Index) and definition.on.id == table:
            state = edits.with_item(state, replace(item, definition=_moved_index(definition, desc, at)))
        elif isinstance(definition, SequenceDefinition) and definition.owned_by is not None:
            owner = definition.owned_by
            if owner.table == table and owner.column == at:
                owned = replace(definition, owned_by=replace(owner, column=by))
                state = edits.with_item(state, replace(item, definition=owned))
        elif isinstance(definition, Table) and any(key.parent == table for key in definition.foreign_keys):
            keys = tuple(
                replace(key, parent_columns=_moved(key.parent_columns, at, by)) if key.parent == table else key
                for key in definition.foreign_keys
            )
            state = edits.with_item(state, replace(item, definition=replace(definition, foreign_keys=keys)))
    return state


def _added(desc: RelationDesc) -> int:
    """Returns the position of the column that was added last, behind which its decimals may stand."""
    last = desc.arity - 1
    return last - 1 if (last - 1, last) in decimals_columns(desc.columns) else last


def _moved(columns: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    return tuple(by if column == at else column for column in columns)


def _own_key(key: ForeignKey, at: int, by: int) -> ForeignKey:
    cleared = _moved(key.rule.cleared, at, by)
    return replace(key, columns=_moved(key.columns, at, by), rule=replace(key.rule, cleared=cleared))


def _moved_index(index: Index, desc: RelationDesc, at: int) -> Index:
    """Moves an index. The index's SQL uses the columns' names of the creation, so the new column takes the old column's
    name."""
    by, on = _added(desc), _moved_reference(index.on, desc, at)
    if on == index.on:
        return index

    def moved(keys: tuple[IndexKey, ...]) -> tuple[IndexKey, ...]:
        return tuple(replace(key, column=by, type=desc.columns[by].type) if key.column == at else key for key in keys)

    return replace(index, on=on, keys=moved(index.keys), included=moved(index.included))


def _moved_reference(reference: Reference, desc: RelationDesc, at: int) -> Reference:
    """Returns the names by which SQL knows a table's columns, of which the new column takes the old column's."""
    known, by = reference.columns, _added(desc)
    if at >= len(known):
        return reference
    later = (dropped_name(position + 1) for position in range(len(known), by))
    names = [*known[:by], *later, known[at], *known[by + 1 :]]
    names[at] = desc.columns[at].name
    return replace(reference, columns=tuple(names))
