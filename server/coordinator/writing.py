"""Writes: checked and staged as they come, made durable by the transaction's commit.

Nothing is visible to storage's readers before COMMIT: rows are held in memory, and past a bound in parts that no state
names yet. A transaction that read is validated at its commit's timestamp t: when nothing it read has changed since its
read timestamp, its reads are as good as reads at t - 1, so no other write stands between; else it fails with 40001.
"""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Iterable, Sequence, Set
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from catalog.changes import AlterTable, Change
from catalog.constraints import demands
from catalog.durable import CATALOG_SHARD_ID
from catalog.items import Item
from catalog.sinks import Sink
from catalog.state import CatalogState
from catalog.temporary import is_temporary_item
from model.antichain import Antichain
from model.datum import Row
from model.errors import SqlError
from model.global_id import GlobalId
from model.physical import DIFF_COLUMN, rows_from_arrow, rows_to_arrow
from model.relation_desc import RelationDesc
from model.scalar_type import TypeName
from model.sqlstate import Sqlstate
from model.text.numerics import overflow
from model.timestamp import Timestamp
from server.coordinator.committed_catalog import CatalogCommit
from server.coordinator.constraints.held_rules import HeldRules
from server.coordinator.environment import Environment
from server.coordinator.execution import Execution
from server.coordinator.maintained.commits import MaintainedCommit
from server.coordinator.maintained.rebuilding import Rebuilding
from server.coordinator.read_holds import HoldCommit
from server.coordinator.repeating import repeat_reads
from server.coordinator.row_text import failing_row, subject_of
from server.coordinator.scheduled import SCHEDULED_SHARD_ID, scheduled_rows
from server.coordinator.sinks.commits import SinksCommit
from server.coordinator.sources.commits import SourcesCommit
from server.coordinator.sources.reads import unchanged_until
from server.pgwire.large_values import LARGE_BYTES, Scale, done
from server.session.transaction import BufferedWrite, Transaction, conflicting
from storage.persist.shard import PreparedWrite
from storage.persist.state import Part
from storage.persist.write import PartWriter
from timeline.footprint import Footprint, Identities, KeyColumns, ReadKeys
from timeline.group_commit import WriteRequest


def item_of(catalog: CatalogState, id_: GlobalId) -> Item:
    """The item; 42P01 when it has been dropped since the statement was planned."""
    item = catalog.items.get(id_)
    if item is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f"relation with id {id_} no longer exists")
    return item


def check_not_null(table: pa.Table, item: Item, execution: Execution) -> None:
    """SqlError 23502 for the first row with a NULL where the table has NOT NULL."""
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
        )


def discard(environment: Environment, transaction: Transaction) -> None:
    """The transaction's writes will never be committed: parts staged for them may be collected."""
    parts = [u.key for write in transaction.writes for u in write.updates if isinstance(u, Part)]
    environment.storage.stage.settle(parts)


def forget_writes(environment: Environment, transaction: Transaction, ids: Set[GlobalId]) -> None:
    """As if nothing had been written to these tables."""
    parts = [u.key for write in transaction.writes if write.id in ids for u in write.updates if isinstance(u, Part)]
    environment.storage.stage.settle(parts)
    transaction.writes = [write for write in transaction.writes if write.id not in ids]
    transaction.scheduled = [waiting for waiting in transaction.scheduled if waiting.id not in ids]


def require_writable(execution: Execution, id_: GlobalId, command: str) -> None:
    """SqlError 25006 in a read-only transaction, which may write temporary tables only. What the table demands of rows
    now is what this transaction's are held against."""
    execution.transaction.written_in.setdefault(id_, execution.catalog)
    execution.rely_on((id_,))
    if not is_temporary_item(execution.catalog, id_):
        execution.transaction.require_writable(command)


