"""Prepared transactions: made durable by PREPARE TRANSACTION, ended by COMMIT PREPARED or ROLLBACK PREPARED.

Each is a row of a shard, `prepared (gid, body)`. Rows read by a prepared transaction stay as read until its end:
commits of other transactions wait before changing them (`WriteLocks.promise`). Statements and DDL wait for the
transaction's locks on rows and tables, which belong to no session. A start reads the shard and takes all locks again
before the entrance opens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import pyarrow as pa

from catalog.declared.snapshot import PreparedTransactionStatus
from catalog.lookup.reliance import unchanged
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BYTEA, TEXT
from model.updates.update import Update
from planner.functions.system.lock_lookup import AdvisoryKey
from planner.plans.locks import RowMode, TableMode
from server.ledgers.committed_catalog import CatalogCommit
from server.ledgers.conflicts import Mode
from server.ledgers.kept_identities import identity_of, kept_of
from server.ledgers.locks import AdvisoryResource, AnyResource, LockHolder, Locks, Resource
from server.ledgers.scheduled import encode_rows
from timeline.commit_part import CommitPart
from timeline.footprint import Footprint, Identities, KeyColumns, WrittenRows, written_rows
from timeline.waiting import LockOwner
from timeline.write_locks import WriteLocks

PREPARED_SHARD_ID = GlobalId.system(5)
PREPARED_DESC = relation_desc(("gid", TEXT, False), ("body", BYTEA, False))
_GID_BYTES_MAX = 199


class _KeptLock(msgspec.Struct, frozen=True, array_like=True):
    """A lock: of a table, of a row of it by its key, or an advisory one by database, classid, objid and objsubid."""

    mode: int
    table: str = ""
    key: object = None
    advisory: tuple[int, int, int, int] | None = None


class _KeptKeys(msgspec.Struct, frozen=True, array_like=True):
    """Keys read of a table; without `identities`, for some types, a start counts the whole table as read."""

    table: str
    columns: tuple[int, ...]
    identities: list[object] | None


class _Body(msgspec.Struct, frozen=True):
    """A prepared transaction in the shard. `writes` are streams of Arrow by table."""

    number: int
    role: int
    database: int
    prepared_ms: int
    writes: list[tuple[str, list[bytes]]]
    tables: list[str]
    keys: list[_KeptKeys]
    locks: list[_KeptLock]
    relied: list[str]


@dataclass(slots=True, eq=False)
class PreparedTransaction:
    """A prepared transaction.

    `number`: the transaction's id; `role`, `database`: oids of the role that prepared, and of the place
    `reads`: rows and tables kept unchanged until the end
    `relied`: the items named by statements, kept unchanged as well
    `locks`: on rows and tables, without a session
    `owner`: the owner of the promise about `reads`
    `busy`: a session is ending the transaction
    """

    gid: str
    number: int
    role: int
    database: int
    prepared_ms: int
    writes: Mapping[GlobalId, Sequence[pa.Table]]
    reads: Footprint
    relied: frozenset[GlobalId]
    locks: LockHolder
    owner: LockOwner = field(default_factory=LockOwner)
    busy: bool = False
    _row: Row | None = None
    _written: Mapping[GlobalId, WrittenRows] | None = None

    @property
    def row(self) -> Row:
        """Returns the row for the shard."""
        if self._row is None:
            body = _Body(
                number=self.number,
                role=self.role,
                database=self.database,
                prepared_ms=self.prepared_ms,
                writes=[(str(id_), list(map(encode_rows, tables))) for id_, tables in self.writes.items()],
                tables=sorted(map(str, self.reads.tables)),
                keys=[_kept_keys(key, identities) for key, identities in self.reads.keys.items()],
                locks=[_kept_lock(resource, mode) for resource, mode in self.locks.taken],
                relied=sorted(map(str, self.relied)),
            )
            self._row = self.gid, msgspec.msgpack.encode(body)
        return self._row

    @property
    def written(self) -> Mapping[GlobalId, WrittenRows]:
        """Returns the rows that COMMIT PREPARED will change, by table."""
        if self._written is None:
            self._written = written_rows(self.writes)
        return self._written

    def update(self, diff: int) -> pa.Table:
        """Returns the shard's update when the transaction comes (1), or ends (-1)."""
        return rows_to_arrow((self.row,), PREPARED_DESC).append_column(DIFF_COLUMN, pa.array([diff], pa.int64()))


