"""A transaction as its session sees it: no write reaches storage before COMMIT.

All reads are at one time, chosen at the first read. Writes and catalog changes are buffered in order; a savepoint is a
position in these buffers. An implicit transaction spans the statements of one simple Query message, or of one pipeline
up to Sync.
"""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from catalog.changes.apply import apply
from catalog.changes.change import Change
from catalog.lookup.reliance import Reliance
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import conformed
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from server.ledgers.locks import LockHolder, Locks
from server.ledgers.notifications import PendingNotes
from server.ledgers.read_holds import HoldMove, Origin
from server.ledgers.scheduled import ScheduledRows
from server.transactions.deferred import DeferredKeys
from server.transactions.own_keys import OwnKeys
from storage.holds import StorageReadHold
from storage.persist.state import Part
from timeline.footprint import Footprint, Identities, KeyColumns, ReadKeys, joined
from timeline.waiting import LockOwner

if TYPE_CHECKING:
    from server.transactions.noting import NotedRead


@dataclass(frozen=True, slots=True)
class BufferedWrite:
    """Updates of one collection: tables whose `diff` column may be missing (+1), and parts already staged.

    `retracts`: the updates include deletions; `as_stored`: all updates came from an index, in stored form.
    """

    id: GlobalId
    updates: Sequence[pa.Table | Part]
    retracts: bool = False
    as_stored: bool = False


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


