"""Writes: checked and staged as they come, made durable by the transaction's commit (`committing`).

Nothing is visible to storage's readers before COMMIT: rows are held in memory, and past a bound in parts that no state
names yet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence, Set
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.items import Item
from catalog.state.catalog_state import CatalogState
from model.errors.error_sources import NULL_IN_COLUMN
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, arrow_schema, rows_from_arrow, rows_to_arrow
from model.text.numerics import is_unstorable
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import TypeName
from model.updates.update import come_back_unchanged, remember_rows
from server.environment.environment import Environment
from server.ledgers.row_text import failing_row, subject_of
from server.pgwire.large_values import LARGE_BYTES, Scale, done
from server.transactions.execution import Execution
from server.transactions.row_moves import MoveLog
from server.transactions.transaction import Transaction
from server.transactions.transaction_writes import BufferedWrite
from server.writes.constraints.held_rules import HeldRules
from server.writes.unstorable import Unstorable, require_storable, unstorable_rows
from storage.persist.state import Part
from storage.persist.write import PartWriter
from timeline.footprint import Footprint, ReadKeys


def item_of(catalog: CatalogState, id_: GlobalId) -> Item:
    """Returns the item; raises 42P01 when it has been dropped since the statement was planned."""
    item = catalog.items.get(id_)
    if item is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f"relation with id {id_} no longer exists")
    return item


def check_not_null(table: pa.Table, item: Item, execution: Execution) -> None:
    """Raises SqlError 23502 for the first row with a NULL where the table has NOT NULL."""
    for index, column in enumerate(item.desc.columns):
        values = table.column(index)
        if column.nullable or values.null_count == 0:
            continue
        place = pc.index(pc.is_null(values), True).as_py()
        row = rows_from_arrow(table.slice(place, 1), item.desc)[0]
        raise SqlError(
            Sqlstate.NOT_NULL_VIOLATION,
            f'null value in column "{column.name}" of relation "{item.name}" violates not-null constraint',
            detail=failing_row(row, item, execution.asker.text_context),
            subject=subject_of(execution.catalog, item, column=column.name),
            source=NULL_IN_COLUMN,
        )


def discard(environment: Environment, transaction: Transaction) -> None:
    """Discards the transaction's writes, which will never be committed: parts staged for them may be collected."""
    parts = [u.key for write in transaction.writes.buffered for u in write.updates if isinstance(u, Part)]
    environment.storage.stage.settle(parts)


def forget_writes(environment: Environment, transaction: Transaction, ids: Set[GlobalId]) -> None:
    """Removes all writes to these tables from the transaction."""
    parts = [
        u.key for write in transaction.writes.buffered if write.id in ids for u in write.updates if isinstance(u, Part)
    ]
    environment.storage.stage.settle(parts)
    transaction.writes.buffered = [write for write in transaction.writes.buffered if write.id not in ids]
    transaction.writes.scheduled = [waiting for waiting in transaction.writes.scheduled if waiting.id not in ids]


def require_writable(execution: Execution, id_: GlobalId, command: str) -> None:
    """Raises SqlError 25006 in a read-only transaction, which may write temporary tables only. The transaction's
    rows are checked against the table's present demands."""
    execution.transaction.writes.written_in.setdefault(id_, execution.catalog)
    execution.rely_on((id_,))
    if not is_temporary_item(execution.catalog, id_):
        execution.transaction.require_writable(command)