class PreparedTransactions:
    """All prepared transactions, in memory as in the shard; `most` at once."""

    def __init__(self, promises: WriteLocks, most: int = 0) -> None:
        self.most = most
        self._promises = promises
        self._named: set[str] = set()
        self._held: dict[str, PreparedTransaction] = {}

    def load(self, updates: Iterable[Update], locks: Locks, state: CatalogState) -> None:
        """Takes over the transactions left by an earlier environment, with their locks and promises."""
        kept: Counter[Row] = Counter()
        for update in updates:
            kept[update.row] += update.diff
        for row in (row for row, count in kept.items() if count):
            prepared = _loaded(row, locks, state)
            self._named.add(prepared.gid)
            self.add(prepared)

    def reserve(self, gid: str) -> None:
        """Takes a name for a transaction about to be prepared. Raises SqlError 22023, 55000, 42710, 53200."""
        if len(gid.encode()) > _GID_BYTES_MAX:
            message = f'transaction identifier "{gid}" is too long'
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
        if not self.most:
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                "prepared transactions are disabled",
                hint="Set max_prepared_transactions to a nonzero value.",
            )
        if gid in self._named:
            raise SqlError(Sqlstate.DUPLICATE_OBJECT, f'transaction identifier "{gid}" is already in use')
        if len(self._named) >= self.most:
            raise SqlError(
                Sqlstate.OUT_OF_MEMORY,
                "maximum number of prepared transactions reached",
                hint=f"Increase max_prepared_transactions (currently {self.most}).",
            )
        self._named.add(gid)

    def give_back(self, gid: str) -> None:
        """Gives back a name reserved in vain."""
        self._named.discard(gid)

    def add(self, prepared: PreparedTransaction) -> None:
        """Adds a durable transaction: from now on nobody changes rows read by the transaction."""
        self._held[prepared.gid] = prepared
        self._promises.promise(prepared.reads, prepared.owner)

    def remove(self, prepared: PreparedTransaction) -> None:
        """Removes a transaction after a durable end, with locks and promises."""
        del self._held[prepared.gid]
        self._named.discard(prepared.gid)
        self._promises.release_promise(prepared.owner)
        prepared.locks.release_from(0)

    def finishing(self, gid: str, role: int, database: int, *, superuser: bool) -> PreparedTransaction:
        """Returns the transaction for a session about to end the transaction; until then no other session can. Raises
        SqlError 42704, 55006, 42501, 0A000."""
        prepared = self._held.get(gid)
        if prepared is None:
            message = f'prepared transaction with identifier "{gid}" does not exist'
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, message)
        if prepared.busy:
            raise SqlError(Sqlstate.OBJECT_IN_USE, f'prepared transaction with identifier "{gid}" is busy')
        if role != prepared.role and not superuser:
            raise SqlError(
                Sqlstate.INSUFFICIENT_PRIVILEGE,
                "permission denied to finish prepared transaction",
                hint="Must be superuser or the user that prepared the transaction.",
            )
        if database != prepared.database:
            raise SqlError(
                Sqlstate.FEATURE_NOT_SUPPORTED,
                "prepared transaction belongs to another database",
                hint="Connect to the database where the transaction was prepared to finish it.",
            )
        prepared.busy = True
        return prepared

    def changing(self, reads: Footprint) -> PreparedTransaction | None:
        """Returns a transaction with writes that meet `reads`, if any."""
        return next((each for each in self._held.values() if reads.meets(each.written)), None)

    def reading(self, table: GlobalId) -> PreparedTransaction | None:
        """Returns a transaction with reads of the table, if any."""
        return next((each for each in self._held.values() if table in each.reads.all_tables), None)

    def relying(self) -> Mapping[GlobalId, str]:
        """Returns the items relied on, each with the name of a transaction."""
        return {id_: each.gid for each in self._held.values() for id_ in each.relied}

    def statuses(self) -> tuple[PreparedTransactionStatus, ...]:
        """Returns the rows of pg_prepared_xacts."""
        return tuple(
            PreparedTransactionStatus(each.number, each.gid, each.prepared_ms, each.role, each.database)
            for each in self._held.values()
        )