@dataclass(slots=True)
class Transaction:
    """One transaction of a session.

    `several`: an implicit transaction of several statements, in which cursors can be declared
    `alone`: a transaction of one statement, which nothing follows
    `undisturbed`: nobody else commits between the first read and the commit
    `read_ts`: the time of all reads; `dated`: an answer may have shown `read_ts`, or a cursor will read at `read_ts`
    `seen`: the committed catalog in which statements read
    `authors`: the user who asked for each of `changes`
    `catalog`, `base`: set by the first catalog change: `base` is the newest state at the time, `catalog` is `base` with
        the transaction's changes
    `reliance`: items of the catalog that must be unchanged at COMMIT
    `holds`, `held`: holds at `read_ts`, and the collections kept readable by `holds`
    `read_ids`, `read_sources`: collections that were read (tables and views; sources), for COMMIT to test for changes
    `read_keys`: keys by which further collections were read
    `computed`: collections whose rows were computed by Spark
    `noted`: reads that COMMIT repeats; `unrepeatable`: a read that COMMIT would have to repeat, and can't
    `written_in`: the catalog in which each table was first written
    `own_keys`: the keys written, by index
    `widenings`: tables that have got columns, with their columns before
    `deferred`: foreign keys that COMMIT checks
    `owner`: the owner of the transaction's locks; `locks`: on rows and tables; `write_locks`: on the collections in
        `locked`
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
    read_ts: Timestamp | None = None
    dated: bool = False
    read_ids: set[GlobalId] = field(default_factory=set)
    read_sources: set[GlobalId] = field(default_factory=set)
    read_keys: dict[KeyColumns, Identities] = field(default_factory=dict)
    computed: set[GlobalId] = field(default_factory=set)
    noted: list[NotedRead] = field(default_factory=list)
    unrepeatable: bool = False
    writes: list[BufferedWrite] = field(default_factory=list)
    written_in: dict[GlobalId, CatalogState] = field(default_factory=dict)
    own_keys: dict[tuple[GlobalId | str, ...], OwnKeys] = field(default_factory=dict)
    scheduled: list[ScheduledRows] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    authors: list[str | None] = field(default_factory=list)
    catalog: CatalogState | None = None
    base: CatalogState | None = None
    seen: CatalogState | None = None
    reliance: Reliance = field(default_factory=Reliance)
    created: set[GlobalId] = field(default_factory=set)
    hold_origins: dict[str, Origin] = field(default_factory=dict)
    hold_moves: list[HoldMove] = field(default_factory=list)
    savepoints: list[Savepoint] = field(default_factory=list)
    undo: list[tuple[str, str, bool]] = field(default_factory=list)
    holds: list[StorageReadHold] = field(default_factory=list)
    held: set[GlobalId] = field(default_factory=set)
    resources: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    write_locks: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    locked: Footprint = field(default_factory=Footprint)
    owner: LockOwner = field(default_factory=LockOwner)
    alone: bool = False
    undisturbed: bool = False
    locks: LockHolder = field(default_factory=lambda: Locks().of_session(0).transaction())
    statements: int = 0
    queried: bool = False
    number: int | None = None
    deferred: DeferredKeys = field(default_factory=DeferredKeys)
    widenings: list[tuple[GlobalId, RelationDesc]] = field(default_factory=list)
    notes: PendingNotes = field(default_factory=PendingNotes)
    _own_view: tuple[CatalogState, CatalogState] | None = None
    _own_newest: tuple[CatalogState, CatalogState, CatalogState] | None = None

    @property
    def writing(self) -> bool:
        return bool(self.writes or self.scheduled or self.changes or self.hold_moves)

    @property
    def lasts(self) -> bool:
        """Tells whether more than one statement reads at its time."""
        return self.explicit or self.several

    def change(self, base: CatalogState, after: CatalogState, changes: Sequence[Change], author: str | None) -> None:
        """Buffers catalog changes that lead to `after`; `base` is the newest committed catalog, `author` the user who
        asked for them."""
        if self.catalog is None:
            self.base = base
        self.catalog = after
        self.changes.extend(changes)
        self.authors.extend(author for _ in changes)

    def sees(self) -> CatalogState:
        """Returns the catalog for the transaction's reads, its own changes included; raises SqlError 40001 if the
        changes don't fit the present catalog.
        """
        assert self.seen is not None, "it has not read yet"
        if self.catalog is None:
            return self.seen
        if self._own_view is None or self._own_view[0] is not self.catalog:
            try:
                self._own_view = self.catalog, apply(self.seen, self.changes)
            except SqlError as error:
                raise conflicting() from error
        return self._own_view[1]

    def over(self, committed: CatalogState) -> CatalogState:
        """Returns the newest committed catalog with its own changes; raises SqlError 40001 when these don't fit."""
        if self.catalog is None:
            return committed
        if committed is self.base:
            return self.catalog
        known = self._own_newest
        if known is None or known[0] is not self.catalog or known[1] is not committed:
            try:
                known = self._own_newest = self.catalog, committed, apply(committed, self.changes)
            except SqlError as error:
                raise conflicting() from error
        return known[2]

    def reads_keys(self, keys: ReadKeys) -> None:
        """Notes that rows are read by these keys."""
        self.read_keys, whole = joined(self.read_keys, keys)
        self.read_ids |= whole

    def forget_reads_since(self, earlier: Footprint, tables: Set[GlobalId]) -> None:
        """Forgets what was read of these tables after `earlier`, because it can't have changed."""
        self.read_ids -= tables - earlier.tables
        kept = {key: found for key, found in self.read_keys.items() if key.table not in tables}
        self.read_keys = kept | {key: found for key, found in earlier.keys.items() if key.table in tables}

    @property
    def footprint(self) -> Footprint:
        """Returns the reads of tables up to now."""
        return Footprint(frozenset(self.read_ids), self.read_keys)

    def written_ids(self) -> set[GlobalId]:
        return {write.id for write in self.writes}

    def writes_of(self, id_: GlobalId, count: int | None = None) -> list[pa.Table | Part]:
        """Returns the updates of a collection, in all of its writes or in the first `count`."""
        return [update for write in self.writes[:count] if write.id == id_ for update in write.updates]

    def require_writable(self, command: str) -> None:
        """Raises SqlError 25006 in a read-only transaction."""
        if self.read_only:
            raise SqlError(Sqlstate.READ_ONLY_SQL_TRANSACTION, f"cannot execute {command} in a read-only transaction")

    def require_effects(self, function: str) -> None:
        """Raises SqlError 25006 where no effects are allowed but writes, if these."""
        if self.effectless:
            message = f"cannot execute {function} where statements may have no effects of their own"
            raise SqlError(Sqlstate.READ_ONLY_SQL_TRANSACTION, message)

    def widen(self, id_: GlobalId, before: RelationDesc, after: RelationDesc) -> None:
        """Notes that a table has got columns, and adds them to the rows written to it."""
        self.widenings.append((id_, before))
        self._conform(id_, after)

    def _conform(self, id_: GlobalId, desc: RelationDesc) -> None:
        """Adds new columns to buffered tables (parts are adapted when they are read)."""

        def of_now(update: pa.Table | Part) -> pa.Table | Part:
            return update if isinstance(update, Part) else conformed(update, desc)

        self.writes = [
            replace(write, updates=tuple(map(of_now, write.updates))) if write.id == id_ else write
            for write in self.writes
        ]

    def set_savepoint(self, name: str, cursors: Iterable[str]) -> None:
        """Sets a savepoint; `cursors` are the open ones."""
        sizes = len(self.writes), len(self.scheduled), len(self.changes)
        own = self.catalog, len(self.undo), len(self.hold_moves)
        later = len(self.widenings), len(self.locks.taken), self.notes.place
        deferring = self.deferred.every, dict(self.deferred.modes)
        self.savepoints.append(Savepoint(name, *sizes, *own, frozenset(cursors), self.read_only, *later, deferring))

    def release(self, name: str) -> None:
        """Releases a savepoint. As in PostgreSQL, READ ONLY goes back to its value at the savepoint."""
        index = self._index(name)
        self.read_only = self.savepoints[index].read_only
        del self.savepoints[index:]

    def rollback_to(self, name: str) -> tuple[list[tuple[str, str, bool]], frozenset[str]]:
        """Cuts the buffers; gives the variables' old values to restore, latest first, and the names of the cursors that
        were open. The savepoint stays."""
        index = self._index(name)
        point = self.savepoints[index]
        del self.savepoints[index + 1 :]
        del self.writes[point.writes :]
        del self.scheduled[point.scheduled :]
        del self.changes[point.changes :], self.authors[point.changes :]
        del self.hold_moves[point.hold_moves :]
        for id_, before in reversed(self.widenings[point.widenings :]):
            self._conform(id_, before)
        del self.widenings[point.widenings :]
        self.catalog = point.catalog
        self.read_only = point.read_only
        self.notes.cut(point.notes)
        self.deferred.every, self.deferred.modes = point.deferring[0], dict(point.deferring[1])
        # What was read of rows while they were locked counts as read once they are not.
        self.read_ids |= self.locks.rows_locked_since(point.locks)
        self.locks.release_from(point.locks)
        undone = self.undo[point.variables :][::-1]
        del self.undo[point.variables :]
        self.failed = False
        return undone, point.cursors

    def _index(self, name: str) -> int:
        for index in reversed(range(len(self.savepoints))):
            if self.savepoints[index].name == name:
                return index
        raise SqlError(Sqlstate.INVALID_SAVEPOINT_SPECIFICATION, f'savepoint "{name}" does not exist')

    def forget_reads(self) -> None:
        """Forgets all reads, as if it had not read yet."""
        self.read_ts = self.seen = self._own_view = None
        self.read_ids.clear()
        self.read_sources.clear()
        self.read_keys = {}
        self.noted.clear()
        self.unrepeatable = self.dated = False
        self._release_holds()

    async def release_write_locks(self) -> None:
        """Releases the write locks. Collections read under the locks may change from now on: COMMIT tests them."""
        self.locked = Footprint()
        await self.write_locks.aclose()

    async def release_resources(self) -> None:
        """Lets go of read holds and locks."""
        self._release_holds()
        self.locks.release_from(0)
        await self.release_write_locks()
        await self.resources.aclose()

    def hold(self, holds: Iterable[StorageReadHold]) -> None:
        """Takes over these holds, at its time, until it ends."""
        for each in holds:
            self.holds.append(each)
            if each.collection is not None:
                self.held.add(each.collection)

    def _release_holds(self) -> None:
        for hold in self.holds:
            hold.release()
        self.holds.clear()
        self.held.clear()


def conflicting() -> SqlError:
    """Returns the error for a transaction whose reads were changed by another."""
    return SqlError(
        Sqlstate.SERIALIZATION_FAILURE,
        "could not serialize access due to concurrent update",
        hint="The transaction might succeed if retried.",
    )


def failed_transaction() -> SqlError:
    return SqlError(
        Sqlstate.IN_FAILED_SQL_TRANSACTION,
        "current transaction is aborted, commands ignored until end of transaction block",
    )
