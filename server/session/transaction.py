"""A transaction as its session sees it: nothing of it reaches storage before COMMIT.

Reads happen at one timestamp, chosen at the first of them. Writes and catalog changes are buffered in order; a
savepoint is a place in these buffers. An implicit transaction spans the statements of one simple Query message, or of
one pipeline up to Sync.
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
from server.coordinator.constraints.deferred import DeferredKeys
from server.coordinator.constraints.own_keys import OwnKeys
from server.coordinator.locking.locks import LockHolder, Locks
from server.coordinator.read_holds import HoldMove, Origin
from server.coordinator.scheduled import ScheduledRows
from storage.holds import StorageReadHold
from storage.persist.state import Part
from timeline.footprint import Footprint, Identities, KeyColumns, ReadKeys, joined
from timeline.waiting import LockOwner

if TYPE_CHECKING:
    from server.coordinator.noting import NotedRead


@dataclass(frozen=True, slots=True)
class BufferedWrite:
    """Updates of one collection: tables whose `diff` column may be missing (+1), and parts staged already. `retracts`:
    there are rows among them that go; `as_stored`: all of these came from an index, as they were stored."""

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
    deferring: tuple[bool | None, dict[int, bool]]


@dataclass(slots=True)
class Transaction:
    """`catalog` is set once a catalog change is buffered: the state with the transaction's own changes applied, to the
    newest state at the first of them, which is `base`. `seen` is the committed catalog in which it reads.

    `dated`: `read_ts` has shown in an answer, or may have, or a cursor has yet to read at it.

    `held` are collections that `holds` keep readable at `read_ts`, one by one.

    `reliance` is what it relies on in the catalog. `read_ids` are the base collections that were read, `read_sources`
    those of sources, so that COMMIT can tell whether they have changed since `read_ts`, and `read_keys` what was read
    of others by keys; `computed` are those whose rows it has had from Spark;
    `undo` restores the session's variables on ROLLBACK, latest first. `hold_origins` says of each
    new capability of a named read hold, by its id, where it begins. `written_in` is the catalog in which each table was
    first written, `own_keys` what was written by the keys of tables, under their indexes. `several`: an implicit one of
    several statements, in which cursors can be declared. `noted` are reads that COMMIT repeats; `unrepeatable`: one
    that it would have to can't be. `widenings` are the tables that have got columns, with what they had before. `owner`
    stands for it where locks are held; `alone`: of one statement, which nothing follows; `undisturbed`: from its first
    read to its commit nobody else commits. `deferred` are the foreign keys that COMMIT is to hold. `locks` are on rows
    and tables, `write_locks` on what is `locked`. `number`: its id, once somebody has asked for it. `queried`: it has
    run more than what only says how transactions and variables are.
    """

    explicit: bool
    started: datetime.datetime
    read_only: bool = False
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
    locks: LockHolder = field(default_factory=lambda: Locks().holder(0))
    statements: int = 0
    queried: bool = False
    number: int | None = None
    deferred: DeferredKeys = field(default_factory=DeferredKeys)
    widenings: list[tuple[GlobalId, RelationDesc]] = field(default_factory=list)
    _own_view: tuple[CatalogState, CatalogState] | None = None

    @property
    def writing(self) -> bool:
        return bool(self.writes or self.scheduled or self.changes or self.hold_moves)

    @property
    def lasts(self) -> bool:
        """Whether more than one statement reads at its time."""
        return self.explicit or self.several

    def change(self, base: CatalogState, after: CatalogState, changes: Iterable[Change]) -> None:
        """Buffers catalog changes that lead to `after`; `base` is the newest committed catalog."""
        if self.catalog is None:
            self.base = base
        self.catalog = after
        self.changes.extend(changes)

    def sees(self) -> CatalogState:
        """The catalog in which it reads, with its own changes; SqlError 40001 when these don't fit what it sees."""
        assert self.seen is not None, "it has not read yet"
        if self.catalog is None:
            return self.seen
        if self._own_view is None or self._own_view[0] is not self.catalog:
            try:
                self._own_view = self.catalog, apply(self.seen, self.changes)
            except SqlError as error:
                raise conflicting() from error
        return self._own_view[1]

    def reads_keys(self, keys: ReadKeys) -> None:
        """Rows are read by these keys."""
        self.read_keys, whole = joined(self.read_keys, keys)
        self.read_ids |= whole

    def forget_reads_since(self, earlier: Footprint, tables: Set[GlobalId]) -> None:
        """What was read of these tables after `earlier` can't change, and doesn't count."""
        self.read_ids -= tables - earlier.tables
        kept = {key: found for key, found in self.read_keys.items() if key.table not in tables}
        self.read_keys = kept | {key: found for key, found in earlier.keys.items() if key.table in tables}

    @property
    def footprint(self) -> Footprint:
        """What it has read so far of tables."""
        return Footprint(frozenset(self.read_ids), self.read_keys)

    def written_ids(self) -> set[GlobalId]:
        return {write.id for write in self.writes}

    def writes_of(self, id_: GlobalId, count: int | None = None) -> list[pa.Table | Part]:
        """The updates of a collection, in all of its writes or in the first so many."""
        return [update for write in self.writes[:count] if write.id == id_ for update in write.updates]

    def require_writable(self, command: str) -> None:
        """SqlError 25006 in a read-only transaction."""
        if self.read_only:
            raise SqlError(Sqlstate.READ_ONLY_SQL_TRANSACTION, f"cannot execute {command} in a read-only transaction")

    def widen(self, id_: GlobalId, before: RelationDesc, after: RelationDesc) -> None:
        """What was written to the table has the columns that it has now."""
        self.widenings.append((id_, before))
        self._conform(id_, after)

    def _conform(self, id_: GlobalId, desc: RelationDesc) -> None:
        """Parts are conformed when they are read."""

        def of_now(update: pa.Table | Part) -> pa.Table | Part:
            return update if isinstance(update, Part) else conformed(update, desc)

        self.writes = [
            replace(write, updates=tuple(map(of_now, write.updates))) if write.id == id_ else write
            for write in self.writes
        ]

    def set_savepoint(self, name: str, cursors: Iterable[str]) -> None:
        """`cursors` are those that are open."""
        sizes = len(self.writes), len(self.scheduled), len(self.changes)
        own = self.catalog, len(self.undo), len(self.hold_moves)
        later = len(self.widenings), len(self.locks.taken)
        deferring = self.deferred.every, dict(self.deferred.modes)
        self.savepoints.append(Savepoint(name, *sizes, *own, frozenset(cursors), self.read_only, *later, deferring))

    def release(self, name: str) -> None:
        """Whether the transaction may write is what it was before the savepoint, as in PostgreSQL."""
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
        del self.changes[point.changes :]
        del self.hold_moves[point.hold_moves :]
        for id_, before in reversed(self.widenings[point.widenings :]):
            self._conform(id_, before)
        del self.widenings[point.widenings :]
        self.catalog = point.catalog
        self.read_only = point.read_only
        self.deferred.every, self.deferred.modes = point.deferring[0], dict(point.deferring[1])
        # What was read of rows while they were locked counts as read once they are not.
        self.read_ids |= {each.table for each, _ in self.locks.taken[point.locks :] if each.key is not None}
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
        """As if it had not read yet."""
        self.read_ts = self.seen = self._own_view = None
        self.read_ids.clear()
        self.read_sources.clear()
        self.read_keys = {}
        self.noted.clear()
        self.unrepeatable = self.dated = False
        self._release_holds()

    async def release_write_locks(self) -> None:
        """What it has read under them may change from now on; COMMIT looks whether it has."""
        self.locked = Footprint()
        await self.write_locks.aclose()

    async def release_resources(self) -> None:
        """Lets go of read holds and locks."""
        self._release_holds()
        self.locks.release_from(0)
        await self.release_write_locks()
        await self.resources.aclose()

    def hold(self, holds: Iterable[StorageReadHold]) -> None:
        """It has these, at the time at which it reads, until it ends."""
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
    """What the transaction has read was changed by another."""
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
