"""Checks foreign keys against a statement's writes, once they belong to the transaction.

Referencing rows need their referenced row. Referenced rows that are gone, or have another key, trigger the key's
action. Actions write like statements of their own, with consequences of their own, before the next constraint is
checked: in the order of the constraints' age, as PostgreSQL's triggers fire.

COMMIT validates all reads here, and a single statement has locked the rows before: of two transactions that delete a
row and reference it, the second waits, or fails with 40001.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

import pyarrow as pa

from catalog.facts.temporary_items import is_temporary_item
from catalog.lookup.planner_view import StateCatalogView
from catalog.nouns.items import Item
from catalog.state.catalog_state import CatalogState, foreign_keys_of
from model.errors.error_sources import ABSENT_REFERENCE, STILL_REFERENCED
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.datum import Datum, Row
from planner.catalog_view import PlanningContext
from planner.plans.constraints import NO_RULES
from planner.plans.foreign_keys import ForeignKey, ReferentialAction
from planner.statements.kept_rules import default_of, rules_of_table
from server.ledgers.row_text import key_text, subject_of
from server.transactions.evaluating import evaluated_values
from server.transactions.execution import Execution
from server.transactions.transaction_writes import BufferedWrite
from server.writes.constraints.generated import GeneratedValues
from server.writes.constraints.held_rules import held_rules
from server.writes.constraints.reference_reading import Side
from server.writes.constraints.statement_changes import RowChanges
from server.writes.writing import TableWriter, arrow_rows, item_of, lock_for_write
from storage.persist.snapshot import read_staged
from storage.persist.state import Part

T = TypeVar("T")


def concerned(
    catalog: CatalogState, inserted: frozenset[GlobalId], changed: frozenset[GlobalId]
) -> frozenset[GlobalId]:
    """Returns the tables that a statement touches through foreign keys, and its own tables, given the tables with
    inserted and with changed rows; none without foreign keys."""
    written, frontier = set(inserted | changed), list(changed)
    found: set[GlobalId] = set()
    while frontier:
        for child, key in catalog.referencing(frontier.pop()):
            found.add(child.id)
            if (key.rule.on_delete.writes or key.rule.on_update.writes) and child.id not in written - inserted:
                written.add(child.id)
                inserted -= {child.id}
                frontier.append(child.id)
    for id_ in written:
        found.update(key.parent for key in foreign_keys_of(catalog.items.get(id_)))
    return frozenset(found | written) if found else frozenset()


async def with_references(
    execution: Execution,
    inserted: Iterable[GlobalId],
    changed: Iterable[GlobalId],
    reads: frozenset[GlobalId],
    work: Callable[[], Awaitable[T]],
) -> T:
    """Runs `work`, which writes to the given tables, and then applies foreign keys to its writes."""
    if not await lock_references(execution, frozenset(inserted), frozenset(changed), reads):
        return await work()
    before = len(execution.transaction.writes.buffered)
    result = await work()
    await hold_references(execution, before)
    return result


async def lock_references(
    execution: Execution,
    inserted: frozenset[GlobalId],
    changed: frozenset[GlobalId],
    reads: frozenset[GlobalId] = frozenset(),
) -> bool:
    """Locks referenced rows before the statement reads; returns whether there are any foreign keys to be held."""
    catalog = execution.catalog
    ids = concerned(catalog, inserted, changed)
    if ids and not all(is_temporary_item(catalog, id_) for id_ in ids):
        await lock_for_write(execution.environment, execution.transaction, ids | catalog.tables_under(reads))
    return bool(ids)


async def hold_references(execution: Execution, before: int) -> None:
    """Applies foreign keys to the transaction's writes from number `before` on. Raises SqlError 23503, and errors of
    actions."""
    changes: dict[GlobalId, RowChanges] = {}
    for write in execution.transaction.writes.buffered[before:]:
        desc = item_of(execution.catalog, write.id).desc
        tables = [await _read(update, write.id, execution) for update in write.updates]
        changes.setdefault(write.id, RowChanges()).add_write(tables, desc)
    for id_, each in changes.items():
        await _Holding(execution, item_of(execution.catalog, id_)).hold(each)


async def _read(update: pa.Table | Part, table: GlobalId, execution: Execution) -> pa.Table:
    if not isinstance(update, Part):
        return update
    storage, desc = execution.environment.storage, item_of(execution.catalog, table).desc
    return await read_staged(update, desc, str(table), storage.blob, storage.runner)


class _Holding:
    """The foreign keys of one table, and the foreign keys that reference the table, for one statement."""

    def __init__(self, execution: Execution, table: Item) -> None:
        self._execution = execution
        self._catalog = execution.catalog
        self._table = table

    async def hold(self, changes: RowChanges) -> None:
        for child, key in self._catalog.referencing(self._table.id):
            await self._act_on_referenced(child, key, changes)
        for key in foreign_keys_of(self._table):
            own = Side(self._table, key.columns, self._execution)
            rows = [*changes.inserted]
            rows += [new for old, new in changes.updated if own.key(old) != own.key(new)]
            await self._hold_referencing(key, own, rows)

    # Rows that reference

    async def _hold_referencing(self, key: ForeignKey, own: Side, rows: Sequence[Row]) -> None:
        keys: list[Row] = []
        for row in rows:
            values = own.key(row)
            if None not in values:
                keys.append(values)
            elif key.rule.match_full and any(value is not None for value in values):
                detail = "MATCH FULL does not allow mixing of null and nonnull key values."
                raise _absent(self._execution, self._table, key, detail)
        if not keys:
            return
        if self._execution.transaction.deferred.defers(key.oid, key.rule):
            self._execution.transaction.deferred.of(self._table.id, key).referencing.extend(keys)
            return
        await require_present(self._execution, self._table, key, keys)

    # Rows that were referenced

    async def _act_on_referenced(self, child: Item, key: ForeignKey, changes: RowChanges) -> None:
        parent = Side(self._table, key.parent_columns, self._execution)
        gone = [values for row in changes.deleted if None not in (values := parent.key(row))]
        moved: list[tuple[Row, Row]] = []
        for old, new in changes.updated:
            before, after = parent.key(old), parent.key(new)
            # As in PostgreSQL a key that is equal and written differently (1.0, 1.00) has changed, too.
            if None not in before and (None in after or repr(before) != repr(after)):
                moved.append((before, after))
        if gone:
            await self._act(child, key, parent, key.rule.on_delete, [(values, None) for values in gone])
        if moved:
            await self._act(child, key, parent, key.rule.on_update, moved)

    async def _act(
        self,
        child: Item,
        key: ForeignKey,
        parent: Side,
        action: ReferentialAction,
        keys: Sequence[tuple[Row, Row | None]],
    ) -> None:
        """Carries out an action. `keys` pairs each referenced key with its new value."""
        deferred, olds = self._execution.transaction.deferred, [old for old, _ in keys]
        if action is ReferentialAction.NO_ACTION and deferred.defers(key.oid, key.rule):
            deferred.of(child.id, key).referenced.extend(olds)
            return
        if action is ReferentialAction.NO_ACTION:
            await self._require_gone_unreferenced(child, key, parent, olds)
            return
        if action is ReferentialAction.RESTRICT:
            await require_unreferenced(self._execution, child, key, self._table, parent, olds)
            return
        side = Side(child, key.columns, self._execution)
        converted = {}
        for old, new in keys:
            own = side.converted(old, parent.types)
            if own is not None:
                converted[side.identity(own)] = own, new
        rows = await side.rows([own for own, _ in converted.values()])
        if not rows:
            return
        if action is ReferentialAction.CASCADE and keys[0][1] is None:
            await self._write(child, rows, None)
            return
        values = await self._values(child, key, action, on_delete=keys[0][1] is None)

        def became(row: Row) -> Row:
            changed = list(row)
            new = converted[side.identity(side.key(row))][1] if values is None else None
            for at, column in enumerate(key.columns):
                if new is not None:
                    changed[column] = new[at]
                elif values is None:
                    changed[column] = None
            for column, value in (values or {}).items():
                changed[column] = value
            return tuple(changed)

        await self._write(child, rows, [became(row) for row in rows])
        if action is ReferentialAction.SET_DEFAULT:
            # A row whose default is what is gone has not changed, and so was not looked at.
            await self._require_gone_unreferenced(child, key, parent, olds)

    async def _require_gone_unreferenced(self, child: Item, key: ForeignKey, parent: Side, olds: Sequence[Row]) -> None:
        """Requires that nobody references what is gone and has not come back (NO ACTION)."""
        there = await parent.present(olds)
        gone = [old for old in olds if parent.identity(old) not in there]
        await require_unreferenced(self._execution, child, key, self._table, parent, gone)

    async def _values(
        self, child: Item, key: ForeignKey, action: ReferentialAction, *, on_delete: bool
    ) -> dict[int, Datum] | None:
        """Returns the values that SET NULL and SET DEFAULT assign to columns; None for CASCADE."""
        if action is ReferentialAction.CASCADE:
            return None
        columns = key.rule.cleared if on_delete and key.rule.cleared else key.columns
        if action is ReferentialAction.SET_NULL:
            return dict.fromkeys(columns)
        view = StateCatalogView(self._catalog).item(child.id)
        assert view is not None
        defaults = [default_of(self._context(), view, column) for column in columns]
        return dict(zip(columns, await evaluated_values(defaults, self._execution), strict=True))

    def _context(self) -> PlanningContext:
        asker = self._execution.asker
        return PlanningContext(StateCatalogView(self._catalog), asker.database, (), asker.user)

    async def _write(self, child: Item, olds: Sequence[Row], news: Sequence[Row] | None) -> None:
        """Deletes or replaces rows, like a statement of its own."""
        execution = self._execution
        view = StateCatalogView(self._catalog).item(child.id)
        assert view is not None
        demanded = NO_RULES if news is None else rules_of_table(self._context(), view)
        rules = held_rules(demanded, child, execution)
        execution.transaction.writes.written_in.setdefault(child.id, self._catalog)
        writer = TableWriter(execution, child, rules)
        try:
            await writer.add_signed(arrow_rows(olds, child.desc, child.id), -1)
            if news is not None:
                filled = GeneratedValues(demanded, execution).filled(news)
                await writer.add_signed(arrow_rows(filled, child.desc, child.id), 1)
            if rules is not None:
                await rules.require_keys()
            write: BufferedWrite = await writer.finish()
        except BaseException:
            await writer.abandon()
            raise
        before = len(execution.transaction.writes.buffered)
        execution.transaction.writes.buffered.append(write)
        await hold_references(execution, before)


async def require_present(execution: Execution, child: Item, key: ForeignKey, keys: Sequence[Row]) -> None:
    """Raises SqlError 23503 for the first of a child's keys that the parent doesn't have."""
    parent = execution.catalog.items[key.parent]
    own, side = Side(child, key.columns, execution), Side(parent, key.parent_columns, execution)
    wanted = [(values, side.converted(values, own.types)) for values in keys]
    there = await side.present([theirs for _, theirs in wanted if theirs is not None])
    for values, theirs in wanted:
        if theirs is None or side.identity(theirs) not in there:
            names = [child.desc.names[at] for at in key.columns]
            text = key_text(names, values, own.types, execution.asker.text_context)
            raise _absent(execution, child, key, f'{text} is not present in table "{parent.name}".')


def _absent(execution: Execution, child: Item, key: ForeignKey, detail: str) -> SqlError:
    message = f'insert or update on table "{child.name}" violates foreign key constraint "{key.name}"'
    subject = subject_of(execution.catalog, child, constraint=key.name)
    return SqlError(Sqlstate.FOREIGN_KEY_VIOLATION, message, detail=detail, subject=subject, source=ABSENT_REFERENCE)


async def require_unreferenced(
    execution: Execution, child: Item, key: ForeignKey, parent: Item, side: Side, keys: Sequence[Row]
) -> None:
    """Raises SqlError 23503 for the first of a parent's keys that a child references."""
    own = Side(child, key.columns, execution)
    wanted = [(values, own.converted(values, side.types)) for values in keys]
    there = await own.present([mine for _, mine in wanted if mine is not None])
    for values, mine in wanted:
        if mine is not None and own.identity(mine) in there:
            names = [parent.desc.names[at] for at in key.parent_columns]
            text = key_text(names, values, side.types, execution.asker.text_context)
            message = (
                f'update or delete on table "{parent.name}" violates foreign key constraint "{key.name}"'
                f' on table "{child.name}"'
            )
            detail = f'{text} is still referenced from table "{child.name}".'
            subject = subject_of(execution.catalog, child, constraint=key.name)
            raise SqlError(
                Sqlstate.FOREIGN_KEY_VIOLATION, message, detail=detail, subject=subject, source=STILL_REFERENCED
            )
