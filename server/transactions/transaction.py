"""A transaction as its session sees it: no write reaches storage before COMMIT.

All reads are at one time, chosen at the first read. Writes and catalog changes are buffered in order; a savepoint is a
position in these buffers. An implicit transaction spans the statements of one simple Query message, or of one pipeline
up to Sync.
"""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field

from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from server.ledgers.notifications import PendingNotes
from server.ledgers.read_holds import HoldMove, Origin
from server.settings.settings import Undo
from server.transactions.catalog_changes import CatalogChanges
from server.transactions.deferred import DeferredKeys
from server.transactions.open_objects import OpenLargeObject
from server.transactions.transaction_locks import TransactionLocks
from server.transactions.transaction_reads import TransactionReads
from server.transactions.transaction_writes import TransactionWrites


@dataclass(frozen=True, slots=True)
class Savepoint:
    name: str
    writes: int
    scheduled: int
    changes: int
    catalog: CatalogState | None
    variables: int
    hold_moves: int
    cursors: frozenset[str]
    read_only: bool
    widenings: int
    locks: int
    notes: tuple[int, int]
    deferring: tuple[bool | None, dict[int, bool]]
    written_in: dict[GlobalId, CatalogState]
    created: frozenset[GlobalId]
    descriptors: dict[int, OpenLargeObject]


@dataclass(slots=True)
class Transaction:
    """One transaction of a session.

    `several`: an implicit transaction of several statements, in which cursors can be declared
    `alone`: a transaction of one statement, which nothing follows
    `undisturbed`: nobody else commits between the first read and the commit
    `claims`: tables about which a run before has lost; routines keep others from changing them
    `reads`, `writes`, `changes`, `locks`: what it has read, written, changed in the catalog, and locked
    `deferred`: foreign keys that COMMIT checks
    `hold_origins`: for each new capability of a named read hold, the time at which the hold begins
    `undo`: restores the session's variables on ROLLBACK, latest first
    `notes`: NOTIFY's messages, sent to other sessions at COMMIT
    `number`: the transaction's id, once somebody has asked for the id
    `queried`: some statement was about more than transactions and variables
    `effectless`: effects other than writes are refused: functions with effects, and locks on rows
    """

    explicit: bool
    started: datetime.datetime
    read_only: bool = False
    effectless: bool = False
    isolation: str = "serializable"
    deferrable: bool = False
    failed: bool = False
    several: bool = False
    reads: TransactionReads = field(default_factory=TransactionReads)
    writes: TransactionWrites = field(default_factory=TransactionWrites)
    changes: CatalogChanges = field(default_factory=CatalogChanges)
    locks: TransactionLocks = field(default_factory=TransactionLocks)
    hold_origins: dict[str, Origin] = field(default_factory=dict)
    hold_moves: list[HoldMove] = field(default_factory=list)
    savepoints: list[Savepoint] = field(default_factory=list)
    undo: list[Undo] = field(default_factory=list)
    resources: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    alone: bool = False
    undisturbed: bool = False
    claims: frozenset[GlobalId] = frozenset()
    statements: int = 0
    queried: bool = False
    number: int | None = None
    deferred: DeferredKeys = field(default_factory=DeferredKeys)
    notes: PendingNotes = field(default_factory=PendingNotes)

    @property
    def writing(self) -> bool:
        return bool(self.writes.buffered or self.writes.scheduled or self.changes.buffered or self.hold_moves)

    @property
    def touched(self) -> frozenset[GlobalId]:
        """Returns the collections that it has read or written."""
        return frozenset(self.reads.ids) | {write.id for write in self.writes.buffered}

    @property
    def lasts(self) -> bool:
        """Tells whether more than one statement reads at its time."""
        return self.explicit or self.several

    def sees(self) -> CatalogState:
        """Returns the catalog for the transaction's reads, its own changes included; raises SqlError 40001 if the
        changes don't fit the present catalog.
        """
        assert self.reads.seen is not None, "it has not read yet"
        return self.changes.seen_over(self.reads.seen)

    def require_writable(self, command: str) -> None:
        """Raises SqlError 25006 in a read-only transaction."""
        if self.read_only:
            raise SqlError(Sqlstate.READ_ONLY_SQL_TRANSACTION, f"cannot execute {command} in a read-only transaction")

    def require_effects(self, function: str) -> None:
        """Raises SqlError 25006 where no effects are allowed but writes, if these."""
        if self.effectless:
            message = f"cannot execute {function} where statements may have no effects of their own"
            raise SqlError(Sqlstate.READ_ONLY_SQL_TRANSACTION, message)

    def set_savepoint(self, name: str, cursors: Iterable[str]) -> None:
        """Sets a savepoint; `cursors` are the open ones."""
        sizes = len(self.writes.buffered), len(self.writes.scheduled), len(self.changes.buffered)
        own = self.changes.catalog, len(self.undo), len(self.hold_moves)
        later = len(self.writes.widenings), len(self.locks.holder.taken), self.notes.place
        deferring = self.deferred.every, dict(self.deferred.modes)
        known = dict(self.writes.written_in), frozenset(self.changes.created), dict(self.writes.objects.descriptors)
        self.savepoints.append(
            Savepoint(name, *sizes, *own, frozenset(cursors), self.read_only, *later, deferring, *known)
        )

    def release(self, name: str) -> None:
        """Releases a savepoint. As in PostgreSQL, READ ONLY goes back to its value at the savepoint."""
        index = self._index(name)
        self.read_only = self.savepoints[index].read_only
        del self.savepoints[index:]

    def rollback_to(self, name: str) -> tuple[list[Undo], frozenset[str], list[str]]:
        """Cuts the buffers; gives the variables' old values to restore, latest first, the names of the cursors that
        were open, and the keys of parts that were staged since and will never be committed. The savepoint stays."""
        index = self._index(name)
        point = self.savepoints[index]
        del self.savepoints[index + 1 :]
        if len(self.changes.buffered) > point.changes:
            # They know rows as the tables were.
            self.writes.own_keys.clear()
        staged = self.writes.cut(point.writes, point.scheduled, point.widenings)
        self.writes.written_in = dict(point.written_in)
        self.changes.cut(point.changes, point.catalog)
        self.changes.created = set(point.created)
        del self.hold_moves[point.hold_moves :]
        self.read_only = point.read_only
        self.notes.cut(point.notes)
        self.writes.objects.go_back(point.descriptors)
        self.deferred.every, self.deferred.modes = point.deferring[0], dict(point.deferring[1])
        # What was read of rows while they were locked counts as read once they are not.
        self.reads.ids |= self.locks.holder.rows_locked_since(point.locks)
        self.locks.holder.release_from(point.locks)
        undone = self.undo[point.variables :][::-1]
        del self.undo[point.variables :]
        self.failed = False
        return undone, point.cursors, staged

    def _index(self, name: str) -> int:
        for index in reversed(range(len(self.savepoints))):
            if self.savepoints[index].name == name:
                return index
        raise SqlError(Sqlstate.INVALID_SAVEPOINT_SPECIFICATION, f'savepoint "{name}" does not exist')

    async def release_resources(self) -> None:
        """Lets go of read holds and locks."""
        self.reads.release_holds()
        try:
            await self.locks.release()
        finally:
            await self.resources.aclose()


def failed_transaction() -> SqlError:
    return SqlError(
        Sqlstate.IN_FAILED_SQL_TRANSACTION,
        "current transaction is aborted, commands ignored until end of transaction block",
    )
