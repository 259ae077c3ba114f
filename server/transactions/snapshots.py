"""Snapshots that several transactions share: pg_export_snapshot() and SET TRANSACTION SNAPSHOT.

A snapshot is a time. The exporting transaction holds everything readable at its time until its end, and so long others
may begin to read at the same time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from server.environment.parts import ExportedSnapshot
from server.transactions.transaction import Transaction

if TYPE_CHECKING:
    from server.transactions.execution import Execution

_IDENTIFIER = re.compile("[0-9A-F-]+")
_WHOLE = ("repeatable read", "serializable")


def export_snapshot(execution: Execution, timestamp: Timestamp) -> str:
    """Returns the identifier of the transaction's snapshot, valid until the transaction ends. Raises SqlError 25001 in
    a subtransaction, 0A000 in places without a time."""
    transaction, snapshots = execution.transaction, execution.environment.clients.snapshots
    transaction.require_effects("pg_export_snapshot()")
    if transaction.savepoints:
        raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, "cannot export a snapshot from a subtransaction")
    if timestamp == TIMESTAMP_MIN or timestamp != transaction.reads.at:
        raise NotSupported("pg_export_snapshot here")
    begins = f"{execution.asker.pid:08X}-{execution.facts.transaction_id() % 2**32:08X}-"
    identifier = begins + str(1 + sum(each.startswith(begins) for each in snapshots))
    found = ExportedSnapshot(timestamp, execution.asker.database, transaction.isolation, transaction.read_only)
    snapshots[identifier] = found
    transaction.resources.callback(snapshots.pop, identifier, None)
    return identifier


def imported_snapshot(execution: Execution, identifier: str) -> ExportedSnapshot:
    """Returns an exported snapshot for a transaction that has read nothing. Raises SqlError 25001, 0A000 and 22023 as
    PostgreSQL does."""
    transaction = execution.transaction
    if transaction.queried or transaction.savepoints or transaction.reads.at is not None or transaction.writing:
        message = "SET TRANSACTION SNAPSHOT must be called before any query"
        raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, message)
    if transaction.isolation not in _WHOLE:
        raise _refused("a snapshot-importing transaction must have isolation level SERIALIZABLE or REPEATABLE READ")
    found = execution.environment.clients.snapshots.get(identifier)
    if found is None or not _IDENTIFIER.fullmatch(identifier):
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'invalid snapshot identifier: "{identifier}"')
    _require_fitting(found, transaction, execution.asker.database)
    return found


def _require_fitting(found: ExportedSnapshot, transaction: Transaction, database: str) -> None:
    if transaction.isolation == "serializable" and found.isolation != "serializable":
        raise _refused("a serializable transaction cannot import a snapshot from a non-serializable transaction")
    if transaction.isolation == "serializable" and found.read_only and not transaction.read_only:
        message = "a non-read-only serializable transaction cannot import a snapshot from a read-only transaction"
        raise _refused(message)
    if found.database != database:
        raise _refused("cannot import a snapshot from a different database")


def _refused(message: str) -> SqlError:
    return SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
