"""MERGE: the rows of source and target side by side are read once, and each action changes the rows that are its.

All rows are selected before the first action, and actions see the tables as of the statement's start. Copies of a row
are one to the reader: source rows act on a row's copies as often as there are copies, or one of the copies would be
changed twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.items import Item
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.datum_order import identity_key
from model.types.datum import Row
from planner.ir.properties import relation_desc_of
from planner.ir.query import whole_query
from planner.ir.relation import Constant, Get, Let, Relation
from planner.plans.changes import MergeAction, MergePlan
from server.pgwire.backend import Command
from server.pgwire.large_values import done
from server.planning.statement_plans import ReadSet, read_set
from server.reads.reading import Reader
from server.transactions.execution import Execution
from server.writes.constraints.guards import RowGuards
from server.writes.constraints.held_rules import held_rules
from server.writes.writing import TableWriter, arrow_rows, item_of, lock_for_write, require_writable

_ROWS_AT_ONCE = 4096
"""So many rows an action makes at once, unless it reads tables to make them."""


async def sequence_merge(plan: MergePlan, reads: ReadSet, execution: Execution) -> Command:
    """Buffers the rows in the transaction. Raises SqlError 21000 for a row of the target on which two of the source
    act."""
    if plan.actions:
        require_writable(execution, plan.target, "MERGE")
    item = item_of(execution.catalog, plan.target)
    if not is_temporary_item(execution.catalog, plan.target):
        locked = execution.catalog.tables_under(reads.user) | {plan.target}
        await lock_for_write(execution.environment, execution.transaction, locked)
    rules = held_rules(plan.rules, item, execution)
    writer = TableWriter(execution, item, rules)
    if writer.moves is not None:
        writer.moves.forget()
    try:
        found = await _found(plan, execution)
        await _require_single(plan, found, item, execution)
        for action, rows in sorted(zip(plan.actions, found, strict=True), key=_turn):
            await _act(action, rows, plan, item, writer, execution)
        if rules is not None:
            await rules.require_keys()
        write = await writer.finish()
    except BaseException:
        await writer.abandon()
        raise
    count = sum(map(len, found))
    if count:
        execution.transaction.writes.buffered.append(write)
    return Command(f"MERGE {count}")


async def _found(plan: MergePlan, execution: Execution) -> list[list[Row]]:
    """Returns the rows of the selection, for each action."""
    found: list[list[Row]] = [[] for _ in plan.actions]
    async for batch in Reader(execution.environment, execution).rows(
        whole_query(plan.selection), read_set(plan.selection)
    ):
        for row in batch:
            number = row[-1]
            assert isinstance(number, int)
            found[number].append(row)
    return found


async def _require_single(plan: MergePlan, found: Sequence[Sequence[Row]], item: Item, execution: Execution) -> None:
    """Raises SqlError 21000 for a row of the target that is changed more often than the target holds it."""
    identity, arity = identity_key(item.desc.types), item.desc.arity

    def changed_again() -> dict[Hashable, int]:
        matched = (rows for action, rows in zip(plan.actions, found, strict=True) if action.matched)
        changed = Counter(identity(row[:arity]) for rows in matched for row in rows)
        return {key: count for key, count in changed.items() if count > 1}

    several = await done(changed_again, large=sum(map(len, found)) > _ROWS_AT_ONCE)
    if not several:
        return
    held: Counter[Hashable] = Counter()
    whole = Get(plan.target, item.desc)
    async for batch in Reader(execution.environment, execution).rows(whole_query(whole), read_set(whole)):
        held.update(key for key in map(identity, batch) if key in several)
    if any(count > held[key] for key, count in several.items()):
        message = "MERGE command cannot affect row a second time"
        hint = "Ensure that not more than one source row matches any one target row."
        raise SqlError(Sqlstate.CARDINALITY_VIOLATION, message, hint=hint)


def _turn(chosen: tuple[MergeAction, Sequence[Row]]) -> int:
    """Puts new rows first and deleted rows last: an assertion behind a retraction is an update to foreign keys."""
    action, _ = chosen
    return (2 if action.relation is None else 1) if action.matched else 0


async def _act(
    action: MergeAction, rows: list[Row], plan: MergePlan, item: Item, writer: TableWriter, execution: Execution
) -> None:
    """Writes the changes of one action."""
    arity, desc = item.desc.arity, item.desc
    existing = RowGuards(action.existing, item, execution, existing=True, called="target row")
    guards = RowGuards(action.guards, item, execution)
    relation = action.relation
    size = _ROWS_AT_ONCE if relation is None or not read_set(relation).anything else max(1, len(rows))
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        if action.matched:
            old = [row[:arity] for row in part]
            await existing.require(old)
            await writer.add_signed(arrow_rows(old, desc, item.id), -1)
        if relation is not None:
            new = await _made(relation, action.local_id, part, plan, execution)
            await guards.require(new)
            await writer.add_signed(arrow_rows(new, desc, item.id), 1)


async def _made(
    relation: Relation, local_id: int, rows: Sequence[Row], plan: MergePlan, execution: Execution
) -> list[Row]:
    """Returns the new rows that an action makes of rows of the selection."""
    met = Constant(tuple((row, 1) for row in rows), relation_desc_of(plan.selection))
    query = whole_query(Let(local_id, met, relation))
    found = Reader(execution.environment, execution).rows(query, read_set(query.relation))
    return [row async for batch in found for row in batch]