class TableWriter:
    """Takes a statement's rows for one table, and gives them as one buffered write."""

    def __init__(self, execution: Execution, item: Item, rules: HeldRules | None = None) -> None:
        self._item = item
        self._rules = rules
        self._execution = execution
        self._retracts = False
        self._scale = Scale(item.desc.types)
        self._writer: PartWriter = execution.environment.storage.part_writer(item.id, item.desc)
        self.rows = 0

    async def add_rows(self, rows: Sequence[Row]) -> None:
        """Rows to insert; SqlError 23502, 23514 or, for a number that does not fit its column, 22003."""
        if not self._scale.is_large(rows):
            await self.add(arrow_rows(rows, self._item.desc))
            return
        for part in self._scale.parts(rows):
            await self.add(await asyncio.to_thread(arrow_rows, part, self._item.desc))

    async def add(self, table: pa.Table) -> None:
        """Rows to insert, as columns c0, c1, …"""
        check_not_null(table, self._item, self._execution)
        if self._rules is not None:
            self._rules.assert_rows(await self._rows_of(table))
        self.rows += table.num_rows
        await self._writer.add(table)

    async def add_signed(self, table: pa.Table, diff: int) -> None:
        """Rows to insert (diff 1) or to delete (diff -1), in a statement that does both."""
        if diff > 0:
            check_not_null(table, self._item, self._execution)
        if self._rules is not None:
            rows = await self._rows_of(table)
            self._rules.assert_rows(rows) if diff > 0 else self._rules.retract_rows(rows)
        self._retracts = self._retracts or (diff < 0 and table.num_rows > 0)
        signed = table.append_column(DIFF_COLUMN, pa.array([diff] * table.num_rows, pa.int64()))
        await self._writer.add(signed)

    async def change(self, old: Sequence[Row], new: Sequence[Row]) -> None:
        """Rows to delete and rows to insert, a few, in a statement that does both."""
        rows = [*old, *new]
        table = await done(partial(arrow_rows, rows, self._item.desc), large=self._scale.is_large(rows))
        check_not_null(table.slice(len(old)), self._item, self._execution)
        if self._rules is not None:
            rows = await self._rows_of(table)
            self._rules.retract_rows(rows[: len(old)])
            self._rules.assert_rows(rows[len(old) :])
        self._retracts = self._retracts or bool(old)
        diffs = pa.array([-1] * len(old) + [1] * len(new), pa.int64())
        await self._writer.add(table.append_column(DIFF_COLUMN, diffs))

    async def _rows_of(self, table: pa.Table) -> list[Row]:
        return await done(partial(rows_from_arrow, table, self._item.desc), large=table.nbytes >= LARGE_BYTES)

    async def finish(self) -> BufferedWrite:
        return BufferedWrite(self._item.id, await self._writer.finish(), self._retracts)

    async def abandon(self) -> None:
        await self._writer.abandon()


def arrow_rows(rows: Sequence[Row], desc: RelationDesc) -> pa.Table:
    """As columns c0, c1, …; SqlError 22003 for a number that does not fit its column."""
    try:
        return rows_to_arrow(rows, desc)
    except (pa.ArrowInvalid, ArithmeticError, OverflowError) as error:
        if any(type_.name is TypeName.NUMERIC for type_ in desc.types):
            raise overflow() from error
        raise SqlError(Sqlstate.DATA_EXCEPTION, "a value does not fit its column", detail=str(error)) from error


async def commit_transaction(environment: Environment, transaction: Transaction) -> Timestamp | None:
    """Makes the transaction's writes durable at one timestamp; None when it wrote nothing.

    SqlError: nothing was written, and never will be.
    """
    if not transaction.writing:
        return None
    rebuilding = Rebuilding(environment, transaction.changes)
    commit = _Commit(environment, transaction, rebuilding)
    try:
        await rebuilding.run()
        return await environment.committer.submit(commit.request())
    except BaseException as error:
        # What has perhaps become durable is left alone, until the committer knows or the next environment finds out.
        if not isinstance(error, SqlError) or error.sqlstate is not Sqlstate.STATEMENT_COMPLETION_UNKNOWN:
            commit.abandon()
            await rebuilding.drop()
        raise


async def commit_changes(environment: Environment, changes: Sequence[Change]) -> None:
    """Changes of the catalog that no session has asked for, as a transaction of their own. SqlError."""
    now = datetime.datetime.fromtimestamp(environment.clock.now_ms() / 1000, datetime.UTC)
    await commit_transaction(environment, Transaction(explicit=False, started=now, changes=list(changes)))