class TableWriter:
    """Collects a statement's rows for one table into one buffered write."""

    def __init__(self, execution: Execution, item: Item, rules: HeldRules | None = None) -> None:
        self._item = item
        self._rules = rules
        self._execution = execution
        self._retracts = False
        self._as_stored = True
        self._scale = Scale(item.desc.types)
        self._writer: PartWriter = execution.environment.storage.part_writer(item.id, item.desc)
        scanned = execution.asker.scanned_tables()
        self.moves = MoveLog() if item.id in scanned else None
        """Old and new rows, if a cursor scans the table."""
        self.rows = 0

    async def add_rows(self, rows: Sequence[Row]) -> None:
        """Adds rows to insert; raises SqlError 23502, 23514 or, for a number that does not fit its column, 22003."""
        if not self._scale.is_large(rows):
            await self._add(arrow_rows(rows, self._item.desc, self._item.id), rows)
            return
        await asyncio.to_thread(require_storable, rows, self._item.desc, self._item.id)
        for part in self._scale.parts(rows):
            await self._add(await asyncio.to_thread(arrow_rows, part, self._item.desc, self._item.id), part)

    async def add(self, table: pa.Table) -> None:
        """Adds rows to insert, as columns c0, c1, …"""
        await self._add(in_stored_form(table, self._item.desc, self._item.id), None)

    async def _add(self, table: pa.Table, rows: Sequence[Row] | None) -> None:
        """Adds rows in their stored form; `rows` are the same rows, where they are known as such: rules then need not
        make them of the table again."""
        check_not_null(table, self._item, self._execution)
        if self._rules is not None:
            if rows is None or not come_back_unchanged(self._item.desc.types):
                rows = await rows_of(table, self._item.desc)
            self._rules.assert_rows(rows)
        self.rows += table.num_rows
        await self._writer.add(table)

    async def add_signed(self, table: pa.Table, diff: int) -> None:
        """Adds rows to insert (diff 1) or to delete (diff -1), in a statement that does both."""
        table = in_stored_form(table, self._item.desc, self._item.id)
        if diff > 0:
            check_not_null(table, self._item, self._execution)
        if self._rules is not None:
            rows = await rows_of(table, self._item.desc)
            self._rules.assert_rows(rows) if diff > 0 else self._rules.retract_rows(rows)
        if self.moves is not None:
            moved = await rows_of(table, self._item.desc)
            self.moves.replace(moved) if diff > 0 else self.moves.retract(moved)
        self._retracts = self._retracts or (diff < 0 and table.num_rows > 0)
        self._as_stored = self._as_stored and diff > 0
        signed = table.append_column(DIFF_COLUMN, pa.array([diff] * table.num_rows, pa.int64()))
        await self._writer.add(signed)

    async def change(self, old: Sequence[Row], new: Sequence[Row]) -> None:
        """Adds rows to delete, as an index returned them, and a few rows to insert, in one statement."""
        rows, desc = [*old, *new], self._item.desc
        table = await done(partial(arrow_rows, rows, desc, self._item.id), large=self._scale.is_large(rows))
        if any(None in row for row in new):
            check_not_null(table.slice(len(old)), self._item, self._execution)
        diffs = [-1] * len(old) + [1] * len(new)
        signed = table.append_column(DIFF_COLUMN, pa.array(diffs, pa.int64()))
        unchanged = come_back_unchanged(desc.types)
        if self._rules is not None:
            if not unchanged:
                rows = await rows_of(table, self._item.desc)
            self._rules.retract_rows(rows[: len(old)])
            self._rules.assert_rows(rows[len(old) :])
        if unchanged or self._rules is not None:
            remember_rows(signed, tuple(zip(rows, diffs, strict=True)))
        if self.moves is not None:
            self.moves.retract(old)
            self.moves.replace(new)
        self._retracts = self._retracts or bool(old)
        await self._writer.add(signed)

    async def finish(self) -> BufferedWrite:
        moves = None if self.moves is None else self.moves.finish()
        return BufferedWrite(self._item.id, await self._writer.finish(), self._retracts, self._as_stored, moves)

    async def abandon(self) -> None:
        await self._writer.abandon()


async def rows_of(table: pa.Table, desc: RelationDesc) -> list[Row]:
    """Returns columns c0, c1, … as rows; large ones are made beside the event loop."""
    return await done(partial(rows_from_arrow, table, desc), large=table.nbytes >= LARGE_BYTES)


def arrow_rows(rows: Sequence[Row], desc: RelationDesc, table: GlobalId) -> pa.Table:
    """Returns rows of a table as columns c0, c1, …; raises SqlError 22003 for a number that does not fit its column."""
    try:
        return rows_to_arrow(rows, desc)
    except SqlError as error:
        raise unstorable_rows(rows, desc, table) if is_unstorable(error) else error from None
    except (pa.ArrowInvalid, ArithmeticError, OverflowError) as error:
        if any(type_.name is TypeName.NUMERIC for type_ in desc.types):
            raise unstorable_rows(rows, desc, table) from error
        raise SqlError(Sqlstate.DATA_EXCEPTION, "a value does not fit its column", detail=str(error)) from error


def in_stored_form(table: pa.Table, desc: RelationDesc, table_id: GlobalId) -> pa.Table:
    """Returns rows whose numerics have the form of their columns: a column of numeric(8,2) may be assigned to one
    without a modifier. Raises SqlError 22003 for a number that does not fit."""
    schema = arrow_schema(desc)
    for at, field in enumerate(schema):
        column = table.column(at)
        if column.type != field.type and pa.types.is_decimal(column.type):
            try:
                table = table.set_column(at, field.name, column.cast(field.type))
            except pa.ArrowInvalid:
                raise Unstorable({table_id: frozenset((at,))}) from None
    return table


def split_columns(table: pa.Table, columns: Iterable[int]) -> pa.Table:
    """Returns some columns of a table, renamed c0, c1, …; as many rows, even of no columns."""
    chosen = table.select(list(columns))
    return chosen.rename_columns([f"c{index}" for index in range(chosen.num_columns)])


async def lock_for_write(
    environment: Environment, transaction: Transaction, ids: frozenset[GlobalId], keys: ReadKeys | None = None
) -> None:
    """Keeps the tables `ids`, and rows with `keys` of other tables, from changing until the implicit transaction ends,
    so that its commit can't fail validation.

    Only before the first read, and once: later statements of one implicit transaction are validated at commit.
    """
    if transaction.explicit or transaction.reads.at is not None or transaction.locks.locked:
        return
    locked = Footprint(ids, keys or {})
    await transaction.locks.write_locks.enter_async_context(
        environment.locks.writes.hold(locked, transaction.locks.owner)
    )
    transaction.locks.write_locks.callback(environment.committer.wake)
    transaction.locks.locked = locked
    if transaction.undisturbed:
        # After the locks: who has them may be waiting to commit.
        await transaction.locks.write_locks.enter_async_context(environment.committer.hold(transaction.locks.owner))
    await environment.committer.settle()