@dataclass(slots=True)
class PreparedStay(CommitPart):
    """Keeps the catalog's changes from items relied on by prepared transactions, and from their databases."""

    catalog: CatalogCommit
    prepared: PreparedTransactions

    def validate(self, timestamp: Timestamp) -> None:
        """Raises SqlError 55006 for a change of an item named by a prepared transaction, and for the end of a database:
        in it alone its prepared transactions can be finished."""
        before, after = self.catalog.before, self.catalog.after
        for each in self.prepared.statuses():
            if each.database in before.databases and each.database not in after.databases:
                name = before.databases[each.database].name
                raise SqlError(Sqlstate.OBJECT_IN_USE, f'database "{name}" is being used by prepared transactions')
        for id_, gid in self.prepared.relying().items():
            if id_ in before.items and not unchanged(before.items[id_], after.items.get(id_)):
                name = before.items[id_].name
                message = f'cannot change "{name}" because a prepared transaction has used it'
                hint = f"COMMIT or ROLLBACK PREPARED '{gid}' first."
                raise SqlError(Sqlstate.OBJECT_IN_USE, message, hint=hint)


def _kept_keys(key: KeyColumns, identities: Identities) -> _KeptKeys:
    try:
        kept = list(map(kept_of, identities))
    except ValueError:
        return _KeptKeys(str(key.table), key.columns, None)
    return _KeptKeys(str(key.table), key.columns, kept)


def _kept_lock(resource: AnyResource, mode: Mode) -> _KeptLock:
    match resource:
        case AdvisoryResource(database, key):
            return _KeptLock(mode, advisory=(database, key.classid, key.objid, key.objsubid))
        case Resource(table, None):
            return _KeptLock(mode, str(table))
        case Resource(table, key):
            try:
                return _KeptLock(mode, str(table), kept_of(key))
            except ValueError:
                return _KeptLock(TableMode.ALL_ROWS, str(table))


def _held_again(lock: _KeptLock, holder: LockHolder, locks: Locks) -> None:
    if lock.advisory is not None:
        database, *key = lock.advisory
        locks.hold_again(holder, AdvisoryResource(database, AdvisoryKey(*key)), TableMode(lock.mode))
    elif lock.key is None:
        locks.hold_again(holder, Resource(GlobalId.parse(lock.table)), TableMode(lock.mode))
    else:
        locks.hold_again(holder, Resource(GlobalId.parse(lock.table), identity_of(lock.key)), RowMode(lock.mode))


def _footprint(body: _Body, state: CatalogState) -> Footprint:
    tables, keys = set(map(GlobalId.parse, body.tables)), dict[KeyColumns, Identities]()
    for kept in body.keys:
        table = GlobalId.parse(kept.table)
        if kept.identities is None:
            tables.add(table)
            continue
        types = state.items[table].desc.types
        columns = KeyColumns(table, kept.columns, tuple(types[at] for at in kept.columns))
        keys[columns] = frozenset(map(identity_of, kept.identities))
    return Footprint(frozenset(tables), keys)


def _loaded(row: Row, locks: Locks, state: CatalogState) -> PreparedTransaction:
    gid, encoded = row
    assert isinstance(gid, str) and isinstance(encoded, bytes)
    body = msgspec.msgpack.decode(encoded, type=_Body)
    holder = locks.of_session(0, body.number).transaction()
    for lock in body.locks:
        _held_again(lock, holder, locks)
    return PreparedTransaction(
        gid=gid,
        number=body.number,
        role=body.role,
        database=body.database,
        prepared_ms=body.prepared_ms,
        writes={
            GlobalId.parse(id_): [pa.ipc.open_stream(each).read_all() for each in tables] for id_, tables in body.writes
        },
        reads=_footprint(body, state),
        relied=frozenset(map(GlobalId.parse, body.relied)),
        locks=holder,
        _row=row,
    )