async def cover(environment: Environment) -> None:
    """Returns when all reservations of sequences are durable that were made before."""
    await environment.committer.submit(WriteRequest())


class _Commit:
    def __init__(self, environment: Environment, transaction: Transaction, rebuilding: Rebuilding) -> None:
        self._environment = environment
        self._transaction = transaction
        self._maintained = MaintainedCommit(environment.dataflows, environment.planning, rebuilding.outlines)
        self._sources = SourcesCommit(environment.ingestions, environment.dataflows)
        self._sinks = SinksCommit(environment.deliveries, environment.dataflows)
        self._catalog = CatalogCommit(
            environment.catalog, environment.storage, transaction.changes, environment.retain_history_ms
        )
        self._holds = HoldCommit(environment.storage, transaction.hold_origins, tuple(transaction.hold_moves))
        self._before = self._after = environment.catalog.state
        self._altered = {change.id for change in transaction.changes if isinstance(change, AlterTable)}

    def request(self) -> WriteRequest:
        transaction = self._transaction
        old: dict[GlobalId, list[pa.Table | Part]] = {}
        for write in transaction.writes:
            if write.id not in transaction.created | self._altered:
                old.setdefault(write.id, []).extend(write.updates)
        if transaction.scheduled:
            old[SCHEDULED_SHARD_ID] = [scheduled_rows(transaction.scheduled)]
        return WriteRequest(
            tables={id_: updates for id_, updates in old.items() if updates},
            prepare=self._prepare,
            validate=self._validate,
            applied=self._applied,
            exclusive=bool(
                transaction.changes or transaction.noted or transaction.unrepeatable or transaction.read_sources
            ),
            reads=transaction.footprint,
            rewritten=frozenset(transaction.created | self._altered),
            dropped=lambda: self._before.items.keys() - self._after.items.keys(),
            given_up=self.abandon,
            owner=transaction.owner,
        )

    def _validate(self, timestamp: Timestamp) -> None:
        environment, transaction = self._environment, self._transaction
        self._before = after = environment.catalog.state
        if transaction.changes:
            self._catalog.validate()
            after = self._catalog.after
            self._sources.validate(self._before, after)
            self._maintained.validate(self._before, after)
            self._sinks.validate(self._before, after)
        self._after = after
        self._holds.validate(self._before, after)
        for id_ in transaction.written_ids() | {write.id for write in transaction.scheduled}:
            if id_ not in after.items:
                raise SqlError(
                    Sqlstate.SERIALIZATION_FAILURE, "a table that the transaction wrote was dropped concurrently"
                )
            seen = transaction.written_in.get(id_)
            if seen is not None and seen is not self._before and demands(after, id_) - demands(seen, id_):
                raise SqlError(
                    Sqlstate.SERIALIZATION_FAILURE, "a table that the transaction wrote was altered concurrently"
                )
        for scheduled in transaction.scheduled:
            if scheduled.time <= timestamp:
                raise SqlError(
                    Sqlstate.INVALID_PARAMETER_VALUE,
                    f"INSERT AS OF {scheduled.time} is in the past: the table is complete before {timestamp + 1}",
                )
        if self._is_private():
            return
        if not transaction.reliance.holds_in(self._before):
            raise conflicting()
        if transaction.read_ts is None:
            return
        for id_ in transaction.read_ids:
            if id_ == CATALOG_SHARD_ID:
                unchanged = environment.catalog.changed_at <= transaction.read_ts
            else:
                unchanged = environment.storage.exists(id_) and not environment.storage.changed_after(
                    id_, transaction.read_ts
                )
            if not unchanged:
                raise conflicting()
        for key, identities in transaction.read_keys.items():
            if key.table not in transaction.read_ids and self._changed(key, identities, transaction.read_ts):
                raise conflicting()

    def _changed(self, key: KeyColumns, identities: Identities, since: Timestamp) -> bool:
        """Whether a row that has one of the keys was changed, or may have been."""
        storage, recent = self._environment.storage, self._environment.committer.recent
        if not storage.exists(key.table):
            return True
        if not storage.changed_after(key.table, since):
            return False
        known = recent.last_change(key.table)
        if known is None or known <= since or storage.changed_after(key.table, known):
            return True
        return recent.meets(key, identities, since)

    async def _sources_stay(self, timestamp: Timestamp) -> list[PreparedWrite]:
        """That what was read of sources is as it was. SqlError 40001."""
        environment, transaction = self._environment, self._transaction
        if not transaction.read_sources or transaction.read_ts is None or self._is_private():
            return []
        for id_ in transaction.read_sources:
            item = self._before.items.get(id_)
            if item is not None and isinstance(item.definition, Sink):
                # No other than the sink itself can say that it stays where it was.
                message = "a transaction that writes can't have read the progress of a sink"
                raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint="Read it in a transaction of its own.")
        read, ingestions, storage = transaction.read_sources, environment.ingestions, environment.storage
        return await unchanged_until(timestamp, read, transaction.read_ts, ingestions, storage)

    def _is_private(self) -> bool:
        """Whether only its own session can see what it wrote, rows of temporary tables: then it may as well have
        committed when it read. Temporary tables themselves are in the system relations, which all can read."""
        transaction = self._transaction
        if transaction.changes or transaction.hold_moves:
            return False
        written = transaction.written_ids() | {write.id for write in transaction.scheduled}
        return all(is_temporary_item(self._after, id_) for id_ in written)

    async def _prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        lower, upper = self._environment.oracle.upper, Antichain.at(timestamp + 1)
        storage = self._environment.storage
        if not self._is_private():
            await repeat_reads(self._environment, self._transaction, timestamp)
        holds = self._holds.prepare(self._before, self._after)
        prepared = [*holds, *await self._sources_stay(timestamp)]
        if not self._transaction.changes:
            return prepared
        prepared += await self._catalog.prepare(lower, timestamp)
        prepared += self._sources.prepare(lower)
        prepared += self._maintained.prepare(self._after, lower, self._sources.begun)
        prepared += self._sinks.prepare(lower)
        for id_ in sorted({*self._catalog.created(), *self._altered}):
            # They have the columns that they are to have from now on.
            updates = self._transaction.writes_of(id_)
            if updates:
                desc = self._after.items[id_].desc
                prepared.append(await storage.prepare_append(id_, updates, lower, upper, desc=desc))
        return prepared

    def _applied(self, timestamp: Timestamp) -> None:
        if self._transaction.changes:
            self._catalog.applied(timestamp)
            self._sources.applied()
            self._environment.left_slots.drop(self._after)
            self._maintained.applied()
            self._sinks.applied()
        self._environment.scheduled.add(self._transaction.scheduled)

    def abandon(self) -> None:
        """It did not take place."""
        self._maintained.abandon()


def split_columns(table: pa.Table, columns: Iterable[int]) -> pa.Table:
    """Some columns of a table, renamed c0, c1, …; as many rows, even of no columns."""
    chosen = table.select(list(columns))
    return chosen.rename_columns([f"c{index}" for index in range(chosen.num_columns)])


async def lock_for_write(
    environment: Environment, transaction: Transaction, ids: frozenset[GlobalId], keys: ReadKeys | None = None
) -> None:
    """Keeps `ids`, and of other tables the rows with `keys`, from changing until the implicit transaction ends, so that
    its commit can't fail validation.

    Only before its first read, and once: later statements of one implicit transaction are validated at commit.
    """
    if transaction.explicit or transaction.read_ts is not None or transaction.locked:
        return
    locked = Footprint(ids, keys or {})
    await transaction.write_locks.enter_async_context(environment.locks.hold(locked, transaction.owner))
    transaction.write_locks.callback(environment.committer.wake)
    transaction.locked = locked
    if transaction.undisturbed:
        # After the locks: who has them may be waiting to commit.
        await transaction.write_locks.enter_async_context(environment.committer.hold(transaction.owner))
    await environment.committer.settle()
