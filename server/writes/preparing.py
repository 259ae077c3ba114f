"""PREPARE TRANSACTION, and the two ways in which a prepared transaction ends.

    PREPARE TRANSACTION   validates the reads, and keeps the writes in a row of the prepared transactions' shard
    COMMIT PREPARED       the writes are appended to the tables, and the row is retracted, at one timestamp
    ROLLBACK PREPARED     the row is retracted

PREPARE validates everything that COMMIT validates, and keeps all of the transaction's reads unchanged from then on.
COMMIT PREPARED therefore never fails because of another transaction, and never waits for a lock.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from catalog.durable.rows import CATALOG_SHARD_ID
from catalog.facts.roles.decide import is_superuser
from catalog.facts.temporary_items import is_temporary_item
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from planner.plans.locks import TableMode, WaitPolicy
from server.environment.environment import Environment
from server.ledgers.committed_catalog import CatalogCommit
from server.ledgers.locks import Resource
from server.ledgers.prepared import PREPARED_SHARD_ID, PreparedTransaction
from server.transactions.catalog_changes import conflicting
from server.transactions.execution import Execution
from server.transactions.transaction import Transaction
from server.writes.committing import ReadsCommit, WritesCommit
from server.writes.locking.waiting import take_lock
from server.writes.locking.written import lock_written_rows
from server.writes.retractions import require_held
from storage.persist.state import Part
from timeline.commit_part import CommitPart
from timeline.footprint import Footprint
from timeline.group_commit import WriteRequest

_BYTES_MAX = 16 << 20


async def prepare_transaction(execution: Execution, gid: str) -> None:
    """Makes the execution's transaction durable under a name, for any session to end. SqlError: the transaction can't
    be prepared, and has to be rolled back."""
    environment, transaction = execution.environment, execution.transaction
    _require_preparable(execution)
    environment.prepared.reserve(gid)
    unknown = False
    try:
        await lock_written_rows(execution)
        await _lock_read_tables(execution)
        await require_held(environment, transaction)
        preparation = _Preparation(environment, transaction, _prepared(execution, gid))
        try:
            await environment.committer.submit(_request(environment, transaction, preparation))
        except BaseException as error:
            unknown = _is_unknown(error)
            preparation.forsake(unknown=unknown)
            raise
    except BaseException:
        if not unknown:
            environment.prepared.give_back(gid)
        raise


async def finish_prepared(execution: Execution, gid: str, *, commit: bool) -> None:
    """Ends a prepared transaction. SqlError: the transaction stays prepared."""
    environment, state = execution.environment, execution.newest_catalog
    database = state.database_named(execution.asker.database)
    assert database is not None, "the session is in it"
    superuser = is_superuser(state, execution.role)
    prepared = environment.prepared.finishing(gid, execution.role, database.oid, superuser=superuser)
    tables: dict[GlobalId, list[pa.Table | Part]] = {PREPARED_SHARD_ID: [prepared.update(-1)]}
    if commit:
        tables.update({id_: list(updates) for id_, updates in prepared.writes.items()})
    ending = _Ending(environment, prepared)
    try:
        request = WriteRequest(tables=tables, parts=(ending,), owner=prepared.owner, prepared=True)
        await environment.committer.submit(request)
    except BaseException as error:
        ending.forsake(unknown=_is_unknown(error))
        raise


def _is_unknown(error: BaseException) -> bool:
    return isinstance(error, SqlError) and error.sqlstate is Sqlstate.STATEMENT_COMPLETION_UNKNOWN


def _require_preparable(execution: Execution) -> None:
    """Raises SqlError 0A000 for a transaction that can't go on without a session, and 54000 for too many rows."""
    transaction, catalog = execution.transaction, execution.catalog
    named = {*transaction.changes.reliance.items, *transaction.writes.ids(), *transaction.changes.created}
    if any(is_temporary_item(catalog, id_) for id_ in named):
        raise _refused("cannot PREPARE a transaction that has operated on temporary objects")
    if transaction.notes.notes or transaction.notes.changes:
        raise _refused("cannot PREPARE a transaction that has executed LISTEN, UNLISTEN, or NOTIFY")
    if {resource for resource, _ in transaction.locks.holder.taken} & {
        resource for resource, _ in execution.asker.locks.counts
    }:
        message = "cannot PREPARE while holding both session-level and transaction-level locks on the same object"
        raise _refused(message)
    if transaction.changes.buffered:
        raise _refused("cannot PREPARE a transaction that has changed the catalog")
    if transaction.writes.scheduled:
        raise _refused("cannot PREPARE a transaction that has executed INSERT AS OF")
    if transaction.hold_moves:
        raise _refused("cannot PREPARE a transaction that has moved a read hold")
    if transaction.writes.buffered:
        _require_lasting_reads(transaction)
    updates = [each for write in transaction.writes.buffered for each in write.updates]
    staged = any(isinstance(each, Part) for each in updates)
    if staged or sum(each.nbytes for each in updates if not isinstance(each, Part)) > _BYTES_MAX:
        raise SqlError(
            Sqlstate.PROGRAM_LIMIT_EXCEEDED,
            "cannot PREPARE a transaction that has written so much",
            detail=f"The rows of a prepared transaction have {_BYTES_MAX >> 20} MiB at most.",
        )


