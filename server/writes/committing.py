"""A transaction's commit: its writes, changes and reads, as the parts of one request to the group committer.

BEGIN; CREATE TABLE t (...); INSERT INTO t ...; UPDATE u ... WHERE ...; COMMIT

catalog     the item t; tells the other parts the catalog before and after
holds       the capabilities of named read holds that the transaction creates, moves or drops
writes      u still exists, with unchanged demands on rows
prepared    prepared transactions don't rely on what the changes concern
reads       the rows read by UPDATE are unchanged: its reads are as good as reads right before the commit
tables      t's shard
sources, maintained, sinks      shards and dataflows, as far as the changes concern any
new rows    rows of t, which has no shard before this commit
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from catalog.changes.change import AlterTable, Change
from catalog.durable.rows import CATALOG_SHARD_ID
from catalog.facts.constraints import demands
from catalog.facts.temporary_items import is_temporary_item
from catalog.nouns.sinks import Sink
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from server.environment.environment import Environment
from server.ledgers.committed_catalog import CatalogCommit, TablesCommit
from server.ledgers.prepared import PreparedStay
from server.ledgers.read_holds import HoldCommit
from server.ledgers.scheduled import SCHEDULED_SHARD_ID, scheduled_rows
from server.objects.maintained.commits import MaintainedCommit
from server.objects.replicas import NewClustersCommit, ReplicasCommit
from server.objects.sinks.commits import SinksCommit
from server.objects.sources.commits import SourcesCommit
from server.reads.later_reads import changed_by_key
from server.reads.repeating import repeat_reads
from server.reads.source_reads import unchanged_until
from server.transactions.catalog_changes import CatalogChanges, conflicting
from server.transactions.transaction import Transaction
from server.writes.rebuilding import Rebuilding
from server.writes.retractions import require_held
from storage.persist.shard import PreparedWrite
from storage.persist.state import Part
from timeline.commit_part import CommitPart
from timeline.group_commit import WriteRequest


async def commit_transaction(environment: Environment, transaction: Transaction) -> Timestamp | None:
    """Makes the transaction's writes durable at one timestamp, and returns it; None without writes.

    SqlError: nothing was written, and never will be.
    """
    if not transaction.writing:
        return None
    await require_held(environment, transaction)
    rebuilding = Rebuilding(environment, transaction.changes.buffered)
    try:
        await rebuilding.run()
        return await environment.committer.submit(_request(environment, transaction, rebuilding))
    except BaseException as error:
        # What has perhaps become durable is left alone, until the committer knows or the next environment finds out.
        if not isinstance(error, SqlError) or error.sqlstate is not Sqlstate.STATEMENT_COMPLETION_UNKNOWN:
            await rebuilding.drop()
        raise
    finally:
        rebuilding.end()


async def commit_changes(environment: Environment, changes: Sequence[Change]) -> None:
    """Commits changes of the catalog made by the server itself, as a transaction of their own. Raises SqlError."""
    now = datetime.datetime.fromtimestamp(environment.clock.now_ms() / 1000, datetime.UTC)
    own = CatalogChanges(list(changes), [None for _ in changes], base=environment.catalog.state)
    await commit_transaction(environment, Transaction(explicit=False, started=now, changes=own))


async def cover(environment: Environment) -> None:
    """Waits until all reservations of sequences that were made before the call are durable."""
    await environment.committer.submit(WriteRequest())


def _request(environment: Environment, transaction: Transaction, rebuilding: Rebuilding) -> WriteRequest:
    altered = frozenset(change.id for change in transaction.changes.buffered if isinstance(change, AlterTable))
    rewritten = altered | transaction.changes.created
    catalog = CatalogCommit(
        environment.catalog,
        environment.storage,
        environment.oracle,
        transaction.changes.buffered,
        transaction.changes.authors,
    )
    tables: dict[GlobalId, list[pa.Table | Part]] = {}
    for write in transaction.writes.buffered:
        if write.id not in rewritten and write.updates:
            tables.setdefault(write.id, []).extend(write.updates)
    if transaction.writes.scheduled:
        tables[SCHEDULED_SHARD_ID] = [scheduled_rows(transaction.writes.scheduled)]
    moved = (
        transaction.changes.buffered
        or transaction.reads.noted
        or transaction.reads.unrepeatable
        or transaction.reads.sources
    )
    return WriteRequest(
        tables=tables,
        parts=_parts(environment, transaction, catalog, altered, rebuilding),
        exclusive=bool(moved),
        reads=transaction.reads.footprint,
        rewritten=rewritten,
        dropped=lambda: catalog.before.items.keys() - catalog.after.items.keys(),
        owner=transaction.locks.owner,
    )


def _parts(
    environment: Environment,
    transaction: Transaction,
    catalog: CatalogCommit,
    altered: frozenset[GlobalId],
    rebuilding: Rebuilding,
) -> tuple[CommitPart, ...]:
    """Returns the parts, in an order in which each may look at earlier parts. A collection is released before it is
    dropped, and made before its rows come."""
    storage, dataflows = environment.storage, environment.dataflows
    parts: tuple[CommitPart, ...] = (
        catalog,
        HoldCommit(catalog, storage, transaction.hold_origins, tuple(transaction.hold_moves)),
        WritesCommit(catalog, environment, transaction),
        ReadsCommit(catalog, environment, transaction),
    )
    if not transaction.changes.buffered:
        return parts
    assert transaction.changes.base is not None, "the first change notes it"
    tables = TablesCommit(catalog, storage, environment.options.retain_history_ms)
    sources = SourcesCommit(catalog, environment.ingestions, dataflows, environment.outside.left_slots)
    return (
        *parts,
        PreparedStay(catalog, environment.prepared),
        tables,
        NewClustersCommit(catalog, environment.replicas),
        sources,
        MaintainedCommit(
            catalog,
            sources,
            dataflows,
            environment.planning,
            transaction.changes.base,
            rebuilding.outlines,
            rebuilding.arriving,
        ),
        SinksCommit(catalog, environment.deliveries, dataflows),
        ReplicasCommit(catalog, environment.replicas),
        NewRowsCommit(catalog, tables, environment, transaction, altered),
    )


@dataclass(slots=True)
class WritesCommit(CommitPart):
    """Checks that the tables written to exist, and that their demands on rows are unchanged."""

    catalog: CatalogCommit
    environment: Environment
    transaction: Transaction

    def validate(self, timestamp: Timestamp) -> None:
        """Checks the tables written to. Raises SqlError 40001 for a changed table, 22023 for rows that were due at a
        time that has passed, 55006 for rows due in a table that a prepared transaction has read."""
        transaction, before, after = self.transaction, self.catalog.before, self.catalog.after
        for id_ in _written(transaction):
            if id_ not in after.items:
                raise SqlError(
                    Sqlstate.SERIALIZATION_FAILURE, "a table that the transaction wrote was dropped concurrently"
                )
            seen = transaction.writes.written_in.get(id_)
            if seen is not None and seen is not before and demands(after, id_) - demands(seen, id_):
                raise SqlError(
                    Sqlstate.SERIALIZATION_FAILURE, "a table that the transaction wrote was altered concurrently"
                )
        for scheduled in transaction.writes.scheduled:
            if self.environment.prepared.reading(scheduled.id) is not None:
                message = (
                    f'cannot INSERT AS OF into "{after.items[scheduled.id].name}": a prepared transaction has read it'
                )
                raise SqlError(Sqlstate.OBJECT_IN_USE, message)
            if scheduled.time <= timestamp:
                raise SqlError(
                    Sqlstate.INVALID_PARAMETER_VALUE,
                    f"INSERT AS OF {scheduled.time} is in the past: the table is complete before {timestamp + 1}",
                )

    def applied(self, timestamp: Timestamp) -> None:
        self.environment.scheduled.add(self.transaction.writes.scheduled)


@dataclass(slots=True)
class ReadsCommit(CommitPart):
    """Checks that the transaction's reads are unchanged, as if it had read right before its commit."""

    catalog: CatalogCommit
    environment: Environment
    transaction: Transaction

    def validate(self, timestamp: Timestamp) -> None:
        """Checks the tables, keys and names on which the transaction relies. Raises SqlError 40001 when one of them has
        changed."""
        environment, transaction = self.environment, self.transaction
        if self._is_private():
            return
        if not transaction.changes.reliance.holds_in(self.catalog.before):
            raise conflicting()
        if transaction.reads.at is None:
            return
        for id_ in transaction.reads.ids:
            if id_ == CATALOG_SHARD_ID:
                unchanged = environment.catalog.changed_at <= transaction.reads.at
            else:
                unchanged = environment.storage.exists(id_) and not environment.storage.reads.changed_after(
                    id_, transaction.reads.at
                )
            if not unchanged:
                raise conflicting()
        for key, identities in transaction.reads.keys.items():
            if key.table in transaction.reads.ids:
                continue
            if changed_by_key(environment, key, identities, transaction.reads.at):
                raise conflicting()

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """Repeats the transaction's reads, and returns writes that fail if a source changes meanwhile. Raises SqlError
        40001 when a read has another answer now, or a source has more to say."""
        if self._is_private():
            return ()
        await repeat_reads(self.environment, self.transaction, timestamp)
        return await self.sources_stay(timestamp)

    async def sources_stay(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        """Returns writes that fail if sources read by the transaction have changed. Raises SqlError 40001."""
        environment, transaction = self.environment, self.transaction
        if not transaction.reads.sources or transaction.reads.at is None:
            return ()
        for id_ in transaction.reads.sources:
            item = self.catalog.before.items.get(id_)
            if item is not None and isinstance(item.definition, Sink):
                # No other than the sink itself can say that it stays where it was.
                message = "a transaction that writes can't have read the progress of a sink"
                raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint="Read it in a transaction of its own.")
        read, ingestions, storage = transaction.reads.sources, environment.ingestions, environment.storage
        return await unchanged_until(timestamp, read, transaction.reads.at, ingestions, storage)

    def _is_private(self) -> bool:
        """Returns whether only the session itself can see the written rows, those of temporary tables: the
        transaction may then count as committed at its read time. Temporary tables themselves are in the system
        relations, which everyone can read."""
        transaction = self.transaction
        if transaction.changes.buffered or transaction.hold_moves:
            return False
        return all(is_temporary_item(self.catalog.after, id_) for id_ in _written(transaction))


@dataclass(slots=True)
class NewRowsCommit(CommitPart):
    """Rows of tables that the commit creates, or whose columns it changes."""

    catalog: CatalogCommit
    tables: TablesCommit
    environment: Environment
    transaction: Transaction
    altered: frozenset[GlobalId]

    async def prepare(self, timestamp: Timestamp) -> Sequence[PreparedWrite]:
        prepared, upper = [], Antichain.at(timestamp + 1)
        for id_ in sorted({*self.tables.created(), *self.altered}):
            updates = self.transaction.writes.of(id_)
            if updates:
                desc, lower = self.catalog.after.items[id_].desc, self.catalog.lower
                prepared.append(await self.environment.storage.prepare_append(id_, updates, lower, upper, desc=desc))
        return prepared


def _written(transaction: Transaction) -> set[GlobalId]:
    return transaction.writes.ids() | {write.id for write in transaction.writes.scheduled}
