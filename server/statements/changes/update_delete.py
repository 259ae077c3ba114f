"""UPDATE and DELETE: retract the rows selected at the read timestamp; UPDATE asserts new rows.

A single statement makes progress under any storm of other writes: before reading, the statement takes the write locks
of all tables read or written, so validation at commit can't fail. The locks are on rows if the statement reads by key
alone and leaves keys unchanged, else on tables. An explicit transaction locks nothing; COMMIT validates all its reads,
and raises 40001 after a change.
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.items import Item
from model.physical.columns import rows_from_arrow
from model.types.datum import Row
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, Let, Relation
from planner.plans.changes import DeletePlan, UpdatePlan
from planner.plans.constraints import TableRules
from server.pgwire.backend import Command, Rows
from server.planning.access import IndexAccess
from server.planning.statement_plans import ReadSet, read_set
from server.reads.keys_read import keys_said
from server.reads.reading import Reader
from server.statements.changes.returning import returned_rows
from server.statements.changes.touched_rows import TouchedRows
from server.statements.results import rows_result
from server.transactions.execution import Execution
from server.writes.constraints.guards import RowGuards
from server.writes.constraints.held_rules import HeldRules, held_rules
from server.writes.constraints.key_reading import columns_of
from server.writes.locking.pinned import stays_as_read
from server.writes.writing import (
    TableWriter,
    arrow_rows,
    item_of,
    lock_for_write,
    require_writable,
    rows_of,
    split_columns,
)
from timeline.footprint import ReadKeys


async def sequence_update(
    plan: UpdatePlan,
    reads: ReadSet,
    execution: Execution,
    touched: TouchedRows | None = None,
    shared: HeldRules | None = None,
    access: IndexAccess | None = None,
) -> Command | Rows:
    """Runs an UPDATE. `touched` is given when other parts of the statement change rows of the table, `shared` when
    the whole statement keeps the rules, `access` is the index that may find the rows."""
    rules = shared or held_rules(_rules_at_stake(plan, access), item_of(execution.catalog, plan.target), execution)
    return await _write_selected("UPDATE", plan, reads, execution, touched, rules, shared is None, access)


async def sequence_delete(
    plan: DeletePlan,
    reads: ReadSet,
    execution: Execution,
    touched: TouchedRows | None = None,
    shared: HeldRules | None = None,
    access: IndexAccess | None = None,
) -> Command | Rows:
    """Runs a DELETE, like `sequence_update`. It breaks no rule of its own table."""
    return await _write_selected("DELETE", plan, reads, execution, touched, shared, False, access)


async def _write_selected(
    command: str,
    plan: UpdatePlan | DeletePlan,
    reads: ReadSet,
    execution: Execution,
    touched: TouchedRows | None,
    rules: HeldRules | None,
    alone: bool,
    access: IndexAccess | None,
) -> Command | Rows:
    require_writable(execution, plan.target, command)
    item = item_of(execution.catalog, plan.target)
    if not is_temporary_item(execution.catalog, plan.target):
        keys = _keys_changed(plan, reads, execution, access)
        locked = execution.catalog.tables_under(reads.user) | {plan.target} if keys is None else frozenset()
        await lock_for_write(execution.environment, execution.transaction, locked, keys)
    desc = relation_desc_of(plan.selection) if plan.returning is not None else item.desc
    writer = TableWriter(execution, item, rules)
    selection = await _selection(plan, item, writer, execution)
    guards = RowGuards(plan.guards, item, execution) if isinstance(plan, UpdatePlan) and plan.guards else None
    selected: list[Row] = []
    shown: list[Row] = []
    count = 0
    arity = item.desc.arity
    earlier = execution.transaction.reads.footprint
    first: list[Row] = []
    try:
        async for found in Reader(execution.environment, execution).changed(selection, reads, access):
            count += len(found)
            if isinstance(found, pa.Table):
                changed = split_columns(found, range(arity))
                first.extend(rows_from_arrow(changed.slice(0, 2 - len(first)), item.desc))
                if touched is not None:
                    touched.add(await rows_of(changed, item.desc))
                await writer.add_signed(changed, -1)
                if isinstance(plan, UpdatePlan):
                    asserted = split_columns(found, range(arity, 2 * arity))
                    if guards is not None:
                        await guards.require(await rows_of(asserted, item.desc))
                    await writer.add_signed(asserted, 1)
            else:
                old = [row[:arity] for row in found]
                first.extend(old[: 2 - len(first)])
                if touched is not None:
                    touched.add(old)
                new = [row[arity : 2 * arity] for row in found] if isinstance(plan, UpdatePlan) else []
                if guards is not None:
                    await guards.require(new)
                await writer.change(old, new)
            if plan.returning is not None:
                table = found if isinstance(found, pa.Table) else arrow_rows(found, desc, item.id)
                selected.extend(await rows_of(table, desc))
        unchanging = stays_as_read(plan.selection, first, execution, access)
        if unchanging is not None and not reads.timed:
            # Before the table's rules read what others may still change.
            execution.transaction.reads.forget_since(earlier, {unchanging})
        if rules is not None and alone:
            await rules.require_keys()
        if plan.returning is not None:
            shown = await returned_rows(plan.returning, plan.returning_local, desc, selected, execution)
        write = await writer.finish()
    except BaseException:
        await writer.abandon()
        raise
    if count:
        execution.transaction.writes.buffered.append(write)
    tag = f"{command} {count}"
    if plan.returning is None:
        return Command(tag)
    return rows_result(plan.returning.desc, shown, tag)


async def _selection(plan: UpdatePlan | DeletePlan, item: Item, writer: TableWriter, execution: Execution) -> Relation:
    """Returns the selection of the rows to change, over a cursor's row WHERE CURRENT OF names one."""
    if plan.current is None:
        return plan.selection
    row, mover = await execution.asker.current_row(execution, plan.current.cursor, item)
    assert writer.moves is not None, "the cursor scans the table"
    writer.moves.by = mover
    return Let(plan.current.local_id, Constant(() if row is None else ((row, 1),), item.desc), plan.selection)


def _rules_at_stake(plan: UpdatePlan, access: IndexAccess | None) -> TableRules:
    """Returns the rules without keys that the statement leaves unchanged in each row: unique before, they stay
    unique."""
    if access is None or access.index.on != plan.target or not plan.rules.keys:
        return plan.rules
    changed = [key for key in plan.rules.keys if not _leaves(access, columns_of(key))]
    return plan.rules if len(changed) == len(plan.rules.keys) else replace(plan.rules, keys=tuple(changed))


def _leaves(access: IndexAccess, kept: set[int]) -> bool:
    """Returns whether the UPDATE leaves these columns unchanged in each row that the access finds."""
    columns, arity = access.rows.columns, access.index.desc.arity
    return all(columns[arity + at] == columns[at] for at in kept)


def _keys_changed(
    plan: UpdatePlan | DeletePlan, reads: ReadSet, execution: Execution, access: IndexAccess | None
) -> ReadKeys | None:
    """Returns the keys of the only rows read and changed, which keep their keys; None when others may be read."""
    if access is None or access.index.on != plan.target or reads.user != {plan.target} or reads.timed:
        return None
    if not execution.transaction.alone or (plan.returning is not None and read_set(plan.returning.relation).user):
        return None
    keys = keys_said(plan.target, access.said, execution)
    if keys is None or isinstance(plan, DeletePlan):
        return keys
    kept = {at for each in keys for at in each.columns}
    for key in plan.rules.keys:
        kept |= columns_of(key)
    return keys if _leaves(access, kept) else None
