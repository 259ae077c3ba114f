"""INSERT: rows from VALUES, DEFAULT VALUES or a query, into one table; INSERT … AS OF a time to come."""

from __future__ import annotations

from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.items import Item
from catalog.state.catalog_state import foreign_keys_of
from model.errors.sql_error import NotSupported
from model.ids.global_id import GlobalId
from model.types.datum import Row
from planner.plans.changes import InsertPlan
from server.ledgers.scheduled import ScheduledRows, encode_rows
from server.pgwire.backend import Command, Rows
from server.planning.statement_plans import ReadSet
from server.reads.reading import Reader, in_batches
from server.statements.changes.insert_on_conflict import insert_on_conflict, with_parameters
from server.statements.changes.returning import returned_rows
from server.statements.results import rows_result
from server.transactions.execution import Execution
from server.writes.constraints.guards import guarded
from server.writes.constraints.held_rules import HeldRules, held_rules
from server.writes.writing import TableWriter, item_of, lock_for_write, require_writable
from storage.persist.state import Part


async def sequence_insert(
    plan: InsertPlan, reads: ReadSet, execution: Execution, shared: HeldRules | None = None
) -> Command | Rows:
    """Buffers the rows in the transaction. `shared` are the table's rules, if the whole statement, of which this is
    a part, keeps them."""
    require_writable(execution, plan.target, "INSERT")
    item = item_of(execution.catalog, plan.target)
    _refuse_scheduled(plan, item)
    rules = shared or held_rules(plan.rules, item, execution)
    shared_with_others = not is_temporary_item(execution.catalog, plan.target)
    # Rows that ask for nothing are known before the table is read.
    by_key = plan.conflict is None and not reads.anything and execution.transaction.alone
    # What has lost three times reads and commits while nobody else does, also where it reads no table but the time.
    locking = bool(reads.user) or (bool(plan.rules.keys) and not by_key) or execution.transaction.undisturbed
    if locking and shared_with_others:
        await lock_for_write(
            execution.environment, execution.transaction, execution.catalog.tables_under(reads.user) | {plan.target}
        )
    reader = Reader(execution.environment, execution)
    writer = TableWriter(execution, item, rules)
    inserted: list[Row] = []
    shown: list[Row] = []
    try:
        source = in_batches(await reader.answer(plan.source, reads))
        if plan.guards:
            source = guarded(source, plan.guards, item, execution)
        if plan.conflict is not None and rules is not None:
            conflict = with_parameters(plan.conflict, plan.rules, execution)
            inserted = await insert_on_conflict(conflict, source, item, rules, writer, execution)
            count = len(inserted)
        else:
            async for batch in source:
                await writer.add_rows(batch)
                if plan.returning is not None:
                    inserted.extend(batch)
            count = writer.rows
        if rules is not None and shared is None:
            if by_key and plan.rules.keys and shared_with_others:
                keys = rules.keys_wanted()
                whole = frozenset({plan.target}) if keys is None else frozenset[GlobalId]()
                await lock_for_write(execution.environment, execution.transaction, whole, keys)
            await rules.require_keys()
        if plan.returning is not None:
            shown = await returned_rows(plan.returning, plan.returning_local, item.desc, inserted, execution)
        write = await writer.finish()
    except BaseException:
        await writer.abandon()
        raise
    if plan.as_of is None:
        execution.transaction.writes.buffered.extend([write] if write.updates else [])
    else:
        time = reader.time_of(plan.as_of.time, await execution.environment.oracle.read_ts())
        if any(isinstance(update, Part) for update in write.updates):
            raise NotSupported("INSERT AS OF of more than 32 MiB")
        token = execution.environment.randomness.token
        execution.transaction.writes.scheduled.extend(
            ScheduledRows(token(), plan.target, time, encode_rows(update)) for update in write.updates
        )
    tag = f"INSERT 0 {count}"
    if plan.returning is None:
        return Command(tag)
    return rows_result(plan.returning.desc, shown, tag)


def _refuse_scheduled(plan: InsertPlan, item: Item) -> None:
    """Raises 0A000 for tables with keys: the other rows at a future time are unknown."""
    if plan.as_of is not None and plan.rules.keys:
        raise NotSupported(f"INSERT AS OF into table {item.name}, which has unique keys")
    if plan.as_of is not None and foreign_keys_of(item):
        raise NotSupported(f"INSERT AS OF into table {item.name}, which has foreign keys")