def _require_lasting_reads(transaction: Transaction) -> None:
    """Raises SqlError 0A000 for reads that no lock protects."""
    if transaction.reads.sources:
        raise _refused("cannot PREPARE a transaction that writes and has read what comes from a source")
    if transaction.reads.unrepeatable or any(noted.reads.timed for noted in transaction.reads.noted):
        raise _refused("cannot PREPARE a transaction that writes and has read under conditions on mz_now()")
    if transaction.reads.noted or CATALOG_SHARD_ID in transaction.reads.ids:
        raise _refused("cannot PREPARE a transaction that writes and has read system relations by name")


def _refused(message: str) -> SqlError:
    return SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)


async def _lock_read_tables(execution: Execution) -> None:
    """Keeps DDL from the tables read by the transaction, as from the tables written. Raises SqlError 40P01, 55P03."""
    items = execution.catalog.items
    for id_ in sorted(execution.transaction.reads.footprint.all_tables):
        if id_ in items:
            await take_lock(execution, Resource(id_), TableMode.ROW_SHARE, WaitPolicy.WAIT, items[id_].name)


def _prepared(execution: Execution, gid: str) -> PreparedTransaction:
    """Returns the transaction in its prepared form, with the locks taken from the session."""
    environment, transaction = execution.environment, execution.transaction
    database = execution.catalog.database_named(execution.asker.database)
    assert database is not None, "the session is in it"
    writes: dict[GlobalId, list[pa.Table]] = {}
    for write in transaction.writes.buffered:
        tables = [each for each in write.updates if isinstance(each, pa.Table) and each.num_rows]
        if tables:
            writes.setdefault(write.id, []).extend(tables)
    # What has only been read is as it was at its time, whatever comes.
    reads = transaction.reads.footprint if writes else Footprint()
    number = execution.facts.transaction_id()
    locks = environment.locks.rows.of_session(0, number).transaction()
    transaction.locks.holder.hand_over(locks)
    return PreparedTransaction(
        gid=gid,
        number=number,
        role=execution.role,
        database=database.oid,
        prepared_ms=environment.clock.now_ms(),
        writes=writes,
        reads=reads,
        relied=frozenset({*transaction.changes.reliance.items, *reads.all_tables, *writes}) if writes else frozenset(),
        locks=locks,
    )


def _request(environment: Environment, transaction: Transaction, preparation: _Preparation) -> WriteRequest:
    catalog = CatalogCommit(environment.catalog, environment.storage, environment.oracle, (), ())
    prepared = preparation.prepared
    return WriteRequest(
        tables={PREPARED_SHARD_ID: [prepared.update(1)]},
        parts=(
            catalog,
            WritesCommit(catalog, environment, transaction),
            ReadsCommit(catalog, environment, transaction),
            preparation,
        ),
        exclusive=True,
        reads=prepared.reads,
        foreseen=prepared.written,
        owner=prepared.owner,
    )


@dataclass(slots=True)
class _Preparation(CommitPart):
    """The part of PREPARE TRANSACTION's commit that adds the prepared transaction. `doubted`: the client has been told
    of an unknown outcome."""

    environment: Environment
    transaction: Transaction
    prepared: PreparedTransaction
    doubted: bool = False

    def validate(self, timestamp: Timestamp) -> None:
        """Raises SqlError 40001 when another prepared transaction will change rows read by the transaction, and 0A000
        when rows are due in a table read."""
        environment, reads = self.environment, self.prepared.reads
        if environment.prepared.changing(reads) is not None:
            raise conflicting()
        for id_ in reads.all_tables:
            if environment.scheduled.waits_for(id_):
                name = environment.catalog.state.items[id_].name
                raise _refused(f'cannot PREPARE a transaction that has read "{name}", into which rows will come AS OF')

    def applied(self, timestamp: Timestamp) -> None:
        self.environment.prepared.add(self.prepared)

    def abandon(self) -> None:
        if self.doubted:
            self._give_back()
            self.environment.prepared.give_back(self.prepared.gid)

    def forsake(self, *, unknown: bool) -> None:
        """Gives the locks back after a failure, or keeps the locks until the outcome is known."""
        self.doubted = unknown
        if not unknown:
            self._give_back()

    def _give_back(self) -> None:
        self.prepared.locks.release_from(0)


@dataclass(slots=True)
class _Ending(CommitPart):
    """The part of a commit that removes a prepared transaction. `doubted`: as above."""

    environment: Environment
    prepared: PreparedTransaction
    doubted: bool = False

    def applied(self, timestamp: Timestamp) -> None:
        self.environment.prepared.remove(self.prepared)
        self.environment.committer.wake()

    def abandon(self) -> None:
        if self.doubted:
            self.prepared.busy = False

    def forsake(self, *, unknown: bool) -> None:
        """Lets any session end the transaction after a failure, once the outcome is known."""
        self.doubted = unknown
        self.prepared.busy = unknown
