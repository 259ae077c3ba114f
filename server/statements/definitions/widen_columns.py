"""Numeric columns that become wide, unasked: the first value has come that no decimal holds.

The change is one of the catalog alone, however large the table is. No row is written anew: existing rows are read as
rows of the wide column (`model/types/narrow_columns.py`). Views and indexes go on under the wide column; maintained
views and indexes are built anew, as after ALTER TABLE. The change needs no right but the right to write the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from catalog.changes.apply import apply
from catalog.changes.change import AlterTable, Change
from catalog.changes.policies import policies_reading, policies_with_column
from catalog.changes.retyped_column import RetypedDefinition, with_retyped_definitions
from catalog.changes.table_changes import WidenedColumn, dependents_of
from catalog.nouns.items import Index, Item, MaterializedView, Table, View
from catalog.nouns.names import quote
from catalog.nouns.sinks import Sink
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.decimals_columns import visible_layout
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import NUMERIC, ScalarType, TypeName, has_own_decimals
from server.objects.maintained.redefined import rebuilding, redefined
from server.planning.long_texts import planned_apart
from server.planning.statement_plans import Planning
from server.statements.definitions.add_constraint import refuse_waiting_rows
from server.statements.definitions.maintainable import check_maintainable
from server.transactions.execution import Execution
from server.writes.unstorable import Unfitting

_Place = tuple[GlobalId, int]


async def widen_columns(columns: Unfitting, execution: Execution) -> bool:
    """Makes columns wide, with the columns that foreign keys compare, in the transaction's catalog; returns whether any
    column was narrow. Raises SqlError 22003 for a column with a user that allows no change."""
    before, environment = execution.catalog, execution.environment
    places = sorted(_linked({(table, at) for table, positions in columns.items() for at in positions}, before))
    if not places:
        return False
    after, changes, writes = before, list[AlterTable](), execution.transaction.writes
    for table, at in places:
        refuse_waiting_rows(table, execution)
        change = await planned_apart(_widening, after, table, at, environment.planning)
        changes.append(change)
        after = apply(after, (change,))
    retyped = await planned_apart(_retyped, after, {table for table, _ in places}, environment.planning)
    if retyped:
        table, last = changes[-1].id, changes[-1].change
        assert isinstance(last, WidenedColumn), "it has just been made"
        changes[-1] = AlterTable(table, replace(last, retyped=retyped))
        after = apply(before, changes)
    allocator = environment.catalog.allocator
    rebuilt = rebuilding(await planned_apart(redefined, before, after, environment.planning), allocator)
    after = apply(after, rebuilt)
    await planned_apart(check_maintainable, before, after, environment.planning)
    changed: tuple[Change, ...] = (*changes, *rebuilt)
    execution.transaction.changes.add(environment.catalog.state, after, changed, execution.asker.session_user)
    for table in {table for table, _ in places}:
        writes.widen(table, after.items[table].desc)
        for place in [place for place in writes.own_keys if place[0] == table]:
            del writes.own_keys[place]
        if table in writes.written_in:
            writes.written_in[table] = after
    return True


def _linked(places: set[_Place], state: CatalogState) -> set[_Place]:
    """Returns the places of numerics without a modifier among `places`, and among the columns that foreign keys compare
    with such."""
    found, waiting = set[_Place](), places
    while waiting:
        found |= {place for place in waiting if _is_narrow(place, state)}
        compared = {other for place in waiting & found for other in _compared(place, state)}
        waiting = compared - found - waiting
    return found


def _is_narrow(place: _Place, state: CatalogState) -> bool:
    item = state.items.get(place[0])
    visible = () if item is None else item.numbered_columns
    return any(at == place[1] and has_own_decimals(column.type) for _, at, column in visible)


def _compared(place: _Place, state: CatalogState) -> Iterator[_Place]:
    table, at = place
    definition = state.items[table].definition
    assert isinstance(definition, Table), "a table holds what is written"
    for key in definition.foreign_keys:
        yield from ((key.parent, parent) for own, parent in zip(key.columns, key.parent_columns) if own == at)
    for child, key in state.referencing(table):
        yield from ((child.id, own) for own, parent in zip(key.columns, key.parent_columns) if parent == at)


def _widening(state: CatalogState, table: GlobalId, at: int, planning: Planning) -> AlterTable:
    item = state.items[table]
    needing = frozenset(planning.needing_column(state, table, at))
    policies = (*policies_with_column(item, at), *(policy for _, policy in policies_reading(state, item, at)))
    used = next((f"policy {quote(policy.name)}" for policy in policies), None)
    users = [state.items[id_] for id_ in sorted(needing)]
    sink = next((user for user in users if isinstance(user.definition, Sink)), None)
    used = used or (None if sink is None else f"sink {quote(sink.name)}")
    if item.desc.columns[at].type.domain is not None:
        used = "its domain"
    if used is not None:
        raise _unwidened(item, at, used)
    return AlterTable(table, WidenedColumn(at, dependents_of(state, table)))


def _unwidened(item: Item, at: int, user: str) -> SqlError:
    name = f'column "{item.desc.columns[at].name}" of table "{item.name}"'
    return SqlError(
        Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE,
        "value overflows numeric format",
        detail=f"A numeric of more than 38 digits, or 18 after the point, makes {name} another stored column, which "
        f"{user} does not allow.",
        hint=f"Drop {user} first, or round the value.",
    )


def _retyped(
    state: CatalogState, tables: set[GlobalId], planning: Planning
) -> tuple[tuple[GlobalId, RetypedDefinition, RetypedDefinition], ...]:
    """Returns the views and indexes over tables with columns that are wide by now, as a chain of definitions before and
    after."""
    found: list[tuple[GlobalId, RetypedDefinition, RetypedDefinition]] = []
    over, known = frozenset[GlobalId]().union(*(dependents_of(state, table) for table in tables)), -1
    while known != len(found):
        known = len(found)
        for id_ in sorted(over):
            definition = state.items[id_].definition
            if isinstance(definition, View | MaterializedView | Index):
                wide = _with_wide_types(definition, planning.present_types(state, definition))
                if wide != definition:
                    found.append((id_, definition, wide))
                    state = with_retyped_definitions(state, found[-1:])
    return tuple(found)


def _with_wide_types(definition: RetypedDefinition, types: tuple[ScalarType, ...]) -> RetypedDefinition:
    """Returns the definition with wide columns, or keys, in place of numerics where `types` has wide."""
    if isinstance(definition, Index):
        keys = (replace(key, type=_wider(key.type, type_)) for key, type_ in zip(definition.keys, types, strict=True))
        return replace(definition, keys=tuple(keys))
    layout, columns = visible_layout(definition.desc), list(definition.desc.columns)
    visible = range(len(columns)) if layout is None else layout.visible
    # The query may have more columns than the view: what was added beneath since is no part of it.
    for at, type_ in zip(visible, types):
        columns[at] = replace(columns[at], type=_wider(columns[at].type, type_))
    return replace(definition, desc=RelationDesc(tuple(columns)))


def _wider(before: ScalarType, now: ScalarType) -> ScalarType:
    """Returns the type by now, if both types differ in wide alone."""
    return now if before != now and _narrowed(now) == _narrowed(before) else before


def _narrowed(type_: ScalarType) -> ScalarType:
    if type_.element is not None:
        return replace(type_, element=_narrowed(type_.element))
    if type_.fields:
        return replace(type_, fields=tuple((name, _narrowed(field)) for name, field in type_.fields))
    return NUMERIC if type_.name in (TypeName.NUMERIC, TypeName.WIDE) else type_
